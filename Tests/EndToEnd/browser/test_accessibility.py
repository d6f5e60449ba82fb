"""Tests of keyboard use, screen readers, narrow windows, both color schemes and both languages."""

from __future__ import annotations

import re

from browser.axe import serious_violations
from browser.environment import DESKTOP, LANDSCAPE, PHONE, SMALL, BrowserEnvironment, begin, ending, equal, screen, true, until
from browser.page_checks import SMALL_TEXT, TEXTS, WEB, press_until

# API codes that the page must translate to text.
INSTRUCTIONS = ["position-face", "hold-still", "get-ready", "turn", "come-back", "done"]
HINTS = ["no-face", "several-faces", "too-far", "too-close", "off-center", "too-dark", "too-bright", "come-back",
         "other-way", "face-covered", "others-behind"]
REASONS = ["no-face", "frozen-camera", "timed-out", "wrong-direction", "turned-too-little", "did-not-return", "static",
           "wrong-movement", "face-lost", "changed-face", "several-faces", "timestamps-backwards",
           "too-many-observations", "expired", "not-finished", "unsteady", "wrong-answer", "wrong-motion", "too-early",
           "too-slow", "off-path", "not-measured", "suspect-frames", "too-few-frames", "no-face-image", "person-changed"]


def test_every_code_has_a_text(env: BrowserEnvironment) -> None:
    """Every code of the API and every text that a page names exists."""
    wanted = [f"instruction.{code}" for code in INSTRUCTIONS] + [f"hint.{code}" for code in HINTS]
    wanted += [f"reason.{code}.{part}" for code in REASONS for part in ("title", "text")]
    for page in WEB.glob("*.html"):
        wanted += re.findall(r'data-text(?:-label)?="([^"]+)"', page.read_text())
    for module in WEB.rglob("*.js"):
        wanted += re.findall(r'"data-text(?:-label)?": "([^"]+)"', module.read_text())
    equal([key for key in wanted if key not in TEXTS["en"]], [], "codes without words")


def test_browser_language_is_used_and_can_be_changed(env: BrowserEnvironment) -> None:
    """The page is German in a German browser, and any other language can be selected."""
    with env.page(env.browser(), language="de-AT") as page:
        page.goto(env.server.url + "/check")
        page.wait_for_selector(screen("welcome"))
        equal(page.inner_text("#begin"), TEXTS["de"]["welcome.begin"], "button")
        equal(page.get_attribute("html", "lang"), "de", "lang")
        env.shoot(page, "welcome-german")
        equal(page.locator("[data-language] option").count(), len(TEXTS), "languages to choose from")
        page.select_option("[data-language]", "en")
        page.wait_for_selector('html[lang="en"]')
        page.goto(env.server.url + "/")
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.inner_text("h1"), TEXTS["en"]["home.title"], "heading after the change")


def test_keyboard_alone_starts_stops_and_retries(env: BrowserEnvironment) -> None:
    """The check can be started, stopped and retried with the keyboard alone."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        page.goto(env.server.url + "/check")
        page.wait_for_selector(screen("welcome"))
        press_until(page, "begin")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        equal(outline, "solid", "the focus is seen")
        env.shoot(page, "keyboard-focus")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("check"))
        equal(page.evaluate("document.activeElement.id"), "instruction", "the focus follows the screen")
        press_until(page, "stop")
        page.keyboard.press("Space")
        equal(ending(page), TEXTS["en"]["stopped.title"], "heading")
        press_until(page, "again")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("check"))


def test_screen_reader_hears_settled_instructions(env: BrowserEnvironment) -> None:
    """A screen reader hears settled instructions."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        begin(page, env.server.url + "/check")
        until(page, "document.getElementById('polite').textContent !== ''")
        heard = page.inner_text("#polite")
        true(page.inner_text("#instruction") in heard, heard)


def screens(env: BrowserEnvironment, page):
    """Visits every screen and yields its name."""
    page.goto(env.server.url + "/")
    page.wait_for_selector("#status:not([data-status=unknown])")
    yield "home"
    page.goto(env.server.url + "/check")
    page.wait_for_selector(screen("welcome"))
    yield "welcome"
    page.click("#begin")
    until(page, "document.getElementById('hint-text').textContent !== ''")
    yield "check"
    page.click("#stop")
    page.wait_for_selector(screen("ending"))
    yield "stopped"


def test_axe_finds_nothing_serious(env: BrowserEnvironment) -> None:
    """Axe finds nothing serious, in light and dark, at phone and desktop width."""
    found = []
    for scheme in ("light", "dark"):
        for width, size in (("phone", PHONE), ("desktop", DESKTOP)):
            with env.page(env.browser(env.footage.two_halves()), size=size, scheme=scheme) as page:
                for name in screens(env, page):
                    env.shoot(page, f"{name}-{width}-{scheme}")
                    found += [f"{name} {width} {scheme}: {rule} {where}" for rule, where in serious_violations(page)]
    equal(found, [], "violations")


def test_nothing_is_cut_off_at_320_pixels(env: BrowserEnvironment) -> None:
    """Nothing is cut off at 320 pixels or on a phone in landscape."""
    for language in ("en-GB", "de-DE", "ar-EG"):
        for width, size in (("small", SMALL), ("landscape", LANDSCAPE)):
            with env.page(env.browser(env.footage.two_halves()), size=size, language=language) as page:
                for name in screens(env, page):
                    env.shoot(page, f"{name}-{width}-{language}")
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    true(wide <= size["width"], f"{name} {width} {language} is {wide} wide")
                    if name == "check":
                        bottom = page.evaluate("document.getElementById('stop').getBoundingClientRect().bottom")
                        true(bottom <= size["height"], f"{name} {width} {language}: Stop ends at {bottom}")


def test_text_is_at_least_16_pixels(env: BrowserEnvironment) -> None:
    """No text is smaller than 16 pixels."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        for name in screens(env, page):
            small = page.evaluate(SMALL_TEXT)
            equal(small, [], f"small text on {name}")
