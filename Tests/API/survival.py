"""Checks and performances that outlive the server they are on: a person goes on while it is killed, and what is lost is measured."""

import http.client
import math
import time

from expressions import FACES, REST
from run import conforms, observation

RATE = 20


class Performer:
    """A phone that says what it sees in real time, sends the next when the reply is in, and tries again as the clients do."""

    def __init__(self, check, side="turn-left"):
        self.check, self.sign = check, 1 if side == "turn-left" else -1
        self.began, self.turning = time.monotonic(), None
        self.steps, self.taken = [], []  # what the servers answered, and when
        self.refused = 0

    def say(self, node):
        """One observation to a server; the step, or None when nobody answered or the check is another's still."""
        t = time.monotonic() - self.began
        yaw = 0.3 * math.sin(9 * t)
        if self.turning is not None:
            yaw += self.sign * 38 * math.sin(math.pi * min(1, (t - self.turning) / 5)) ** 2
        self.check.server = node
        try:
            reply = self.check.observe(observation(round(t, 4), round(yaw, 3)), Mien_Client="phone-1")
        except (OSError, http.client.HTTPException):
            return None
        if reply.status != 200:
            assert reply.status == 409 and reply.code == "frame-in-flight", reply
            self.refused += 1
            return None
        step = reply.json
        conforms("Step", step)
        self.steps.append(step)
        self.taken.append(time.monotonic())
        if step["state"] != "tracking":
            self.turning = None
        elif self.turning is None:
            self.turning = t
        return step

    def until(self, node, wanted, seconds=60):
        """Performs on one server until a step is as wanted."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            step = self.say(node)
            if step and wanted(step):
                return step
            time.sleep(1 / RATE)
        raise AssertionError(f"not in {seconds} s, last {self.steps[-1:]}")


class FaceMaker:
    """A phone before which somebody makes faces in real time, each held until it is said to be seen, as a person does."""

    def __init__(self, performance, steps):
        self.performance, self.faces = performance, steps
        self.began = time.monotonic()
        self.steps, self.refused = [], 0

    def say(self, node):
        """One observation to a server; the step, or None when nobody answered or the performance is another's still."""
        last = self.steps[-1] if self.steps else {"performed": [], "neutral": False}
        done = len(last["performed"])
        face = FACES[self.faces[done]] if last["neutral"] and done < len(self.faces) else {}
        self.performance.server = node
        line = {"t": round(time.monotonic() - self.began, 4), "faces": 1, "blendshapes": {**REST, **face}}
        try:
            reply = self.performance.post([line])
        except (OSError, http.client.HTTPException):
            return None
        if reply.status != 200:
            assert reply.status == 409 and reply.code == "frame-in-flight", reply
            self.refused += 1
            return None
        conforms("PerformanceStep", reply.json)
        self.steps.append(reply.json)
        return reply.json

    def until(self, node, wanted, seconds=60):
        """Makes faces at one server until a step is as wanted."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            step = self.say(node)
            if step and wanted(step):
                return step
            time.sleep(1 / RATE)
        raise AssertionError(f"not in {seconds} s, last {self.steps[-1:]}")


def is_over(step):
    return step["state"] in ("passed", "failed", "timed-out")


def half_way(step):
    return is_over(step) or step["state"] == "tracking" and step["progress"] > 0.25


def result(node, check, key):
    return node.request("GET", f"/v1/checks/{check.id}", token=key).json


def lost(performer, made, killed):
    """What the death of a server cost: seconds until another answered, and seconds of what had been seen."""
    waited = next(at for at in performer.taken if at > killed) - killed
    return waited, (len(performer.taken) - made["frames"]) / RATE
