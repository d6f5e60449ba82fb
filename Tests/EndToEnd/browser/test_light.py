"""Tests of the light task in Chromium: the colors that the page shows fall on a rendered head in front of its camera, or on something else."""

from __future__ import annotations

import base64
import time

import cv2
import pytest

from browser.axe import serious_violations
from browser.camera_clips import shared_data
from browser.environment import DESKTOP, PHONE, BrowserEnvironment, begin, equal, true, until
from browser.liveness_element import IN_SHADOW, TEXTS, await_ending, visit
from browser.scripted_steps import ScriptedSteps
from browser.synthetic_camera import CAMERA
from browser.task_states import STATES
from support import light, performers, synthetic_head

# The color of the page, as it is in the middle of a fade, is what falls on the head.
SHOWN = """
  function shownColor() {
    const roots = [document, ...[...document.querySelectorAll("mien-liveness")].map((each) => each.shadowRoot)];
    const lit = roots.map((root) => root?.querySelector("section[data-light]")).find(Boolean);
    return lit ? getComputedStyle(lit).backgroundColor : null;
  }
"""
SECTION = "check.shadowRoot.querySelector('section[data-screen=check]')"


class LitCamera:
    """A camera in front of a head that the page lights: `share` of its light."""

    def __init__(self, page, head, share, performer=None):
        self.head, self.share = head, share
        self.motion, self.began, self.colors = performers.HeadMotion(performer or light.FollowIfAsked()), time.monotonic(), []
        self.motion.SWAY = {name: size / 2 for name, size in self.motion.SWAY.items()}
        page.expose_function("nextFrame", self._next_frame)
        page.add_init_script(CAMERA.replace("let step = null;", SHOWN + "let step = null;").replace(
            "await nextFrame(step, answers)", "await nextFrame(step, answers, shownColor())"))

    def _next_frame(self, step, answers, shown):
        now = time.monotonic() - self.began
        if shown:
            color = light.linear([int(part) for part in shown[shown.index("(") + 1:-1].split(",")[:3]])
            if not self.colors or self.colors[-1][1] != shown:
                self.colors.append((now, shown))
        else:
            color = light.rgb(light.PEARL)
        picture = self.head.lit(color, self.share, **self.motion.pose(step, now, answers))
        return base64.b64encode(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()).decode()


@pytest.fixture
def lit_head(env: BrowserEnvironment):
    return synthetic_head.head(str(env.program), shared_data(), light.LitHead)


def lit_check(env, page, head, language="en", **camera):
    check = env.server.create(tasks=[{"kind": "light"}])
    seen = LitCamera(page, head, **camera)
    visit(env, page, f'session-id="{check["id"]}" session-token="{check["token"]}" brand-name="Harbour Bank"', language=language)
    page.click("#begin")
    return check, seen


def found(env, check, name="light"):
    result = env.server.result(check["id"])
    return result, next((found for found in result["findings"] if found["check"] == name), None)


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_head_that_the_page_lights_passes(env: BrowserEnvironment, lit_head, motion: str) -> None:
    """The page's colors on a rendered head pass, with soft and with softer fades."""
    size, scheme = (PHONE, "dark") if motion == "reduce" else (DESKTOP, "light")
    # On a busy machine a color can be without a frame, or late; the check then asks for another task, and the test begins again.
    for take in range(4):
        with env.page(env.browser(), size=size, scheme=scheme) as page:
            page.emulate_media(reduced_motion=motion)
            check, seen = lit_check(env, page, lit_head, share=0.15)
            until(page, f"{SECTION}.dataset.light && {SECTION}.dataset.light !== '#bebebe'", 60)
            env.shoot(page, f"light-shown-{motion}")
            equal(page.evaluate(f"{SECTION}.getBoundingClientRect().width >= innerWidth - 1"), True, "the whole screen")
            announced = page.evaluate(f"{IN_SHADOW % 'polite'}.textContent")
            true(TEXTS["en"]["instruction.light"] in announced, f"announced in words: {announced}")
            heading = await_ending(page, 120)
            result, light_found = found(env, check)
            print(light_found)
            if light_found and light_found["result"] == "not-assessed":
                if take < 3:
                    continue
                pytest.skip(f"this machine is too busy to show colors in time: {light_found}")
            equal(heading, TEXTS["en"]["passed.title"], f"heading of {result}")
            equal((result["state"], light_found["result"]), ("passed", "genuine"), "the server's own result")
            equal(page.evaluate(f"{SECTION}.hasAttribute('data-light') || {SECTION}.hasAttribute('popover')"), False, "it is over")
            true(len({color for _, color in seen.colors}) >= 8, "the colors were shown")
            return


@pytest.mark.parametrize("name", ["recording", "2 % light"])
def test_anything_else_does_not_pass_on_the_light(env: BrowserEnvironment, lit_head, name: str) -> None:
    """A recording does not pass; too little light is not assessed. The API's tests send further attacks."""
    camera = {"recording": dict(share=0, performer=performers.NoMovement()), "2 % light": dict(share=0.02)}[name]
    # On a busy machine a color can be without enough frames; the test then begins again. A recording does not pass either way.
    takes = 2 if name == "recording" else 4
    for take in range(takes):
        with env.page(env.browser()) as page:
            check, _ = lit_check(env, page, lit_head, **camera)
            await_ending(page, 120)
            result, light_found = found(env, check)
            print(name, result["state"], result.get("reason"), light_found)
            true(light_found is not None and light_found["result"] != "genuine", "the light is not genuine")
            is_busy = light_found.get("reason") in ("too-few-frames", "declined")
            if take + 1 < takes and is_busy:
                continue
            if is_busy and name == "2 % light":
                pytest.skip(f"this machine is too busy to show colors in time: {light_found}")
            if name == "2 % light":
                equal((light_found["result"], light_found["reason"]), ("not-assessed", "too-little-light"), "nothing is guessed")
                _, path = found(env, check, "head-path")
                equal((result["state"], path["result"]), ("passed", "genuine"), "the other task decides")
            else:
                true(result["state"] in ("failed", "timed-out"), f"{name} does not pass: {result}")
            return


def test_light_can_be_declined(env: BrowserEnvironment, lit_head) -> None:
    """A button declines the colors; the check goes on with another task, and the surface disappears."""
    with env.page(env.browser(), size=PHONE) as page:
        check, _ = lit_check(env, page, lit_head, share=0.15)
        until(page, f"!{IN_SHADOW % 'decline'}.hidden", 60)
        env.shoot(page, "light-announced")
        page.click("#decline")
        until(page, f"{IN_SHADOW % 'instruction'}.textContent === {TEXTS['en']['instruction.head-path']!r}", 30)
        equal(page.evaluate(f"{SECTION}.hasAttribute('data-light') || !{IN_SHADOW % 'decline'}.hidden"), False, "no surface")
        equal(await_ending(page, 120), TEXTS["en"]["passed.title"], f"heading of {env.server.result(check['id'])}")
        _, light_found = found(env, check)
        equal(light_found["reason"], "declined", "the finding")


def test_page_that_misses_a_color_asks_for_another_task(env: BrowserEnvironment) -> None:
    """A device that skips a color of the sequence declines it, once: a face that does not follow the colors would be suspect."""
    with env.page(env.browser(env.footage.turn_right()), size=PHONE) as page:
        declined: list = []
        page.on("request", lambda request: declined.append(request) if request.url.endswith("/decline") else None)
        script = ScriptedSteps(page, after(2))
        begin(page, env.server.url + "/check")
        until(page, "document.querySelector('section[data-light]') !== null")
        script.show(page, after(3))
        equal(len(declined), 0, "requests after a color in its order")
        for done in (5, 7):
            script.show(page, after(done))
            until(page, f"document.querySelector('section[data-light]').dataset.light === {COLORS[done % 4]!r}")
        equal(len(declined), 1, "requests after two colors that were skipped")


COLORS = ["#ffaaaa", "#59cbe1", "#e7bc59", "#95b4ff"]


def after(done: int) -> dict:
    """Returns a step of the light task with a number of colors behind it, and no change before the next step."""
    task = STATES["light"]["task"]
    light = {**task["prompt"]["light"], "color": COLORS[done % 4], "next": [], "until_ms": 60_000}
    return {**STATES["light"], "task": {**task, "prompt": {"done": done, "count": 60, "light": light}}}


def test_page_changes_no_faster_than_twice_a_second(env: BrowserEnvironment) -> None:
    """A server that asks for quick changes, or for other colors, does not make the page flash."""
    with env.page(env.browser(env.footage.turn_right()), size=DESKTOP) as page:
        script = ScriptedSteps(page, STATES["light"])
        page.add_init_script("""
          globalThis.changes = [];
          const { setAttribute } = Element.prototype;
          Element.prototype.setAttribute = function (name, value) {
            if (name === "data-light" && value !== changes.at(-1)?.color) changes.push({ color: value, at: performance.now() });
            setAttribute.call(this, name, value);
          };
        """)
        begin(page, env.server.url + "/check")
        colors = ["#ffaaaa", "#59cbe1", "#ff0000", "#95b4ff"]
        for number in range(40):
            shown = {**STATES["light"]["task"]["prompt"]["light"], "color": colors[number % 4], "next": [], "until_ms": 0}
            step = {**STATES["light"], "task": {**STATES["light"]["task"], "prompt": {"done": number, "count": 60, "light": shown}}}
            script.step = step
            page.wait_for_timeout(60)
        seen = page.evaluate("changes")
        true(len(seen) >= 3, f"it changes: {seen}")
        # A busy machine may note a single change late.
        intervals = [(seen[last]["at"] - seen[first]["at"], last - first) for last in range(len(seen)) for first in range(last)]
        true(all(passed > 480 * changes - 100 for passed, changes in intervals), f"not too fast: {seen}")
        true(all(change["color"] != "#ff0000" for change in seen), "no color that is not in its list")
        equal(serious_violations(page), [], "axe on the surface")
