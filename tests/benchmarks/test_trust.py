"""The trust table's own judgement, and a small crowd at the page."""

from __future__ import annotations

import pytest

from benchmarks.load import measure
from benchmarks.trust import MOST_MEMORY, fault_of, hand_in


@pytest.mark.parametrize(
    ("status", "output", "errors", "memory"),
    [
        (0, b"Total 7\n", b"cascadia: a.json: 31 tiles\n", 0),
        (2, b"", b"cascadia: 'a.jpg' is empty\n", 0),
    ],
)
def test_a_result_or_one_sentence_is_handled(status: int, output: bytes, errors: bytes, memory: int) -> None:
    assert fault_of(status, output, errors, memory) == ""


@pytest.mark.parametrize(
    ("status", "output", "errors", "memory", "fault"),
    [
        (1, b"", b"Traceback\nValueError: x\n", 0, "exit status 1: ValueError: x"),
        (-9, b"", b"", 0, "without a word"),
        (2, b"", b"Traceback\n", 0, "prints 'Traceback'"),
        (2, b"", b"cascadia: a\x1b[2J\n", 0, "prints"),
        (2, b"", b"cascadia: a\ncascadia: b\n", 0, "2 sentences"),
        (2, b"Total", b"cascadia: a\n", 0, "status 2"),
        (0, b"", b"", 0, "without a result"),
        (0, b"Total", b"", MOST_MEMORY + 1, "MB of memory"),
    ],
)
def test_anything_else_is_not(status: int, output: bytes, errors: bytes, memory: int, fault: str) -> None:
    assert fault in fault_of(status, output, errors, memory)


def test_a_file_is_handed_to_the_command() -> None:
    handed = hand_in("empty", "a.jpg", b"")
    assert handed.fault == ""
    assert 5e6 < handed.memory < MOST_MEMORY
    assert handed.cpu > 0


def test_guests_at_once_get_their_own() -> None:
    outcome = measure(sessions=4, rounds=2)
    assert outcome.errors == []
    assert outcome.mixed_up == []
    assert all(len(stay.answers) == 2 for stay in outcome.stays)
    assert outcome.readers == 2
