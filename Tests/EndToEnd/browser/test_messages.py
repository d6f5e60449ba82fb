"""Tests of locking a message with expressions on one page and opening it on another; a wrong sequence is refused.

The pages, the camera stream, the server, its tracker and the GIF are real; the face is synthetic (`faces.py`).
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from browser.environment import DESKTOP, PHONE, BrowserEnvironment, equal, screen, true, until
from browser.message_pages import check_appearance, visitor
from browser.page_checks import TEXTS

THREE = ["smile", "wink_l", "smooch"]
OTHER = ["smooch", "smile", "wink_l"]
COUNTED = ["wink_l", "wink_r", "smile", "smooch"]
FIVE = ["smile", "wink_l", "smooch", "wink_l", "smile"]
TEXT = "Wanna play later? 👨‍👩‍👧‍👦 <b>é</b>"


def write(env: BrowserEnvironment, page, text: str, *, steps: int = 5, secret: bool = False, burn: bool = False) -> None:
    page.goto(env.server.url + "/encode")
    page.wait_for_selector(screen("write"))
    page.fill("#text", text)
    page.check("#views-1" if burn else "#views-any")
    if steps != 5 or secret:
        page.click("summary")
        page.select_option("#steps", str(steps))
        page.set_checked("#secret", secret)


def locked(page) -> str:
    """Waits until the message is locked and returns its ID."""
    page.wait_for_selector(screen("done"), timeout=120_000)
    return page.inner_text("#number")


def seen(env: BrowserEnvironment, page) -> None:
    page.wait_for_selector(screen("ready"))
    until(page, "document.getElementById('gif').naturalWidth > 0")
    # These pages run with reduced motion: the GIF is paused until the user starts it.
    true(page.is_visible("#gif + canvas") and not page.is_visible("#gif"), "the GIF is paused")
    page.click("#gif ~ .pause")
    true(page.is_visible("#gif") and not page.is_visible("#gif + canvas"), "the GIF plays")


def test_message_is_locked_and_opened_on_another_page(env: BrowserEnvironment) -> None:
    """A message locked with five expressions on one page opens on another with the GIF and the same expressions."""
    with visitor(env, FIVE) as (page, _):
        write(env, page, TEXT)
        check_appearance(env, page, "write", DESKTOP["width"])
        page.click("#lock")
        until(page, "document.querySelectorAll('.place[data-filled]').length >= 2", 90)
        equal(page.locator("#guide .name").all_inner_texts(), [TEXTS["en"][f"expression.{name}"] for name in COUNTED], "the faces that can be made")
        check_appearance(env, page, "recording", DESKTOP["width"])
        number = locked(page)
        equal(page.locator("#performed li").all_inner_texts(), [TEXTS["en"][f"expression.{name}"] for name in FIVE],
              "what was performed")
        check_appearance(env, page, "locked", DESKTOP["width"])
        with page.expect_download() as download:
            page.click("#download")
        gif = Path(tempfile.mkdtemp()) / "message.gif"
        download.value.save_as(gif)
        kept = page.evaluate("JSON.stringify(localStorage)")
        true("Wanna" not in kept and number in kept, f"the number is kept, and no text: {kept}")
    true(gif.read_bytes().startswith(b"GIF89a"), "a GIF was downloaded")
    names = [TEXTS["en"][f"expression.{name}"] for name in FIVE]
    with visitor(env, FIVE, size=PHONE, scheme="dark") as (page, _):
        page.goto(env.server.url + "/decode")
        page.wait_for_selector(screen("choose"))
        check_appearance(env, page, "choose-phone", PHONE["width"])
        page.set_input_files("#file", gif)
        seen(env, page)
        equal(page.inner_text("#number"), number, "the number in the GIF")
        equal(page.locator("#ready-steps li").all_inner_texts(), names, "what the GIF shows")
        equal(page.locator("#limits li").count(), 2, "attempts and the time at which it expires")
        check_appearance(env, page, "ready-phone", PHONE["width"])
        page.click("#perform")
        page.wait_for_selector(screen("perform"))
        equal(page.locator("#guide .name").all_inner_texts(), names, "names of the sequence")
        # The next step is marked, and so is the picture of it that imitates a mirror.
        following = "document.querySelectorAll('.place[data-filled]').length + 1"
        until(page, f"[...document.querySelectorAll('#guide li')].findIndex((each) => each.getAttribute('aria-current') === 'step') + 1 === {following}"
              f" && {following} > 1", 90)
        equal(page.evaluate("new DOMMatrix(getComputedStyle(document.querySelector('#guide .sprite')).transform).a"), -1, "a mirror image")
        until(page, "document.querySelectorAll('.place[data-filled]').length >= 3", 90)
        check_appearance(env, page, "opening-phone", PHONE["width"])
        page.wait_for_selector(screen("revealed"), timeout=120_000)
        equal(page.inner_text("#opened"), TEXT, "the text, as it was written")
        equal(page.inner_text("#assertive"), TEXT, "what is read out")
        check_appearance(env, page, "revealed-phone", PHONE["width"])
        page.click("#finished")
        until(page, f"document.querySelector('[data-id=\"{number}\"] .state:not(.shimmer)') !== null")
        true(TEXT in page.inner_text("#list"), "opened here, so its text is known here")
        check_appearance(env, page, "list-phone", PHONE["width"])


def test_wrong_sequence_is_rejected_and_retry_opens(env: BrowserEnvironment) -> None:
    """A wrong sequence is rejected and shown; the retry opens a message that is read once."""
    with visitor(env, THREE, language="de-DE") as (page, actor):
        texts = TEXTS["de"]
        write(env, page, "Bis gleich 🍕", steps=3, secret=True, burn=True)
        page.click("#lock")
        number = locked(page)
        env.shoot(page, "messages-locked-secret-german")
        page.goto(f"{env.server.url}/decode#{number.lower()}")
        seen(env, page)
        true(not page.is_visible("#ready-steps"), "a secret sequence is not shown")
        equal(page.locator("#limits li").nth(1).inner_text(), texts["messages.revealed.views"].format(number=1), "how often it can be read")
        actor.perform(OTHER)
        page.click("#perform")
        page.wait_for_selector(screen("perform"))
        equal(page.inner_text("#guide-title"), texts["messages.clue.secret"], "nor beside the camera")
        equal(page.locator("#guide li").count(), len(COUNTED), "but all that can be made")
        page.wait_for_selector(screen("ending"), timeout=120_000)
        equal(page.inner_text("#ending-title"), texts["messages.wrong.title"], "heading")
        equal(page.locator("#ending-performed li").all_inner_texts(), [texts[f"expression.{name}"] for name in OTHER],
              "what was performed")
        true("9" in page.inner_text("#ending-note"), "one of ten attempts is used")
        check_appearance(env, page, "wrong-german", DESKTOP["width"])
        actor.perform(THREE)
        page.click("#again")
        page.wait_for_selector(screen("revealed"), timeout=120_000)
        equal(page.inner_text("#opened"), "Bis gleich 🍕", "the text")
        equal(page.inner_text("#views"), texts["messages.revealed.last"], "it was the only time")
        kept = page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
        true("Bis gleich" not in kept, "nothing is kept")
        page.goto(env.server.url + "/")
        page.goto(f"{env.server.url}/decode#{number}")
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), texts["messages.state.read.title"], "afterwards")
        equal(json.loads(page.evaluate("localStorage.getItem('mien.counts')")), {"locked": 1, "opened": 1, "wrong": 1},
              "the counts")
