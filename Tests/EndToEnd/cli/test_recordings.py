"""Every recording of the table in the report on scans is read as it should be; see recording_cases.py."""

import json

import numpy as np
import pytest

from cli import recordings
from cli.commands import WORK, mien
from cli.recording_cases import CASES, ROOM, base


#: Leaves out most of the floor of 8 × 8 m, which takes longer to color from the images than all else.
NEAR = ("--range", "0.1-2.5")


@pytest.mark.parametrize("number", range(len(CASES)), ids=[case.name for case in CASES])
def test_recording(number):
    case = CASES[number]
    place = WORK / f"recording-{number}"
    place.mkdir()
    surface = place / "surface.ply"
    options = [*case.options, *(() if case.room or case.status else NEAR)]
    run = mien("scan", "reconstruct", case.make(place), "-o", surface, "--json", *options, expect=case.status)
    for words in case.messages:
        assert words in run.stderr, run.stderr
    if case.status:
        assert not surface.exists()
        return
    points = recordings.vertices(surface)
    off = recordings.room_errors(points, ROOM) if case.room else errors(points, case)
    assert np.median(off) <= case.max_median, (np.median(off), np.percentile(off, 95), run.stderr)
    report = json.loads(run.stdout)
    assert report["pieces"] == case.pieces, report
    if case.fused is not None:
        assert report["frames_fused"] == case.fused, report


def errors(points, case):
    """Returns the errors of a surface; without poses, the first camera is the world."""
    first = recordings.path(2)[0]
    away = np.linalg.norm(points - recordings.MIDDLE, axis=1).min() > 0.9 or "no tracking" in case.special
    if away or "nanoseconds" in case.special or case.app == "depth_scan.bin":
        points = points @ first[:3, :3].T + first[:3, 3]
    return recordings.errors(points)


#: Files of one recording that cannot be read, and what they are.
BAD = {"cut short": b"\x89PNG\r\n\x1a\n", "another size": recordings.png(np.full((10, 12), 700, np.uint16)), "empty": b""}


@pytest.mark.parametrize("fault", BAD)
def test_unreadable_frame_is_left_out_by_every_command(fault):
    folder = recordings.scanner3d(WORK / f"bad-{fault}", base(count=6))
    (folder / "depth_00002.png").write_bytes(BAD[fault])
    reported = json.loads(mien("scan", "info", folder, "--json").stdout)
    assert (reported["frames"], reported["frames-left-out"]) == (6, 1), reported
    for command in (
            ("check", "--depth-only", folder), ("convert", folder, "-o", WORK / f"bad-{fault}.mienscan"),
            ("convert", folder, "-o", WORK / f"bad-{fault}-tum", "--to", "tum"),
            ("reconstruct", folder, "-o", WORK / f"bad-{fault}.ply")):
        run = mien("scan", *command, expect=1 if command[0] == "check" else 0)
        assert "frame 2 is left out" in run.stderr, (command, run.stderr)
    for copy in (WORK / f"bad-{fault}.mienscan", WORK / f"bad-{fault}-tum"):
        reported = json.loads(mien("scan", "info", copy, "--json").stdout)
        assert (reported["frames"], reported["frames-left-out"]) == (5, 0), reported


def test_scan_without_any_readable_frame_is_an_error():
    folder = recordings.scanner3d(WORK / "all-bad", base(count=3))
    for number in range(3):
        (folder / f"frame_0000{number}.json").write_text("{")
    for command in (("info",), ("check", "--depth-only"), ("convert", "-o", WORK / "none.mienscan"),
                    ("reconstruct", "-o", WORK / "none.ply")):
        mien("scan", command[0], folder, *command[1:], expect=2)
    assert not (WORK / "none.mienscan").exists()


def test_surfaces_in_one_folder_have_their_own_materials():
    out = WORK / "objects"
    inputs = []
    small = [*NEAR, "--texture-size", 2048]
    for name, color in (("red one", (30, 30, 220)), ("blue", (220, 30, 30))):
        recording = base(count=8)
        archive = recordings.record3d(WORK / f"{name}.r3d", recording, jpeg=True)
        inputs.append(archive)
    out.mkdir()
    (out / "blue.jpg").write_bytes(b"mine")
    run = mien("scan", "reconstruct", *inputs, "-o", out, "--format", "obj", *small, expect=2)
    assert "--force" in run.stderr and (out / "blue.jpg").read_bytes() == b"mine" and not (out / "blue.obj").exists(), run.stderr
    (out / "blue.jpg").unlink()
    # A second run overwrites what the first one wrote.
    for _ in range(2):
        mien("scan", "reconstruct", *inputs, "-o", out, "--format", "obj", *small)
    assert sorted(path.name for path in out.iterdir()) == [
        "blue.jpg", "blue.mtl", "blue.obj", "red one.obj", "red_one.jpg", "red_one.mtl"]
    assert "mtllib red_one.mtl" in (out / "red one.obj").read_text()[:200]
    assert "map_Kd red_one.jpg" in (out / "red_one.mtl").read_text()
    (out / "blue.mtl").write_text("newmtl mine\n")
    mien("scan", "reconstruct", inputs[1], "-o", out / "blue.obj", *small, expect=2)
    assert (out / "blue.mtl").read_text() == "newmtl mine\n"
    mien("scan", "reconstruct", inputs[1], "-o", out / "blue.obj", *small, "--force")
    assert "map_Kd blue.jpg" in (out / "blue.mtl").read_text()


def test_options_that_a_format_leaves_no_room_for_are_usage_errors():
    folder = recordings.stray_scanner(WORK / "unit", base(count=3))
    assert "steps of 0.1 mm" in mien("scan", "info", folder, "--unit", "100").stdout
    bundle = WORK / "unit.mienscan"
    mien("scan", "convert", folder, "-o", bundle)
    for arguments in ((bundle, "--unit", "100"), (folder, "--size", "256x192"), (folder, "--samples", "u16")):
        mien("scan", "info", *arguments, expect=64)
        mien("scan", "reconstruct", *arguments, "-o", WORK / "unit.ply", expect=64)
