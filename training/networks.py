"""The two networks, in PyTorch. Both are exported to ONNX; users run them with OpenCV."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from scoring.pieces import SPECIES, TERRAINS, terrain_states
from vision.evidence import CLASSES


def _conv(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """Two convolutions with a short cut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _conv(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, padding=1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class DenseNetwork(nn.Module):
    """U-Net over the photo: RGB 0..1 (B, 3, H, W), H and W multiples of 32, to (B, 14, H / 4, W / 4).

    Channels: logits of `vision.evidence.CLASSES`, logit of the centre heat, log(pitch / 48 px).
    """

    def __init__(self) -> None:
        super().__init__()
        self.stem = _conv(3, 16, 2)
        self.down4 = nn.Sequential(_conv(16, 32, 2), _conv(32, 32))
        self.down8 = nn.Sequential(_conv(32, 56, 2), _Block(56))
        self.down16 = nn.Sequential(_conv(56, 96, 2), _Block(96))
        self.down32 = nn.Sequential(_conv(96, 128, 2), _Block(128))
        self.up16 = _conv(96 + 128, 96)
        self.up8 = _conv(56 + 96, 64)
        self.up4 = _conv(32 + 64, 48)
        self.head = nn.Conv2d(48, len(CLASSES) + 2, 1)

    def forward(self, photo: Tensor) -> Tensor:
        at4 = self.down4(self.stem(photo - 0.5))
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at32 = self.down32(at16)
        x = self.up16(torch.cat([functional.interpolate(at32, scale_factor=2.0), at16], 1))
        x = self.up8(torch.cat([functional.interpolate(x, scale_factor=2.0), at8], 1))
        x = self.up4(torch.cat([functional.interpolate(x, scale_factor=2.0), at4], 1))
        return self.head(x)


def state_matrix() -> np.ndarray:
    """(45, 65): how the 30 edge logits and the 15 terrain-set logits add up to the logit of each state."""
    states = terrain_states()
    sets = sorted({tuple(sorted(set(s))) for s in states})
    matrix = np.zeros((30 + len(sets), len(states)), np.float32)
    for column, state in enumerate(states):
        for edge, terrain in enumerate(state):
            matrix[edge * 5 + TERRAINS.index(terrain), column] = 1
        matrix[30 + sets.index(tuple(sorted(set(state)))), column] = 1
    return matrix


class PatchNetwork(nn.Module):
    """Reads a rectified tile patch: RGB 0..1 (B, 3, 96, 96) to logits (B, 78).

    65 terrain states (`scoring.pieces.terrain_states`), 6 token states (none, then the species), 5 printed
    species, keystone mark, "there is a tile here".  The 65 are sums of what speaks for a terrain on each
    edge and for a set of terrains, so that rare states learn from all others.
    """

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(
            _conv(3, 32, 2),
            _conv(32, 64, 2),
            _Block(64),
            _conv(64, 128, 2),
            _Block(128),
            _Block(128),
            _conv(128, 192, 2),
            _Block(192),
        )
        self.squeeze = _conv(192, 48, kernel=1)
        self.hidden = nn.Sequential(nn.Flatten(), nn.Linear(48 * 36 + 192, 192), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(192, 45 + 6 + len(SPECIES) + 2)
        self.register_buffer("states", torch.from_numpy(state_matrix()))

    def forward(self, patch: Tensor) -> Tensor:
        x = self.features(patch - 0.5)
        flat = torch.cat([self.squeeze(x).flatten(1), x.mean((2, 3))], 1)
        out = self.head(self.drop(self.hidden(flat)))
        return torch.cat([out[:, :45] @ self.states, out[:, 45:]], 1)
