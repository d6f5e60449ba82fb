"""Clients that continue checks and performances while their server is killed, and measure the loss."""

import http.client
import math
import time

from support.checks import Sampling, observation
from support.expressions import FACES, REST
from support.replies import conforms

RATE = 20


class Performer:
    """A phone that sends observations in real time, each after the previous reply, and retries as the client libraries do."""

    def __init__(self, check):
        self.check, self.sign = check, 1
        self.began, self.turning = time.monotonic(), None
        self.steps, self.reply_times = [], []  # the servers' steps, and when they arrived
        self.refused, self.sent, self.sampling = 0, 0, Sampling(RATE)

    def observation_at(self, t):
        yaw = 0.3 * math.sin(9 * t)
        if self.turning is not None and t > self.turning:
            yaw += self.sign * 38 * math.sin(math.pi * min(1, (t - self.turning) / 5)) ** 2
        return observation(round(t, 4), round(yaw, 3))

    def send(self, node):
        """Sends what was observed; returns the step, or None if the server is down or another server holds the check."""
        t = time.monotonic() - self.began
        lines = [self.observation_at(each) for each in self.sampling.due(t)]
        self.check.server = node
        try:
            reply = self.check.observe(*lines, Mien_Client="phone-1")
        except (OSError, http.client.HTTPException):
            return None
        if reply.status != 200:
            assert reply.status == 409 and reply.code == "frame-in-flight", reply
            self.refused += 1
            return None
        step = reply.json
        conforms("Step", step)
        self.steps.append(step)
        self.reply_times.append(time.monotonic())
        self.sent += len(lines)
        if step["state"] != "tracking":
            self.turning = None
        elif self.turning is None:
            # A second attempt may ask for the other side.
            self.turning, self.sign = t, 1 if step["side"] == "subject-left" else -1
        return step

    def until(self, node, wanted, seconds=240):
        """Sends observations to one server until a step satisfies `wanted`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            step = self.send(node)
            if step and wanted(step):
                return step
            time.sleep(1 / RATE)
        raise AssertionError(f"not in {seconds} s, last {self.steps[-1:]}")


class ExpressionPerformer:
    """A phone whose user makes expressions in real time, holding each until the server has recognized it."""

    def __init__(self, performance, steps):
        self.performance, self.expressions = performance, steps
        self.began = time.monotonic()
        self.steps, self.refused = [], 0

    def send(self, node):
        """Sends one observation; returns the step, or None if the server is down or another server holds the performance."""
        last = self.steps[-1] if self.steps else {"performed": [], "neutral": False}
        done = len(last["performed"])
        face = FACES[self.expressions[done]] if last["neutral"] and done < len(self.expressions) else {}
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

    def until(self, node, wanted, seconds=240):
        """Makes expressions on one server until a step satisfies `wanted`."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            step = self.send(node)
            if step and wanted(step):
                return step
            time.sleep(1 / RATE)
        raise AssertionError(f"not in {seconds} s, last {self.steps[-1:]}")


def is_over(step):
    return step["state"] in ("passed", "failed", "timed-out")


def is_mid_turn(step):
    return is_over(step) or step["state"] == "tracking" and step["progress"] > 0.25


def result(node, check, key):
    return node.request("GET", f"/v1/checks/{check.id}", token=key).json


def failover_cost(performer, made, killed):
    """Returns the cost of a server failure: seconds until another server answered, and seconds of lost frames."""
    waited = next(at for at in performer.reply_times if at > killed) - killed
    return waited, (performer.sent - made["frames"]) / RATE
