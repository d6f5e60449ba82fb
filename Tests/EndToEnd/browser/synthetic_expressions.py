"""Synthetic expressions of messages: the rendered head with movable lips and brows, which follows the server's steps.

The corners of the mouth, the brows and the lips of one real image are warped; the tracker reads 0.75 and more for a
smile and a kiss, 0.56 of the jaw and 0.9 of the brows for surprise, and 0.5 of the lid for the left wink. The right
wink stays at 0.34, below its threshold, and the image shows no tongue: neither is performed here.
"""

from __future__ import annotations

import math

import numpy as np
from playwright.sync_api import Page

from browser.synthetic_camera import SyntheticCamera
from support import synthetic_head

# Parameters of each expression at full strength.
FACES = {
    "smile": {"smile": 1.2}, "surprise": {"brows": 1.2, "mouth": 0.9}, "smooch": {"kiss": 1.0},
    "wink_l": {"lids": (0.05, 1.1)},
}
BROWS = [70, 63, 105, 66, 107, 46, 53, 52, 65, 55], [300, 293, 334, 296, 336, 276, 283, 282, 295, 285]
CORNERS = (61, -1), (291, 1)


class Face(synthetic_head.Head):
    """A head with additional parameters in `made`: strength of smile, raised brows and kiss; 0 for none."""

    made: dict = {}

    def _moved(self, lids, mouth):
        points = super()._moved(lids, mouth)
        face = self.rest[:468]
        middle = face[[13, 14]].mean(0)
        smile, brows, kiss = (self.made.get(name, 0.0) for name in ("smile", "brows", "kiss"))
        for corner, sign in CORNERS if smile else ():
            near = self._near(face[corner], 0.16, 0.16)
            points[:, 0] += sign * smile * 0.1 * self.breadth * near
            points[:, 1] -= smile * 0.075 * self.breadth * near
        for brow in BROWS if brows else ():
            points[:, 1] -= brows * 0.09 * self.breadth * self._near(face[brow].mean(0), 0.22, 0.12)
        if kiss:
            points[:, 0] -= kiss * 0.45 * (self.rest[:, 0] - middle[0]) * self._near(middle, 0.2, 0.2)
            points[:, 1] += kiss * 0.5 * (self.rest[:, 1] - middle[1]) * self._near(middle, 0.12, 0.12)
        return points

    def _near(self, center, across, down):
        """Returns a Gaussian weight, 0…1, of each point's distance from `center`; sizes in face widths."""
        away = (self.rest[:, :2] - center[:2]) / [across * self.breadth, down * self.breadth]
        near = np.exp(-(away**2).sum(1))
        near[468:] = 0
        return near


class ExpressionSequence:
    """Makes `names` in sequence: each until the server has counted it, then relaxed until the server reports neutral."""

    def __init__(self, names: list[str]):
        self.names = names
        self.made: dict = {}

    def pose(self, step: dict | None, t: float, frame: int) -> dict:
        wanted: dict = {}
        if step and step["state"] == "performing" and step["neutral"] and len(step["performed"]) < len(self.names):
            wanted = FACES[self.names[len(step["performed"])]]
        lids = wanted.get("lids", (0.05, 0.05))
        self.made.update({name: wanted.get(name, 0.0) for name in ("smile", "brows", "kiss")})
        return {"yaw": 0.8 * math.sin(1.1 * t), "roll": 0.6 * math.sin(0.7 * t + 1), "across": 0.02 * math.sin(0.9 * t),
                "lids": lids, "mouth": wanted.get("mouth", 0.0)}


class ExpressionCamera(SyntheticCamera):
    """Feeds a page's camera with a face that performs `names`; `perform` starts another sequence."""

    def __init__(self, page: Page, face: Face, names: list[str]):
        super().__init__(page, face, None)
        self.motion = ExpressionSequence(names)

    def perform(self, names: list[str]) -> None:
        self.motion = ExpressionSequence(names)

    def _next_frame(self, step: dict | None, answers: int) -> str:
        self.head.made = self.motion.made  # shared: the pose sets it, and the render reads it
        return super()._next_frame(step, answers)
