"""A shape: cells that score as one group. What the searches of `partition` and `wide` choose from."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.hexgrid import Cell


@dataclass(frozen=True, slots=True)
class Shape:
    """Cells that score ``points`` when they are one group."""

    cells: tuple[Cell, ...]
    points: int
    name: str
