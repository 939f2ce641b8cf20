"""Axial coordinates on the grid of hexagons.

A cell is ``(q, r)``. Direction ``i`` of six is ``DIRECTIONS[i]``; going through 0..5 turns clockwise as
seen from above. Edge ``i`` of a tile faces direction ``i``.
"""

from __future__ import annotations

from collections.abc import Iterable

Cell = tuple[int, int]

DIRECTIONS: tuple[Cell, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def neighbor(cell: Cell, direction: int) -> Cell:
    """The cell beside ``cell`` in ``direction`` (taken modulo six).

    >>> neighbor((2, 0), 1)
    (2, 1)
    """
    q, r = cell
    dq, dr = DIRECTIONS[direction % 6]
    return (q + dq, r + dr)


def neighbors(cell: Cell) -> tuple[Cell, ...]:
    """The six cells round ``cell``, in the order of ``DIRECTIONS``."""
    q, r = cell
    return ((q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1))


def turn(cell: Cell, turns: int = 1) -> Cell:
    """``cell`` after ``turns`` turns of 60 degrees clockwise about (0, 0); direction i becomes i + turns.

    >>> turn((1, 0), 1)
    (0, 1)
    """
    q, r = cell
    for _ in range(turns % 6):
        q, r = -r, q + r
    return (q, r)


def mirror(cell: Cell) -> Cell:
    """``cell`` mirrored in the line through (0, 0) along direction 0; direction i becomes -i.

    >>> mirror((0, 1)) == DIRECTIONS[5]
    True
    """
    q, r = cell
    return (q + r, -r)


def components(cells: Iterable[Cell]) -> list[frozenset[Cell]]:
    """Maximal connected sets of ``cells``, in the order of their smallest cell.

    >>> components([(0, 0), (1, 0), (5, 5)]) == [{(0, 0), (1, 0)}, {(5, 5)}]
    True
    """
    left = set(cells)
    found = []
    for start in sorted(left):
        if start not in left:
            continue
        left.remove(start)
        group = {start}
        border = [start]
        while border:
            for cell in neighbors(border.pop()):
                if cell in left:
                    left.remove(cell)
                    group.add(cell)
                    border.append(cell)
        found.append(frozenset(group))
    return found
