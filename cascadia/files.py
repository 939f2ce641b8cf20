"""Where output goes: named, checked before the work starts, and written whole or not at all."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from cascadia.errors import UserError

_ENDINGS = frozenset({".json", ".png", ".jpg", ".jpeg"})
"""A name that ends so is meant for a file."""
NEXT_ENVIRONMENT = "-environment-"
"""Between an input's name and the number, from 2 on, of a further environment in it."""


def stems(inputs: Sequence[Path]) -> list[str]:
    """A name for the output of each input: its own without the ending, with it where two would be alike, or
    where the name is that of another input's second environment.

    >>> stems([Path("a/oak.jpg"), Path("a/elm.jpg"), Path("b/elm.png")])
    ['oak', 'elm.jpg', 'elm.png']
    >>> stems([Path("oak.jpg"), Path("oak-environment-2.jpg")])
    ['oak', 'oak-environment-2.jpg']
    """
    short = Counter(path.stem.casefold() for path in inputs)

    def alone(stem: str) -> bool:
        first, mark, number = stem.rpartition(NEXT_ENVIRONMENT)
        return short[stem] == 1 and not (mark and number.isdecimal() and first in short)

    names = [path.stem if alone(path.stem.casefold()) else path.name for path in inputs]
    twice = [name for name, count in Counter(name.casefold() for name in names).items() if count > 1]
    if twice:
        raise UserError(f"two inputs are called {twice[0]!r}: rename one, their output would mix")
    return names


def output_paths(target: Path, inputs: Sequence[Path], ending: str) -> list[Path]:
    """Where the output for each of `inputs` goes.

    For one input `target` is the file, unless it is a folder; for several it is a folder, created if need be.
    Raises UserError where that cannot be, or an input would be overwritten.
    """
    as_folder = len(inputs) > 1 or target.is_dir() or str(target).endswith(("/", os.sep))
    if as_folder:
        if not target.exists() and target.suffix.lower() in _ENDINGS:
            raise UserError(
                f"{str(target)!r} is the name of one file, and there are {len(inputs)} inputs: name a folder"
            )
        make_folder(target)
        paths = [target / (stem + ending) for stem in stems(inputs)]
    else:
        check_folder(target.parent)
        paths = [target]
    for path in paths:
        check_overwrites_none(path, inputs)
    return paths


def make_folder(folder: Path) -> None:
    """Create `folder` where its parent exists, and make sure that files can be written there."""
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{str(folder)!r} is a file: name a folder for the output")
    if not folder.exists():
        check_folder(folder.parent)
        try:
            folder.mkdir()
        except OSError as error:
            raise UserError(f"the folder {str(folder)!r} cannot be created: {error.strerror}") from None
    check_folder(folder)


def check_folder(folder: Path) -> None:
    """Raise UserError unless files can be written in `folder`."""
    if not folder.exists():
        raise UserError(f"there is no folder {str(folder)!r} for the output: create it first")
    if not folder.is_dir():
        raise UserError(f"{str(folder)!r} is not a folder: choose another place for the output")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise UserError(
            f"you may not write in the folder {str(folder)!r}: choose another place for the output"
        )


def check_overwrites_none(path: Path, inputs: Sequence[Path]) -> None:
    """Raise UserError where writing `path` would destroy one of `inputs` or a device, or is impossible.

    A file is written beside its place and then put there, so a link or a device would be replaced by it.
    """
    if path.is_dir():
        raise UserError(f"{str(path)!r} is a folder: name a file for the output")
    for source in inputs:
        if path.exists() and source.exists() and path.samefile(source):
            raise UserError(f"the output {str(path)!r} would overwrite an input: choose another name")
    if path.is_symlink() or (path.exists() and not path.is_file()):
        raise UserError(f"{str(path)!r} is a link or a device: name an ordinary file for the output")


def write_picture(pixels: object, path: Path) -> None:
    """Write RGB pixels, uint8 (height, width, 3), as PNG or JPEG, by the ending of `path`."""
    from PIL import Image

    options = {"quality": 92} if picture_format(path) == "JPEG" else {}
    image = Image.fromarray(pixels)  # type: ignore[arg-type]
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        try:
            image.save(partial, picture_format(path), **options)
            partial.replace(path)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError) -> UserError:
    """What to tell where writing failed: a full disk, a name that the disk does not take."""
    return UserError(f"{str(path)!r} cannot be written: {error.strerror or error}")


def picture_format(path: Path) -> str:
    """JPEG or PNG, by the ending of `path`; UserError for any other."""
    if path.suffix.lower() in (".jpg", ".jpeg"):
        return "JPEG"
    if path.suffix.lower() == ".png":
        return "PNG"
    raise UserError(f"{path.name!r} must end in .png or .jpg to be written as a picture")
