"""`cascadia batch`: a folder of photos to a folder of layout files, on all cores or on a cluster."""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cascadia import files
from cascadia.errors import UserError
from cascadia.inputs import read_photo_file
from cascadia.read import layout_paths, save
from cascadia.terminal import columns, counted, printable, to_left, warn, write

if TYPE_CHECKING:
    import joblib

    from scoring.layout import Layout

PHOTO_ENDINGS = frozenset(
    {".jpg", ".jpeg", ".mpo", ".png", ".webp", ".avif", ".heic", ".heif", ".bmp", ".gif"}
)

_MOST_ENVIRONMENTS = 9


@dataclass(frozen=True)
class Outcome:
    """What became of a photo: its largest environment in numbers, or why it could not be read."""

    photo: Path
    environments: int = 0
    tiles: int = 0
    tokens: int = 0
    doubtful: int = 0
    seconds: float | None = None
    """None for a photo that was read in an earlier run."""
    failure: str | None = None


def batch(folder: Path, out: Path, jobs: int | None, backend: str | None) -> int:
    """Read the photos in `folder`; 0 if at least one has its layout file in `out` afterwards, else 2.

    `jobs` photos are read at the same time (None: one per core), on the joblib backend `backend`.
    """
    photos = _photos(folder)
    files.make_folder(out)
    targets = [out / f"{stem}.json" for stem in files.stems(photos)]
    for target in targets:
        files.check_overwrites_none(target, photos)
    outcomes = {}
    to_do = []
    for photo, target in zip(photos, targets, strict=True):
        earlier = _earlier(photo, target)
        if earlier is None:
            to_do.append((photo, target))
        else:
            outcomes[photo] = earlier
    try:
        for outcome in _read_all(to_do, jobs, backend):
            outcomes[outcome.photo] = outcome
    except KeyboardInterrupt:
        done = sum(outcome.failure is None for outcome in outcomes.values())
        warn(f"{done} of {len(photos)} photos are done: give the same command to go on")
        raise
    _report([outcomes[photo] for photo in photos])
    return 0 if any(outcome.failure is None for outcome in outcomes.values()) else 2


def _photos(folder: Path) -> list[Path]:
    if not folder.exists():
        raise UserError(f"there is no folder {str(folder)!r}: check the name")
    if not folder.is_dir():
        raise UserError(f"{str(folder)!r} is not a folder: use 'cascadia read' for single photos")
    photos = sorted(
        path
        for path in folder.iterdir()
        # A leading dot marks what macOS leaves beside a photo on foreign disks; it is no photo.
        if path.suffix.lower() in PHOTO_ENDINGS and not path.name.startswith(".") and path.is_file()
    )
    if not photos:
        raise UserError(f"there is no photo in {str(folder)!r} (JPEG, PNG, WebP, HEIC)")
    return photos


def _earlier(photo: Path, target: Path) -> Outcome | None:
    """The outcome of an earlier run if its layout file is whole and newer than the photo."""
    from scoring.layout import LayoutError, load_layout

    try:
        if target.stat().st_mtime < photo.stat().st_mtime:
            return None
        layout = load_layout(target)
    except (OSError, LayoutError):
        return None
    environments = sum(path.exists() for path in layout_paths(target, _MOST_ENVIRONMENTS))
    return _outcome(photo, layout, environments, None)


def _outcome(photo: Path, layout: Layout, environments: int, seconds: float | None) -> Outcome:
    tiles = layout.tiles
    return Outcome(
        photo,
        environments,
        len(tiles),
        sum(placed.tile.token is not None for placed in tiles),
        sum(placed.needs_review for placed in tiles),
        seconds,
    )


def read_one(photo: Path, target: Path, threads: int | None) -> Outcome:
    """Read a photo and write its layouts; runs in a worker process. Never raises for a bad photo.

    `threads` limits OpenCV's own threads where several workers share the cores.
    """
    import cv2

    if threads is not None:
        cv2.setNumThreads(threads)
    start = time.perf_counter()
    try:
        source = read_photo_file(photo)
        for path, layout in zip(layout_paths(target, len(source.layouts)), source.layouts, strict=True):
            save(layout, path)
    except UserError as error:
        return Outcome(photo, failure=str(error))
    except Exception as error:  # a fault of ours on one photo must not cost the others
        return Outcome(photo, failure=f"{photo.name!r} failed unexpectedly ({type(error).__name__}: {error})")
    return _outcome(photo, source.layouts[0], len(source.layouts), time.perf_counter() - start)


def _read_all(work: Sequence[tuple[Path, Path]], jobs: int | None, backend: str | None) -> Iterator[Outcome]:
    """Outcomes in the order in which they are done."""
    if not work:
        return
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError
    from tqdm import tqdm

    cores = joblib.cpu_count()
    workers = min(jobs or cores, len(work))
    # On a cluster the workers' cores are not ours to count.
    threads = max(1, cores // workers) if backend in (None, "loky") and workers > 1 else None
    try:
        with joblib.parallel_config(**_backend(backend), n_jobs=jobs or -1):
            results = _parallel()(joblib.delayed(read_one)(photo, target, threads) for photo, target in work)
            yield from tqdm(results, total=len(work), unit="photo", file=sys.stderr, disable=None)
    except TerminatedWorkerError:
        raise UserError(
            "a worker was ended by the system, probably for want of memory: go on with fewer --jobs"
        ) from None
    except ImportError as error:
        raise UserError(f"--backend {backend} needs a package that is not installed: {error}") from None
    except ValueError as error:
        raise UserError(f"--backend {backend} cannot be used: {error}") from None


def _backend(name: str | None) -> dict[str, str]:
    """Arguments of joblib.parallel_config. Ray and Dask need one word more than joblib's own backends."""
    if name is None:
        return {}
    if name == "ray":
        importlib.import_module("ray.util.joblib").register_ray()
    if name == "dask" and "DASK_SCHEDULER_ADDRESS" in os.environ:
        return {"backend": name, "scheduler_host": os.environ["DASK_SCHEDULER_ADDRESS"]}
    return {"backend": name}


def _parallel() -> joblib.Parallel:
    import joblib

    try:
        return joblib.Parallel(return_as="generator_unordered")
    except ValueError:  # Ray's backend returns only when all is done
        return joblib.Parallel()


def _report(outcomes: Sequence[Outcome]) -> None:
    read = [outcome for outcome in outcomes if outcome.failure is None]
    failed = [outcome for outcome in outcomes if outcome.failure is not None]
    names = [printable(outcome.photo.name) for outcome in read]
    width = max([len("photo"), *(columns(name) for name in names)])
    if read:
        write(f"{to_left('photo', width)}  tiles  tokens  to check  environments  seconds")
    for name, outcome in zip(names, read, strict=True):
        seconds = "earlier" if outcome.seconds is None else f"{outcome.seconds:.1f}"
        write(
            f"{to_left(name, width)}  {outcome.tiles:>5}  {outcome.tokens:>6}  {outcome.doubtful:>8}"
            f"  {outcome.environments:>12}  {seconds:>7}"
        )
    for outcome in failed:
        warn(str(outcome.failure))
    earlier = sum(outcome.seconds is None for outcome in read)
    write(
        f"{counted(len(outcomes), 'photo')}: {len(read) - earlier} read, {earlier} read earlier, "
        f"{len(failed)} failed"
    )
