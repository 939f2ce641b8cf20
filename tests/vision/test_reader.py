"""The whole reading: on the sample photos (our own drawings) and, where at hand, on real tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.comparing import compare
from scoring.layout import Layout, load_layout
from training.surfaces import TRAIN_SURFACES, surface
from vision import STAGES, NoEnvironmentError, Photo, load_photo, read_photo
from vision.centers import Detections, find_centers
from vision.tiles import ALL_TURNS, TileEvidence, tile_evidence

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "sample_images").glob("*.jpg"))


def truth_of(photo: Path) -> Layout:
    return load_layout(photo.with_suffix(".json"))


def assert_perfect(truth: Layout, read: Layout) -> None:
    counts = compare(truth, read).counts
    assert counts.perfect, counts


@pytest.mark.parametrize("photo", SAMPLES, ids=lambda p: p.stem)
def test_a_sample_photo_is_read_without_a_wrong_tile(photo: Path):
    assert_perfect(truth_of(photo), read_photo(photo).layout)


def test_two_environments_in_one_photo_are_both_read():
    photo = next(p for p in SAMPLES if "two-players" in p.name)
    reading = read_photo(photo)
    truth = load_layout(photo.with_name(f"{photo.stem}-environment-2.json"))
    assert len(reading.layouts) == 2
    assert_perfect(truth, reading.layouts[1])


def test_a_black_and_white_photo_is_warned_of_a_dark_one_in_colour_is_not():
    pixels = load_photo(SAMPLES[0]).pixels
    grey = np.repeat(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)[..., None], 3, axis=2)
    for seen, warned in [(grey, True), ((pixels * 0.2).astype(np.uint8), False)]:
        warnings = read_photo(Photo(seen, "a.jpg")).layout.warnings
        assert any("black and white" in sentence for sentence in warnings) == warned


@pytest.mark.parametrize("degrees", [90, 180, 270, 37])
def test_a_turned_photo_gives_the_same_environment(degrees: int):
    path = SAMPLES[0]
    pixels, truth = load_photo(path).pixels, truth_of(path)
    height, width = pixels.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), -degrees, 1.0)
    side = int(np.hypot(width, height)) + 1
    turn[:, 2] += (side / 2 - width / 2, side / 2 - height / 2)
    turned = cv2.warpAffine(pixels, turn, (side, side), borderMode=cv2.BORDER_REPLICATE)
    moved = [replace(t, center=tuple((turn @ (*t.center, 1.0)).tolist())) for t in truth.tiles if t.center]
    reading = read_photo(Photo(np.asarray(turned, np.uint8), "turned"))
    assert_perfect(replace(truth, tiles=tuple(moved)), reading.layout)


def detected_otherwise(monkeypatch: pytest.MonkeyPatch, center: tuple[float, float], change) -> None:
    """Let `change` alter the detection nearest to `center`: given the detections and its index."""

    def otherwise(*args) -> Detections:
        found = find_centers(*args)
        nearest = int(np.linalg.norm(found.centers - np.array(center), axis=1).argmin())
        return change(found, nearest)

    monkeypatch.setattr("vision.reader.find_centers", otherwise)


def test_a_tile_first_seen_beside_its_place_is_found_nevertheless(monkeypatch):
    path = SAMPLES[0]

    def shifted(found: Detections, which: int) -> Detections:
        centers = found.centers.copy()
        centers[which] += (0.4 * found.pitches[which], 0.1 * found.pitches[which])
        return replace(found, centers=centers)

    detected_otherwise(monkeypatch, truth_of(path).tiles[11].center, shifted)
    reading = read_photo(path)
    assert [r.reason for r in reading.rejected if "overlaps" in r.reason]
    assert_perfect(truth_of(path), reading.layout)


def test_a_tile_detected_a_quarter_of_a_pitch_away_is_read_at_its_own_place(monkeypatch):
    path = SAMPLES[0]
    tile = truth_of(path).tiles[20]  # the end of a branch

    def shifted(found: Detections, which: int) -> Detections:
        centers = found.centers.copy()
        centers[which] += 0.18 * found.pitches[which]
        return replace(found, centers=centers)

    detected_otherwise(monkeypatch, tile.center, shifted)
    reading = read_photo(path)
    assert_perfect(truth_of(path), reading.layout)
    read = min(reading.layout.tiles, key=lambda t: np.hypot(*np.subtract(t.center, tile.center)))
    np.testing.assert_allclose(np.mean(read.corners, axis=0), read.center, atol=2)
    assert np.hypot(*np.subtract(read.center, tile.center)) < 0.15 * np.hypot(
        *np.subtract(read.corners[0], read.corners[3])
    )


def test_a_tile_at_the_end_of_a_branch_that_nobody_detected_is_found(monkeypatch):
    path = SAMPLES[1]

    def missed(found: Detections, which: int) -> Detections:
        keep = np.arange(len(found.centers)) != which
        return Detections(found.centers[keep], found.scores[keep], found.pitches[keep])

    detected_otherwise(monkeypatch, truth_of(path).tiles[13].center, missed)
    assert_perfect(truth_of(path), read_photo(path).layout)


def test_a_tile_hidden_from_the_detector_by_its_neighbour_is_found(monkeypatch):
    """Seen so steeply that the neighbour, detected a fifth of the way too near, is close by in pixels."""
    truth, pixels = truth_of(SAMPLES[0]), load_photo(SAMPLES[0]).pixels
    end, neighbour = (np.array(truth.tiles[i].center) for i in (20, 18))
    along = (end - neighbour) / np.linalg.norm(end - neighbour)
    squeeze = np.eye(2) - 0.5 * np.outer(along, along)
    middle = np.array(pixels.shape[1::-1]) / 2
    steep = np.c_[squeeze, middle - squeeze @ middle]
    squeezed = cv2.warpAffine(pixels, steep, pixels.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    moved = [replace(t, center=tuple((steep @ (*t.center, 1.0)).tolist())) for t in truth.tiles if t.center]
    end, neighbour = (np.array(moved[i].center) for i in (20, 18))

    def merged(found: Detections, which: int) -> Detections:
        centers = found.centers.copy()
        centers[np.linalg.norm(centers - neighbour, axis=1).argmin()] += 0.2 * (end - neighbour)
        keep = np.arange(len(centers)) != which
        return Detections(centers[keep], found.scores[keep], found.pitches[keep])

    def credulous(*args, turns=ALL_TURNS) -> TileEvidence:
        """Sure of a tile at the detection as well, as with a tall token that reaches there."""
        evidence = tile_evidence(*args, turns=turns)
        return replace(evidence, presence=np.maximum(evidence.presence, 0.9999 if len(turns) == 1 else 0.0))

    detected_otherwise(monkeypatch, tuple(end), merged)
    monkeypatch.setattr("vision.reader.tile_evidence", credulous)
    reading = read_photo(Photo(np.asarray(squeezed, np.uint8), "steep"))
    assert_perfect(replace(truth, tiles=tuple(moved)), reading.layout)


def test_a_place_nobody_detected_must_look_like_a_tile_in_every_turn(monkeypatch: pytest.MonkeyPatch):
    def credulous(*args, turns=ALL_TURNS) -> TileEvidence:
        """Sure of a tile everywhere at first sight, and still more likely than not in all turns."""
        evidence = tile_evidence(*args, turns=turns)
        return replace(evidence, presence=np.maximum(evidence.presence, 0.95 if len(turns) == 1 else 0.7))

    monkeypatch.setattr("vision.reader.tile_evidence", credulous)
    assert_perfect(truth_of(SAMPLES[0]), read_photo(SAMPLES[0]).layout)


@pytest.mark.parametrize("kind", TRAIN_SURFACES[:4])
def test_a_bare_table_has_no_environment(kind: str):
    pixels = surface(kind, 480, 640, np.random.default_rng(5))
    with pytest.raises(NoEnvironmentError, match="shows no environment"):
        read_photo(Photo(pixels, "table.jpg"))


def test_the_stages_are_told_and_timed_in_order():
    told: list[tuple[str, float]] = []
    reading = read_photo(SAMPLES[0], progress=lambda stage, done: told.append((stage, done)))
    assert [stage for stage, _ in told] == [*STAGES, STAGES[-1]]
    shares = [done for _, done in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert tuple(reading.timings) == STAGES


def test_two_people_reading_at_once_both_get_their_own():
    alone = [read_photo(path).layout.to_dict() for path in SAMPLES[:2]]
    with ThreadPoolExecutor(2) as pool:
        together = [reading.layout.to_dict() for reading in pool.map(read_photo, SAMPLES[:2])]
    assert together == alone


def test_doubtful_tiles_name_their_alternatives_likeliest_first():
    for path in SAMPLES:
        for tile in read_photo(path).layout.tiles:
            for choices in (tile.terrain_alternatives, tile.token_alternatives):
                probabilities = [choice.probability for choice in choices]
                assert probabilities == sorted(probabilities, reverse=True)
            assert tile.tile.token not in [choice.value for choice in tile.token_alternatives]
            assert tile.tile.terrain not in [choice.value for choice in tile.terrain_alternatives]


REAL = ("wood-dark.jpg", "oak-37.jpg", "black-partial.jpg", "grass-3.png")


@pytest.mark.parametrize("name", REAL)
def test_a_photo_of_a_real_table(shared: Path, name: str):
    path = shared / "photos" / name
    row = compare(truth_of(path), read_photo(path).layout).counts
    assert row.grid == row.tiles
    assert row.right >= 0.95 * row.tiles
    assert row.silent <= 1


@pytest.mark.parametrize("name", ["box-and-insert.jpg", "score-cards.jpg", "scorepad.jpg"])
def test_game_material_without_an_environment(shared: Path, name: str):
    with pytest.raises(NoEnvironmentError):
        read_photo(shared / "negatives" / name)
