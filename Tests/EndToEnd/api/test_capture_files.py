"""Tests of verified files: known and unknown ones, unusual pictures, and repeatable measurements."""

import base64
import struct

import cv2
import numpy as np
import pytest

from support.capture_files import photo, sha
from support.captures import await_analysis, check_nothing_stored, checks, lines, post, verify
from support.replies import expect

pytestmark = pytest.mark.without_models


def test_distinguishes_known_files_from_unknown_ones(server):
    picture = photo(34)
    unknown = {}
    check_nothing_stored(server, lambda: unknown.update(verify(server, picture)))
    assert unknown["file"] == "unknown" and unknown["captures"] == [] and unknown["sha256"] == sha(picture)
    assert unknown["summary"][0]["name"] == "scene" and "checks" in unknown["results"]
    one, two = post(server, {"photo": picture}), post(server, {"photo": picture})
    known = verify(server, picture)
    assert known["file"] == "known" and known["captures"] == [one["id"], two["id"]] and "results" not in known
    assert verify(server, picture + b"x")["file"] == "unknown", "one byte more is another file"


def test_damaged_images_are_reported_as_unreadable_and_other_files_are_refused(server):
    for data in (photo(35)[:500], b"\xff\xd8\xff" + b"\0" * 100):
        reported = verify(server, data)
        assert reported["file"] == "unknown" and reported["summary"][0]["reasons"] == ["image-unreadable"], reported
    check_nothing_stored(server, lambda: verify(server, b"hello", 422))
    assert verify(server, b"hello", 422)["code"] == "not-an-image"
    assert verify(server, b"", 422)["code"] == "bad-value"
    check_nothing_stored(server, lambda: verify(server, b"\xff\xd8\xff" * (11 << 20), 413))


def test_unreadable_image_is_still_a_capture(server):
    picture = photo(36)[:-200]
    seen = await_analysis(server, post(server, {"photo": picture}))
    assert lines(seen)["scene"] == ("unavailable", ["image-unreadable"]) and seen["results"]["status"] == "unavailable"


# A synthetic JPEG of 16 × 16 pixels in cyan, magenta, yellow and black.
CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAtKDAl"
    "KCko/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABcAAQEBAQAAAAAAAAAAAAAAAAAIBgf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBL"
    "AAA/AKpaRx5R4AAAD//Z")


def camera_picture(*options, width=1280, height=1040, gray=False):
    """Returns a JPEG of a phone's video size with drawn tiles, tones and noise; `options` are passed to OpenCV."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = np.random.default_rng(5).normal(0, 6, (height, width)).astype(np.float32)
    tiles = 45 * ((x // 190 + y // 150) % 2)
    tone = 90 + 50 * np.sin(x / 170) * np.cos(y / 140) + tiles + noise
    picture = tone if gray else np.stack([200 - tone / 2, 40 + tone / 2, tone], -1)
    options = [cv2.IMWRITE_JPEG_QUALITY, 85, *options]
    return bytes(cv2.imencode(".jpg", picture.clip(0, 255).astype(np.uint8), options)[1])


def with_orientation(jpeg, orientation):
    """Returns the JPEG with an EXIF segment that sets the orientation."""
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([orientation]) + b"\0\0\0\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def with_claimed_size(jpeg, width, height):
    """Returns the JPEG with another size in its frame header."""
    frame = jpeg.index(b"\xff\xc0")
    return jpeg[:frame + 5] + struct.pack(">HH", height, width) + jpeg[frame + 9:]


def test_unusual_images_get_a_clear_answer(server):
    plain = camera_picture()
    unreadable = {
        "cut short": plain[:len(plain) // 2], "cut short by its end": plain[:-2], "a header alone": plain[:700],
        "huge by its header": with_claimed_size(plain, 65500, 65500), "larger than its data": with_claimed_size(plain, 1280, 4000),
    }
    for name, picture in unreadable.items():
        seen = await_analysis(server, post(server, {"photo": picture}))
        assert lines(seen)["scene"] == ("unavailable", ["image-unreadable"]), (name, lines(seen))
        assert seen["results"]["status"] == "unavailable" and seen["photo"]["type"] == "image/jpeg", (name, seen)
    # A uniform image is valid but gives no evidence; extreme aspect ratios do not raise the cost.
    for picture in (camera_picture(width=1, height=1), camera_picture(width=64, height=30_000), CMYK):
        seen = await_analysis(server, post(server, {"photo": picture}))
        assert {check["reason"] for name, check in checks(seen).items() if name in PICTURE_CHECKS} == {"image-too-small"}, seen


PICTURE_CHECKS = ["moire", "texture", "banding", "specular", "halftone", "bezel", "double-compression"]


def native_values(seen):
    """Returns the native values of the image checks by check name."""
    return {name: checks(seen)[name]["native"] for name in PICTURE_CHECKS if "native" in checks(seen)[name]}


def test_scene_analysis_does_not_depend_on_the_file_encoding(server):
    plain = native_values(await_analysis(server, post(server, {"photo": camera_picture()})))
    assert {"moire", "texture", "banding", "bezel"} <= plain.keys(), plain
    # Largest accepted differences: decoders may differ by one level in a few samples.
    near = {"moire": 0.02, "texture": 0.1, "banding": 0.3, "bezel": 1}
    for name, picture in {
        "progressive": camera_picture(cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        "restart markers": camera_picture(cv2.IMWRITE_JPEG_RST_INTERVAL, 7),
        "upside down, and something behind its end": with_orientation(camera_picture(), 3) + b"trailer" * 99,
    }.items():
        found = native_values(await_analysis(server, post(server, {"photo": picture})))
        for check, tolerance in near.items():
            assert abs(found[check] - plain[check]) <= tolerance, (name, check, found, plain)


def test_analyzes_monochrome_16_bit_and_rotated_images(server):
    deep = bytes(cv2.imencode(".png", np.random.default_rng(1).integers(0, 65536, (160, 200, 3), dtype=np.uint16))[1])
    turned_one = with_orientation(camera_picture(width=1283, height=1031), 6)
    for picture, kind in ((camera_picture(gray=True), "image/jpeg"), (deep, "image/png"), (turned_one, "image/jpeg")):
        seen = await_analysis(server, post(server, {"photo": picture}))
        assert {"moire", "texture", "bezel"} <= native_values(seen).keys() and seen["photo"]["type"] == kind, seen
    drawing = next(drawing for drawing in seen["visualizations"] if drawing["kind"] == "tiles")
    tiles = cv2.imdecode(np.frombuffer(expect(server.request("GET", drawing["url"]), 200).body, np.uint8), 1)
    assert tiles.shape[0] > tiles.shape[1], "a picture taken upright is drawn upright"
