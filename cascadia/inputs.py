"""From the files that a user names to layouts, be they photos or layout files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from cascadia.errors import UserError

if TYPE_CHECKING:
    from scoring.layout import Layout
    from vision.photo import Photo


@dataclass(frozen=True)
class Source:
    """One input: its layouts, the largest environment first, and the photo where there is one."""

    path: Path
    layouts: tuple[Layout, ...]
    photo: Photo | None = None

    @property
    def name(self) -> str:
        return self.path.name


def read_input(path: Path) -> Source:
    """Read a photo or a layout file, whichever `path` is; UserError where it is neither."""
    if _is_layout_file(path):
        return Source(path, (_read_layout(path),))
    return read_photo_file(path)


def read_photo_file(path: Path) -> Source:
    """Read a photo; UserError where it cannot be opened or shows no environment."""
    from vision.photo import PhotoError, load_photo
    from vision.reader import read_photo

    try:
        photo = load_photo(path)  # kept, for a drawing over it
        reading = read_photo(photo)
    except PhotoError as error:
        raise UserError(str(error)) from error
    except (FileNotFoundError, ModuleNotFoundError) as error:
        raise UserError(
            f"the networks that read photos are missing ({error}): install cascadia-photo-scorer again"
        ) from error
    return Source(path, reading.layouts, photo)


def with_photo(source: Source) -> Source:
    """A layout file's source with the photo it was read from, if that lies beside it and has its size."""
    from vision.photo import PhotoError, load_photo

    info = source.layouts[0].photo
    if source.photo is not None or info is None:
        return source
    path = source.path.parent / Path(info.file).name  # never a path out of the layout file's own folder
    try:
        photo = load_photo(path)
    except PhotoError:
        return source
    return (
        replace(source, photo=photo) if (photo.width, photo.height) == (info.width, info.height) else source
    )


def in_reading_order(layouts: Sequence[Layout]) -> tuple[tuple[Layout, ...], str]:
    """The environments of one photo from left to right, or from top to bottom; and that order in words."""
    centers = [_center(layout) for layout in layouts]
    if any(center is None for center in centers):
        return tuple(layouts), "from the largest to the smallest"
    xs, ys = zip(*(center for center in centers if center is not None), strict=True)
    across = max(xs) - min(xs) >= max(ys) - min(ys)
    keys = xs if across else ys
    ordered = [layouts[i] for i in sorted(range(len(layouts)), key=lambda i: keys[i])]
    return tuple(ordered), "from left to right" if across else "from top to bottom"


def _center(layout: Layout) -> tuple[float, float] | None:
    centers = [placed.center for placed in layout.tiles if placed.center is not None]
    if not centers:
        return None
    return fmean(x for x, _ in centers), fmean(y for _, y in centers)


def _read_layout(path: Path) -> Layout:
    from scoring.layout import LayoutError, load_layout

    try:
        return load_layout(path)
    except LayoutError as error:
        raise UserError(str(error)) from error


def _is_layout_file(path: Path) -> bool:
    """By its ending, or by the brace that JSON, but no picture, begins with; UserError for no file."""
    try:
        if path.is_dir():
            raise UserError(f"{str(path)!r} is a folder: name the files in it, or use 'cascadia batch'")
        if not path.exists():
            raise UserError(f"there is no file {str(path)!r}: check the name")
        if not path.is_file():
            raise UserError(f"{str(path)!r} is not an ordinary file: name a photo or a layout file")
        with path.open("rb") as file:
            head = file.read(64)
    except OSError as error:
        raise UserError(f"{str(path)!r} cannot be read: {error.strerror or error}") from None
    return path.suffix.lower() == ".json" or head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")
