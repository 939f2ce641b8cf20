"""The exact best cut of a herd into connected groups, for Elk C.

Every elk of a group of eight is worth 28 / 8 points, and less in any smaller group, so a division is judged
by what it *loses* against that. Groups of more than eight are never needed: a leaf of a spanning tree can be
cut off without losing the 28 points. A herd of n loses at least what its n mod 8 odd elk lose as one group.

1. Peeling cuts off connected eights from the rim so that the rest stays connected. If that loses no more than
   the least, it is optimal; herds of any width, where this is easy, end here.
2. Otherwise a sweep over the herd in order settles it exactly. The state is, for the cells that still have
   neighbours to come, which of them are one group and how large it is. It is asked for the least loss first,
   then for one point more, and so on: states that lose more than is asked for, even if all to come went well,
   are left out. Its cost grows with the width of the herd, not its length, and where a herd is wide, the
   least loss or nearly so can be had.
"""

from __future__ import annotations

from collections.abc import Sequence

from scoring.hexgrid import Cell, components, neighbors

LARGEST = 8


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
    # All cuts of one herd lose the same but for whole points, which are LARGEST in this unit.
    for allowed in range(least, _loss(best, loss_of), LARGEST):
        better = _swept(herd, loss_of, allowed)
        if better is not None:
            return better
    return best


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


# Groups of the cells on the frontier: for each such cell the number of its group, and each group's size.
_State = tuple[tuple[int, ...], tuple[int, ...]]
# Decisions so far, the last one first: the cell and the earlier neighbours whose groups it joined.
_Chain = tuple[Cell, tuple[Cell, ...], "_Chain | None"]


def _swept(herd: frozenset[Cell], loss_of: tuple[int, ...], allowed: int) -> list[frozenset[Cell]] | None:
    """The cut of ``herd`` that loses least if that is no more than ``allowed``, else None."""
    order = _narrow_order(herd)
    place = {cell: i for i, cell in enumerate(order)}
    last = {cell: max(place[cell], *(place.get(other, -1) for other in neighbors(cell))) for cell in order}
    frontier: list[Cell] = []
    states: dict[_State, tuple[int, _Chain | None]] = {((), ()): (0, None)}
    for i, cell in enumerate(order):
        beside = [j for j, other in enumerate(frontier) if other in neighbors(cell)]
        staying = [j for j, other in enumerate([*frontier, cell]) if last[other] > i]
        unseen = len(order) - i - 1
        reached: dict[_State, tuple[int, _Chain | None]] = {}
        for (labels, sizes), (loss, chain) in states.items():
            for joined in _choices([labels[j] for j in beside], sizes):
                after = _joined(labels, sizes, joined)
                state, closed = _closed(after, staying, loss_of)
                total = loss + closed
                if total + loss_of[(sum(state[1]) + unseen) % LARGEST] > allowed:
                    continue
                best = reached.get(state)
                if best is None or total < best[0]:
                    into = tuple(frontier[labels.index(label)] for label in joined)
                    reached[state] = (total, (cell, into, chain))
        states = reached
        frontier = [other for other in [*frontier, cell] if last[other] > i]
    if not states:
        return None
    ((_, chain),) = states.values()
    return _parts(chain)


def _narrow_order(herd: frozenset[Cell]) -> list[Cell]:
    """The cells along that axis across which the herd is narrowest."""
    keys = (
        lambda cell: (cell[0], cell[1]),
        lambda cell: (cell[1], cell[0]),
        lambda cell: (cell[0] + cell[1], cell[0]),
    )
    orders = [sorted(herd, key=key) for key in keys]

    def width(order: list[Cell]) -> int:
        place = {cell: i for i, cell in enumerate(order)}
        last = [max(place.get(other, -1) for other in neighbors(cell)) for cell in order]
        return max(sum(last[j] > i for j in range(i + 1)) for i in range(len(order)))

    return min(orders, key=width)


def _choices(labels: list[int], sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The sets of groups, of those beside a cell, that it may join: not more than eight together."""
    sets: list[tuple[int, ...]] = [()]
    for label in sorted(set(labels)):
        sets += [(*chosen, label) for chosen in sets]
    return [chosen for chosen in sets if sum(sizes[label] for label in chosen) < LARGEST]


def _joined(labels: tuple[int, ...], sizes: tuple[int, ...], joined: tuple[int, ...]) -> _State:
    """The state with one cell more, which is in one group with all of ``joined``."""
    if not joined:
        return (*labels, len(sizes)), (*sizes, 1)
    into = joined[0]
    merged = tuple(into if label in joined else label for label in labels)
    grown = list(sizes)
    grown[into] = 1 + sum(sizes[label] for label in joined)
    return (*merged, into), tuple(grown)


def _closed(state: _State, staying: list[int], loss_of: tuple[int, ...]) -> tuple[_State, int]:
    """The state of the ``staying`` places, groups numbered afresh, and the loss of the groups that ended."""
    labels, sizes = state
    names: dict[int, int] = {}
    kept = tuple(names.setdefault(labels[j], len(names)) for j in staying)
    ended = set(labels) - set(names)
    return (kept, tuple(sizes[label] for label in names)), sum(loss_of[sizes[label]] for label in ended)


def _parts(chain: _Chain | None) -> list[frozenset[Cell]]:
    """The groups that a chain of decisions made."""
    decisions = []
    while chain is not None:
        cell, into, chain = chain
        decisions.append((cell, into))
    part_of: dict[Cell, set[Cell]] = {}
    for cell, into in reversed(decisions):
        part = {cell}.union(*(part_of[other] for other in into))
        for member in part:
            part_of[member] = part
    return sorted({frozenset(part) for part in part_of.values()}, key=min)
