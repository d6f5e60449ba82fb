"""Tests of the drawing and texts of each task. The steps are scripted; see `script.py`."""

from __future__ import annotations

import json
from pathlib import Path

from browser.axe import serious_violations
from browser.environment import DESKTOP, LANDSCAPE, PHONE, SMALL, BrowserEnvironment, begin, equal, screen, true, until
from browser.scripted_steps import ScriptedSteps, step
from browser.task_states import SECTORS, STATES

TEXTS = Path(__file__).parents[3] / "Web/assets/texts"
ENGLISH = json.loads((TEXTS / "en.json").read_text())


def drawn(env: BrowserEnvironment, page, first: dict) -> ScriptedSteps:
    script = ScriptedSteps(page, first)
    begin(page, env.server.url + "/check")
    page.wait_for_selector(screen("check"))
    until(page, "document.getElementById('remaining').textContent !== ''")
    return script


def test_every_task_is_drawn(env: BrowserEnvironment) -> None:
    """Every task is drawn, on phone and desktop, in light and dark."""
    for size, scheme, name in ((PHONE, "light", "phone-light"), (DESKTOP, "dark", "desktop-dark")):
        with env.page(env.browser(env.footage.turn_right()), size=size, scheme=scheme) as page:
            script = drawn(env, page, STATES["nod"])
            for state, shown in STATES.items():
                script.show(page, shown)
                if state == "light":
                    # The surface fades in, and then to the color; the words are dark from the beginning.
                    red, green, blue = bytes.fromhex(shown["task"]["prompt"]["light"]["color"][1:])
                    lit = "getComputedStyle(document.querySelector('section[data-light]')).backgroundColor"
                    until(page, f"{lit} === 'rgb({red}, {green}, {blue})'")
                env.shoot(page, f"task-{state}-{name}")
                equal(serious_violations(page), [], f"axe on {state} {name}")


def test_retry_explains_the_last_failure(env: BrowserEnvironment) -> None:
    """A retry says why the last attempt failed, and which one it is."""
    with env.page(env.browser(env.footage.turn_right()), size=PHONE, language="de") as page:
        again = step("blink", {"done": 0, "count": 3}, state="positioning", instruction="position-face",
                     attempt={"number": 2, "count": 3, "last_reason": "wrong-direction"})
        script = drawn(env, page, STATES["blink"])
        true("von 3" not in page.inner_text("#count").replace("0 von 3", "").replace("1 von 3", ""), "the attempt is not shown if there is only one")
        script.show(page, again)
        german = json.loads((TEXTS / "de.json").read_text())
        equal(page.inner_text("#hint-text"), german["reason.wrong-direction.title"], "why")
        true(page.inner_text("#count").startswith("Versuch 2 von 3"), "which one")
        env.shoot(page, "attempt-phone-light")
        script.show(page, step("blink", {"done": 0, "count": 3}, attempt=again["attempt"]))
        true(page.inner_text("#hint-text") != german["reason.wrong-direction.title"], "the hint disappears when the task continues")


def test_direction_is_always_in_words(env: BrowserEnvironment) -> None:
    """The direction to the target is always in words, also when it is small."""
    with env.page(env.browser(env.footage.turn_right())) as page:
        script = drawn(env, page, STATES["path"])
        for target, key in (([0.12, 0], "left"), ([0, -0.12], "down"), ([-0.5, 0.5], "right-up"), ([0.05, 0.05], "stay")):
            script.show(page, step("head-path", {"target": target, "head": [0, 0], "done": 0, "count": 6}))
            equal(page.inner_text("#hint-text"), ENGLISH[f"toward.{key}"], f"words for {target}")


def test_dot_and_target_match_the_mirror(env: BrowserEnvironment) -> None:
    """The dot and the target are where the head appears in the mirror."""
    with env.page(env.browser(env.footage.two_halves()), language="ar") as page:
        path = STATES["path"]
        script = drawn(env, page, path)
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


def test_tasks_are_described_and_counted(env: BrowserEnvironment) -> None:
    """A task is described and counted in words."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        script = drawn(env, page, STATES["path"])
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


def test_incomplete_steps_do_not_break_the_drawing(env: BrowserEnvironment) -> None:
    """A step between two tasks, or an empty one, does not break the drawing."""
    odd = [
        step("complete-the-circle", {}), step("complete-the-circle", {"direction": "any", "sectors": [], "head": None}),
        step("head-path", {"target": None, "head": None, "done": 0, "count": 0}),
        step("motions", {"next": "somersault"}),
        step("blink", {"done": 0, "count": 10**9}), {**step("blink", {}), "task": None},
        {**STATES["path"], "state": "positioning", "instruction": "position-face"},
    ]
    with env.page(env.browser(env.footage.two_halves())) as page:
        script = drawn(env, page, STATES["blink"])
        for shown in odd:
            script.show(page, shown)
            true(page.locator(".piece").count() <= 400, f"a drawing of bounded size for {shown}")
        hidden = page.evaluate("document.querySelector('.target').style.visibility")
        equal(hidden, "hidden", "no target before the face is in place")


def test_long_question_fits_a_small_phone(env: BrowserEnvironment) -> None:
    """A long question fits a small phone in both orientations."""
    question = "Have you read what happens to your pictures, and do you agree that they are kept for thirty days?"
    shown = step("yes-or-no", {"question": question, "index": 2, "count": 3, "error": None})
    for size, name in ((SMALL, "small"), (LANDSCAPE, "landscape")):
        with env.page(env.browser(env.footage.turn_right()), size=size) as page:
            script = drawn(env, page, shown)
            script.show(page, shown)
            env.shoot(page, f"task-long-question-{name}")
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
