"""A scripted step for each state of each task."""

from __future__ import annotations

from browser.scripted_steps import step

SECTORS = [True, True, True, True, False, False, False, False, False, False, False, False]
STATES = {
    "circle-begin": step("complete-the-circle",
                         {"direction": "subject-left-first", "sectors": [False] * 12, "head": [0, 0]}),
    "circle-part": step("complete-the-circle", {"direction": "any", "sectors": SECTORS, "head": [0.95, 0.35]},
                        count=2, hints=["slower"]),
    "question": step("yes-or-no", {"question": "Are you opening this account for yourself?", "index": 0, "count": 3,
                                   "error": None}),
    "question-wrong": step("yes-or-no", {"question": "Is it raining?", "index": 1, "count": 3,
                                         "error": "That does not fit what you told us."}),
    "nod": step("motions", {"next": "nod", "done": 1, "count": 4}),
    "motion-blink": step("motions", {"next": "blink", "done": 2, "count": 4}),
    "sequence": step("motions", {"sequence": ["nod", "blink", "open-mouth", "nod", "blink", "blink"], "next": "open-mouth",
                                 "done": 2, "count": 6}),
    "mouth": step("motions", {"next": "open-mouth", "done": 3, "count": 4}, index=1, count=2),
    "blink": step("blink", {"done": 1, "count": 3}),
    "path": step("head-path", {"target": [0.7, 0.5], "head": [-0.45, -0.2], "done": 2, "count": 6}),
    "light": step("light", {"done": 2, "count": 8, "light": {
        "color": "#95b4ff", "next": ["#ffaaaa", "#95ce95"], "until_ms": 400, "dwell_ms": 500, "can_decline": True}}),
    "path-there": step("head-path", {"target": [-0.6, 0.0], "head": [-0.55, 0.05], "done": 4, "count": 6}),
}
