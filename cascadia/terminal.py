"""Text for the terminal: no name of a file or player may steer it, and no letter may stop the output."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata


def printable(text: str) -> str:
    """`text` on one line, with control characters, bidirectional marks and the like shown as escapes.

    >>> printable("Ann\\x1b[31m")
    'Ann\\\\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def valid(text: str) -> str:
    """`text` as Unicode that every program takes: names that are no UTF-8 reach Python as lone surrogates.

    >>> valid("b\\udcffd.jpg")
    'b?d.jpg'
    """
    return text.encode("utf-8", "replace").decode("utf-8")


def write(text: str = "") -> None:
    """Print a line on standard output; letters that its encoding lacks are shown as escapes."""
    print(_encodable(text, sys.stdout.encoding), flush=False)


def warn(sentence: str) -> None:
    """Print one sentence on standard error; where that is full or gone, the exit status must do."""
    with contextlib.suppress(OSError):
        print(_encodable(f"cascadia: {printable(sentence)}", sys.stderr.encoding), file=sys.stderr)


def open_closed_streams() -> None:
    """Let what is written to a standard stream that the caller closed (``>&-``) go nowhere."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  # stays open, like the stream
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def can_show(text: str) -> bool:
    """Whether standard output's encoding has all letters of `text`."""
    return _encodable(text, sys.stdout.encoding) == text


def columns(text: str) -> int:
    """How many columns of a terminal `text` takes: two for wide letters (Korean names), none for marks."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def shortened(text: str, most: int) -> str:
    """`text` cut to at most `most` columns, with two dots where something was cut off."""
    if columns(text) <= most:
        return text
    kept, taken = "", 0
    for letter in text:
        taken += columns(letter)
        if taken > most - 2:
            break
        kept += letter
    return kept + ".."


def to_right(text: str, width: int) -> str:
    """`text` moved to the right end of `width` columns."""
    return " " * (width - columns(text)) + text


def to_left(text: str, width: int) -> str:
    """`text` filled up to `width` columns."""
    return text + " " * (width - columns(text))


def counted(number: int, noun: str) -> str:
    """`number` with its noun.

    >>> counted(1, "tile"), counted(2, "tile")
    ('1 tile', '2 tiles')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _encodable(text: str, encoding: str | None) -> str:
    encoding = encoding or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)
