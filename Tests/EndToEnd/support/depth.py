"""Depth frames for tests: synthetic heads and boards, and real captures if ../shared/data exists.

Documentation/reference/formats/DepthFrame.md specifies the encoding; the synthetic head is that of the Swift tests (SyntheticDepth).
"""

import array
import random
import struct
import sys

from support import footage

SIZE, FOCAL = 120, 210.0


def frame(width, height, samples, micrometers, camera, face, at=0):
    """Encodes one depth frame: `camera` is fx, fy, cx, cy; `face` is x, y, width, height."""
    data = array.array("H", samples)
    if sys.byteorder == "big":
        data.byteswap()
    return b"MDF1" + struct.pack("<HHI8fq", width, height, micrometers, *camera, *face, at) + data.tobytes()


def drawn(height, seed, distance=400.0, tilt=(0.0, 0.0), noise=0.6, at=0):
    """Renders a surface: `height(x, y)` is the millimeters towards the camera at x (right) and y (down) in millimeters."""
    rng, samples, middle = random.Random(seed), [], SIZE / 2
    for row in range(SIZE):
        for column in range(SIZE):
            ray_x, ray_y = (column + 0.5 - middle) / FOCAL, (row + 0.5 - middle) / FOCAL
            z = distance
            for _ in range(3):
                z = distance + tilt[0] * ray_x * z + tilt[1] * ray_y * z - height(ray_x * z, ray_y * z)
            samples.append(int(min(max((z + rng.gauss(0, noise)) * 10, 1), 65535)))
    wide, high = 150 * FOCAL / distance / SIZE, 190 * FOCAL / distance / SIZE
    return frame(SIZE, SIZE, samples, 100, (FOCAL, FOCAL, middle - 0.5, middle - 0.5), (0.5 - wide / 2, 0.5 - high / 2, wide, high), at)


def head(seed, scale=1.0, **more):
    """Renders the front of an ellipsoid with a nose, eye sockets and a chin."""
    def bump(x, y, wide, high):
        return 1 / (1 + (x / wide) ** 2 + (y / high) ** 2) ** 2

    def height(x, y):
        x, y = x / scale, y / scale
        tall = 85 * max(0.0, 1 - (x / 88) ** 2 - (y / 125) ** 2) ** 0.5 - 85
        tall += 20 * bump(x, y - 12, 17, 24) - 8 * (bump(x - 32, y + 22, 17, 14) + bump(x + 32, y + 22, 17, 14))
        return scale * (tall + 6 * bump(x, y - 80, 22, 14))

    return drawn(height, seed, **more)


def board(seed, **more):
    return drawn(lambda x, y: 0.0, seed, **more)


def real_face(moved=(0, 0)):
    """Returns the structured-light face, read as inverse distance with the scale that Documentation/reference/DepthGate.md assumes."""
    raw = array.array("H")
    raw.frombytes((footage.shared() / "data/face_depth/zj_structured_light/raw_0001_frontface.raw").read_bytes())
    if sys.byteorder == "big":
        raw.byteswap()
    samples = [round(4_190_000 / value) if value and 4_190_000 / value < 65_535 else 0 for value in raw]
    x, y = moved
    return frame(1280, 720, samples, 100, (1050, 1050, 639.5, 359.5), ((585 + x) / 1280, (245 + y) / 720, 295 / 1280, 380 / 720))
