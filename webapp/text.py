"""Text from outside (names, file names) where Streamlit would take it for Markdown."""

from __future__ import annotations

import re

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!~|<>$:&])")


def plain(text: str) -> str:
    """`text` with every mark escaped, so that Markdown shows it as it is.

    >>> plain("*Ann* <b>")
    '\\\\*Ann\\\\* \\\\<b\\\\>'
    """
    return _MARKS.sub(r"\\\1", text)
