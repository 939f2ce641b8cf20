"""The loader: whatever cameras and phones hand in comes out as upright sRGB, or as one sentence."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from vision.photo import KEPT_PIXELS, Photo, PhotoError, load_photo

RED, GREEN, BLUE, YELLOW = (200, 30, 30), (30, 160, 40), (30, 50, 200), (220, 200, 40)
QUARTERS = (RED, GREEN, BLUE, YELLOW)


def quarters(width: int = 96, height: int = 80) -> Image.Image:
    """A picture whose four quarters differ: red, green over blue, yellow."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(GREEN, (width // 2, 0, width, height // 2))
    image.paste(BLUE, (0, height // 2, width // 2, height))
    image.paste(YELLOW, (width // 2, height // 2, width, height))
    return image


def encode(image: Image.Image, format: str, **options: object) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def quarter_colors(photo: Photo) -> list[tuple[int, ...]]:
    """Mean colour of each quarter's middle, in reading order."""
    height, width = photo.pixels.shape[:2]
    return [
        tuple(int(v) for v in photo.pixels[y - 4 : y + 4, x - 4 : x + 4].mean(axis=(0, 1)))
        for y in (height // 4, 3 * height // 4)
        for x in (width // 4, 3 * width // 4)
    ]


def assert_quarters(photo: Photo, within: int = 12) -> None:
    difference = np.abs(np.subtract(quarter_colors(photo), QUARTERS)).max()
    assert difference <= within, f"quarters are {quarter_colors(photo)}"


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "BMP", "GIF", "AVIF"])
def test_formats(format: str) -> None:
    photo = load_photo(encode(quarters(), format), "board")
    assert photo.pixels.dtype == np.uint8
    assert photo.pixels.shape == (80, 96, 3)
    assert (photo.name, photo.width, photo.height, photo.scale) == ("board", 96, 80, 1.0)
    assert_quarters(photo)


def test_pixels_may_be_written_to() -> None:
    load_photo(encode(quarters(), "PNG")).pixels[0, 0] = 0


def test_name_is_the_file_s(tmp_path: Path) -> None:
    path = tmp_path / "kitchen.png"
    path.write_bytes(encode(quarters(), "PNG"))
    assert load_photo(path).name == "kitchen.png"
    assert load_photo(str(path)).name == "kitchen.png"
    assert load_photo(path.read_bytes()).name == "photo"


# What a camera stores for each tag, so that the tag's turn makes it upright again.
STORED = {
    1: None,
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "AVIF"])
@pytest.mark.parametrize("tag", STORED)
def test_every_exif_orientation(format: str, tag: int) -> None:
    turn = STORED[tag]
    stored = quarters() if turn is None else quarters().transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = tag
    photo = load_photo(encode(stored, format, exif=exif))
    assert (photo.width, photo.height) == (96, 80)
    assert photo.pixels.shape == (80, 96, 3)
    assert_quarters(photo)


@pytest.mark.parametrize("tag", [0, 9, 65535])
def test_senseless_orientation_is_ignored(tag: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = tag
    assert_quarters(load_photo(encode(quarters(), "JPEG", exif=exif)))


def test_broken_exif_is_ignored() -> None:
    assert_quarters(load_photo(encode(quarters(), "JPEG", exif=b"Exif\0\0II*\0\xff\xff\xff\xff")))


def test_cmyk_jpeg() -> None:
    assert_quarters(load_photo(encode(quarters().convert("CMYK"), "JPEG")), within=25)


@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_grey(format: str) -> None:
    photo = load_photo(encode(quarters().convert("L"), format))
    assert photo.pixels.shape == (80, 96, 3)
    assert np.ptp(photo.pixels.astype(int), axis=2).max() == 0


def test_grey_of_16_bits_keeps_its_range() -> None:
    ramp = np.tile(np.linspace(0, 65535, 96).astype(np.uint16), (80, 1))
    row = load_photo(encode(Image.fromarray(ramp), "PNG")).pixels[40, :, 0].astype(int)
    assert np.abs(row - np.linspace(0, 255, 96)).max() <= 1


@pytest.mark.parametrize("mode", ["P", "1", "LA"])
def test_other_modes_give_rgb(mode: str) -> None:
    photo = load_photo(encode(quarters().convert(mode), "PNG"))
    assert photo.pixels.shape == (80, 96, 3)
    if mode == "P":
        assert_quarters(photo, within=40)


def test_transparent_becomes_white() -> None:
    image = quarters().convert("RGBA")
    image.paste((0, 0, 0, 0), (0, 0, 48, 40))
    for format in ("PNG", "WEBP"):
        first, *others = quarter_colors(load_photo(encode(image, format)))
        assert min(first) >= 250
        assert np.abs(np.subtract(others, QUARTERS[1:])).max() <= 12


def test_transparent_palette_becomes_white() -> None:
    image = quarters().convert("P", palette=Image.Palette.ADAPTIVE, colors=4)
    photo = load_photo(encode(image, "PNG", transparency=image.getpixel((10, 10))))
    assert min(quarter_colors(photo)[0]) == 255


@pytest.mark.parametrize("format", ["GIF", "WEBP", "PNG"])
def test_first_picture_of_an_animation(format: str) -> None:
    others = [Image.new("RGB", (96, 80), (value, value, value)) for value in (0, 90)]
    assert_quarters(load_photo(encode(quarters(), format, save_all=True, append_images=others)))


def test_multi_picture_of_phones() -> None:
    preview = quarters().reduce(4)
    data = encode(quarters(), "MPO", save_all=True, append_images=[preview])
    photo = load_photo(data)
    assert (photo.width, photo.height) == (96, 80)
    assert_quarters(photo)


def wide_gamut_profile() -> bytes:
    """sRGB's profile with its red and green primaries exchanged: a conversion that cannot go unnoticed."""
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    swapped = bytes(profile).replace(b"rXYZ", b"????").replace(b"gXYZ", b"rXYZ").replace(b"????", b"gXYZ")
    # The description must not say sRGB, or the profile would rightly be taken for it.
    return swapped.replace("sRGB".encode("utf-16-be"), "test".encode("utf-16-be")).replace(
        b"sRGB b", b"test b"
    )


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP"])
def test_colour_profile_is_applied(format: str) -> None:
    photo = load_photo(encode(quarters(), format, icc_profile=wide_gamut_profile()))
    red_quarter, green_quarter, *_ = quarter_colors(photo)
    assert red_quarter[1] > red_quarter[0], "the profile's red primary is green"
    assert green_quarter[0] > green_quarter[1]


def test_profile_under_transparency() -> None:
    image = quarters().convert("RGBA")
    image.paste((0, 0, 0, 0), (48, 40, 96, 80))
    photo = load_photo(encode(image, "PNG", icc_profile=wide_gamut_profile()))
    colors = quarter_colors(photo)
    assert colors[0][1] > colors[0][0]
    assert colors[3] == (255, 255, 255)


@pytest.mark.parametrize(
    "profile",
    [b"no profile at all", b"\0" * 128, ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()],
    ids=["text", "zeros", "lab"],
)
def test_broken_or_foreign_profile_is_ignored(profile: bytes) -> None:
    assert_quarters(load_photo(encode(quarters(), "JPEG", icc_profile=profile)))


@pytest.mark.parametrize("format", ["JPEG", "PNG"])
def test_large_photo_is_reduced_and_remembers_its_size(format: str) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    stored = quarters(4501, 5999).transpose(Image.Transpose.ROTATE_90)
    photo = load_photo(encode(stored, format, exif=exif))
    assert (photo.width, photo.height) == (4501, 5999)
    assert photo.pixels.shape[0] * photo.pixels.shape[1] <= KEPT_PIXELS
    assert photo.scale == pytest.approx(2, abs=0.001)
    assert_quarters(photo)


def test_large_grey_of_16_bits_is_reduced() -> None:
    ramp = np.tile(np.linspace(0, 65535, 5000).astype(np.uint16), (4000, 1))
    photo = load_photo(encode(Image.fromarray(ramp), "PNG", compress_level=1))
    assert photo.pixels.shape == (2000, 2500, 3)
    assert photo.pixels[0, -1, 0] >= 254


def test_panorama() -> None:
    assert load_photo(encode(quarters(6000, 200), "JPEG")).pixels.shape == (200, 6000, 3)


def test_heic_without_its_package_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PhotoError, match=r"HEIC.*pip install pillow-heif"):
        load_photo(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100), "IMG_1.heic")


def test_heic() -> None:
    pillow_heif = pytest.importorskip("pillow_heif", reason="needs the extra 'heic'")
    pillow_heif.register_heif_opener()
    assert_quarters(load_photo(encode(quarters(), "HEIF")), within=20)


def test_name_that_is_no_unicode_becomes_one(tmp_path: Path) -> None:
    path = tmp_path / "b\udcffd.png"  # the byte 0xff, as Python shows it
    path.write_bytes(encode(quarters(), "PNG"))
    assert load_photo(path).name == "b?d.png", "a layout file holds the name"


def test_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(b"x")

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)  # root, who runs tests in containers, may read everything
    with pytest.raises(PhotoError, match=r"'a\.jpg' may not be opened"):
        load_photo(path)


def jpeg_bytes() -> bytes:
    return encode(quarters(), "JPEG", quality=80, icc_profile=wide_gamut_profile())


SEEDS: dict[str, Callable[[], bytes]] = {
    "jpeg": jpeg_bytes,
    "progressive": lambda: encode(quarters(), "JPEG", progressive=True),
    "png": lambda: encode(quarters().convert("RGBA"), "PNG"),
    "palette": lambda: encode(quarters().convert("P"), "PNG"),
    "gif": lambda: encode(quarters(), "GIF"),
    "webp": lambda: encode(quarters(), "WEBP"),
    "bmp": lambda: encode(quarters(), "BMP"),
    "avif": lambda: encode(quarters(), "AVIF"),
}


@pytest.mark.parametrize("kind", SEEDS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_mutated_files_give_a_photo_or_a_sentence(kind: str, data: st.DataObject) -> None:
    content = bytearray(SEEDS[kind]())
    edits = st.tuples(st.integers(0, len(content) - 1), st.integers(0, 255))
    for position, value in data.draw(st.lists(edits, min_size=1, max_size=8)):
        content[position] = value
    end = data.draw(st.one_of(st.none(), st.integers(0, len(content))))
    with contextlib.suppress(PhotoError):
        photo = load_photo(bytes(content[:end]))
        assert photo.pixels.dtype == np.uint8
        assert photo.pixels.ndim == 3


@settings(max_examples=60, deadline=None)
@given(
    head=st.sampled_from([b"", b"\xff\xd8\xff\xe0", b"\x89PNG\r\n\x1a\n", b"RIFF", b"GIF89a", b"BM"]),
    rest=st.binary(max_size=200),
)
def test_any_bytes_give_a_sentence(head: bytes, rest: bytes) -> None:
    with pytest.raises(PhotoError):
        load_photo(head + rest)
