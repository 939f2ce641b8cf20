"""Boards drawn as text: one line a row, neighbours in a row two columns apart, each row shifted by one.

``B E S H F`` are tokens, ``.`` is a tile without one, blank is no tile. ::

    B . H        (0, 0) (1, 0) (2, 0)
     E E          (0, 1) (1, 1)
"""

from __future__ import annotations

import textwrap

from scoring import Cell, Environment, Species, Terrain, Tile, edges

LETTERS = {species[0].upper(): species for species in Species}


def drawn(text: str, nature_tokens: int = 0) -> Environment:
    """The environment drawn in ``text``, all tiles forest; the first sign of the first row is (0, 0)."""
    rows = textwrap.dedent(text.strip("\n")).splitlines()
    left = len(rows[0]) - len(rows[0].lstrip())
    tiles = []
    for r, row in enumerate(rows):
        for column, sign in enumerate(row):
            if sign != " ":
                q, half = divmod(column - left - r, 2)
                assert not half, f"row {r}, column {column} lies between two places"
                tiles.append(Tile((q, r), edges(Terrain.FOREST), LETTERS.get(sign)))
    return Environment.of(tiles, nature_tokens)


def full_of(species: Species, cells: set[Cell] | frozenset[Cell]) -> Environment:
    """A token of ``species`` on each of ``cells``."""
    return Environment.of(Tile(cell, edges(Terrain.FOREST), species) for cell in cells)
