"""What lies on the table: an environment, loose pieces and clutter, as numbers; `render` draws it.

Plane frame of `camera`: the unit is the pitch, cell (q, r) lies at (q + r / 2, r * sqrt(3) / 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.hexgrid import Cell, neighbors
from scoring.pieces import SPECIES, Species, Terrain
from training.material import Face, Material

ODD_TOKENS = 0.03
"""Share of tokens that may stand on a tile that does not show their species: slips and house rules."""


@dataclass(frozen=True)
class Token:
    """A wildlife token (or, with species None, a loose nature token) and where its centre stands.

    x, y: plane, pitches. angle: turn of its print, radians. radius, height, base: pitches; `base` is the
    height of what it stands on. gloss: 0 to 1, how much white reflection covers its top.
    """

    species: Species | None
    x: float
    y: float
    angle: float
    radius: float
    height: float
    base: float
    variant: int
    gloss: float


@dataclass(frozen=True)
class PlacedTile:
    """A tile on the table. `cell` is None for a loose tile.

    x, y: centre in the plane, pitches. turns: sixths of a turn, clockwise, against its board. board: turn
    of its board's grid in the plane, radians. angle: how crooked it lies beyond that, radians. radius:
    circumradius, pitches. gloss as in `Token`.
    """

    cell: Cell | None
    face: Face
    turns: int
    x: float
    y: float
    board: float
    angle: float
    radius: float
    thickness: float
    shade: float
    gloss: float
    token: Token | None

    @property
    def terrain(self) -> tuple[Terrain, ...]:
        """Terrain on the six edges, in the board's directions."""
        return tuple(self.face.terrain[(edge - self.turns) % 6] for edge in range(6))


@dataclass(frozen=True)
class Scene:
    """Everything that lies on one table. `environments` are tuples of tiles; the first is the player's."""

    environments: tuple[tuple[PlacedTile, ...], ...]
    loose_tiles: tuple[PlacedTile, ...]
    loose_tokens: tuple[Token, ...]

    @property
    def tiles(self) -> tuple[PlacedTile, ...]:
        """All tiles, loose ones included."""
        return tuple(t for e in self.environments for t in e) + self.loose_tiles


def cell_center(cell: Cell) -> tuple[float, float]:
    """Plane position of a cell, pitches."""
    return cell[0] + cell[1] / 2, cell[1] * np.sqrt(3) / 2


def random_outline(count: int, rng: np.random.Generator) -> list[Cell]:
    """Grow a connected outline of `count` cells; compact or straggling by chance."""
    cells: list[Cell] = [(0, 0), (-1, 1), (0, 1)][:count]
    compact = rng.uniform(0.2, 2.0)
    while len(cells) < count:
        taken = set(cells)
        free = sorted({n for c in cells for n in neighbors(c)} - taken)
        touching = np.array([sum(n in taken for n in neighbors(c)) for c in free], float)
        weight = touching**compact
        cells.append(free[rng.choice(len(free), p=weight / weight.sum())])
    return cells


def random_token(
    species: Species | None, x: float, y: float, base: float, spread: float, rng: np.random.Generator
) -> Token:
    """A token put down near (x, y); `spread` is its mean distance from there, pitches."""
    far, turn = rng.normal(0, spread, 2), rng.uniform(0, 2 * np.pi)
    far = far * min(1.0, 0.33 / (np.hypot(*far) + 1e-9))
    if rng.random() < 0.015 and spread > 0:  # slid off: it hangs over the edge or lies half on the next tile,
        # its centre still well on its own (half a pitch is the border: whose token it is, nobody could tell)
        slide = rng.uniform(0, 2 * np.pi)
        far = rng.uniform(0.3, 0.42) * np.array([np.cos(slide), np.sin(slide)])
    flat = species is None and rng.random() < 0.6
    return Token(
        species,
        x + far[0],
        y + far[1],
        turn,
        rng.uniform(0.27, 0.32),
        rng.uniform(0.02, 0.05) if flat else rng.uniform(0.12, 0.22),
        base,
        int(rng.integers(1 << 16)),
        float(rng.beta(0.4, 1.6) * (rng.random() < 0.35)),
    )


def random_environment(
    material: Material, count: int, rng: np.random.Generator, token_share: float | None = None
) -> tuple[PlacedTile, ...]:
    """An environment of `count` tiles laid by a more or less careful hand."""
    cells = random_outline(count, rng)
    share = rng.choice([0.0, 0.5, 0.8, 0.95, 1.0], p=[0.04, 0.16, 0.4, 0.3, 0.1])
    share = share if token_share is None else token_share
    gap = rng.uniform(0.0, 0.03) if rng.random() < 0.7 else rng.uniform(0.0, 0.08)
    shaky = 0.3 * gap + (0.0 if rng.random() < 0.6 else rng.uniform(0, 0.02))
    crooked = np.radians(rng.choice([0.5, 1.5, 3.0], p=[0.4, 0.4, 0.2]))
    row_shift = rng.uniform(0, 0.1) if rng.random() < 0.2 else 0.0
    rows = {r: rng.uniform(-row_shift, row_shift) for _, r in cells}
    thickness, token_spread = rng.uniform(0.025, 0.06), rng.uniform(0.03, 0.12)
    faces = rng.permutation(len(material.faces))
    glossy = rng.random() < 0.3
    tiles = []
    for cell, pick in zip(cells, np.resize(faces, count), strict=True):
        face = material.faces[pick]
        x, y = cell_center(cell)
        x, y = x + rows[cell[1]] + rng.normal(0, shaky), y + rng.normal(0, shaky)
        tile = PlacedTile(
            cell,
            face,
            int(rng.integers(6)),
            x,
            y,
            0.0,
            rng.normal(0, crooked) if rng.random() < 0.95 else rng.uniform(-0.12, 0.12),
            1 / np.sqrt(3) / (1 + gap),
            thickness,
            rng.normal(1, 0.04),
            float(rng.beta(0.5, 2.0)) * glossy,
            None,
        )
        if rng.random() < share:
            printed = SPECIES if rng.random() < ODD_TOKENS else face.wildlife
            species = printed[rng.integers(len(printed))]
            token = random_token(species, x, y, thickness, token_spread, rng)
            tile = replace(tile, token=token)
        tiles.append(tile)
    return tuple(tiles)


def moved(tiles: Sequence[PlacedTile], dx: float, dy: float, turn: float) -> tuple[PlacedTile, ...]:
    """The same tiles turned by `turn` radians about the origin and shifted by (dx, dy) pitches."""
    c, s = np.cos(turn), np.sin(turn)

    def at(x: float, y: float) -> tuple[float, float]:
        return c * x - s * y + dx, s * x + c * y + dy

    result = []
    for tile in tiles:
        x, y = at(tile.x, tile.y)
        token = tile.token
        if token is not None:
            tx, ty = at(token.x, token.y)
            token = replace(token, x=tx, y=ty)
        result.append(replace(tile, x=x, y=y, board=tile.board + turn, token=token))
    return tuple(result)


def _spread_out(
    taken: list[tuple[float, float]], count: int, gap: float, reach: float, rng: np.random.Generator
) -> list[tuple[float, float]]:
    """Up to `count` plane points at least `gap` from `taken` and each other, within `reach` of them."""
    points: list[tuple[float, float]] = []
    for _ in range(count * 12):
        if len(points) == count:
            break
        near = taken[rng.integers(len(taken))]
        x, y = near[0] + rng.uniform(-reach, reach), near[1] + rng.uniform(-reach, reach)
        if min(np.hypot(x - a, y - b) for a, b in taken + points) >= gap:
            points.append((x, y))
    return points


def random_scene(
    material: Material,
    rng: np.random.Generator,
    *,
    count: int | None = None,
    messy: float = 1.0,
    neighbour: float = 0.12,
) -> Scene:
    """A table at random: an environment of `count` tiles, loose pieces (`messy` scales how many), and
    with the chance `neighbour` a second environment."""
    if count is None:
        count = int(rng.choice([rng.integers(5, 20), 23, rng.integers(20, 38)], p=[0.3, 0.45, 0.25]))
    first = random_environment(material, count, rng)
    environments = [first]
    if rng.random() < neighbour:
        other = random_environment(material, int(rng.integers(8, 24)), rng)
        turn, side = rng.uniform(0, np.pi / 3), rng.uniform(0, 2 * np.pi)
        push = 2.0
        mine = np.array([(t.x, t.y) for t in first])
        while True:
            shifted = moved(other, push * np.cos(side), push * np.sin(side), turn)
            theirs = np.array([(t.x, t.y) for t in shifted])
            if np.linalg.norm(mine[:, None] - theirs[None], axis=2).min() > rng.uniform(1.5, 2.2):
                break
            push += 0.3
        environments.append(shifted)
    taken = [(t.x, t.y) for e in environments for t in e]
    loose_tiles, loose_tokens = [], []
    number = rng.poisson(1.2 * messy) if rng.random() < 0.5 else 0
    for x, y in _spread_out(taken, number, 1.35, 3.0, rng):
        one = random_environment(material, 1, rng, token_share=float(rng.random() < 0.2))[0]
        loose_tiles += [replace(t, cell=None) for t in moved([one], x, y, rng.uniform(0, 2 * np.pi))]
    taken += [(t.x, t.y) for t in loose_tiles]
    number = rng.poisson(2.5 * messy) if rng.random() < 0.5 else 0
    for x, y in _spread_out(taken, number, 0.95, 2.5, rng):
        species = None if rng.random() < 0.5 else SPECIES[rng.integers(5)]
        loose_tokens.append(random_token(species, x, y, 0.0, 0.0, rng))
    return Scene(tuple(environments), tuple(loose_tiles), tuple(loose_tokens))
