"""The exact best cut of a herd into connected groups, for Elk C.

Every elk of a group of eight is worth 28 / 8 points, and less in any smaller group, so a division is judged
by what it *loses* against that. Groups of more than eight are never needed: a leaf of a spanning tree can be
cut off without losing the 28 points. A herd of n loses at least what its n mod 8 odd elk lose as one group.

1. Peeling cuts off connected eights from the rim so that the rest stays connected. If that loses no more than
   the least, it is optimal; herds of any width, where this is easy, end here.
2. Otherwise the herd is taken apart at its cut cells (those without which it falls apart) into blocks, which
   form a tree. All that the rest of the herd need know of a branch that hangs on a cut cell is what the
   branch loses if 0, 1, ... 7 of its elk join the group of that cell. Trees, stars, combs and spirals end
   here.
3. A sweep over the cells of a block in order settles it exactly. The state is, for the cells that still have
   neighbours to come, which of them are one group and how large it is. The sweep of the largest block, the
   root of the tree, is asked for the least loss first, then for one point more, and so on: states that lose
   more than is asked for, even if all to come went well, are left out. Its cost grows with the width of the
   block, not its length, and where a block is wide, the least loss or nearly so can be had: a sweep that
   keeps the best states of each step finds it.

Measured on 109 boards of 100 elk (round, long, branched, ragged, with holes, scattered over up to 200
places): all but two in a third of a second of CPU time, the slowest, scattered over 160 places, in 3 s. There
is no limit on the search; a block that is both wide and has few good cuts could take longer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from scoring.hexgrid import Cell, components, neighbors

LARGEST = 8
#: States that a sweep keeps at each step when it only looks for a cut to beat.
BEAM = 400


def cut_herd(herd: frozenset[Cell], points: Sequence[int]) -> list[frozenset[Cell]]:
    """The connected groups that ``herd`` (connected) is worth most in; ``points[n - 1]`` is for n, 1 to 8.

    ``points`` must rise so that the loss of n elk, n / 8 of the points of eight less their own, is least for
    n mod 8 taken as one group (true of the card; the test states it).
    """
    if len(herd) <= LARGEST:
        return [herd]
    losses = [size * points[LARGEST - 1] - LARGEST * points[size - 1] for size in range(1, LARGEST + 1)]
    loss_of = (0, *losses)
    least = loss_of[len(herd) % LARGEST]
    best = _peeled(herd, 0)
    for direction in range(1, 6):
        if _loss(best, loss_of) == least:
            return best
        best = min(best, _peeled(herd, direction), key=lambda cut: _loss(cut, loss_of))
    return min(best, _Tree(herd, loss_of).cut(_loss(best, loss_of)), key=lambda cut: _loss(cut, loss_of))


def _loss(cut: list[frozenset[Cell]], loss_of: tuple[int, ...]) -> int:
    return sum(loss_of[len(part)] for part in cut)


def _peeled(herd: frozenset[Cell], direction: int) -> list[frozenset[Cell]]:
    """A cut of ``herd``: connected eights grown from its end in ``direction``, with what they would sever."""
    parts: list[frozenset[Cell]] = []
    waiting = [herd]
    while waiting:
        rest = waiting.pop()
        if len(rest) <= LARGEST:
            parts.append(rest)
            continue
        part = _grown(rest, direction)
        parts.append(part)
        waiting += components(rest - part)
    return parts


def _grown(rest: frozenset[Cell], direction: int) -> frozenset[Cell]:
    """Eight connected cells of ``rest`` from one end of it, preferring to leave the others connected."""

    def height(cell: Cell) -> tuple[int, int]:
        q, r = cell
        along = (q, r, -q - r, -q, -r, q + r)
        return (along[direction], along[(direction + 1) % 6])

    part = {max(rest, key=height)}
    while len(part) < LARGEST:
        border = {cell for inner in part for cell in neighbors(inner) if cell in rest and cell not in part}

        def cost(cell: Cell, part: set[Cell] = part) -> tuple[int, int, tuple[int, int]]:
            left = rest - part - {cell}
            pieces = len(components(left))
            open_sides = sum(other in left for other in neighbors(cell))
            return (pieces, open_sides, (-height(cell)[0], -height(cell)[1]))

        cell = min(border, key=cost)
        part.add(cell)
        for piece in components(rest - part):
            # A piece too small to stand alone is taken along while there is room.
            if len(piece) + len(part) <= LARGEST and len(piece) < len(rest) - len(part) - len(piece):
                part |= piece
    return frozenset(part)


@dataclass(frozen=True, slots=True)
class _Hung:
    """One way to cut what hangs on a cell: what joins its group, the other groups, their loss."""

    loss: int = 0
    joining: frozenset[Cell] = frozenset()
    parts: tuple[frozenset[Cell], ...] = ()


# Groups of the cells on the frontier: for each such cell the number of its group, and each group's size.
_State = tuple[tuple[int, ...], tuple[int, ...]]
# Decisions so far, the last one first: the cell, how its branches are cut, the earlier cells it joined.
_Chain = tuple[Cell, _Hung, tuple[Cell, ...], "_Chain | None"]


@dataclass
class _Tree:
    """A herd as the tree of its blocks."""

    herd: frozenset[Cell]
    loss_of: tuple[int, ...]
    blocks: list[frozenset[Cell]] = field(init=False)

    def __post_init__(self) -> None:
        self.blocks = _blocks(self.herd)

    def cut(self, known: int) -> list[frozenset[Cell]]:
        """The cut that loses least, or any if none loses less than ``known``."""
        root = max(self.blocks, key=lambda block: (len(block), sorted(block)))
        sweep = _Sweep(root, None, {cell: self._hung(cell, root) for cell in root}, self.loss_of)
        best = sweep.run(known, BEAM)
        most = min(known, best[0].loss) if best else known
        # All cuts of one herd lose the same but for whole points, which are LARGEST in this unit.
        for allowed in range(most - LARGEST * ((most - sweep.bound) // LARGEST), most, LARGEST):
            better = sweep.run(allowed, None)
            if better:
                return list(better[0].parts)
        return list(best[0].parts) if best else [self.herd]

    def _hung(self, cell: Cell, above: frozenset[Cell]) -> list[_Hung]:
        """The ways to cut all that hangs on ``cell`` away from ``above``, one for each number that joins."""
        ways = {0: _Hung()}
        for block in self.blocks:
            if cell not in block or block == above:
                continue
            hung = {other: self._hung(other, block) for other in block if other != cell}
            sweep = _Sweep(block, cell, hung, self.loss_of)
            # Whoever lets none join instead loses at most the largest loss more: more than that is no use.
            first = sweep.run(None, BEAM)
            found = sweep.run(first[0].loss + max(self.loss_of), None)
            combined: dict[int, _Hung] = {}
            for size, way in ways.items():
                for more, other in found.items():
                    loss = way.loss + other.loss
                    known = combined.get(size + more)
                    if size + more < LARGEST and (known is None or loss < known.loss):
                        combined[size + more] = _Hung(
                            loss, way.joining | other.joining, way.parts + other.parts
                        )
            ways = combined
        return list(ways.values())


def _blocks(herd: frozenset[Cell]) -> list[frozenset[Cell]]:
    """The largest parts that no single cell holds together, by depth-first search (Hopcroft and Tarjan)."""
    depth: dict[Cell, int] = {}
    trail: list[Cell] = []
    found: list[frozenset[Cell]] = []

    def visit(cell: Cell, level: int) -> int:
        depth[cell] = lowest = level
        trail.append(cell)
        for other in neighbors(cell):
            if other not in herd:
                continue
            if other in depth:
                lowest = min(lowest, depth[other])
                continue
            start = len(trail)
            reached = visit(other, level + 1)
            lowest = min(lowest, reached)
            if reached >= level:
                found.append(frozenset([cell, *trail[start:]]))
                del trail[start:]
        return lowest

    visit(min(herd), 0)
    return found


class _Sweep:
    """The cuts of a block and all that hangs on its cells.

    With a ``gate``, the cell by which the block hangs on the rest of the herd, the gate's group stays open.
    """

    def __init__(
        self,
        block: frozenset[Cell],
        gate: Cell | None,
        hung: Mapping[Cell, list[_Hung]],
        loss_of: tuple[int, ...],
    ):
        self._order = _narrow_order(block, gate)
        self._gate = gate
        self._hung = hung
        self._loss_of = loss_of
        self._ahead = self._bounds()
        #: No cut loses less.
        self.bound = self._ahead[0][0]

    def _bounds(self) -> list[list[int]]:
        """For each step and number of elk in open groups (mod 8) the least that all to come can lose."""
        # The least loss of the branches to come, by the number of their elk that join (mod 8).
        least: list[float] = [0.0, *[math.inf] * (LARGEST - 1)]
        bounds = []
        for i in range(len(self._order), -1, -1):
            if i < len(self._order) and self._order[i] != self._gate:
                joined = [math.inf] * LARGEST
                for size, loss in enumerate(least):
                    for way in self._hung[self._order[i]]:
                        after = (size + 1 + len(way.joining)) % LARGEST
                        joined[after] = min(joined[after], loss + way.loss)
                least = joined
            bounds.append(
                [
                    int(
                        min(
                            loss + (self._loss_of[(open_now + size) % LARGEST] if self._gate is None else 0)
                            for size, loss in enumerate(least)
                        )
                    )
                    for open_now in range(LARGEST)
                ]
            )
        return bounds[::-1]

    def run(self, allowed: int | None, width: int | None) -> dict[int, _Hung]:
        """The cuts that lose no more than ``allowed``, the best for each number that joins the gate.

        ``width`` is how many states are kept at each step; exact if None.
        """
        place = {cell: i for i, cell in enumerate(self._order)}
        last = {
            cell: max([place[cell], *(place.get(other, -1) for other in neighbors(cell))]) for cell in place
        }
        if self._gate is not None:
            last[self._gate] = len(place)
        frontier: list[Cell] = []
        states: dict[_State, tuple[int, _Chain | None]] = {((), ()): (0, None)}
        for i, cell in enumerate(self._order):
            round_it = neighbors(cell)
            beside = [j for j, other in enumerate(frontier) if other in round_it]
            staying = [j for j, other in enumerate([*frontier, cell]) if last[other] > i]
            ways = [_Hung()] if cell == self._gate else self._hung[cell]
            ahead = self._ahead[i + 1]
            reached: dict[_State, tuple[int, _Chain | None]] = {}
            for (labels, sizes), (loss, chain) in states.items():
                for joined in _choices([labels[j] for j in beside], sizes):
                    taken = sum(sizes[label] for label in joined)
                    for way in ways:
                        if taken + 1 + len(way.joining) > LARGEST:
                            continue
                        after = _joined(labels, sizes, joined, 1 + len(way.joining))
                        state, closed = _closed(after, staying, self._loss_of)
                        total = loss + way.loss + closed
                        if allowed is not None and total + ahead[sum(state[1]) % LARGEST] > allowed:
                            continue
                        best = reached.get(state)
                        if best is None or total < best[0]:
                            into = tuple(frontier[labels.index(label)] for label in joined)
                            reached[state] = (total, (cell, way, into, chain))
            if width is not None and len(reached) > width:
                ordered = sorted(
                    reached.items(), key=lambda item: item[1][0] + ahead[sum(item[0][1]) % LARGEST]
                )
                reached = dict(ordered[:width])
            states = reached
            frontier = [other for other in [*frontier, cell] if last[other] > i]
        return {
            sum(sizes) - 1 if sizes else 0: self._way(loss, chain)
            for (_, sizes), (loss, chain) in sorted(states.items(), key=lambda item: item[0])
        }

    def _way(self, loss: int, chain: _Chain | None) -> _Hung:
        """The groups that a chain of decisions made."""
        decisions = []
        while chain is not None:
            cell, way, into, chain = chain
            decisions.append((cell, way, into))
        part_of: dict[Cell, frozenset[Cell]] = {}
        parts: list[frozenset[Cell]] = []
        for cell, way, into in reversed(decisions):
            part = frozenset([cell]).union(way.joining, *(part_of[other] for other in into))
            part_of.update(dict.fromkeys(part, part))
            parts += way.parts
        open_part = part_of.get(self._gate) if self._gate is not None else None
        parts += sorted(set(part_of.values()) - {open_part}, key=min)
        joining = (
            open_part - {self._gate} if open_part is not None and self._gate is not None else frozenset()
        )
        return _Hung(loss, joining, tuple(parts))


def _narrow_order(block: frozenset[Cell], gate: Cell | None) -> list[Cell]:
    """The cells in an order in which few have neighbours both before and behind, ``gate`` last."""
    keys = (
        lambda cell: (cell[0], cell[1]),
        lambda cell: (cell[1], cell[0]),
        lambda cell: (cell[0] + cell[1], cell[0]),
    )
    inner = block - {gate}
    orders = [sorted(inner, key=key) for key in keys]
    orders += [_greedy_order(inner, start) for start in {order[end] for order in orders for end in (0, -1)}]
    if gate is not None:
        orders = [[*order, gate] for order in orders]

    def width(order: list[Cell]) -> tuple[int, int, list[Cell]]:
        place = {cell: i for i, cell in enumerate(order)}
        last = [max(place.get(other, -1) for other in neighbors(cell)) for cell in order]
        widths = [sum(last[j] > i for j in range(i + 1)) for i in range(len(order))]
        return max(widths), sum(2**wide for wide in widths), order

    return min(orders, key=width)


def _greedy_order(cells: frozenset[Cell], start: Cell) -> list[Cell]:
    """From ``start`` on always a cell next that leaves the fewest cells with neighbours to come."""
    order: list[Cell] = []
    placed: set[Cell] = set()
    # For each cell the neighbours not placed yet.
    waiting = {cell: sum(other in cells for other in neighbors(cell)) for cell in cells}
    border = {start}
    while border or len(order) < len(cells):

        def cost(cell: Cell) -> tuple[int, int, Cell]:
            beside = [other for other in neighbors(cell) if other in placed]
            ended = sum(waiting[other] == 1 for other in beside)
            oldest = min((order.index(other) for other in beside), default=0)
            return (waiting[cell] > 0) - ended, oldest, cell

        cell = min(border or cells - placed, key=cost)
        border.discard(cell)
        order.append(cell)
        placed.add(cell)
        for other in neighbors(cell):
            if other in cells:
                waiting[other] -= 1
                if other not in placed:
                    border.add(other)
    return order


def _choices(labels: list[int], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The sets of groups, of those beside a cell, that it may join: not more than eight together."""
    sets: list[tuple[int, ...]] = [()]
    for label in sorted(set(labels)):
        sets += [(*chosen, label) for chosen in sets]
    return [chosen for chosen in sets if sum(sizes[label] for label in chosen) < LARGEST]


def _joined(labels: tuple[int, ...], sizes: tuple[int, ...], joined: tuple[int, ...], more: int) -> _State:
    """The state with one cell more, which brings ``more`` elk and is in one group with all of ``joined``."""
    if not joined:
        return (*labels, len(sizes)), (*sizes, more)
    into = joined[0]
    merged = tuple(into if label in joined else label for label in labels)
    grown = list(sizes)
    grown[into] = more + sum(sizes[label] for label in joined)
    return (*merged, into), tuple(grown)


def _closed(state: _State, staying: list[int], loss_of: tuple[int, ...]) -> tuple[_State, int]:
    """The state of the ``staying`` places, groups numbered afresh, and the loss of the groups that ended."""
    labels, sizes = state
    names: dict[int, int] = {}
    kept = tuple(names.setdefault(labels[j], len(names)) for j in staying)
    ended = set(labels) - set(names)
    return (kept, tuple(sizes[label] for label in names)), sum(loss_of[sizes[label]] for label in ended)
