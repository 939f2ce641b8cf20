"""Training starts, goes on where it stopped, and what it makes runs in OpenCV. Needs the extra `train`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring.pieces import TERRAINS, terrain_states
from training.data import load_stocks, make_shard

torch = pytest.importorskip("torch", reason="needs the extra 'train' (PyTorch)")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    stock, _ = load_stocks(1, None, held_back=False, runs=1)
    np.savez(folder / "00000.npz", **make_shard([stock], [1.0], [1, 0], 4, False))
    return folder


def test_a_mirrored_state_has_its_edges_mirrored():
    from training.train import mirrored_states

    states, mirrored = terrain_states(), mirrored_states()
    assert np.array_equal(mirrored[mirrored], np.arange(65))
    for index, state in enumerate(states):
        seen = states[mirrored[index]]
        assert (seen[0], seen[1], seen[5]) == (state[3], state[2], state[4])


def test_a_states_logit_is_the_sum_of_its_edges_and_its_set():
    from training.networks import state_matrix

    matrix = state_matrix()
    assert matrix.shape == (45, 65)
    for column, state in enumerate(terrain_states()):
        edges = {5 * edge + TERRAINS.index(terrain) for edge, terrain in enumerate(state)}
        assert set(np.flatnonzero(matrix[:30, column])) == edges
        assert matrix[30:, column].sum() == 1


@pytest.mark.parametrize("task", ["dense", "patch"])
def test_a_run_goes_on_and_is_exported(task: str, data: Path, tmp_path: Path):
    pytest.importorskip("onnx", reason="needs the extra 'train' (ONNX)")
    from training.export import export
    from training.train import main

    checkpoint = tmp_path / "run.pt"
    command = [task, "--data", str(data), "--out", str(checkpoint)]
    assert main([*command, "--steps", "1"]) == 0
    assert torch.load(checkpoint, weights_only=True)["step"] == 1
    assert main([*command, "--steps", "2"]) == 0
    assert torch.load(checkpoint, weights_only=True)["step"] == 2
    assert export(checkpoint, tmp_path / "run.onnx") < 1e-3


def test_the_learning_rate_rises_then_falls():
    from training.train import rate_share

    shares = [rate_share(k / 100) for k in range(101)]
    top = int(np.argmax(shares))
    assert 0 < top <= 5
    assert shares[: top + 1] == sorted(shares[: top + 1])
    assert shares[top:] == sorted(shares[top:], reverse=True)
