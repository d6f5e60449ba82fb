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


class Sampling:
    """Times of the observations of a camera, which takes pictures at its rate also while an answer takes long.

    Every request holds what was seen since the last one, so that a movement is as dense on a busy machine as on an idle one.
    """

    def __init__(self, rate, most=1.5):
        # Older samples are dropped, since the server refuses what is far behind its clock.
        self.step, self.most, self.last = 1 / rate, most, None

    def due(self, t):
        """Returns the times since the last call, ending with `t`."""
        gap = min(t - self.last, self.most) if self.last is not None else 0
        missed = max(0, round(gap / self.step) - 1)
        self.last = t
        return [t - gap * number / (missed + 1) for number in range(missed, -1, -1)]


def claim_turn(check, side, seconds=3.5, rate=15, client="phone-1", after_reply=lambda: None):
    """Sends observations of a whole check in real time, as a phone would: at rest, then a turn to the side and back.

    Calls `after_reply` after each reply.
    """
    sign = 1 if side == "turn-left" else -1
    began, steps, turning, sampling = time.monotonic(), [], None, Sampling(rate)

    def seen(t):
        yaw = 0.3 * math.sin(9 * t)
        if turning is not None and t > turning:
            yaw += sign * 38 * math.sin(math.pi * min(1, (t - turning) / seconds)) ** 2
        return observation(round(t, 4), round(yaw, 3))

    while time.monotonic() - began < 60:
        t = time.monotonic() - began
        reply = expect(check.observe(*map(seen, sampling.due(t)), Mien_Client=client), 200)
        step = reply.json
        conforms("Step", step)
        steps.append(step)
        after_reply()
        if step["state"] in ("passed", "failed", "timed-out"):
            return steps
        if step["state"] == "tracking" and turning is None:
            turning = t
        time.sleep(1 / rate)
    raise AssertionError(f"no verdict, last {steps[-1]}")


def play(check, frames, rate, client="browser-1"):
    """Posts frames as a browser would: one at a time, dropping those recorded meanwhile.

    At most every second frame is dropped: on a busy machine the recording runs slower instead of losing its movements.
    """
    began, last, shown, before = time.monotonic(), -1, 0.0, 0.0
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=120)
    while True:
        now = time.monotonic() - began
        shown, before = shown + min(now - before, 2 / rate), now
        index = int(shown * rate)
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
        if reply.status == 409 and reply.code == "check-ended":  # time ran out between two frames
            return reply.json["step"]
        expect(reply, 200)
        conforms("Step", reply.json)
        if reply.json["state"] in ("passed", "failed", "timed-out"):
            return reply.json


def keys(server, *arguments):
    """Runs `mien keys add` beside the running server and returns its output."""
    made = subprocess.run([server.binary, "keys", "add", *arguments, "--json", "--data", server.data],
                          capture_output=True, text=True, timeout=300, check=True, env=server.environment)
    return json.loads(made.stdout)


def enroll(server, person, *frames, token=True, type=DEPTH):
    return server.request("POST", f"/v1/people/{person}/enrollment", b"".join(frames), {"Content-Type": type},
                          server.key if token else None)
