"""Things that lie beside an environment and are none: cards, the box, coins, hands, other games' pieces."""

from collections.abc import Callable, Sequence

import cv2
import numpy as np

from training.material import Kit
from training.noise import blend, smoothstep, to_bytes, value_noise

SPECIES_COLORS = ((70, 46, 38), (192, 158, 84), (226, 60, 92), (100, 172, 230), (240, 120, 40))
TERRAIN_COLORS = ((196, 208, 224), (40, 96, 54), (236, 190, 40), (160, 196, 60), (40, 112, 186))


def _box(picture: np.ndarray) -> np.ndarray:
    """Opaque RGBA of an RGB picture."""
    return np.dstack([to_bytes(picture), np.full(picture.shape[:2], 255, np.uint8)])


def _text(
    picture: np.ndarray,
    left: int,
    top: int,
    right: int,
    bottom: int,
    rng: np.random.Generator,
    pitch: int = 9,
    ink: tuple[int, int, int] = (60, 56, 54),
) -> None:
    for y in range(top, bottom, pitch):
        x = left
        while x < right:
            word = int(rng.integers(5, 26))
            cv2.rectangle(picture, (x, y), (min(x + word, right), y + pitch // 3), ink, -1)
            x += word + 5
        if rng.random() < 0.2:
            picture[y : y + pitch // 3 + 1, left + (right - left) // 2 : right + 1] = picture[top - 2, left]


def _hexagon(
    picture: np.ndarray, x: float, y: float, radius: float, color: Sequence[float], turn: float = 30.0
) -> None:
    angles = np.radians(60 * np.arange(6) + turn)
    points = np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1)
    cv2.fillPoly(
        picture, [np.round(points * 16).astype(np.int32)], tuple(int(v) for v in color), cv2.LINE_AA, 4
    )


def _paper(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    base = np.array((244, 240, 228)) * rng.uniform(0.86, 1.03) + rng.normal(0, 4, 3)
    return to_bytes(base * (1 + 0.015 * value_noise(rng, height, width, 6, 2))[..., None])


def _scoring_card(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """A wildlife scoring card: picture strip, coloured discs in small hexes, rows of points."""
    height, width = 300, 210
    card = _paper(rng, height, width)
    k = int(rng.integers(5))
    species = ("bear", "elk", "salmon", "hawk", "fox")[k]
    color = np.array(SPECIES_COLORS[k])
    if rng.random() < 0.6:
        card[:] = to_bytes(
            blend(card, color * 0.5 + 110, np.full((height, width), rng.uniform(0.1, 0.8), np.float32))
        )
    card[:46] = color
    _text(card, 56, 14, 190, 34, rng, 16, (246, 244, 238))
    face = kit.token_face(species, 40, rng)
    card[3:43, 8:48] = to_bytes(blend(card[3:43, 8:48], face[..., :3], face[..., 3] / np.float32(255)))
    for row in range(int(rng.integers(2, 5))):
        y = 74 + row * 40
        for column in range(int(rng.integers(1, 6))):
            x = 26 + column * 26
            _hexagon(card, x, y, 14, (226, 222, 210), 30)
            cv2.circle(card, (x, y), 10, tuple(int(v) for v in color), -1, cv2.LINE_AA)
        cv2.putText(
            card,
            str(int(rng.integers(2, 28))),
            (168, y + 8),
            cv2.FONT_HERSHEY_SIMPLEX,
            0.7,
            (40, 36, 34),
            2,
            cv2.LINE_AA,
        )
    _text(card, 16, 240, 194, 288, rng)
    return _box(card), float(rng.uniform(1.2, 1.9))


def _diagram_card(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """A scoring card with a picture above and, below, small hexagons of species that touch: the very thing
    that must not pass for an environment seen from afar."""
    height, width = 330, 200
    card = _paper(rng, height, width)
    dark = np.array((60, 74, 46)) * rng.uniform(0.5, 1.6) + rng.normal(0, 12, 3)
    noise = value_noise(rng, height // 2 - 10, width, 14, 3)
    card[: height // 2 - 10] = to_bytes(dark * (1 + 0.6 * noise)[..., None])
    species = ("bear", "elk", "salmon", "hawk", "fox")[int(rng.integers(5))]
    face = kit.token_face(species, 120, rng)
    card[20:140, 40:160] = to_bytes(
        blend(card[20:140, 40:160], face[..., :3], face[..., 3] / np.float32(400))
    )
    card[height // 2 - 24 : height // 2 - 4] = (70, 48, 34)
    _text(card, 50, height // 2 - 19, 150, height // 2 - 8, rng, 12, (230, 224, 210))
    radius = rng.uniform(8, 13)
    step = radius * 2 * np.cos(np.pi / 6) * rng.uniform(0.98, 1.15)
    for _ in range(int(rng.integers(1, 5))):
        middle = np.array([rng.uniform(30, 170), rng.uniform(height // 2 + 16, height - 50)])
        cell, many = np.zeros(2, int), int(rng.integers(1, 9))
        one_color = rng.random() < 0.5
        k = int(rng.integers(5))
        for _ in range(many):
            if not one_color:
                k = int(rng.integers(5))
            x, y = middle + step * np.array([cell[0] + cell[1] / 2, cell[1] * np.sqrt(3) / 2])
            pale = 0.6 if rng.random() < 0.15 else 0.0
            color = np.array(SPECIES_COLORS[k]) * (1 - pale) + 245 * pale
            _hexagon(card, x, y, radius, color)
            axes, turn = (int(radius * 0.5), int(radius * 0.25)), float(rng.uniform(0, 180))
            cv2.ellipse(card, (int(x), int(y)), axes, turn, 0, 360, (240, 236, 226), -1, cv2.LINE_AA)
            cell = cell + np.array(((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))[int(rng.integers(6))])
    for column in range(int(rng.integers(3, 7))):
        cv2.circle(card, (24 + 28 * column, height - 34), 9, (24, 74, 50), -1, cv2.LINE_AA)
    card[height - 18 :] = (70, 48, 34)
    return _box(card), float(rng.uniform(1.2, 1.9))


def _score_pad(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    height, width = 330, 240
    pad = _paper(rng, height, width)
    for k in range(11):
        y = 20 + k * 27
        color = (SPECIES_COLORS + TERRAIN_COLORS + ((120, 120, 120),))[k]
        cv2.circle(pad, (22, y + 12), 9, color, -1, cv2.LINE_AA)
        for column in range(5):
            cv2.rectangle(pad, (42 + column * 38, y), (78 + column * 38, y + 24), (150, 146, 140), 1)
            if rng.random() < 0.6:
                cv2.putText(
                    pad,
                    str(int(rng.integers(0, 30))),
                    (46 + column * 38, y + 18),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.5,
                    (50, 50, 90),
                    1,
                    cv2.LINE_AA,
                )
    return _box(pad), float(rng.uniform(1.5, 2.6))


def _rule_page(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    height, width = 300, 300
    page = _paper(rng, height, width)
    _text(page, 20, 50, 280, 286, rng)
    cv2.rectangle(page, (20, 16), (int(rng.integers(120, 260)), 34), TERRAIN_COLORS[int(rng.integers(5))], -1)
    for _ in range(int(rng.integers(1, 5))):
        x, y = rng.integers(60, 240, 2)
        for _ in range(int(rng.integers(1, 5))):
            _hexagon(page, x, y, 22, TERRAIN_COLORS[int(rng.integers(5))])
            cv2.circle(page, (int(x), int(y)), 10, SPECIES_COLORS[int(rng.integers(5))], -1, cv2.LINE_AA)
            x, y = x + int(rng.choice([-38, 38, 19])), y + int(rng.choice([0, 33]))
    return _box(page), float(rng.uniform(2.0, 4.5))


def _box_lid(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """The game's box: the terrains of the tiles as one landscape, a title bar on it."""
    side = 320
    sky = np.linspace(rng.uniform(0.7, 1.1), rng.uniform(0.9, 1.3), side, dtype=np.float32)[:, None, None]
    lid = np.array((150, 190, 226), np.float32) * sky * np.ones((1, side, 1), np.float32)
    y = np.arange(side)[:, None]
    for level, terrain in zip(
        (0.3, 0.5, 0.62, 0.78), ("mountain", "forest", "wetland", "river"), strict=True
    ):
        ridge = value_noise(rng, 1, side, rng.uniform(3, 8), 3)[0]
        strength = 0.09 if terrain == "mountain" else 0.03
        line = side * (level + strength * ridge)
        lid = blend(lid, kit.ground((terrain,) * 6, side, rng), smoothstep(y - line[None], -1, 1))
    lid = to_bytes(lid)
    if rng.random() < 0.8:
        top = int(rng.integers(20, 240))
        ink = (250, 246, 236) if rng.random() < 0.7 else (30, 40, 60)
        cv2.putText(lid, "CASCADE", (30, top + 40), cv2.FONT_HERSHEY_DUPLEX, 1.75, ink, 4, cv2.LINE_AA)
        _text(lid, 90, top + 58, 230, top + 70, rng, 14, ink)
    return _box(lid), float(rng.uniform(3.0, 6.0))


def _disc(rng: np.random.Generator, size: int, color: np.ndarray, shade: np.ndarray) -> np.ndarray:
    axis = (np.arange(size) - (size - 1) / 2) / size
    away = np.hypot(*np.meshgrid(axis, axis))
    alpha = smoothstep(0.485 - away, -0.5 / size, 0.5 / size)
    return np.dstack([to_bytes(color * shade[..., None]), to_bytes(alpha * 255)])


def _radius(size: int) -> np.ndarray:
    axis = (np.arange(size, dtype=np.float32) - (size - 1) / 2) / size
    return np.hypot(*np.meshgrid(axis, axis))


def _coin(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    size = 96
    metal = np.array(((206, 168, 84), (188, 188, 190), (176, 110, 74))[int(rng.integers(3))], np.float32)
    away = _radius(size)
    shade = 1 + 0.25 * np.sin(away * 60) * (away > 0.4) + 0.13 * value_noise(rng, size, size, 12, 2)
    return _disc(rng, size, metal, shade), float(rng.uniform(0.35, 0.65))


def _bowl(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """A mug or bowl from above, empty, with coffee, or full of tokens."""
    size = 256
    color = np.array(
        ((236, 234, 228), (60, 60, 66), (120, 70, 46), (70, 110, 150), (200, 80, 70))[int(rng.integers(5))]
    )
    away = _radius(size)
    inner = rng.uniform(0.33, 0.45)
    shade = np.where(
        away > inner, 1.0 + 0.8 * (away - 0.45), 0.72 + 0.25 * value_noise(rng, size, size, 2) * 0.4
    )
    bowl = _disc(rng, size, color.astype(np.float32), shade.astype(np.float32))
    if rng.random() < 0.5:
        drink = np.array(((52, 32, 22), (150, 96, 50), (200, 60, 40), (214, 198, 150))[int(rng.integers(4))])
        inside = smoothstep(inner * 0.94 - away, -0.004, 0.004)
        bowl[..., :3] = to_bytes(blend(bowl[..., :3], drink, inside))
    else:
        for _ in range(int(rng.integers(4, 16))):
            token = kit.token_face(("bear", "elk", "salmon", "hawk", "fox")[int(rng.integers(5))], 72, rng)
            x, y = (size / 2 - 36 + rng.uniform(-0.6, 0.6, 2) * inner * size * 0.9).astype(int)
            part = bowl[y : y + 72, x : x + 72, :3]
            part[:] = to_bytes(blend(part, token[..., :3], token[..., 3] / np.float32(255)))
    return bowl, float(rng.uniform(1.3, 2.8))


def _pencil(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    height, width = 26, 360
    pen = np.zeros((height, width, 4), np.uint8)
    color = np.array((rng.uniform(0, 255), rng.uniform(0, 255), rng.uniform(0, 255)))
    light = 1 + 0.4 * np.cos(np.linspace(-1.6, 1.6, height - 4))[:, None, None]
    pen[2:-2, :300, :3] = to_bytes(color * 0.75 * light * np.ones((1, 300, 1)))
    pen[2:-2, :300, 3] = 255
    cv2.fillConvexPoly(
        pen, np.array([[300, 2], [352, 12], [352, 14], [300, 23]]), (214, 176, 128, 255), cv2.LINE_AA
    )
    cv2.fillConvexPoly(
        pen, np.array([[340, 10], [354, 12], [354, 14], [340, 16]]), (40, 40, 44, 255), cv2.LINE_AA
    )
    return pen, float(rng.uniform(2.0, 4.0))


def _hand(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """A hand reaching in: palm and fingers as thick strokes of skin."""
    size = 320
    mask = np.zeros((size, size), np.uint8)
    wrist = np.array([rng.uniform(0.4, 0.6), 1.05]) * size
    palm = np.array([rng.uniform(0.42, 0.58), rng.uniform(0.6, 0.7)]) * size
    cv2.line(
        mask,
        wrist.astype(int).tolist(),
        palm.astype(int).tolist(),
        255,
        int(rng.integers(64, 90)),
        cv2.LINE_AA,
    )
    cv2.circle(mask, palm.astype(int).tolist(), int(rng.integers(48, 62)), 255, -1, cv2.LINE_AA)
    nails = []
    for angle in np.radians(np.array((-150, -112, -94, -77, -58)) + rng.normal(0, 6, 5)):
        reach = rng.uniform(90, 165) * (0.7 if angle < -2.3 else 1.0)
        knuckle = palm + reach * 0.55 * np.array([np.cos(angle), np.sin(angle)])
        bend = angle + rng.normal(0, 0.2)
        tip = knuckle + reach * 0.5 * np.array([np.cos(bend), np.sin(bend)])
        thick = int(rng.integers(24, 32))
        points = np.stack([palm, knuckle, tip]).astype(np.int32)
        cv2.polylines(mask, [points], False, 255, thick, cv2.LINE_AA)
        nails.append(tip)
    skin = np.array(
        ((232, 186, 160), (206, 152, 122), (150, 102, 76), (92, 62, 48))[int(rng.integers(4))], np.float32
    )
    depth = np.minimum(cv2.distanceTransform((mask > 128).astype(np.uint8), cv2.DIST_L2, 3) / 26, 1)
    shade = 0.62 + 0.42 * depth + 0.04 * value_noise(rng, size, size, 20, 2)
    picture = to_bytes(skin * shade[..., None])
    for tip in nails:
        cv2.circle(
            picture,
            tip.astype(int).tolist(),
            7,
            tuple(int(v) for v in np.minimum(skin * 1.1 + 10, 255)),
            -1,
            cv2.LINE_AA,
        )
    return np.dstack([picture, mask]), float(rng.uniform(2.5, 4.5))


def _phone(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    height, width = 300, 150
    mask = np.zeros((height, width), np.uint8)
    cv2.rectangle(mask, (16, 2), (width - 17, height - 3), 255, -1)
    cv2.rectangle(mask, (2, 16), (width - 3, height - 17), 255, -1)
    for x, y in ((16, 16), (width - 17, 16), (16, height - 17), (width - 17, height - 17)):
        cv2.circle(mask, (x, y), 14, 255, -1, cv2.LINE_AA)
    picture = np.full((height, width, 3), rng.uniform(8, 40), np.uint8)
    if rng.random() < 0.5:
        screen = np.empty((4, 3, 3), np.uint8)
        screen[:] = rng.integers(0, 255, (4, 3, 3))
        picture[14:-14, 9:-9] = cv2.resize(screen, (width - 18, height - 28), interpolation=cv2.INTER_CUBIC)
        _text(picture, 24, 60, 120, 150, rng, 12, (240, 240, 240))
    return np.dstack([picture, mask]), float(rng.uniform(1.2, 1.8))


def _sheet(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    height, width = 300, int(rng.integers(150, 330))
    sheet = _paper(rng, height, width)
    if rng.random() < 0.5:
        sheet[:] = np.array((rng.uniform(60, 250), rng.uniform(60, 250), rng.uniform(60, 250)))
    if rng.random() < 0.5:
        _text(
            sheet, 18, 24, width - 18, int(rng.integers(60, 280)), rng, int(rng.integers(9, 20)), (50, 50, 80)
        )
    return _box(sheet), float(rng.uniform(1.0, 4.0))


def _die(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    size = 80
    color = np.array(((240, 238, 230), (190, 30, 40), (30, 90, 160), (30, 30, 34))[int(rng.integers(4))])
    die = np.zeros((size, size, 4), np.uint8)
    cv2.rectangle(die, (8, 8), (71, 71), (*color.tolist(), 255), -1)
    cv2.rectangle(die, (8, 8), (71, 71), (*color.tolist(), 255), 10, cv2.LINE_AA)
    pip = (20, 20, 24, 255) if color.sum() > 400 else (240, 240, 236, 255)
    spots = ((40, 40), (22, 22), (58, 58), (22, 58), (58, 22), (22, 40), (58, 40))
    for spot in spots[: int(rng.integers(1, 8))]:
        cv2.circle(die, spot, 6, pip, -1, cv2.LINE_AA)
    return die, float(rng.uniform(0.2, 0.4))


def _foreign_hexes(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """Tiles of another game: plain hexes with numbers, pips or a house."""
    size = 200
    count = int(rng.integers(1, 5))
    field = np.zeros((size * 2, size * 2, 4), np.uint8)
    x, y, turn = size * 0.6, size * 0.6, rng.choice([0.0, 30.0])
    for _ in range(count):
        color = np.clip(np.array(TERRAIN_COLORS[int(rng.integers(5))]) + rng.normal(0, 50, 3), 10, 245)
        angles = np.radians(60 * np.arange(6) + turn)
        points = np.stack([x + 80 * np.cos(angles), y + 80 * np.sin(angles)], 1).astype(np.int32)
        cv2.fillPoly(field, [points], (*color.astype(int).tolist(), 255), cv2.LINE_AA)
        cv2.polylines(field, [points], True, (*(color * 0.6).astype(int).tolist(), 255), 3, cv2.LINE_AA)
        if rng.random() < 0.7:
            cv2.circle(field, (int(x), int(y)), 26, (238, 226, 190, 255), -1, cv2.LINE_AA)
            ink = (180, 30, 30, 255) if rng.random() < 0.3 else (30, 30, 30, 255)
            cv2.putText(
                field,
                str(int(rng.integers(2, 13))),
                (int(x) - 15, int(y) + 9),
                cv2.FONT_HERSHEY_SIMPLEX,
                0.8,
                ink,
                2,
                cv2.LINE_AA,
            )
        step = np.radians(60 * int(rng.integers(0, 3)) + turn - 30)
        x, y = np.clip(x + 140 * np.cos(step), 90, 310), np.clip(y + 140 * np.sin(step), 90, 310)
    picture = (
        field[..., :3].astype(np.float32)
        * (1 + 0.04 * value_noise(rng, 2 * size, 2 * size, 30, 2))[..., None]
    )
    return np.dstack([to_bytes(picture), field[..., 3]]), float(rng.uniform(1.8, 3.5))


def _marker(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """A plain wooden or plastic playing piece: cube, disc or rod of one colour, without an animal."""
    size = 72
    color = np.array(SPECIES_COLORS[int(rng.integers(5))]) if rng.random() < 0.5 else rng.uniform(20, 245, 3)
    shade = (1 + 0.06 * value_noise(rng, size, size, 20, 2)).astype(np.float32)
    if rng.random() < 0.5:
        return _disc(rng, size, color.astype(np.float32), shade), float(rng.uniform(0.25, 0.7))
    rod = _box(color * shade[: int(rng.integers(20, size)), :, None])
    return rod, float(rng.uniform(0.2, 0.8))


_MAKERS: tuple[Callable[[np.random.Generator, Kit], tuple[np.ndarray, float]], ...] = (
    _scoring_card,
    _diagram_card,
    _diagram_card,
    _score_pad,
    _rule_page,
    _box_lid,
    _coin,
    _bowl,
    _pencil,
    _hand,
    _phone,
    _sheet,
    _die,
    _foreign_hexes,
    _marker,
)


def clutter_item(rng: np.random.Generator, kit: Kit) -> tuple[np.ndarray, float]:
    """One thing to lie beside an environment: RGBA, straight alpha, and its width in tile widths."""
    return _MAKERS[int(rng.integers(len(_MAKERS)))](rng, kit)
