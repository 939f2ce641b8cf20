"""`cascadia score`: photos and layout files to the score sheet of a game."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cascadia import files, pad
from cascadia.errors import UserError
from cascadia.inputs import Source, in_reading_order, read_input, with_photo
from cascadia.read import draw, overlay_paths
from cascadia.terminal import counted, shortened, valid, warn, write

if TYPE_CHECKING:
    from scoring.game import ScoreSheet
    from scoring.layout import Layout
    from scoring.review import Review

_MOST_CELLS_NAMED = 4


@dataclass(frozen=True)
class Options:
    """What the user asked for; texts as typed, checked by `score`."""

    cards: str | None = None
    variant: str | None = None
    names: str | None = None
    nature: str | None = None
    house_rules: tuple[str, ...] = ()
    majority: bool = True
    explain: bool = False
    json: bool = False
    overlay: Path | None = None

    @classmethod
    def from_namespace(cls, options: argparse.Namespace) -> Options:
        """The options of `cascadia score` as parsed by `cascadia.cli`."""
        return cls(
            options.cards,
            options.variant,
            options.names,
            options.nature,
            tuple(options.house_rules),
            options.majority,
            options.explain,
            options.json,
            options.overlay,
        )


@dataclass(frozen=True)
class _Seat:
    """A player: name, where the environment was read from, and the environment's layout."""

    name: str
    source: Source
    layout: Layout


def score(inputs: Sequence[Path], options: Options) -> int:
    """Print the score sheet of the game whose environments are in `inputs`, one a player."""
    _check_number(inputs)
    names = _names(options.names)
    pictures = overlay_paths(options.overlay, inputs)
    rules = _rules(options)
    sources = [read_input(path) for path in inputs]
    seats = _with_nature_tokens(_seats(sources, names), options.nature)
    for seat in seats:
        _warn_of_oddities(seat)
    sheet = _score(seats, rules, majority=options.majority)
    reviews = [
        _review(seat, rules, player.bonus_total) for seat, player in zip(seats, sheet.players, strict=True)
    ]
    if options.json:
        write(json.dumps(_document(sheet, seats, reviews)))
    else:
        _print(sheet, reviews, explain=options.explain)
    for source, picture in zip(sources, pictures, strict=True):
        if picture is not None:
            layouts = [seat.layout for seat in seats if seat.source is source]
            files.write_picture(draw(with_photo(source), layouts), picture)
    return 0


def _check_number(inputs: Sequence[Path]) -> None:
    """Refuse more inputs than players before the first photo is read."""
    from scoring.game import MOST_PLAYERS

    if len(inputs) > MOST_PLAYERS:
        raise UserError(
            f"{len(inputs)} inputs: the game is for 1 to {MOST_PLAYERS} players, give one for each"
        )


def _names(text: str | None) -> list[str] | None:
    if text is None:
        return None
    names = [valid(name.strip()) for name in text.split(",")]
    if "" in names:
        raise UserError("a name in --names is empty: give names with a comma between them")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UserError(f"two players are called {twice!r} in --names: tell them apart")
    return names


def _rules(options: Options) -> dict[str, Any]:
    """Cards, variant and house rules as `score_game` takes them."""
    from scoring.game import HOUSE_RULES, parse_cards

    if options.cards is not None and options.variant is not None:
        raise UserError(f"--cards and --variant {options.variant} exclude each other: give one of them")
    for rule in options.house_rules:
        if rule not in HOUSE_RULES:
            raise UserError(f"there is no house rule {rule!r}: choose from {', '.join(HOUSE_RULES)}")
    try:
        cards = None if options.cards is None else parse_cards(options.cards)
    except ValueError as error:
        raise UserError(f"--cards: {error}") from None
    return {"cards": cards, "variant": options.variant, "house_rules": frozenset(options.house_rules)}


def _seats(sources: Sequence[Source], names: Sequence[str] | None) -> list[_Seat]:
    """Who has which environment: one a source, or all of them where there are as many names."""
    everything = [(source, layout) for source in sources for layout in source.layouts]
    if names is not None and len(names) == len(everything) > len(sources):
        return list(_all_seats(sources, iter(names)))
    if names is not None and len(names) != len(sources):
        seen = counted(len(everything), "environment")
        raise UserError(f"--names has {counted(len(names), 'name')} for {seen}: give one for each")
    for source in sources:
        if len(source.layouts) > 1:
            warn(
                f"{source.name} shows {len(source.layouts)} environments, the largest is scored: "
                "give as many names (--names Ann,Ben) to score all"
            )
    given = names if names is not None else _default_names(sources)
    return [_Seat(name, source, source.layouts[0]) for name, source in zip(given, sources, strict=True)]


def _all_seats(sources: Sequence[Source], names: Iterator[str]) -> Iterator[_Seat]:
    for source in sources:
        layouts, order = in_reading_order(source.layouts)
        seats = [_Seat(next(names), source, layout) for layout in layouts]
        if len(seats) > 1:
            warn(f"{source.name} shows the environments of {', '.join(s.name for s in seats)} {order}")
        yield from seats


def _default_names(sources: Sequence[Source]) -> list[str]:
    """The files' names without ending; numbered where two are alike."""
    stems = [valid(source.path.stem) for source in sources]
    return [
        stem if stems.count(stem) == 1 else f"{stem} {stems[: i + 1].count(stem)}"
        for i, stem in enumerate(stems)
    ]


def _with_nature_tokens(seats: list[_Seat], text: str | None) -> list[_Seat]:
    if text is None:
        return seats
    from scoring.layout import MAX_NATURE_TOKENS

    numbers = []
    for word in text.split(","):
        digits = word.strip()
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(digits) > MAX_NATURE_TOKENS:
            raise UserError(f"--nature: {shortened(digits, 20)!r} is not a number of nature tokens")
        numbers.append(int(digits))
    if len(numbers) != len(seats):
        have, need = counted(len(numbers), "number"), counted(len(seats), "player")
        raise UserError(f"--nature has {have} for {need}: give one for each")
    return [
        replace(seat, layout=replace(seat.layout, nature_tokens=number))
        for seat, number in zip(seats, numbers, strict=True)
    ]


def _warn_of_oddities(seat: _Seat) -> None:
    """What the reader and the check of the rules find unusual, each sentence once."""
    from scoring.environment import check

    layout = seat.layout
    problems = check((placed.tile for placed in layout.tiles), layout.nature_tokens or 0)
    sentences = dict.fromkeys(layout.warnings)
    for problem in problems:
        if problem.message not in sentences:
            named = 0 < len(problem.cells) <= _MOST_CELLS_NAMED
            where = " at " + " ".join(f"({q},{r})" for q, r in problem.cells) if named else ""
            sentences[problem.message + where] = None
    for sentence in sentences:
        warn(f"{seat.source.name}: {sentence}")


def _score(seats: Sequence[_Seat], rules: dict[str, Any], *, majority: bool) -> ScoreSheet:
    from scoring.game import score_game

    try:
        return score_game(
            [seat.layout.environment() for seat in seats],
            names=[seat.name for seat in seats],
            majority=majority,
            **rules,
        )
    except ValueError as error:
        raise UserError(str(error)) from error


def _review(seat: _Seat, rules: dict[str, Any], bonus: int) -> Review | None:
    """The worth of the doubtful tiles, its totals like the printed one with the majority bonus as it is."""
    from scoring.review import worth_of_doubt

    review = worth_of_doubt(seat.layout, **rules)
    return review and review.with_bonus(bonus)


def _document(sheet: ScoreSheet, seats: Sequence[_Seat], reviews: Sequence[Review | None]) -> dict[str, Any]:
    """The score sheet as JSON data, with the source and the review of each player."""
    document = sheet.to_dict()
    for player, seat, review in zip(document["players"], seats, reviews, strict=True):
        player["source"] = valid(seat.source.name)
        player["review"] = review and {
            "tiles": [list(cell) for cell in review.tiles],
            "low": review.low,
            "high": review.high,
        }
    return document


def _print(sheet: ScoreSheet, reviews: Sequence[Review | None], *, explain: bool) -> None:
    write(pad.pad(sheet))
    doubts = [pad.doubt(player.name, review) for player, review in zip(sheet.players, reviews, strict=True)]
    closing = [sentence for sentence in (pad.outcome(sheet), *doubts) if sentence]
    if closing:
        write()
    for sentence in closing:
        write(sentence)
    if explain:
        write()
        write(pad.explanation(sheet))
