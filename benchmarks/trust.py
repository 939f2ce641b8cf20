"""The trust table in one command: `python -m benchmarks.trust [--sessions 20] [--skip-load]`.

Hands every file of `benchmarks.bad_inputs` to the command `cascadia`, each in a process of its own; lets
guests at the page at once (`benchmarks.load`); times the engine on boards full of one species
(`benchmarks.speed`). A file is *handled* if it gives a result (status 0) or exactly one sentence (status 2)
within `PATIENCE` seconds and `MOST_MEMORY` bytes, and never a traceback. Exit status 1 if anything is not.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.bad_inputs import BOMBS, LAYOUTS, ODD_LAYOUTS, ODD_PHOTOS, PHOTOS
from benchmarks.load import measure
from benchmarks.speed import worst_times

PATIENCE = 120.0
"""Seconds of the wall clock after which an answer counts as a hang; most of them are the machine's load."""
MOST_MEMORY = 1_500_000_000
"""Resident bytes that no input may cost."""
SIZES = (23, 40, 100)

# Resident memory is asked of the process itself: what the system reports of an ended child counts in its
# parent. On other systems than Linux there is only the latter.
_COMMAND = """
import resource, runpy, sys
from pathlib import Path
note = Path(sys.argv.pop(1))
try:
    runpy.run_module("cascadia", run_name="__main__", alter_sys=True)
finally:
    status = Path("/proc/self/status")
    lines = status.read_text(errors="replace").splitlines() if status.exists() else []
    peak = [int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")]
    note.write_text(str(peak[0] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024))
"""


@dataclass(frozen=True)
class Handed:
    """What a file did to the command. cpu: its seconds; memory: most resident bytes; fault: "" if handled."""

    name: str
    cpu: float
    memory: int
    fault: str


def bad_inputs() -> Iterator[tuple[str, str, bytes]]:
    """Name of the case, name of the file, and its bytes."""
    for group in (PHOTOS, BOMBS):
        for name, (file, make, _) in group.items():
            yield name, file, make()
    for name, (make, _) in LAYOUTS.items():
        yield name, "a.json", make()
    for name, make in ODD_LAYOUTS.items():
        yield name, "a.json", make()
    for name, make in ODD_PHOTOS.items():
        yield name, "a.jpg", make()


def hand_in(name: str, file: str, data: bytes) -> Handed:
    """Score a file with the command, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path, note = Path(folder) / file, Path(folder) / "memory of the process"
        path.write_bytes(data)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            [sys.executable, "-c", _COMMAND, str(note), "score", str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "OPENBLAS_NUM_THREADS": "1"},
        )
        try:
            output, errors = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            return Handed(name, PATIENCE, 0, f"no answer within {PATIENCE:.0f} s")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        memory = int(note.read_text()) if note.exists() else 0
        return Handed(name, cpu, memory, fault_of(process.returncode, output, errors, memory))


def fault_of(status: int, output: bytes, errors: bytes, memory: int) -> str:
    """What is wrong with an answer; "" if nothing is."""
    lines = errors.decode("utf-8", "replace").splitlines()
    if status not in (0, 2):
        return f"exit status {status}: {lines[-1] if lines else 'without a word'}"
    odd = [line for line in lines if not line.startswith("cascadia: ") or not line.isprintable()]
    if odd:
        return f"prints {odd[0]!r}"
    if status == 2 and (output or len(lines) != 1):
        return f"status 2 with {len(lines)} sentences"
    if status == 0 and not output:
        return "status 0 without a result"
    if memory > MOST_MEMORY:
        return f"{memory / 1e6:.0f} MB of memory"
    return ""


def slowest_cards() -> Iterator[tuple[int, float, str]]:
    """For each of `SIZES`: CPU seconds of the slowest card on a board of so many tiles, and which it is."""
    worst = list(worst_times(SIZES))
    for size in SIZES:
        slow = max((each for each in worst if each.tiles == size), key=lambda each: each.seconds)
        yield size, slow.seconds, f"{slow.card}, {slow.board}"


def main(argv: Sequence[str] | None = None) -> int:
    """Command line."""
    parser = argparse.ArgumentParser(prog="benchmarks.trust", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=5, help="corrections of every guest")
    parser.add_argument("--skip-load", action="store_true", help="leave the page out")
    args = parser.parse_args(argv)
    began = time.monotonic()
    handed = [hand_in(*case) for case in bad_inputs()]
    faults = [each for each in handed if each.fault]
    slowest = max(handed, key=lambda each: each.cpu)
    largest = max(handed, key=lambda each: each.memory)
    row("bad inputs tried / handled", f"{len(handed)} / {len(handed) - len(faults)}")
    row("most memory", f"{largest.memory / 1e6:.0f} MB ({largest.name})")
    row("slowest, CPU", f"{slowest.cpu:.2f} s ({slowest.name})")
    failed = bool(faults)
    complaints = [f"{each.name}: {each.fault}" for each in faults]
    if not args.skip_load:
        outcome = measure(args.sessions, args.rounds)
        wrong = [*outcome.errors, *outcome.mixed_up]
        failed |= bool(wrong)
        complaints += wrong
        row("sessions at once / errors", f"{args.sessions} / {len(outcome.errors)}")
        row("mixed-up answers", str(len(outcome.mixed_up)))
        row("told to wait", f"{outcome.waited} of {outcome.readers} with a photo")
        row("server's most memory", f"{outcome.peak_memory / 1e6:.0f} MB")
    for size, took, name in slowest_cards():
        row(f"slowest card, {size} tiles, CPU", f"{1000 * took:.1f} ms ({name})")
    print(f"measured in {time.monotonic() - began:.0f} s at load {os.getloadavg()[0]:.1f}")
    for complaint in complaints[:20]:
        print(complaint, file=sys.stderr)
    return 1 if failed else 0


def row(name: str, value: str) -> None:
    print(f"{name:<30} {value}", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
