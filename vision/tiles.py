"""What each tile shows, by a small network on rectified patches. Stage 5 of the reader.

Patches in, probabilities out; every tile is looked at in several turns of the grid and the answers averaged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.pieces import SPECIES, terrain_states
from vision.patches import PhotoPyramid, turned_frame

Floats = NDArray[np.float64]

TOKENS = (None, *SPECIES)
"""What can stand on a tile, in the order of the network's token outputs."""
STATES = 65
EDGE_WEIGHT = 0.3
"""Weight of the dense maps' opinion of the edges beside the patches'; 0.2 to 0.5 did equally well."""
ALL_TURNS = (0, 1, 2, 3, 4, 5)
BATCH = 144
"""Patches looked at together: 24 tiles in six turns. More would only take more memory."""


@dataclass(frozen=True)
class TileEvidence:
    """Evidence for M tiles, averaged over the turns.

    states (M, 65): log probability of each of `scoring.pieces.terrain_states()`, edges in the grid's
    directions. tokens (M, 6): log probability of each of `TOKENS`. printed (M, 5): probability that each
    species is printed. keystone (M,): probability of the keystone mark. presence (M,): probability that a
    tile lies there. spread (M, 2): how far the turns disagree about terrain and token, 0 to 1.
    """

    states: Floats
    tokens: Floats
    printed: Floats
    keystone: Floats
    presence: Floats
    spread: Floats


@cache
def turned_states(turns: int) -> tuple[int, ...]:
    """Index of each terrain state as seen in a patch whose direction 0 is the grid's `turns`."""
    states = terrain_states()
    return tuple(states.index(tuple(s[(e + turns) % 6] for e in range(6))) for s in states)


def _log_softmax(logits: Floats) -> Floats:
    shifted: Floats = logits - logits.max(-1, keepdims=True)
    normed: Floats = shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))
    return normed


def _sigmoid(logits: Floats) -> Floats:
    return 1 / (1 + np.exp(-np.clip(logits, -50, 50)))


def tile_evidence(
    network: cv2.dnn.Net,
    pyramid: PhotoPyramid,
    centers: Floats,
    frames: Floats,
    turns: Sequence[int] = ALL_TURNS,
) -> TileEvidence:
    """Look at the tiles at `centers` (M, 2), photo px, with local `frames` (M, 2, 2), photo px per pitch."""
    many = len(centers)
    if many == 0:
        empty = np.zeros(0)
        return TileEvidence(
            np.zeros((0, STATES)), np.zeros((0, 6)), np.zeros((0, 5)), empty, empty, np.zeros((0, 2))
        )
    looks = [(c, turned_frame(f, turn)) for turn in turns for c, f in zip(centers, frames, strict=True)]
    answers = []
    for first in range(0, len(looks), BATCH):
        patches = [pyramid.cut(center, frame) for center, frame in looks[first : first + BATCH]]
        network.setInput(cv2.dnn.blobFromImages(patches, scalefactor=1 / 255))
        answers.append(network.forward().astype(np.float64))
    logits = np.concatenate(answers).reshape(len(turns), many, -1)
    states = np.stack(
        [_log_softmax(logits[k, :, :STATES])[:, turned_states(turn)] for k, turn in enumerate(turns)]
    )
    tokens = _log_softmax(logits[..., STATES : STATES + 6])
    marks = _sigmoid(logits[..., STATES + 6 :].mean(0))
    mean_states, mean_tokens = _log_softmax(states.mean(0)), _log_softmax(tokens.mean(0))

    def disagreement(each: Floats, mean: Floats) -> Floats:
        best = mean.argmax(-1)
        share: Floats = np.exp(np.take_along_axis(each, best[None, :, None], 2))[..., 0].mean(0)
        return 1 - share

    spread = np.c_[disagreement(states, mean_states), disagreement(tokens, mean_tokens)]
    return TileEvidence(mean_states, mean_tokens, marks[:, :5], marks[:, 5], marks[:, 6], spread)


def with_edges(evidence: TileEvidence, edges: Floats) -> TileEvidence:
    """The evidence with the dense maps' opinion (M, 65) of `vision.edges` weighed in."""
    return replace(evidence, states=_log_softmax(evidence.states + EDGE_WEIGHT * edges))


def joined(one: TileEvidence, other: TileEvidence) -> TileEvidence:
    """The evidence for the tiles of both, those of `one` first."""
    return TileEvidence(
        *(np.concatenate([getattr(one, f.name), getattr(other, f.name)]) for f in fields(TileEvidence))
    )
