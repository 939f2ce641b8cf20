"""Photo in, reading out."""

from vision.overlay import draw_layout, draw_overlay
from vision.photo import NoEnvironmentError, Photo, PhotoError, load_photo
from vision.reader import PHOTO_WARNINGS, STAGES, Models, Reading, load_models, read_photo

__all__ = [
    "PHOTO_WARNINGS",
    "STAGES",
    "Models",
    "NoEnvironmentError",
    "Photo",
    "PhotoError",
    "Reading",
    "draw_layout",
    "draw_overlay",
    "load_models",
    "load_photo",
    "read_photo",
]
