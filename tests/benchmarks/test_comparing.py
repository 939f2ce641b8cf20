"""A reading is judged in the words of the project's contract."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.comparing import Counts, compare, most_like, tile_width
from scoring.hexgrid import turn
from scoring.layout import Layout, parse_layout, save_layout
from scoring.pieces import SPECIES, terrain_states

PITCH = 60.0


def board(cells: list[tuple[int, int]], rng: np.random.Generator, nature_tokens: int = 1) -> dict[str, Any]:
    """A layout's JSON with random tiles on `cells`."""
    states = terrain_states()
    tiles = []
    for q, r in cells:
        species = [None, *map(str, SPECIES)][rng.integers(6)]
        center = [200 + PITCH * (q + r / 2), 200 + PITCH * r * 0.866]
        terrain = [str(edge) for edge in states[rng.integers(len(states))]]
        tiles.append({"q": q, "r": r, "terrain": terrain, "token": species, "center": center})
    return {"version": 1, "tiles": tiles, "nature_tokens": nature_tokens}


CELLS = [(q, r) for q in range(4) for r in range(3)]


@pytest.fixture
def truth() -> dict[str, Any]:
    return board(CELLS, np.random.default_rng(5))


def copied(data: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(data))


def turned(data: dict[str, Any], turns: int, dq: int, dr: int) -> dict[str, Any]:
    """The same environment under another name of the first direction and the first cell."""
    data = copied(data)
    for tile in data["tiles"]:
        q, r = turn((tile["q"], tile["r"]), turns)
        tile["q"], tile["r"] = q + dq, r + dr
        tile["terrain"] = [tile["terrain"][(edge - turns) % 6] for edge in range(6)]
    return data


def other_terrain(tile: dict[str, Any]) -> list[str]:
    return ["river"] * 6 if set(tile["terrain"]) != {"river"} else ["forest"] * 6


def other_token(tile: dict[str, Any]) -> str:
    return "bear" if tile["token"] != "bear" else "elk"


def counts(truth: dict[str, Any], read: dict[str, Any]) -> Counts:
    return compare(parse_layout(truth), parse_layout(read)).counts


@pytest.mark.parametrize("turns", range(6))
def test_names_of_cells_and_directions_do_not_matter(truth: dict[str, Any], turns: int) -> None:
    assert counts(truth, turned(truth, turns, 3, -7)) == Counts(12, 12, 0, 12, 12, 12, 12, 1, 0, 0, 1)


def test_each_kind_of_fault_is_counted_where_it_belongs(truth: dict[str, Any]) -> None:
    read = copied(truth)
    tiles = read["tiles"]
    tiles[0]["terrain"] = other_terrain(tiles[0])
    tiles[1]["token"] = other_token(tiles[1])
    tiles[2]["q"] += 20  # right place in the photo, wrong cell
    tiles[3]["terrain"], tiles[3]["token"] = other_terrain(tiles[3]), other_token(tiles[3])
    tiles[3]["needs_review"] = True
    del tiles[4]
    tiles.append({"q": -9, "r": 0, "terrain": ["river"] * 6, "token": None, "center": [900, 900]})
    read["nature_tokens"] = 3
    comparison = compare(parse_layout(truth), parse_layout(read))
    assert comparison.counts == Counts(
        tiles=12, found=11, extra=1, grid=10, terrain=8, token=8, right=7, perfect=0, flagged=1, silent=5,
        pinecones=0,
    )  # fmt: skip
    assert comparison.faults() == {
        "not detected": 1, "off the grid": 1, "terrain": 2, "token": 2, "extra": 1,
    }  # fmt: skip


def test_an_extra_tile_spoils_a_perfect_photo(truth: dict[str, Any]) -> None:
    read = copied(truth)
    read["tiles"].append({"q": 9, "r": 9, "terrain": ["river"] * 6, "token": None, "center": [900, 900]})
    assert counts(truth, read) == Counts(12, 12, 1, 12, 12, 12, 12, 0, 0, 1, 1)


def test_a_tile_that_can_be_read_in_two_ways_is_right_in_both(truth: dict[str, Any]) -> None:
    read = copied(truth)
    read["tiles"][0]["terrain"] = other_terrain(read["tiles"][0])
    truth["tiles"][0]["terrain_also"] = [read["tiles"][0]["terrain"]]
    assert counts(truth, turned(read, 2, 0, 0)).right == 12


def test_nothing_read_leaves_every_tile_missing_and_silent(truth: dict[str, Any]) -> None:
    empty = {"version": 1, "tiles": []}
    assert counts(truth, empty) == Counts(tiles=12, silent=12, pinecones=0)


def test_all_tiles_are_extra_where_there_is_no_environment(truth: dict[str, Any]) -> None:
    assert counts({"version": 1, "tiles": []}, truth) == Counts(extra=12, silent=12)


def test_centers_are_needed() -> None:
    bare = parse_layout({"version": 1, "tiles": [{"q": 0, "r": 0, "terrain": ["river"] * 6, "token": None}]})
    with pytest.raises(ValueError, match=r"truth's tile at \(0, 0\) has no centre"):
        compare(bare, bare)


def test_tile_width_is_the_distance_of_touching_tiles(truth: dict[str, Any]) -> None:
    assert tile_width(parse_layout(truth)) == pytest.approx(PITCH, rel=1e-3)


def test_of_two_environments_the_one_at_the_truths_place_is_judged(truth: dict[str, Any]) -> None:
    mine = parse_layout(truth)
    far = replace(
        mine,
        tiles=tuple(replace(t, center=(t.center[0] + 2000, t.center[1])) for t in mine.tiles if t.center),
    )
    assert most_like(mine, [far, mine]) is mine
    assert most_like(mine, []) is None


def test_counts_add_up_and_leave_out_what_is_not_stated() -> None:
    assert Counts(tiles=2, pinecones=1) + Counts(tiles=3) == Counts(tiles=5, pinecones=1)
    assert (Counts() + Counts()).pinecones is None


def spoiled(truth: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """A reading of `truth` with many random faults."""
    read = turned(truth, int(rng.integers(6)), int(rng.integers(-3, 4)), int(rng.integers(-3, 4)))
    for tile in read["tiles"]:
        tile["center"] = [float(v) for v in np.array(tile["center"]) + rng.normal(0, 8, 2)]
        if rng.random() < 0.15:
            tile["terrain"] = other_terrain(tile)
        if rng.random() < 0.15:
            tile["token"] = other_token(tile)
        if rng.random() < 0.1:
            tile["q"] += 40
        if rng.random() < 0.1:
            tile["center"] = [float(v) for v in rng.uniform(-500, 900, 2)]
        tile["needs_review"] = bool(rng.random() < 0.3)
    keep = rng.random(len(read["tiles"])) < 0.9
    read["tiles"] = [tile for tile, kept in zip(read["tiles"], keep, strict=True) if kept]
    return read


def shared_counts(shared: Path, folder: Path, truth: Layout, read: Layout) -> Counts:
    """What the contract's own tool says."""
    save_layout(truth, folder / "truth.json")
    save_layout(read, folder / "read.json")
    tool = shared / "tools" / "compare_layouts.py"
    command = [sys.executable, str(tool), str(folder / "truth.json"), str(folder / "read.json")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    total = next(line for line in run.stdout.splitlines() if line.startswith("TOTAL "))
    values = json.loads(total.removeprefix("TOTAL "))
    del values["photos"]
    return Counts(**values)


@pytest.mark.parametrize("seed", range(8))
def test_agrees_with_the_shared_tool_on_spoiled_readings(shared: Path, tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    files = sorted((shared / "photos").glob("*.json"))
    sources: list[Callable[[], dict[str, Any]]] = [lambda: board(CELLS, rng)]
    sources += [lambda path=path: json.loads(path.read_text()) for path in files]  # type: ignore[misc]
    data = sources[seed % len(sources)]()
    truth, read = parse_layout(data), parse_layout(spoiled(data, rng))
    assert compare(truth, read).counts == shared_counts(shared, tmp_path, truth, read)
