"""Synthetic captures: photos, depth maps, bursts, clips, multipart forms, and a device with a signing key."""

import base64
import functools
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import time
import zlib

import cv2
import numpy as np
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

PARTS = ["photo", "depth_map", "metadata", "detection"]
MOTION = ["burst", "clip"]


def png(width, height, depth, samples, color=2):
    """Encodes rows of samples as a PNG; color type 0 is gray, 2 is RGB."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = len(samples) // height
    raw = b"".join(b"\0" + samples[y * row:(y + 1) * row] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


@functools.lru_cache
def photo(seed=1, width=320, height=240):
    """Returns a smooth image with a little noise; each seed gives a different one."""
    state, out = seed * 2654435761 % 2**32, bytearray()
    for y in range(height):
        for x in range(width):
            state = (state * 1664525 + 1013904223) % 2**32
            v = (x * (seed % 5 + 1) // 3 + y // 2) % 200 + (state >> 28)
            out += bytes((v, (v + x // 4) % 256, 255 - v))
    return png(width, height, 8, bytes(out))


def depth(width=64, height=48, near=900):
    """Returns a depth map in millimeters: a box in front of a slanted plane."""
    samples = [near if 20 < x < 44 and 10 < y < 38 else 1800 + 4 * x for y in range(height) for x in range(width)]
    return png(width, height, 16, b"".join(struct.pack(">H", v) for v in samples), color=0)


def depth_frame(width=64, height=48):
    """Returns a similar scene as `application/vnd.mien.depth-frame`."""
    samples = [900 if 20 < x < 44 else 1800 + 4 * x for _ in range(height) for x in range(width)]
    return (b"MDF1" + struct.pack("<HHI4f4fq", width, height, 1000, 60, 60, 32, 24, .25, .25, .5, .5, 1)
            + struct.pack(f"<{len(samples)}H", *samples))


DETECTION = {
    "moire": {"detected": False, "confidence": 0.9, "peaks": [], "algorithm_version": "1.0"},
    "texture": {"classification": "real_scene", "confidence": 0.8, "algorithm_version": "1.0"},
    "artifacts": {"is_likely_artificial": False, "overall_confidence": 0.7, "pwm_flicker_detected": False,
                  "pwm_confidence": 0.1, "specular_pattern_detected": False, "specular_confidence": 0,
                  "halftone_detected": False, "halftone_confidence": 0, "algorithm_version": "1.0"},
    "aggregated_confidence": {"overall_confidence": 0.9, "confidence_level": "high", "primary_signal": "lidar",
                              "primary_signal_valid": True, "supporting_signals_agree": True, "flags": [],
                              "algorithm_version": "1.0"},
}
BOUNDARY = "----mien.captures=test"


def pairs(parts):
    """Returns the parts as (name, value) pairs; a list of values becomes a repeated part."""
    return [(name, one) for name, value in parts.items() for one in (value if isinstance(value, list) else [value])]


def form(parts, boundary=BOUNDARY):
    """Encodes pairs of a name and bytes, text, or a value to serialize as JSON."""
    out = b""
    for name, value in parts:
        if not isinstance(value, bytes):
            value = (value if isinstance(value, str) else json.dumps(value)).encode()
        out += (f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}.bin"\r\n'
                f"Content-Type: application/octet-stream\r\n\r\n").encode() + value + b"\r\n"
    return out + f"--{boundary}--\r\n".encode()


def sha(data):
    """Returns the SHA-256 of a part; of a burst, that of its images' digests, one per line, as Documentation/guides/Captures.md defines it."""
    if isinstance(data, list):
        data = "".join(sha(picture) + "\n" for picture in data).encode()
    return hashlib.sha256(data).hexdigest()


def planes(count=6, near=0, far=1, width=320, height=240):
    """Returns a burst from a camera that moves sideways: a checkered background and a board in front of it that moves `near` pixels
    more per image. `near` 0 gives a flat copy of the scene."""
    def tones(seed):
        grid = np.random.default_rng(seed).integers(30, 220, (60, 90)).astype(np.uint8)
        return cv2.GaussianBlur(cv2.resize(grid, (90 * 8, 60 * 8), interpolation=cv2.INTER_NEAREST), (3, 3), 0)
    wall, board = tones(1), tones(2)
    frames = []
    for number in range(count):
        picture = wall[40:40 + height, 40 + far * number:40 + far * number + width].copy()
        left = 100 - (far + near) * number
        if near:
            picture[40:200, left:left + 140] = board[40:200, :140]
        frames.append(jpeg(picture))
    return frames


def jpeg(picture):
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1])


def encode_video(frames, kind="mp4", rate=15):
    """Encodes images as a video with ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, f"clip.{kind}")
        codec = ["libx264", "-preset", "ultrafast"] if kind == "mp4" else ["libvpx", "-deadline", "realtime"]
        subprocess.run(["ffmpeg", "-v", "error", "-f", "mjpeg", "-framerate", str(rate), "-i", "pipe:0", "-c:v", *codec,
                        "-pix_fmt", "yuv420p", str(out)], input=b"".join(frames), check=True, timeout=300)
        return out.read_bytes()


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Phone:
    """A device that signs captures as Documentation/guides/Captures.md specifies."""
    count = 0

    def __init__(self, server, register=True):
        Phone.count += 1
        self.server, self.name, self.counter = server, f"phone-{os.getpid()}-{Phone.count}", 0
        self.secret = ec.generate_private_key(ec.SECP256R1())
        if register:
            reply = self.register()
            assert reply.status == 201, reply

    def register(self, key=None):
        numbers = self.secret.public_key().public_numbers()
        body = {"device": self.name, "key": {
            "kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32, "big")), "y": b64(numbers.y.to_bytes(32, "big"))}}
        return self.server.request("POST", "/v1/devices", body, token=key)

    def sign(self, parts, counter=None, der=False):
        """Takes `parts` as bytes by name and returns them with a `signature` part."""
        self.counter = counter or self.counter + 1
        names = PARTS + MOTION
        text = f"mien-capture-1\ndevice={self.name}\ncounter={self.counter}\n"
        text += "".join(f"{name}={sha(parts[name]) if name in parts else '-'}\n" for name in names)
        signature = self.secret.sign(text.encode(), ec.ECDSA(hashes.SHA256()))
        if not der:
            r, s = decode_dss_signature(signature)
            signature = r.to_bytes(32, "big") + s.to_bytes(32, "big")
        return {**parts, "signature": json.dumps({
            "device": self.name, "counter": self.counter, "signature": b64(signature),
            **{name: sha(parts[name]) for name in names if name in parts}}).encode()}


def all_parts(seed=1):
    return {"photo": photo(seed), "depth_map": depth(), "detection": json.dumps(DETECTION).encode(),
            "metadata": json.dumps({"captured_at_ms": int(time.time() * 1000), "location": {
                "latitude": 52.5, "longitude": 13.4}, "detection_available": True,
                "detection_confidence_level": "high", "lens": "back"}).encode()}
