"""The accuracy bench: rows, totals, faults' pictures, and what it says to bad folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import accuracy
from benchmarks.faults import fault_pictures, fault_text
from scoring.environment import Tile
from scoring.layout import Alternative, Layout, LayoutTile, PhotoInfo, save_layout
from scoring.pieces import Species, Terrain
from vision.photo import NoEnvironmentError
from vision.reader import STAGES, Reading

FOREST = (Terrain.FOREST,) * 6
HALVES = (Terrain.FOREST,) * 3 + (Terrain.RIVER,) * 3
PITCH = 50


def tile(q: int, r: int, **more: object) -> LayoutTile:
    center = (100 + PITCH * (q + r / 2), 100 + PITCH * 0.866 * r)
    return LayoutTile(Tile((q, r), HALVES, Species.BEAR), center, **more)  # type: ignore[arg-type]


TRUTH = Layout(tuple(tile(q, r) for q in range(3) for r in range(2)), 1, PhotoInfo("one.png", 300, 240))
ONE_WRONG = replace(
    TRUTH,
    tiles=(
        replace(
            tile(0, 0, confidence_terrain=0.9, confidence_token=0.625, needs_review=True),
            tile=Tile((0, 0), FOREST, Species.ELK),
            token_alternatives=(Alternative(Species.BEAR, 0.25),),
        ),
        *TRUTH.tiles[1:],
    ),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one photo and its layout."""
    Image.fromarray(np.full((240, 300, 3), 90, np.uint8)).save(tmp_path / "one.png")
    save_layout(TRUTH, tmp_path / "one.json")
    return tmp_path


def says(*layouts: Layout) -> accuracy.Read:
    """A reader that reads the same in every photo."""
    return lambda _: Reading(layouts, dict.fromkeys(STAGES, 0.25))


def finds_nothing(_: Path) -> Reading:
    raise NoEnvironmentError("no environment")


def test_a_photo_is_judged_by_the_layout_beside_it(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    row = accuracy.measured(photo, truth, says(ONE_WRONG))
    assert row.comparison is not None
    assert (row.comparison.counts.right, row.comparison.counts.tiles) == (5, 6)
    assert row.comparison.faults() == {"terrain": 1, "token": 1}
    assert "0.25" in accuracy.row_text(row)


def test_every_tile_is_missing_where_reading_fails(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    row = accuracy.measured(photo, truth, finds_nothing)
    assert row.comparison is not None
    assert row.comparison.faults() == {"not detected": 6}
    assert row.comparison.counts.silent == 6


def test_environments_are_invented_where_the_truth_has_none(tmp_path: Path) -> None:
    invented = accuracy.measured(tmp_path / "a.jpg", Layout(()), says(TRUTH))
    none = accuracy.measured(tmp_path / "b.jpg", Layout(()), finds_nothing)
    total = accuracy.totalled([invented, none])
    assert (total.photos, total.negatives, total.invented) == (0, 2, 1)
    assert "invented in 1" in accuracy.total_text("x", total)


def test_of_two_environments_the_true_one_is_judged(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    other = replace(
        TRUTH,
        tiles=tuple(replace(t, center=(t.center[0] + 900, t.center[1])) for t in TRUTH.tiles if t.center),
    )
    row = accuracy.measured(photo, truth, says(other, TRUTH))
    assert row.environments == 2
    assert row.comparison is not None
    assert row.comparison.counts.perfect == 1


def test_totals_add_up(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    rows = [accuracy.measured(photo, truth, says(one)) for one in (TRUTH, ONE_WRONG)]
    total = accuracy.totalled(rows)
    assert (total.photos, total.counts.tiles, total.counts.right, total.counts.perfect) == (2, 12, 11, 1)
    words = accuracy.total_text("set", total)
    assert "right 91.67%" in words
    assert "perfect photos 1 (50.0%)" in words


def test_pictures_show_each_wrong_tile(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = accuracy.run([folder], [], says(ONE_WRONG), folder / "faults")
    assert status == 0
    assert [file.name for file in (folder / "faults").iterdir()] == [
        f"{folder.name}-one-00-terrain-token.png"
    ]
    assert "6 tiles" in capsys.readouterr().out


def test_a_fault_is_told_in_words(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    row = accuracy.measured(photo, truth, says(ONE_WRONG))
    assert row.comparison is not None
    lines = fault_text(row.comparison.matches[0])
    assert lines == [
        "terrain and token; flagged  (photo | read | true)",
        "read: all forest (90.0%), elk (62.5%)",
        "or: bear 25.0%",
        "true: forest 012 river 345, bear",
    ]


def test_the_panels_differ_where_read_and_true_differ(folder: Path) -> None:
    (photo, truth) = next(accuracy.photos_in(folder))
    row = accuracy.measured(photo, truth, says(ONE_WRONG))
    ((_, picture),) = fault_pictures(photo, truth, row.comparison, row.layout)
    bare, read, true = np.split(np.asarray(picture)[:380], 3, axis=1)
    assert np.ptp(bare) == 0
    assert (read != bare).any()
    assert (true != bare).any()
    assert (read != true).any()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda folder: folder / "missing", "there is no such folder of photos"),
        (lambda folder: folder, "holds no photo with a layout file of the same name beside it"),
    ],
)
def test_bad_folders_get_one_sentence(tmp_path: Path, make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(FileNotFoundError, match=message):
        list(accuracy.photos_in(make(tmp_path)))
