"""Train one of the two networks on rendered shards, with checkpoints; a stopped run goes on where it was.

`python -m training.train dense --data runs/data --out runs/dense.pt --steps 7000`
New shards that `training.data` adds meanwhile are taken up as they come.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from scoring.pieces import terrain_states
from training.networks import DenseNetwork, PatchNetwork
from vision.evidence import CLASSES, PITCH_UNIT

Arrays = dict[str, NDArray]


class Shards:
    """Samples of the newest shards below a folder, kept in memory; `refresh` takes up new ones."""

    def __init__(self, folder: Path, columns: Sequence[str], most: int) -> None:
        self._folder, self._columns, self._most = folder, tuple(columns), most
        self._seen: set[Path] = set()
        self._parts: list[Arrays] = []
        self._ends = np.zeros(0, int)

    def refresh(self) -> int:
        """Load shards that were not there before; returns how many samples there are now."""
        paths = [p for p in self._folder.rglob("[0-9]*.npz") if ".part" not in p.name and p not in self._seen]
        for path in sorted(paths, key=lambda p: p.stat().st_mtime)[-self._most :]:
            with np.load(path) as data:
                self._parts.append({c: data[c] for c in self._columns})
        self._seen.update(paths)
        self._parts = self._parts[-self._most :]
        self._ends = np.cumsum([len(p[self._columns[0]]) for p in self._parts])
        return int(self._ends[-1]) if len(self._ends) else 0

    def draw(self, count: int, rng: np.random.Generator) -> Arrays:
        """`count` samples at random."""
        picks = rng.integers(self._ends[-1], size=count)
        shard = np.searchsorted(self._ends, picks, side="right")
        row = picks - np.where(shard > 0, self._ends[shard - 1], 0)
        return {
            c: np.stack([self._parts[s][c][r] for s, r in zip(shard, row, strict=True)])
            for c in self._columns
        }


def _images(pixels: NDArray[np.uint8], rng: np.random.Generator) -> Tensor:
    """Batch (B, 3, H, W) 0..1 of RGB pictures (B, H, W, 3), in a light of their own.

    Each gets other gains per channel; half of them also other saturation, contrast and brightness, so that a
    picture seen twice is not learnt by heart.
    """
    images = torch.from_numpy(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2))).float() / 255
    changed = rng.random((len(pixels), 1, 1, 1)) < 0.5

    def factor(spread: float, channels: int = 1) -> Tensor:
        logs = rng.normal(0, spread, (len(pixels), channels, 1, 1)) * (changed if channels == 1 else 1)
        return torch.from_numpy(np.exp(logs).astype(np.float32))

    grey = images.mean(1, keepdim=True)
    images = grey + (images - grey) * factor(0.25)
    images = (images - 0.5) * factor(0.2) + 0.5
    lift = torch.from_numpy(rng.normal(0, 0.03, (len(pixels), 1, 1, 1)).astype(np.float32))
    return (images * factor(0.07, 3) * factor(0.15) + lift).clamp(0, 1)


def dense_batch(shards: Shards, count: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Images and targets (B, 3, h, w): class, heat 0..1, log pitch (NaN where there is no tile)."""
    arrays = shards.draw(count, rng)
    turns, flip = int(rng.integers(4)), bool(rng.integers(2))

    def turned(a: NDArray) -> NDArray:
        a = np.rot90(a, turns, (1, 2))
        return np.ascontiguousarray(a[:, :, ::-1] if flip else a)

    pitch = turned(arrays["pitch"]).astype(np.float32)
    logs = np.log(np.where(pitch > 0, pitch, np.nan) / PITCH_UNIT)
    target = np.stack([turned(arrays["classes"]).astype(np.float32), turned(arrays["heat"]) / 255.0, logs], 1)
    return _images(turned(arrays["pixels"]), rng), torch.from_numpy(target.astype(np.float32))


def dense_loss(output: Tensor, target: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of the classes, weighted cross entropy of the centre heat, L1 of the log pitch."""
    many = len(CLASSES)
    classes = functional.cross_entropy(output[:, :many], target[:, 0].long())
    heat = target[:, 1]
    centers = functional.binary_cross_entropy_with_logits(output[:, many], heat, weight=1 + 6 * heat)
    known = torch.isfinite(target[:, 2])
    pitch = (
        (output[:, many + 1][known] - target[:, 2][known]).abs().mean() if known.any() else output.sum() * 0
    )
    right = (output[:, :many].argmax(1) == target[:, 0].long()).float().mean()
    figures = {
        "classes": classes.item(),
        "centers": centers.item(),
        "pitch": pitch.item(),
        "pixels right": right.item(),
    }
    return classes + 3 * centers + 0.5 * pitch, figures


def mirrored_states() -> NDArray[np.int64]:
    """For each terrain state the state seen in a mirror that swaps left and right."""
    states = terrain_states()
    return np.array([states.index(tuple(s[(3 - e) % 6] for e in range(6))) for s in states])


def patch_batch(shards: Shards, count: int, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Images and labels (B, LABELS) of `training.data`; half of the batches are mirrored."""
    arrays = shards.draw(count, rng)
    patches, labels = arrays["patches"], arrays["labels"].astype(np.int64)
    if rng.integers(2):
        patches = patches[:, :, ::-1]
        labels[:, 0] = np.where(labels[:, 0] >= 0, mirrored_states()[labels[:, 0]], -1)
    return _images(patches, rng), torch.from_numpy(labels)


def patch_loss(output: Tensor, labels: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Cross entropies of terrain state, token, printed wildlife, keystone mark and presence."""
    tile = labels[:, 8] == 1
    on = output[tile]
    terrain = functional.cross_entropy(on[:, :65], labels[tile, 0], label_smoothing=0.01)
    token = functional.cross_entropy(on[:, 65:71], labels[tile, 1], label_smoothing=0.01)
    marks = functional.binary_cross_entropy_with_logits(on[:, 71:77], labels[tile, 2:8].float())
    presence = functional.binary_cross_entropy_with_logits(output[:, 77], labels[:, 8].float())
    figures = {
        "terrain": terrain.item(),
        "token": token.item(),
        "terrain right": (on[:, :65].argmax(1) == labels[tile, 0]).float().mean().item(),
        "token right": (on[:, 65:71].argmax(1) == labels[tile, 1]).float().mean().item(),
        "presence": presence.item(),
    }
    return terrain + token + 0.5 * marks + 0.5 * presence, figures


Batch = Callable[[Shards, int, np.random.Generator], tuple[Tensor, Tensor]]
Loss = Callable[[Tensor, Tensor], tuple[Tensor, dict[str, float]]]
TASKS: dict[str, tuple[Callable[[], nn.Module], tuple[str, ...], Batch, Loss, int]] = {
    "dense": (DenseNetwork, ("pixels", "classes", "heat", "pitch"), dense_batch, dense_loss, 12),
    "patch": (PatchNetwork, ("patches", "labels"), patch_batch, patch_loss, 96),
}


def rate_share(done: float) -> float:
    """Share of the full learning rate after a share of the steps: a short rise, then a cosine."""
    rise = 0.05
    if done < rise:
        return 0.05 + 0.95 * done / rise
    return 0.001 + 0.999 * 0.5 * (1 + math.cos(math.pi * (done - rise) / (1 - rise)))


def main(argv: Sequence[str] | None = None) -> int:
    """Train until `--steps`; prints the mean figures of every 100 steps."""
    parser = argparse.ArgumentParser(prog="training.train", description=__doc__)
    parser.add_argument("task", choices=sorted(TASKS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="checkpoint; taken up again when it exists")
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--most", type=int, default=450, help="shards kept in memory, the newest")
    parser.add_argument("--start-from", type=Path, help="begin with the weights of this checkpoint")
    args = parser.parse_args(argv)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    build, columns, batch, loss_of, size = TASKS[args.task]
    network = build().to(memory_format=torch.channels_last)
    if args.start_from:
        network.load_state_dict(torch.load(args.start_from, weights_only=True)["mean"])
    mean = AveragedModel(network, multi_avg_fn=get_ema_multi_avg_fn(0.998), use_buffers=True)
    optimizer = torch.optim.AdamW(network.parameters(), args.rate, weight_decay=0.02)
    step = 0
    if args.out.exists():
        state = torch.load(args.out, weights_only=True)
        network.load_state_dict(state["network"])
        mean.load_state_dict(state["average"])
        optimizer.load_state_dict(state["optimizer"])
        step = state["step"]
    shards = Shards(args.data, columns, args.most)
    rng = np.random.default_rng([args.seed, step])
    log: list[dict[str, float]] = []
    began = time.monotonic()
    while step < args.steps:
        if step % 100 == 0 or not log:
            while not (samples := shards.refresh()):
                time.sleep(5)
        images, target = batch(shards, size, rng)
        network.train()
        for group in optimizer.param_groups:
            group["lr"] = args.rate * rate_share(step / args.steps)
        with torch.autocast("cpu", torch.bfloat16):  # twice as fast where the processor has it
            output = network(images.contiguous(memory_format=torch.channels_last))
        loss, figures = loss_of(output.float(), target)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5.0)
        optimizer.step()
        mean.update_parameters(network)
        step += 1
        log.append(figures)
        if step % 100 == 0 or step == args.steps:
            means = {k: float(np.mean([f[k] for f in log])) for k in log[0]}
            words = " ".join(f"{k}={v:.4f}" for k, v in means.items())
            print(f"{time.monotonic() - began:7.0f}s step {step} samples {samples} {words}", flush=True)
            log = []
        if step % 250 == 0 or step == args.steps:
            part = args.out.with_suffix(".part")
            torch.save(
                {
                    "task": args.task,
                    "step": step,
                    "network": network.state_dict(),
                    "mean": mean.module.state_dict(),
                    "average": mean.state_dict(),
                    "optimizer": optimizer.state_dict(),
                },
                part,
            )
            part.rename(args.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
