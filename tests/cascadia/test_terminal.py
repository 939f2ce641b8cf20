"""Text for the terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cascadia.terminal import columns, printable, shortened, to_left, to_right


@given(st.text(max_size=20))
def test_printable_text_is_one_line_that_steers_nothing(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    if text.isprintable():
        assert shown == text


@given(st.text(st.characters(categories=["L", "N", "Zs"]), max_size=12), st.integers(3, 12))
def test_columns_are_kept(text: str, width: int) -> None:
    cut = shortened(text, width)
    assert columns(cut) <= width
    assert columns(to_left(cut, width)) == columns(to_right(cut, width)) == width


def test_wide_letters_and_marks() -> None:
    assert columns("Ann") == 3
    assert columns("김민") == 4
    assert columns("e\u0301") == 1
    assert shortened("Bartholomew", 6) == "Bart.."
