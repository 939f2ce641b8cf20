"""Text for the terminal: no name of a file or player may steer it, and no letter may stop the output."""

from __future__ import annotations

import sys
import unicodedata


def printable(text: str) -> str:
    """`text` on one line, with control characters, bidirectional marks and the like shown as escapes.

    >>> printable("Ann\\x1b[31m")
    'Ann\\\\x1b[31m'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def write(text: str = "") -> None:
    """Print a line on standard output; letters that its encoding lacks are shown as escapes."""
    print(_encodable(text, sys.stdout.encoding), flush=False)


def warn(sentence: str) -> None:
    """Print one sentence on standard error."""
    print(_encodable(f"cascadia: {printable(sentence)}", sys.stderr.encoding), file=sys.stderr)


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
    while columns(text) > most - 2:
        text = text[:-1]
    return text + ".."


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
