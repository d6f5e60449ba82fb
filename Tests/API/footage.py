"""Pictures for the tests: drawn by ffmpeg, or from real footage where ../shared/data is there."""

import functools
import os
import pathlib
import subprocess


def shared():
    """The folder with the recordings, or None."""
    if "MIEN_SHARED" in os.environ:
        folder = pathlib.Path(os.environ["MIEN_SHARED"])
        return folder if folder.is_dir() else None
    for parent in pathlib.Path(__file__).resolve().parents:
        if (parent / "shared" / "data").is_dir():
            return parent / "shared"
    return None


def jpegs(data):
    """Cuts a stream of JPEG files apart; ffmpeg writes no thumbnails, so the end marker is the end."""
    files, start = [], 0
    while (end := data.find(b"\xff\xd9", start)) >= 0:
        files.append(data[start:end + 2])
        start = end + 2
    return files


def ffmpeg(*arguments):
    out = subprocess.run(["ffmpeg", "-v", "error", "-nostdin", *arguments, "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "3",
                          "-pix_fmt", "yuvj420p", "-"], capture_output=True, check=True)
    return jpegs(out.stdout)


@functools.cache
def drawn(count=8):
    """Test pictures with no face in them, all different."""
    return ffmpeg("-f", "lavfi", "-i", "testsrc2=size=640x480:rate=10", "-frames:v", str(count))


@functools.cache
def clip(name, rate=10, width=640):
    """The frames of a clip of shared/data/face_video."""
    return ffmpeg("-i", str(shared() / "data/face_video" / name), "-vf", f"fps={rate},scale={width}:-2")
