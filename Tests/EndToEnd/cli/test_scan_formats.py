"""Tests of scans converted to and from the formats of other programs."""

import json
import pathlib
import resource
import subprocess
import tempfile
import zipfile

import cv2
import numpy as np

from cli import scan_folders as scans
from cli.commands import BALL, WORK, as_json, ball, decoded, folder, mien
from support.program import PROGRAM


def test_writes_a_surface_in_every_format():
    folder = WORK / "ball"
    folder.mkdir()
    scan = folder / "depth_scan.bin"
    scan.write_bytes(ball())
    starts = {"ply": b"ply\nformat binary_little_endian", "glb": b"glTF\x02\0\0\0", "obj": b"# mien", "stl": b"mien",
              "usdz": b"PK\x03\x04"}
    for name, start in starts.items():
        target = folder / f"ball.{name}"
        run = mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json")
        report = json.loads(run.stdout)
        assert report["frames_fused"] == 5 and report["triangles"] > 200, report
        assert target.read_bytes().startswith(start), name
    assert (folder / "ball.mtl").exists()
    pictures = [folder / "depth.png", folder / "surface.png"]
    mien("scan", "render", scan, "-o", pictures[0], *BALL, "--frame", 0)
    mien("scan", "render", folder / "ball.ply", "-o", pictures[1], "--yaw", -30, "--width", 320)
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG\r\n"), picture


def test_draws_a_depth_map_of_the_farthest_distance():
    folder = WORK / "farthest"
    folder.mkdir()
    (folder / "depth_scan.bin").write_bytes(b"\xff\xff" * (128 * 96))
    mien("scan", "render", folder / "depth_scan.bin", "-o", folder / "depth.png", *BALL, "--frame", 0)
    assert decoded((folder / "depth.png").read_bytes()).all()


def test_converts_scans_to_other_formats_and_back():
    start = scans.folder(WORK / "start")
    reported = json.loads(mien("scan", "info", start, "--json").stdout)
    for name in ["stray", "record3d", "arkitscenes", "tum", "3dscannerapp"]:
        target = WORK / "exported" / name
        mien("scan", "convert", start, "-o", target, "--to", name)
        again = json.loads(mien("scan", "info", target, "--json").stdout)
        assert (again["frames"], again["poses"], again["width"]) == (reported["frames"], reported["poses"], reported["width"]), again
        mien("scan", "convert", start, "-o", target, "--to", name, expect=2)
    assert not [left for left in (WORK / "exported").iterdir() if left.name.startswith(".")]
    mien("scan", "convert", start, "-o", WORK / "exported" / "none", "--to", "nonsense", expect=64)


def test_converts_to_3d_scanner_app_and_back_without_loss():
    start, target = scans.folder(WORK / "app", frames=6), WORK / "app-again"
    mien("scan", "convert", start, "-o", target, "--format", "3dscannerapp")
    assert sorted(file.name for file in target.iterdir()) == sorted([file.name for file in start.iterdir()] + ["info.json"])
    for file in start.glob("*.png"):
        one, other = (cv2.imread(str(folder / file.name), cv2.IMREAD_UNCHANGED) for folder in (start, target))
        assert other.dtype == (np.uint16 if file.name.startswith("depth") else np.uint8) and (one == other).all(), file
    for file in start.glob("*.json"):
        one, other = (json.loads((folder / file.name).read_text()) for folder in (start, target))
        assert abs(one["time"] - other["time"]) < 1e-9 and one["cameraPoseARFrame"] == other["cameraPoseARFrame"], file
        assert np.allclose(one["intrinsics"], other["intrinsics"]) and len(other["projectionMatrix"]) == 16, file
    for place in (start, target):
        mien("scan", "convert", place, "-o", place.with_suffix(".mienscan"))
    assert start.with_suffix(".mienscan").read_bytes() == target.with_suffix(".mienscan").read_bytes()


def test_reads_the_frames_of_a_stray_scanner_video():
    for codec, frames, expected in (("libx264", 40, range(40)), ("libx265", 100, range(0, 100, 2))):
        start, target = scans.stray_scanner(WORK / f"stray-{codec}", frames, codec=codec), WORK / f"stray-{codec}-again"
        mien("scan", "convert", start, "-o", target, "--to", "3dscannerapp")
        pictures = sorted(target.glob("frame_*.jpg"))
        assert [int(picture.stem[6:]) for picture in pictures] == list(expected), pictures
        for picture in pictures:
            number, shown = int(picture.stem[6:]), cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
            assert shown.shape == (480, 640), "it is not turned"
            assert abs(float(shown.mean()) - scans.gray_level(number)) < 2, (number, shown.mean())
            said = json.loads((target / f"frame_{number:05}.json").read_text())
            assert abs(said["cameraPoseARFrame"][3] - number / 1000) < 1e-6 and said["intrinsics"][0] == 480, said
        # The images color the surface.
        mien("scan", "reconstruct", start, "-o", WORK / f"stray-{codec}.ply", "--voxel", "5mm")
        head = (WORK / f"stray-{codec}.ply").read_bytes()[:400]
        assert b"property uchar red" in head, head
        # The surface faces its camera, which looked along the world's z axis, and so does the rendered image.
        mien("scan", "render", WORK / f"stray-{codec}.ply", "-o", WORK / f"stray-{codec}.png")
        seen = decoded((WORK / f"stray-{codec}.png").read_bytes())
        middle = seen[seen.shape[0] // 2, seen.shape[1] // 2].astype(int)
        assert np.ptp(middle) < 4 and middle[0] > 60, (middle, "what is seen from behind is blue")


def test_mismatched_video_is_left_out_and_reported():
    short = scans.stray_scanner(WORK / "stray-short", 40, video_frames=20)
    run = mien("scan", "convert", short, "-o", WORK / "stray-short.mienscan")
    assert "rgb.mp4 is not used" in run.stderr and "20 frames, but the recording has 40" in run.stderr, run.stderr
    none = scans.stray_scanner(WORK / "stray-none", 12)
    (none / "rgb.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(5000))
    run = mien("scan", "convert", none, "-o", WORK / "stray-none.mienscan")
    assert "rgb.mp4 is not used" in run.stderr and "0 pictures" in run.stdout, run.stderr
    assert not [left for left in pathlib.Path(tempfile.gettempdir()).glob("mien-video-*")]


def unpacked(stream):
    """Unpacks LZFSE of one uncompressed block, as mien writes it."""
    assert stream[:4] == b"bvx-" and stream[-4:] == b"bvx$" and int.from_bytes(stream[4:8], "little") == len(stream) - 12
    return stream[8:-4]


def test_other_programs_open_a_record3d_archive():
    start, target = scans.folder(WORK / "recorded", frames=6), WORK / "archives" / "recorded.r3d"
    reported = as_json(mien("scan", "info", start, "--json"))
    mien("scan", "convert", start, "-o", target, "--to", "r3d")
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        maps = [f"rgbd/{number}.{kind}" for number in range(6) for kind in ("depth", "conf")]
        assert sorted(archive.namelist()) == sorted(maps + ["metadata"]), archive.namelist()
        said = json.loads(archive.read("metadata"))
        assert (said["w"], said["h"], said["dw"], said["dh"], len(said["poses"])) == (32, 24, 32, 24, 6), said
        assert said["poses"][0] == [0, 0, 0, 1, 0, 1.5, 0], said["poses"][0]
        y, x = np.mgrid[0:24, 0:32]
        for number in range(6):
            meters = np.frombuffer(unpacked(archive.read(f"rgbd/{number}.depth")), "<f4").reshape(24, 32)
            assert (meters == ((700 + x + y + number % 3).astype("<f4") / np.float32(1000))).all(), number
            assert unpacked(archive.read(f"rgbd/{number}.conf")) == b"\2" * (32 * 24)
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert all(info.compress_size < info.file_size for info in archive.infolist())
    again = as_json(mien("scan", "info", target, "--json"))
    for name in ("frames", "poses", "confidence", "width", "height", "seconds", "world", "sensor"):
        assert again[name] == reported[name], (name, again)
    twice = target.with_name("twice.r3d")
    mien("scan", "convert", start, "-o", twice, "--to", "r3d")
    assert target.read_bytes() == twice.read_bytes()
    # Several inputs become archives in a folder; an archive becomes a bundle.
    mien("scan", "convert", start, twice, "-o", WORK / "archives" / "both", "--to", "r3d")
    assert sorted(file.name for file in (WORK / "archives" / "both").iterdir()) == ["recorded.r3d", "twice.r3d"]
    mien("scan", "convert", target, "-o", WORK / "archives" / "recorded.mienscan")


def test_incomplete_archive_is_not_left_behind():
    start, place = scans.folder(WORK / "whole-or-not", frames=40), folder("incomplete")
    target = place / "scan.r3d"

    def disk_full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    run = mien("scan", "convert", start, "-o", target, "--to", "r3d", expect=2, preexec_fn=disk_full)
    assert "cannot be written" in run.stderr and not list(place.iterdir()), (run.stderr, list(place.iterdir()))
    # Killed as soon as it has begun: partial output has a temporary name, and the target is complete if it exists.
    process = subprocess.Popen([PROGRAM, "scan", "convert", str(start), "-o", str(target), "--to", "r3d"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not any(place.iterdir()):
        pass
    process.kill()
    process.wait()
    left = [file.name for file in place.iterdir()]
    assert len(left) == 1 and (left[0].startswith(".scan.r3d.") or zipfile.ZipFile(target).testzip() is None), left


def test_scan_that_a_format_cannot_represent_is_not_written():
    raw, place = folder("unposed") / "depth_scan.bin", folder("unwritten")
    raw.write_bytes(ball(2))
    for name in ("stray", "3dscannerapp"):
        run = mien("scan", "convert", raw, *BALL, "-o", place / name, "--to", name, expect=2)
        assert f"no frame that {name} can hold" in run.stderr and "2 frames without a pose" in run.stderr, run.stderr
    assert not list(place.iterdir()), list(place.iterdir())
    mien("scan", "convert", raw, *BALL, "-o", place / "ball.r3d", "--to", "r3d")
    assert as_json(mien("scan", "info", place / "ball.r3d", "--json"))["poses"] == 0
