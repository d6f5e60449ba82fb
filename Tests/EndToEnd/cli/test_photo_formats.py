"""Tests of `mien analyze` with photos in the formats of phones, made from one PNG, compared with its JPEG."""

import json
import pathlib
import subprocess

import cv2
import numpy as np
import pytest

from cli import photos
from cli.commands import WORK, mien
from support import footage, photo_formats

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


#: The same for real photos, whose sharp details a lossy format changes more; `bezel` counts in steps of a few points.
REAL_NEAR = {"moire": 0.1, "texture": 1, "banding": 0.3, "bezel": 8}
#: Largest accepted difference of the confidence of all checks together.
CONFIDENCE = 0.1

#: Real photos in the formats of phones: a folder of the data, the number of the file in it, and the format it is converted to.
REAL = [("recapture_sources/aditya_iphone15pro", 0, "heic"), ("recapture_sources/anshika_galaxy", 1, "avif"),
        ("recapture_sources/aryama_m2101", 2, "webp"), ("recapture_sources/avinash_infinix", 3, "heic"),
        ("recapture_sources/cameras_dev", 4, "avif"), ("recapture_sources/harshit_xiaomi", 5, "webp"),
        ("recapture_sources/shivansh_m526b", 6, "heic"), ("recapture_sources/yashika_galaxy", 7, "avif"),
        ("recapture/yash_galaxym12", 8, "webp"), ("recapture/web_1024", 9, "heic"), ("face_depth/pillow_heif", 0, "heic")]


def real_pair(data, number, name, which, kind):
    """Returns a photo as JPEG and in another format. A HEIC in the data is compared with its JPEG of high quality."""
    paths = sorted(path for path in (data / name).iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".heic"))
    path = paths[which % len(paths)]
    if path.suffix == ".heic":
        subprocess.run(["heif-convert", "-q", "98", path, WORK / f"formats/real-{number}.jpg"], check=True, capture_output=True, timeout=300)
        return (WORK / f"formats/real-{number}.jpg").read_bytes(), path.read_bytes()
    jpeg = path.read_bytes()
    # Upright, as the orientation in the JPEG says.
    pixels = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    return jpeg, photo_formats.convert(photos.encoded(pixels, ".png"), kind, 98)


def test_real_photos_measure_as_their_jpeg(folder):
    """The table in Documentation/reports/Photos.md is printed (`-s`)."""
    shared = footage.shared()
    if shared is None or not (pathlib.Path(shared) / "data/recapture_sources").is_dir():
        pytest.skip("shared/data not found")
    for number, (name, which, kind) in enumerate(REAL):
        for data, suffix in zip(real_pair(pathlib.Path(shared) / "data", number, name, which, kind), ("jpg", kind)):
            (folder / f"real-{number}.{suffix}").write_bytes(data)
    lines = analyzed(*(folder / f"real-{number}.{suffix}" for number, (_, _, kind) in enumerate(REAL) for suffix in ("jpg", kind)))
    far = []
    for number, (name, _, kind) in enumerate(REAL):
        pair = lines[2 * number:2 * number + 2]
        wanted, found = (measures(line) for line in pair)
        # Only a JPEG has coefficients to measure a second compression in, and only a HEIC a depth map.
        assert wanted.keys() - {"double-compression"} == found.keys() - {"depth"} and "texture" in wanted, (name, wanted, found)
        values = {check: (wanted[check], found[check]) for check in REAL_NEAR if check in wanted}
        values["confidence"] = tuple(line["aggregated"]["overall_confidence"] for line in pair)
        print(f"| {name} | {kind} |", " | ".join(f"{one:.2f}, {other:.2f}" for one, other in values.values()), "|")
        far += [(name, kind, check, pair) for check, pair in values.items() if abs(pair[0] - pair[1]) > REAL_NEAR.get(check, CONFIDENCE)]
    assert far == [], far
    # The HEIC of an iPhone: what is beside the picture is named, used or not.
    assert lines[-1]["depth"]["source"] == "embedded", lines[-1]["depth"]
    said = mien("analyze", folder / f"real-{len(REAL) - 1}.heic").stdout
    assert "in the file: depth\n" in said and "in the file, not used: gain-map\n" in said, said


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
