"""Tests of images made to cost the server processing time, sent while others use it, and of images without content.

These tests check the replies during an attack, not their latency.
"""

import os
import struct
import threading
import zlib

import cv2
import numpy as np

from support import footage
from support.capture_files import jpeg
from support.replies import conforms, expect


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=64, height=64, extra=b"", data=None):
    """Returns an RGB PNG of black pixels with extra chunks before its data."""
    rows = zlib.compress(bytes((width * 3 + 1) * height)) if data is None else data
    return (b"\x89PNG\r\n\x1a\n" + png_chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) + extra
            + png_chunk(b"IDAT", rows) + png_chunk(b"IEND", b""))


def text_bomb(mark, count=400):
    """Returns a small PNG whose compressed text chunks inflate to 8 MB each."""
    text = png_chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(8_000_000), 9))
    return png(extra=png_chunk(b"tEXt", b"mark\0" + str(mark).encode()) + text * count)


def scan_bomb(width, height, scans, mark=0):
    """Returns a progressive JPEG of one tone whose nearly empty scans each visit all of its blocks."""
    def segment(marker, content):
        return bytes([0xFF, marker]) + struct.pack(">H", len(content) + 2) + content

    def bits(text):
        text += "1" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big").replace(b"\xff", b"\xff\x00")

    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    parts = [b"\xff\xd8", segment(0xFE, struct.pack(">Q", mark)), segment(0xDB, b"\0" + b"\1" * 64),
             segment(0xC2, struct.pack(">BHHB", 8, height, width, 1) + bytes([1, 0x11, 0])),
             segment(0xC4, bytes([0x00, 1] + [0] * 15 + [0])), segment(0xC4, bytes([0x10, 1] + [0] * 15 + [0xE0])),
             segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bits("0" * blocks)]
    runs = bits(("0" + "1" * 14) * (blocks // 32767 + 1))
    order = [(coefficient, low) for coefficient in range(1, 64) for low in range(13, -1, -1)]
    for coefficient, low in order[:scans - 1]:
        high = 0 if low == 13 else low + 1
        parts.append(segment(0xDA, bytes([1, 1, 0, coefficient, coefficient, high << 4 | low])) + runs)
    return b"".join(parts) + b"\xff\xd9"


def gif(width, height, pictures):
    """Returns a GIF of one tone: few bytes, many pixels."""
    data, pending, count = bytearray(), 0, 0

    def emit(code, size):
        nonlocal pending, count
        pending |= code << count
        count += size
        while count >= 8:
            data.append(pending & 255)
            pending >>= 8
            count -= 8

    left = width * height
    while left > 0:
        size, code, run = 3, 6, 2
        emit(4, size)
        emit(0, size)
        left -= 1
        while left > 0 and code < 4096:
            if code == 1 << size and size < 12:
                size += 1
            emit(code, size)
            left -= run
            run, code = run + 1, code + 1
    emit(5, size)
    data.append(pending & 255)
    blocks = b"".join(bytes([len(data[at:at + 255])]) + bytes(data[at:at + 255]) for at in range(0, len(data), 255)) + b"\0"
    image = b"\x2c" + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\2" + blocks
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF1, 0, 0) + bytes(12) + image * pictures + b"\x3b"


# ── attacks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Attack:
    """Threads that send attack requests until stopped."""

    def __init__(self, *senders):
        self.over, self.statuses, self.broken = threading.Event(), [], []
        self.threads = [threading.Thread(target=self.run, args=(number, send)) for number, send in enumerate(senders)]

    def run(self, number, send):
        turn = 0
        while not self.over.is_set():
            try:
                self.statuses.append(send(number, turn).status)
            except Exception as error:  # reported at the end, where it fails the test
                self.broken.append(repr(error))
                return
            turn += 1

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join(120)


def check_regular_requests(server, times=5):
    """Requests of other clients during an attack; each must be answered correctly."""
    for _ in range(times):
        assert expect(server.request("GET", "/health/live"), 200).json == {"status": "live"}
        expect(server.request("POST", "/v1/checks", {}, token=server.key), 201)
        expect(server.request("GET", "/check"), 200)


def test_compressed_texts_in_a_png_are_not_inflated(server):
    bomb = text_bomb(0)
    assert len(bomb) < 8 << 20
    found = expect(server.request("POST", "/v1/messages/read-id", bomb, {"Content-Type": "image/png"}), 200).json
    plain = expect(server.request("POST", "/v1/messages/read-id", png(), {"Content-Type": "image/png"}), 200).json
    assert found == plain, (found, plain)
    reported = expect(server.request("POST", "/v1/verify-file", bomb, {"Content-Type": "image/png"}), 200).json
    conforms("VerifiedFile", reported)


def test_serves_others_during_compressed_text_attacks(server):
    def number(sender, turn):
        return server.request("POST", "/v1/messages/read-id", text_bomb((sender, turn), 200), {"Content-Type": "image/png"})

    def verify(sender, turn):
        return server.request("POST", "/v1/verify-file", text_bomb((sender, turn), 200), {"Content-Type": "image/png"})

    with Attack(number, number, verify, verify) as attack:
        check_regular_requests(server)
    assert not attack.broken and set(attack.statuses) <= {200, 429, 503}, (attack.broken, attack.statuses)


def test_rejects_excess_image_data_and_too_many_chunks(server):
    kind = {"Content-Type": "image/png"}
    much = png(data=zlib.compress(bytes((64 * 3 + 1) * 64)) + os.urandom(1 << 20))
    expect(server.request("POST", "/v1/messages/read-id", much, kind), 422)
    many = png(extra=png_chunk(b"tEXt", b"") * 30_000)
    expect(server.request("POST", "/v1/messages/read-id", many, kind), 422)


def test_rejects_a_gif_of_many_large_images(server):
    kind = {"Content-Type": "image/gif"}
    assert len(gif(1000, 1000, 1)) < 4000
    expect(server.request("POST", "/v1/messages/read-id", gif(1000, 1000, 1), kind), 200)
    refused = expect(server.request("POST", "/v1/messages/read-id", gif(1000, 1000, 21), kind), 422).json
    assert refused["code"] == "image-too-large", refused
    expect(server.request("POST", "/v1/messages/read-id", gif(10, 10, 201), kind), 422)


def test_rejects_a_jpeg_of_many_scans_everywhere(server):
    check = server.create()
    expect(check.frame(scan_bomb(640, 480, 490)), 422, "image-too-large")
    expect(server.request("POST", "/v1/messages/read-id", scan_bomb(640, 480, 21), {"Content-Type": "image/jpeg"}), 422)
    reported = expect(server.request("POST", "/v1/verify-file", scan_bomb(640, 480, 21), {"Content-Type": "image/jpeg"}), 200).json
    assert reported["summary"][0]["reasons"] == ["image-unreadable"], reported["summary"]
    # The check goes on.
    conforms("Step", expect(check.frame(scan_bomb(640, 480, 10)), 200).json)


def test_limits_frames_to_four_megapixels(server):
    check = server.create()
    expect(check.frame(jpeg(np.full((2049, 2048), 90, np.uint8))), 422, "image-too-large")
    expect(check.frame(png(2049, 2048), type="image/png"), 422, "image-too-large")
    expect(check.frame(jpeg(np.full((1600, 2560), 90, np.uint8))), 200)


def test_serves_honest_users_beside_costly_frames(server):
    worst = scan_bomb(2048, 2048, 20)

    def attack(sender, turn):
        # A new check every dozen frames, so that none exceeds its processing budget.
        if turn % 12 == 0:
            attack.checks[sender] = server.create()
        return attack.checks[sender].frame(footage.distinct(worst))

    attack.checks = {}
    frames = footage.drawn(40)
    results = []

    def person(number):
        check, served = server.create(), 0
        while served < 20:
            reply = check.frame(footage.distinct(frames[served]))
            if reply.status == 409 and reply.code == "check-ended":  # time ran out on a busy machine
                check = server.create()
                continue
            expect(reply, 200)
            served += 1
        results.append(served)

    with Attack(attack, attack) as under_way:
        people = [threading.Thread(target=person, args=(number,)) for number in range(6)]
        for thread in people:
            thread.start()
        for thread in people:
            thread.join(300)
        check_regular_requests(server, 1)
    assert results == [20] * 6, results
    # The costly frames were analyzed too: no sender was refused to free capacity.
    assert not under_way.broken and 200 in under_way.statuses, (under_way.broken, under_way.statuses)


# ── images without content ────────────────────────────────────────────────────────────────────────────────────────────


def test_image_without_content_is_not_assessed(server):
    noise = np.random.default_rng(5).normal(128, 3, (480, 640)).clip(0, 255).astype(np.uint8)
    pictures = {
        "gray": np.full((480, 640), 128, np.uint8), "black": np.zeros((480, 640), np.uint8),
        "white": np.full((480, 640), 255, np.uint8), "noise": noise,
        "gradient": np.tile(np.linspace(0, 255, 640).astype(np.uint8), (480, 1)),
    }
    for name, picture in pictures.items():
        files = {"image/jpeg": jpeg(picture), "image/png": bytes(cv2.imencode(".png", picture)[1])}
        for kind, file in files.items():
            reported = expect(server.request("POST", "/v1/verify-file", file, {"Content-Type": kind}), 200).json
            conforms("VerifiedFile", reported)
            line = reported["summary"][0]
            assert (line["status"], line["reasons"]) == ("unavailable", ["nothing-to-measure"]), (name, kind, reported["summary"])
            assert "very_high" not in str(reported) and "looks-real" not in str(reported), (name, kind, reported)
