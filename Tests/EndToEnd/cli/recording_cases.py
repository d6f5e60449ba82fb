"""The recordings of the table in Documentation/reports/Scans.md: one case for each app, version and peculiarity."""

import dataclasses
import functools
import shutil
from typing import Any, Callable

import numpy as np

from cli import recordings as made

ROOM = (14, 3, 10)


@functools.cache
def base(**more):
    return made.Recording(**more)


@functools.cache
def upright():
    return made.Recording(size=(192, 256), image=(720, 960), focal=720.0)


@functools.cache
def face_camera():
    return made.Recording(count=16, size=(320, 240), image=(640, 480), focal=460.0, noise=0.001)


@functools.cache
def rendered_room():
    return made.Recording(count=240, poses=made.room_path(240, ROOM), scene=made.room_scene(ROOM), noise=0.005)


#: Lens of an old telephone's camera: five pixels of the depth map at the corners.
LENS = (0.08, -0.05, 0.001, -0.002)


@dataclasses.dataclass
class Case:
    app: str
    version: str
    special: str
    make: Callable[[Any], Any]
    #: Largest median error in millimeters.
    max_median: float = 0.5
    options: tuple = ("--no-refine",)
    #: Words that standard error must contain.
    messages: tuple = ()
    #: Number of fused frames, if it matters.
    fused: int | None = None
    #: Number of pieces that the path fell into.
    pieces: int = 1
    #: Expected exit status; a recording that is not read has its words on standard error.
    status: int = 0
    room: bool = False

    @property
    def name(self):
        return f"{self.app}, {self.version}: {self.special}"


def shifted(first, **more):
    """Returns a writer of a .r3d of frames 20…47 of 48, with names from `first`."""
    return lambda place: made.record3d(place / "a.r3d", base(count=48), first=first, start=20, **more)


def one_bad(number, data):
    return data[: len(data) // 2] if number == 3 else data


def first_is_smaller(number, data):
    return data[: len(data) // 4] if number == 0 else data


def damaged(folder, *files, content=b"\x89PNG\r\n\x1a\n broken"):
    for file in files:
        (folder / file).write_bytes(content)
    return folder


def other_size(folder, file):
    (folder / file).write_bytes(made.png(np.full((96, 128), 900, np.uint16)))
    return folder


def without(folder, *files):
    for file in files:
        (folder / file).unlink()
    return folder


def zipped(place, folder):
    return shutil.make_archive(str(place / "shared"), "zip", folder)


LEFT = "left out"
CASES = [
    Case("Record3D", ".r3d, 2024", "frames from 0", lambda p: made.record3d(p / "a.r3d", base())),
    Case("Record3D", ".r3d, 2024", "portrait, 192×256", lambda p: made.record3d(p / "a.r3d", upright())),
    Case("Record3D", ".r3d", "trimmed: frames 20…47 with their lists", shifted(0, lists_from=20), fused=28),
    Case("Record3D", ".r3d", "trimmed: frames 20…47, lists of all 48", shifted(0), fused=28),
    Case("Record3D", ".r3d", "names from 1", lambda p: made.record3d(p / "a.r3d", base(), first=1), fused=24),
    Case("Record3D", ".r3d", "names from 1, one frame missing", lambda p: made.record3d(p / "a.r3d", base(), first=1, missing=(5,)),
         fused=23),
    Case("Record3D", ".r3d", "frames 3, 9 and 10 missing", lambda p: made.record3d(p / "a.r3d", base(), missing=(3, 9, 10)), fused=21),
    Case("Record3D", ".r3d", "floats not packed", lambda p: made.record3d(p / "a.r3d", base(), packed=False)),
    Case("Record3D", ".r3d, 2020", "no size of the maps, no confidence, one K",
         lambda p: made.record3d(p / "a.r3d", upright(), sizes=False, confidence=False, per_frame=False)),
    Case("Record3D", ".r3d", "tracking lost in two frames", lambda p: made.record3d(p / "a.r3d", base(), lost=(7, 8)),
         messages=("without a pose: 2",), options=(), max_median=1.0),
    Case("Record3D", ".r3d", "one map cut short", lambda p: made.record3d(p / "a.r3d", base(), change=one_bad),
         messages=("frame 3 is " + LEFT,), fused=23),
    Case("Record3D", ".r3d", "first map of another size", lambda p: made.record3d(p / "a.r3d", base(), change=first_is_smaller),
         messages=("frame 0 is " + LEFT,), fused=23),
    Case("Record3D", ".r3d, front camera", "no tracking: every pose at the origin",
         lambda p: made.record3d(p / "a.r3d", made.Recording(count=24, span=50), still=True, confidence=False), options=(), max_median=4.0,
         messages=("no poses",)),
    Case("Record3D", ".r3d, front camera", "no tracking, and a jump of over 90° after 24 of 32 frames",
         lambda p: made.record3d(p / "a.r3d", made.Recording(poses=made.path(24, 50) + made.path(80, 170)[-8:]),
                                 still=True, confidence=False), options=(), max_median=4.0, messages=("lost",), pieces=2),
    Case("Record3D", "EXR + RGB", "ZIP compression, JPEG", lambda p: made.record3d_images(p / "a", base())),
    Case("Record3D", "EXR + RGB", "uncompressed, PNG", lambda p: made.record3d_images(p / "a", base(), compression="none", picture="png")),
    Case("Record3D", "EXR + RGB", "ZIPS, four channels", lambda p: made.record3d_images(p / "a", base(), compression="zips",
                                                                                        extra=("G", "B", "A"))),
    Case("Record3D", "EXR + RGB", "16-bit floats", lambda p: made.record3d_images(p / "a", base(), half=True), max_median=1.0),
    Case("Record3D", "EXR + RGB", "portrait, channel Z, confidence added", lambda p: made.record3d_images(
        p / "a", upright(), channel="Z", levels=True)),
    Case("Record3D", "EXR + RGB", "one EXR damaged", lambda p: damaged(made.record3d_images(p / "a", base()), "EXR_RGBD/depth/5.exr"),
         messages=("frame 5 is " + LEFT,), fused=23),
    Case("Record3D", "EXR + RGB", "as a ZIP archive", lambda p: zipped(p, made.record3d_images(p / "a", base()))),
    Case("Stray Scanner", "2025", "intrinsics in every row", lambda p: made.stray_scanner(p / "a", base())),
    Case("Stray Scanner", "2026", "varying focal length", lambda p: made.stray_scanner(p / "a", base(breathing=0.01))),
    Case("Stray Scanner", "2022", "one matrix", lambda p: made.stray_scanner(p / "a", base(), per_row=False)),
    Case("Stray Scanner", "2021", "NumPy maps", lambda p: made.stray_scanner(p / "a", base(), numpy=True, per_row=False)),
    Case("Stray Scanner", "2025", "cut off while recording", lambda p: made.stray_scanner(p / "a", base(), cut=True, matrix=False),
         messages=("cut off",), fused=23),
    Case("Stray Scanner", "2025", "one map of another size", lambda p: other_size(made.stray_scanner(p / "a", base()), "depth/000004.png"),
         messages=("frame 4 is " + LEFT,), fused=23),
    Case("Stray Scanner", "2025", "first map damaged", lambda p: damaged(made.stray_scanner(p / "a", base()), "depth/000000.png"),
         messages=("frame 0 is " + LEFT,), fused=23),
    Case("Stray Scanner", "2025", "maps in steps of 0.1 mm, --unit 100", lambda p: made.stray_scanner(p / "a", base(), unit=10_000),
         options=("--no-refine", "--unit", "100")),
    Case("Stray Scanner", "2025", "a room of 14×10 m", lambda p: made.stray_scanner(p / "a", rendered_room()),
         messages=("scene is large",), max_median=5, room=True),
    Case("3D Scanner App", "all data", "with times", lambda p: made.scanner3d(p / "a", base())),
    Case("3D Scanner App", "all data", "one pose of zeros", lambda p: made.scanner3d(p / "a", base(), lost=(2,)),
         options=(), max_median=1.0, fused=24),
    Case("3D Scanner App", "all data", "one PNG cut short", lambda p: damaged(made.scanner3d(p / "a", base()), "depth_00006.png"),
         messages=("frame 6 is " + LEFT,), fused=23),
    Case("3D Scanner App", "all data", "no confidence", lambda p: made.scanner3d(p / "a", base(), confidence=False)),
    Case("Polycam", "raw data", "corrected cameras", lambda p: made.polycam(p / "a", base(image=(1024, 768), focal=773.0))),
    Case("Polycam", "raw data", "no pose optimization", lambda p: made.polycam(p / "a", base(), corrected=False)),
    Case("Polycam", "raw data", "two frames without a corrected camera", lambda p: made.polycam(p / "a", base(), lacking=(4, 5)),
         messages=("no pose: 2",), options=(), max_median=1.0),
    Case("Polycam", "raw data", "as a ZIP archive, no confidence", lambda p: zipped(p, made.polycam(p / "a", base(), confidence=False))),
    Case("Polycam", "raw data", "one camera damaged", lambda p: damaged(
        made.polycam(p / "a", base()), "keyframes/corrected_cameras/8000300000.json"), messages=("frame 3 is " + LEFT,), fused=23),
    Case("nerfstudio", "transforms.json", "16-bit PNGs, one camera", lambda p: made.transforms(p / "a", base())),
    Case("nerfstudio", "transforms.json", "a camera for each frame, unsorted", lambda p: made.transforms(
        p / "a", base(breathing=0.01), shared=False, shuffled=True)),
    Case("nerfstudio", "transforms.json", "NumPy floats", lambda p: made.transforms(p / "a", base(), depth="npy")),
    Case("nerfstudio", "transforms.json", "OpenEXR, names without extension", lambda p: made.transforms(
        p / "a", base(), depth="exr", extension=False)),
    Case("COLMAP", "transforms.json", "scaled poses, depth in 0.25 mm", lambda p: made.transforms(p / "a", base(), scale=0.37, unit=0.00025)),
    Case("nerfstudio", "transforms.json", "lens distortion", lambda p: made.transforms(p / "a", base(lens=LENS)), messages=("distortion",)),
    Case("NeRFCapture", "transforms.json", "depth_path, ten meters in 65535 steps, names without extension", lambda p: made.transforms(
        p / "a", base(), unit=10 / 65535, extension=False, capture=True)),
    Case("COLMAP", "text model", "PINHOLE, poses in meters", lambda p: made.colmap(p / "a", base())),
    Case("COLMAP", "text model", "unit of 0.37 m, OPENCV lens", lambda p: made.colmap(
        p / "a", base(lens=LENS), model="OPENCV", scale=0.37), messages=("multiplied by 0.37", "distortion"), max_median=1.0),
    Case("COLMAP", "text model", "one line for each image, SIMPLE_PINHOLE, no points", lambda p: made.colmap(
        p / "a", base(), model="SIMPLE_PINHOLE", place="sparse", points=0, second_lines=False), messages=("unit",)),
    Case("COLMAP", "text model", "two images not registered", lambda p: made.colmap(p / "a", base(), lacking=(4, 5)),
         messages=("no pose: 2",), options=(), max_median=1.0),
    Case("COLMAP", "binary model", "SIMPLE_RADIAL, as a ZIP archive", lambda p: zipped(p, made.colmap(
        p / "a", base(lens=(0.06, 0, 0, 0)), model="SIMPLE_RADIAL", binary=True)), messages=("distortion",)),
    Case("COLMAP", "dense workspace", "its own depth maps", lambda p: made.colmap(
        p / "a", base(), place="sparse", binary=True, dense=True), messages=("unit",)),
    Case("COLMAP", "text model", "fisheye lens", lambda p: made.colmap(p / "a", base(), model="OPENCV_FISHEYE"), status=2,
         messages=("OPENCV_FISHEYE",)),
    Case("TUM RGB-D", "own camera", "with calibration.txt", lambda p: made.tum(p / "a", base())),
    Case("TUM RGB-D", "RealSense", "maps in millimeters, --unit 1000", lambda p: made.tum(p / "a", base(), unit=1000),
         options=("--no-refine", "--unit", "1000")),
    Case("TUM RGB-D", "own camera", "poses in nanoseconds", lambda p: made.tum(p / "a", made.Recording(count=24, span=50), stamp=1e9),
         messages=("None of the 24 poses",), options=(), max_median=4.0),
    Case("ARKitScenes", "3dod", "ten poses per second", lambda p: made.arkitscenes(p / "a", base())),
    Case("depth_scan.bin", "iOS app", "16-bit integers, described", lambda p: made.raw(p / "a", made.Recording(
        count=24, span=50, focal=1593.6)), options=(), max_median=6.0),
    Case("depth_scan.bin", "iOS app", "floats of millimeters", lambda p: made.raw(p / "a", made.Recording(
        count=24, span=50, focal=1593.6), "mm"), options=(), max_median=6.0, messages=("f32 mm",)),
    Case("Record3D", ".r3d", "12.5° between frames, no poses", lambda p: made.record3d(
        p / "a.r3d", made.Recording(count=24, span=287.5), still=True, confidence=False), options=(), status=2, messages=("lost",)),
    Case("Record3D", ".r3d", "25° between frames, no poses", lambda p: made.record3d(
        p / "a.r3d", made.Recording(count=12, span=275), still=True, confidence=False), options=(), status=2, messages=("lost",)),
]
