"""The reading desk: photos are read once each, a few at a time, in the order they came.

A page hands its photo in and asks from time to time how far it is. The work goes on when the page reruns or
its connection drops, and the same bytes are never read twice while the result is kept.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from scoring.layout import Layout, PhotoInfo
from vision import NoEnvironmentError, PhotoError, load_photo, read_photo
from vision.share import screen_jpeg

MOST_WORKERS = 3
"""So many photos are read at once at most: each takes memory, and a container sees all cores of its host."""
RESULTS_KEPT = 24
"""Finished readings kept, each about half a megabyte: a photo handed in twice within minutes is read once."""


@dataclass(frozen=True)
class ReadPhoto:
    """What the page needs of a photo: its readings, largest environment first, and a JPEG for the screen.

    Where the photo shows no environment there are no layouts, and `refusal` is the reader's sentence about
    it: the picture is kept, so that an environment can be built by hand over it.
    """

    key: str
    name: str
    layouts: tuple[Layout, ...]
    jpeg: bytes
    info: PhotoInfo | None = None
    refusal: str = ""


@dataclass(frozen=True)
class Progress:
    """How far a photo is. `ahead` photos must be read before it starts; `stage` is the reader's word."""

    stage: str
    fraction: float
    ahead: int


class Job:
    """A photo on the desk."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.stage = ""
        self.fraction = 0.0
        self.started = False
        self.result: Future[ReadPhoto] = Future()

    def report(self, stage: str, fraction: float) -> None:
        self.stage, self.fraction = stage, min(1.0, max(0.0, fraction))


def read_one(data: bytes, name: str, report: Callable[[str, float], None]) -> ReadPhoto:
    """Read one photo. Raises PhotoError (one sentence) where it cannot be opened."""
    photo = load_photo(data, name)
    layouts: tuple[Layout, ...] = ()
    refusal = ""
    try:
        layouts = tuple(read_photo(photo, progress=report).layouts)
    except NoEnvironmentError as error:
        refusal = str(error)
    info = PhotoInfo(name, photo.width, photo.height)
    return ReadPhoto(photo_key(data), name, layouts, screen_jpeg(photo.pixels), info, refusal)


def photo_key(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


class ReadingDesk:
    """Reads at most `workers` photos at once; the others wait in line and see how many are before them."""

    def __init__(
        self,
        read: Callable[[bytes, str, Callable[[str, float], None]], ReadPhoto] = read_one,
        workers: int | None = None,
        results_kept: int = RESULTS_KEPT,
    ) -> None:
        self._read = read
        self._workers = workers or min(MOST_WORKERS, max(1, (os.cpu_count() or 2) // 2))
        self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix="reader")
        self._results_kept = results_kept
        self._lock = threading.Lock()
        self._jobs: OrderedDict[str, Job] = OrderedDict()  # in the order they came

    def hand_in(self, data: bytes, name: str) -> Job:
        """Put a photo in line, or find it there. Its result is a ReadPhoto or a PhotoError."""
        key = photo_key(data)
        with self._lock:
            job = self._jobs.get(key)
            if job is not None and not _failed(job):
                if job.result.done():
                    self._jobs.move_to_end(key)
                return job
            job = Job(key)
            self._jobs[key] = job
            self._drop_old()
        self._pool.submit(self._work, job, data, name)
        return job

    def progress(self, job: Job) -> Progress:
        with self._lock:
            before = 0
            for other in self._jobs.values():
                if other is job:
                    break
                before += not other.result.done()
        ahead = 0 if job.started or job.result.done() else max(0, before - self._workers + 1)
        return Progress(job.stage, job.fraction, ahead)

    def _work(self, job: Job, data: bytes, name: str) -> None:
        job.started = True
        try:
            job.result.set_result(self._read(data, name, job.report))
        except PhotoError as error:
            job.result.set_exception(error)
        except MemoryError:
            job.result.set_exception(PhotoError(f"{name} is too large to be read here: use a smaller photo"))
        except Exception as error:  # the page must say something; the log says what
            job.result.set_exception(error)

    def _drop_old(self) -> None:
        finished = [key for key, job in self._jobs.items() if job.result.done()]
        for key in finished[: max(0, len(finished) - self._results_kept)]:
            del self._jobs[key]


def _failed(job: Job) -> bool:
    return job.result.done() and job.result.exception() is not None
