import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from pipeline.extract.image import MAX_BYTES, MAX_PIXELS, MAX_SIDE, Picture, decode_picture, load_picture
from pipeline.extract.image_header import UnreadableImage, image_kind, read_header
from tests.extract import picture_files as files

CORNERS = {"red": (0, 0, 255), "green": (0, 255, 0), "blue": (255, 0, 0), "white": (255, 255, 255)}


def corners(picture: Picture) -> list[str]:
    """The colours of the quarters: top left, top right, bottom left, bottom right."""
    h, w = picture.height, picture.width
    names = []
    for y, x in ((h // 4, w // 4), (h // 4, 3 * w // 4), (3 * h // 4, w // 4), (3 * h // 4, 3 * w // 4)):
        pixel = picture.bgr[y, x].astype(int)
        names.append(min(CORNERS, key=lambda name: np.abs(pixel - CORNERS[name]).sum()))
    return names


@pytest.mark.parametrize("kind", files.ENCODERS)
def test_every_kind_is_read(kind: str) -> None:
    data = files.ENCODERS[kind](files.quarters())
    picture = decode_picture(data)
    assert image_kind(data[:16]) == kind
    assert (picture.width, picture.height) == (40, 24)
    assert corners(picture) == ["red", "green", "blue", "white"]
    assert picture.bgr.dtype == np.uint8
    if kind in ("PNG", "WebP", "BMP"):
        assert np.array_equal(picture.bgr, files.quarters())


@pytest.mark.parametrize("kind", files.ENCODERS)
def test_a_file_cut_short_is_refused_wherever_it_is_cut(kind: str) -> None:
    data = files.ENCODERS[kind](files.quarters())
    for length in range(len(data)):
        with pytest.raises(UnreadableImage):
            decode_picture(data[:length])


def test_grey_palette_and_sixteen_bit_pictures_become_8_bit_bgr() -> None:
    grey = np.array([[0, 128, 255]], np.uint8)
    assert np.array_equal(decode_picture(files.encoded(grey, ".png")).bgr, np.repeat(grey[:, :, None], 3, axis=2))
    deep = np.array([[[65535, 32896, 257]]], np.uint16)
    assert decode_picture(files.encoded(deep, ".png")).bgr.tolist() == [[[255, 128, 1]]]
    palette = files.png_chunk(b"PLTE", bytes((255, 0, 0, 0, 0, 255)))
    assert decode_picture(files.png(2, 1, 8, 3, b"\0\0\1", palette)).bgr.tolist() == [[[0, 0, 255], [255, 0, 0]]]


def test_transparent_pixels_are_shown_on_white() -> None:
    rgba = bytes((10, 20, 30, 0)) + bytes((255, 0, 0, 128)) + bytes((1, 2, 3, 255))
    assert decode_picture(files.png(3, 1, 8, 6, b"\0" + rgba)).bgr.tolist() == [
        [[255, 255, 255], [127, 127, 255], [3, 2, 1]]
    ]
    grey_alpha = bytes((50, 0, 50, 255))
    assert decode_picture(files.png(2, 1, 8, 4, b"\0" + grey_alpha)).bgr.tolist() == [[[255] * 3, [50] * 3]]
    deep = struct.pack(">8H", 0, 0, 0, 0, 65535, 0, 0, 65535)
    assert decode_picture(files.png(2, 1, 16, 6, b"\0" + deep)).bgr.tolist() == [[[255] * 3, [0, 0, 255]]]
    keyed = files.png_chunk(b"PLTE", bytes((255, 0, 0, 0, 0, 255))) + files.png_chunk(b"tRNS", b"\0\xff")
    assert decode_picture(files.png(2, 1, 8, 3, b"\0\0\1", keyed)).bgr.tolist() == [[[255] * 3, [255, 0, 0]]]


TURNED = {
    1: ["red", "green", "blue", "white"],
    2: ["green", "red", "white", "blue"],
    3: ["white", "blue", "green", "red"],
    4: ["blue", "white", "red", "green"],
    5: ["red", "blue", "green", "white"],
    6: ["blue", "red", "white", "green"],
    7: ["white", "green", "blue", "red"],
    8: ["green", "white", "red", "blue"],
}


@pytest.mark.parametrize("orientation", TURNED)
@pytest.mark.parametrize("order", "<>")
def test_exif_orientation_is_applied(orientation: int, order: str) -> None:
    jpeg = files.jpeg_with_exif(files.ENCODERS["JPEG"](files.quarters()), orientation, order)
    assert corners(decode_picture(jpeg)) == TURNED[orientation]
    png = files.ENCODERS["PNG"](files.quarters())
    turned = png[:33] + files.png_chunk(b"eXIf", files.exif(orientation, order)) + png[33:]
    picture = decode_picture(turned)
    assert corners(picture) == TURNED[orientation]
    assert (picture.width, picture.height) == ((24, 40) if orientation >= 5 else (40, 24))


def test_a_damaged_exif_block_is_passed_over() -> None:
    jpeg = files.ENCODERS["JPEG"](files.quarters())
    for block in (b"", b"II", b"II*\0\xff\xff\xff\xff", files.exif(9), files.exif(6)[:-8]):
        body = b"Exif\0\0" + block
        data = jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + jpeg[2:]
        assert corners(decode_picture(data)) == TURNED[1]


def bombs() -> dict[str, bytes]:
    gif = bytearray(files.gif(1))
    gif[6:10] = struct.pack("<HH", 60000, 60000)
    bmp = bytearray(files.ENCODERS["BMP"](files.quarters()))
    bmp[18:26] = struct.pack("<ii", 60000, 60000)
    return {
        "wide PNG": files.png(MAX_SIDE + 1, 1, 8, 0, bytes(MAX_SIDE + 2)),
        "large PNG": files.png(8000, 8000, 1, 0, bytes(1001) * 8000),
        "huge PNG": files.png(2**31 - 1, 2**31 - 1, 16, 6, b""),
        "JPEG": files.jpeg_frame(65500, 65500, 3),
        "WebP": files.webp_extended(0, 2**24, 2**24),
        "GIF": bytes(gif),
        "BMP": bytes(bmp),
    }


@pytest.mark.parametrize("name", bombs())
def test_a_picture_over_the_limits_is_never_decoded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def decoder(*_: object) -> None:
        raise AssertionError("it was handed to the decoder")

    monkeypatch.setattr(cv2, "imdecode", decoder)
    with pytest.raises(UnreadableImage, match=r"limit|cut short"):
        decode_picture(bombs()[name])


def test_the_limits_themselves_are_allowed() -> None:
    rows = bytes(1 + MAX_SIDE // 8) * (MAX_PIXELS // MAX_SIDE)
    assert decode_picture(files.png(MAX_SIDE, MAX_PIXELS // MAX_SIDE, 1, 0, rows)).width == MAX_SIDE


REFUSED = {
    "animated PNG": (
        files.png(1, 1, 8, 0, b"\0\0", files.png_chunk(b"acTL", struct.pack(">II", 2, 0))),
        "animated; save one frame",
    ),
    "animated GIF": (files.gif(2), "animated; save one frame"),
    "animated WebP": (files.webp_extended(0x02), "animated; save one frame"),
    "CMYK JPEG": (files.jpeg_frame(40, 24, 4), "CMYK"),
    "12-bit JPEG": (files.jpeg_frame(40, 24, 3, precision=12), "12 bits"),
    "JPEG without a picture": (b"\xff\xd8\xff\xe0\0\x02\xff\xd9", "holds no picture"),
    "JPEG of a thousand scans": (files.jpeg_frame(9, 9, 3)[:-2] + b"\xff\xda\0\x02" * 1000 + b"\xff\xd9", "scans"),
    "GIF without a picture": (files.gif(0), "empty"),
    "zero size": (files.png(0, 5, 8, 0, b""), "size of 0 x 5"),
    "wrong checksum": (files.encoded(files.quarters(), ".png")[:-1] + b"x", "damaged"),
    "PNG without header": (b"\x89PNG\r\n\x1a\n" + files.png_chunk(b"IEND", b""), "header"),
    "rows missing": (files.png(40, 24, 8, 2, b"\0\0"), "damaged"),
    "empty": (b"", "empty"),
    "text": (b"hello, world", "not a picture"),
    "TIFF": (b"II*\0" + bytes(100), "TIFF files are not read; save it as PNG"),
    "HEIC": (b"\0\0\0\x18ftypheic" + bytes(100), "HEIC files are not read"),
    "AVIF": (b"\0\0\0\x18ftypavif" + bytes(100), "AVIF files are not read"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_says_why(name: str) -> None:
    data, why = REFUSED[name]
    with pytest.raises(UnreadableImage, match=why):
        decode_picture(data)


def test_a_still_picture_in_an_animation_s_clothes_is_read() -> None:
    still = files.png(1, 1, 8, 0, b"\0\x07", files.png_chunk(b"acTL", struct.pack(">II", 1, 0)))
    assert decode_picture(still).bgr.tolist() == [[[7, 7, 7]]]
    assert corners(decode_picture(files.webp_extended(0))) == TURNED[1]


def test_what_follows_a_picture_in_its_file_is_not_read() -> None:
    """A polyglot: picture first, archive or script behind it."""
    for kind in ("PNG", "JPEG"):
        data = files.ENCODERS[kind](files.quarters()) + b"PK\x03\x04 <script>" + bytes(500)
        assert corners(decode_picture(data)) == TURNED[1]


def test_a_decoder_that_disagrees_with_the_header_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cv2, "imdecode", lambda *_: np.zeros((5, 5, 3), np.uint8))
    with pytest.raises(UnreadableImage, match="damaged"):
        decode_picture(files.ENCODERS["PNG"](files.quarters()))


def test_any_file_name_will_do(tmp_path: Path) -> None:
    path = tmp_path / "スクリーン ショット é (1).PNG.jpeg"
    path.write_bytes(files.ENCODERS["PNG"](files.quarters()))
    assert corners(load_picture(path)) == TURNED[1]


def test_files_that_cannot_be_read_are_told_apart_from_crashes(tmp_path: Path) -> None:
    with pytest.raises(UnreadableImage, match="No such file"):
        load_picture(tmp_path / "none.png")
    with pytest.raises(UnreadableImage, match="cannot be read"):
        load_picture(tmp_path)
    large = tmp_path / "large.png"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(UnreadableImage, match="limit"):
        load_picture(large)


def test_reductions_keep_the_picture_s_shape_and_are_computed_once() -> None:
    picture = decode_picture(files.ENCODERS["PNG"](files.quarters()))
    small, factor = picture.reduced(20)
    assert small.shape == (12, 20, 3)
    assert factor == 0.5
    assert picture.reduced(20)[0] is small
    assert picture.reduced(4000)[0] is picture.bgr
    lab, factor = picture.reduced_lab(20)
    assert factor == 0.5
    assert np.array_equal(lab, cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))
    assert picture.reduced_lab(20)[0] is lab


def test_header_of_a_png_needs_no_pixels() -> None:
    data = files.png(7000, 3, 8, 6, b"")
    header = read_header(data)
    assert (header.kind, header.width, header.height, header.alpha) == ("PNG", 7000, 3, True)
    assert zlib.crc32(data[12:29]).to_bytes(4, "big") == data[29:33]
