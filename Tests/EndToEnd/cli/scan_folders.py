"""Scans for tests of the command line: a 3D Scanner App folder, a bare depth_scan.bin, a real face."""

import json
import struct
import subprocess
import zlib

import cv2
import numpy as np

from support import footage


def png(path, width, bits, rows):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    raw = b"".join(b"\0" + row for row in rows)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), bits, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def folder(place, frames=40, distance=700, width=32, height=24):
    """Writes a scan of a slope from a static camera."""
    place.mkdir(parents=True)
    for number in range(frames):
        name = f"{number:05}"
        rows = [struct.pack(f">{width}H", *(distance + x + y + number % 3 for x in range(width))) for y in range(height)]
        png(place / f"depth_{name}.png", width, 16, rows)
        png(place / f"conf_{name}.png", width, 8, [bytes([2]) * width for _ in range(height)])
        (place / f"frame_{name}.json").write_text(json.dumps({
            "cameraPoseARFrame": [1, 0, 0, 0, 0, 1, 0, 1.5, 0, 0, 1, 0, 0, 0, 0, 1],
            "intrinsics": [1440, 0, 960, 0, 1440, 720, 0, 0, 1], "time": 100 + number / 30,
            "projectionMatrix": [1.5, 0, 0, 0, 0, 2, 0, 0, 0, 0, -1, 0, 0, 0, -1, 0]}))
    return place


def stray_scanner(place, frames=40, video_frames=None, codec="libx264"):
    """Writes a Stray Scanner folder whose video has a distinct gray level per frame and a rotation tag."""
    width, height = 32, 24
    for name in ("depth", "confidence"):
        (place / name).mkdir(parents=True)
    rows = ["timestamp, frame, x, y, z, qx, qy, qz, qw"]
    for number in range(frames):
        png(place / f"depth/{number:06}.png", width, 16,
            [struct.pack(f">{width}H", *(700 + x + y for x in range(width))) for y in range(height)])
        png(place / f"confidence/{number:06}.png", width, 8, [bytes([2]) * width for _ in range(height)])
        rows.append(f"{100 + number / 60}, {number:06}, {number / 1000}, 1.5, 0, 0, 0, 0, 1")
    (place / "odometry.csv").write_text("\n".join(rows) + "\n")
    (place / "camera_matrix.csv").write_text("480.0, 0.0, 319.5\n0.0, 480.0, 239.5\n0.0, 0.0, 1.0")
    video = b"".join(bytes([gray_level(number)]) * (640 * 480) for number in range(frames if video_frames is None else video_frames))
    subprocess.run(["ffmpeg", "-v", "error", "-f", "rawvideo", "-pix_fmt", "gray", "-s", "640x480", "-r", "60", "-i", "-", "-c:v",
                    codec, "-pix_fmt", "yuv420p", "-metadata:s:v:0", "rotate=90", place / "rgb.mp4"], input=video, check=True)
    return place


def gray_level(number):
    return 30 + number % 40 * 5


def real_face(place, turned=False):
    """Writes the structured-light face as depth_scan.bin and a photo; returns the options that describe the camera.

    Scale and focal length are those of Documentation/reference/DepthGate.md; the infrared image is mirrored relative to the depth.
    """
    source = footage.shared() / "data/face_depth/zj_structured_light"
    raw = np.fromfile(source / "raw_0001_frontface.raw", "<u2").reshape(720, 1280).astype(float)
    depth = np.zeros_like(raw)
    np.divide(4_190_000, raw, out=depth, where=raw > 64)
    depth = depth.round().astype("<u2")
    photo = cv2.flip(cv2.imread(str(source / "0001_IR_frontface.jpg")), 1)
    if turned:
        depth, photo = cv2.rotate(depth, cv2.ROTATE_90_CLOCKWISE), cv2.rotate(photo, cv2.ROTATE_90_CLOCKWISE)
    place.mkdir(parents=True)
    (place / "depth_scan.bin").write_bytes(depth.tobytes())
    (place / "photo.jpg").write_bytes(cv2.imencode(".jpg", photo, (cv2.IMWRITE_JPEG_QUALITY, 95))[1].tobytes())
    width, degrees = (720, 37.84) if turned else (1280, 62.73)
    return place, ["--size", f"{width}x{2000 - width}", "--samples", "u16", "--unit", 100, "--field-of-view", degrees]
