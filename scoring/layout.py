"""The layout file: the one exchange format between reader, page, command and engine.

Version 1 is JSON::

    {"version": 1,
     "photo": {"file": "kitchen.jpg", "width": 4032, "height": 3024},
     "tiles": [{"q": 0, "r": 0, "terrain": ["forest", ... six names], "token": "bear", ...}],
     "nature_tokens": 2,
     "warnings": ["31 tiles: a full environment has 23"]}

Required are ``version``, ``tiles`` and in a tile ``q``, ``r``, ``terrain`` and ``token`` (null: none).
Optional in a tile: ``keystone``, ``wildlife``, and what a reader adds: ``center`` and ``corners`` in pixels
of the upright photo (x right, y down), ``confidence``, ``needs_review``, ``alternatives``. Unknown keys are
kept and written back.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, TypeVar

from scoring.environment import Environment, Tile
from scoring.hexgrid import Cell
from scoring.pieces import SPECIES, TERRAINS, Edges, Species, Terrain, terrain_states

VERSION = 1
#: The box holds 100 tiles, starters included; a few more are for other editions. The time in which every card
#: is scored exactly was measured up to 100 (benchmarks/speed.py).
MAX_TILES = 120
#: Limits that no table comes near; they keep hostile files from costing time or memory.
MAX_COORDINATE = 1000
MAX_NATURE_TOKENS = 1000
MAX_PIXEL = 1_000_000
MAX_DEPTH = 20
MAX_FILE_BYTES = 5_000_000

Point = tuple[float, float]
Value = TypeVar("Value")
_Parsed = TypeVar("_Parsed")

_LAYOUT_KEYS = frozenset({"version", "photo", "tiles", "nature_tokens", "warnings"})
_TILE_KEYS = frozenset(
    {
        "q", "r", "terrain", "token", "keystone", "wildlife",
        "center", "corners", "confidence", "needs_review", "alternatives",
    }
)  # fmt: skip
_EDGES = {state: state for state in terrain_states()}


class LayoutError(ValueError):
    """Data that is no layout.

    The message is one sentence naming the tile and the field; ``problems`` has one sentence for each broken
    tile or field.
    """

    def __init__(self, *problems: str) -> None:
        more = len(problems) - 1
        super().__init__(problems[0] + (f" (and {more} more like this)" if more else ""))
        self.problems = problems


@dataclass(frozen=True)
class PhotoInfo:
    """The photo that a layout was read from: file name, and its size in pixels when upright."""

    file: str
    width: int
    height: int
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Alternative(Generic[Value]):
    """Another reading (terrain: six edges; token: a species or None) and its probability, 0 to 1."""

    value: Value
    probability: float
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LayoutTile:
    """A tile and what the reader knows about it.

    ``center`` and ``corners`` are pixels of the upright photo; corner i lies between edges i - 1 and i.
    Confidences are probabilities from 0 to 1 that the terrain (all six edges), the token is right.
    """

    tile: Tile
    center: Point | None = None
    corners: tuple[Point, ...] | None = None
    confidence_terrain: float | None = None
    confidence_token: float | None = None
    needs_review: bool = False
    terrain_alternatives: tuple[Alternative[Edges], ...] = ()
    token_alternatives: tuple[Alternative[Species | None], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The tile as JSON data; what is unknown is left out, except ``keystone`` and ``wildlife`` (null)."""
        tile = self.tile
        data: dict[str, Any] = {
            "q": tile.cell[0],
            "r": tile.cell[1],
            "terrain": [str(terrain) for terrain in tile.terrain],
            "keystone": tile.keystone,
            "wildlife": None if tile.wildlife is None else [str(species) for species in tile.wildlife],
            "token": _name(tile.token),
        }
        if self.center is not None:
            data["center"] = list(self.center)
        if self.corners is not None:
            data["corners"] = [list(corner) for corner in self.corners]
        confidence = {"terrain": self.confidence_terrain, "token": self.confidence_token}
        confidence = {key: value for key, value in confidence.items() if value is not None}
        if confidence:
            data["confidence"] = confidence
        if self.needs_review or confidence:
            data["needs_review"] = self.needs_review
        alternatives: dict[str, Any] = {}
        if self.terrain_alternatives:
            alternatives["terrain"] = [
                {"terrain": [str(terrain) for terrain in other.value], "probability": other.probability}
                | dict(other.extra)
                for other in self.terrain_alternatives
            ]
        if self.token_alternatives:
            alternatives["token"] = [
                {"token": _name(other.value), "probability": other.probability} | dict(other.extra)
                for other in self.token_alternatives
            ]
        if alternatives:
            data["alternatives"] = alternatives
        return _merged(data, self.extra)


@dataclass(frozen=True)
class Layout:
    """A whole layout file. ``nature_tokens`` is None where nobody counted them.

    ``extra`` here, in the tiles and in the photo holds the unknown keys of the file (for unknown keys inside
    ``confidence`` and ``alternatives``, under that name).
    """

    tiles: tuple[LayoutTile, ...]
    nature_tokens: int | None = None
    photo: PhotoInfo | None = None
    warnings: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)

    def environment(self) -> Environment:
        """What the layout describes, for scoring; uncounted nature tokens are none."""
        return Environment.of((placed.tile for placed in self.tiles), self.nature_tokens or 0)

    def to_dict(self) -> dict[str, Any]:
        """The layout as JSON data; ``parse_layout`` gives the same layout back."""
        data: dict[str, Any] = {"version": VERSION}
        if self.photo is not None:
            size = {"file": self.photo.file, "width": self.photo.width, "height": self.photo.height}
            data["photo"] = size | dict(self.photo.extra)
        data["tiles"] = [placed.to_dict() for placed in self.tiles]
        if self.nature_tokens is not None:
            data["nature_tokens"] = self.nature_tokens
        if self.warnings:
            data["warnings"] = list(self.warnings)
        return _merged(data, self.extra)


def load_layout(path: str | os.PathLike[str]) -> Layout:
    """The layout in the file at ``path``; LayoutError, beginning with the file's name, if there is none."""
    file = Path(path)
    try:
        with file.open("rb") as stream:
            content = stream.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise LayoutError(f"{file.name}: there is no such file") from None
    except OSError as error:
        raise LayoutError(f"{file.name}: cannot be read ({error.strerror})") from None
    if not content.strip():
        raise LayoutError(f"{file.name}: the file is empty")
    if len(content) > MAX_FILE_BYTES:
        limit = MAX_FILE_BYTES // 1_000_000
        raise LayoutError(f"{file.name}: larger than {limit} MB, which no layout file is")
    try:
        data = json.loads(content.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise LayoutError(f"{file.name}: no layout file, its bytes are not UTF-8 text") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise LayoutError(f"{file.name}: no layout file, no JSON at {where} ({error.msg})") from None
    except RecursionError:
        raise LayoutError(f"{file.name}: lists or objects are nested too deeply") from None
    except ValueError as error:
        raise LayoutError(f"{file.name}: {error}") from None
    try:
        return parse_layout(data)
    except LayoutError as error:
        raise LayoutError(*(f"{file.name}: {problem}" for problem in error.problems)) from None


def save_layout(layout: Layout, path: str | os.PathLike[str]) -> None:
    """Write ``layout`` to ``path``, one tile a line; an existing file is replaced only by a complete one."""
    data = layout.to_dict()
    tiles = data.pop("tiles")
    head = "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in data.items())
    body = ",\n".join(f"  {json.dumps(tile)}" for tile in tiles)
    file = Path(path)
    partial = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        partial.write_text(f'{{\n{head} "tiles": [\n{body}\n ]\n}}\n', encoding="utf-8")
        partial.replace(file)
    finally:
        partial.unlink(missing_ok=True)


def parse_layout(data: object) -> Layout:
    """The layout in JSON data of version 1.

    Raises LayoutError where the data breaks the format: wrong types, names that do not exist, numbers that
    are not finite or absurd, halves that no tile has, two tiles on one cell.

    >>> parse_layout({"version": 1, "tiles": [{"q": 0, "r": 0, "terrain": ["river"] * 6, "token": "newt"}]})
    Traceback (most recent call last):
    scoring.layout.LayoutError: tiles[0].token: 'newt' is not one of bear, elk, salmon, hawk, fox
    """
    if not isinstance(data, dict):
        raise LayoutError(f"a layout is an object with 'version' and 'tiles', not {_show(data)}")
    if "version" not in data:
        raise LayoutError(f"version: is missing (this program reads version {VERSION})")
    if data["version"] != VERSION or not _is_int(data["version"]):
        shown = _show(data["version"])
        raise LayoutError(f"version: {shown} is not known (this program reads version {VERSION})")
    if "tiles" not in data:
        raise LayoutError("tiles: is missing")
    given = data["tiles"]
    if not isinstance(given, list | tuple):
        raise LayoutError(f"tiles: must be a list, not {_show(given)}")
    if len(given) > MAX_TILES:
        raise LayoutError(f"tiles: {len(given)} are more than the {MAX_TILES} that a layout may have")

    problems: list[str] = []

    def attempt(parse: Callable[[], _Parsed]) -> _Parsed | None:
        try:
            return parse()
        except LayoutError as error:
            problems.extend(error.problems)
            return None

    tiles = tuple(
        placed
        for i, item in enumerate(given)
        if (placed := attempt(lambda item=item, i=i: _layout_tile(item, f"tiles[{i}]"))) is not None  # type: ignore[misc]
    )
    first_on: dict[Cell, int] = {}
    for i, item in enumerate(given):
        if isinstance(item, dict) and _is_int(item.get("q")) and _is_int(item.get("r")):
            first = first_on.setdefault((item["q"], item["r"]), i)
            if first != i:
                problems.append(f"tiles[{i}]: lies on the same place (q, r) as tiles[{first}]")
    photo = attempt(lambda: _photo(data.get("photo")))
    nature = attempt(
        lambda: _optional(data.get("nature_tokens"), "nature_tokens", _int_within(0, MAX_NATURE_TOKENS))
    )
    warnings = attempt(lambda: _warnings(data.get("warnings")))
    extra = attempt(lambda: _unknown(data, _LAYOUT_KEYS, ""))
    if problems:
        raise LayoutError(*problems)
    return Layout(tiles, nature, photo, warnings or (), extra or {})


def _layout_tile(item: object, where: str) -> LayoutTile:
    if not isinstance(item, dict):
        raise LayoutError(f"{where}: must be an object, not {_show(item)}")
    for key in ("q", "r", "terrain", "token"):
        if key not in item:
            raise LayoutError(f"{where}.{key}: is missing")
    coordinate = _int_within(-MAX_COORDINATE, MAX_COORDINATE)
    extra = _unknown(item, _TILE_KEYS, f"{where}.")
    confidence = _object(item.get("confidence"), f"{where}.confidence")
    alternatives = _object(item.get("alternatives"), f"{where}.alternatives")
    for key, inner, known in (
        ("confidence", confidence, frozenset({"terrain", "token"})),
        ("alternatives", alternatives, frozenset({"terrain", "token"})),
    ):
        unknown = _unknown(inner, known, f"{where}.{key}.")
        if unknown:
            extra[key] = unknown
    return LayoutTile(
        tile=Tile(
            cell=(coordinate(item["q"], f"{where}.q"), coordinate(item["r"], f"{where}.r")),
            terrain=_edges(item["terrain"], f"{where}.terrain"),
            token=_optional(item["token"], f"{where}.token", _species),
            keystone=_optional(item.get("keystone"), f"{where}.keystone", _bool),
            wildlife=_optional(item.get("wildlife"), f"{where}.wildlife", _wildlife),
        ),
        center=_optional(item.get("center"), f"{where}.center", _point),
        corners=_optional(item.get("corners"), f"{where}.corners", _corners),
        confidence_terrain=_optional(confidence.get("terrain"), f"{where}.confidence.terrain", _probability),
        confidence_token=_optional(confidence.get("token"), f"{where}.confidence.token", _probability),
        needs_review=bool(_optional(item.get("needs_review"), f"{where}.needs_review", _bool)),
        terrain_alternatives=_alternatives(
            alternatives.get("terrain"), f"{where}.alternatives.terrain", "terrain", _edges
        ),
        token_alternatives=_alternatives(
            alternatives.get("token"),
            f"{where}.alternatives.token",
            "token",
            lambda value, place: _optional(value, place, _species),
        ),
        extra=extra,
    )


def _photo(value: object) -> PhotoInfo | None:
    if value is None:
        return None
    data = _object(value, "photo")
    for key in ("file", "width", "height"):
        if key not in data:
            raise LayoutError(f"photo.{key}: is missing")
    side = _int_within(1, MAX_PIXEL)
    return PhotoInfo(
        _text(data["file"], "photo.file"),
        side(data["width"], "photo.width"),
        side(data["height"], "photo.height"),
        _unknown(data, frozenset({"file", "width", "height"}), "photo."),
    )


def _warnings(value: object) -> tuple[str, ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise LayoutError(f"warnings: must be a list of sentences, not {_show(value)}")
    return tuple(_text(item, f"warnings[{i}]") for i, item in enumerate(value))


def _alternatives(
    value: object, where: str, key: str, parse: Callable[[object, str], Value]
) -> tuple[Alternative[Value], ...]:
    if value is None:
        return ()
    if not isinstance(value, list | tuple):
        raise LayoutError(f"{where}: must be a list, not {_show(value)}")
    found = []
    for i, item in enumerate(value):
        data = _object(item, f"{where}[{i}]")
        for needed in (key, "probability"):
            if needed not in data:
                raise LayoutError(f"{where}[{i}].{needed}: is missing")
        found.append(
            Alternative(
                parse(data[key], f"{where}[{i}].{key}"),
                _probability(data["probability"], f"{where}[{i}].probability"),
                _unknown(data, frozenset({key, "probability"}), f"{where}[{i}]."),
            )
        )
    return tuple(found)


def _edges(value: object, where: str) -> Edges:
    if not isinstance(value, list | tuple) or len(value) != 6:
        raise LayoutError(f"{where}: must be a list of six terrains, one for each edge, not {_show(value)}")
    for name in value:
        if not isinstance(name, str) or name not in TERRAINS:
            raise LayoutError(f"{where}: {_show(name)} is not one of {', '.join(TERRAINS)}")
    six = tuple(Terrain(name) for name in value)
    if six not in _EDGES:
        raise LayoutError(f"{where}: a tile has one terrain, or two on three edges in a row each")
    return _EDGES[six]


def _species(value: object, where: str) -> Species:
    if not isinstance(value, str) or value not in SPECIES:
        raise LayoutError(f"{where}: {_show(value)} is not one of {', '.join(SPECIES)}")
    return Species(value)


def _wildlife(value: object, where: str) -> tuple[Species, ...]:
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= len(SPECIES):
        raise LayoutError(f"{where}: must be null or a list of the species shown, not {_show(value)}")
    shown = tuple(_species(item, where) for item in value)
    if len(set(shown)) < len(shown):
        raise LayoutError(f"{where}: names a species twice")
    return shown


def _bool(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise LayoutError(f"{where}: must be true or false, not {_show(value)}")
    return value


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _int_within(low: int, high: int) -> Callable[[object, str], int]:
    def parse(value: object, where: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise LayoutError(f"{where}: must be a whole number, not {_show(value)}")
        if not low <= value <= high:
            raise LayoutError(f"{where}: {_show(value)} does not lie between {low} and {high}")
        return value

    return parse


def _number(value: object, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise LayoutError(f"{where}: must be a number, not {_show(value)}")
    if abs(value) > MAX_PIXEL or not math.isfinite(value):  # in this order: no float holds 10**400
        raise LayoutError(f"{where}: {_show(value)} does not lie between {-MAX_PIXEL} and {MAX_PIXEL}")
    return value


def _probability(value: object, where: str) -> float:
    number = _number(value, where)
    if not 0 <= number <= 1:
        raise LayoutError(f"{where}: {_show(value)} does not lie between 0 and 1")
    return number


def _point(value: object, where: str) -> Point:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise LayoutError(f"{where}: must be [x, y] in pixels, not {_show(value)}")
    return (_number(value[0], where), _number(value[1], where))


def _corners(value: object, where: str) -> tuple[Point, ...]:
    if not isinstance(value, list | tuple) or len(value) != 6:
        raise LayoutError(f"{where}: must be a list of six points, not {_show(value)}")
    return tuple(_point(corner, f"{where}[{i}]") for i, corner in enumerate(value))


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise LayoutError(f"{where}: must be text, not {_show(value)}")
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise LayoutError(f"{where}: is not valid Unicode text")
    return value


def _object(value: object, where: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise LayoutError(f"{where}: must be an object, not {_show(value)}")
    return value


def _optional(value: object, where: str, parse: Callable[[object, str], _Parsed]) -> _Parsed | None:
    return None if value is None else parse(value, where)


def _unknown(data: Mapping[str, Any], known: frozenset[str], prefix: str) -> dict[str, Any]:
    """The unknown keys of ``data``, checked to be JSON that can be written back."""
    extra = {}
    for key, value in data.items():
        name = _text(key, f"{prefix}key" if prefix else "key")
        if name not in known:
            _check_json(value, f"{prefix}{_show(name)[1:-1]}", MAX_DEPTH)
            extra[name] = value
    return extra


def _check_json(value: object, where: str, depth: int) -> None:
    if depth == 0:
        raise LayoutError(f"{where}: lists or objects are nested too deeply")
    if isinstance(value, dict):
        for key, inner in value.items():
            _text(key, f"{where}: key")
            _check_json(inner, where, depth - 1)
    elif isinstance(value, list | tuple):
        for inner in value:
            _check_json(inner, where, depth - 1)
    elif isinstance(value, str):
        _text(value, where)
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise LayoutError(f"{where}: {_show(value)} is not a number that JSON has")
    elif value is not None and not isinstance(value, int):
        raise LayoutError(f"{where}: {_show(value)} is nothing that JSON has")


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number that JSON has")


def _merged(data: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` with the kept unknown keys, those of its inner objects too; known keys win."""
    for key, value in extra.items():
        if key not in data:
            data[key] = value
        elif isinstance(value, Mapping) and isinstance(data[key], dict):
            data[key] = dict(value) | data[key]
    return data


def _name(token: Species | None) -> str | None:
    return None if token is None else str(token)


def _show(value: object) -> str:
    """``value`` for a message, short and on one line whatever was handed in."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, int) and abs(value) >= 10**20:
        return "so large a number"
    if isinstance(value, str | int | float):
        text = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
        return text if len(text) <= 40 else f"{text[:38]}…{text[-1]}"
    return f"a {type(value).__name__}"
