"""The whole reading of a photo: the stages in order, from bytes to layouts. Holds no method of its own.

photo -> dense evidence -> tile centres -> axial grid -> rectified patches -> tile evidence -> joint decision
-> confidence -> layouts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.environment import Tile, check
from scoring.hexgrid import Cell, components, neighbors
from scoring.layout import MAX_TILES, Alternative, Layout, LayoutTile, PhotoInfo
from scoring.pieces import SPECIES, terrain_states
from vision.centers import Detections, find_centers
from vision.confidence import Calibration, Confidence, features, load_calibration, rate
from vision.decision import Decision, box_prints, decide
from vision.edges import edge_evidence
from vision.evidence import Evidence, dense_evidence
from vision.lattice import Lattice, fit_lattices, lattice_points, local_frames, tile_corners
from vision.patches import PhotoPyramid
from vision.photo import NoEnvironmentError, Photo, load_photo
from vision.pinecones import count_nature_tokens
from vision.presence import LEAST_COVER, Look, cover, settled, tile_probability
from vision.tiles import TOKENS, TileEvidence, joined, tile_evidence, with_edges

Floats = NDArray[np.float64]

STAGES = (
    "Opening the photo",
    "Looking for tiles",
    "Laying the grid",
    "Reading the tiles",
    "Weighing it all together",
)
"""What `read_photo` reports while it works, in order."""

LEAST_TILES = 5
"""Fewer connected tiles are no environment: a market, a starter tile alone, a picture on the box."""
LEAST_PITCH = 20.0
"""Smaller tiles, px of the photo from centre to centre, are not read."""
BEST_PITCH = 52.0
"""Tile pitch, px, that the dense network sees best; the photo is scaled to it."""
FIRST_SIDES = (640, 1280, 320)
"""Longer sides, px, at which the photo is first looked at until tiles are found."""
MOST_PIXELS = 1_700_000
"""Largest picture given to the dense network, px."""
LEAST_PRESENCE = 0.75
"""A detected place that is less likely a tile than this is none: of a loose token that lies just where a tile
would lie both networks are half convinced, of all but one in some thousand tiles more than 0.9."""
GREYEST = 4
"""Largest difference between the channels of a pixel, of 255, in a photo without colour."""
SMALL_TILE = 40
"""Tiles narrower than this in the photo, px, are read less surely."""
PHOTO_WARNINGS = (
    "the tiles are only",
    "the environment reaches the edge of the photo",
    "the photo is black and white",
)
"""How the warnings begin that speak of the photo: they stay true whatever is corrected in the layout."""
SURE_PRINT = 0.9
"""From this probability on the printed wildlife is reported."""
SURE_PRESENCE = 0.9
"""A place between the tiles that was not detected becomes a tile from here on."""


@dataclass(frozen=True)
class Rejection:
    """Something that looked like a tile and was left out: where (photo px) and why, in words."""

    center: tuple[float, float]
    reason: str


@dataclass(frozen=True)
class Reading:
    """Everything read from one photo.

    layouts: one for each environment, the largest first; never empty. timings: seconds for each of `STAGES`.
    rejected: detections that are in no environment, with the reason. features: for each layout what the
    confidences were judged by, `vision.confidence.features` of its tiles in order; calibration fits on them.
    """

    layouts: tuple[Layout, ...]
    timings: Mapping[str, float]
    rejected: tuple[Rejection, ...] = ()
    features: tuple[tuple[Floats, Floats], ...] = ()

    @property
    def layout(self) -> Layout:
        """The largest environment."""
        return self.layouts[0]


@dataclass(frozen=True)
class Models:
    """The networks' ONNX bytes and the calibration, as shipped in `models/`."""

    dense: bytes
    patch: bytes
    calibration: Calibration


@dataclass(frozen=True)
class _Found:
    """One environment on its way: cells (M, 2), detections' scores (M,), and what the patches say."""

    lattice: Lattice
    cells: tuple[Cell, ...]
    scores: Floats
    residuals: Floats
    centers: Floats
    frames: Floats
    evidence: TileEvidence


@cache
def shipped_models() -> Models:
    """The models of this release. Raises FileNotFoundError where the installation lacks them."""
    return load_models(files("models"))


def load_models(folder: Traversable) -> Models:
    """Models from a folder with dense.onnx, patch.onnx and calibration.json."""
    return Models(
        (folder / "dense.onnx").read_bytes(),
        (folder / "patch.onnx").read_bytes(),
        load_calibration((folder / "calibration.json").read_text(encoding="utf-8")),
    )


class Reader:
    """Reads photos with one set of networks. One reader must not be used by two threads at once."""

    def __init__(self, models: Models) -> None:
        self._dense = cv2.dnn.readNetFromONNX(np.frombuffer(models.dense, np.uint8))
        self._patch = cv2.dnn.readNetFromONNX(np.frombuffer(models.patch, np.uint8))
        self._calibration = models.calibration

    def read(self, photo: Photo, clock: Clock | None = None) -> Reading:
        """Read a loaded photo. Raises NoEnvironmentError where it shows no environment."""
        clock = clock or Clock()
        pixels = photo.pixels
        with clock.stage(STAGES[1]):
            evidence = self._evidence(pixels)
            detections = find_centers(evidence)
        with clock.stage(STAGES[2]):
            lattices, unused = fit_lattices(detections.centers, detections.scores, detections.pitches)
            rejected = [
                Rejection((float(x), float(y)), u.reason)
                for u in unused
                for x, y in [detections.centers[u.index] * photo.scale]
            ]
        with clock.stage(STAGES[3]):
            pyramid = PhotoPyramid(pixels)
            # What overlaps a tile is that tile or a neighbour seen in the wrong place, nothing beside it.
            displaced = [u.index for u in unused if u.overlaps]
            found = []
            for lattice in lattices:
                if len(lattice.cells) < LEAST_TILES - 1:
                    continue
                if np.median(detections.pitches[lattice.members]) < LEAST_PITCH:
                    # Diagrams on score cards look like this; a real board seen so small cannot be read.
                    reason = "part of something far smaller than an environment"
                    where = detections.centers[lattice.members] * photo.scale
                    rejected += [Rejection((float(x), float(y)), reason) for x, y in where]
                    continue
                parts, dropped = self._read_tiles(pyramid, evidence, lattice, detections, displaced)
                rejected += [
                    replace(d, center=(d.center[0] * photo.scale, d.center[1] * photo.scale)) for d in dropped
                ]
                found += parts
        with clock.stage(STAGES[4]):
            found.sort(key=lambda f: -len(f.cells))
            decided = [self._layout(f, photo) for f in found]
            layouts = [layout for layout, _ in decided]
            if not layouts:
                raise NoEnvironmentError(
                    f"{photo.name!r} shows no environment (at least {LEAST_TILES} tiles that touch): "
                    "take the photo from above with all tiles in it"
                )
            loose = count_nature_tokens(evidence, [f.centers for f in found], [f.frames for f in found])
            layouts = [replace(one, nature_tokens=many) for one, many in zip(layouts, loose, strict=True)]
        return Reading(
            tuple(layouts), MappingProxyType(clock.seconds), tuple(rejected), tuple(f for _, f in decided)
        )

    def _evidence(self, pixels: NDArray[np.uint8]) -> Evidence:
        """Dense evidence at the scale at which tiles have the size that the network sees best."""
        longer = max(pixels.shape[:2])
        best: tuple[float, Evidence, Detections] | None = None
        for side in FIRST_SIDES:
            scale = min(side / longer, 2.0)
            evidence = dense_evidence(self._dense, pixels, scale)
            detections = find_centers(evidence, 0.4)
            sizes = detections.pitches * scale
            weight = float((detections.scores * ((sizes > 18) & (sizes < 140))).sum())
            if best is None or weight > best[0] * 1.3:
                best = (weight, evidence, detections)
            if len(sizes) >= LEAST_TILES and 24 < np.median(sizes) < 110:
                break
        assert best is not None
        _, evidence, detections = best
        if len(detections.centers) < 3:
            return evidence
        strong = detections.scores > 0.5 * detections.scores.max()
        scale = BEST_PITCH / float(np.median(detections.pitches[strong]))
        scale = min(scale, 2.5, float(np.sqrt(MOST_PIXELS / (pixels.shape[0] * pixels.shape[1]))))
        if 0.85 < scale * evidence.step / 4 < 1.15:
            return evidence
        return dense_evidence(self._dense, pixels, scale)

    def _read_tiles(
        self,
        pyramid: PhotoPyramid,
        maps: Evidence,
        lattice: Lattice,
        detections: Detections,
        displaced: list[int],
    ) -> tuple[list[_Found], list[Rejection]]:
        """Look at each tile of a lattice and at the free places round it; drop and add accordingly.

        Parts that do not touch are environments of their own: two that lie parallel share a lattice.
        displaced: detections that are tiles of a lattice seen a second time, in the wrong place.
        """
        cells = [(int(q), int(r)) for q, r in lattice.cells]
        score = dict(zip(cells, detections.scores[lattice.members], strict=True))
        residual = dict(zip(cells, lattice.residuals, strict=True))
        centers, frames = lattice_points(lattice, cells), local_frames(lattice, cells)
        evidence = self._look(pyramid, maps, centers, frames)
        doubtful = np.flatnonzero(evidence.presence < SURE_PRESENCE)
        if len(doubtful):
            first_look = self._first_look(pyramid, maps)
            centers[doubtful] = settled(first_look, centers[doubtful], frames[doubtful])
            evidence = self._look(pyramid, maps, centers, frames)
        likely = evidence.presence >= LEAST_PRESENCE
        sure = [cell for cell, there in zip(cells, likely, strict=True) if there]
        # A tile with a cell of its own may have been seen half-way to the next: it is nothing beside that.
        beside = np.delete(detections.centers, [*displaced, *lattice.members[likely]], axis=0)
        added, at = self._undetected(pyramid, maps, lattice, sure, set(cells), beside)
        places = cells + added
        if added:
            centers = np.concatenate([centers, at])
            frames = np.concatenate([frames, local_frames(lattice, added)])
            evidence = joined(evidence, self._look(pyramid, maps, at, frames[len(cells) :]))
        kept, dropped = [], []
        for i in range(len(places)):
            if evidence.presence[i] >= (LEAST_PRESENCE if places[i] in score else SURE_PRESENCE):
                kept.append(i)
            else:
                where = (float(centers[i, 0]), float(centers[i, 1]))
                dropped.append(
                    Rejection(where, f"looks like no tile ({evidence.presence[i]:.0%} likely one)")
                )
        parts = [part for part in _connected(places, kept) if len(part) >= LEAST_TILES]
        for part in parts:
            if len(part) > MAX_TILES:  # bathroom tiles, a printed map
                reason = f"one of {len(part)} that touch, more than a layout may have"
                dropped += [Rejection((float(x), float(y)), reason) for x, y in centers[part]]
        parts = [part for part in parts if len(part) <= MAX_TILES]
        return [
            _Found(
                lattice,
                tuple(places[i] for i in part),
                np.array([score.get(places[i], 0.0) for i in part]),
                np.array([residual.get(places[i], 0.2) for i in part]),
                centers[part],
                frames[part],
                _rows(evidence, part),
            )
            for part in parts
        ], dropped

    def _look(self, pyramid: PhotoPyramid, maps: Evidence, centers: Floats, frames: Floats) -> TileEvidence:
        """All that both networks say of the places at `centers` (M, 2), photo px."""
        evidence = tile_evidence(self._patch, pyramid, centers, frames)
        evidence = with_edges(evidence, edge_evidence(maps, centers, frames))
        return replace(evidence, presence=tile_probability(evidence.presence, cover(maps, centers, frames)))

    def _first_look(self, pyramid: PhotoPyramid, maps: Evidence) -> Look:
        """How likely places are tiles at first sight: in one turn only, and by no patch where all is bare."""

        def look(centers: Floats, frames: Floats) -> Floats:
            covered = cover(maps, centers, frames)
            worth = np.flatnonzero(covered >= LEAST_COVER)
            likely = np.zeros(len(centers))
            seen = tile_evidence(self._patch, pyramid, centers[worth], frames[worth], turns=(0,))
            likely[worth] = tile_probability(seen.presence, covered[worth])
            return likely

        return look

    def _undetected(
        self,
        pyramid: PhotoPyramid,
        maps: Evidence,
        lattice: Lattice,
        tiles: list[Cell],
        seen: set[Cell],
        beside: Floats,
    ) -> tuple[list[Cell], Floats]:
        """Free cells that are surely tiles, found ring by ring round `tiles`, and their centres (N, 2), px.

        Cells in `seen` are not looked at. A place near one of `beside` (N, 2), photo px (a loose tile, a
        neighbour's environment), stays free, unless what lies there is likelier to be the place's own tile,
        detected beside its centre.
        """
        look = self._first_look(pyramid, maps)
        rivals = np.zeros(0)
        if len(beside):
            nearest = [int(np.linalg.norm(lattice.points - b, axis=1).argmin()) for b in beside]
            rivals = look(beside, local_frames(lattice, lattice.cells[nearest]))
        seen = set(seen)
        taken = set(tiles)
        added: list[Cell] = []
        at = [np.zeros((0, 2))]
        while free := sorted({n for c in taken for n in neighbors(c)} - seen):
            seen.update(free)
            centers, frames = lattice_points(lattice, free), local_frames(lattice, free)
            worth = (cover(maps, centers, frames) >= LEAST_COVER) & pyramid.shows(centers)
            free = [cell for cell, w in zip(free, worth, strict=True) if w]
            centers, frames = centers[worth], frames[worth]
            likely = look(centers, frames)
            doubtful = np.flatnonzero(likely < SURE_PRESENCE)
            if len(doubtful):
                centers[doubtful] = settled(look, centers[doubtful], frames[doubtful])
                likely[doubtful] = look(centers[doubtful], frames[doubtful])
            away = np.linalg.solve(frames[:, None], (beside[None] - centers[:, None])[..., None])[..., 0]
            near = (
                np.linalg.norm(away, axis=2) < 0.6
            )  # pitches on the table, which are short upwards in a photo
            stronger = near & (rivals[None] >= np.minimum(likely[:, None], SURE_PRESENCE))
            good = (likely >= SURE_PRESENCE) & ~stronger.any(axis=1)
            new = [cell for cell, g in zip(free, good, strict=True) if g]
            if not new:
                break
            taken.update(new)
            added += new
            at.append(centers[good])
        return added, np.concatenate(at)

    def _layout(self, found: _Found, photo: Photo) -> tuple[Layout, tuple[Floats, Floats]]:
        decision = decide(found.evidence)
        signs = features(found.evidence, decision, found.scores, found.residuals, found.frames)
        confidence = rate(self._calibration, *signs, found.evidence.presence)
        moved = found.centers - lattice_points(found.lattice, found.cells)
        corners = (tile_corners(found.lattice, found.cells) + moved[:, None]) * photo.scale
        centers = found.centers * photo.scale
        tiles = tuple(
            _layout_tile(found, decision, confidence, centers, corners, i) for i in range(len(found.cells))
        )
        info = PhotoInfo(photo.name, photo.width, photo.height)
        warnings = _warnings(tiles, corners, info)
        if is_colourless(photo.pixels):
            warnings += ("the photo is black and white: terrains are told by colour, take it in colour",)
        return Layout(tiles, None, info, warnings), signs


def _warnings(tiles: tuple[LayoutTile, ...], corners: Floats, photo: PhotoInfo) -> tuple[str, ...]:
    """What the user should know about the reading: unusual things, and how to take a better photo."""
    sentences = [problem.message for problem in check(tile.tile for tile in tiles)]
    # From a corner to the next but one it is as far as from edge to opposite edge: the tile's width.
    width = float(np.median(np.linalg.norm(corners - np.roll(corners, -2, axis=1), axis=2)))
    if width < SMALL_TILE:
        sentences.append(f"the tiles are only {width:.0f} pixels wide: go closer if tiles are misread")
    slack = 0.08 * width
    if (corners < -slack).any() or (corners > np.array([photo.width, photo.height]) + slack).any():
        sentences.append("the environment reaches the edge of the photo: tiles beyond it are missing")
    return tuple(sentences)


def is_colourless(pixels: NDArray[np.uint8]) -> bool:
    """Whether a photo, uint8 RGB (H, W, 3), has next to no colour anywhere.

    A dark photo still has some: a hundredth of the picture decides, for the table may be black or grey.
    """
    few = pixels[::4, ::4].astype(np.int16)
    return float(np.percentile(few.max(axis=2) - few.min(axis=2), 99)) < GREYEST


def _connected(places: list[Cell], kept: list[int]) -> list[list[int]]:
    """The kept indices, apart by which of their places hang together."""
    parts = components([places[i] for i in kept])
    return [[i for i in kept if places[i] in part] for part in parts]


def _rows(evidence: TileEvidence, rows: list[int]) -> TileEvidence:
    return TileEvidence(
        evidence.states[rows],
        evidence.tokens[rows],
        evidence.printed[rows],
        evidence.keystone[rows],
        evidence.presence[rows],
        evidence.spread[rows],
    )


def _layout_tile(
    found: _Found, decision: Decision, confidence: Confidence, centers: Floats, corners: Floats, i: int
) -> LayoutTile:
    states = terrain_states()
    state, token = int(decision.state[i]), int(decision.token[i])
    print_index = int(decision.prints[i])
    wildlife = box_prints()[print_index][1] if decision.print_sure[i] >= SURE_PRINT else None
    tile = Tile(
        found.cells[i],
        states[state],
        TOKENS[token],
        len(set(states[state])) == 1,
        None if wildlife is None else tuple(s for s in SPECIES if str(s) in wildlife),
    )
    others = [s for s in np.argsort(-decision.terrain[i]) if s != state][:4]
    terrain = tuple(
        Alternative(states[s], round(float(decision.terrain[i, s]), 4))
        for s in others
        if decision.terrain[i, s] > 1e-3
    )
    others = [t for t in np.argsort(-decision.tokens[i]) if t != token][:3]
    tokens = tuple(
        Alternative(TOKENS[t], round(float(decision.tokens[i, t]), 4))
        for t in others
        if decision.tokens[i, t] > 1e-3
    )
    return LayoutTile(
        tile,
        (round(float(centers[i, 0]), 1), round(float(centers[i, 1]), 1)),
        tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners[i]),
        round(float(confidence.terrain[i]), 4),
        round(float(confidence.token[i]), 4),
        bool(confidence.needs_review[i]),
        terrain,
        tokens,
    )


class Clock:
    """Times the stages and reports them."""

    def __init__(self, progress: Callable[[str, float], None] | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self._progress = progress

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time a stage of `STAGES`; tells its name and the share of the stages done before it."""
        if self._progress is not None:
            self._progress(name, STAGES.index(name) / len(STAGES))
        began = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - began


def read_photo(
    source: str | Path | bytes | Photo,
    *,
    name: str | None = None,
    progress: Callable[[str, float], None] | None = None,
    models: Models | None = None,
) -> Reading:
    """Read the environments in a photo.

    source: path, bytes of a picture file, or a loaded photo. progress: called with a stage of `STAGES` and
    the share done, 0 to 1. models: other networks than the shipped ones.

    Raises PhotoError where the photo cannot be opened, NoEnvironmentError where it shows none.
    Safe to call from several threads: each call has networks of its own.
    """
    clock = Clock(progress)
    with clock.stage(STAGES[0]):
        photo = source if isinstance(source, Photo) else load_photo(source, name)
        reader = Reader(models or shipped_models())
    reading = reader.read(photo, clock)
    if progress is not None:
        progress(STAGES[-1], 1.0)
    return reading
