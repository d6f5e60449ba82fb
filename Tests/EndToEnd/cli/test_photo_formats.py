"""Tests of `mien analyze` with photos in the formats of phones, made from one PNG, compared with its JPEG."""

import json

import cv2
import numpy as np
import pytest

from cli import photos
from cli.commands import WORK, mien
from support import photo_formats

#: Largest accepted differences of measures from the JPEG's, for files of high quality (Documentation/guides/Photos.md).
NEAR = {"moire": 0.05, "texture": 0.6, "banding": 0.3, "bezel": 1}


@pytest.fixture(scope="module")
def folder():
    folder = WORK / "formats"
    folder.mkdir()
    return folder


def analyzed(*paths):
    return [json.loads(line) for line in mien("analyze", "--json", *paths).stdout.splitlines()]


def measures(line):
    return {check["check"]: check["native"] for check in line["checks"] if "native" in check}


def test_measures_are_those_of_the_jpeg(folder):
    picture = photos.scene(1280, 960)
    png = photos.encoded(picture, ".png")
    files = {"plain.jpg": photos.encoded(picture, ".jpg", cv2.IMWRITE_JPEG_QUALITY, 98), "plain.png": png,
             **{f"plain.{kind}": photo_formats.convert(png, kind, 98) for kind in ("heic", "avif", "webp")},
             "named.jpg": photo_formats.convert(png, "webp", 98, "-lossless"),
             "turned.avif": photo_formats.convert(png, "avif", 98, "--irot", "1"),
             "deep.avif": photo_formats.convert(png, "avif", 98, "-d", "10")}
    for name, data in files.items():
        (folder / name).write_bytes(data)
    lines = analyzed(*(folder / name for name in files))
    wanted = measures(lines[0])
    assert NEAR.keys() <= wanted.keys(), wanted
    for name, line in zip(files, lines, strict=True):
        found = measures(line)
        for check, tolerance in NEAR.items():
            assert abs(found[check] - wanted[check]) <= tolerance, (name, check, found, wanted)


def test_a_depth_map_in_a_heic_is_used(folder):
    scene = photos.scene(640, 512)
    (folder / "portrait.heic").write_bytes(photo_formats.portrait(scene, turn=3))
    (folder / "flat.heic").write_bytes(photo_formats.portrait(scene, flat=True))
    deep, flat = analyzed(folder / "portrait.heic", folder / "flat.heic")
    for line in (deep, flat):
        assert line["embedded"] == ["depth"] and line["depth"]["source"] == "embedded", line
    assert deep["depth"]["verdict"] == "genuine" and deep["depth"]["layers"] >= 2, deep["depth"]
    reasons = {check["check"]: check.get("reason") for check in flat["checks"]}
    assert reasons["depth"] == "scene-is-flat", flat["checks"]
    said = mien("analyze", folder / "portrait.heic").stdout
    assert "in the file: depth" in said and "depth: genuine" in said, said
    # A map that is given counts instead.
    wall = np.tile((1000 / np.linspace(1, 0.7, 160)).astype(np.uint16), (128, 1))
    (folder / "wall.png").write_bytes(photos.encoded(wall, ".png"))
    given, = [json.loads(line) for line in mien(
        "analyze", "--json", folder / "portrait.heic", "--depth", folder / "wall.png").stdout.splitlines()]
    assert given["depth"]["source"] == "sent" and "verdict" not in given["depth"], given["depth"]


def test_formats_that_are_not_read_are_named(folder):
    for name, data, word in (("scan.tif", b"II*\0\x08\0\0\0" + bytes(20), "TIFF"),
                             ("raw.cr3", b"\0\0\0\x18ftypcrx \0\0\0\1crx isom" + bytes(20), "RAW"),
                             ("paint.bmp", b"BM" + bytes(12) + b"\x28" + bytes(40), "BMP")):
        (folder / name).write_bytes(data)
        said = mien("analyze", folder / name, expect=2).stderr
        assert name in said and word in said and "JPEG" in said, said


def test_truncated_files_are_unreadable(folder):
    png = photos.encoded(photos.scene(), ".png")
    for kind in ("heic", "avif", "webp"):
        whole = photo_formats.convert(png, kind)
        for share in (0.1, 0.5, 0.98):
            (folder / f"cut.{kind}").write_bytes(whole[:int(len(whole) * share)])
            assert "cut" in mien("analyze", folder / f"cut.{kind}", expect=2).stderr
