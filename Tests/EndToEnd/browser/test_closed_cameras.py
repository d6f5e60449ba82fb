"""Cameras that show nothing or always the same: the check ends with words that help, also for the second person with such a camera."""

from __future__ import annotations

import json
from contextlib import ExitStack

import pytest

from browser.environment import PHONE, BrowserEnvironment, begin, ending, equal, screen, true
from browser.page_checks import TEXTS
from support import footage
from support.program import ROOT

ENGLISH = TEXTS["en"]


def test_closed_and_frozen_cameras_end_with_the_right_words_twice(env: BrowserEnvironment) -> None:
    """Black, gray and frozen cameras, twice in a row, without the noise of a sensor."""
    clips = {"black": env.footage.plain("black"), "gray": env.footage.plain("gray"), "frozen": env.footage.frozen(footage.portrait())}
    no_face, frozen = ENGLISH["reason.no-face.title"], ENGLISH["reason.frozen-camera.title"]
    # The second check gets frames that the server knows from the first.
    expected = {"black": [no_face, no_face], "gray": [no_face, no_face], "frozen": [frozen, ENGLISH["problem.frame-replayed.title"]]}
    with ExitStack() as stack:
        pages = {name: stack.enter_context(env.page(env.browser(clip), noise=False, size=PHONE)) for name, clip in clips.items()}
        for name, page in pages.items():
            begin(page, env.server.url + "/check")
        found: dict[str, list[str]] = {name: [] for name in pages}
        for run in range(2):
            for name, page in pages.items():
                found[name].append(ending(page))
                env.shoot(page, f"{name}-camera-{run + 1}")
                if run == 0:
                    page.click("#again")
                    page.wait_for_selector(screen("check"))
    equal(found, expected, "headings")


@pytest.mark.parametrize("language", TEXTS)
def test_every_reason_and_hint_has_a_text(language: str) -> None:
    """Every reason, hint and lasting problem of the API has a text in every language."""
    schemas = json.loads((ROOT / "Web/openapi.json").read_text())["components"]["schemas"]
    texts = TEXTS[language]
    wanted = [f"reason.{reason}.{part}" for reason in schemas["Reason"]["enum"] for part in ("title", "text")]
    wanted += [f"hint.{hint}" for hint in schemas["Step"]["properties"]["hints"]["items"]["enum"]]
    equal([key for key in wanted if not texts.get(key)], [], "keys without a text")


def test_no_text_about_a_turn_says_right_for_correct() -> None:
    """Who is asked to turn left is never told about "the right side"."""
    turns = {key: text for key, text in ENGLISH.items() if key.startswith(("reason.", "hint.", "instruction.", "toward."))}
    wrong = [key for key, text in turns.items() if any(f"right {word}" in text.lower() for word in ("side", "way", "direction"))]
    equal(wrong, [], "texts that can be misread")
    true(len(turns) > 50, "the texts were found")
