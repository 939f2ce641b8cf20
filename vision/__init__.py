"""Photo in, reading out."""

from vision.overlay import draw_layout, draw_overlay
from vision.photo import NoEnvironmentError, Photo, PhotoError, load_photo
from vision.reader import STAGES, Models, Reading, load_models, read_photo

__all__ = [
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
