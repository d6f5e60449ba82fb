"""Images for tests: drawn by ffmpeg, or from real footage if ../shared/data exists."""

import functools
import os
import pathlib
import subprocess


def distinct(picture):
    """Returns the same JPEG with unique bytes (an unused quantization table), since no check accepts a frame that another has sent."""
    table = bytes([3]) + bytes(1 + byte % 255 for byte in os.urandom(64))
    return picture[:2] + b"\xff\xdb" + (len(table) + 2).to_bytes(2, "big") + table + picture[2:]


def shared():
    """Returns the folder with the recordings, or None."""
    if "MIEN_SHARED" in os.environ:
        folder = pathlib.Path(os.environ["MIEN_SHARED"])
        return folder if folder.is_dir() else None
    for parent in pathlib.Path(__file__).resolve().parents:
        if (parent / "shared" / "data").is_dir():
            return parent / "shared"
    return None


def jpegs(data):
    """Splits a stream of JPEG files at their markers (ITU-T T.81, B.1.1)."""
    files, start = [], 0
    while start < len(data):
        at = start + 2
        while True:
            marker = data[at + 1]
            if marker == 0xD9:
                break
            at += 2 + int.from_bytes(data[at + 2:at + 4], "big")
            if marker == 0xDA:
                while not (data[at] == 0xFF and data[at + 1] != 0 and not 0xD0 <= data[at + 1] <= 0xD7):
                    at += 1
        files.append(data[start:at + 2])
        start = at + 2
    return files


def ffmpeg(*arguments, quality=3):
    out = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *arguments, "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", str(quality),
                          "-pix_fmt", "yuvj420p", "-"], capture_output=True, check=True)
    return jpegs(out.stdout)


@functools.cache
def drawn(count=8):
    """Returns distinct test images without a face."""
    return ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x480:rate=10", "-frames:v", str(count))


@functools.cache
def plain():
    """Returns a black image, as from a covered camera: always the same bytes."""
    return ffmpeg("-f", "lavfi", "-i", "color=black:size=480x360", "-frames:v", "1")[0]


@functools.cache
def portrait():
    """Returns a photo of a face from the test media."""
    parts = pathlib.Path(os.environ.get("MIEN_PARTS") or pathlib.Path(__file__).resolve().parents[3] / ".mien")
    return ffmpeg("-i", str(parts / "media/45-m7-di-ph.jpg"), "-vf", "scale=640:-2")[0]


def faces(count):
    """Returns images of a face, each with unique bytes."""
    return [distinct(portrait()) for _ in range(count)]


@functools.cache
def decoded(name, rate, width, quality, folder):
    return ffmpeg("-i", str(shared() / "data" / folder / name), "-vf", f"fps={rate},scale={width}:-2", quality=quality)


def clip(name, rate=10, width=640, quality=3, folder="face_video"):
    """Returns the frames of a clip of shared/data, each with unique bytes."""
    return [distinct(frame) for frame in decoded(name, rate, width, quality, folder)]
