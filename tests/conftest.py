"""Fixtures that every room's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root folder of the source tree."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared(repository: Path) -> Path:
    """Folder of real photos and scored boards beside the source tree; the test is skipped without it."""
    folder = repository.parent / "shared"
    if not folder.is_dir():
        pytest.skip("needs ../shared (real photos and scored boards), which is not part of the project")
    return folder
