"""What was read, drawn over the photo, or as a plan where there is no photo.

All sizes follow the tile pitch, so that a drawing looks alike on a small and on a large photo. Each tile
shows its outline, a band of its terrain's colour along every edge with the terrain's letter, and a ring of
the species' colour round its token with the species' letters. A doubtful tile has a dashed outline and a
badge with a question mark. What stands in the photo stays visible below.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile
from scoring.pieces import Species, Terrain
from vision import palette
from vision.palette import Color
from vision.places import known_outlines, plain_corners

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]

# Lengths in tile widths (flat side to flat side).
_BAND = 0.085
_LINE = 0.022
_DASH = 0.11
_BADGE = 0.098
_RING = 0.30
_DISC = 0.24
_MARGIN = 0.2

_SUBPIXEL_BITS = 4  # OpenCV takes positions as fixed-point numbers


@dataclass(frozen=True, eq=False)
class _Shape:
    """Where a tile lies in a picture: centre (2,), corners (6, 2) in pixels, tile width in pixels."""

    center: Points
    corners: Points
    width: float


@dataclass(frozen=True)
class _Label:
    """Letters to be set at (x, y) pixels, `height` pixels high."""

    x: float
    y: float
    text: str
    height: float
    color: Color


def draw_overlay(
    pixels: Picture,
    layout: Layout,
    *,
    highlight: Mapping[Cell, str] | None = None,
    tile_width: float | None = None,
) -> Picture:
    """`pixels` with the reading drawn over it.

    `pixels` is uint8 RGB of shape (height, width, 3) and stays as it is; the result has the same shape. The
    coordinates of `layout` refer to the full photo (`layout.photo`), of which `pixels` may be a reduced copy.
    Tiles without corners get them from the centres of all; tiles without a centre are left out.

    With `tile_width` a picture with smaller tiles is enlarged (by at most four) until tiles are that many
    pixels wide, so that the letters can be read.

    `highlight` sets the tiles that earned points apart: all others are dimmed, these get a strong outline and
    the given few letters ("" for none) in a badge, so that groups can be numbered.
    """
    height, width = pixels.shape[:2]
    scale = (1.0, 1.0)
    if layout.photo is not None:
        scale = (width / layout.photo.width, height / layout.photo.height)
    shapes = _shapes(layout, scale)
    picture = pixels.copy()
    if tile_width is not None and shapes:
        typical = float(np.median([shape.width for shape in shapes.values()]))
        enlargement = min(max(1.0, tile_width / typical), 4.0)
        picture = np.asarray(cv2.resize(picture, None, fx=enlargement, fy=enlargement), dtype=np.uint8)
        shapes = _shapes(layout, (scale[0] * enlargement, scale[1] * enlargement))
    return _draw(picture, layout, shapes, highlight, filled=False)


def draw_layout(
    layout: Layout, size: tuple[int, int] = (1200, 900), *, highlight: Mapping[Cell, str] | None = None
) -> Picture:
    """The environment as a plan without a photo: uint8 RGB of shape (height, width, 3).

    `size` is (width, height) in pixels. Direction 0 points to the right. `highlight` as for `draw_overlay`.
    """
    width, height = size
    picture = np.full((height, width, 3), palette.TABLE, dtype=np.uint8)
    if not layout.tiles:
        return picture
    return _draw(picture, layout, _plan(layout, size), highlight, filled=True)


def draws_over_photo(layout: Layout) -> bool:
    """Whether `draw_overlay` has at least one place to draw a tile at."""
    return bool(_shapes(layout, (1.0, 1.0)))


# --- where the tiles lie ---


def _plan(layout: Layout, size: tuple[int, int]) -> dict[Cell, _Shape]:
    outlines = {placed.tile.cell: plain_corners(placed.tile.cell) / math.sqrt(3) for placed in layout.tiles}
    corners = np.concatenate(list(outlines.values()))
    low, high = corners.min(axis=0) - _MARGIN, corners.max(axis=0) + _MARGIN
    pitch = float(np.min(np.array(size) / (high - low)))
    shift = np.array(size) / 2 - pitch * (low + high) / 2
    return {
        cell: _Shape(pitch * outline.mean(axis=0) + shift, pitch * outline + shift, pitch)
        for cell, outline in outlines.items()
    }


def _shapes(layout: Layout, scale: tuple[float, float]) -> dict[Cell, _Shape]:
    """The tiles whose place in the photo is known, in pixels times `scale`."""
    outlines = known_outlines(layout)
    shapes = {}
    for placed in layout.tiles:
        cell = placed.tile.cell
        if cell not in outlines:
            continue
        corners = outlines[cell]
        center = np.array(placed.center) if placed.center is not None else corners.mean(axis=0)
        corners, center = corners * scale, center * scale
        width = float(np.mean(np.linalg.norm(corners - center, axis=1)) * math.sqrt(3))
        if 1.0 <= width < 100_000.0:
            shapes[cell] = _Shape(center, corners, width)
    return shapes


# --- the drawing ---


def _draw(
    picture: Picture,
    layout: Layout,
    shapes: Mapping[Cell, _Shape],
    highlight: Mapping[Cell, str] | None,
    *,
    filled: bool,
) -> Picture:
    tiles = [(placed, shapes[placed.tile.cell]) for placed in layout.tiles if placed.tile.cell in shapes]
    for placed, shape in tiles:
        _draw_terrain(picture, shape, placed, filled=filled)
        _draw_outline(picture, shape, palette.PAPER)
    labels: list[_Label] = []
    for placed, shape in tiles:  # after all outlines, so that no neighbour covers a mark
        if placed.needs_review:
            _draw_dashed_outline(picture, shape)
        if placed.tile.token is not None:
            draw_token = _draw_token_disc if filled else _draw_token_ring
            labels += draw_token(picture, shape, placed.tile.token)
        labels += _draw_badges(picture, shape, placed, token=not filled)
        if placed.needs_review:
            at = _toward_corner(shape, _dividing_corners(shape, placed)[0], 0.72)
            labels.append(_badge(picture, at, shape.width, palette.DOUBT, "?"))
    picture = _with_labels(picture, labels)
    if highlight is None:
        return picture
    chosen = {cell: text for cell, text in highlight.items() if cell in shapes}
    picture = _with_others_dimmed(picture, [shapes[cell] for cell in chosen])
    for cell in chosen:
        _draw_outline(picture, shapes[cell], palette.HIGHLIGHT, strength=2.2)
    return _with_labels(
        picture,
        [
            _badge(picture, shapes[cell].center, shapes[cell].width * 1.3, palette.HIGHLIGHT, text)
            for cell, text in chosen.items()
            if text
        ],
    )


def _draw_terrain(picture: Picture, shape: _Shape, placed: LayoutTile, *, filled: bool) -> None:
    """A band inside the outline along the edges of each terrain, or the whole half where `filled`."""
    inner = shape.center + (shape.corners - shape.center) * (1 - 2 * _BAND)
    for terrain, edges in _halves(placed):
        color = palette.TERRAIN_COLORS[terrain]
        if len(edges) == 6:
            _fill(picture, [shape.corners] if filled else [shape.corners, inner], color)
            continue
        corners = [edges[0], *((edge + 1) % 6 for edge in edges)]
        border = shape.corners[corners]
        _fill(picture, [border if filled else np.vstack([border, inner[corners][::-1]])], color)
    if not filled:
        _line(picture, inner, palette.PAPER, _LINE * shape.width / 2, closed=True)


def _halves(placed: LayoutTile) -> list[tuple[Terrain, list[int]]]:
    """Each terrain with its edges in clockwise order: six edges, or three and three."""
    terrain = placed.tile.terrain
    starts = [edge for edge in range(6) if terrain[edge] != terrain[edge - 1]]
    if not starts:
        return [(terrain[0], list(range(6)))]
    return [(terrain[start], [(start + step) % 6 for step in range(3)]) for start in starts]


def _middle_edges(shape: _Shape, placed: LayoutTile) -> list[tuple[Terrain, int]]:
    """Each terrain with the edge that carries its letter: the middle one, the uppermost of a keystone."""
    heights = [float(shape.corners[edge][1] + shape.corners[(edge + 1) % 6][1]) for edge in range(6)]
    return [
        (terrain, edges[1] if len(edges) == 3 else int(np.argmin(heights)))
        for terrain, edges in _halves(placed)
    ]


def _dividing_corners(shape: _Shape, placed: LayoutTile) -> tuple[int, int]:
    """The two corners between the letters of the halves, upper one first: free for other badges."""
    edge = _middle_edges(shape, placed)[0][1]
    first, second = (edge - 1) % 6, (edge + 2) % 6
    return (first, second) if shape.corners[first][1] <= shape.corners[second][1] else (second, first)


def _toward_corner(shape: _Shape, corner: int, share: float) -> Points:
    return np.asarray(shape.center + (shape.corners[corner] - shape.center) * share)


def _draw_badges(picture: Picture, shape: _Shape, placed: LayoutTile, *, token: bool) -> list[_Label]:
    """The letter of each half and, at the lower end of the dividing line, those of the token."""
    labels = []
    for terrain, edge in _middle_edges(shape, placed):
        middle = (shape.corners[edge] + shape.corners[(edge + 1) % 6]) / 2
        at = shape.center + (middle - shape.center) * 0.78
        color = palette.TERRAIN_COLORS[terrain]
        labels.append(_badge(picture, at, shape.width, color, palette.TERRAIN_LETTERS[terrain]))
    species = placed.tile.token
    if token and species is not None:
        at = _toward_corner(shape, _dividing_corners(shape, placed)[1], 0.62)
        color = palette.SPECIES_COLORS[species]
        labels.append(_badge(picture, at, shape.width * 1.15, color, palette.SPECIES_LETTERS[species]))
    return labels


def _draw_token_ring(picture: Picture, shape: _Shape, species: Species) -> list[_Label]:
    """A ring that leaves the token itself visible."""
    radius = _RING * shape.width
    _circle(picture, shape.center, radius, palette.PAPER, 4 * _LINE * shape.width)
    _circle(picture, shape.center, radius, palette.SPECIES_COLORS[species], 2 * _LINE * shape.width)
    return []


def _draw_token_disc(picture: Picture, shape: _Shape, species: Species) -> list[_Label]:
    color = palette.SPECIES_COLORS[species]
    radius = _DISC * shape.width
    _circle(picture, shape.center, radius, palette.PAPER, None)
    _circle(picture, shape.center, radius * 0.88, color, None)
    x, y = shape.center
    text = palette.SPECIES_LETTERS[species]
    return [_Label(float(x), float(y), text, radius * 1.1, palette.ink_on(color))]


def _badge(picture: Picture, at: Points, width: float, color: Color, text: str) -> _Label:
    """A small disc with letters on a tile of `width` pixels; the letters are returned, to be set last."""
    radius = _BADGE * width
    _circle(picture, at, radius * 1.2, palette.ink_on(color), None)
    _circle(picture, at, radius * 1.05, color, None)
    height = radius * (1.55 if len(text) < 2 else 2.4 / len(text))
    return _Label(float(at[0]), float(at[1]), text, height, palette.ink_on(color))


def _draw_outline(picture: Picture, shape: _Shape, color: Color, strength: float = 1.0) -> None:
    """A line on a dark casing, which shows on any table."""
    thickness = _LINE * shape.width * strength
    _line(picture, shape.corners, palette.INK, thickness * 2, closed=True)
    _line(picture, shape.corners, color, thickness, closed=True)


def _draw_dashed_outline(picture: Picture, shape: _Shape) -> None:
    thickness = 2 * _LINE * shape.width
    inset = shape.center + (shape.corners - shape.center) * 0.95
    _line(picture, inset, palette.INK, thickness * 1.6, closed=True)
    for start, end in zip(inset, np.roll(inset, -1, axis=0), strict=True):
        dashes = max(1, round(float(np.linalg.norm(end - start)) / (2 * _DASH * shape.width)))
        for dash in range(dashes):
            piece = np.array([(dash + 0.25) / dashes, (dash + 0.75) / dashes])[:, None]
            _line(picture, start + (end - start) * piece, palette.DOUBT, thickness, closed=False)


def _with_others_dimmed(picture: Picture, shapes: Sequence[_Shape]) -> Picture:
    bright = np.zeros(picture.shape[:2], dtype=np.uint8)
    for shape in shapes:
        cv2.fillPoly(bright, [_fixed(shape.corners)], 255, shift=_SUBPIXEL_BITS)
    dimmed = cv2.convertScaleAbs(picture, alpha=0.4)
    return np.asarray(np.where(bright[:, :, None] > 0, picture, dimmed), dtype=np.uint8)


# --- thin wrappers round the drawing libraries ---


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.asarray(np.round(points * (1 << _SUBPIXEL_BITS)), dtype=np.int32).reshape(-1, 1, 2)


def _fill(picture: Picture, outlines: Sequence[Points], color: Color) -> None:
    """Fill what lies within an odd number of the outlines."""
    cv2.fillPoly(picture, [_fixed(outline) for outline in outlines], color, cv2.LINE_AA, _SUBPIXEL_BITS)


def _line(picture: Picture, points: Points, color: Color, thickness: float, *, closed: bool) -> None:
    whole = max(1, round(thickness))
    cv2.polylines(picture, [_fixed(points)], closed, color, whole, cv2.LINE_AA, _SUBPIXEL_BITS)


def _circle(picture: Picture, center: Points, radius: float, color: Color, thickness: float | None) -> None:
    """A circle `thickness` pixels wide, a disc where that is None."""
    whole = cv2.FILLED if thickness is None else max(1, round(thickness))
    x, y = (int(value) for value in _fixed(center).ravel())
    fixed_radius = max(1, round(radius * (1 << _SUBPIXEL_BITS)))
    cv2.circle(picture, (x, y), fixed_radius, color, whole, cv2.LINE_AA, _SUBPIXEL_BITS)


def _with_labels(picture: Picture, labels: Sequence[_Label]) -> Picture:
    """OpenCV has stroke fonts only; Pillow sets the letters, with the font that it carries."""
    image = Image.fromarray(picture)
    draw = ImageDraw.Draw(image)
    for label in labels:
        size = round(label.height)
        if size < 4:
            continue
        draw.text(
            (label.x, label.y),
            label.text,
            fill=label.color,
            font=_font(size),
            anchor="mm",
            stroke_width=size // 24,
        )
    return np.array(image)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
