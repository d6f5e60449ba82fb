"""Synthetic photos for tests: the same scene in every supported file format."""

import struct

import cv2
import numpy as np


def scene(width=640, height=480, seed=7, grid=False):
    """Renders an image with edges, tones and grain; `grid` adds a display's pixel grid."""
    rng = np.random.default_rng(seed)
    picture = np.full((height, width, 3), (130, 110, 90), np.uint8)
    for _ in range(60):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        cv2.circle(picture, at, int(rng.integers(5, 60)), rng.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    picture = cv2.GaussianBlur(picture, (0, 0), 1) + rng.normal(0, 3, picture.shape)
    if grid:
        picture[::3] /= 3
        picture[:, ::3] /= 3
    return np.clip(picture, 0, 255).astype(np.uint8)


def encoded(picture, kind=".jpg", *options):
    options = options or ((cv2.IMWRITE_JPEG_QUALITY, 90) if kind == ".jpg" else ())
    return cv2.imencode(kind, picture, options)[1].tobytes()


def turned(jpeg, orientation):
    """Returns the JPEG with an orientation in its EXIF header (tag 0x0112)."""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\0\0" + tiff + jpeg[2:]


def files():
    """Returns readable images by name, as cameras and programs write them."""
    picture = scene()
    gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    best = (cv2.IMWRITE_JPEG_QUALITY, 90)
    return {
        "plain.jpg": encoded(picture),
        "progressive.jpg": encoded(picture, ".jpg", *best, cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        "turned.jpg": turned(encoded(picture), 6),
        "gray.jpg": encoded(gray),
        "full-chroma.jpg": encoded(
            picture, ".jpg", *best, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444),
        "is-a-png.jpg": encoded(picture, ".png"),
        "deep.png": encoded(gray[:96, :128].astype(np.uint16) * 257, ".png"),
        "with-alpha.png": encoded(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), ".png"),
        "dot.png": encoded(picture[:1, :1], ".png"),
        "dot.jpg": encoded(picture[:1, :1]),
        "line.jpg": encoded(np.tile(picture[:1], (1, 4, 1))),
    }


def unreadable():
    """Returns unreadable files by name."""
    whole = encoded(scene())
    # A size of 60,000 × 60,000 in the frame header must not be allocated.
    at = whole.index(b"\xff\xc0") + 5
    huge = whole[:at] + struct.pack(">HH", 60000, 60000) + whole[at + 4:]
    heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(200)
    return {"empty.jpg": b"", "text.jpg": b"no picture", "head-only.jpg": whole[:200], "huge.jpg": huge, "phone.jpg": heic,
            "cut.png": encoded(scene(), ".png")[:1000]}
