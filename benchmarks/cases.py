"""Score every board of a folder of scored boards and count what differs.

    python -m benchmarks.cases ../shared/scoring

The folder holds ``cases.jsonl`` (a board a line: ``layout``, ``expected`` points of every card, of the
variants and the corridors, ``house_rules``: what changes under each) and ``majority.jsonl`` (corridor sizes
of one to four players, the bonus of each). Prints boards, scores and mismatches; exit status 1 if any
differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scoring import SPECIES, TERRAINS, Species, corridors, majority, parse_layout, score_environment
from scoring.cards.family import family, intermediate


def lines(path: Path) -> list[Any]:
    """The values of a file with one JSON value a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def differences(case: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """What is scored, the points expected and the points given, for everything ``case`` states."""
    env = parse_layout(case["layout"]).environment()
    expected = case["expected"]
    for species in SPECIES:
        for letter, points in expected["cards"][species].items():
            yield f"{species} {letter}", points, score_environment(env, species, letter).points
        yield f"family {species}", expected["family"][species], family(env, species).points
        yield f"intermediate {species}", expected["intermediate"][species], intermediate(env, species).points
    for terrain in TERRAINS:
        found = corridors(env, terrain)
        yield f"corridor {terrain}", expected["corridors"].get(terrain, 0), len(found[0]) if found else 0
    for rule, changes in case["house_rules"].items():
        for card, points in changes.items():
            name, letter = card.split()
            yield f"{card} with {rule}", points, score_environment(env, Species(name), letter, [rule]).points


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="folder with cases.jsonl and majority.jsonl")
    folder: Path = parser.parse_args(arguments).folder
    for name in ("cases.jsonl", "majority.jsonl"):
        if not (folder / name).is_file():
            print(f"{folder / name}: there is no such file", file=sys.stderr)
            return 2
    boards = lines(folder / "cases.jsonl")
    scored = wrong = 0
    for case in boards:
        for what, expected, given in differences(case):
            scored += 1
            if expected != given:
                wrong += 1
                print(f"{case['name']}: {what} is {expected}, scored {given}")
    rows = lines(folder / "majority.jsonl")
    for row in rows:
        given = list(majority(row["sizes"]))
        if given != row["bonus"]:
            wrong += 1
            print(f"majority of {row['sizes']} is {row['bonus']}, given {given}")
    print(f"{len(boards)} boards, {scored} scores, {len(rows)} majorities: {wrong} mismatches")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
