"""Corrections of a layout by hand. Each takes a layout and returns the corrected one.

A tile that a person has touched is certain: its review flag and its probabilities go, so that the score's
range narrows and nobody is asked about it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scoring.environment import Tile
from scoring.hexgrid import Cell
from scoring.layout import Layout, LayoutTile
from scoring.pieces import Edges, Species, terrain_states
from vision.places import tile_outlines, with_place


def set_terrain(layout: Layout, cell: Cell, terrain: Sequence[str]) -> Layout:
    """Give a tile six edges; a tile that was not there is added. ValueError if no tile looks like it."""
    edges = next((state for state in terrain_states() if state == tuple(terrain)), None)
    if edges is None:
        raise ValueError(f"no tile has the edges {', '.join(map(str, terrain))}")
    if not any(tile.tile.cell == cell for tile in layout.tiles):
        return _added(layout, cell, edges)
    # What is printed on the tile was read together with its terrain and is not known of another tile.
    return _changed(
        layout,
        cell,
        lambda tile: replace(tile, tile=replace(tile.tile, terrain=edges, keystone=None, wildlife=None)),
    )


def set_token(layout: Layout, cell: Cell, token: str | None) -> Layout:
    species = None if token is None else Species(token)
    return _changed(layout, cell, lambda tile: replace(tile, tile=replace(tile.tile, token=species)))


def confirm(layout: Layout, cell: Cell) -> Layout:
    """The person says that the tile is right as it was read."""
    return _changed(layout, cell, lambda tile: tile)


def remove_tile(layout: Layout, cell: Cell) -> Layout:
    return replace(layout, tiles=tuple(tile for tile in layout.tiles if tile.tile.cell != cell))


def set_nature_tokens(layout: Layout, count: int) -> Layout:
    return replace(layout, nature_tokens=max(0, count))


def _changed(layout: Layout, cell: Cell, change: Callable[[LayoutTile], LayoutTile]) -> Layout:
    return replace(
        layout,
        tiles=tuple(_certain(change(tile)) if tile.tile.cell == cell else tile for tile in layout.tiles),
    )


def _certain(tile: LayoutTile) -> LayoutTile:
    return replace(
        tile,
        needs_review=False,
        confidence_terrain=None if tile.confidence_terrain is None else 1.0,
        confidence_token=None if tile.confidence_token is None else 1.0,
        terrain_alternatives=(),
        token_alternatives=(),
    )


def _added(layout: Layout, cell: Cell, edges: Edges) -> Layout:
    tile = LayoutTile(Tile(cell, edges))
    if layout.photo is not None:
        tile = with_place(tile, tile_outlines(layout, [cell])[cell])
    return replace(layout, tiles=(*layout.tiles, tile))
