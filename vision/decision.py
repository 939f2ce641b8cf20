"""The joint decision: evidence for each tile and the contents of the box, together. Stage 6 of the reader.

Each tile's terrain and token are weighed with what may be printed on it; then all tiles of the environment
are assigned to the prints that the box holds. The box is a soft prior: a tile may stay unassigned at a price,
so strong evidence for an oddity always wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from scoring.pieces import SPECIES, Terrain, box, terrain_states
from vision.tiles import TOKENS, TileEvidence

Floats = NDArray[np.float64]

TRUST_IN_PRINT = 0.75
"""Weight of the printed icons, which a token mostly hides."""
TOKEN_ON_PRINT = 0.97
"""Share of tokens that stand on a tile that shows their species; the rest are house rules and slips."""
PRICE_OF_ODDITY = 4.0
"""What it costs, in log probability, to say that a tile is not one of those left in the box."""


@dataclass(frozen=True)
class Decision:
    """What was decided about M tiles.

    state (M,): index into `terrain_states()`. token (M,): index into `TOKENS`. terrain (M, 65) and
    tokens (M, 6): probabilities after weighing each tile's own evidence with the prints there are.
    prints (M,): index into `box_prints()` of the print assigned, -1 for none of the box. print_sure (M,):
    probability that the wildlife printed there is that one, given terrain and token; 0 where prints is -1.
    """

    state: NDArray[np.int64]
    token: NDArray[np.int64]
    terrain: Floats
    tokens: Floats
    prints: NDArray[np.int64]
    print_sure: Floats


@cache
def box_prints() -> tuple[tuple[frozenset[Terrain], frozenset[str], int], ...]:
    """The different prints of the box: terrains, wildlife, and how many tiles and starter hexes have them."""
    contents = box()
    tiles = [*contents.tiles, *(tile for starter in contents.starters for tile in starter)]
    keys = [(frozenset(tile.terrain), frozenset(map(str, tile.wildlife))) for tile in tiles]
    return tuple(
        (*key, keys.count(key)) for key in sorted(set(keys), key=lambda k: (sorted(k[0]), sorted(k[1])))
    )


@cache
def _tables() -> tuple[Floats, Floats, Floats, Floats]:
    """Per print p: fits (P, 65) 1 where a state has its terrains; share (P,) among prints of the same
    terrains; wildlife (P, 5) 0 or 1; odds (P, 6) of a token against its overall frequency."""
    prints = box_prints()
    states = terrain_states()
    fits = np.array([[float(frozenset(s) == p[0]) for s in states] for p in prints])
    counts = np.array([p[2] for p in prints], float)
    same = np.array([[p[0] == other[0] for other in prints] for p in prints])
    wildlife = np.array([[float(str(s) in p[1]) for s in SPECIES] for p in prints])
    printed = wildlife.sum(1, keepdims=True)
    on, off = TOKEN_ON_PRINT / printed, (1 - TOKEN_ON_PRINT) / np.maximum(len(SPECIES) - printed, 1)
    odds = np.c_[np.ones(len(prints)), np.where(wildlife > 0, on, off) * len(SPECIES)]
    return fits, counts / (same * counts).sum(1), wildlife, odds


@cache
def _single() -> NDArray[np.bool_]:
    """Which of the 65 states have one terrain only, as keystone tiles do."""
    return np.array([len(set(state)) == 1 for state in terrain_states()])


def _keystone_says(keystone: Floats) -> Floats:
    """Log probability (M, 65) of the keystone mark that was seen, or not, on tiles of each state."""
    seen = np.clip(keystone, 1e-2, 1 - 1e-2)[:, None]
    return np.where(_single(), np.log(seen), np.log(1 - seen))


def decide(evidence: TileEvidence) -> Decision:
    """Decide terrain and token of all tiles of one environment."""
    fits, share, wildlife, odds = _tables()
    many = len(evidence.states)
    if many == 0:
        none = np.zeros(0, np.int64)
        return Decision(none, none, np.zeros((0, 65)), np.zeros((0, 6)), none, np.zeros(0))
    states = evidence.states + _keystone_says(evidence.keystone)
    seen = np.clip(evidence.printed, 1e-3, 1 - 1e-3)
    shown = np.log(seen) @ wildlife.T + np.log(1 - seen) @ (1 - wildlife).T  # (M, P)
    shown = np.exp(TRUST_IN_PRINT * (shown - shown.max(1, keepdims=True)))
    by_token = np.einsum("mp,p,pt->mpt", shown, share, odds)
    weight = np.einsum("ps,mpt->mst", fits, by_token) + 1e-6
    joint = np.exp(states)[:, :, None] * np.exp(evidence.tokens)[:, None, :] * weight
    joint /= joint.sum((1, 2), keepdims=True)
    terrain, tokens = joint.sum(2), joint.sum(1)

    copies = np.repeat(np.arange(len(fits)), [p[2] for p in box_prints()])
    best_state = np.where(fits[None] > 0, states[:, None, :], -np.inf)  # (M, P, 65)
    best_token = evidence.tokens[:, None, :] + np.log(odds)[None]  # (M, P, 6)
    value = best_state.max(2) + best_token.max(2) + np.log(shown)
    odd = states.max(1) + evidence.tokens.max(1) - PRICE_OF_ODDITY
    value = np.maximum(value, -1e6)
    cost = np.concatenate([-value[:, copies], np.where(np.eye(many) > 0, -odd[:, None], 1e9)], axis=1)
    tiles, columns = linear_sum_assignment(cost)
    prints = np.full(many, -1, np.int64)
    for tile, column in zip(tiles, columns, strict=True):
        if column < len(copies):
            prints[tile] = copies[column]
    # Each tile is what it most likely is by itself, unless the box has run out of such tiles.
    likeliest = joint.reshape(many, -1).argmax(1)
    state, token = likeliest // len(TOKENS), likeliest % len(TOKENS)
    rows = np.arange(many)
    moved = (prints >= 0) & (fits[prints, state] == 0)
    state = np.where(moved, best_state[rows, prints].argmax(1), state)
    alike = shown * share * odds[:, token].T * fits[:, state].T
    sure = alike[rows, prints] / np.maximum(alike.sum(1), 1e-12)
    return Decision(state, token, terrain, tokens, prints, np.where(prints >= 0, sure, 0.0))


__all__ = ["TOKENS", "Decision", "box_prints", "decide"]
