"""Tests of keyboard use, screen readers, narrow windows, both color schemes and both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path

from axe import serious
from cases import case
from stage import DESKTOP, LANDSCAPE, PHONE, SMALL, Stage, begin, ending, equal, screen, true, until

WEB = Path(__file__).parents[3] / "Web"
TEXTS = {file.stem: json.loads(file.read_text()) for file in sorted((WEB / "assets/texts").glob("*.json"))}

# API codes that the page must translate to text.
INSTRUCTIONS = ["position-face", "hold-still", "get-ready", "turn", "come-back", "done"]
HINTS = ["no-face", "several-faces", "too-far", "too-close", "off-centre", "too-dark", "too-bright", "come-back",
         "other-way"]
REASONS = ["no-face", "timed-out", "wrong-direction", "turned-too-little", "did-not-return", "static",
           "wrong-movement", "face-lost", "changed-face", "several-faces", "timestamps-backwards",
           "too-many-observations", "expired", "not-finished", "unsteady", "wrong-answer", "wrong-motion", "too-early",
           "too-slow", "off-path", "not-measured", "suspect-frames", "too-few-frames", "no-face-image"]


@case("all languages have the same texts, with the same places to fill in")
def same_keys(stage: Stage) -> None:
    places = re.compile(r"\{\w+\}").findall
    true(len(TEXTS) >= 10, f"languages: {sorted(TEXTS)}")
    for language, texts in TEXTS.items():
        equal(list(texts), list(TEXTS["en"]), f"keys of {language}, in their order")
        for key, english in TEXTS["en"].items():
            equal(sorted(places(texts[key])), sorted(places(english)), f"{language}: {key}")
            true(texts[key].strip(), f"{language}: {key} is empty")
    listed = re.findall(r'code: "(\w+)"', (WEB / "assets/core/languages.js").read_text())
    equal(sorted(listed), sorted(TEXTS), "the list of languages and the files")


@case("every code of the API and every text that a page names is worded")
def every_code(stage: Stage) -> None:
    wanted = [f"instruction.{code}" for code in INSTRUCTIONS] + [f"hint.{code}" for code in HINTS]
    wanted += [f"reason.{code}.{part}" for code in REASONS for part in ("title", "text")]
    for page in WEB.glob("*.html"):
        wanted += re.findall(r'data-text(?:-label)?="([^"]+)"', page.read_text())
    for module in WEB.rglob("*.js"):
        wanted += re.findall(r'"data-text(?:-label)?": "([^"]+)"', module.read_text())
    equal([key for key in wanted if key not in TEXTS["en"]], [], "codes without words")


@case("the page speaks German to a German browser, and any other language can be chosen")
def german(stage: Stage) -> None:
    with stage.page(stage.browser(), language="de-AT") as page:
        page.goto(stage.server.url + "/check")
        page.wait_for_selector(screen("welcome"))
        equal(page.inner_text("#begin"), TEXTS["de"]["welcome.begin"], "button")
        equal(page.get_attribute("html", "lang"), "de", "lang")
        stage.shoot(page, "welcome-german")
        equal(page.locator("[data-language] option").count(), len(TEXTS), "languages to choose from")
        page.select_option("[data-language]", "en")
        page.wait_for_selector('html[lang="en"]')
        page.goto(stage.server.url + "/")
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.inner_text("h1"), TEXTS["en"]["home.title"], "heading after the change")


@case("the check can be started, stopped and tried again with the keyboard alone")
def keyboard(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.two_halves())) as page:
        page.goto(stage.server.url + "/check")
        page.wait_for_selector(screen("welcome"))
        press_until(page, "begin")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        equal(outline, "solid", "the focus is seen")
        stage.shoot(page, "keyboard-focus")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("check"))
        equal(page.evaluate("document.activeElement.id"), "instruction", "the focus follows the screen")
        press_until(page, "stop")
        page.keyboard.press("Space")
        equal(ending(page), TEXTS["en"]["stopped.title"], "heading")
        press_until(page, "again")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("check"))


def press_until(page, wanted: str, most: int = 8) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == wanted:
            return
    raise AssertionError(f"Tab does not reach #{wanted}")


@case("a screen reader hears settled instructions")
def spoken(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.two_halves())) as page:
        begin(page, stage.server.url + "/check")
        until(page, "document.getElementById('polite').textContent !== ''")
        heard = page.inner_text("#polite")
        true(page.inner_text("#instruction") in heard, heard)


def screens(stage: Stage, page):
    """Visits every screen and yields its name."""
    page.goto(stage.server.url + "/")
    page.wait_for_selector("#status:not([data-status=unknown])")
    yield "home"
    page.goto(stage.server.url + "/check")
    page.wait_for_selector(screen("welcome"))
    yield "welcome"
    page.click("#begin")
    until(page, "document.getElementById('remaining').textContent !== ''")
    yield "check"
    page.click("#stop")
    page.wait_for_selector(screen("ending"))
    yield "stopped"


@case("axe finds nothing serious, in light and dark, at phone and desktop width")
def axe(stage: Stage) -> None:
    found = []
    for scheme in ("light", "dark"):
        for width, size in (("phone", PHONE), ("desktop", DESKTOP)):
            with stage.page(stage.browser(stage.footage.two_halves()), size=size, scheme=scheme) as page:
                for name in screens(stage, page):
                    stage.shoot(page, f"{name}-{width}-{scheme}")
                    found += [f"{name} {width} {scheme}: {rule} {where}" for rule, where in serious(page)]
    equal(found, [], "violations")


@case("nothing is cut off at 320 pixels, nor on a phone on its side")
def narrow(stage: Stage) -> None:
    for language in ("en-GB", "de-DE", "ar-EG"):
        for width, size in (("small", SMALL), ("landscape", LANDSCAPE)):
            with stage.page(stage.browser(stage.footage.two_halves()), size=size, language=language) as page:
                for name in screens(stage, page):
                    stage.shoot(page, f"{name}-{width}-{language}")
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    true(wide <= size["width"], f"{name} {width} {language} is {wide} wide")
                    if name == "check":
                        bottom = page.evaluate("document.getElementById('stop').getBoundingClientRect().bottom")
                        true(bottom <= size["height"], f"{name} {width} {language}: Stop ends at {bottom}")


@case("no text is smaller than 16 pixels")
def size_of_text(stage: Stage) -> None:
    with stage.page(stage.browser(stage.footage.two_halves())) as page:
        for name in screens(stage, page):
            small = page.evaluate(SMALL_TEXT)
            equal(small, [], f"small text on {name}")


SMALL_TEXT = """
() => [...document.querySelectorAll("body *")]
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((element) => element.getClientRects().length && parseFloat(getComputedStyle(element).fontSize) < 16)
  .map((element) => element.outerHTML.slice(0, 80))
"""
