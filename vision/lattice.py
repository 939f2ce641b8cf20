"""Tile centres to axial coordinates: the grid behind a photographed environment.

A photographed environment is a hexagonal lattice seen under perspective, with every tile a little out of
place. The lattice is grown tile by tile from the place where it is clearest. Each next cell is predicted from
the tiles already placed around it by a homography fitted to them alone, weighted by nearness and pulled
towards the one homography of the whole environment. So rows that drift apart by half a tile over the board do
no harm, as no step is longer than one tile, or two over a tile that was not detected.

A tile is missed rather than misplaced: a detection that fits no cell is rejected with the reason in words.

Frames. *Photo*: pixels, x right, y down. *Plane*: the ideal lattice of `vision.plane`, unit pitch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.hexgrid import DIRECTIONS, Cell, components, neighbors
from vision.plane import STEPS, cell_points, corners, directions, rotation

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_TO_AXIAL: Floats = np.linalg.inv(STEPS).astype(np.float64)

# Lengths below are in pitches, measured in the plane.
_FIT = 0.32  # farthest a tile may lie from where its neighbours put it
_FIT_PART = 0.42  # the same for a tile with others behind it, if these fit with it
_FIT_ACROSS = 0.22  # the same over a missing tile, where only chance would speak for a farther one
_PART_SHIFT = 0.2  # farthest that a part beyond a missing tile may lie, in the mean, from its cells
_PART_SWING = np.radians(7)  # and farthest that it may be turned
_STRAY = 0.42  # a placed tile farther than this from where all its neighbours put it is dropped again
_LINK = 0.5  # largest disagreement of two touching tiles about their step
_OVERLAP = 0.72  # two tiles cannot lie nearer than this to one another
_REACH = 1.5  # how far a placed tile speaks for a cell: standard deviation of the weight

# Least ratio of short to long axis of the ring of neighbours. At 50 degrees of tilt a phone's lens sees the
# far side of the table at 60 degrees and more.
_FLATTEST = 0.42

# So few tiles hold little against a wrong lattice, and too little of the photo to be seen so flat.
_FEW, _FLATTEST_FEW = 6, 0.55

# Largest logarithm of a frame's mean pitch over the pitch told for the place; less for the whole lattice.
# A pair or a straight row shows its pitch in one direction only, which may be the foreshortened one.
_STRETCH = np.log(1.35)
_MEAN_STRETCH = np.log(1.28)
_ROW_STRETCH = np.log(1.5)

# Beside another environment, fewer tiles than a starter's three are loose ones.
_LEAST_BESIDE = 3
_PAIR = -1.0  # handicap of a frame guessed from one neighbour
_ON_A_TILE = "overlaps a tile of the environment"
_APART = "stands apart from the environment"


@dataclass(frozen=True, eq=False)
class Lattice:
    """One environment's grid.

    Attributes:
        cells: (M, 2) axial coordinates, each cell once. Direction 0 is the one nearest to the photo's +x.
        members: (M,) index of the detection on each cell.
        points: (M, 2) photo, the centres of these detections.
        homography: (3, 3) plane to photo, the best for all tiles together.
        residuals: (M,) pitches, distance of each tile from where the tiles around it put it.
    """

    cells: Ints
    members: Ints
    points: Floats
    homography: Floats
    residuals: Floats


@dataclass(frozen=True)
class Rejected:
    """A detection that stands on no cell, and why, in words."""

    index: int
    reason: str

    @property
    def overlaps(self) -> bool:
        """Whether it lies so near to a tile of an environment that no other tile can lie there."""
        return self.reason.startswith(_ON_A_TILE)


class _Grown(NamedTuple):
    """A lattice on its way: the detection on each cell, and the plane-to-photo homography so far."""

    placed: dict[Cell, int]
    homography: Floats


def fit_lattices(
    centers: ArrayLike, scores: ArrayLike, pitches: ArrayLike
) -> tuple[tuple[Lattice, ...], tuple[Rejected, ...]]:
    """Find the environments among detected tiles.

    Args:
        centers: (N, 2) photo, detected tile centres, some of them false.
        scores: (N,) trust in each detection, 0 to 1; decides between two detections of one tile.
        pitches: (N,) px, distance between touching tiles near each detection, right to about a fifth.

    Returns:
        The environments of two tiles and more, largest first, and every detection that is on none of them.

    Raises:
        ValueError: the arrays do not fit together or hold values that are not finite.
    """
    points = np.asarray(centers, dtype=np.float64).reshape(-1, 2)
    trust = np.asarray(scores, dtype=np.float64).reshape(-1)
    pitch = np.asarray(pitches, dtype=np.float64).reshape(-1)
    if not len(points) == len(trust) == len(pitch):
        raise ValueError(f"{len(points)} centres, {len(trust)} scores and {len(pitch)} pitches do not match")
    if not (np.isfinite(points).all() and np.isfinite(trust).all() and np.isfinite(pitch).all()):
        raise ValueError("centres, scores and pitches must be finite numbers")
    if (pitch <= 0).any():
        raise ValueError("pitches must be positive")

    pool, reasons = _without_duplicates(points, trust, pitch)
    lattices: list[Lattice] = []
    while (grown := _best_lattice(points, pitch, pool)) is not None:
        lattice = _finished(grown, points)
        pool = np.setdiff1d(pool, lattice.members)
        if lattices and len(lattice.cells) < _LEAST_BESIDE:
            reasons |= {int(i): "loose: touches no more than one other tile" for i in lattice.members}
            continue
        lattices.append(lattice)
        verdicts = _verdicts(lattice, points, pool)
        reasons |= {i: reason for i, reason in verdicts.items() if reasons.get(i, _APART) == _APART}
        # What overlaps a tile of this environment cannot be a tile of another one.
        pool = np.array([i for i in pool if not verdicts[int(i)].startswith(_ON_A_TILE)], dtype=np.int64)
    used = {int(i) for lattice in lattices for i in lattice.members}
    rejected = tuple(Rejected(i, reasons.get(i, _APART)) for i in range(len(points)) if i not in used)
    return tuple(sorted(lattices, key=lambda found: -len(found.cells))), rejected


def lattice_points(lattice: Lattice, cells: Iterable[Cell] | ArrayLike) -> Floats:
    """Centres of cells in the photo, (K, 2) px.

    A cell with a tile lies where its tile was detected; any other where the tiles around it put it, far from
    all tiles where the homography puts it.
    """
    wanted = _cell_array(cells)
    located = _local_maps(lattice, wanted)[:, :2, 2]
    where = {cell: k for k, cell in enumerate(_cell_list(lattice.cells))}
    for k, cell in enumerate(_cell_list(wanted)):
        if cell in where:
            located[k] = lattice.points[where[cell]]
    return located


def tile_corners(lattice: Lattice, cells: Iterable[Cell] | ArrayLike) -> Floats:
    """Corners of cells in the photo, (K, 6, 2) px; corner i lies between edges i-1 and i.

    They follow the tile's own displacement. Half the gap to the next tile belongs to the cell.
    """
    wanted = _cell_array(cells)
    maps = _local_maps(lattice, wanted)
    shift = lattice_points(lattice, wanted) - maps[:, :2, 2]
    flat = np.concatenate([corners(), np.ones((6, 1))], axis=1) @ maps.transpose(0, 2, 1)
    outlines: Floats = flat[..., :2] / flat[..., 2:] + shift[:, None]
    return outlines


def local_frames(lattice: Lattice, cells: Iterable[Cell] | ArrayLike) -> Floats:
    """Linear map from the plane to the photo at each cell, (K, 2, 2); columns are px per unit plane step."""
    maps = _local_maps(lattice, _cell_array(cells))
    return _jacobians(maps)


# Arrays of cells


def _cell_array(cells: Iterable[Cell] | ArrayLike) -> Ints:
    listed = cells if isinstance(cells, np.ndarray) else list(cells)  # type: ignore[arg-type]
    return np.asarray(listed, dtype=np.int64).reshape(-1, 2)


def _cell_list(cells: Ints) -> list[Cell]:
    return [(int(q), int(r)) for q, r in cells]


def _nearest_cells(plane: Floats) -> Ints:
    """Axial coordinates of the cell in which each plane point lies, by cube rounding; (..., 2)."""
    axial = plane @ _TO_AXIAL
    cube = np.concatenate([axial, -axial.sum(axis=-1, keepdims=True)], axis=-1)
    rounded = np.round(cube)
    error = np.abs(rounded - cube)
    worst = error.argmax(axis=-1)
    total = rounded.sum(axis=-1)
    for axis in (0, 1):
        rounded[..., axis] -= np.where(worst == axis, total, 0)
    return rounded[..., :2].astype(np.int64)


_RING_1: Ints = np.array(DIRECTIONS, dtype=np.int64)
_RING_2: Ints = np.array(
    sorted({(a + c, b + d) for a, b in DIRECTIONS for c, d in DIRECTIONS} - {(0, 0)} - set(DIRECTIONS)),
    dtype=np.int64,
)


# Homographies fitted to tiles


def _project(homography: Floats, plane: Floats) -> Floats:
    mapped = np.concatenate([plane, np.ones((len(plane), 1))], axis=1) @ homography.T
    return mapped[:, :2] / mapped[:, 2:]


def _jacobians(maps: Floats) -> Floats:
    """Derivatives at the origin of homographies normed to ``[2, 2] == 1``, (K, 2, 2)."""
    return maps[:, :2, :2] - maps[:, :2, 2:] * maps[:, 2:, :2]


def _centred(homography: Floats, targets: Floats) -> Floats:
    """The homography as seen from each target: (K, 3, 3), plane offset from the target to photo."""
    maps = np.repeat(homography[None], len(targets), axis=0)
    maps[:, :, 2] = np.concatenate([targets, np.ones((len(targets), 1))], axis=1) @ homography.T
    return maps / maps[:, 2:, 2:]


def _fitted(
    prior: Floats, offsets: Floats, points: Floats, weights: Floats, spread: tuple[float, float]
) -> Floats:
    """Homographies nearest to their priors that carry offsets to points: linear least squares with a prior.

    Args:
        prior: (K, 3, 3) plane offset to photo, normed to ``[2, 2] == 1``.
        offsets: (K, M, 2) plane, cells as seen from each target.
        points: (M, 2) photo, the tiles on them.
        weights: (K, M) inverse variances, in 1/pitch^2.
        spread: standard deviation of the linear part (per pitch) and of the perspective part (per pitch)
            around the prior. The place is free.
    """
    count = len(prior)
    frames = _jacobians(prior)
    scale = np.sqrt(np.abs(np.linalg.det(frames)))[:, None]
    local = (points[None] - prior[:, None, :2, 2]) / scale[..., None]
    # Unknowns: two rows of the linear part with the place, then the perspective part, as departures from
    # the prior. x (1 + g.d) = a.d + c is linear in them.
    before = np.zeros((count, 8))
    before[:, 0:2] = frames[:, 0] / scale
    before[:, 3:5] = frames[:, 1] / scale
    before[:, 6:8] = prior[:, 2, :2]
    by_axis = np.zeros((count, 2, len(points), 8))
    for axis in (0, 1):
        by_axis[:, axis, :, 3 * axis : 3 * axis + 2] = offsets
        by_axis[:, axis, :, 3 * axis + 2] = 1.0
        by_axis[:, axis, :, 6:8] = -local[..., axis : axis + 1] * offsets
    rows = by_axis.reshape(count, -1, 8)
    sides = local.transpose(0, 2, 1).reshape(count, -1)
    misfit = sides - np.einsum("kmi,ki->km", rows, before)
    weighted = rows * np.concatenate([weights, weights], axis=1)[..., None]
    linear, perspective = spread
    hold = np.array([linear**-2, linear**-2, 1e-6] * 2 + [perspective**-2] * 2)
    normal = weighted.transpose(0, 2, 1) @ rows + np.diag(hold)
    found = before + np.linalg.solve(normal, np.einsum("kmi,km->ki", weighted, misfit)[..., None])[..., 0]
    fitted = np.ones((count, 3, 3))
    perspective_part = found[:, 6:8]
    for axis in (0, 1):
        shift = prior[:, axis, 2]
        fitted[:, axis, :2] = found[:, 3 * axis : 3 * axis + 2] * scale + shift[:, None] * perspective_part
        fitted[:, axis, 2] = found[:, 3 * axis + 2] * scale[:, 0] + shift
    fitted[:, 2, :2] = perspective_part
    return fitted


_NOISE = 0.07  # standard deviation of a tile about its place among its neighbours


def _predicted(homography: Floats, targets: Floats, plane: Floats, points: Floats, own: bool) -> Floats:
    """Homography about each target from the tiles near it, (K, 3, 3); with ``own`` false, a tile on the
    target itself has no say."""
    offsets = plane[None] - targets[:, None]
    squared = (offsets**2).sum(axis=-1)
    weights = np.exp(-0.5 * squared / _REACH**2) / _NOISE**2
    if not own:
        weights[squared < 1e-6] = 0.0
    return _fitted(_centred(homography, targets), offsets, points, weights, (0.12, 0.03))


def _global_fit(homography: Floats, plane: Floats, points: Floats) -> Floats:
    """The homography of all tiles together, robust against some that are out of place.

    Iteratively reweighted (Cauchy weights). What the tiles do not determine (all but one direction of a
    straight row) stays as it was in ``homography``.
    """
    centre = plane.mean(axis=0)
    offsets = (plane - centre)[None]
    current = _centred(homography, centre[None])
    for _ in range(4):
        depth = 1.0 + offsets[0] @ current[0, 2, :2]
        scale = np.sqrt(abs(np.linalg.det(_jacobians(current)[0]))) / np.maximum(depth, 0.2)
        misfit = np.hypot(*(points - _project(current[0], offsets[0])).T) / scale
        # The equation is multiplied through by the depth: divide it out again.
        weights = 1.0 / (1.0 + (misfit / 0.15) ** 2) / np.maximum(depth, 0.2) ** 2 / 0.1**2
        current = _fitted(current, offsets, points, weights[None], (0.5, 0.1))
    back = np.eye(3)
    back[:2, 2] = -centre
    fitted: Floats = current[0] @ back
    return fitted


def _local_maps(lattice: Lattice, cells: Ints) -> Floats:
    """Plane offset from each cell to photo, (K, 3, 3), as the tiles around put it."""
    return _predicted(
        lattice.homography, cell_points(cells), cell_points(lattice.cells), lattice.points, own=True
    )


# Seeds: where to begin


def _without_duplicates(points: Floats, trust: Floats, pitch: Floats) -> tuple[Ints, dict[int, str]]:
    """Indices of detections that are the best of their place, and the reason for the others."""
    kept: list[int] = []
    reasons: dict[int, str] = {}
    for i in np.argsort(-trust, kind="stable"):
        near = [k for k in kept if np.hypot(*(points[k] - points[i])) < 0.3 * min(pitch[k], pitch[i])]
        if near:
            reasons[int(i)] = "a second detection of one tile"
        else:
            kept.append(int(i))
    return np.array(sorted(kept), dtype=np.int64), reasons


class _Seed(NamedTuple):
    start: int
    frame: Floats
    merit: float


def _seeds(points: Floats, pitch: Floats) -> list[_Seed]:
    """Places and frames to grow from, most promising first, each of another kind.

    A frame is guessed from each detection and two near ones, taken as neighbours in directions 0 and 1 or 0
    and 2, or from one near one alone (which says nothing of the tilt); its merit is how well the detections
    around lie on the cells of the two rings round the place.
    """
    apart = points[None] - points[:, None]
    distance = np.hypot(apart[..., 0], apart[..., 1])
    np.fill_diagonal(distance, np.inf)
    reference = np.sqrt(pitch[:, None] * pitch[None])
    near = min(8, len(points) - 1)
    order = np.argsort(distance, axis=1, kind="stable")[:, :near]
    chosen: list[tuple[Ints, Floats, float]] = []  # places, frames, handicap
    wedges = {wedge: directions()[[0, wedge]].T for wedge in (1, 2)}
    first, a, b = np.meshgrid(np.arange(len(points)), np.arange(near), np.arange(near), indexing="ij")
    close = distance < 1.9 * reference
    j, k = order[first, a], order[first, b]
    usable = (a != b) & close[first, j] & close[first, k]
    middle = first[usable]
    arms = np.stack([apart[middle, j[usable]], apart[middle, k[usable]]], axis=-1)
    for wedge, basis in wedges.items():
        chosen.append((middle, arms @ np.linalg.inv(basis), -0.1 * wedge))
    alone, arm = np.nonzero(close[np.arange(len(points))[:, None], order])
    step = apart[alone, order[alone, arm]]
    turned = np.stack([-step[:, 1], step[:, 0]], axis=-1)
    chosen.append((alone, np.stack([step, turned], axis=-1), _PAIR))

    index = np.concatenate([c[0] for c in chosen])
    frame = np.concatenate([c[1] for c in chosen])
    merit = np.concatenate([np.full(len(c[0]), c[2]) for c in chosen])
    size, ratio = _size_and_ratio(frame)
    stretch = np.log(np.maximum(size, 1e-9) / pitch[index])
    limit = np.where(merit > _PAIR, _STRETCH, _ROW_STRETCH)
    good = (size > 0) & (ratio > _FLATTEST) & (np.abs(stretch) < limit)
    index, frame, merit, stretch, ratio = index[good], frame[good], merit[good], stretch[good], ratio[good]
    if not len(index):
        return []
    plane = np.einsum("hij,hnj->hni", np.linalg.inv(frame), points[None] - points[index][:, None])
    cells = _nearest_cells(plane)
    misfit = np.linalg.norm(plane - cell_points(cells), axis=-1)
    ring = np.abs(np.concatenate([cells, cells.sum(axis=-1, keepdims=True)], axis=-1)).max(axis=-1)
    fits = np.clip(1 - (misfit / 0.25) ** 2, -0.5, None)
    merit = merit + np.where(ring == 1, fits, 0).sum(axis=1) + 0.4 * np.where(ring == 2, fits, 0).sum(axis=1)
    # Two detections inside one cell speak against the frame.
    merit -= ((ring == 0).sum(axis=1) - 1) * 1.0
    merit += 2.0 * np.log(ratio) - 4.0 * stretch**2
    frame = _refined(frame, plane, cells, misfit < 0.3, ring == 1)
    seeds: list[_Seed] = []
    # A few tiles are quickly tried from every side, and need it: few of them have many neighbours.
    few = len(points) <= 20
    for h in np.argsort(-merit, kind="stable"):
        rivals = [seed for seed in seeds if not few or seed.start == index[h]]
        if not any(_same_kind(frame[h], seed.frame) for seed in rivals):
            seeds.append(_Seed(int(index[h]), frame[h], float(merit[h])))
        if len(seeds) == (16 if few else 5):
            break
    return seeds


def _refined(
    frames: Floats, plane: Floats, cells: Ints, fits: NDArray[np.bool_], ring: NDArray[np.bool_]
) -> Floats:
    """Frames fitted to all the detections that lie on the ring round the place, (H, 2, 2).

    Each hit says that the plane point ``plane`` should have been ``cells``. A little of the first guess is
    kept, for rings that do not determine a frame.
    """
    weights = (fits & ring).astype(float)
    meant = cell_points(cells)
    normal = np.einsum("hn,hni,hnj->hij", weights, meant, meant) + 0.2 * np.eye(2)
    mixed = np.einsum("hn,hni,hnj->hij", weights, plane, meant) + 0.2 * np.eye(2)
    refined: Floats = frames @ mixed @ np.linalg.inv(normal)
    return refined


def _size_and_ratio(frames: Floats) -> tuple[Floats, Floats]:
    """Mean pitch in px (0 for a mirrored frame) and ratio of the short to the long axis, each (K,)."""
    determinant = np.linalg.det(frames)
    squares = (frames**2).sum(axis=(-2, -1))
    # Singular values s >= t: s^2 + t^2 = squares, s t = determinant.
    root = np.sqrt(np.maximum(squares**2 - 4 * determinant**2, 0))
    ratio = np.sqrt(np.maximum(squares - root, 0) / np.maximum(squares + root, 1e-30))
    return np.sqrt(np.maximum(determinant, 0)), ratio


def _same_kind(one: Floats, other: Floats) -> bool:
    """Whether two frames make nearly the same lattice: one takes the six directions to the other's."""
    steps = np.linalg.solve(one, other) @ cell_points(_RING_1).T
    nearest = cell_points(_nearest_cells(steps.T)).T
    return bool((np.hypot(*(steps - nearest)) < 0.25).all() and (np.hypot(*nearest) < 1.1).all())


# Growing


def _best_lattice(points: Floats, pitch: Floats, pool: Ints) -> _Grown | None:
    """The lattice that explains most detections of the pool, or None if no two of them touch."""
    if len(pool) < 2:
        return None
    subset = points[pool]
    best: _Grown | None = None
    best_value = 0.0
    for seed in _seeds(subset, pitch[pool]):
        grown = _checked(_grow(subset, seed), subset)
        if len(grown.placed) < 2 or not _plausible(grown, subset, pitch[pool]):
            continue
        value = _value(grown, subset)
        if best is None or value > best_value:
            best, best_value = grown, value
        if value > 0.8 * len(pool):
            break  # nearly all detections, seen from nearly above: a sheared lattice cannot be worth more
    if best is None:
        return None
    return best._replace(placed={cell: int(pool[i]) for cell, i in best.placed.items()})


def _plausible(grown: _Grown, points: Floats, pitch: Floats) -> bool:
    """Whether the lattice's pitch is in the mean the one told for its detections.

    Tiles that touch the same missing ones would else make a lattice of their own with a wider pitch.
    """
    cells, _ = _placed_arrays(grown, points)
    size, ratio = _size_and_ratio(_jacobians(_centred(grown.homography, cell_points(cells))))
    told = pitch[list(grown.placed.values())]
    limit = _ROW_STRETCH if np.linalg.matrix_rank(cells - cells[0]) < 2 else _MEAN_STRETCH
    if not (size > 0).all() or abs(np.log(size / told).mean()) > limit:
        return False
    return len(cells) > _FEW or bool(ratio.mean() > _FLATTEST_FEW)


def _value(grown: _Grown, points: Floats) -> float:
    """Worth of a lattice: its tiles, less for those out of place, for detections left among them and for a
    steep view.

    Lattices that differ by a shear hold the same points; only the steepness of the view tells them apart.
    """
    cells, placed = _placed_arrays(grown, points)
    misfit = _residuals(grown.homography, cells, placed)
    _, ratio = _size_and_ratio(_jacobians(_centred(grown.homography, cell_points(cells))))
    worth = (1 - (misfit / 0.35) ** 2 + 0.8 * np.log(np.maximum(ratio, 0.05))).sum()
    free = np.setdiff1d(np.arange(len(points)), list(grown.placed.values()))
    inverse = np.linalg.inv(_jacobians(_centred(grown.homography, cell_points(cells))))
    away = np.linalg.norm(np.einsum("kij,kfj->kfi", inverse, points[free][None] - placed[:, None]), axis=-1)
    # A detection inside a placed tile: one that the lattice should have held, and skipped.
    left_out = 0.4 * (away < 1.3).any(axis=0) + 0.8 * (away < _OVERLAP).any(axis=0)
    return float(worth - left_out.sum())


def _placed_arrays(grown: _Grown, points: Floats) -> tuple[Ints, Floats]:
    return _cell_array(list(grown.placed)), points[list(grown.placed.values())]


def _residuals(homography: Floats, cells: Ints, points: Floats) -> Floats:
    """Distance in pitches of each tile from where the others around put it, (M,)."""
    plane = cell_points(cells)
    maps = _predicted(homography, plane, plane, points, own=False)
    return _misfits(maps, points)


def _misfits(maps: Floats, points: Floats) -> Floats:
    """Distance in pitches, in the plane, of each point from the origin of its map, (K,)."""
    offset = np.linalg.solve(_jacobians(maps), (points - maps[:, :2, 2])[..., None])[..., 0]
    away: Floats = np.hypot(offset[:, 0], offset[:, 1])
    return away


def _grow(points: Floats, seed: _Seed) -> _Grown:
    """Place detections on cells, the surest first, until none fits any more."""
    homography = np.eye(3)
    homography[:2, :2] = seed.frame
    homography[:2, 2] = points[seed.start]
    grown = _spread(_Grown({(0, 0): seed.start}, homography), points)
    # More of the environment may hang on by a tile that lies badly, or lie over one that was not detected.
    # But what lies there may be another environment, so such a part is judged as a whole.
    barred: set[int] = set()
    while True:
        leap = _sure_steps(grown, points, _RING_1, _FIT_PART, barred)
        leap = leap or _sure_steps(grown, points, _RING_2, _FIT_ACROSS, barred)
        if not leap:
            return grown
        cell, index = next(iter(leap.items()))
        wider = _spread(grown._replace(placed=grown.placed | {cell: index}), points)
        beyond = frozenset(wider.placed) - set(grown.placed)
        if _belongs(wider, points, set(grown.placed), beyond):
            grown = wider
        else:
            barred |= {wider.placed[cell] for cell in beyond}


def _spread(grown: _Grown, points: Floats) -> _Grown:
    """Place detections on cells beside placed ones until none fits."""
    placed, homography = dict(grown.placed), grown.homography
    refit_at = len(placed) + 2
    while added := _sure_steps(_Grown(placed, homography), points, _RING_1, _FIT, set()):
        placed |= added
        if len(placed) >= refit_at:
            homography = _refitted(_Grown(placed, homography), points)
            refit_at = len(placed) + max(1, len(placed) // 4)
    return _Grown(placed, homography)


def _refitted(grown: _Grown, points: Floats) -> Floats:
    cells, spots = _placed_arrays(grown, points)
    return _global_fit(grown.homography, cell_points(cells), spots)


def _sure_steps(
    grown: _Grown, points: Floats, steps: Ints, limit: float, barred: set[int]
) -> dict[Cell, int]:
    """Free detections that fit free cells, the surest first and only those about as sure as it."""
    free = np.setdiff1d(np.arange(len(points)), list(grown.placed.values()) + list(barred))
    cells, placed = _placed_arrays(grown, points)
    around = list(dict.fromkeys(_cell_list((cells[:, None] + steps).reshape(-1, 2))))
    frontier = [cell for cell in around if cell not in grown.placed]
    if not frontier or not len(free):
        return {}
    targets = cell_points(_cell_array(frontier))
    maps = _predicted(grown.homography, targets, cell_points(cells), placed, own=True)
    frames = _jacobians(maps)
    offset = np.einsum("kij,knj->kni", np.linalg.inv(frames), points[free][None] - maps[:, None, :2, 2])
    misfit = np.hypot(offset[..., 0], offset[..., 1])
    support = np.array([sum(n in grown.placed for n in neighbors(cell)) for cell in frontier])
    doubt = misfit.min(axis=1) + 0.12 / np.maximum(support, 0.5)
    order = [int(k) for k in np.argsort(doubt, kind="stable") if misfit[k].min() < limit]
    added: dict[Cell, int] = {}
    for k in order:
        if doubt[k] > doubt[order[0]] + 0.05:
            break
        index = int(free[misfit[k].argmin()])
        if index not in added.values():
            added[frontier[k]] = index
    return added


# Checking


def _checked(grown: _Grown, points: Floats) -> _Grown:
    """The lattice without tiles that contradict others, and without parts that are not surely its own."""
    placed = dict(grown.placed)
    while len(placed) > 1:
        now = grown._replace(placed=placed)
        cells, spots = _placed_arrays(now, points)
        misfit = _residuals(grown.homography, cells, spots)
        quarrels = _quarrels(grown.homography, cells, spots)
        fault = quarrels.sum(axis=1) + np.where(misfit > _STRAY, misfit, 0.0)
        if fault.max() == 0:
            break
        # Of two that contradict one another, the one that fits its other neighbours worse goes.
        worst = int(np.lexsort((misfit, fault))[-1])
        del placed[_cell_list(cells)[worst]]
    kept = _own_parts(grown._replace(placed=placed), points)
    if len(kept) == len(grown.placed) or len(kept) < 2:
        return grown._replace(placed=kept)
    return _Grown(kept, _refitted(grown._replace(placed=kept), points))


def _quarrels(homography: Floats, cells: Ints, points: Floats) -> NDArray[np.bool_]:
    """Pairs of near tiles whose step in the photo is not the step of their cells, (M, M).

    Such pairs show where a loop of tiles does not close: both ends were placed, but not as neighbours.
    """
    plane = cell_points(cells)
    maps = _predicted(homography, plane, plane, points, own=True)
    inverse = np.linalg.inv(_jacobians(maps))
    seen = np.einsum("kij,kmj->kmi", inverse, points[None] - points[:, None])
    meant = plane[None] - plane[:, None]
    near = (np.linalg.norm(meant, axis=-1) < 1.1) | (np.linalg.norm(seen, axis=-1) < 1.3)
    wrong = near & (np.linalg.norm(seen - meant, axis=-1) > _LINK)
    np.fill_diagonal(wrong, False)
    both: NDArray[np.bool_] = wrong | wrong.T
    return both


def _own_parts(grown: _Grown, points: Floats) -> dict[Cell, int]:
    """The largest connected part with those parts over a missing tile that belong to it."""
    parts = sorted(components(grown.placed), key=lambda part: (-len(part), min(part)))
    if len(parts) < 2:
        return dict(grown.placed)
    own = set(parts[0])
    waiting = parts[1:]
    while waiting:
        joined = None
        for part in waiting:
            if _beside(part) & _beside(own) and _belongs(grown, points, own, part):
                joined = part
                break
        if joined is None:
            break
        own |= joined
        waiting.remove(joined)
    return {cell: index for cell, index in grown.placed.items() if cell in own}


def _beside(cells: Iterable[Cell]) -> set[Cell]:
    """The cells that touch one of the cells."""
    return {n for cell in cells for n in neighbors(cell)}


def _belongs(grown: _Grown, points: Floats, own: set[Cell], part: frozenset[Cell]) -> bool:
    """Whether a part beyond a missing tile surely continues the lattice of the cells in ``own``.

    A single tile never does: a loose tile beside an environment lies on one of its cells too often. A larger
    part may lie and be turned about as much out of place as the tiles of the environment themselves do, and
    no detection beside it may be off the lattice, which would show that its tiles are another environment's
    that happen to lie on cells of this one.
    """
    if len(part) < 2 or len(own) < 2:
        return False
    free = np.setdiff1d(np.arange(len(points)), [grown.placed[cell] for cell in own | part])
    base, members = _cell_array(sorted(own)), _cell_array(sorted(part))
    spots = points[[grown.placed[cell] for cell in sorted(own)]]
    here = points[[grown.placed[cell] for cell in sorted(part)]]
    plane = cell_points(members)
    maps = _predicted(grown.homography, plane, cell_points(base), spots, own=True)
    inverse = np.linalg.inv(_jacobians(maps))
    misfit = np.einsum("kij,kj->ki", inverse, here - maps[:, :2, 2])
    gap = np.hypot(*(plane[:, None] - cell_points(base)[None]).transpose(2, 0, 1)).min(axis=1)
    own_misfit = _residuals(grown.homography, base, spots)
    usual = float(np.sqrt((own_misfit**2).mean()))
    touches = gap.min() < 1.1
    limit = _FIT if touches else min(max(2 * usual, 0.08), _PART_SHIFT)
    if np.hypot(*misfit[gap < (1.1 if touches else 2.1)].T).mean() > limit:
        return False
    arm = plane - plane.mean(axis=0)
    swing = (arm[:, 0] * misfit[:, 1] - arm[:, 1] * misfit[:, 0]).sum() / (arm**2).sum()
    if abs(swing) > min(0.05 + usual, _PART_SWING):
        return False
    beside = np.linalg.norm(np.einsum("kij,kfj->kfi", inverse, points[free][None] - here[:, None]), axis=-1)
    return int((beside < 1.4).any(axis=0).sum()) <= len(part) // 4


def _finished(grown: _Grown, points: Floats) -> Lattice:
    """The lattice turned so that direction 0 points to the photo's right, cell (0, 0) in its middle."""
    cells, placed = _placed_arrays(grown, points)
    middle = placed.mean(axis=0)
    home = cells[np.hypot(*(placed - middle).T).argmin()]
    frame = _jacobians(_centred(grown.homography, cell_points(home[None])))[0]
    angles = np.arctan2(*(frame @ cell_points(_RING_1).T)[::-1])
    first = int(np.abs(angles).argmin())
    # Old direction `first` becomes direction 0: turn the plane back by as many sixths.
    turn = rotation(-first)
    turned = _nearest_cells(cell_points(cells - home) @ turn.T)
    back = np.eye(3)
    back[:2, :2] = turn.T
    back[:2, 2] = cell_points(home[None])[0]
    homography = grown.homography @ back
    homography = homography / homography[2, 2]
    order = np.lexsort((turned[:, 0], turned[:, 1]))
    turned, placed = turned[order], placed[order]
    members = np.array(list(grown.placed.values()), dtype=np.int64)[order]
    return Lattice(turned, members, placed, homography, _residuals(homography, turned, placed))


def _verdicts(lattice: Lattice, points: Floats, left: Ints) -> dict[int, str]:
    """Why each leftover detection is not on the lattice."""
    if not len(left):
        return {}
    taken = set(_cell_list(lattice.cells))
    distance = np.hypot(*(points[left][:, None] - lattice.points[None]).transpose(2, 0, 1))
    nearest = lattice.cells[distance.argmin(axis=1)]
    maps = _local_maps(lattice, nearest)
    offset = np.linalg.solve(_jacobians(maps), (points[left] - maps[:, :2, 2])[..., None])[..., 0]
    verdicts: dict[int, str] = {}
    for index, base, step in zip(left, nearest, offset, strict=True):
        away = float(np.hypot(*step))
        cell = _nearest_cells(step[None])[0]
        misfit = float(np.hypot(*(step - cell_points(cell[None])[0])))
        if away > 1.6:
            reason = _APART
        elif away < _OVERLAP:
            reason = f"{_ON_A_TILE}: {away:.2f} tile from it"
        elif (int(cell[0] + base[0]), int(cell[1] + base[1])) in taken:
            reason = f"no free cell fits: {misfit:.2f} tile from a taken one"
        else:
            reason = f"no cell fits: {misfit:.2f} tile from the nearest"
        verdicts[int(index)] = reason
    return verdicts
