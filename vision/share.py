"""Pictures made to be sent: the photo reduced for a screen, and photo, reading and score pad on one sheet."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.layout import Layout
from vision.overlay import draw_layout, draw_overlay
from vision.places import tile_outlines, view_box

Pixels = NDArray[np.uint8]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

SHEET_WIDTH = 1200
"""Width of the shareable sheet, in pixels: sharp on a phone, small enough for every messenger."""

BOARD_SIDE = 1000
"""Longer side of a board drawn without a photo, in pixels."""

_PAPER, _INK, _RULE, _BAND = (250, 247, 240), (38, 50, 44), (205, 200, 186), (236, 231, 217)
_MARGIN, _ROW, _TEXT = 32, 46, 26

_HANGUL_FONTS = (
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/nanum/NanumGothic.ttf",
    "/System/Library/Fonts/AppleSDGothicNeo.ttc",
    "C:/Windows/Fonts/malgun.ttf",
)
"""Where common systems keep a font with Hangul; Pillow's own font has Latin letters only."""


def screen_jpeg(pixels: Pixels, longest_side: int = 1600, quality: int = 85) -> bytes:
    """`pixels` (H, W, 3), RGB, as a JPEG whose longer side has at most `longest_side` pixels."""
    image = Image.fromarray(pixels)
    image.thumbnail((longest_side, longest_side), Image.Resampling.LANCZOS)
    return _encoded(image, quality)


def board_picture(layout: Layout, jpeg: bytes | None) -> Pixels:
    """What was read, drawn over the photo `jpeg` (at any size) and cut to the environment.

    Without a photo the layout is drawn on plain paper. `layout` must have a tile.
    """
    if jpeg is None or layout.photo is None:
        return draw_layout(layout, (BOARD_SIDE, BOARD_SIDE))
    with Image.open(io.BytesIO(jpeg)) as image:
        pixels = np.array(image.convert("RGB"))
    drawn = draw_overlay(pixels, layout, tile_width=BOARD_SIDE / 8)
    outlines = tile_outlines(layout, [tile.tile.cell for tile in layout.tiles])
    first = next(iter(outlines.values()))
    margin = float(np.ptp(first[:, 0])) * 0.4
    box = np.array(view_box(outlines, margin)) * (drawn.shape[1] / layout.photo.width)
    left, top = np.maximum(0, box[:2].astype(int))
    right, bottom = (box[:2] + box[2:]).astype(int)
    cut = drawn[top : max(0, bottom), left : max(0, right)]
    return cut if cut.size else drawn


def share_sheet(
    boards: Sequence[tuple[str, Pixels]], rows: Sequence[Sequence[str]], strong_rows: Sequence[int] = ()
) -> bytes:
    """One JPEG with every player's board, captioned with the name, and the score pad below.

    `boards` holds a caption and RGB pixels each; `rows` the pad, the first cell of a row being its label;
    rows whose number is in `strong_rows` (sums, the winner) stand on a band. Letters
    that are not Latin need a font of this system, and are drawn as boxes where there is none.
    """
    font = _font(_TEXT, "".join(caption for caption, _ in boards) + "".join("".join(row) for row in rows))
    pictures = _placed_boards(boards)
    boards_bottom = max((y + image.height for _, image, _, y in pictures), default=0)
    top = boards_bottom + _MARGIN if pictures else _MARGIN
    sheet = Image.new("RGB", (SHEET_WIDTH, top + _ROW * len(rows) + _MARGIN), _PAPER)
    draw = ImageDraw.Draw(sheet)
    for caption, image, x, y in pictures:
        sheet.paste(image, (x, y))
        _text(draw, (x, y - _ROW // 2), caption, font, "lm")
    for number, row in enumerate(rows):
        _draw_row(draw, top + number * _ROW, row, font, strong=number in strong_rows)
    return _encoded(sheet, 88)


def _encoded(image: Image.Image, quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality, optimize=True)
    return buffer.getvalue()


def _placed_boards(boards: Sequence[tuple[str, Pixels]]) -> list[tuple[str, Image.Image, int, int]]:
    """Boards scaled into one or two columns, each with the x and y of its upper left corner."""
    columns = 1 if len(boards) <= 1 else 2
    width = (SHEET_WIDTH - _MARGIN * (columns + 1)) // columns
    placed: list[tuple[str, Image.Image, int, int]] = []
    y = _MARGIN
    for start in range(0, len(boards), columns):
        tallest = 0
        for column, (caption, pixels) in enumerate(boards[start : start + columns]):
            image = Image.fromarray(pixels)
            image.thumbnail((width, int(width * 1.25)), Image.Resampling.LANCZOS)
            left = _MARGIN + column * (width + _MARGIN) + (width - image.width) // 2
            placed.append((caption, image, left, y + _ROW))
            tallest = max(tallest, image.height)
        y += _ROW + tallest + _MARGIN
    return placed


def _draw_row(draw: ImageDraw.ImageDraw, y: int, row: Sequence[str], font: Font, strong: bool) -> None:
    left, right = _MARGIN, SHEET_WIDTH - _MARGIN
    if strong:
        draw.rectangle([left, y, right, y + _ROW], fill=_BAND)
    draw.line([left, y + _ROW, right, y + _ROW], fill=_RULE, width=1)
    _text(draw, (left + 12, y + _ROW // 2), row[0], font, "lm")
    label_width = (right - left) * 0.36
    cell = (right - left - label_width) / max(1, len(row) - 1)
    for number, value in enumerate(row[1:]):
        x = left + label_width + cell * (number + 0.5)
        _text(draw, (x, y + _ROW // 2), value, font, "mm")


def _text(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, font: Font, anchor: str) -> None:
    draw.text(at, text, fill=_INK, font=font, anchor=anchor)


def _font(size: int, text: str) -> Font:
    """A font that has all of `text` if this system has one, else Pillow's own."""
    if all(ord(character) < 0x250 or 0x2000 <= ord(character) < 0x2070 for character in text):
        return ImageFont.load_default(size)
    for path in _HANGUL_FONTS:
        if Path(path).is_file():
            try:
                return ImageFont.truetype(path, size, index=1 if _is_noto_collection(path) else 0)
            except OSError:
                continue
    return ImageFont.load_default(size)


def _is_noto_collection(path: str) -> bool:
    """Noto's collection holds Japanese at 0 and Korean at 1; glyphs of Hangul are the same in all."""
    return path.endswith("NotoSansCJK-Regular.ttc")
