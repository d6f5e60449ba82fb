"""Tests of tasks performed by a rendered head for the real server, through the element on another origin, correctly and wrongly.

The page, the camera stream, the server and the tracker are real; the head is rendered from a real face.
"""

from __future__ import annotations

from contextlib import contextmanager

from browser.axe import serious_violations
from browser.camera_clips import shared_data
from browser.environment import DESKTOP, PHONE, BrowserEnvironment, equal, true, until
from browser.liveness_element import IN_SHADOW, TEXTS, await_ending, received_events, shown, visit
from browser.synthetic_camera import SyntheticCamera
from support import performers, synthetic_head

LOOKS = {
    "en": dict(size=DESKTOP, scheme="light", language="en-GB"),
    "ar": dict(size=PHONE, scheme="dark", language="ar-EG"),
    "he": dict(size=PHONE, scheme="light", language="he-IL"),
    "de": dict(size=PHONE, scheme="dark", language="de-DE"),
}


@contextmanager
def performed(env: BrowserEnvironment, task: dict, performer, language: str):
    """Opens the element with a check of one task and begins it; yields the page and the texts of its language."""
    head = synthetic_head.head(str(env.program), shared_data())
    check = env.server.create(tasks=[task])
    direction = "rtl" if language in ("ar", "he") else "ltr"
    with env.page(env.browser(), **LOOKS[language]) as page:
        SyntheticCamera(page, head, performer)
        visit(env, page, f'session-id="{check["id"]}" session-token="{check["token"]}" brand-name="Harbour Bank"',
              language=language, direction=direction)
        page.click("#begin")
        yield page, TEXTS[language], check


def passes(env: BrowserEnvironment, page, texts: dict, check: dict, name: str) -> None:
    equal(await_ending(page, 120), texts["passed.title"], f"heading of {env.server.result(check['id'])}")
    until(page, "heard.some((event) => event.name === 'success')")
    result = env.server.result(check["id"])
    equal((result["state"], result["source"]), ("passed", "observed"), "the server's own result")
    env.shoot(page, f"performed-{name}-passed")
    equal(serious_violations(page), [], "axe on the ending")


def fails(env: BrowserEnvironment, page, texts: dict, check: dict, reason: str, name: str) -> None:
    equal(await_ending(page, 120), texts[f"reason.{reason}.title"], f"heading of {env.server.result(check['id'])}")
    until(page, "heard.some((event) => event.name === 'failure')")
    failure = received_events(page, "failure")[0]
    equal((failure["reason"], failure["error"]["key"]), (reason, "task_failed"), "the error event of the page")
    equal(env.server.result(check["id"])["reason"], reason, "the server's own reason")
    env.shoot(page, f"performed-{name}-failed")
    equal(serious_violations(page), [], "axe on the ending")


def reported(page, words: str, seconds: float = 90) -> None:
    until(page, f"{IN_SHADOW % 'instruction'}.textContent === {words!r}", seconds)


PIECES = f"{IN_SHADOW % 'drawing'}.querySelectorAll('.piece.made').length"


def test_circle_passes_in_english(env: BrowserEnvironment) -> None:
    """A correct circle passes in English."""
    with performed(env, {"kind": "complete-the-circle"}, performers.Circle(), "en") as (page, texts, check):
        until(page, f"{PIECES} >= 4", 90)
        env.shoot(page, "performed-circle-english")
        passes(env, page, texts, check, "circle-english")


def test_reversed_circle_fails_in_arabic(env: BrowserEnvironment) -> None:
    """A circle in the wrong direction fails in Arabic."""
    with performed(env, {"kind": "complete-the-circle"}, performers.Circle(direction=-1), "ar") as (page, texts, check):
        until(page, f"{IN_SHADOW % 'drawing'}.querySelector('.piece') !== null", 90)
        env.shoot(page, "performed-circle-arabic")
        fails(env, page, texts, check, "wrong-direction", "circle-arabic")


def test_blinks_pass_in_arabic(env: BrowserEnvironment) -> None:
    """Correct blinks pass in Arabic."""
    with performed(env, {"kind": "blink", "max_blinks": 3}, performers.Blink(), "ar") as (page, texts, check):
        reported(page, texts["instruction.blink"])
        until(page, f"{PIECES} >= 1", 90)
        env.shoot(page, "performed-blink-arabic")
        passes(env, page, texts, check, "blink-arabic")


def test_long_closures_fail_in_english(env: BrowserEnvironment) -> None:
    """Long closures instead of blinks fail in English."""
    asked = {"kind": "blink", "max_blinks": 2, "timeout": 8000}
    with performed(env, asked, performers.Blink(seconds=1.5), "en") as (page, texts, check):
        reported(page, texts["instruction.blink"])
        page.wait_for_timeout(3000)
        env.shoot(page, "performed-closure-english")
        fails(env, page, texts, check, "timed-out", "closure-english")


def test_head_path_passes_in_hebrew(env: BrowserEnvironment) -> None:
    """A correct head path passes in Hebrew."""
    with performed(env, {"kind": "head-path"}, performers.Follow(), "he") as (page, texts, check):
        reported(page, texts["instruction.head-path"])
        until(page, f"{IN_SHADOW % 'count'}.textContent.includes('3')", 90)
        env.shoot(page, "performed-path-hebrew")
        passes(env, page, texts, check, "path-hebrew")


def test_mirrored_head_path_fails_in_english(env: BrowserEnvironment) -> None:
    """A head path to the opposite sides fails in English."""
    with performed(env, {"kind": "head-path"}, performers.Follow(mirrored=True), "en") as (page, texts, check):
        reported(page, texts["instruction.head-path"])
        env.shoot(page, "performed-path-english")
        fails(env, page, texts, check, "off-path", "path-english")


def test_several_tasks_pass_in_german(env: BrowserEnvironment) -> None:
    """Questions, a tilt and motions pass one after the other in German."""
    question = "Sind Sie es selbst?"
    asked = [{"kind": "yes-or-no", "questions": [{"question": question, "answer": True}]}, {"kind": "motions"}]
    script = [performers.Answer({question: True}), performers.Move()]
    check = env.server.create(tasks=asked)
    with env.page(env.browser(), **LOOKS["de"]) as page:
        SyntheticCamera(page, synthetic_head.head(str(env.program), shared_data()),
               lambda step, t: script[step["task"]["index"]](step, t))
        visit(env, page, f'session-id="{check["id"]}" session-token="{check["token"]}"', language="de")
        page.click("#begin")
        reported(page, question)
        env.shoot(page, "performed-question-german")
        until(page, f"{IN_SHADOW % 'count'}.textContent.includes('2')", 90)
        passes(env, page, TEXTS["de"], check, "several-german")
        equal(shown(page, "ending-title"), TEXTS["de"]["passed.title"], "heading")
        true(env.server.result(check["id"])["tasks"] == ["yes-or-no", "motions"], "both were asked")
