"""`cascadia read`: photos to layout files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cascadia import files
from cascadia.errors import UserError
from cascadia.inputs import Source, read_photo_file
from cascadia.terminal import counted, printable, warn, write

if TYPE_CHECKING:
    from scoring.layout import Layout
    from vision.photo import Photo


def read(photos: Sequence[Path], out: Path, overlay: Path | None) -> int:
    """Write a layout file for each environment in `photos`, and a picture of each reading if asked for."""
    targets = files.output_paths(out, photos, ".json")
    pictures = overlay_paths(overlay, photos)
    for path in set(targets) & set(pictures):
        raise UserError(f"--out and --overlay both name {str(path)!r}: choose another for one of them")
    for photo, target, picture in zip(photos, targets, pictures, strict=True):
        source = read_photo_file(photo)
        for path, layout in zip(layout_paths(target, len(source.layouts)), source.layouts, strict=True):
            files.check_overwrites_none(path, photos)
            save(layout, path)
            write(f"{printable(source.name)}: {in_numbers(layout)} -> {printable(str(path))}")
            for sentence in layout.warnings:
                warn(f"{source.name}: {sentence}")
        if picture is not None:
            files.write_picture(draw(source, source.layouts), picture)
    return 0


def layout_paths(target: Path, count: int) -> list[Path]:
    """A file for each of the `count` environments of a photo: a.json, a-environment-2.json, ..."""
    more = (f"{target.stem}{files.NEXT_ENVIRONMENT}{i}{target.suffix}" for i in range(2, count + 1))
    return [target, *(target.with_name(name) for name in more)]


def overlay_paths(overlay: Path | None, inputs: Sequence[Path]) -> list[Path | None]:
    """Where the picture of each input goes; UserError where no picture can be written."""
    if overlay is None:
        return [None] * len(inputs)
    paths = files.output_paths(overlay, inputs, ".overlay.png")
    for path in paths:
        files.picture_format(path)
    return list(paths)


def save(layout: Layout, path: Path) -> None:
    from scoring.layout import save_layout

    try:
        save_layout(layout, path)
    except OSError as error:
        raise files.cannot_write(path, error) from None


def in_numbers(layout: Layout) -> str:
    """A reading in one line: tiles, tokens, doubtful tiles."""
    tokens = sum(placed.tile.token is not None for placed in layout.tiles)
    doubtful = sum(placed.needs_review for placed in layout.tiles)
    text = f"{counted(len(layout.tiles), 'tile')}, {counted(tokens, 'token')}"
    return text + (f", {doubtful} to check" if doubtful else "")


TILE_WIDTH = 100.0
"""Tiles of a drawing are at least so many pixels wide, for the letters on them."""


def draw(source: Source, layouts: Sequence[Layout]) -> object:
    """A picture, uint8 RGB, of `layouts`: over the photo where there is one, else a plan of the first."""
    from vision.overlay import draw_layout, draw_overlay, draws_over_photo

    photo: Photo | None = source.photo
    if photo is None or not any(draws_over_photo(layout) for layout in layouts):
        return draw_layout(layouts[0])
    picture = draw_overlay(photo.pixels, layouts[0], tile_width=TILE_WIDTH)
    for layout in layouts[1:]:
        picture = draw_overlay(picture, layout)
    return picture
