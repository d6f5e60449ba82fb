"""How each task is drawn and told. The steps are scripted; see `script.py`."""

from __future__ import annotations

import json
from pathlib import Path

from axe import serious
from cases import case
from script import Script, step
from stage import DESKTOP, LANDSCAPE, PHONE, SMALL, Stage, begin, equal, screen, true, until

TEXTS = Path(__file__).parents[3] / "Web/assets/texts"
ENGLISH = json.loads((TEXTS / "en.json").read_text())
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
    "path-there": step("head-path", {"target": [-0.6, 0.0], "head": [-0.55, 0.05], "done": 4, "count": 6}),
}


def drawn(stage: Stage, page, first: dict) -> Script:
    script = Script(page, first)
    begin(page, stage.server.url + "/check")
    page.wait_for_selector(screen("check"))
    until(page, "document.getElementById('remaining').textContent !== ''")
    return script


@case("every task is drawn, on phone and desktop, in light and dark")
def gallery(stage: Stage) -> None:
    for size, scheme, name in ((PHONE, "light", "phone-light"), (DESKTOP, "dark", "desktop-dark")):
        with stage.page(stage.browser(stage.footage.turn_right()), size=size, scheme=scheme) as page:
            script = drawn(stage, page, STATES["nod"])
            for state, shown in STATES.items():
                script.show(page, shown)
                stage.shoot(page, f"task-{state}-{name}")
                equal(serious(page), [], f"axe on {state} {name}")


@case("another attempt says why the one before did not pass, and which one it is")
def another_attempt(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.turn_right()), size=PHONE, language="de") as page:
        again = step("blink", {"done": 0, "count": 3}, state="positioning", instruction="position-face",
                     attempt={"number": 2, "count": 3, "last_reason": "wrong-direction"})
        script = drawn(stage, page, STATES["blink"])
        true("von 3" not in page.inner_text("#count").replace("0 von 3", "").replace("1 von 3", ""), "no attempt is told of when there is one")
        script.show(page, again)
        german = json.loads((TEXTS / "de.json").read_text())
        equal(page.inner_text("#hint-text"), german["reason.wrong-direction.title"], "why")
        true(page.inner_text("#count").startswith("Versuch 2 von 3"), "which one")
        stage.shoot(page, "attempt-phone-light")
        script.show(page, step("blink", {"done": 0, "count": 3}, attempt=again["attempt"]))
        true(page.inner_text("#hint-text") != german["reason.wrong-direction.title"], "it is over when the task goes on")


@case("the way to the target is always in words, also when it is only just worth any")
def way_in_words(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.turn_right())) as page:
        script = drawn(stage, page, STATES["path"])
        for target, key in (([0.12, 0], "left"), ([0, -0.12], "down"), ([-0.5, 0.5], "right-up"), ([0.05, 0.05], "stay")):
            script.show(page, step("head-path", {"target": target, "head": [0, 0], "done": 0, "count": 6}))
            equal(page.inner_text("#hint-text"), ENGLISH[f"toward.{key}"], f"words for {target}")


@case("the dot and the target stand where the head goes in the mirror")
def mirror(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.two_halves()), language="ar") as page:
        path = STATES["path"]
        script = drawn(stage, page, path)
        script.show(page, path)
        equal(page.evaluate("document.documentElement.dir"), "rtl", "direction of the page")
        target, dot, middle = (page.evaluate(CENTRE, part) for part in (".target .rim", ".dot circle", "#stage"))
        true(target["x"] < middle["x"] and target["y"] < middle["y"], f"left and up: {target} {middle}")
        true(dot["x"] > middle["x"] and dot["y"] > middle["y"], f"right and down: {dot} {middle}")
        script.show(page, STATES["circle-part"])
        dot = page.evaluate(CENTRE, ".dot circle")
        true(dot["x"] < middle["x"], f"the subject's left is the left of the mirror: {dot}")
        done = page.evaluate(
            "[...document.querySelectorAll('.piece.made')].map((piece) => piece.getBoundingClientRect().x)")
        equal(len(done), sum(SECTORS), "sectors done")
        true(all(x < middle["x"] for x in done), f"from the top, to the subject's left first: {done}")
        script.show(page, STATES["question"])
        no, yes = (page.evaluate(CENTRE, part) for part in ("#answer-no", "#answer-yes"))
        true(no["x"] < middle["x"] < yes["x"], f"no at the left, yes at the right, also in Arabic: {no} {yes}")


CENTRE = """
(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
"""


@case("a task is told in words, and counted")
def words(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.two_halves())) as page:
        script = drawn(stage, page, STATES["path"])
        script.show(page, STATES["path"])
        equal(page.inner_text("#instruction"), ENGLISH["instruction.head-path"], "instruction")
        equal(page.inner_text("#hint-text"), ENGLISH["toward.left-up"], "the way in words")
        equal(page.inner_text("#count"), "2 of 6", "count")
        until(page, f"document.getElementById('polite').textContent.includes({ENGLISH['toward.left-up']!r})")
        script.show(page, STATES["question-wrong"])
        equal(page.inner_text("#instruction"), "Is it raining?", "the question is the heading")
        equal(page.inner_text("#hint-text"), "That does not fit what you told us.", "the integrator's own words")
        equal(page.inner_text("#count"), "Question 2 of 3", "count of questions")
        script.show(page, step("yes-or-no", {"question": None, "index": 2, "count": 3, "error": None}))
        equal(page.inner_text("#instruction"), ENGLISH["hint.upright"], "between two questions")
        true(not page.is_visible("#answer-yes"), "and nothing to answer")
        script.show(page, step("motions", {"next": None, "done": 1, "count": 3}))
        equal(page.inner_text("#instruction"), ENGLISH["check.starting"], "between two motions")
        script.show(page, STATES["mouth"])
        equal(page.inner_text("#count"), "Task 2 of 2 · 3 of 4", "tasks are counted, too")
        script.show(page, STATES["sequence"])
        equal(page.inner_text("#instruction"), ENGLISH["instruction.motions.open-mouth"], "what is asked now")
        equal(page.inner_text("#count"), "2 of 6", "how much of it is done")
        equal(page.locator("#drawing .sign").count(), 6, "the whole sequence is shown at once")
        equal(page.locator("#drawing .sign.done").count(), 2, "what is done is faded")
        equal(page.locator("#drawing .sign .opening").count(), 1, "one sign moves")
        script.show(page, step("juggling", {}))
        equal(page.inner_text("#instruction"), ENGLISH["instruction.follow"], "a task that the page does not know")
        script.show(page, {**step("blink", {"done": 0, "count": 2}), "hints": ["unheard-of", "too-far"]})
        equal(page.inner_text("#hint-text"), ENGLISH["hint.too-far"], "an unknown hint is passed over")


@case("a step between two tasks, or one with nothing in it, does not break the drawing")
def odd_steps(stage: Stage) -> None:
    odd = [
        step("complete-the-circle", {}), step("complete-the-circle", {"direction": "any", "sectors": [], "head": None}),
        step("head-path", {"target": None, "head": None, "done": 0, "count": 0}),
        step("motions", {"next": "somersault"}),
        step("blink", {"done": 0, "count": 10**9}), {**step("blink", {}), "task": None},
        {**STATES["path"], "state": "positioning", "instruction": "position-face"},
    ]
    with stage.page(stage.browser(stage.footage.two_halves())) as page:
        script = drawn(stage, page, STATES["blink"])
        for shown in odd:
            script.show(page, shown)
            true(page.locator(".piece").count() <= 400, f"a drawing of bounded size for {shown}")
        hidden = page.evaluate("document.querySelector('.target').style.visibility")
        equal(hidden, "hidden", "no target before the face is in place")


@case("a long question fits a small phone, upright and on its side")
def long_question(stage: Stage) -> None:
    question = "Have you read what happens to your pictures, and do you agree that they are kept for thirty days?"
    shown = step("yes-or-no", {"question": question, "index": 2, "count": 3, "error": None})
    for size, name in ((SMALL, "small"), (LANDSCAPE, "landscape")):
        with stage.page(stage.browser(stage.footage.turn_right()), size=size) as page:
            script = drawn(stage, page, shown)
            script.show(page, shown)
            stage.shoot(page, f"task-long-question-{name}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
