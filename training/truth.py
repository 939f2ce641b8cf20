"""The layout file of a rendered photo: what a perfect reading would say."""

from __future__ import annotations

import numpy as np

from scoring.environment import Tile
from scoring.layout import Layout, LayoutTile, PhotoInfo
from training.render import View


def true_layout(view: View, file: str, environment: int = 0) -> Layout:
    """Layout of one environment of a view; tiles whose centre lies outside the photo are left out.

    Nature tokens are those that lie loose inside the photo.
    """
    boards = list(dict.fromkeys(t.board for t in view.tiles if t.cell is not None))
    tiles = []
    for i, placed in enumerate(view.tiles):
        if placed.cell is None or placed.board != boards[environment] or not view.visible[i]:
            continue
        token = None if placed.token is None else placed.token.species
        tile = Tile(placed.cell, placed.terrain, token, placed.face.keystone, placed.face.wildlife)  # type: ignore[arg-type]
        x, y = view.centers[i]
        corners = tuple((round(float(a), 1), round(float(b), 1)) for a, b in view.corners[i])
        tiles.append(LayoutTile(tile, (round(float(x), 1), round(float(y), 1)), corners))
    height, width = view.pixels.shape[:2]
    return Layout(tuple(tiles), view.nature_tokens, PhotoInfo(file, width, height))


def whole_environment_visible(view: View, environments: int = 1) -> bool:
    """Whether every tile of the first environments lies inside the photo, corners included."""
    boards = list(dict.fromkeys(t.board for t in view.tiles if t.cell is not None))[:environments]
    first = [i for i, t in enumerate(view.tiles) if t.cell is not None and t.board in boards]
    size = np.array(view.pixels.shape[1::-1])
    return bool((view.corners[first] > 0).all() and (view.corners[first] < size).all())
