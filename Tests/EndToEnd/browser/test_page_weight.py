"""Tests of the size of pages: requests and bytes of a first and a second visit. Times are measured by scripts/measure-pages."""

from __future__ import annotations

import pytest

from browser.environment import PHONE, BrowserEnvironment, equal, true
from browser.page_checks import WEB

PAGES = ["", "check", "developers", "encode", "decode", "profile", "verify", "methodology", "scan", "scans", "status", "console"]
# Requests and kilobytes (1000 bytes) of a first visit, with headers. The API reference has a large document, messages have pictures.
LIMITS = {"check": (15, 70), "developers": (15, 130)} | {name: (15, 130) for name in ("encode", "decode", "profile")}
OTHERS = (15, 80)
KEPT = 12  # kilobytes of a second visit: the page itself and what the API answers


class Traffic:
    """Requests of a page and their bytes on the wire, as Chromium counts them."""

    def __init__(self, page):
        self.addresses: dict[str, str] = {}
        self.bytes: dict[str, int] = {}
        self.kept: set[str] = set()
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", lambda event: self.addresses.update({event["requestId"]: event["request"]["url"]}))
        session.on("Network.requestServedFromCache", lambda event: self.kept.add(event["requestId"]))
        session.on("Network.responseReceived",
                   lambda event: self.kept.add(event["requestId"]) if event["response"].get("fromDiskCache") else None)
        session.on("Network.loadingFinished", lambda event: self.bytes.update({event["requestId"]: event["encodedDataLength"]}))

    def sent(self) -> list[str]:
        """Returns the addresses that were requested from the server."""
        return [url for id, url in self.addresses.items() if id not in self.kept and belongs(url)]

    def total(self) -> int:
        return sum(count for id, count in self.bytes.items() if id not in self.kept and belongs(self.addresses.get(id, "")))


def belongs(url: str) -> bool:
    """Returns `False` for the pictures in lists: their number is that of the scans that other tests made."""
    return url.startswith("http") and not url.endswith("/results/thumbnail.jpg")


def visit(env: BrowserEnvironment, context, name: str) -> Traffic:
    page = context.new_page()
    traffic = Traffic(page)
    page.goto(f"{env.server.url}/{name}")
    page.wait_for_selector("html[data-ready]", state="attached")
    page.wait_for_load_state("networkidle")
    page.close()
    return traffic


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_small(env: BrowserEnvironment, name: str) -> None:
    """A first visit needs few requests and bytes; a second one loads no script, style sheet or text again."""
    most, kilobytes = LIMITS.get(name, OTHERS)
    context = env.browser().new_context(viewport=PHONE, locale="de-DE")
    try:
        first = visit(env, context, name)
        true(len(first.sent()) <= most, f"{len(first.sent())} requests of /{name}: {first.sent()}")
        true(0 < first.total() <= kilobytes * 1000, f"/{name} has {first.total()} bytes: {first.bytes}")
        true(any(".de." in url for url in first.sent()), "only the needed language")
        equal([url for url in first.sent() if "/assets/texts/" in url], [], "whole files of texts")
        second = visit(env, context, name)
        equal([url for url in second.sent() if "/assets/bundles/" in url], [], "files that never change")
        if name != "developers":
            true(second.total() <= KEPT * 1000, f"a second visit of /{name} has {second.total()} bytes: {second.sent()}")
    finally:
        context.close()


@pytest.mark.parametrize("language", sorted(path.stem for path in (WEB / "assets/texts").glob("*.json")))
def test_check_is_small_in_every_language(env: BrowserEnvironment, language: str) -> None:
    """The page of a check keeps its budget in scripts whose letters take more bytes."""
    context = env.browser().new_context(viewport=PHONE, locale=language)
    try:
        traffic = visit(env, context, "check")
        true(traffic.total() <= 70_000, f"{traffic.total()} bytes")
        # The announced language is the one that the page chooses, so that its texts are loaded once.
        equal(len([url for url in traffic.sent() if url.endswith(".json")]), 1, f"files of texts: {traffic.sent()}")
    finally:
        context.close()


def test_outline_is_painted_before_the_texts_arrive(env: BrowserEnvironment) -> None:
    """While the texts are on their way, the page shows its name and the outline of its content."""
    with env.page(env.browser(), size=PHONE) as page:
        held = []
        page.route("**/check.en.*.json", lambda route: held.append(route))
        page.goto(env.server.url + "/check", wait_until="commit")
        page.wait_for_selector("header .brand")
        equal(page.evaluate("getComputedStyle(document.querySelector('main'), '::before').visibility"), "visible", "the outline")
        equal(page.evaluate("getComputedStyle(document.querySelector('main')).visibility"), "hidden", "what has no texts yet")
        env.shoot(page, "outline")
        while not held:
            page.wait_for_timeout(50)
        true(page.evaluate("performance.getEntriesByName('first-contentful-paint').length") == 1, "it is painted")
        for route in held:
            route.continue_()
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.evaluate("getComputedStyle(document.querySelector('main'), '::before').content"), "none", "the outline afterwards")
