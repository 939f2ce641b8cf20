"""The page with the fake reader, for the browser test; CASCADIA_TEST_READS names the file of readings."""

import os
import runpy
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[2]))

from fake_reader import FakeReader

import webapp.reading


def _note(name: str) -> None:
    with Path(os.environ["CASCADIA_TEST_READS"]).open("a") as file:
        file.write(f"{name}\n")


if not isinstance(webapp.reading.read_photo, FakeReader):
    webapp.reading.read_photo = FakeReader(_note)
runpy.run_path(str(Path(__file__).parents[2] / "webapp" / "app.py"), run_name="__main__")
