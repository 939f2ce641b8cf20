"""The exact best division of tokens into shapes: elk lines, figures and arcs, pairs of hawks and of foxes.

This is weighted set packing, for pairs weighted matching in a general graph. Boards are narrow, so a sweep
over the cells in order settles it exactly: the lowest cell not yet decided either stays single or takes one
of the shapes of which it is the lowest cell, and two partial divisions that cover the same later cells differ
only in points, so the better one stands for both. The number of states is bounded by 2 to the power of the
cells that shapes can reach ahead (a row or two of the board), whatever the number of tokens.

Three things keep it to a few states in practice:

* Prices. Each cell gets a price such that no shape brings more than its cells cost (a feasible solution of
  the dual linear program, found by coordinate descent). Prices bound what the cells ahead can still bring;
  the *loss* of a state is what it is behind that bound already. All numbers are integers (points times 60).
* Dominance. Covering a cell more for no more points is never better.
* Two passes. The first keeps only the best states of each step, and is exact if none had to go or its result
  meets the bound of the prices. If not, the second keeps every state that can still beat that result; for
  more than thirty cells, which no legal board has of one species, it is left to :mod:`scoring.cards.wide`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.cards.shape import Shape
from scoring.hexgrid import Cell

#: Points are multiplied by this so that shares of a shape of two to six cells are whole numbers.
SCALE = 60
#: States that the first pass keeps at each step.
BEAM = 200
#: Parts with more cells than this, if the first pass does not settle them, go to :mod:`scoring.cards.wide`.
LARGE = 30
#: Below this number of states looking for dominated ones costs more than it saves.
FEW = 24


def best_partition(shapes: Sequence[Shape]) -> list[Shape]:
    """Shapes without a common cell that are worth most together; exact.

    A cell's single shape, if there is one, must be worth no more than a share in any other shape is worth
    (true of every card). Of several best divisions always the same one is taken.
    """
    single = {shape.cells[0]: shape for shape in shapes if len(shape.cells) == 1}
    larger = [shape for shape in shapes if len(shape.cells) > 1]
    chosen = [shape for part in _independent(larger) for shape in _solved(part, single)]
    covered = {cell for shape in chosen for cell in shape.cells}
    return chosen + [shape for cell, shape in single.items() if cell not in covered]


def _independent(shapes: Sequence[Shape]) -> list[list[Shape]]:
    """``shapes`` in parts that share no cell."""
    by_cell: dict[Cell, list[int]] = defaultdict(list)
    for i, shape in enumerate(shapes):
        for cell in shape.cells:
            by_cell[cell].append(i)
    seen: set[int] = set()
    parts = []
    for start in range(len(shapes)):
        if start in seen:
            continue
        seen.add(start)
        part = [start]
        for i in part:
            for cell in shapes[i].cells:
                for other in by_cell.pop(cell, ()):
                    if other not in seen:
                        seen.add(other)
                        part.append(other)
        parts.append([shapes[i] for i in sorted(part)])
    return parts


@dataclass(frozen=True, slots=True)
class _Move:
    """A shape whose lowest cell is the current one: bits relative to that, and its loss to the prices."""

    bits: int
    loss: int
    shape: int


@dataclass(frozen=True, slots=True)
class _Sweep:
    """A problem laid out in the order of its cells. Losses and prices are in points times SCALE."""

    prices: list[int]
    moves: list[list[_Move]]


# A chain of the shapes chosen so far, the last one first.
_Chain = tuple[int, "_Chain | None"]


def _solved(shapes: list[Shape], single: dict[Cell, Shape]) -> list[Shape]:
    if len(shapes) == 1:
        return shapes
    gains = [
        SCALE * (shape.points - sum(single[cell].points for cell in shape.cells if cell in single))
        for shape in shapes
    ]
    sweep = _laid_out(shapes, gains)
    bound = sum(sweep.prices)
    loss, chain, complete = _swept(sweep, most=bound, width=BEAM)
    if not complete:
        least = bound % SCALE  # the gain, bound - loss, is a whole number of points
        if loss > least and len(sweep.prices) > LARGE:
            # Imported here because it takes NumPy and SciPy, which real boards do without.
            from scoring.cards.wide import best_choice

            numbers = best_choice(shapes, [gain // SCALE for gain in gains])
            if numbers is not None:
                return [shapes[i] for i in numbers]
        if loss > least:
            better_loss, better_chain, _ = _swept(sweep, most=loss - SCALE, width=None)
            chain = better_chain if better_loss < loss else chain
    chosen = []
    while chain is not None:
        last, chain = chain
        chosen.append(shapes[last])
    return chosen


def _laid_out(shapes: list[Shape], gains: list[int]) -> _Sweep:
    cells = {cell for shape in shapes for cell in shape.cells}
    orders = [
        sorted(cells, key=lambda cell: (cell[0], cell[1])),
        sorted(cells, key=lambda cell: (cell[1], cell[0])),
        sorted(cells, key=lambda cell: (cell[0] + cell[1], cell[0])),
    ]
    numbered = [{cell: i for i, cell in enumerate(order)} for order in orders]
    members = min(
        ([sorted(index[cell] for cell in shape.cells) for shape in shapes] for index in numbered),
        key=_frontier,
    )
    prices = _prices(members, gains, len(cells))
    moves: list[list[_Move]] = [[] for _ in cells]
    for i, (places, gain) in enumerate(zip(members, gains, strict=True)):
        bits = sum(1 << (place - places[0]) for place in places)
        moves[places[0]].append(_Move(bits, sum(prices[place] for place in places) - gain, i))
    return _Sweep(prices, moves)


def _frontier(members: list[list[int]]) -> int:
    """The most cells ahead that shapes from behind can cover, at any step of the sweep."""
    first: dict[int, int] = {}
    for places in members:
        for place in places:
            first[place] = min(first.get(place, place), places[0])
    change: dict[int, int] = defaultdict(int)
    for place, reached in first.items():
        change[reached] += 1
        change[place] -= 1
    width = most = 0
    for step in sorted(change):
        width += change[step]
        most = max(most, width)
    return most


def _prices(members: list[list[int]], gains: list[int], count: int) -> list[int]:
    """Prices of the cells, such that every shape's cells cost at least its gain, small in sum."""
    of_cell: list[list[int]] = [[] for _ in range(count)]
    for i, places in enumerate(members):
        for place in places:
            of_cell[place].append(i)
    prices = [max(gains[i] // len(members[i]) for i in of_cell[place]) for place in range(count)]
    cost = [sum(prices[place] for place in places) for places in members]
    for _ in range(2):
        for place in range(count):
            fall = min(prices[place], min(cost[i] - gains[i] for i in of_cell[place]))
            if fall > 0:
                prices[place] -= fall
                for i in of_cell[place]:
                    cost[i] -= fall
    return prices


def _swept(sweep: _Sweep, most: int, width: int | None) -> tuple[int, _Chain | None, bool]:
    """The least loss, its shapes, and whether no state was left out for ``width``.

    States with a loss above ``most`` are left out; if none remains the loss is more than any.
    """
    complete = True
    states: dict[int, tuple[int, _Chain | None]] = {0: (0, None)}
    for place, (price, moves) in enumerate(zip(sweep.prices, sweep.moves, strict=True)):
        reached: dict[int, tuple[int, _Chain | None]] = {}
        for covered, (loss, chain) in states.items():
            ahead = covered >> 1
            if covered & 1:
                known = reached.get(ahead)
                if known is None or loss < known[0]:
                    reached[ahead] = (loss, chain)
                continue
            if loss + price <= most:
                known = reached.get(ahead)
                if known is None or loss + price < known[0]:
                    reached[ahead] = (loss + price, chain)
            for move in moves:
                worse = loss + move.loss
                if not covered & move.bits and worse <= most:
                    after = (covered | move.bits) >> 1
                    known = reached.get(after)
                    if known is None or worse < known[0]:
                        reached[after] = (worse, (move.shape, chain))
        if len(reached) > FEW:
            reached = _undominated(reached, sweep.prices, place + 1)
        if width is not None and len(reached) > width:
            complete = False
            best = sorted(reached.items(), key=lambda item: (item[1][0], item[0]))[:width]
            reached = dict(best)
        states = reached
    if not states:
        return sum(sweep.prices) + 1, None, complete
    loss, chain = states[0]
    return loss, chain, complete


def _undominated(
    states: dict[int, tuple[int, _Chain | None]], prices: list[int], offset: int
) -> dict[int, tuple[int, _Chain | None]]:
    """``states`` without those that cover one cell more than another for no more points."""
    kept = {}
    for covered, entry in states.items():
        left = covered
        while left:
            bit = left & -left
            other = states.get(covered ^ bit)
            # The price of the cell is in the loss of the state that covers it; without it gains compare.
            if other is not None and other[0] <= entry[0] - prices[offset + bit.bit_length() - 1]:
                break
            left ^= bit
        else:
            kept[covered] = entry
    return kept
