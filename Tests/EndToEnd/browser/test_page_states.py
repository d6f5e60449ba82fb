"""Tests of every page in every state, about 80 of them: nothing that axe finds in light, dark and Arabic, no sideways scroll, buttons in sight."""

from __future__ import annotations

import pytest

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal
from browser.page_states import PageStates

pytestmark = pytest.mark.slow

# States whose first button is seen on a phone without scrolling.
ABOVE_THE_FOLD = ("check-welcome", "check-consent", "ending-passed", "ending-failed", "ending-late", "ending-blocked",
                  "ending-again", "scan-kind")
FIRST_BUTTON = """() => Math.min(...[...document.querySelectorAll("main .actions .button, main button.kind")]
  .filter((button) => button.getClientRects().length).map((button) => button.getBoundingClientRect().bottom))"""
# A phone in light and a desktop in dark colors.
LOOKS = [(PHONE, "light"), (DESKTOP, "dark")]


@pytest.fixture(scope="module")
def states(browsers):
    made = PageStates(browsers.browser(), str(browsers.program))
    browsers.hosts_elsewhere |= {made.url.removeprefix("http://"), made.site.url.removeprefix("http://")}
    yield made
    made.close()


@pytest.mark.parametrize("language", ["de-DE", "ar"])
@pytest.mark.parametrize("name", PageStates.walks())
def test_states_are_accessible_and_fit(env: BrowserEnvironment, states: PageStates, name: str, language: str) -> None:
    """No state has a serious violation in light or dark, and none is wider than a narrow phone."""
    found = []
    with env.page(env.browser(), size=PHONE, language=language, noise=False) as page:
        for state in states.walk(name, page):
            if state in ABOVE_THE_FOLD and not (bottom := page.evaluate(FIRST_BUTTON)) <= PHONE["height"]:
                found.append(f"{state}: the first button ends at {bottom}")
            for size, scheme in LOOKS:
                page.set_viewport_size(size)
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                found += [f"{state} {scheme}: {rule} {where}" for rule, where in serious_violations(page)]
            page.set_viewport_size(SMALL)
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > SMALL["width"]:
                found.append(f"{state}: {wide} wide")
            page.set_viewport_size(PHONE)
            page.emulate_media(color_scheme="light", reduced_motion="reduce")
    equal(found, [], "violations and widths")
