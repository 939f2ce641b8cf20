"""Time the rules engine.

    python -m benchmarks.speed [--cases ../shared/scoring/cases.jsonl]

A *whole sheet* is all twenty cards, both variants and the corridors of one board. Prints the median and the
worst of the boards in ``--cases`` (else of random boards of 23 tiles), the time to import ``scoring`` in a
fresh interpreter, and the slowest card of stress boards: 23, 40 and 100 tiles full of one species, and 100
tiles with one species on some of them at random. Times are of this process's own CPU
(``time.process_time``), so that other programs do not count.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from scoring import (
    CARD_LETTERS,
    SPECIES,
    TERRAINS,
    Cell,
    Environment,
    Species,
    Tile,
    corridors,
    neighbors,
    parse_layout,
    score_environment,
    terrain_states,
)
from scoring.cards.family import family, intermediate


def whole_sheet(env: Environment) -> None:
    """All twenty cards, both variants and the corridors of one board."""
    for species in SPECIES:
        for letter in CARD_LETTERS:
            score_environment(env, species, letter)
        family(env, species)
        intermediate(env, species)
    for terrain in TERRAINS:
        corridors(env, terrain)


def seconds(work: Callable[[], object]) -> float:
    """CPU time of ``work``."""
    start = time.process_time()
    work()
    return time.process_time() - start


def grown(number: int, seed: int) -> list[Cell]:
    """A connected set of ``number`` cells, grown at random but fairly round."""
    generator = random.Random(seed)
    cells = {(0, 0)}
    while len(cells) < number:
        border = sorted({other for cell in cells for other in neighbors(cell)} - cells)
        weights = [sum(other in cells for other in neighbors(cell)) ** 2 for cell in border]
        cells.add(generator.choices(border, weights)[0])
    return sorted(cells)


def hexagon(number: int) -> list[Cell]:
    """The ``number`` cells nearest to (0, 0)."""
    cells = [(q, r) for q in range(-9, 10) for r in range(-9, 10)]
    return sorted(cells, key=lambda cell: (cell[0] ** 2 + cell[0] * cell[1] + cell[1] ** 2, cell))[:number]


def random_board(number: int, seed: int) -> Environment:
    """A board of random tiles with random tokens."""
    generator = random.Random(seed)
    return Environment.of(
        Tile(cell, generator.choice(terrain_states()), generator.choice([None, *SPECIES]))
        for cell in grown(number, seed)
    )


def stress_boards(species: Species) -> Iterator[tuple[str, Environment]]:
    """Boards full of ``species``, and boards with it on a part of the tiles and others on the rest."""
    plain = terrain_states()[0]
    for number in (23, 40, 100):
        for shape, cells in (("hexagon", hexagon(number)), ("grown", grown(number, 1))):
            yield (
                f"{number} tiles full, {shape}",
                Environment.of(Tile(cell, plain, species) for cell in cells),
            )
    others: list[Species | None] = [None, *(other for other in SPECIES if other != species)]
    for share in (20, 40, 60, 80):
        generator = random.Random(share)
        cells = grown(100, 2)
        chosen = set(generator.sample(cells, share))
        yield (
            f"100 tiles, {share} of them",
            Environment.of(
                Tile(cell, plain, species if cell in chosen else generator.choice(others)) for cell in cells
            ),
        )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=Path, help="scored boards, one JSON object with a 'layout' a line")
    path: Path | None = parser.parse_args(arguments).cases
    if path is None:
        boards = {f"random board {seed}": random_board(23, seed) for seed in range(200)}
    elif path.is_file():
        cases = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        boards = {case["name"]: parse_layout(case["layout"]).environment() for case in cases}
    else:
        print(f"{path}: there is no such file", file=sys.stderr)
        return 2

    code = "import time; t = time.process_time(); import scoring; print(time.process_time() - t)"
    imports = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(5)
    ]
    print(f"import scoring: {1000 * statistics.median(imports):.0f} ms")

    times = {name: seconds(partial(whole_sheet, env)) for name, env in boards.items()}
    worst = max(times, key=lambda name: times[name])
    print(
        f"whole sheet, {len(boards)} boards: median {1000 * statistics.median(times.values()):.1f} ms, "
        f"worst {1000 * times[worst]:.1f} ms ({worst})"
    )

    print("slowest card of stress boards:")
    for species in SPECIES:
        for name, env in stress_boards(species):
            cards = {
                letter: seconds(partial(score_environment, env, species, letter)) for letter in CARD_LETTERS
            }
            letter = max(cards, key=lambda letter: cards[letter])
            print(f"  {species:7}{name:26}{1000 * cards[letter]:9.1f} ms  card {letter}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
