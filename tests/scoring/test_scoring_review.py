"""What doubt is worth."""

from __future__ import annotations

from dataclasses import replace

from drawn import drawn

from scoring import Alternative, Cell, Layout, LayoutTile, Review, Species, Terrain, edges, worth_of_doubt


def read(board: str, doubts: dict[Cell, LayoutTile] | None = None) -> Layout:
    """A layout of a drawn board, sure of all tiles but those of ``doubts``."""
    tiles = [
        LayoutTile(tile, confidence_terrain=0.999, confidence_token=0.999)
        for tile in drawn(board).tiles.values()
    ]
    doubts = doubts or {}
    return Layout(
        tuple(
            replace(doubts[placed.tile.cell], tile=placed.tile) if placed.tile.cell in doubts else placed
            for placed in tiles
        )
    )


def token_doubt(confidence: float, *others: tuple[Species | None, float]) -> LayoutTile:
    return LayoutTile(
        next(iter(drawn(".").tiles.values())),
        confidence_token=confidence,
        needs_review=True,
        token_alternatives=tuple(Alternative(token, probability) for token, probability in others),
    )


def test_a_layout_without_confidences_has_no_review() -> None:
    layout = Layout(tuple(LayoutTile(tile) for tile in drawn("B B").tiles.values()))
    assert worth_of_doubt(layout) is None


def test_a_sure_layout_has_nothing_to_review() -> None:
    assert worth_of_doubt(read("B B")) == Review((), 6, 6)


def test_a_doubtful_token_moves_the_total() -> None:
    layout = read("B B", {(1, 0): token_doubt(0.7, (None, 0.3))})
    assert worth_of_doubt(layout) == Review(((1, 0),), 2, 6, deciding=1)
    assert worth_of_doubt(layout, cards={Species.BEAR: "B"}) == Review(((1, 0),), 2, 2)


def test_a_doubtful_terrain_moves_the_corridor() -> None:
    tiles = list(read("B B").tiles)
    tiles[1] = replace(
        tiles[1],
        needs_review=True,
        terrain_alternatives=(Alternative(edges(Terrain.FOREST, Terrain.RIVER, 5), 0.2),),
    )
    # Forest on edges 5, 0, 1 faces away: the forest corridor is one tile, and there is one of river.
    assert worth_of_doubt(Layout(tuple(tiles))) == Review(((1, 0),), 6, 6)
    tiles[1] = replace(tiles[1], terrain_alternatives=(Alternative(edges(Terrain.RIVER), 0.2),))
    tiles.append(LayoutTile(next(iter(drawn(".").tiles.values()))))
    tiles[2] = replace(tiles[2], tile=replace(tiles[2].tile, cell=(2, 0)))
    assert worth_of_doubt(Layout(tuple(tiles))) == Review(((1, 0),), 6, 7, deciding=1)


def test_tiles_that_move_the_total_come_before_more_doubtful_ones() -> None:
    layout = read(
        "B B . . .",
        {
            (1, 0): token_doubt(0.9, (None, 0.1)),
            (3, 0): token_doubt(0.5, (Species.BEAR, 0.5)),
            (4, 0): token_doubt(0.6, (Species.BEAR, 0.4)),
        },
    )
    review = worth_of_doubt(layout)
    assert review is not None
    assert review.tiles == ((1, 0), (3, 0), (4, 0))
    assert review.deciding == 1


def test_doubts_are_worth_more_together() -> None:
    layout = read(
        "B B . B B",
        {(0, 0): token_doubt(0.8, (None, 0.2)), (3, 0): token_doubt(0.8, (None, 0.2))},
    )
    assert worth_of_doubt(layout) == Review(((0, 0), (3, 0)), 5, 16, deciding=2)


def test_unlikely_alternatives_do_not_count_beside_a_likely_one() -> None:
    layout = read("B B", {(1, 0): token_doubt(0.9, (Species.BEAR, 0.09), (None, 0.001))})
    assert worth_of_doubt(layout) == Review(((1, 0),), 6, 6)
    layout = read("B B", {(1, 0): token_doubt(0.99, (None, 0.001))})
    assert worth_of_doubt(layout) == Review(((1, 0),), 2, 6, deciding=1)
