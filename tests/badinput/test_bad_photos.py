"""Every photo file that a person can hand in gives a photo or one clear sentence, in bounded memory.

The files are made on the fly and handed to the command as a user would. Those of `BOMBS` get a process of
their own whose address space is limited: what unpacks to gigabytes fails the test instead of the machine.
"""

from __future__ import annotations

import io
import os
import resource
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from cascadia.__main__ import main

LIMIT = 1_500_000_000
"""Bytes of address space for a whole process; libraries alone take about a third of it."""


def picture(format: str, size: tuple[int, int] = (200, 160), **options: object) -> bytes:
    buffer = io.BytesIO()
    image = Image.linear_gradient("L").resize(size).convert("RGB")
    image.save(buffer, format, **options)
    return buffer.getvalue()


def png_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *chunks: bytes, depth: int = 8, color: int = 2) -> bytes:
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + b"".join(chunks) + png_chunk(b"IEND", b"")


def zeros(megabytes: int) -> bytes:
    """So many million zeros, deflated to a thousandth."""
    deflate = zlib.compressobj(9)
    block = bytes(1_000_000)
    return b"".join(deflate.compress(block) for _ in range(megabytes)) + deflate.flush()


def bomb_png() -> bytes:
    """300 megapixels that unpack to 900 megabytes, in one megabyte."""
    return png(20_000, 15_000, png_chunk(b"IDAT", zeros(901)))


def text_bomb_png() -> bytes:
    return png(100, 100, png_chunk(b"zTXt", b"Comment\0\0" + zeros(500)), png_chunk(b"IDAT", zeros(1)))


def profile_bomb_png() -> bytes:
    return png(100, 100, png_chunk(b"iCCP", b"icc\0\0" + zeros(500)), png_chunk(b"IDAT", zeros(1)))


def jpeg_with_size(width: int, height: int) -> bytes:
    data = bytearray(picture("JPEG"))
    frame = data.index(b"\xff\xc0")
    data[frame + 5 : frame + 9] = struct.pack(">HH", height, width)
    return bytes(data)


def many_scans() -> bytes:
    data = picture("JPEG", progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * 5000 + data[-2:]


def gif_with_size(width: int, height: int) -> bytes:
    data = bytearray(picture("GIF"))
    data[6:10] = struct.pack("<HH", width, height)
    return bytes(data)


def webp_with_size(width: int, height: int) -> bytes:
    """A header of a lossless WebP that claims a size, without the pixels."""
    bits = 0x2F | (width - 1) << 8 | (height - 1) << 22
    body = b"VP8L" + struct.pack("<I", 5) + struct.pack("<Q", bits)[:5] + b"\0"
    return b"RIFF" + struct.pack("<I", len(body) + 4) + b"WEBP" + body


BAD: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "empty": ("a.jpg", lambda: b"", "is empty"),
    "one byte": ("a.jpg", lambda: b"\xff", "not a picture"),
    "text called jpg": ("a.jpg", lambda: b"Dear Ann, here are our scores.\n", "not a picture"),
    "web page called png": ("a.png", lambda: b"<!doctype html><script>alert(1)</script>", "not a picture"),
    "svg": ("a.svg", lambda: b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not a picture"),
    "pdf": ("a.pdf", lambda: b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "not a picture"),
    "postscript": ("a.eps", lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "not a picture"),
    "tiff": ("a.tif", lambda: picture("TIFF"), "use a JPEG, PNG or WebP"),
    "zip": ("a.zip", lambda: b"PK\x03\x04" + bytes(60), "not a picture"),
    "video": ("a.mp4", lambda: b"\0\0\0\x18ftypmp42" + bytes(80), "not a picture"),
    "zeros": ("a.jpg", lambda: bytes(100_000), "not a picture"),
    "cut off jpeg": ("a.jpg", lambda: picture("JPEG")[:-400], "cut off"),
    "cut off png": ("a.png", lambda: picture("PNG")[:-400], "cut off"),
    "cut off webp": ("a.webp", lambda: picture("WEBP")[:-60], "'a.webp'"),
    "only a jpeg's head": ("a.jpg", lambda: picture("JPEG")[:25], "'a.jpg'"),
    "damaged png": ("a.png", lambda: picture("PNG").replace(b"IDAT", b"IDAX"), "'a.png'"),
    "png without pixels": ("a.png", lambda: png(100, 100), "'a.png'"),
    "png of no size": ("a.png", lambda: png(0, 0), "'a.png'"),
    "tiny": ("a.png", lambda: picture("PNG", (20, 20)), "only 20 x 20 pixels"),
    "a line": ("a.png", lambda: picture("PNG", (5000, 3)), "only 5000 x 3 pixels"),
    "letters that steer a terminal": ("\x1b[31mred\x07.jpg", lambda: b"", r"'\x1b[31mred\x07.jpg' is empty"),
    "markup in the name": (
        "<img src=x onerror=alert(1)>.jpg",
        lambda: b"",
        "<img src=x onerror=alert(1)>.jpg",
    ),
    "a name from right to left": ("\u202egpj.exe.jpg", lambda: b"", r"\u202egpj.exe.jpg"),
}

BOMBS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "png bomb": ("a.png", bomb_png, "megapixels"),
    "png of claimed terapixels": ("a.png", lambda: png(2**31 - 1, 2**31 - 1), "'a.png'"),
    "png with a text bomb": ("a.png", text_bomb_png, "'a.png'"),
    "png with a profile bomb": ("a.png", profile_bomb_png, "'a.png'"),
    "100 megapixels of png": ("a.png", lambda: png(10_000, 10_000, png_chunk(b"IDAT", b"")), "megapixels"),
    "jpeg of 4 gigapixels": ("a.jpg", lambda: jpeg_with_size(65_000, 65_000), "megapixels"),
    "jpeg of 5000 passes": ("a.jpg", many_scans, "takes too long"),
    "gif of 4 gigapixels": ("a.gif", lambda: gif_with_size(65_000, 65_000), "megapixels"),
    "webp of 268 megapixels": ("a.webp", lambda: webp_with_size(16_383, 16_383), "megapixels"),
    "heavy file": ("a.jpg", lambda: picture("JPEG") + bytes(60_000_000), "megabytes"),
}


def run_limited(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in a process with `LIMIT` bytes of address space and a minute of time."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, "-m", "cascadia", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        env=environment,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
        check=False,
    )


def assert_one_sentence(status: int, output: str, errors: str, words: str) -> None:
    assert status == 2, errors
    assert output == ""
    assert errors.startswith("cascadia: ")
    assert errors.count("\n") == 1
    assert words in errors
    assert errors.rstrip("\n").isprintable()


@pytest.mark.parametrize("case", BAD)
def test_bad_photo_gives_one_sentence(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, make, words = BAD[case]
    path = tmp_path / name
    path.write_bytes(make())
    status = main(["read", str(path), "--out", str(tmp_path / "out.json")])
    assert_one_sentence(status, *capsys.readouterr(), words)
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("case", BOMBS)
def test_bomb_gives_one_sentence_in_little_memory(case: str, tmp_path: Path) -> None:
    name, make, words = BOMBS[case]
    path = tmp_path / name
    path.write_bytes(make())
    result = run_limited("read", str(path), "--out", str(tmp_path / "out.json"))
    assert_one_sentence(result.returncode, result.stdout, result.stderr, words)
    assert not (tmp_path / "out.json").exists()


PLACES: dict[str, tuple[Callable[[Path], str], str]] = {
    "missing": (lambda folder: str(folder / "gone.jpg"), "there is no file"),
    "folder": (str, "is a folder"),
    "device": (lambda folder: "/dev/zero", "not an ordinary file"),
    "below a file": (lambda folder: str(folder / "file" / "a.jpg"), "there is no file"),
    "address": (lambda folder: "https://example.org/a.jpg", "there is no file"),
    "null in the name": (lambda folder: "a\0.jpg", "a\\x00.jpg"),
    "endless name": (lambda folder: "a" * 5000 + ".jpg", "File name too long"),
    "nothing": (lambda folder: "", "the name of a file or folder is empty"),
}


@pytest.mark.parametrize("case", PLACES)
@pytest.mark.parametrize("command", ["read", "score"])
def test_bad_place_gives_one_sentence(
    case: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_bytes(b"x")
    place, words = PLACES[case]
    out = ["--out", str(tmp_path / "out.json")] if command == "read" else []
    status = main([command, place(tmp_path), *out])
    assert_one_sentence(status, *capsys.readouterr(), words)


def test_pipe_does_not_hang(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")
    status = main(["score", str(tmp_path / "pipe.jpg")])
    assert_one_sentence(status, *capsys.readouterr(), "not an ordinary file")
