"""Pictures that players upload: a small square of pixels is kept, or nothing."""

import asyncio
import os
import stat
import struct
import zlib
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from hub.pictures import store
from hub.pictures.reencode import MOST_KEPT_BYTES, SIDE, CannotRead, Wrong, reencode
from hub.pictures.store import PictureRefused, Pictures

RED, BLUE = (220, 20, 20), (20, 20, 220)
PLACE = b"GPS-of-somebody's-home"


def halves(mode: str = "RGB", size: tuple[int, int] = (600, 400)) -> Image.Image:
    """Return a picture that is red on the left and blue on the right."""
    image = Image.new("RGB", size, RED)
    ImageDraw.Draw(image).rectangle((size[0] // 2, 0, size[0], size[1]), fill=BLUE)
    return image.convert(mode)


def saved(image: Image.Image, kind: str, **how: object) -> bytes:
    out = BytesIO()
    image.save(out, kind, **how)  # type: ignore[arg-type]
    return out.getvalue()


def shown(given: bytes) -> Image.Image:
    made = reencode(given)
    assert len(made) <= MOST_KEPT_BYTES
    image = Image.open(BytesIO(made))
    assert (image.format, image.size, image.mode) == ("WEBP", (SIDE, SIDE), "RGB")
    assert not image.info.keys() & {"exif", "xmp", "icc_profile", "comment"}
    return image


def colour(image: Image.Image, x: int, y: int) -> str:
    red, green, blue = image.getpixel((x, y))  # type: ignore[misc]
    bright, dark = 160, 90
    if red > bright and green < dark and blue < dark:
        return "red"
    if blue > bright and green < dark and red < dark:
        return "blue"
    return "paper" if min(red, green, blue) > bright else "other"


@pytest.mark.parametrize(
    ("mode", "kind", "how"),
    [
        ("RGB", "JPEG", {"quality": 90}),
        ("RGB", "JPEG", {"quality": 90, "progressive": True}),
        ("CMYK", "JPEG", {"quality": 95}),
        ("RGB", "PNG", {}),
        ("RGBA", "PNG", {}),
        ("P", "PNG", {}),
        ("RGB", "WEBP", {"lossless": True}),
        ("RGB", "GIF", {}),
    ],
)
def test_every_kind_becomes_the_same_small_square(
    mode: str, kind: str, how: dict[str, object]
) -> None:
    image = shown(saved(halves(mode), kind, **how))
    assert (colour(image, 20, 128), colour(image, SIDE - 20, 128)) == ("red", "blue")


def test_a_grey_picture_of_16_bits_keeps_its_greys() -> None:
    deep = Image.new("I;16", (300, 300))
    deep.putdata([x * 200 for _ in range(300) for x in range(300)])
    image = shown(saved(deep, "PNG"))
    left, right = (image.getpixel((x, 100))[0] for x in (10, 245))  # type: ignore[index]
    assert left < 40 and 200 < right < 250


def test_the_first_frame_of_an_animation_is_kept() -> None:
    film = saved(Image.new("RGB", (64, 64), RED), "GIF", save_all=True,
                 append_images=[Image.new("RGB", (64, 64), BLUE)] * 30)  # fmt: skip
    assert colour(shown(film), 128, 128) == "red"


def test_transparent_parts_show_paper() -> None:
    clear = Image.new("RGBA", (100, 100), (0, 0, 0, 0))
    ImageDraw.Draw(clear).rectangle((0, 0, 49, 99), fill=(*RED, 255))
    for kind in ("PNG", "WEBP"):
        image = shown(saved(clear, kind))
        assert (colour(image, 60, 128), colour(image, 200, 128)) == ("red", "paper")
    palette = halves().quantize(4, dither=Image.Dither.NONE)
    image = shown(saved(palette, "GIF", transparency=palette.getpixel((0, 0))))
    assert (colour(image, 60, 128), colour(image, 200, 128)) == ("paper", "blue")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_upright_however_the_camera_was_held(kind: str) -> None:
    left, right, top, bottom = (20, 128), (235, 128), (128, 20), (128, 235)
    opposite = {left: right, right: left, top: bottom, bottom: top}
    wheres = (left, right, right, left, top, top, bottom, bottom)
    for turned, where in enumerate(wheres, 1):
        exif = Image.Exif()
        exif[0x0112] = turned
        image = shown(saved(halves(), kind, exif=exif.tobytes()))
        assert colour(image, *where) == "red", turned
        assert colour(image, *opposite[where]) == "blue", turned


def test_nothing_of_the_file_is_left_but_pixels() -> None:
    exif = Image.Exif()
    exif[0x010E] = PLACE.decode()
    exif.get_ifd(0x8825)[1] = "N"
    for kind, how in (("JPEG", {"comment": PLACE}), ("PNG", {}), ("WEBP", {})):
        given = saved(halves(), kind, exif=exif.tobytes(), icc_profile=PLACE * 10, **how)
        assert PLACE in given
        made = reencode(given)
        assert PLACE not in made and b"EXIF" not in made and b"ICCP" not in made


def png_of(width: int, height: int) -> bytes:
    """Return a picture that is small as a file."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = zlib.compress(b"\0" * 200_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
WHOLE = saved(halves(size=(900, 700)), "JPEG", quality=90)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (b"", Wrong.KIND),
        (b"Dear hub, this is a text.\n" * 100, Wrong.KIND),
        (SVG, Wrong.KIND),
        (b"%PDF-1.7\n", Wrong.KIND),
        (saved(halves(), "TIFF"), Wrong.KIND),
        (saved(halves(), "BMP"), Wrong.KIND),
        (png_of(30_000, 30_000), Wrong.PIXELS),
        (png_of(7_000, 6_000), Wrong.PIXELS),
        (png_of(5_000, 5_000), Wrong.DAMAGED),
        (WHOLE[: len(WHOLE) // 2], Wrong.DAMAGED),
        (saved(halves(), "PNG")[:200], Wrong.DAMAGED),
        (saved(halves(), "WEBP")[:-20], Wrong.DAMAGED),
        (saved(halves(), "GIF")[:100], Wrong.DAMAGED),
    ],
)  # fmt: skip
def test_files_that_are_no_pictures_are_refused(given: bytes, why: Wrong) -> None:
    with pytest.raises(CannotRead) as refused:
        reencode(given)
    assert refused.value.why is why


def test_noise_is_kept_small() -> None:
    noise = Image.frombytes("RGB", (400, 400), os.urandom(3 * 400 * 400))
    shown(saved(noise, "PNG"))


async def test_a_picture_is_stored_privately_under_its_digest(tmp_path: Path) -> None:
    pictures = Pictures(store.folder_of(tmp_path / "a.journal"))
    assert pictures.read("0" * 64) is None
    digest = await pictures.keep(saved(halves(), "JPEG"))
    assert await pictures.keep(saved(halves(), "JPEG")) == digest
    body = pictures.read(digest)
    assert body is not None and sha256(body).hexdigest() == digest
    files = [*pictures.folder.iterdir()]
    assert [each.name for each in files] == [f"{digest}.webp"]
    assert stat.S_IMODE(files[0].stat().st_mode) == 0o600
    assert stat.S_IMODE(pictures.folder.stat().st_mode) == 0o700
    files[0].write_bytes(body + b"more")
    assert pictures.read(digest) is None
    assert pictures.read(f"../{digest}") is None


async def test_refused_pictures_leave_nothing(tmp_path: Path) -> None:
    pictures = Pictures(tmp_path / "pictures")
    for given, why in ((SVG, "kind"), (png_of(30_000, 30_000), "pixels"), (WHOLE[:900], "damaged")):
        with pytest.raises(PictureRefused) as refused:
            await pictures.keep(given)
        assert refused.value.why == why
    assert not pictures.folder.exists()


async def test_the_number_of_pictures_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pictures in use are kept, and the newest of the others."""
    monkeypatch.setattr(store, "MOST_PICTURES", 5)
    monkeypatch.setattr(store, "MOST_SPARE", 2)
    made = iter(os.urandom(50) for _ in range(20))

    async def anything(*_: object) -> bytes:
        return next(made)

    monkeypatch.setattr(Pictures, "_reencoded", anything)
    pictures, worn = Pictures(tmp_path / "pictures"), set[str]()
    pictures.worn = lambda: worn
    for _ in range(4):
        worn.add(await pictures.keep(b""))
    newest = [await pictures.keep(b"") for _ in range(4)][-1]
    kept = {each.stem for each in pictures.folder.iterdir()}
    assert worn < kept and newest in kept and len(kept) == 5
    worn.add(newest)
    with pytest.raises(PictureRefused, match="room"):
        await pictures.keep(b"")


async def test_a_hanging_decoder_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "_PROGRAM", "import time; time.sleep(60)")
    monkeypatch.setattr(store, "LONGEST_S", 0.2)
    async with asyncio.timeout(20):
        with pytest.raises(PictureRefused, match="pixels"):
            await Pictures(tmp_path).keep(b"")
