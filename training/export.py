"""Write a trained network as ONNX, and check that OpenCV computes the same as PyTorch.

`python -m training.export runs/dense.pt models/dense.onnx`
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch

from training.networks import DenseNetwork, PatchNetwork
from vision.patches import PATCH_SIZE


def export(checkpoint: Path, target: Path) -> float:
    """Export the averaged weights; returns the largest difference of an output between the two runtimes."""
    state = torch.load(checkpoint, weights_only=True)
    dense = state["task"] == "dense"
    network = (DenseNetwork() if dense else PatchNetwork()).eval()
    network.load_state_dict(state["mean"])
    side = 256 if dense else PATCH_SIZE
    example = torch.rand(1, 3, side, side)
    axes = {"photo": {0: "n", 2: "h", 3: "w"}, "maps": {0: "n", 2: "h4", 3: "w4"}}
    torch.onnx.export(
        network,
        (example,),
        target,
        input_names=["photo"],
        output_names=["maps"],
        dynamic_axes=axes if dense else {"photo": {0: "n"}, "maps": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    worst = 0.0
    runtime = cv2.dnn.readNetFromONNX(str(target))
    for shape in ((1, 3, 320, 224), (1, 3, 256, 256)) if dense else ((1, 3, side, side), (7, 3, side, side)):
        probe = np.random.default_rng(0).random(shape, np.float32)
        runtime.setInput(probe)
        with torch.no_grad():
            expected = network(torch.from_numpy(probe)).numpy()
        worst = max(worst, float(np.abs(runtime.forward() - expected).max()))
    return worst


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="training.export", description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("target", type=Path)
    args = parser.parse_args(argv)
    worst = export(args.checkpoint, args.target)
    print(f"{args.target}: largest difference between OpenCV and PyTorch {worst:.2e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
