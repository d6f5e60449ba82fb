"""Tests of the accessibility form: users state what they cannot do, and the check requests something else."""

from __future__ import annotations

import json

from browser.axe import serious_violations, violations
from browser.camera_clips import shared_data
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, ending, equal, screen, true, until
from browser.liveness_element import IN_SHADOW, TEXTS, shown, visit
from browser.scripted_steps import ScriptedSteps, step
from browser.synthetic_camera import SyntheticCamera
from support import performers, synthetic_head


def tick(page, *names: str) -> None:
    if not page.evaluate("(document.getElementById('able') ?? check.shadowRoot.getElementById('able')).open"):
        page.click("#able summary")
    for name in names:
        page.check(f"#able input[value={name}]")


def test_abilities_replace_head_movements(env: BrowserEnvironment) -> None:
    """Users who cannot move the head are asked for blinks and mouth openings, and pass with them."""
    head = synthetic_head.head(str(env.program), shared_data())
    asked = []
    with env.page(env.browser(), size=PHONE) as page:
        SyntheticCamera(page, head, performers.Move())
        page.on("request", lambda request: asked.append(request.post_data) if "/demo/checks" in request.url else None)
        page.goto(env.server.url + "/check")
        page.wait_for_selector(screen("welcome"))
        tick(page, "neck")
        env.shoot(page, "able-neck-phone")
        page.click("#begin")
        wanted = [TEXTS["en"][f"instruction.motions.{name}"] for name in ("blink", "open-mouth")]
        until(page, f"{json.dumps(wanted)}.includes(document.getElementById('instruction').textContent)", 90)
        equal(ending(page, 60_000), TEXTS["en"]["passed.title"], "heading")
    equal(json.loads(asked[0]), {"abilities": ["eyelids", "mouth", "sight"]}, "the request to the server")


def test_element_passes_abilities_to_the_session_function(env: BrowserEnvironment) -> None:
    """The element passes the abilities to the session function, and speaks for users who cannot see the screen."""
    with env.page(env.browser(env.footage.two_halves()), language="ar-EG", size=PHONE, scheme="dark") as page:
        page.add_init_script("globalThis.spoken = []; speechSynthesis.speak = ({ text }) => spoken.push(text);")
        visit(env, page, 'abilities="neck eyelids mouth sight"', language="ar", direction="rtl")
        true(page.evaluate(f"{IN_SHADOW % 'able'}.hidden"), "with a fixed session there is nothing to choose")
        page.evaluate("""() => {
          globalThis.asked = [];
          check.session = async ({ abilities }) => { asked.push(abilities); return { sessionId: "chk_1", sessionToken: "t" }; };
        }""")
        equal(page.evaluate("check.abilities"), None, "all of them are everything")
        script = ScriptedSteps(page, step("motions", {"next": "close-eyes", "done": 0, "count": 2}))
        tick(page, "sight", "mouth")
        env.shoot(page, "able-arabic")
        equal(serious_violations(page), [], "axe on the opened list")
        equal(page.evaluate("check.abilities"), ["neck", "eyelids"], "the property follows")
        page.click("#begin")
        words = TEXTS["ar"]["instruction.motions.close-eyes"]
        until(page, f"{IN_SHADOW % 'instruction'}.textContent === {words!r}")
        until(page, f"spoken.some((text) => text.includes({words!r}))")
        script.show(page, script.step)
        env.shoot(page, "task-close-eyes-arabic")
        equal(page.evaluate("asked"), [["neck", "eyelids"]], "what the backend is asked for")
        equal(shown(page, "count"), TEXTS["ar"]["count.done"].replace("{number}", "٠").replace("{count}", "٢"), "count in Egypt's digits")


def test_integrator_sets_abilities_and_invalid_ones_are_rejected(env: BrowserEnvironment) -> None:
    """Integrators may set the abilities; invalid ones are rejected, and a check without possible tasks is reported."""
    with env.page(env.browser()) as page:
        visit(env, page, 'abilities="neck"')
        page.evaluate("() => { check.session = async () => ({ sessionId: 'chk_1', sessionToken: 't' }); }")
        equal(page.evaluate("check.abilities"), ["neck"], "from the attribute")
        true(page.evaluate(f"{IN_SHADOW % 'able'}.open"), "what was chosen is seen")
        true(not page.is_disabled("#begin"), "a nod is left")
        page.evaluate("check.abilities = ['sight']")
        true(page.is_disabled("#begin"), "nothing is left")
        true(page.is_visible("#able-nothing"), "and it is said")
        env.shoot(page, "able-nothing")
        equal(serious_violations(page), [], "axe")
        page.evaluate("check.setAttribute('abilities', 'mouth')")
        equal(page.evaluate("check.abilities"), ["mouth"], "the attribute, changed")
        true(not page.is_disabled("#begin"), "a mouth is left")
        wrong = page.evaluate("() => { try { check.abilities = ['wings']; } catch (error) { return error.name; } }")
        equal(wrong, "TypeError", "a name that there is not")
        page.evaluate("check.abilities = null")
        equal(page.evaluate("check.abilities"), None, "everything again")


def test_form_fits_every_window(env: BrowserEnvironment) -> None:
    """The form fits every window, in light and dark, and axe finds nothing."""
    looks = (("small", SMALL, "light", "de-DE"), ("phone", PHONE, "dark", "he-IL"), ("desktop", DESKTOP, "dark", "en-GB"))
    for name, size, scheme, language in looks:
        with env.page(env.browser(), size=size, scheme=scheme, language=language) as page:
            page.goto(env.server.url + "/check")
            page.wait_for_selector(screen("welcome"))
            tick(page, "neck", "eyelids", "mouth")
            true(page.is_disabled("#begin"), "nothing is left")
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
            equal([found["id"] for found in violations(page)], [], f"axe on {name}")
            page.screenshot(path=env.screenshots / f"able-{name}.png", full_page=True) if env.screenshots else None


def test_check_created_elsewhere_cannot_be_adapted(env: BrowserEnvironment) -> None:
    """A check that was created elsewhere cannot be adapted, and the page does not offer it."""
    check = env.server.create("turn-left")
    with env.page(env.browser()) as page:
        page.goto(env.server.url + check["page"])
        page.wait_for_selector(screen("welcome"))
        true(not page.is_visible("#able"), "nothing to choose")
