"""Pieces, table tops and clutter: shapes, seeds, and the right terrain on the right edge."""

import numpy as np
import pytest

from scoring.pieces import SPECIES, TERRAINS, terrain_states
from training.art import DISC_RADIUS, HEX_RADIUS, ArtKit, hexagon_alpha, hexagon_corners, split_of
from training.clutter import clutter_item
from training.real_art import RealKit, load_cutouts
from training.surfaces import HELD_BACK_SURFACES, TRAIN_SURFACES, surface

SIZE = 128


@pytest.fixture(scope="module")
def kit() -> ArtKit:
    return ArtKit(np.random.default_rng(5), textures=2, sprites=2)


@pytest.fixture(scope="module")
def real_kit(shared) -> RealKit:
    return RealKit(shared, np.random.default_rng(5))


def edge_color(face: np.ndarray, edge: int) -> np.ndarray:
    """Mean RGB of a patch near the middle of an edge, inside the hexagon and away from icons."""
    size = face.shape[0]
    angle = np.radians(60 * edge)
    reach = 0.77 * HEX_RADIUS * size * np.sqrt(3) / 2
    x, y = size / 2 + reach * np.array([np.cos(angle), np.sin(angle)])
    y, x = int(y), int(x)
    return face[y - 6 : y + 7, x - 6 : x + 7, :3].reshape(-1, 3).mean(axis=0)


def looks_like(terrain: str, color: np.ndarray) -> bool:
    """Whether a mean colour may be of this terrain and of no other that is easily told from it."""
    red, green, blue = color
    return {
        "prairie": red > 1.6 * blue and red > 1.02 * green,
        "forest": green > red and green > blue and max(color) < 165,
        "wetland": green > red - 25 and green > 95 and red + green > 1.5 * blue,
        "river": blue > 1.25 * red and blue > green,
        "mountain": abs(red - green) < 55 and blue > 0.85 * red,
    }[terrain]


@pytest.mark.parametrize("terrain", TERRAINS)
def test_drawn_terrains_have_their_colors_on_all_edges(kit, terrain):
    face = kit.tile_face((terrain,) * 6, (), False, SIZE, np.random.default_rng(1))
    colors = [edge_color(face, edge) for edge in range(6)]
    assert looks_like(terrain, np.median(colors, axis=0)), colors


@pytest.mark.parametrize("turn", range(6))
def test_drawn_halves_lie_on_the_edges_asked_for(kit, turn):
    terrain = tuple(
        ("prairie", "prairie", "prairie", "forest", "forest", "forest")[(e - turn) % 6] for e in range(6)
    )
    face = kit.tile_face(terrain, ("bear", "fox"), False, SIZE, np.random.default_rng(turn))
    for edge in range(6):
        assert looks_like(terrain[edge], edge_color(face, edge)), (edge, edge_color(face, edge))


def test_every_legal_tile_is_drawn_within_its_hexagon(kit):
    corners = hexagon_corners(SIZE)
    assert corners[5] == pytest.approx(((SIZE - 1) / 2, (SIZE - 1) / 2 - HEX_RADIUS * SIZE))
    y, x = np.mgrid[:SIZE, :SIZE]
    outside = np.zeros((SIZE, SIZE), bool)
    for edge in range(6):
        angle = np.radians(60 * edge)
        reach = (x - (SIZE - 1) / 2) * np.cos(angle) + (y - (SIZE - 1) / 2) * np.sin(angle)
        outside |= reach > HEX_RADIUS * SIZE * np.sqrt(3) / 2 + 1
    for k, terrain in enumerate(terrain_states()):
        face = kit.tile_face(
            terrain, ("elk", "hawk", "salmon")[: k % 4], False, SIZE, np.random.default_rng(k)
        )
        assert face.shape == (SIZE, SIZE, 4)
        assert face.dtype == np.uint8
        assert not face[outside, 3].any()
        assert (face[SIZE // 4 : -SIZE // 4, SIZE // 4 : -SIZE // 4, 3] == 255).all()


def test_keystones_show_a_white_triangle_at_a_corner_and_others_none(kit):
    def white_corners(keystone: bool) -> int:
        face = kit.tile_face(("prairie",) * 6, ("fox",), keystone, SIZE, np.random.default_rng(3))
        spots = (SIZE - 1) / 2 + 0.86 * (hexagon_corners(SIZE) - (SIZE - 1) / 2)
        return sum(face[round(y), round(x), :3].min() > 215 for x, y in spots)

    assert white_corners(True) == 1
    assert white_corners(False) == 0


def test_split_names_the_first_edge_of_a_half():
    assert split_of(("forest",) * 6) is None
    assert split_of(("river", "forest", "forest", "forest", "river", "river")) in (1, 4)
    with pytest.raises(ValueError, match="three contiguous edges"):
        split_of(("river", "forest", "river", "forest", "river", "forest"))


def test_the_seed_fixes_the_print_run_and_each_piece():
    def draw(seed: int) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        kit = ArtKit(rng, textures=1, sprites=1)
        return [
            kit.tile_face(("river",) * 3 + ("mountain",) * 3, ("bear", "elk"), False, 64, rng),
            kit.token_face("hawk", 48, rng),
            kit.nature_token(48, rng),
            kit.token_side_color("fox", rng),
        ]

    assert all(np.array_equal(a, b) for a, b in zip(draw(1), draw(1), strict=True))
    assert not any(np.array_equal(a, b) for a, b in zip(draw(1), draw(2), strict=True))


@pytest.mark.parametrize("which", ["kit", "real_kit"])
def test_tokens_are_discs_in_their_paint(which, request):
    kit, rng = request.getfixturevalue(which), np.random.default_rng(2)
    y, x = (np.mgrid[:96, :96] - 47.5) / 96
    for species in SPECIES:
        face = kit.token_face(species, 96, rng)
        assert not face[np.hypot(x, y) > DISC_RADIUS + 0.02, 3].any()
        assert (face[np.hypot(x, y) < DISC_RADIUS - 0.03, 3] > 250).all()
        red, green, blue = np.median(face[(np.hypot(x, y) > 0.38) & (np.hypot(x, y) < 0.46), :3], axis=0)
        assert {
            "bear": max(red, green, blue) < 115,
            "elk": red > green > blue,
            "salmon": red > 1.4 * green,
            "hawk": blue > red,
            "fox": red > green > blue and red > 1.25 * green,
        }[species], (species, red, green, blue)


def test_real_cutouts_carry_their_labels_when_turned(real_kit):
    rng = np.random.default_rng(4)
    faces = [real_kit.random_tile(SIZE, rng) for _ in range(120)]
    assert {tuple(sorted(set(terrain))) for terrain, *_ in faces} >= {(t,) for t in TERRAINS}
    seen = [
        looks_like("prairie", edge_color(face, edge)) == (terrain[edge] == "prairie")
        for terrain, _, _, face in faces
        for edge in range(6)
        if set(terrain) & {"prairie"} and not set(terrain) & {"wetland", "mountain"}
    ]
    assert len(seen) > 60
    # Glare on some photographs and the browns of cut edges leave a few edges undecided.
    assert np.mean(seen) > 0.95


@pytest.mark.parametrize("turn", range(6))
def test_real_tiles_are_turned_to_the_edges_asked_for(shared, turn):
    kit = RealKit(shared, np.random.default_rng(turn), composed=0.0)
    terrain = tuple(
        ("prairie", "prairie", "prairie", "forest", "forest", "forest")[(e - turn) % 6] for e in range(6)
    )
    face = kit.tile_face(terrain, ("bear", "fox"), False, SIZE, np.random.default_rng(0))
    # A real border strays far: only the middle edge of each half is sure to show one terrain alone.
    assert looks_like("prairie", edge_color(face, (1 + turn) % 6))
    assert looks_like("forest", edge_color(face, (4 + turn) % 6))


def test_every_real_tile_and_starter_hex_is_cut_out(shared):
    cutouts = load_cutouts(shared)
    assert len(cutouts) == 85 + 9
    assert {cutout.terrain for cutout in cutouts} <= set(terrain_states())
    # Nothing of the clear ground beside a tile may reach into its hexagon.
    inside = hexagon_alpha(cutouts[0].picture.shape[0]) == 255
    assert all((cutout.picture[inside].max(axis=1) > 0).mean() > 0.999 for cutout in cutouts)


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"tiles\.json"):
        load_cutouts(tmp_path)


@pytest.mark.parametrize("kind", TRAIN_SURFACES + HELD_BACK_SURFACES)
def test_surfaces_fill_any_size_and_repeat_by_seed(kind):
    for height, width in ((640, 640), (97, 311), (500, 61)):
        picture = surface(kind, height, width, np.random.default_rng(8))
        assert picture.shape == (height, width, 3)
        assert picture.dtype == np.uint8
        assert np.array_equal(picture, surface(kind, height, width, np.random.default_rng(8)))


def test_held_back_surfaces_are_other_kinds():
    assert not set(TRAIN_SURFACES) & set(HELD_BACK_SURFACES)
    with pytest.raises(ValueError, match="no surface 'lava'"):
        surface("lava", 8, 8, np.random.default_rng(0))


def test_clutter_is_a_visible_cutout_of_sane_width(kit):
    rng = np.random.default_rng(9)
    for _ in range(60):
        picture, width = clutter_item(rng, kit)
        assert picture.ndim == 3
        assert picture.shape[2] == 4
        assert picture.dtype == np.uint8
        assert (picture[..., 3] > 128).mean() > 0.1
        assert 0.1 < width < 8
