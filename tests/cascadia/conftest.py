"""Layouts, files and a reader that reads what it is told to, for the command's tests."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from scoring.environment import Tile
from scoring.layout import Alternative, Layout, LayoutTile, PhotoInfo, save_layout
from scoring.pieces import Species, Terrain
from vision.photo import NoEnvironmentError, Photo, load_photo

FOREST, RIVER = Terrain.FOREST, Terrain.RIVER
DUAL = (FOREST, FOREST, FOREST, RIVER, RIVER, RIVER)


Row = Callable[..., Layout]


@pytest.fixture
def row() -> Row:
    """Makes a layout of tiles in a row with the given tokens, in a photo in which they begin at `x` pixels.

    The tile at `doubtful` is marked for review.
    """

    def make(
        *tokens: str | None, nature_tokens: int | None = 0, x: float = 100.0, doubtful: int | None = None
    ) -> Layout:
        tiles = tuple(
            LayoutTile(
                Tile((q, 0), DUAL, Species(token) if token else None),
                center=(x + 100.0 * q, 100.0),
                confidence_terrain=0.99,
                confidence_token=0.6 if q == doubtful else 0.99,
                needs_review=q == doubtful,
                token_alternatives=(Alternative(None, 0.4),) if q == doubtful else (),
            )
            for q, token in enumerate(tokens)
        )
        return Layout(tiles, nature_tokens, PhotoInfo("kitchen.jpg", 800, 300))

    return make


@pytest.fixture
def layout_file(tmp_path: Path) -> Callable[[str, Layout], Path]:
    """Writes a layout into a file of the given name."""

    def write(name: str, layout: Layout) -> Path:
        path = tmp_path / name
        save_layout(layout, path)
        return path

    return write


@pytest.fixture
def photo_file(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a small photo of the given name."""

    def write(name: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        buffer = io.BytesIO()
        Image.new("RGB", (800, 300), (120, 90, 60)).save(buffer, "PNG")
        path.write_bytes(buffer.getvalue())
        return path

    return write


@dataclass(frozen=True)
class FakeReading:
    layouts: tuple[Layout, ...]


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[Layout, ...]]:
    """Stands in for the reader: a photo called so shows these environments, any other none."""
    shown: dict[str, tuple[Layout, ...]] = {}

    def read_photo(source: object, **_: object) -> FakeReading:
        photo = source if isinstance(source, Photo) else load_photo(source)  # type: ignore[arg-type]
        if photo.name not in shown:
            raise NoEnvironmentError(
                f"{photo.name!r} shows no Cascadia environment: photograph one from above"
            )
        return FakeReading(shown[photo.name])

    monkeypatch.setattr("vision.reader.read_photo", read_photo)
    return shown
