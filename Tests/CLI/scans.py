"""Scans that the tests of the command line make: a folder as 3D Scanner App writes it, and a bare depth_scan.bin."""

import json
import struct
import zlib


def png(path, width, bits, rows):
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    raw = b"".join(b"\0" + row for row in rows)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), bits, 0, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def folder(place, frames=40, distance=700, width=32, height=24):
    """A camera that stands still before a slope."""
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
