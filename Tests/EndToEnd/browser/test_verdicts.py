"""Tests with real footage, from the page to a verdict."""

from __future__ import annotations

import json
from pathlib import Path

from browser.environment import PHONE, BrowserEnvironment, begin, ending, equal, screen, true, until

ENGLISH = json.loads((Path(__file__).parents[3] / "Web/assets/texts/en.json").read_text())


def run(env: BrowserEnvironment, clip: Path, challenge: str, name: str, **look) -> tuple[str, dict, list[str]]:
    """Runs one check and returns its heading, its result, and the instructions that were shown."""
    check = env.server.create(challenge)
    seen: list[str] = []
    with env.page(env.browser(clip), **look) as page:
        page.expose_function("noted", lambda words: seen.append(words))
        page.add_init_script(WATCH_INSTRUCTION)
        page.add_init_script(WEIGH_FRAMES)
        page.add_init_script(
            "document.addEventListener('mien:check-ended', (event) => { globalThis.told = event.detail; });")
        begin(page, env.server.url + check["page"])
        page.wait_for_selector(screen("check"))
        weigh = "[weights.length, weights.reduce((sum, one) => sum + one, 0), (performance.now() - weighed) / 1000]"
        true("token" not in page.url, "the token has left the address bar")
        if name:
            until(page, "document.querySelector('.arrow').style.visibility === 'visible'", seconds=30)
            arrow_points(page, "left" if challenge == "turn-left" else "right")
            env.shoot(page, f"{name}-asking")
        heading = ending(page)
        frames, weight, seconds = page.evaluate(weigh)
        true(frames > 20 and frames / seconds < 15.6 and weight / seconds * 10 < 1_500_000,
             f"ten seconds cost at most 1.5 MB: {frames} frames of {weight} bytes in {seconds} s")
        env.shoot(page, f"{name or challenge}-ending")
        equal(page.evaluate("told.id"), check["id"], "the event names the check")
        equal(page.evaluate("document.activeElement.id"), "ending-title", "the focus is on the heading")
        true(heading in page.inner_text("#assertive"), "a screen reader hears the result at once")
        true(page.evaluate("document.getElementById('video').srcObject === null"), "the camera is off")
    return heading, env.server.result(check["id"]), seen


WEIGH_FRAMES = """
globalThis.weights = [];
globalThis.weighed = performance.now();
const send = globalThis.fetch;
globalThis.fetch = (address, options) => {
  if (String(address).endsWith("/frames")) {
    if (weights.length === 0) weighed = performance.now();
    weights.push(options.body.size);
  }
  return send(address, options);
};
"""
WATCH_INSTRUCTION = """
addEventListener("DOMContentLoaded", () => {
  const heading = document.getElementById("instruction");
  new MutationObserver(() => noted(heading.textContent)).observe(heading, { childList: true });
});
"""


def arrow_points(page, side: str) -> None:
    """Checks the arrow's side: the preview is mirrored, so the user's left is the left of the screen."""
    center = "(box => box.left + box.width / 2)({}.getBoundingClientRect())"
    arrow = page.evaluate(center.format("document.querySelector('.arrow')"))
    middle = page.evaluate(center.format("document.getElementById('stage')"))
    equal("left" if arrow < middle else "right", side, "where the arrow stands")


def test_blinks_are_counted_and_pass(env: BrowserEnvironment) -> None:
    """Requested blinks are counted and pass."""
    check = env.server.create(tasks=[{"kind": "blink", "difficulty": "easy", "max_blinks": 2}])
    with env.page(env.browser(env.footage.blinks())) as page:
        begin(page, env.server.url + check["page"])
        until(page, f"document.getElementById('instruction').textContent === {json.dumps(ENGLISH['instruction.blink'])}", seconds=20)
        until(page, "document.querySelectorAll('.piece.made').length === 1", seconds=20)
        env.shoot(page, "blink-asking")
        heading = ending(page)
        env.shoot(page, "blink-ending")
    result = env.server.result(check["id"])
    equal(heading, ENGLISH["passed.title"], f"heading after {result}")
    equal(result["tasks"], ["blink"], "what was asked")
    equal(result["source"], "observed", "our own code saw it")


def test_right_turn_passes(env: BrowserEnvironment) -> None:
    """A requested right turn passes."""
    heading, result, seen = run(env, env.footage.turn_right(), "turn-right", "right-turn")
    equal(heading, ENGLISH["passed.title"], f"heading after {seen}, {result}")
    true(ENGLISH["instruction.turn.subject-right"] in seen, f"asked to turn right: {seen}")
    true("passed" in json.dumps(result), f"the result is kept: {result}")


def test_left_turn_passes(env: BrowserEnvironment) -> None:
    """A requested left turn passes."""
    heading, result, seen = run(env, env.footage.turn_left(), "turn-left", "left-turn", size=PHONE, scheme="dark")
    equal(heading, ENGLISH["passed.title"], f"heading after {seen}, {result}")
    true(ENGLISH["instruction.turn.subject-left"] in seen, f"asked to turn left: {seen}")


def test_wrong_turn_fails_and_is_explained(env: BrowserEnvironment) -> None:
    """A turn to the wrong side fails, and the page says so."""
    heading, result, seen = run(env, env.footage.turn_right(), "turn-left", "wrong-turn")
    equal(heading, ENGLISH["reason.wrong-direction.title"], f"heading after {seen}, {result}")
    true("wrong-direction" in json.dumps(result), f"the result is kept: {result}")


def test_missing_face_fails(env: BrowserEnvironment) -> None:
    """A camera without a face fails with that reason."""
    heading, result, seen = run(env, env.footage.no_face(), "turn-left", "")
    equal(heading, ENGLISH["reason.no-face.title"], f"heading after {seen}, {result}")


def test_page_without_link_creates_a_check(env: BrowserEnvironment) -> None:
    """Without a link the page creates a check itself, and Try again creates another."""
    created: list[str] = []
    with env.page(env.browser(env.footage.no_face())) as page:
        page.on("request", lambda request: created.append(request.url) if "/demo/" in request.url else None)
        begin(page, env.server.url + "/check")
        heading = ending(page)
        equal(heading, ENGLISH["reason.no-face.title"], "heading")
        first = page.inner_text("#ending-reference")
        env.shoot(page, "no-face-ending")
        page.click("#again")
        page.wait_for_selector(screen("check"))
        ending(page)
        true(page.inner_text("#ending-reference") != first, "the second check has another id")
        equal(len(created), 2, "checks asked for")
