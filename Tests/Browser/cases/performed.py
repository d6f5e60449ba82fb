"""Tests of tasks performed by a rendered head for the real server, through the element on another origin, correctly and wrongly.

The page, the camera stream, the server and the tracker are real; the head is rendered from a real face.
"""

from __future__ import annotations

from contextlib import contextmanager

from axe import serious
from cases import case
from cases.element import IN_SHADOW, TEXTS, ended, heard, shown, visit
from footage import Missing, shared_data
from puppet import Puppet, performers, rendered
from stage import DESKTOP, PHONE, Stage, equal, true, until

LOOKS = {
    "en": dict(size=DESKTOP, scheme="light", language="en-GB"),
    "ar": dict(size=PHONE, scheme="dark", language="ar-EG"),
    "he": dict(size=PHONE, scheme="light", language="he-IL"),
    "de": dict(size=PHONE, scheme="dark", language="de-DE"),
}


@contextmanager
def performed(stage: Stage, task: dict, performer, language: str):
    """Opens the element with a check of one task and begins it; yields the page and the texts of its language."""
    if stage.mien is None:
        raise Missing("the landmarks need the program: --mien")
    head = rendered.head(str(stage.mien), shared_data())
    check = stage.server.create(tasks=[task])
    direction = "rtl" if language in ("ar", "he") else "ltr"
    with stage.page(stage.browser(), **LOOKS[language]) as page:
        Puppet(page, head, performer)
        visit(stage, page, f'session-id="{check["id"]}" session-token="{check["token"]}" brand-name="Harbour Bank"',
              language=language, direction=direction)
        page.click("#begin")
        yield page, TEXTS[language], check


def passes(stage: Stage, page, texts: dict, check: dict, name: str) -> None:
    equal(ended(page, 60), texts["passed.title"], f"heading of {stage.server.result(check['id'])}")
    until(page, "heard.some((event) => event.name === 'success')")
    result = stage.server.result(check["id"])
    equal((result["state"], result["source"]), ("passed", "observed"), "the server's own result")
    stage.shoot(page, f"performed-{name}-passed")
    equal(serious(page), [], "axe on the ending")


def fails(stage: Stage, page, texts: dict, check: dict, reason: str, name: str) -> None:
    equal(ended(page, 60), texts[f"reason.{reason}.title"], f"heading of {stage.server.result(check['id'])}")
    until(page, "heard.some((event) => event.name === 'failure')")
    failure = heard(page, "failure")[0]
    equal((failure["reason"], failure["error"]["key"]), (reason, "task_failed"), "what the page is told")
    equal(stage.server.result(check["id"])["reason"], reason, "the server's own reason")
    stage.shoot(page, f"performed-{name}-failed")
    equal(serious(page), [], "axe on the ending")


def told(page, words: str, seconds: float = 30) -> None:
    until(page, f"{IN_SHADOW % 'instruction'}.textContent === {words!r}", seconds)


PIECES = f"{IN_SHADOW % 'drawing'}.querySelectorAll('.piece.made').length"


@case("a circle, done as asked, passes in English")
def circle(stage: Stage) -> None:
    with performed(stage, {"kind": "complete-the-circle"}, performers.Circle(), "en") as (page, texts, check):
        until(page, f"{PIECES} >= 4", 30)
        stage.shoot(page, "performed-circle-english")
        passes(stage, page, texts, check, "circle-english")


@case("a circle the wrong way round fails in Arabic")
def wrong_circle(stage: Stage) -> None:
    with performed(stage, {"kind": "complete-the-circle"}, performers.Circle(way=-1), "ar") as (page, texts, check):
        until(page, f"{IN_SHADOW % 'drawing'}.querySelector('.piece') !== null", 30)
        stage.shoot(page, "performed-circle-arabic")
        fails(stage, page, texts, check, "wrong-direction", "circle-arabic")


@case("blinks, done as asked, pass in Arabic")
def blinks(stage: Stage) -> None:
    with performed(stage, {"kind": "blink", "max_blinks": 3}, performers.Blink(), "ar") as (page, texts, check):
        told(page, texts["instruction.blink"])
        until(page, f"{PIECES} >= 1", 30)
        stage.shoot(page, "performed-blink-arabic")
        passes(stage, page, texts, check, "blink-arabic")


@case("long closures instead of blinks fail in English")
def closures(stage: Stage) -> None:
    asked = {"kind": "blink", "max_blinks": 2, "timeout": 8000}
    with performed(stage, asked, performers.Blink(seconds=1.5), "en") as (page, texts, check):
        told(page, texts["instruction.blink"])
        page.wait_for_timeout(3000)
        stage.shoot(page, "performed-closure-english")
        fails(stage, page, texts, check, "timed-out", "closure-english")


@case("a head path, followed, passes in Hebrew")
def path(stage: Stage) -> None:
    with performed(stage, {"kind": "head-path"}, performers.Follow(), "he") as (page, texts, check):
        told(page, texts["instruction.head-path"])
        until(page, f"{IN_SHADOW % 'count'}.textContent.includes('3')", 40)
        stage.shoot(page, "performed-path-hebrew")
        passes(stage, page, texts, check, "path-hebrew")


@case("a head path to the opposite sides fails in English")
def opposite(stage: Stage) -> None:
    with performed(stage, {"kind": "head-path"}, performers.Follow(mirrored=True), "en") as (page, texts, check):
        told(page, texts["instruction.head-path"])
        stage.shoot(page, "performed-path-english")
        fails(stage, page, texts, check, "off-path", "path-english")


@case("questions, a tilt and motions, done as asked, pass one after the other in German")
def several(stage: Stage) -> None:
    question = "Sind Sie es selbst?"
    asked = [{"kind": "yes-or-no", "questions": [{"question": question, "answer": True}]}, {"kind": "motions"}]
    script = [performers.Answer({question: True}), performers.Move()]
    if stage.mien is None:
        raise Missing("the landmarks need the program: --mien")
    check = stage.server.create(tasks=asked)
    with stage.page(stage.browser(), **LOOKS["de"]) as page:
        Puppet(page, rendered.head(str(stage.mien), shared_data()),
               lambda step, t: script[step["task"]["index"]](step, t))
        visit(stage, page, f'session-id="{check["id"]}" session-token="{check["token"]}"', language="de")
        page.click("#begin")
        told(page, question)
        stage.shoot(page, "performed-question-german")
        until(page, f"{IN_SHADOW % 'count'}.textContent.includes('2')", 30)
        passes(stage, page, TEXTS["de"], check, "several-german")
        equal(shown(page, "ending-title"), TEXTS["de"]["passed.title"], "heading")
        true(stage.server.result(check["id"])["tasks"] == ["yes-or-no", "motions"], "both were asked")
