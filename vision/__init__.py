"""Photo in, reading out."""

from vision.overlay import draw_layout, draw_overlay
from vision.photo import NoEnvironmentError, Photo, PhotoError, load_photo

__all__ = ["NoEnvironmentError", "Photo", "PhotoError", "draw_layout", "draw_overlay", "load_photo"]
