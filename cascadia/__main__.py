"""Entry point of `cascadia` and `python -m cascadia`."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

from cascadia import cli
from cascadia.errors import UserError
from cascadia.terminal import open_closed_streams, warn

STATUS_DONE = 0
STATUS_UNUSABLE = 2
STATUS_INTERRUPTED = 130
STATUS_BROKEN_PIPE = 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: that of the process) and return the exit status.

    0 done; 2 input that cannot be used, with one sentence on standard error; 130 stopped from the keyboard;
    141 the reader of our output went away.
    """
    open_closed_streams()
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
        return status
    except UserError as error:
        warn(str(error))
        return STATUS_UNUSABLE
    except KeyboardInterrupt:
        warn("stopped")
        return STATUS_INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes the closed pipe at exit.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return STATUS_BROKEN_PIPE
    except OSError as error:
        what = f"{str(error.filename)!r}: " if error.filename else ""
        warn(f"{what}{error.strerror or error}")
        return STATUS_UNUSABLE
    except SystemExit as end:  # argparse, after --help and --version
        return end.code if isinstance(end.code, int) else STATUS_DONE


def _run(argv: Sequence[str]) -> int:
    options = cli.parse(argv)
    # Each command is imported only when it runs: --help must not wait for OpenCV or Streamlit.
    if options.command == "read":
        from cascadia.read import read

        return read(options.inputs, options.out, options.overlay)
    if options.command == "score":
        from cascadia.score import Options, score

        return score(options.inputs, Options.from_namespace(options))
    if options.command == "batch":
        from cascadia.batch import batch

        return batch(options.folder, options.out, options.jobs, options.backend)
    from cascadia.app import app

    return app(options.port)


if __name__ == "__main__":
    sys.exit(main())
