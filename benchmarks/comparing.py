"""Compare a reading with the truth, tile by tile. Layouts in, counts and faults out.

Neither the name of the first cell nor that of the first direction matters: tiles are paired by their centres
in the photo, and the turn and shift of the grid that most pairs agree on is applied to the reading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoring.hexgrid import neighbor, turn
from scoring.layout import Layout, LayoutTile
from scoring.pieces import Terrain

Floats = NDArray[np.float64]
Edges = tuple[Terrain, ...]

FAULTS = ("not detected", "off the grid", "terrain", "token", "extra")
"""Where a reading can go wrong, in the order of the reader's stages; `extra` is a tile that is not there."""

_FAR = 1e6


@dataclass(frozen=True)
class Match:
    """A tile of the truth and what was read in its place, or only one of the two.

    turns: sixths of a turn from the reading's directions to the truth's. on_grid: whether both stand on the
    same cell after that turn and the photo's shift.
    """

    true: LayoutTile | None
    read: LayoutTile | None
    turns: int = 0
    on_grid: bool = False

    @property
    def accepted(self) -> tuple[Edges, ...]:
        """The true terrain, and what a person may see in its place (`terrain_also` in the file)."""
        if self.true is None:
            return ()
        others = self.true.extra.get("terrain_also", [])
        return (self.true.tile.terrain, *(tuple(Terrain(name) for name in other) for other in others))

    def in_true_directions(self, edges: Edges) -> Edges:
        """Six edges in the reading's directions, as they are called in the truth's."""
        return tuple(edges[(edge - self.turns) % 6] for edge in range(6))

    @property
    def terrain_right(self) -> bool:
        """Whether the tile stands on its cell and all six edges are right."""
        if not self.on_grid or self.read is None:
            return False
        return self.in_true_directions(self.read.tile.terrain) in self.accepted

    @property
    def token_right(self) -> bool:
        """Whether the tile stands on its cell with the right token, or rightly without."""
        if not self.on_grid or self.true is None or self.read is None:
            return False
        return self.true.tile.token == self.read.tile.token

    @property
    def right(self) -> bool:
        """Whether all of the tile is right."""
        return self.terrain_right and self.token_right

    @property
    def flagged(self) -> bool:
        """Whether the reader asks for a review of the tile."""
        return self.read is not None and self.read.needs_review

    @property
    def faults(self) -> tuple[str, ...]:
        """Which of `FAULTS` the tile has; both terrain and token may be wrong."""
        if self.read is None:
            return ("not detected",)
        if self.true is None:
            return ("extra",)
        if not self.on_grid:
            return ("off the grid",)
        wrong = () if self.terrain_right else ("terrain",)
        return wrong if self.token_right else (*wrong, "token")


@dataclass(frozen=True)
class Counts:
    """How good a reading is, in tiles (`perfect` and `pinecones`: in photos).

    tiles: in the truth. found: of those, paired with a read tile within half a tile. extra: read tiles that
    pair with none. grid: paired tiles on the right place of the grid. terrain, token: of those, tiles with
    all six edges, with the token right. right: tiles with all of that. perfect: 1 where every tile is right
    and none is extra. flagged: read tiles marked for review. silent: wrong, missing or extra tiles that no
    flag points at; a missing tile always counts. pinecones: 1 where the number of loose nature tokens is
    right, None where the truth does not state it.
    """

    tiles: int = 0
    found: int = 0
    extra: int = 0
    grid: int = 0
    terrain: int = 0
    token: int = 0
    right: int = 0
    perfect: int = 0
    flagged: int = 0
    silent: int = 0
    pinecones: int | None = None

    def __add__(self, other: Counts) -> Counts:
        """Counts of both; what is stated in one of them only is taken from there."""
        pairs = ((getattr(self, f.name), getattr(other, f.name)) for f in fields(Counts))
        return Counts(*(b if a is None else a if b is None else a + b for a, b in pairs))


@dataclass(frozen=True)
class Comparison:
    """Counts of a photo; its matches: first the truth's tiles in their order, then the extra ones."""

    counts: Counts
    matches: tuple[Match, ...]

    def faults(self) -> Counter[str]:
        """Number of tiles with each of `FAULTS`."""
        return Counter(fault for match in self.matches for fault in match.faults)


def compare(truth: Layout, read: Layout) -> Comparison:
    """Compare a reading with the truth. Raises ValueError where a tile has no centre."""
    true_centers, read_centers = _centers(truth, "truth"), _centers(read, "reading")
    pairs = _pairs(true_centers, read_centers, tile_width(truth) / 2)
    turns, dq, dr = _alignment([(truth.tiles[i], read.tiles[j]) for i, j in pairs])
    partner = dict(pairs)
    matches = []
    for i, true in enumerate(truth.tiles):
        if i not in partner:
            matches.append(Match(true, None, turns))
            continue
        seen = read.tiles[partner[i]]
        q, r = turn(seen.tile.cell, turns)
        matches.append(Match(true, seen, turns, (q + dq, r + dr) == true.tile.cell))
    paired = set(partner.values())
    matches += [Match(None, seen, turns) for j, seen in enumerate(read.tiles) if j not in paired]
    return Comparison(_counts(truth, read, matches), tuple(matches))


def tile_width(layout: Layout) -> float:
    """Median distance between the centres of touching tiles, photo px; 1 where no two touch."""
    at = {placed.tile.cell: np.array(placed.center, float) for placed in layout.tiles}
    gaps = [
        float(np.linalg.norm(at[beside] - center))
        for cell, center in at.items()
        for beside in (neighbor(cell, i) for i in range(3))
        if beside in at
    ]
    return float(np.median(gaps)) if gaps else 1.0


def most_like(truth: Layout, readings: Sequence[Layout]) -> Layout | None:
    """Of the environments read in one photo the one that lies where the truth's lies; None without any."""
    if not readings:
        return None
    centers, limit = _centers(truth, "truth"), tile_width(truth) / 2
    return max(readings, key=lambda one: len(_pairs(centers, _centers(one, "reading"), limit)))


def _centers(layout: Layout, which: str) -> Floats:
    """Centres (N, 2), photo px."""
    for placed in layout.tiles:
        if placed.center is None:
            raise ValueError(f"the {which}'s tile at {placed.tile.cell} has no centre to be found by")
    return np.array([placed.center for placed in layout.tiles], float).reshape(-1, 2)


def _pairs(true: Floats, read: Floats, limit: float) -> list[tuple[int, int]]:
    """Indices of centres (N, 2) and (M, 2) that belong together: nearer than `limit`, least in sum."""
    gap = np.linalg.norm(true[:, None] - read[None], axis=2)
    rows, columns = linear_sum_assignment(np.where(gap < limit, gap, _FAR))
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if gap[i, j] < limit]


def _alignment(pairs: Sequence[tuple[LayoutTile, LayoutTile]]) -> tuple[int, int, int]:
    """Turns of the reading's grid and shift (q, r) after them that put most tiles on the truth's cells."""
    votes: Counter[tuple[int, int, int]] = Counter()
    for true, seen in pairs:
        for turns in range(6):
            q, r = turn(seen.tile.cell, turns)
            votes[turns, true.tile.cell[0] - q, true.tile.cell[1] - r] += 1
    return max(votes, key=votes.__getitem__) if votes else (0, 0, 0)


def _counts(truth: Layout, read: Layout, matches: Sequence[Match]) -> Counts:
    right = sum(match.right for match in matches)
    pinecones = None if truth.nature_tokens is None else int(truth.nature_tokens == read.nature_tokens)
    return Counts(
        tiles=len(truth.tiles),
        found=sum(match.true is not None and match.read is not None for match in matches),
        extra=sum(match.true is None for match in matches),
        grid=sum(match.on_grid for match in matches),
        terrain=sum(match.terrain_right for match in matches),
        token=sum(match.token_right for match in matches),
        right=right,
        perfect=int(right == len(truth.tiles) == len(read.tiles)),
        flagged=sum(placed.needs_review for placed in read.tiles),
        silent=sum(not match.right and not match.flagged for match in matches),
        pinecones=pinecones,
    )
