"""Photo in, reading out."""

from vision.photo import NoEnvironmentError, Photo, PhotoError, load_photo

__all__ = ["NoEnvironmentError", "Photo", "PhotoError", "load_photo"]
