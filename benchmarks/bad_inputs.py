"""Everything that a person can hand in and should not: one table for the tests and for `benchmarks.trust`.

Files are made on the fly. `PHOTOS`, `BOMBS` and `LAYOUTS` must give one sentence with the words beside them;
`ODD_PHOTOS` and `ODD_LAYOUTS` are unusual, but not wrong: they give a result or one sentence.
"""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms, PngImagePlugin

from scoring.layout import MAX_TILES, Layout, parse_layout
from training.surfaces import surface
from vision.overlay import draw_layout

Maker = Callable[[], bytes]
BadFile = tuple[str, Maker, str]
"""Name of the file, its bytes, and words of the sentence that it must give."""


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


PHOTOS: dict[str, BadFile] = {
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

BOMBS: dict[str, BadFile] = {
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


def tile(**changes: Any) -> dict[str, Any]:
    return {"q": 0, "r": 0, "terrain": ["forest"] * 3 + ["river"] * 3, "token": "bear"} | changes


def layout(*tiles: Any, **changes: Any) -> dict[str, Any]:
    return {"version": 1, "tiles": list(tiles) or [tile()]} | changes


def as_json(data: Any) -> bytes:
    return json.dumps(data).encode()


LAYOUTS: dict[str, tuple[Maker, str]] = {
    "empty": (lambda: b"", "empty"),
    "blank": (lambda: b" \n\t ", "empty"),
    "text": (lambda: b"hello", "no JSON at line 1"),
    "cut off": (lambda: as_json(layout())[:-5], "no JSON at line 1"),
    "utf-16": (lambda: json.dumps(layout()).encode("utf-16"), "UTF-8"),
    "a list": (lambda: b"[]", "a layout is an object"),
    "null": (lambda: b"null", "a layout is an object"),
    "no version": (lambda: as_json({"tiles": []}), "version"),
    "a later version": (lambda: as_json(layout(version=2)), "version: 2 is not known"),
    "version as text": (lambda: as_json(layout(version="1")), "version"),
    "version true": (lambda: as_json(layout(version=True)), "version"),
    "no tiles": (lambda: as_json({"version": 1}), "tiles: is missing"),
    "tiles as object": (lambda: as_json({"version": 1, "tiles": {}}), "tiles"),
    "tile as number": (lambda: as_json(layout(7)), "tiles[0]"),
    "no token": (lambda: as_json(layout({"q": 0, "r": 0, "terrain": ["river"] * 6})), "tiles[0].token"),
    "q as text": (lambda: as_json(layout(tile(q="0"))), "tiles[0].q"),
    "q as fraction": (lambda: as_json(layout(tile(q=0.5))), "tiles[0].q"),
    "q true": (lambda: as_json(layout(tile(q=True))), "tiles[0].q"),
    "q NaN": (lambda: as_json(layout(tile(q=float("nan")))), "NaN"),
    "q out of reach": (lambda: as_json(layout(tile(q=10**9))), "tiles[0].q"),
    "q of 5000 digits": (lambda: as_json(layout()).replace(b'"q": 0', b'"q": 1' + b"0" * 5000), "a.json"),
    "five edges": (lambda: as_json(layout(tile(terrain=["river"] * 5))), "tiles[0].terrain"),
    "a lake": (lambda: as_json(layout(tile(), tile(q=1, terrain=["lake"] * 6))), "tiles[1].terrain: 'lake'"),
    "three terrains": (
        lambda: as_json(layout(tile(terrain=["river", "river", "forest", "forest", "prairie", "prairie"]))),
        "tiles[0].terrain",
    ),
    "a newt": (lambda: as_json(layout(tile(token="newt"))), "tiles[0].token: 'newt'"),
    "token as list": (lambda: as_json(layout(tile(token=["bear"]))), "tiles[0].token"),
    "two on one place": (lambda: as_json(layout(tile(), tile())), "same place"),
    "10,000 tiles": (lambda: as_json(layout(*(tile(q=i % 100, r=i // 100) for i in range(10_000)))), "10000"),
    "center NaN": (lambda: as_json(layout(tile(center=[float("nan"), 1]))), "NaN"),
    "center infinite": (lambda: as_json(layout()).replace(b'"q"', b'"center": [1e999, 1], "q"'), "center"),
    "center of 400 digits": (
        lambda: as_json(layout(tile(center=[10**400, 1]))),
        "center: so large a number does not lie between",
    ),
    "probability of 400 digits": (
        lambda: as_json(layout(tile(confidence={"token": 10**400}))),
        "confidence.token: so large a number",
    ),
    "five corners": (lambda: as_json(layout(tile(corners=[[0, 0]] * 5))), "tiles[0].corners"),
    "confidence of 2": (lambda: as_json(layout(tile(confidence={"terrain": 2}))), "confidence.terrain"),
    "fewer than no nature tokens": (lambda: as_json(layout(nature_tokens=-1)), "nature_tokens"),
    "photo without size": (lambda: as_json(layout(photo={"file": "a.jpg"})), "photo.width"),
    "nested lists": (lambda: b'{"version": 1, "tiles": ' + b"[" * 100_000, "nested"),
    "nested unknown key": (
        lambda: b'{"version": 1, "tiles": [], "x": ' + b"[" * 900 + b"]" * 900 + b"}",
        "nested",
    ),
    "6 megabytes": (lambda: as_json(layout(note="x" * 6_000_000)), "larger than 5 MB"),
    "a steering letter": (lambda: as_json(layout(tile(token="\x1b[31mbear"))), r"\x1b[31mbear"),
    "markup": (lambda: as_json(layout(tile(token="<script>alert(1)</script>"))), "<script>"),
}


ODD_LAYOUTS: dict[str, Maker] = {
    "no tile at all": lambda: as_json({"version": 1, "tiles": []}),
    "one tile": lambda: as_json(layout()),
    "two islands": lambda: as_json(layout(tile(), tile(q=50))),
    "byte order mark": lambda: b"\xef\xbb\xbf" + as_json(layout()),
    "unknown keys": lambda: as_json(layout(tile(note={"by": "Ann"}), app="other")),
    "30 bears": lambda: as_json(layout(*(tile(q=i) for i in range(30)))),
    "all tiles allowed, of one species": lambda: as_json(
        layout(*(tile(q=i % 10, r=i // 10) for i in range(MAX_TILES)))
    ),
    "odd warnings": lambda: as_json(layout(warnings=["\x1b[2Jgone", "<b>bold</b>", "two\nlines"])),
}


SAMPLE = "01-from-above"
TABLE = (900, 1200)
"""Height and width of a picture of a table, px."""
_ORIENTATION_TAG = 0x0112


@cache
def sample() -> Image.Image:
    """The easiest sample photo, at a size that is read quickly."""
    with Image.open(io.BytesIO((files("sample_images") / f"{SAMPLE}.jpg").read_bytes())) as image:
        image.load()
    image.thumbnail((1000, 1000))
    return image


def sample_layout() -> Layout:
    """What is on `sample()`, its pixels those of the full photo."""
    return parse_layout(json.loads((files("sample_images") / f"{SAMPLE}.json").read_bytes()))


def encoded(image: Image.Image | NDArray[Any], format: str = "PNG", **options: Any) -> bytes:
    buffer = io.BytesIO()
    picture = image if isinstance(image, Image.Image) else Image.fromarray(image.astype(np.uint8))
    picture.save(buffer, format, **options)
    return buffer.getvalue()


def turned(orientation: int) -> bytes:
    """The sample as a camera stores it that was held so (EXIF orientation 1 to 8)."""
    stored = {
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }
    exif = Image.Exif()
    exif[_ORIENTATION_TAG] = orientation
    image = sample().transpose(stored[orientation]) if orientation in stored else sample()
    return encoded(image, "JPEG", quality=90, exif=exif)


def animated(format: str) -> bytes:
    return encoded(
        sample(), format, save_all=True, append_images=[Image.new("RGB", sample().size, "black")] * 3
    )


def grey_of_16_bits() -> bytes:
    return encoded(Image.fromarray(np.asarray(sample().convert("L")).astype(np.uint16) * 257))


def half_transparent() -> bytes:
    image = sample().convert("RGBA")
    image.putalpha(Image.linear_gradient("L").resize(image.size))
    return encoded(image)


def exchanged_primaries() -> bytes:
    """A colour profile that exchanges red and green."""
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    profile = profile.replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    return profile.replace(b"s\0R\0G\0B", b"o\0d\0d\0!").replace(b"sRGB", b"odd!")


def lab_profile() -> bytes:
    """A profile of a colour space that no photo has."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()


def long_comment() -> bytes:
    note = PngImagePlugin.PngInfo()
    note.add_text("Comment", "<script>alert(1)</script>" * 1000)
    return encoded(sample(), pnginfo=note)


def table(kind: str = "plain", seed: int = 3) -> NDArray[np.uint8]:
    return surface(kind, *TABLE, np.random.default_rng(seed))


def panorama() -> bytes:
    """The sample far to the right on a table eight times as wide as high."""
    height = sample().height
    strip = np.ascontiguousarray(np.tile(table()[:height, :1000], (1, 6, 1))[:, : 8 * height])
    strip[:, -sample().width :] = np.asarray(sample())[: strip.shape[0]]
    return encoded(strip, "JPEG", quality=85)


def hexagon(x: float, y: float, radius: float, turn: float = 30.0) -> NDArray[np.int32]:
    """Corners (6, 2) in px; `turn` in degrees, 30: pointed at the top."""
    angles = np.radians(60.0 * np.arange(6) + turn)
    return np.round(np.stack([x + radius * np.cos(angles), y + radius * np.sin(angles)], 1)).astype(np.int32)


def digital_version() -> bytes:
    """A screenshot: a drawn plan of the board between the bars and buttons of an app."""
    screen = np.full((900, 1600, 3), 28, np.uint8)
    screen[60:840, 200:1400] = draw_layout(sample_layout(), (1200, 780))
    for row in range(8):
        cv2.rectangle(screen, (20, 80 + 90 * row), (180, 150 + 90 * row), (60, 90, 140), -1)
        cv2.putText(screen, f"{row} pts", (40, 125 + 90 * row), 0, 0.9, (240, 240, 240), 2)
    return encoded(screen)


def other_hex_game(seed: int) -> bytes:
    """An island of plain hexagons in the colours of fields, each with a number on a disc, on a blue sea."""
    rng = np.random.default_rng(seed)
    picture = np.full((*TABLE, 3), (70, 130, 190), np.uint8)
    colors = [(214, 178, 74), (66, 110, 52), (160, 190, 90), (140, 140, 146), (190, 100, 60), (226, 206, 160)]
    for row in range(5):
        for column in range(5 - abs(row - 2)):
            x = 600 + 140 * (column - (4 - abs(row - 2)) / 2)
            y = 450 + 121 * (row - 2)
            color = colors[int(rng.integers(len(colors)))]
            cv2.fillPoly(picture, [hexagon(x, y, 79)], color, cv2.LINE_AA)
            cv2.polylines(picture, [hexagon(x, y, 79)], True, (240, 230, 200), 4, cv2.LINE_AA)
            cv2.circle(picture, (round(x), round(y)), 26, (238, 226, 190), -1, cv2.LINE_AA)
            number = str(int(rng.integers(2, 13)))
            cv2.putText(picture, number, (round(x) - 16, round(y) + 10), 0, 0.9, (30, 30, 30), 2, cv2.LINE_AA)
    noise = rng.normal(0, 5, picture.shape)
    return encoded(np.clip(picture + noise, 0, 255).astype(np.uint8), "JPEG", quality=88)


def war_game() -> bytes:
    """A printed map of many small hexagons with square counters."""
    picture = np.full((*TABLE, 3), (206, 198, 160), np.uint8)
    rng = np.random.default_rng(5)
    for row in range(14):
        for column in range(16):
            x, y = 40 + 76 * (column + row % 2 / 2), 40 + 66 * row
            tint = (206, 198, 160) if rng.random() < 0.6 else (140, 168, 110)
            cv2.fillPoly(picture, [hexagon(x, y, 43)], tint)
            cv2.polylines(picture, [hexagon(x, y, 43)], True, (90, 80, 60), 2, cv2.LINE_AA)
            if rng.random() < 0.15:
                corner = round(x) - 20, round(y) - 20
                cv2.rectangle(picture, corner, (corner[0] + 40, corner[1] + 40), (70, 90, 150), -1)
    return encoded(picture, "JPEG", quality=88)


def honeycomb() -> bytes:
    """Bathroom tiles: hexagons without end, all alike."""
    picture = np.full((*TABLE, 3), 120, np.uint8)
    for row in range(12):
        for column in range(14):
            center = 50 + 95 * (column + row % 2 / 2), 50 + 82 * row
            cv2.fillPoly(picture, [hexagon(*center, 51)], (226, 228, 224), cv2.LINE_AA)
    return encoded(picture, "JPEG", quality=88)


def tiles_alone(number: int) -> bytes:
    """The first tiles of the sample, cut out, on an empty table."""
    photo = sample_layout().photo
    assert photo is not None
    scale = sample().width / photo.width
    mask = np.zeros((sample().height, sample().width), np.uint8)
    for placed in sample_layout().tiles[:number]:
        corners = np.array(placed.corners) * scale
        cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 255)
    picture = table()[: mask.shape[0], : mask.shape[1]].copy()
    picture[mask > 0] = np.asarray(sample())[mask > 0]
    return encoded(picture, "JPEG", quality=90)


def noise() -> bytes:
    return encoded(np.random.default_rng(1).integers(0, 256, (*TABLE, 3), dtype=np.uint8), "JPEG")


def blurred() -> bytes:
    return encoded(cv2.GaussianBlur(np.asarray(sample()), (0, 0), 25), "JPEG")


ODD_PHOTOS: dict[str, Maker] = {
    **{f"EXIF orientation {tag}": partial(turned, tag) for tag in range(10)},
    **{f"animated {format}": partial(animated, format) for format in ("GIF", "WEBP", "PNG")},
    "CMYK": lambda: encoded(sample().convert("CMYK"), "JPEG", quality=90),
    "grey": lambda: encoded(sample().convert("L"), "JPEG"),
    "grey of 16 bits": grey_of_16_bits,
    "black and white": lambda: encoded(sample().convert("1")),
    "palette": lambda: encoded(sample().convert("P")),
    "half transparent": half_transparent,
    "wholly transparent": lambda: encoded(Image.new("RGBA", sample().size, (0, 0, 0, 0))),
    "wrong colour profile": lambda: encoded(sample(), "JPEG", icc_profile=exchanged_primaries()),
    "profile of another colour space": lambda: encoded(sample(), "JPEG", icc_profile=lab_profile()),
    "damaged colour profile": lambda: encoded(sample(), "JPEG", icc_profile=b"\0" * 128),
    "script in a comment": long_comment,
    "panorama": panorama,
    "negative": lambda: encoded(255 - np.asarray(sample()), "JPEG"),
    "mirrored": lambda: encoded(sample().transpose(Image.Transpose.FLIP_LEFT_RIGHT), "JPEG"),
    "blurred": blurred,
    "screenshot of a digital version": digital_version,
    "island of another hex game": lambda: other_hex_game(1),
    "another island": lambda: other_hex_game(2),
    "map of a war game": war_game,
    "bathroom tiles": honeycomb,
    "one tile": lambda: tiles_alone(1),
    "four tiles": lambda: tiles_alone(4),
    "wooden table": lambda: encoded(table("brown wood"), "JPEG"),
    "meadow": lambda: encoded(table("grass"), "JPEG"),
    "white": lambda: encoded(Image.new("RGB", (1200, 900), "white"), "JPEG"),
    "black": lambda: encoded(Image.new("RGB", (1200, 900), "black"), "JPEG"),
    "noise": noise,
    "smallest size": lambda: encoded(sample().resize((64, 64))),
}

FOREIGN = ("island of another hex game", "another island", "map of a war game", "bathroom tiles")
"""Those of `ODD_PHOTOS` that show hexagons of something else."""

WITHOUT_ENVIRONMENT = (
    "wholly transparent",
    "one tile",
    "four tiles",
    "wooden table",
    "meadow",
    "white",
    "black",
    "noise",
)
"""Those of `ODD_PHOTOS` in which an environment would be an invention."""
