"""Tests of pages of which a file fails to load: they show an explanation instead of staying empty."""

from __future__ import annotations

from playwright.sync_api import Page

from browser.environment import BrowserEnvironment, equal, true

PAGES = ["", "check", "developers", "encode", "decode", "profile", "verify", "methodology", "scan", "scans", "status"]


def is_notice_visible(page: Page) -> bool:
    """Reports if the notice about an incomplete page is visible."""
    return page.evaluate("getComputedStyle(document.querySelector('.late')).visibility") == "visible"


def test_missing_script_is_reported(env: BrowserEnvironment) -> None:
    """A page whose script does not load says so after a while, also with reduced motion."""
    for motion in ("no-preference", "reduce"):
        pages = []
        with env.browser().new_context(reduced_motion=motion) as context:
            for name in PAGES:
                page = context.new_page()
                page.route("**/*.js", lambda route: route.abort("connectionreset"))
                page.goto(f"{env.server.url}/{name}")
                true(not is_notice_visible(page), f"{name}: the notice is not shown at once")
                pages.append((name, page))
            for name, page in pages:
                page.wait_for_selector(".late", timeout=120_000)
                true("Load it again" in page.inner_text(".late"), f"{name}: what to do")
            env.shoot(pages[0][1], f"incomplete-{motion}")


def test_missing_language_falls_back_to_english(env: BrowserEnvironment) -> None:
    """A page whose language does not load is in English."""
    with env.browser().new_context(locale="de-DE") as context:
        page = context.new_page()
        page.route("**/decode.de.*.json", lambda route: route.abort("connectionreset"))
        page.goto(env.server.url + "/decode")
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.evaluate("document.documentElement.lang"), "en", "the language")
        true(page.evaluate("getComputedStyle(document.querySelector('.late')).display") == "none", "what is whole says nothing of it")
