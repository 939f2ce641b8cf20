"""What the command understands. Nothing slow is imported here, so that `--help` answers at once."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import NoReturn

from cascadia.errors import UserError
from cascadia.terminal import shortened

BATCH_STATUS = "Exit status: 0 if at least one photo has its layout file now, 2 if none has."


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UserError(f"{message} (see '{self.prog} --help')")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The command line as a namespace; `command` is read, score, batch or app.

    Raises UserError where it cannot be understood, SystemExit(0) after --help and --version.
    """
    return _parser().parse_args(argv)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="cascadia",
        description="Photograph a finished Cascadia environment and get its score with the reasons.",
    )
    parser.add_argument("--version", action="version", version=f"cascadia {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    _add_read(commands)
    _add_score(commands)
    _add_batch(commands)
    _add_app(commands)
    return parser


def _add_read(commands: argparse._SubParsersAction[_Parser]) -> None:
    read = commands.add_parser(
        "read",
        help="read photos and write layout files",
        description="Read the environment in each photo and write it as a layout file (JSON). "
        "A second environment in a photo gets a file of its own, NAME-environment-2.json.",
    )
    read.add_argument("inputs", metavar="PHOTO", nargs="+", type=_path, help="JPEG, PNG, WebP or HEIC")
    read.add_argument(
        "--out", metavar="PATH", type=_path, required=True, help="a file for one photo, a folder for several"
    )
    read.add_argument(
        "--overlay",
        metavar="PATH",
        type=_path,
        help="also draw what was read over the photo: a .png or .jpg, or a folder for several photos",
    )


def _add_score(commands: argparse._SubParsersAction[_Parser]) -> None:
    score = commands.add_parser(
        "score",
        help="score photos or layout files",
        description="Print the score sheet of a game, one photo or layout file for each player.",
        epilog="A photo that shows the environments of several players scores them all if --names has as "
        "many names; otherwise its largest environment counts.",
    )
    score.add_argument(
        "inputs", metavar="INPUT", nargs="+", type=_path, help="a photo or a layout file, one per player"
    )
    score.add_argument(
        "--cards",
        metavar="CARDS",
        help="wildlife cards in the order bear, elk, salmon, hawk, fox (ABCDA), or by name (bear=A,elk=B); "
        "default: all A",
    )
    score.add_argument(
        "--variant", choices=("family", "intermediate"), help="score with that one card for all"
    )
    score.add_argument("--names", metavar="ANN,BEN", help="names of the players, in the order of the inputs")
    score.add_argument(
        "--nature", metavar="2,0", help="nature tokens left, in the order of the players; default: as read"
    )
    score.add_argument(
        "--house-rule",
        metavar="NAME",
        action="append",
        default=[],
        dest="house_rules",
        help="elk_d_gaps, salmon_lenient or elk_c_cap; may be given several times",
    )
    score.add_argument(
        "--no-majority", action="store_false", dest="majority", help="leave the habitat majority bonus out"
    )
    score.add_argument("--explain", action="store_true", help="tell what earned each category its points")
    score.add_argument("--json", action="store_true", help="print the score sheet as JSON")
    score.add_argument(
        "--overlay",
        metavar="PATH",
        type=_path,
        help="draw what was scored: a .png or .jpg for one input, a folder for several",
    )


def _add_batch(commands: argparse._SubParsersAction[_Parser]) -> None:
    batch = commands.add_parser(
        "batch",
        help="read a folder of photos",
        description="Read every photo in a folder and write a layout file for each. Photos that have a newer "
        "layout file are skipped, so a run that was stopped goes on where it was. Bad photos are "
        "listed at the end. " + BATCH_STATUS,
    )
    batch.add_argument("folder", metavar="FOLDER", type=_path, help="folder with photos")
    batch.add_argument(
        "--out", metavar="FOLDER", type=_path, required=True, help="folder for the layout files"
    )
    batch.add_argument(
        "--jobs", metavar="N", type=_positive, help="photos read at the same time; default: one per core"
    )
    batch.add_argument(
        "--backend",
        metavar="NAME",
        help="joblib backend to run on: loky, threading, or an existing cluster (dask, found by "
        "DASK_SCHEDULER_ADDRESS, or ray) that sees the same folders",
    )


def _add_app(commands: argparse._SubParsersAction[_Parser]) -> None:
    app = commands.add_parser(
        "app",
        help="start the web page",
        description="Start the page on this machine; phones in the same network can open it too.",
    )
    app.add_argument(
        "--port", metavar="N", type=_port, help="port to listen on; default: 8501 or the next free"
    )


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name of a file or folder is empty")
    if "\0" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no name of a file")
    return Path(text)


def _positive(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= 1024 or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{shortened(text, 20)!r} is not a number from 1 to 1024")
    return int(text)


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 5 or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{shortened(text, 20)!r} is not a port, a number from 1 to 65535")
    return int(text)


def _version() -> str:
    try:
        return metadata.version("cascadia-photo-scorer")
    except metadata.PackageNotFoundError:
        return "(not installed)"
