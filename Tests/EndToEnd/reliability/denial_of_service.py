"""Runs every denial-of-service attack of the threat model at once, from ten client addresses, while six users do a check.

usage, in Tests/EndToEnd: python -m reliability.denial_of_service [--program PROGRAM] [--seconds N] [--people N] [--without-attack]

The server is started with its default options. The attackers use only public data: no API key, the ID of one message and, as an
integrator's end users would, tokens of their own checks. The users' frames are rendered before the attack begins and sent at
12 frames per second. Prints the number of checks that passed, the highest resident memory and the slowest reply of
/health/live, and exits with status 0 only if all users passed, memory stayed below 700 MB and every reply of /health/live
took at most a second. It measures this machine, so it is run by hand with a release build and is not part of ./test.
"""

import argparse
import collections
import http.client
import json
import multiprocessing
import random
import socket
import struct
import sys
import threading
import time
import zlib

from support import footage, performers, synthetic_head
from support.program import PROGRAM
from support.server import Server

FRAMES_PER_SECOND = 12
ADDRESSES = [f"203.0.113.{number}" for number in range(1, 11)]
MEMORY_LIMIT = 700 << 20
HEALTH_LIMIT = 1.0


# ── Hostile inputs ────────────────────────────────────────────────────────────────────────────────────────────────────


def png_chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_with_text_chunks(count=530, inflated=7_900_000):
    """A 64×64 PNG whose compressed text chunks inflate to gigabytes in total."""
    text = png_chunk(b"zTXt", b"k\0\0" + zlib.compress(bytes(inflated), 9))
    header = png_chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0))
    pixels = png_chunk(b"IDAT", zlib.compress(bytes((64 * 3 + 1) * 64)))
    return b"\x89PNG\r\n\x1a\n" + header + text * count + pixels + png_chunk(b"IEND", b"")


def progressive_jpeg(width=4000, height=4000, scans=490):
    """A progressive JPEG of many scans, each of which visits every block."""

    def segment(marker, payload):
        return bytes([0xFF, marker]) + struct.pack(">H", len(payload) + 2) + payload

    def packed(bits):
        bits += "1" * (-len(bits) % 8)
        return int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")

    blocks = (width + 7) // 8 * ((height + 7) // 8)
    components = [1, 2, 3]
    parts = [b"\xff\xd8", segment(0xDB, b"\0" + b"\1" * 64)]
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"".join(bytes([c, 0x11, 0]) for c in components)
    parts.append(segment(0xC2, frame))
    parts.append(segment(0xC4, b"\x00" + bytes([1] + [0] * 15) + b"\x00"))
    parts.append(segment(0xC4, b"\x10" + bytes([1] + [0] * 15) + b"\xe0"))
    parts.append(segment(0xDA, b"\x03" + b"".join(bytes([c, 0]) for c in components) + b"\0\0\0") + packed("0" * (blocks * 3)))
    empty = packed(("0" + "1" * 14) * (blocks // 32767 + 1))
    number = 1
    for coefficient in range(1, 64):
        for low in range(13, -1, -1):
            for component in components:
                if number == scans:
                    return b"".join(parts) + b"\xff\xd9"
                high = 0 if low == 13 else low + 1
                parts.append(segment(0xDA, bytes([1, component, 0, coefficient, coefficient, high << 4 | low])) + empty)
                number += 1
    return b"".join(parts) + b"\xff\xd9"


# ── Attackers ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Attacker:
    """One client address; every method is one loop that ends at `until`."""

    def __init__(self, port, address, until, key, message):
        self.port, self.address, self.until, self.key, self.message = port, address, until, key, message
        self.replies = collections.Counter()

    def request(self, method, path, body=None, headers=None, timeout=60):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {"X-Forwarded-For": self.address, **(headers or {})})
            reply = connection.getresponse()
            data = reply.read()
            self.replies[f"{path.split('/')[-1]} {reply.status}"] += 1
            return reply.status, data
        except OSError as error:
            self.replies[type(error).__name__] += 1
        except http.client.HTTPException as error:
            self.replies[type(error).__name__] += 1
        finally:
            connection.close()
        return 0, b""

    def repeat(self, act, pause=0.05):
        number = 0
        while time.time() < self.until:
            act(number)
            number += 1
            time.sleep(pause)

    def text_chunks(self):
        bomb = png_with_text_chunks()
        paths = ["/v1/messages/read-id", "/v1/verify-file"]
        self.repeat(lambda n: self.request("POST", paths[n % 2], bomb + bytes([n % 256]), {"Content-Type": "image/png"}))

    def many_scans(self):
        bomb = progressive_jpeg()
        check = None

        def act(number):
            nonlocal check
            if number % 12 == 0:
                status, data = self.request(
                    "POST", "/v1/checks", b"{}", {"Content-Type": "application/json", "Authorization": "Bearer " + self.key})
                check = json.loads(data) if status == 201 else None
            if check:
                self.request(
                    "POST", f"/v1/checks/{check['id']}/frames", bomb,
                    {"Content-Type": "image/jpeg", "Authorization": "Bearer " + check["token"]})

        self.repeat(act)

    def performance_bodies(self):
        """Sends bodies of 4 MB with one token of a performance that any holder of the message ID may begin."""
        status, data = self.request("POST", f"/v1/messages/{self.message}/unlock", b"{}", {"Content-Type": "application/json"})
        begun = json.loads(data) if status == 201 else {"id": "none", "token": "none"}
        self.hold_open(
            f"POST /v1/performances/{begun['id']}/frames HTTP/1.1\r\nContent-Type: image/jpeg\r\n"
            f"Authorization: Bearer {begun['token']}\r\nContent-Length: {4 << 20}", b"\xff" * ((4 << 20) - 10), 60)

    def unauthenticated_bodies(self):
        self.hold_open(
            f"POST /v1/messages/read-id HTTP/1.1\r\nContent-Type: image/gif\r\nContent-Length: {8 << 20}",
            b"GIF89a" + b"\xff" * ((8 << 20) - 16), 60)

    def hold_open(self, head, body, count):
        """Opens connections that each send all of a body but its end, and keeps them open."""
        connections = []
        while time.time() < self.until and len(connections) < count:
            try:
                line = socket.create_connection(("127.0.0.1", self.port), timeout=5)
                line.sendall((head + f"\r\nHost: a\r\nX-Forwarded-For: {self.address}\r\n\r\n").encode())
                line.sendall(body)
                self.replies["body sent"] += 1
            except OSError:
                self.replies["body cut off"] += 1
            connections.append(line)
        time.sleep(max(0, self.until - time.time()))

    def silent_connections(self):
        """Opens 400 connections that send nothing."""
        connections = []
        for _ in range(400):
            try:
                connections.append(socket.create_connection(("127.0.0.1", self.port), timeout=2))
                self.replies["connected"] += 1
            except OSError:
                self.replies["not connected"] += 1
        time.sleep(max(0, self.until - time.time()))

    def wrong_keys(self):
        self.repeat(lambda n: self.request("GET", "/v1/checks/chk_none", None, {"Authorization": f"Bearer mk_live_{n:040d}"}), 0.02)

    def wrong_sequences(self):
        self.repeat(
            lambda n: self.request("POST", f"/v1/messages/{self.message}/unlock", b"{}", {"Content-Type": "application/json"}), 0.2)


# One attack for each of the ten addresses.
ATTACKS = [
    "text_chunks", "text_chunks", "many_scans", "many_scans", "performance_bodies", "unauthenticated_bodies", "silent_connections",
    "silent_connections", "wrong_keys", "wrong_sequences",
]


def attack(kind, *arguments):
    attacker = Attacker(*arguments)
    getattr(attacker, kind)()
    print(f"  {kind} from {attacker.address}: {dict(attacker.replies)}", flush=True)


# ── Users ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def rendered_turns(head, seed):
    """Returns a user's frames at rest and for a turn to each side, with individual camera noise."""
    import cv2
    import numpy

    noise = numpy.random.default_rng(seed)
    motion = performers.HeadMotion(None, seed)
    light = noise.uniform(-25, 25)

    def frames(seconds, yaw, start):
        result = []
        for index in range(int(seconds * FRAMES_PER_SECOND)):
            t = start + index / FRAMES_PER_SECOND
            pose = {name: size * motion.sway(name, t) for name, size in motion.SWAY.items()}
            pose["yaw"] += yaw(index / FRAMES_PER_SECOND)
            pose["lids"] = 0.06 + 0.06 * motion.sway("lids", t)
            image = head.render(**pose).astype(numpy.float32) + light
            image += noise.normal(0, 2.5, image.shape)
            encoded = cv2.imencode(".jpg", image.clip(0, 255).astype(numpy.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
            result.append(encoded.tobytes())
        return result

    start = noise.uniform(0, 50)
    return {
        "rest": frames(6, lambda t: 0, start),
        "subject-left": frames(4, lambda t: 35 * performers.bump(t - 0.5, 2.8), start + 6),
        "subject-right": frames(4, lambda t: -35 * performers.bump(t - 0.5, 2.8), start + 6),
    }


def perform(server, frames, results, number):
    """Does one check with a head turn at 12 frames per second and records the outcome."""
    body = {"tasks": [{"kind": "head-turn"}], "person": f"person-{number}"}
    created = server.request("POST", "/v1/checks", body, token=server.key)
    if created.status != 201:
        results.append(f"not created: {created.status}")
        return
    check = created.json
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    began, sent, step, clip, position = time.monotonic(), 0, None, frames["rest"], 0
    refused = collections.Counter()
    while time.monotonic() - began < 60:
        if step and step["state"] == "tracking" and clip is frames["rest"]:
            clip, position = frames[step["side"]], 0
        if position >= len(clip):
            # Continues with the rest clip: turns begin and end at rest.
            clip, position = frames["rest"], 0
        headers = {
            "Content-Type": "image/jpeg", "Authorization": "Bearer " + check["token"], "Mien-Client": f"page{number}",
            "Mien-Captured-At": f"{(time.monotonic() - began) * 1000:.0f}",
        }
        try:
            connection.request("POST", f"/v1/checks/{check['id']}/frames", clip[position], headers)
            reply = connection.getresponse()
            data = json.loads(reply.read())
        except (OSError, http.client.HTTPException) as error:
            refused[type(error).__name__] += 1
            connection.close()
            time.sleep(0.2)
            continue
        position += 1
        sent += 1
        if reply.status == 200:
            step = data
            if step["state"] in ("passed", "failed", "timed-out"):
                break
        else:
            refused[f"{reply.status} {data.get('code')}"] += 1
            time.sleep(0.1)
        time.sleep(max(0, sent / FRAMES_PER_SECOND - (time.monotonic() - began)))
    ended = f"{step['state']} {step.get('reason') or ''}".strip() if step else "no step"
    results.append(ended)
    print(f"  person {number}: {ended}, {sent} frames in {time.monotonic() - began:.1f} s {dict(refused)}", flush=True)


def watch(server, until, seen):
    """Polls /health/live, as a load balancer would, and records the slowest reply and the highest memory."""
    while time.time() < until:
        began = time.monotonic()
        try:
            connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
            connection.request("GET", "/health/live")
            status = connection.getresponse().status
            connection.close()
        except (OSError, http.client.HTTPException):
            status = 0
        seen["slowest"] = max(seen["slowest"], time.monotonic() - began)
        seen["answers"][status] += 1
        try:
            seen["memory"] = max(seen["memory"], server.memory())
        except (OSError, AttributeError):
            seen["answers"]["no process"] += 1
        time.sleep(0.25)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--people", type=int, default=6)
    parser.add_argument("--without-attack", action="store_true")
    options = parser.parse_args()
    shared = footage.shared()
    if shared is None:
        print("SKIPPED: denial_of_service needs the recordings in ../shared/data")
        return 0
    print("Rendering the users' frames …", flush=True)
    head = synthetic_head.head(options.program, shared / "data")
    people = [rendered_turns(head, 100 + number) for number in range(options.people)]
    server = Server(options.program)
    try:
        locked = server.request(
            "POST", "/v1/messages", {"text": "hello", "steps": ["smile", "wink_l", "wink_r"]}, token=server.key)
        message = locked.json["id"]
        until = time.time() + options.seconds
        seen = {"slowest": 0.0, "memory": 0, "answers": collections.Counter()}
        watcher = threading.Thread(target=watch, args=(server, until, seen))
        watcher.start()
        attackers = []
        if not options.without_attack:
            for kind, address in zip(ATTACKS, ADDRESSES):
                attackers.append(multiprocessing.Process(
                    target=attack, args=(kind, server.port, address, until, server.key, message)))
                attackers[-1].start()
        time.sleep(5)
        results = []
        threads = [
            threading.Thread(target=perform, args=(server, frames, results, number)) for number, frames in enumerate(people)]
        for thread in threads:
            thread.start()
            time.sleep(random.uniform(0.3, 1.5))
        for thread in threads:
            thread.join()
        for process in attackers:
            process.join(options.seconds + 60)
        watcher.join()
        alive = server.process.poll() is None
        passed = results.count("passed")
        print(f"MEASURED checks passed: {passed} of {options.people}")
        print(f"MEASURED highest resident memory: {seen['memory'] >> 20} MB")
        print(f"MEASURED slowest /health/live: {seen['slowest']:.2f} s, answers {dict(seen['answers'])}")
        print(f"MEASURED server still running: {alive}")
        is_met = alive and passed == options.people and seen["memory"] <= MEMORY_LIMIT and seen["slowest"] < HEALTH_LIMIT
        is_met = is_met and set(seen["answers"]) == {200}
        return 0 if is_met else 1
    finally:
        server.clean()


if __name__ == "__main__":
    sys.exit(main())
