"""From the bytes of a photo to upright sRGB pixels, or to one sentence that says why not.

Everything that a camera, a phone, a messenger or a scanner may do to a picture ends here: orientation tags,
colour profiles, CMYK, 16 bits, palettes, transparency, animation. The stages after this one see plain RGB.
"""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, UnidentifiedImageError
from PIL.JpegImagePlugin import JpegImageFile

MAX_BYTES = 60_000_000
"""Largest file taken, in bytes; a 108-megapixel JPEG from a phone has about 30 million."""

MAX_PIXELS = 120_000_000
"""Most pixels of a JPEG, by its header: a 108-megapixel phone photo passes, a bomb is never unpacked."""

MAX_PIXELS_WHOLE = 60_000_000
"""Most pixels of the other formats, which only unpack whole: WebP then takes 16 bytes a pixel."""

KEPT_PIXELS = 16_000_000
"""Larger photos are reduced to at most so many pixels, which bounds the memory of all later stages."""

MIN_SIDE = 64
"""Shortest side taken, in pixels; below, not even one tile could be recognised."""

MAX_SCANS = 100
"""Most passes of a progressive JPEG. Cameras write about ten; each one costs time on the whole picture."""

_ORIENTATION_TAG = 0x0112
_UPRIGHT = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_SWAPS_SIDES = frozenset({5, 6, 7, 8})

# Named, so that no rarely tested decoder of Pillow (or Ghostscript behind it) ever sees a stranger's file.
# TIFF is left out: libtiff writes its complaints about damaged files straight to standard error.
_FORMATS = ("JPEG", "MPO", "PNG", "WEBP", "AVIF", "BMP", "GIF")
_HEIF_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
_PAPER = (255, 255, 255)


class PhotoError(ValueError):
    """The photo cannot be used; the message is one sentence that says why and what to do."""


class NoEnvironmentError(PhotoError):
    """The photo can be seen, but there is no Cascadia environment in it."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo as the reader sees it.

    `pixels` is uint8 of shape (height, width, 3), RGB in sRGB, upright (EXIF orientation applied). A photo of
    more than `KEPT_PIXELS` is kept reduced; `width` and `height` are always those of the full upright photo,
    which is what the coordinates of a layout file refer to: x in the photo = `scale` * x in `pixels`.
    """

    pixels: NDArray[np.uint8]
    name: str
    full_size: tuple[int, int] | None = None
    """Width and height of the upright photo before it was reduced; None if `pixels` has them all."""

    @property
    def width(self) -> int:
        return self.full_size[0] if self.full_size else self.pixels.shape[1]

    @property
    def height(self) -> int:
        return self.full_size[1] if self.full_size else self.pixels.shape[0]

    @property
    def scale(self) -> float:
        """Pixels of the photo per pixel kept, 1.0 unless the photo was reduced."""
        return float(self.width / self.pixels.shape[1])


def load_photo(source: str | Path | bytes, name: str | None = None) -> Photo:
    """Load a photo from a path or from its bytes.

    Reads JPEG, PNG, WebP, AVIF, BMP and GIF (the first picture of an animation), and HEIC where the
    package pillow-heif is installed. An embedded colour profile is converted to sRGB (ignored if broken),
    what is transparent becomes white. `name` stands in messages; by default the file's name, or "photo".

    Raises PhotoError where the file is missing, no picture, damaged, cut off, too large or too small. Size
    is checked in the header, before anything is unpacked.
    """
    if isinstance(source, bytes):
        name = name or "photo"
        data = source
    else:
        # What is no UTF-8 in a file's name reaches Python as lone surrogates, which no layout file may hold.
        name = name or (Path(source).name or str(source)).encode("utf-8", "replace").decode("utf-8")
        data = _read_file(Path(source), name)
    _check_bytes(data, name)
    try:
        return _decode(data, name)
    except PhotoError:
        raise
    except Image.DecompressionBombError:
        raise _too_many_pixels(name, MAX_PIXELS) from None
    except UnidentifiedImageError:
        raise PhotoError(_no_picture(data, name)) from None
    except MemoryError:
        raise PhotoError(f"{name!r} needs more memory than there is: save it smaller and try again") from None
    except Exception as error:
        # Decoders raise nearly anything on hostile bytes (SyntaxError, struct.error, zlib.error, ...);
        # to the user all of it means the same.
        if "truncated" in str(error).lower() or isinstance(error, EOFError):
            raise PhotoError(f"{name!r} is cut off before its end: copy or send it once more") from error
        raise PhotoError(
            f"{name!r} is damaged and cannot be opened: copy it again or take another"
        ) from error


def _read_file(path: Path, name: str) -> bytes:
    try:
        if path.is_dir():
            raise PhotoError(f"{name!r} is a folder: name a photo in it")
        if path.exists() and not path.is_file():
            raise PhotoError(f"{name!r} is not an ordinary file: name a photo")
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise PhotoError(f"there is no file {str(path)!r}: check the name") from None
    except PermissionError:
        raise PhotoError(f"{name!r} may not be opened: you lack the permission to read it") from None
    except OSError as error:
        raise PhotoError(f"{name!r} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        if isinstance(error, PhotoError):
            raise
        raise PhotoError(f"{name!r} is no name of a file: check it") from None  # a NUL character in it


def _check_bytes(data: bytes, name: str) -> None:
    if not data:
        raise PhotoError(f"{name!r} is empty: copy the photo again")
    if len(data) > MAX_BYTES:
        raise PhotoError(
            f"{name!r} has more than {MAX_BYTES // 1_000_000} megabytes: save it as a JPEG and try again"
        )
    # A start-of-scan marker cannot occur within a JPEG's entropy-coded data, so counting bytes counts passes.
    if data.startswith(b"\xff\xd8") and data.count(b"\xff\xda") > MAX_SCANS:
        raise PhotoError(f"{name!r} is an unusual JPEG that takes too long to open: save it again as JPEG")


def _too_many_pixels(name: str, most: int) -> PhotoError:
    return PhotoError(f"{name!r} has more than {most // 1_000_000} megapixels: save it smaller and try again")


def _no_picture(data: bytes, name: str) -> str:
    if _is_heif(data):
        return (
            f"{name!r} is a HEIC photo, which needs one more package (pip install pillow-heif): "
            "install it or set the camera to JPEG"
        )
    return f"{name!r} is not a picture that can be opened: use a JPEG, PNG or WebP photo"


def _formats(data: bytes) -> list[str]:
    """Names of Pillow's decoders that may see `data`."""
    Image.init()
    formats = [format for format in _FORMATS if format in Image.OPEN]  # AVIF came with Pillow 11.3
    if _is_heif(data):
        try:
            from pillow_heif import register_heif_opener
        except ImportError:
            return formats
        register_heif_opener()
        formats.append("HEIF")
    return formats


def _is_heif(data: bytes) -> bool:
    return data[4:8] == b"ftyp" and data[8:12] in _HEIF_BRANDS


def _decode(data: bytes, name: str) -> Photo:
    # Pillow warns about photos that are large but within our limit, and about metadata that nobody uses.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with Image.open(io.BytesIO(data), formats=_formats(data)) as image:
            _check_size(image, name)
            stored_size = image.size
            reduction = _reduction(image.size)
            # JPEG can be unpacked at 1/2, 1/4 or 1/8, at a fraction of the time and memory.
            drafted = reduction > 1 and _draft(image, reduction)
            image.load()
            full_size = stored_size if drafted else image.size
            orientation = _orientation(image)
            rgb = _to_srgb(_reduced(image), image.info.get("icc_profile"))
    if orientation in _UPRIGHT:
        rgb = rgb.transpose(_UPRIGHT[orientation])
    if orientation in _SWAPS_SIDES:
        full_size = full_size[::-1]
    pixels = np.array(rgb, dtype=np.uint8)
    return Photo(pixels, name, full_size if full_size != rgb.size else None)


def _check_size(image: Image.Image, name: str) -> None:
    width, height = image.size
    most = MAX_PIXELS if isinstance(image, JpegImageFile) else MAX_PIXELS_WHOLE
    if width * height > most:
        raise _too_many_pixels(name, most)
    if min(width, height) < MIN_SIDE:
        raise PhotoError(
            f"{name!r} has only {width} x {height} pixels: the tiles cannot be told apart, use a larger photo"
        )


def _reduction(size: tuple[int, int]) -> int:
    """Smallest whole number by which both sides must be divided to keep at most `KEPT_PIXELS`."""
    return max(1, math.ceil(math.sqrt(size[0] * size[1] / KEPT_PIXELS)))


def _draft(image: Image.Image, reduction: int) -> bool:
    """Let a JPEG unpack itself smaller by at least `reduction`; False where the format cannot."""
    step = next((step for step in (2, 4, 8) if step >= reduction), 8)
    return image.draft(image.mode, (image.width // step, image.height // step)) is not None


def _reduced(image: Image.Image) -> Image.Image:
    """Average blocks of pixels until at most `KEPT_PIXELS` remain."""
    reduction = _reduction(image.size)
    if reduction == 1:
        return image
    if image.mode in ("P", "PA", "1"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    if image.mode == "I" or image.mode.startswith("I;16"):
        image = _grey8(image)
    return image.reduce(reduction)


def _orientation(image: Image.Image) -> int:
    try:
        return int(image.getexif().get(_ORIENTATION_TAG, 1))
    except Exception:  # a broken EXIF block is no reason to refuse a photo
        return 1


def _grey8(image: Image.Image) -> Image.Image:
    """Grey of 16 bits to 8 bits, which Pillow would clip instead of scaling."""
    return Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))


def _to_srgb(image: Image.Image, profile: bytes | None) -> Image.Image:
    """Any of Pillow's modes to RGB in sRGB, transparency over white."""
    if image.mode == "I" or image.mode.startswith("I;16"):
        image = _grey8(image)
    elif image.mode in ("P", "PA", "1"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    alpha = None
    if image.has_transparency_data:
        image = image.convert("RGBA")
        alpha = image.getchannel("A")
        image = image.convert("RGB")
    elif image.mode in ("LA", "La", "RGBa", "RGBX"):
        image = image.convert("L" if image.mode.startswith("L") else "RGB")
    rgb = _apply_profile(image, profile) if profile else image.convert("RGB")
    if alpha is not None:
        rgb = Image.composite(rgb, Image.new("RGB", rgb.size, _PAPER), alpha)
    return rgb


def _apply_profile(image: Image.Image, profile: bytes) -> Image.Image:
    try:
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(source) and image.mode == "RGB":
            return image
        converted = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    except Exception:  # a broken profile, or one of another colour space: the plain numbers are close enough
        return image.convert("RGB")
    return converted if converted is not None else image.convert("RGB")
