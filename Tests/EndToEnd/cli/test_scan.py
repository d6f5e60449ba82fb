"""Tests of `mien scan` on recorded folders."""

import json
import re
import struct

from cli import photos, scan_folders as scans
from cli.commands import WORK, mien


def test_describes_a_folder_and_converts_it_to_a_bundle():
    place = scans.folder(WORK / "chair")
    reported = json.loads(mien("scan", "info", place, "--json").stdout)
    assert (reported["format"], reported["frames"], reported["poses"]) == ("3D Scanner App", 40, 40), reported
    bundle = WORK / "made" / "chair.mienscan"
    mien("scan", "convert", place, "-o", bundle)
    assert not [name for name in bundle.parent.iterdir() if name != bundle], "a draft is left"
    again = json.loads(mien("scan", "info", bundle, "--json").stdout)
    assert {**reported, "format": "", "input": ""} == {**again, "format": "", "input": ""}, again
    assert bundle.stat().st_size < 40 * 32 * 24 * 2 / 4


def test_truncated_scan_is_read_to_the_end():
    bundle = WORK / "whole.mienscan"
    mien("scan", "convert", scans.folder(WORK / "whole"), "-o", bundle)
    cut = WORK / "cut.mienscan"
    cut.write_bytes(bundle.read_bytes()[: bundle.stat().st_size // 2])
    reported = json.loads(mien("scan", "info", cut, "--json").stdout)
    assert 10 < reported["frames"] < 40 and any("index" in note for note in reported["notes"]), reported
    damaged = bytearray(bundle.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (WORK / "flipped.mienscan").write_bytes(damaged)
    run = mien("scan", "info", WORK / "flipped.mienscan", "--json")
    # The maps after a damaged one depend on it, up to the next that does not.
    assert 0 < json.loads(run.stdout)["frames-left-out"] < 40, run.stdout
    assert re.search(r"frame 2\d is left out: the record.s checksum", run.stderr), run.stderr


def test_check_advises_on_a_scan():
    run = mien("scan", "check", "--depth-only", scans.folder(WORK / "far", distance=1800), expect=1)
    assert re.search(r"✗ distance +Stay 50 to 100 cm away", run.stdout), run.stdout
    reported = json.loads(mien("scan", "check", "--depth-only", "--json", scans.folder(WORK / "near"), expect=1).stdout)
    grades = {finding["item"]: finding["grade"] for finding in reported["findings"]}
    # The camera does not move: everything passes except the coverage.
    assert grades["coverage"] == "fail" and grades["distance"] == grades["frames"] == grades["speed"] == "pass", grades
    assert reported["grade"] == "fail" and "guide" not in reported
    # Guidance that an app would have shown: the subject is too far away, or the next view to capture.
    for name, said in (("far", ["come-nearer"]), ("near", ["show-left"])):
        reported = json.loads(mien("scan", "check", "--depth-only", "--guide", "--json", WORK / name, expect=1).stdout)
        assert [each["advice"] for each in reported["guide"]] == said and 0.3 <= reported["guide"][0]["seconds"] < 1, reported["guide"]
    assert re.search(r"0\.\d s +come-nearer", mien("scan", "check", "--depth-only", "--guide", WORK / "far", expect=1).stdout)


def test_check_measures_photos():
    (WORK / "one.jpg").write_bytes(photos.encoded(photos.scene()))
    (WORK / "dark.jpg").write_bytes(photos.encoded(photos.scene() // 12))
    names = ["--photo", WORK / "one.jpg", "--photo", WORK / "dark.jpg", "--photo", WORK / "one.jpg"]
    reported = json.loads(mien("scan", "check", "--json", *names, scans.folder(WORK / "pictured"), expect=1).stdout)
    one, dark, other = [{each["name"]: each for each in photo["measures"]} for photo in reported["photos"]]
    assert one == other and {"under-exposure-prevention", "over-exposure-prevention", "dynamic-range"} <= set(one), one
    assert one["under-exposure-prevention"]["score"] > 90 > 20 > dark["under-exposure-prevention"]["score"], (one, dark)
    assert all(0 <= each.get("score", 0) <= 100 for each in [*one.values(), *dark.values()])
    grades = {finding["item"]: finding["grade"] for finding in reported["findings"]}
    assert grades["photo-count"] == "pass" and grades["photo-faces"] == "fail", grades
    text = mien("scan", "check", *names, WORK / "pictured", expect=1).stdout
    assert "photo 3, measures after ISO/IEC 29794-5" in text and re.search(r"\d+  dynamic-range +[\d.]+ bit", text), text


def test_scan_of_unknown_size_is_rejected_with_the_possible_sizes():
    raw = WORK / "depth_scan.bin"
    raw.write_bytes(struct.pack("<H", 650) * (256 * 192 * 2))
    run = mien("scan", "info", raw, expect=2)
    assert "256×192 u16 × 2 frames" in run.stderr and "192×256 f32 × 1 frames" in run.stderr, run.stderr
    reported = json.loads(mien("scan", "info", raw, "--size", "256x192", "--samples", "u16", "--json").stdout)
    assert reported["frames"] == 2 and reported["poses"] == 0, reported
    for wrong in (["--size", "256"], ["--samples", "u8"], ["--unit", "0"]):
        mien("scan", "info", raw, *wrong, expect=64)
    mien("scan", "info", WORK / "nowhere", expect=2)
