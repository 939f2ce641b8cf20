"""The game's state, corrections by hand and the actions of the score view."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from scoring.environment import Tile
from scoring.layout import Alternative, Layout, LayoutError, LayoutTile
from scoring.pieces import Species, Terrain, edges
from webapp import edits
from webapp.actions import apply_outbox, changed
from webapp.game import MAX_NAME, STEPS_KEPT, Game, History, Player, clean_name, parse_game
from webapp.store import SavedGame

FOREST = edges(Terrain.FOREST)
SPLIT = [*["forest"] * 3, *["river"] * 3]


def layout(*cells: tuple[int, int]) -> Layout:
    return Layout(
        tuple(
            LayoutTile(
                Tile(cell, FOREST, Species.BEAR),
                needs_review=True,
                confidence_token=0.5,
                confidence_terrain=0.9,
                token_alternatives=(Alternative(None, 0.4),),
            )
            for cell in cells
        ),
        nature_tokens=1,
    )


def game() -> Game:
    return Game((Player("Ann", layout((0, 0), (1, 0))),))


def tile_at(game: Game, cell: tuple[int, int]) -> LayoutTile | None:
    placed = game.players[0].layout
    return next((tile for tile in placed.tiles if tile.tile.cell == cell), None) if placed else None


def test_a_corrected_token_is_certain_and_the_rest_stays():
    after = edits.set_token(layout((0, 0), (1, 0)), (0, 0), "elk")
    first, second = after.tiles
    assert first.tile.token is Species.ELK
    assert not first.needs_review
    assert first.confidence_token == 1.0
    assert first.token_alternatives == ()
    assert second.needs_review


def test_a_terrain_on_an_empty_place_adds_a_tile():
    after = edits.set_terrain(layout((0, 0)), (0, 1), SPLIT)
    assert [tile.tile.cell for tile in after.tiles] == [(0, 0), (0, 1)]
    assert after.tiles[1].tile.token is None


def test_edges_that_no_tile_has_are_refused():
    with pytest.raises(ValueError, match="no tile has the edges"):
        edits.set_terrain(layout((0, 0)), (0, 0), ["forest", "river"] * 3)


@pytest.mark.parametrize(
    "action",
    [
        {"type": "token", "seat": 0, "cell": "0,0", "token": "newt"},
        {"type": "token", "seat": 7, "cell": "0,0", "token": "elk"},
        {"type": "token", "seat": -1, "cell": "0,0", "token": "elk"},
        {"type": "token", "seat": 0, "cell": "x", "token": "elk"},
        {"type": "terrain", "seat": 0, "cell": "0,0", "terrain": ["forest", "river"] * 3},
        {"type": "terrain", "seat": 0, "cell": "0,0", "terrain": 3},
        {"type": "card", "species": "bear", "letter": "E"},
        {"type": "card", "species": "bear", "letter": "AB"},
        {"type": "variant", "variant": "solo"},
        {"type": "grid", "seat": 0, "turn": "far"},
        {"type": "nature", "seat": 0},
        {"type": "sing"},
        {},
    ],
)
def test_an_action_that_makes_no_sense_changes_nothing(action):
    assert changed(game(), action) == game()


def test_actions_are_done_once_and_in_order():
    saved = SavedGame(History(game()))
    first = {"number": 1, "type": "token", "seat": 0, "cell": "0,0", "token": "elk"}
    second = {"number": 2, "type": "remove", "seat": 0, "cell": "1,0"}
    saved = apply_outbox(saved, {"page": "p", "actions": [first]})
    saved = apply_outbox(saved, {"page": "p", "actions": [first, second]})
    saved = apply_outbox(saved, {"page": "p", "actions": [first, second]})
    assert len(saved.history.past) == 2
    assert saved.applied == {"p": 2}
    assert tile_at(saved.history.game, (1, 0)) is None
    saved = apply_outbox(saved, {"page": "p", "actions": [{"number": 3, "type": "undo"}]})
    saved = apply_outbox(saved, {"page": "p", "actions": [{"number": 3, "type": "undo"}]})
    assert tile_at(saved.history.game, (1, 0)) is not None
    assert tile_at(saved.history.game, (0, 0)).tile.token is Species.ELK


def test_two_open_pages_count_their_own_actions():
    saved = SavedGame(History(game()))
    action = {"number": 1, "type": "nature", "seat": 0, "count": 3}
    saved = apply_outbox(saved, {"page": "a", "actions": [action]})
    saved = apply_outbox(saved, {"page": "b", "actions": [{**action, "count": 5}]})
    assert saved.history.game.players[0].layout.nature_tokens == 5


@pytest.mark.parametrize("outbox", [None, 3, {}, {"actions": None}, {"actions": [None, {"number": "1"}]}])
def test_an_outbox_that_is_none_changes_no_game(outbox):
    assert apply_outbox(SavedGame(History(game())), outbox).history == History(game())


def test_card_and_variant():
    after = changed(game(), {"type": "variant", "variant": "family"})
    assert after.variant == "family"
    after = changed(after, {"type": "card", "species": "hawk", "letter": "D"})
    assert (after.cards, after.variant) == ("AAADA", None)


def test_house_rules_are_switched_one_by_one():
    after = changed(game(), {"type": "house_rule", "rule": "elk_c_cap", "on": True})
    after = changed(after, {"type": "house_rule", "rule": "salmon_lenient", "on": True})
    assert after.house_rules == {"elk_c_cap", "salmon_lenient"}
    after = changed(after, {"type": "house_rule", "rule": "elk_c_cap", "on": False})
    assert after.house_rules == {"salmon_lenient"}
    assert changed(after, {"type": "house_rule", "rule": "no such", "on": True}) == after


def test_undo_and_redo_lead_back_and_forth():
    history = History()
    for count in (2, 3):
        history = history.step(history.game.with_seats(count))
    assert len(history.undo().game.players) == 2
    assert history.undo().undo().undo().game == Game()
    assert history.undo().redo() == history
    assert history.step(history.game) == history
    for number in range(2 * STEPS_KEPT):
        history = history.step(history.game.with_player(0, name=str(number)))
    assert len(history.past) == STEPS_KEPT


def test_seats_are_filled_in_order_up_to_four():
    table = Game()
    for _ in range(4):
        table = table.seated(layout((0, 0)), None)
    assert len(table.players) == 4
    with pytest.raises(ValueError, match="all four"):
        table.seated(layout((0, 0)), None)
    assert table.with_player(1, layout=None).free_seat() == 1


def test_a_game_survives_its_backup():
    rules = frozenset({"elk_c_cap"})
    table = replace(game(), cards="ABCDA", variant="family", majority=False, house_rules=rules)
    assert parse_game(json.loads(json.dumps(table.to_dict()))) == table


@pytest.mark.parametrize(
    "data",
    [None, [], {}, {"players": [3], "cards": "AAAAA"}, {"players": [], "cards": "AAAAX"}, {"players": []}],
)
def test_a_broken_backup_is_refused(data):
    with pytest.raises(ValueError, match="no saved game"):
        parse_game(data)


def test_a_backup_with_a_broken_layout_is_refused():
    with pytest.raises(LayoutError):
        parse_game({"players": [{"layout": {"version": 1}}], "cards": "AAAAA"})


def test_names_are_one_short_line():
    assert clean_name("  Ann\n\x00\u202e Lee ") == "Ann Lee"
    assert len(clean_name("x" * 500)) == MAX_NAME
