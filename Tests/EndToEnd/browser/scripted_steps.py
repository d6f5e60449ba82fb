"""Scripted steps, which only show how each state of each task is drawn.

Tests with footage in `cases/verdicts.py` and `cases/element.py` cover real servers and verdicts.
"""

from __future__ import annotations

import json

from playwright.sync_api import Page

# A face-shaped outline in the middle of the image.
OUTLINE = [[0.5 + 0.13 * x, 0.52 + 0.3 * y] for x, y in (
    (0, -1), (0.5, -0.87), (0.87, -0.5), (1, 0), (0.87, 0.5), (0.5, 0.87), (0, 1), (-0.5, 0.87), (-0.87, 0.5), (-1, 0),
    (-0.87, -0.5), (-0.5, -0.87))]


# What the page learns about a check before it begins: it compares no faces and leads nowhere.
ABOUT = {"match": {"state": "off"}, "page": {"state": "waiting"}}


def step(kind: str, prompt: dict, **rest) -> dict:
    """Returns a step in the middle of a task."""
    task = {"kind": kind, "index": rest.pop("index", 0), "count": rest.pop("count", 1), "prompt": prompt}
    return {"state": "tracking", "instruction": "perform", "side": None, "progress": 0, "hints": [], "reason": None,
            "remaining_ms": 9000, "outline": OUTLINE, "task": task} | rest


def replying(value: dict, headers: dict):
    """Returns a handler that answers with a value."""
    return lambda route: route.fulfill(status=200, content_type="application/json", headers=headers, body=json.dumps(value))


class ScriptedSteps:
    """Answers each frame of a page with the current step instead of the server."""

    def __init__(self, page: Page, first: dict):
        self.step = first
        self.seen = 0
        allowed = {"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "*"}
        session = {"id": "chk_scripted", "token": "scripted"}

        def answer(route) -> None:
            if route.request.method == "OPTIONS":
                route.fulfill(status=204, headers=allowed)
                return
            self.seen += 1
            route.fulfill(status=200, content_type="application/json", headers=allowed, body=json.dumps(self.step))

        page.route("**/v1/demo/checks", lambda route: route.fulfill(
            status=201, content_type="application/json", headers=allowed, body=json.dumps(session)))
        for name, about in ABOUT.items():
            page.route(f"**/v1/checks/chk_scripted/{name}", replying(about, allowed))
        page.route("**/frames", answer)

    def show(self, page: Page, shown: dict) -> None:
        """Waits until the page has drawn a step."""
        self.step = shown
        before = self.seen
        while self.seen < before + 3:
            page.wait_for_timeout(50)
