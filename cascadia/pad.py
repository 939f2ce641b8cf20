"""The score sheet as the paper pad has it: players in columns, categories in rows."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from cascadia.terminal import can_show, columns, counted, printable, shortened, to_left, to_right

if TYPE_CHECKING:
    from scoring.game import PlayerScore, ScoreSheet
    from scoring.hexgrid import Cell
    from scoring.review import Review

_LABEL = 15
_BONUS = 4
_LONGEST_NAME = 20
_LINE = 100


def pad(sheet: ScoreSheet) -> str:
    """The pad: rows for species, wildlife, habitats with bonus, nature tokens, total and rank."""
    from scoring.pieces import SPECIES, TERRAINS

    players = sheet.players
    names = [shortened(printable(player.name), _LONGEST_NAME) for player in players]
    widths = [max(6, columns(name) + 2) for name in names]

    def row(label: str, cell: Callable[[PlayerScore], tuple[object, str]]) -> str:
        line = to_left(label, _LABEL)
        for player, width in zip(players, widths, strict=True):
            value, bonus = cell(player)
            line += to_right(str(value), width) + to_left(f" {bonus}", _BONUS)
        return line.rstrip()

    width = _LABEL + sum(widths) + _BONUS * len(widths)
    thin, thick = (letter * width if can_show(letter) else "-" * width for letter in "─═")
    header = to_left("", _LABEL)
    for name, column in zip(names, widths, strict=True):
        header += to_right(name, column) + " " * _BONUS
    lines = [header.rstrip(), thin]
    lines += [
        row(_species_label(sheet, species), lambda player, s=species: (player.wildlife[s].points, ""))  # type: ignore[misc]
        for species in SPECIES
    ]
    lines += [row("Wildlife", lambda player: (player.wildlife_total, "")), thin]
    lines += [
        row(terrain.capitalize(), lambda player, t=terrain: _size_and_bonus(player, t))  # type: ignore[misc]
        for terrain in TERRAINS
    ]
    lines += [
        row("Habitats", lambda player: (player.habitat_total, _bonus(player.bonus_total))),
        thin,
        row("Nature tokens", lambda player: (player.nature_tokens, "")),
        thick,
        row("Total", lambda player: (player.total, "")),
    ]
    if len(players) > 1:
        lines.append(row("Rank", lambda player: (player.rank, "")))
    return "\n".join(lines)


def outcome(sheet: ScoreSheet) -> str:
    """Who won, and by what where the points are equal; "" for one player."""
    if len(sheet.players) == 1:
        return ""
    winners = [player for player in sheet.players if player.rank == 1]
    names = _listed(printable(player.name) for player in winners)
    points, tokens = winners[0].total, winners[0].nature_tokens
    if len(winners) > 1:
        equal = f"{counted(points, 'point')} and {counted(tokens, 'nature token')}"
        return f"{names} share the win: {equal} each."
    equals = [player for player in sheet.players if player.total == points and player not in winners]
    if not equals:
        return f"{names} wins with {counted(points, 'point')}."
    others = _listed(f"{player.nature_tokens} of {printable(player.name)}" for player in equals)
    return f"{names} wins the tie at {counted(points, 'point')} by nature tokens: {tokens} against {others}."


def explanation(sheet: ScoreSheet) -> str:
    """What earned each player the points of each category: points, reason, cells (q, r) of each group."""
    from scoring.pieces import SPECIES, TERRAINS

    lines = []
    for player in sheet.players:
        lines += ["", printable(player.name)]
        for species in SPECIES:
            score = player.wildlife[species]
            lines.append(f"  {_species_label(sheet, species)}: {counted(score.points, 'point')}")
            for group in score.groups:
                lines += _reason(group.points, group.reason, group.cells)
        for terrain in TERRAINS:
            habitat = player.habitats[terrain]
            bonus = f" and {habitat.bonus} majority bonus" if habitat.bonus else ""
            lines.append(f"  {terrain.capitalize()}: {counted(habitat.size, 'point')}{bonus}")
            if habitat.size:
                lines += _reason(habitat.size, f"corridor of {counted(habitat.size, 'tile')}", habitat.cells)
        lines.append(f"  Nature tokens: {counted(player.nature_tokens, 'point')}")
    return "\n".join(lines[1:])


def doubt(name: str, review: Review | None) -> str:
    """What the doubtful tiles of a player are worth, in a sentence; "" where none is."""
    if review is None or not review.tiles:
        return ""
    tiles = f"{printable(name)}: {counted(len(review.tiles), 'tile')} to check, {_cells(review.tiles)}"
    if review.low == review.high:
        return f"{tiles}: the total stays {review.low} either way."
    idle = len(review.tiles) - review.deciding
    which = "the first decides" if review.deciding == 1 else f"the first {review.deciding} decide"
    first = f" ({which})" if idle else ""
    return f"{tiles}{first}: the total lies between {review.low} and {review.high}."


def _species_label(sheet: ScoreSheet, species: str) -> str:
    from scoring.pieces import Species

    if sheet.variant is not None:
        return species.capitalize()
    return f"{species.capitalize():<7}{sheet.cards[Species(species)]}"


def _size_and_bonus(player: PlayerScore, terrain: str) -> tuple[object, str]:
    from scoring.pieces import Terrain

    habitat = player.habitats[Terrain(terrain)]
    return habitat.size, _bonus(habitat.bonus)


def _bonus(points: int) -> str:
    return f"+{points}" if points else ""


def _reason(points: int, reason: str, cells: Sequence[Cell]) -> list[str]:
    return textwrap.wrap(
        f"{printable(reason)}: {_cells(cells)}" if cells else printable(reason),
        _LINE,
        initial_indent=f"{points:>8}  ",
        subsequent_indent=" " * 10,
    )


def _cells(cells: Iterable[Cell]) -> str:
    return " ".join(f"({q},{r})" for q, r in cells)


def _listed(words: Iterable[str]) -> str:
    """``Ann, Ben and Cy``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
