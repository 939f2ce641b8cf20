"""Time the rules engine.

    python -m benchmarks.speed [--cases ../shared/scoring/cases.jsonl]

A *whole sheet* is all twenty cards, both variants and the corridors of one board. Prints the median and the
worst of the boards in ``--cases`` (else of random boards of 23 tiles), the time to import ``scoring`` in a
fresh interpreter, and for every card the slowest of the stress boards (:func:`worst_times`): 23, 40 and 100
tiles in many shapes, full of one species or with it on some of them at random. Times are of this process's
own CPU (``time.process_time``), so that other programs do not count.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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
from scoring.hexgrid import DIRECTIONS

#: Cards that are searched otherwise under a house rule.
HOUSE_RULED = {Species.ELK: (("C", ("elk_c_cap",)), ("D", ("elk_d_gaps",)))}


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


def grown(number: int, seed: int, roundness: int = 2) -> list[Cell]:
    """A connected set of ``number`` cells grown at random; the rounder, the fewer arms."""
    generator = random.Random(seed)
    cells = {(0, 0)}
    while len(cells) < number:
        border = sorted({other for cell in cells for other in neighbors(cell)} - cells)
        weights = [float(sum(other in cells for other in neighbors(cell))) ** roundness for cell in border]
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


@dataclass(frozen=True, slots=True)
class Worst:
    """The board on which a card took longest, and how long (seconds of CPU time)."""

    card: str
    tiles: int
    seconds: float
    board: str


def stress_shapes(number: int) -> dict[str, list[Cell]]:
    """Sets of ``number`` cells, hard in different ways: wide, long, branched, ragged, full of holes."""
    arms = [
        (step * direction[0], step * direction[1]) for step in range(1, number) for direction in DIRECTIONS
    ]
    within_160 = hexagon(number + 3 * number // 5)
    near = hexagon(2 * number)
    shapes = {
        "hexagon": hexagon(number),
        "strip of 3": [(i // 3, i % 3) for i in range(number)],
        "strip of 6": [(i // 6, i % 6) for i in range(number)],
        "star": [(0, 0), *arms[: number - 1]],
        "holes": [cell for cell in near if (cell[0] - cell[1]) % 3][:number],
    }
    for seed in (1, 2):
        for name, roundness in (("round", 2), ("ragged", 0), ("branched", -3)):
            shapes[f"{name} {seed}"] = grown(number, seed, roundness)
        shapes[f"scattered {seed}"] = random.Random(seed).sample(within_160, number)
    return shapes


def stress_boards(species: Species, number: int) -> Iterator[tuple[str, Environment]]:
    """Boards of ``number`` tiles full of ``species``, and with it on some of them and others on the rest."""
    plain = terrain_states()[0]
    for shape, cells in stress_shapes(number).items():
        yield f"full, {shape}", Environment.of(Tile(cell, plain, species) for cell in cells)
    others: list[Species | None] = [None, *(other for other in SPECIES if other != species)]
    for percent in (20, 40, 60, 80):
        generator = random.Random(percent)
        cells = grown(number, 2)
        chosen = set(generator.sample(cells, number * percent // 100))
        yield (
            f"{percent} %, round",
            Environment.of(
                Tile(cell, plain, species if cell in chosen else generator.choice(others)) for cell in cells
            ),
        )


def worst_times(sizes: Sequence[int] = (23, 40, 100)) -> Iterator[Worst]:
    """For each card, and for elk under their house rules, the slowest stress board of each size."""
    for species in SPECIES:
        for letter, rules in [*((letter, ()) for letter in CARD_LETTERS), *HOUSE_RULED.get(species, ())]:
            card = " ".join([species, letter, *rules])
            for number in sizes:
                times = {
                    name: seconds(partial(score_environment, env, species, letter, rules))
                    for name, env in stress_boards(species, number)
                }
                board = max(times, key=lambda name: times[name])
                yield Worst(card, number, times[board], board)


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

    import scoring.cards.wide  # noqa: F401  (imports SciPy, which the first large herd would be charged with)

    print("slowest stress board of each card:")
    for slow in worst_times():
        print(f"  {slow.card:18}{slow.tiles:4} tiles{1000 * slow.seconds:9.1f} ms  {slow.board}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
