"""A rendered head that the light of a screen falls on, and the screen that shows what a server asks for.

The screen adds light to every pixel in linear light. How much of it depends on the distance from the screen and on the direction
of the surface, by the mesh: a real face has relief. A picture on paper has none.
"""

import http.client
import time

import cv2
import numpy as np

from support import performers
from support.replies import conforms, expect
from support.synthetic_head import Head

PEARL = "#bebebe"
COLORS = ["#ffaaaa", "#95ce95", "#95b4ff", "#e7bc59", "#f399f3", "#59cbe1"]
# Distance of the screen from the face, in face widths: about 32 cm.
DISTANCE = 2.2
FADE = 0.15


def linear(value):
    value = np.asarray(value, np.float64) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


TO_LINEAR = linear(np.arange(256)).astype(np.float32)
TO_SRGB = np.searchsorted(linear(np.arange(256) + 0.5), np.linspace(0, 1, 65536)).clip(0, 255).astype(np.uint8)


def rgb(code):
    """Linear red, green and blue of `#rrggbb`."""
    return linear([int(code[place:place + 2], 16) for place in (1, 3, 5)])


# The mean of the colors is the unit of the screen's share.
UNIT = float(np.mean([rgb(code) for code in COLORS]))


class LitHead(Head):
    """A head in the light of a screen: `share` of the light on it comes from a screen of the mean color."""

    def __init__(self, picture, points, seed=1):
        super().__init__(picture, points, seed)
        self.plain = TO_LINEAR[picture]
        self.gains = self._gains()

    def _gains(self):
        """Returns the gain of each pixel of the image, relative to the mean of the face."""
        corners = self.rest[self.triangles]
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        facing = np.abs(normal[:, 2]) / np.maximum(np.linalg.norm(normal, axis=1), 1e-9)
        nearest = self.rest[:468, 2].min()
        away = 1 + (corners.mean(1)[:, 2] - nearest) / (DISTANCE * self.breadth)
        gain = facing / away ** 2
        image = np.full((self.height, self.width), 0.1, np.float32)  # the wall behind
        for index in np.argsort(-corners.mean(1)[:, 2]):
            if (self.triangles[index] < 468 + 3 * 36).all():
                cv2.fillConvexPoly(image, np.round(corners[index, :, :2]).astype(np.int32), float(gain[index]))
        image = cv2.GaussianBlur(image, (0, 0), 0.02 * self.breadth)
        face = np.round(self.rest[[151, 1, 50, 280], :2]).astype(int)
        return image / image[face[:, 1], face[:, 0]].mean()

    def lit(self, color, share, flat=False, **pose):
        """Renders the head while the screen shows a linear color; `flat` as a print in front of the camera."""
        gains = np.ones_like(self.gains) if flat else self.gains
        light = 1 + share * gains[..., None] * (np.asarray(color, np.float32) / UNIT)[::-1]
        # Exposure keeps the picture within its range.
        scaled = self.plain * light / (1 + 0.9 * share)
        self.picture = TO_SRGB[(scaled * 65535).clip(0, 65535).astype(np.int32)]
        return self.render(**pose)


class Screen:
    """Shows the colors of a light task as the page does: fading, each at its time after the capture of the frame."""

    def __init__(self, fade=FADE):
        self.fade, self.shown, self.due, self.number = fade, [(-9.0, PEARL)], [], -1

    def step(self, step, captured, now):
        prompt = (step.get("task") or {}).get("prompt") or {}
        light = prompt.get("light")
        if not light:
            return
        done = prompt["done"]
        self.due = [(done, now, light["color"])]
        if "until_ms" in light:
            at = captured + light["until_ms"] / 1000
            self.due += [(done + 1 + place, max(at + place * light["dwell_ms"] / 1000, now), color)
                         for place, color in enumerate(light["next"])]

    def color(self, now):
        """Linear color at a time, which must increase from call to call."""
        for number, at, code in self.due:
            if at <= now and number > self.number:
                self.number = number
                if code != self.shown[-1][1]:
                    self.shown.append((at, code))
        (at, code), before = self.shown[-1], self.shown[-2 if len(self.shown) > 1 else -1][1]
        share = min(1.0, (now - at) / self.fade)
        return share * rgb(code) + (1 - share) * rgb(before)


class Sequence:
    """A screen of another check: its own sequence, from the moment the task is tracked."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        places = [int(rng.integers(6))]
        while len(places) < 60:
            places.append((places[-1] + int(rng.integers(1, 6))) % 6)
        self.colors, self.since = [COLORS[place] for place in places], None

    def step(self, step, captured, now):
        if step["state"] == "tracking" and self.since is None:
            self.since = now + 0.4

    def color(self, now):
        t = -1 if self.since is None else now - self.since
        if t < 0:
            return rgb(PEARL)
        place = int(t / 0.5)
        before = self.colors[place - 1] if place else PEARL
        share = min(1.0, (t - 0.5 * place) / FADE)
        return share * rgb(self.colors[place]) + (1 - share) * rgb(before)


class FollowIfAsked:
    """Holds still, and follows the head path if that is asked instead."""

    def __init__(self):
        self.follow, self.since = performers.Follow(), None

    def __call__(self, step, t):
        if step["task"]["kind"] != "head-path":
            return {}
        self.since = t if self.since is None else self.since
        return self.follow(step, t - self.since)


def perform(check, head, screen, share, performer=None, flat=False, rate=12, seconds=90, on_step=None):
    """Renders a head in the light of a screen, and posts its frames as a browser would; returns the last step and the tasks' kinds."""
    motion = performers.HeadMotion(performer or performers.NoMovement())
    motion.SWAY = {name: size / 2 for name, size in motion.SWAY.items()}
    began, step, number, kinds = time.monotonic(), None, 0, []
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=120)
    while time.monotonic() - began < seconds:
        t = time.monotonic() - began
        picture = head.lit(screen.color(t), share, flat=flat, **motion.pose(step, t, number))
        jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()
        reply = check.server.over(
            connection, "POST", f"/v1/checks/{check.id}/frames", jpeg,
            {"Content-Type": "image/jpeg", "Mien-Client": "camera-1", "Mien-Captured-At": f"{t * 1000:.1f}",
             "Mien-Frame": str(number)}, check.token)
        over = reply.status == 409 and reply.code == "check-ended"
        step = reply.json["step"] if over else expect(reply, 200).json
        conforms("Step", step)
        if step["state"] in ("passed", "failed", "timed-out"):
            return step, kinds
        screen.step(step, t, time.monotonic() - began)
        if step.get("task") and step["task"]["kind"] not in kinds:
            kinds.append(step["task"]["kind"])
        if on_step:
            on_step(step)
        number += 1
        time.sleep(max(0, number / rate - (time.monotonic() - began)))
    raise AssertionError(f"no verdict, last {step}")
