"""The best division of a large herd: the sweep of :mod:`scoring.cards.partition` on whole arrays of states.

A herd that fills most of a board of 100 tiles has up to half a million states a step, too many for one at a
time. Here the states of a step are two arrays, the cells covered ahead as bits of an integer and the points
gained, and one shape is tried on all of them together. What keeps their number down:

* Prices of the cells from the linear program itself (HiGHS through SciPy), rounded to whole numbers and
  checked against every shape, so that the result does not rest on floating point.
* A first pass that keeps only the best states of each step, for a division to beat. The second pass keeps
  every state that may still reach one point more than that; if it finds nothing, the first was the best.
* The direction of the sweep, of twelve, in which shapes reach least far ahead.

Where the second pass comes to more than MOST states in all, HiGHS solves the integer program instead: as
exact, but slower, and without a limit of time. Of the boards of benchmarks/speed.py the slowest is a hexagon
of 100 elk: 1.8 s of CPU time under card D, and, by this last way, 11 s under the rule elk_d_gaps. The box
holds 20 elk; herds of 40 take at most 0.12 s.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from scoring.cards.shape import Shape
from scoring.hexgrid import Cell

#: Prices are in points times this; rounding up costs at most one such share a cell.
SCALE = 1000
#: States that the first pass keeps at each step.
BEAM = 2000
#: States of all steps together at which the second pass gives up (8 bytes each).
MOST = 30_000_000
#: Cells ahead up to which the states of a step are told apart in a table of all masks (32 MiB at 24).
TABLE_BITS = 24
#: Cells ahead that a mask can hold.
MASK_BITS = 62
#: Directions in which a sweep is tried.
DIRECTIONS = 12

_Masks = npt.NDArray[np.int32] | npt.NDArray[np.int64]
_Gains = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class _Step:
    """The states after a cell: for each the covered cells ahead, the next one as bit 0, and the gain."""

    masks: _Masks
    gains: _Gains


@dataclass(frozen=True, slots=True)
class _Sweep:
    """Prices (times SCALE), and by lowest cell the shapes: their bits from that cell on, gain, number."""

    prices: _Gains
    moves: tuple[tuple[tuple[int, int, int], ...], ...]
    span: int


def best_choice(shapes: Sequence[Shape], gains: Sequence[int]) -> list[int] | None:
    """The numbers of those ``shapes`` without a common cell whose ``gains`` add up to most; exact.

    None where shapes reach too far ahead for a mask (never those of elk on a board of 120 tiles).
    """
    members, span = _narrowest(shapes)
    if span > MASK_BITS:
        return None
    count = 1 + max(places[-1] for places in members)
    prices = _prices(members, gains, count)
    moves: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
    for number, (places, gain) in enumerate(zip(members, gains, strict=True)):
        moves[places[0]].append((sum(1 << (place - places[0]) for place in places), gain, number))
    sweep = _Sweep(prices, tuple(tuple(some) for some in moves), span)
    first = _swept(sweep, 0, BEAM)
    assert first is not None  # with a width there is no giving up
    found = int(first[-1].gains[0])
    if found < int(prices.sum()) // SCALE:
        second = _swept(sweep, found + 1, None)
        if second is None:
            return _solved_as_program(members, gains, count)
        if len(second[-1].gains):
            return _traced(sweep, second)
    return _traced(sweep, first)


def _narrowest(shapes: Sequence[Shape]) -> tuple[list[list[int]], int]:
    """The places of each shape's cells in the order in which shapes reach least far ahead, and how far."""
    cells = sorted({cell for shape in shapes for cell in shape.cells})
    best: tuple[list[list[int]], int] | None = None
    for step in range(DIRECTIONS):
        angle = math.pi * step / DIRECTIONS

        def along(cell: Cell, angle: float = angle) -> tuple[float, float]:
            x, y = cell[0] + cell[1] / 2, cell[1] * math.sqrt(0.75)
            ahead = x * math.cos(angle) + y * math.sin(angle)
            return round(ahead, 6), round(y * math.cos(angle) - x * math.sin(angle), 6)

        place = {cell: i for i, cell in enumerate(sorted(cells, key=along))}
        members = [sorted(place[cell] for cell in shape.cells) for shape in shapes]
        span = max(places[-1] - places[0] for places in members)
        if best is None or span < best[1]:
            best = members, span
    assert best is not None
    return best


def _prices(members: list[list[int]], gains: Sequence[int], count: int) -> _Gains:
    """Whole-numbered prices of the cells, such that every shape's cells cost at least its gain."""
    holds = _incidence(members, count)
    relaxed = linprog(-np.array(gains, dtype=float), A_ub=holds, b_ub=np.ones(count), method="highs")
    prices: _Gains = np.maximum(np.ceil(-SCALE * relaxed.ineqlin.marginals - 1e-4), 0).astype(np.int32)
    for some, gain in zip(members, gains, strict=True):
        short = gain * SCALE - int(prices[some].sum())
        if short > 0:
            prices[some[0]] += short
    return prices


def _incidence(members: list[list[int]], count: int) -> npt.NDArray[np.float64]:
    """1 where a shape (column) has a cell (row), else 0."""
    holds = np.zeros((count, len(members)))
    for number, places in enumerate(members):
        holds[places, number] = 1
    return holds


def _solved_as_program(members: list[list[int]], gains: Sequence[int], count: int) -> list[int]:
    """The best choice by branch and bound; the solver's gap, a ten-thousandth, is less than a point."""
    best = milp(
        -np.array(gains, dtype=float),
        constraints=LinearConstraint(_incidence(members, count), -np.inf, 1),
        integrality=np.ones(len(members), dtype=np.int64),
        bounds=Bounds(0, 1),
    )
    assert best.x is not None  # choosing nothing is allowed, and there is no limit of time
    return [int(number) for number in np.flatnonzero(best.x > 0.5)]


def _swept(sweep: _Sweep, least: int, width: int | None) -> list[_Step] | None:
    """The states after each cell that may still gain ``least``, of these the best ``width``.

    The last step has one state, or none if ``least`` cannot be gained. None if states come to more than MOST.
    """
    none: _Masks = np.zeros(1, np.int32) if sweep.span < 31 else np.zeros(1, np.int64)
    steps = [_Step(none, np.zeros(1, np.int32))]
    states = 0
    table = np.full(1 << sweep.span, -1, np.int32) if sweep.span <= TABLE_BITS else None
    for place, moves in enumerate(sweep.moves):
        masks, gains = steps[-1].masks, steps[-1].gains
        ahead = _Ahead(sweep, place + 1)
        covered = (masks & 1) == 1
        open_masks, open_gains = masks[~covered], gains[~covered]
        reached = [
            _within(masks[covered] >> 1, gains[covered], ahead, least),
            _within(open_masks >> 1, open_gains, ahead, least),
        ]
        for bits, gain, _ in moves:
            fits = (open_masks & bits) == 0
            after = (open_masks[fits] | bits) >> 1
            reached.append(_within(after, open_gains[fits] + np.int32(gain), ahead, least))
        step = _merged(reached, table)
        if width is not None and len(step.masks) > width:
            best = np.argpartition(-ahead.bound(step.masks, step.gains), width)[:width]
            step = _Step(step.masks[best], step.gains[best])
        steps.append(step)
        states += len(step.masks)
        if width is None and states > MOST:
            return None
    return steps


class _Ahead:
    """What states may gain at most in the end, by the prices of the cells that they leave uncovered."""

    def __init__(self, sweep: _Sweep, place: int):
        prices = sweep.prices[place : place + sweep.span].tolist()
        prices += [0] * (sweep.span - len(prices))
        self._low_bits = (sweep.span + 1) // 2
        self._low = _sums(prices[: self._low_bits])
        self._high = _sums(prices[self._low_bits :])
        self._all = np.int32(sweep.prices[place:].sum())

    def bound(self, masks: _Masks, gains: _Gains) -> _Gains:
        """For each state the most it may gain, times SCALE."""
        low = self._low[masks & (len(self._low) - 1)]
        high = self._high[masks >> self._low_bits]
        bound: _Gains = gains * np.int32(SCALE) + (self._all - low - high)
        return bound


def _sums(prices: list[int]) -> _Gains:
    """For each mask the sum of the prices of its bits."""
    sums = np.zeros(1 << len(prices), np.int32)
    for bit, price in enumerate(prices):
        sums[1 << bit : 2 << bit] = sums[: 1 << bit] + np.int32(price)
    return sums


def _within(masks: _Masks, gains: _Gains, ahead: _Ahead, least: int) -> _Step:
    if not least or not len(masks):
        return _Step(masks, gains)
    may = ahead.bound(masks, gains) >= least * SCALE
    return _Step(masks[may], gains[may])


def _merged(reached: list[_Step], table: _Gains | None) -> _Step:
    """The best state for each mask. ``table`` is -1 for every mask; None where there are too many masks."""
    if table is None:
        masks = np.concatenate([step.masks for step in reached])
        gains = np.concatenate([step.gains for step in reached])
        order = np.lexsort((-gains, masks))
        masks, gains = masks[order], gains[order]
        first = np.ones(len(masks), bool)
        first[1:] = masks[1:] != masks[:-1]
        return _Step(masks[first], gains[first])
    fresh = []
    for step in reached:  # each part has a mask but once
        known = table[step.masks]
        better = step.gains > known
        masks = step.masks[better]
        table[masks] = step.gains[better]
        fresh.append(masks[known[better] < 0])
    masks = np.concatenate(fresh)
    step = _Step(masks, table[masks])
    table[masks] = -1
    return step


def _traced(sweep: _Sweep, steps: list[_Step]) -> list[int]:
    """The shapes that led to the state of the last step."""
    mask, gain = int(steps[-1].masks[0]), int(steps[-1].gains[0])
    chosen = []
    for place in range(len(sweep.moves) - 1, -1, -1):
        before = steps[place]
        candidates: list[tuple[int, int, int | None]] = [(mask << 1, gain, None), (mask << 1 | 1, gain, None)]
        for bits, gained, number in sweep.moves[place]:
            if bits & (mask << 1 | 1) == bits:
                candidates.append(((mask << 1 | 1) ^ bits, gain - gained, number))
        near = np.flatnonzero(np.isin(before.masks, [one for one, _, _ in candidates]))
        held = dict(zip(before.masks[near].tolist(), before.gains[near].tolist(), strict=True))
        mask, gain, last = next(one for one in candidates if held.get(one[0]) == one[1])
        if last is not None:
            chosen.append(last)
    return chosen
