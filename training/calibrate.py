"""Fit the confidence of the reader on photos held back from training, and choose when to ask the user.

    python -m benchmarks.scenes --out runs/calibration --count 300 --seed 7
    python -m training.calibrate runs/calibration --models models

Reads the photos with the networks in `--models`, pairs the tiles with the truth and writes
`calibration.json` there. A calibration that is in the folder already has no influence.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler
from tqdm import tqdm

from benchmarks.accuracy import photos_in
from benchmarks.comparing import compare, most_like
from scoring.layout import LayoutError
from vision.confidence import Calibration, Logistic
from vision.photo import NoEnvironmentError, PhotoError
from vision.reader import Models, read_photo

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

FEATURES = 8
"""Columns of each half of `vision.confidence.features`."""
SILENT_SHARE = 0.0002
"""Wrong tiles that may go unflagged, as a share of the tiles read: a fifth of what new photos may have."""
MOST_FLAGGED = 0.15
"""A reader that flags more than this share of the tiles is no help; then more faults stay silent."""
STRENGTH = 1.0
"""Inverse weight of the penalty on the logistic models' weights, for standardised features."""
PRIOR_WEIGHT = 0.01
"""How much the network's own probability of a tile counts against one tile known to be right or wrong."""
SPEAKS_FOR = np.array([1, 1, -1, 1, -1, 1, 1, -1])
"""Whether more of each figure of `vision.confidence.features` speaks for (1) or against (-1) a tile."""
FOLDS = 5


@dataclass(frozen=True)
class Samples:
    """Read tiles with the truth. terrain, token (N, FEATURES): features. terrain_right, token_right (N,).
    photo (N,): number of the photo each tile is from."""

    terrain: Floats
    token: Floats
    terrain_right: Flags
    token_right: Flags
    photo: NDArray[np.int64]


def collect(folder: Path, models: Models) -> Samples:
    """Read the photos of a folder. A tile off the grid or in no environment is wrong in both respects."""
    terrain, token = [np.zeros((0, FEATURES))], [np.zeros((0, FEATURES))]
    right: list[tuple[bool, bool]] = []
    photo_of: list[int] = []
    for number, (photo, truth) in enumerate(tqdm(list(photos_in(folder)), unit="photo")):
        try:
            reading = read_photo(photo, models=models)
        except NoEnvironmentError:
            continue
        layout = most_like(truth, reading.layouts)
        assert layout is not None
        which = next(i for i, one in enumerate(reading.layouts) if one is layout)
        by_cell = {
            match.read.tile.cell: (match.terrain_right, match.token_right)
            for match in compare(truth, layout).matches
            if match.read is not None
        }
        right += [by_cell[placed.tile.cell] for placed in layout.tiles]
        photo_of += [number] * len(layout.tiles)
        terrain.append(reading.features[which][0])
        token.append(reading.features[which][1])
    rights = np.array(right, bool).reshape(-1, 2)
    return Samples(
        np.concatenate(terrain),
        np.concatenate(token),
        rights[:, 0],
        rights[:, 1],
        np.array(photo_of, np.int64),
    )


def fit_logistic(features: Floats, right: Flags) -> Logistic:
    """Logistic model of `right` (N,) on raw `features` (N, F); standardised inside, folded back.

    Good networks leave few wrong tiles to learn from, perhaps none. So each tile counts a little, by
    `PRIOR_WEIGHT`, as right and as wrong in the proportion of the network's own probability, whose logit is
    the first feature. A figure that would count the wrong way round (`SPEAKS_FOR`) is left out: among few
    wrong tiles that is chance, and on an unusual photo it would make doubt look like certainty.
    Raises ValueError without any tile.
    """
    if not len(features):
        raise ValueError("no tile was read, so there is nothing to fit: render more photos")
    scaler = StandardScaler().fit(features)
    own = 1 / (1 + np.exp(-features[:, 0]))
    many = len(features)
    labels = np.r_[right, np.ones(many, bool), np.zeros(many, bool)]
    weights = np.r_[np.ones(many), PRIOR_WEIGHT * own, PRIOR_WEIGHT * (1 - own)]
    standardised = np.tile(scaler.transform(features), (3, 1))
    used = np.ones(FEATURES, bool)
    while True:
        regression = LogisticRegression(C=STRENGTH, max_iter=2000)
        regression.fit(standardised * used, labels, weights)
        fitted = regression.coef_[0]  # 0 for what is left out: the penalty draws it there
        if not (backwards := fitted * SPEAKS_FOR < 0).any():
            break
        used &= ~backwards
    raw = fitted / scaler.scale_
    return Logistic(raw, float(regression.intercept_[0] - raw @ scaler.mean_))


def held_out(features: Floats, right: Flags, photo: NDArray[np.int64]) -> Floats:
    """Probability (N,) of each tile by a model fitted on other photos only.

    Raises ValueError where there are fewer than two photos.
    """
    many = len(np.unique(photo))
    if many < 2:
        raise ValueError("tiles were read in fewer than two photos, so none can be held out: render more")
    probability = np.zeros(len(right))
    for others, mine in GroupKFold(min(FOLDS, many)).split(features, right, photo):
        probability[mine] = fit_logistic(features[others], right[others])(features[mine])
    return probability


def review_threshold(
    probability: Floats, right: Flags, silent_share: float = SILENT_SHARE, most_flagged: float = MOST_FLAGGED
) -> float:
    """Least probability of a right tile below which tiles are flagged so that few wrong ones are not.

    probability, right (N,). At most `silent_share` of all tiles are wrong and not flagged, unless that
    would flag more than `most_flagged` of them.
    """
    allowed = int(silent_share * len(right))
    wrong = np.sort(probability[~right])[::-1]
    # The `allowed` likeliest of the wrong tiles may pass; the next one must be below the threshold, also
    # after both have been rounded in the file.
    threshold = float(wrong[allowed]) + 2e-6 if len(wrong) > allowed else 0.5
    most = float(np.quantile(probability, most_flagged)) if len(probability) else 1.0
    return min(threshold, most) if most > 0 else threshold


def calibrate(samples: Samples) -> tuple[Calibration, str]:
    """The calibration, and how it does on photos that its models were not fitted on, in words."""
    parts = ((samples.terrain, samples.terrain_right), (samples.token, samples.token_right))
    terrain, token = (fit_logistic(features, right) for features, right in parts)
    both = np.prod([held_out(features, right, samples.photo) for features, right in parts], axis=0)
    right = samples.terrain_right & samples.token_right
    threshold = review_threshold(both, right)
    flagged = both < threshold
    words = (
        f"{len(right)} tiles, {np.sum(~right)} wrong; below {threshold:.4f} "
        f"{np.sum(flagged)} are flagged ({np.mean(flagged):.2%}), {np.sum(flagged & right)} of them right; "
        f"{np.sum(~flagged & ~right)} wrong ones are not"
    )
    return Calibration(terrain, token, threshold), words


def to_json(calibration: Calibration, samples: Samples) -> dict[str, Any]:
    """Content of calibration.json."""

    def logistic(model: Logistic) -> dict[str, Any]:
        return {"weights": [round(float(w), 6) for w in model.weights], "bias": round(model.bias, 6)}

    return {
        "terrain": logistic(calibration.terrain),
        "token": logistic(calibration.token),
        "review_below": round(calibration.review_below, 6),
        "fitted_on": {"photos": len(np.unique(samples.photo)), "tiles": len(samples.photo)},
    }


def uncalibrated(folder: Path) -> Models:
    """The networks of a folder with a calibration that says nothing."""
    flat = Logistic(np.zeros(FEATURES), 0.0)
    dense, patch = ((folder / f"{name}.onnx").read_bytes() for name in ("dense", "patch"))
    return Models(dense, patch, Calibration(flat, flat, 0.0))


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="training.calibrate", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("scenes", type=Path, help="photos with layouts, held back from training")
    parser.add_argument("--models", type=Path, required=True, help="folder with dense.onnx and patch.onnx")
    args = parser.parse_args(argv)
    try:
        samples = collect(args.scenes, uncalibrated(args.models))
        calibration, words = calibrate(samples)
    except (FileNotFoundError, LayoutError, PhotoError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    text = json.dumps(to_json(calibration, samples), indent=1)
    (args.models / "calibration.json").write_text(text + "\n", encoding="utf-8")
    print(words)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
