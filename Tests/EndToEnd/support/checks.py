"""Checks driven over the API: claimed observations, recorded frames, enrollment, and API keys."""

import http.client
import json
import math
import subprocess
import time

import pytest

from support import footage
from support.replies import conforms, expect

JPEG, NDJSON, DEPTH = "image/jpeg", "application/x-ndjson", "application/vnd.mien.depth-frame"


def need_footage():
    if footage.shared() is None:
        pytest.skip("shared/data not found")


def observation(t, yaw=0.0, faces=1, box=(0.35, 0.3, 0.3, 0.4), **more):
    return {"t": t, "faces": faces, "box": list(box), "pose": {"yaw": yaw, "pitch": 0.0, "roll": 0.0}, **more}


def claim_turn(check, side, seconds=3.5, rate=15, client="phone-1"):
    """Sends observations of a whole check in real time, as a phone would: at rest, then a turn to the side and back."""
    sign = 1 if side == "turn-left" else -1
    began, steps, turning = time.monotonic(), [], None
    while time.monotonic() - began < 25:
        t = time.monotonic() - began
        yaw = 0.3 * math.sin(9 * t)
        if turning is not None:
            yaw += sign * 38 * math.sin(math.pi * min(1, (t - turning) / seconds)) ** 2
        reply = expect(check.observe(observation(round(t, 4), round(yaw, 3)), Mien_Client=client), 200)
        step = reply.json
        conforms("Step", step)
        steps.append(step)
        if step["state"] in ("passed", "failed", "timed-out"):
            return steps
        if step["state"] == "tracking" and turning is None:
            turning = t
        time.sleep(1 / rate)
    raise AssertionError(f"no verdict, last {steps[-1]}")


def play(check, frames, rate, client="browser-1"):
    """Posts frames as a browser would: one at a time, dropping those recorded meanwhile."""
    began, last = time.monotonic(), -1
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=30)
    while True:
        index = int((time.monotonic() - began) * rate)
        if index >= len(frames):
            return None
        if index == last:
            time.sleep(0.005)
            continue
        last = index
        reply = check.server.over(
            connection, "POST", f"/v1/checks/{check.id}/frames", frames[index],
            {"Content-Type": JPEG, "Mien-Client": client, "Mien-Captured-At": f"{(time.monotonic() - began) * 1000:.1f}"},
            check.token)
        if reply.status == 409 and reply.code == "check-over":  # time ran out between two frames
            return reply.json["step"]
        expect(reply, 200)
        conforms("Step", reply.json)
        if reply.json["state"] in ("passed", "failed", "timed-out"):
            return reply.json


def keys(server, *arguments):
    """Runs `mien keys add` beside the running server and returns its output."""
    made = subprocess.run([server.binary, "keys", "add", *arguments, "--json", "--data", server.data],
                          capture_output=True, text=True, timeout=30, check=True, env=server.environment)
    return json.loads(made.stdout)


def enrol(server, person, *frames, token=True, type=DEPTH):
    return server.request("POST", f"/v1/people/{person}/enrolment", b"".join(frames), {"Content-Type": type},
                          server.key if token else None)
