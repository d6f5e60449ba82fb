"""Walks through the flows of photos and scans with the keyboard alone; those of checks, messages and the console are in their own files."""

from __future__ import annotations

from browser.environment import BrowserEnvironment, equal, true, until
from browser.page_checks import TEXTS, tab_to
from browser.photo_pages import upload
from browser.scan_pages import visitor
from browser.test_scan_pages import await_result, recording
from support.capture_files import photo

EN = TEXTS["en"]


def choose_files(page, selector: str, files) -> None:
    """Opens the dialog of a file field with the keyboard, and answers it."""
    choosers: list = []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    # A busy browser drops a key now and then, and opens a dialog for a short time after the key only.
    for key in ("Enter", "Space") * 3:
        if not page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            tab_to(page, selector)
        page.keyboard.press(key)
        for _ in range(300):
            if choosers:
                choosers[0].set_files(files)
                return
            page.wait_for_timeout(50)
    raise AssertionError(f"no key opens a dialog at {selector}")


def test_a_photo_is_verified(env: BrowserEnvironment) -> None:
    """A photo is chosen, its evidence is unfolded and another one begun."""
    with visitor(env) as page:
        page.goto(env.server.url + "/verify")
        page.wait_for_selector("html[data-ready]", state="attached")
        choose_files(page, "#file", upload("keys.png", photo(977)))
        page.wait_for_selector('body[data-screen="file"] .verdict')
        equal(page.evaluate("document.activeElement.id"), "title", "the focus is on the answer")
        tab_to(page, "details.fold > summary")
        page.keyboard.press("Enter")
        until(page, "document.activeElement.parentElement.open")
        tab_to(page, '.actions a[href="/verify"]')
        page.keyboard.press("Enter")
        page.wait_for_selector('body[data-screen="choose"] #file', state="attached")


def test_an_object_is_scanned_and_measured(env: BrowserEnvironment) -> None:
    """The kind is chosen, depth added and reviewed, the surface measured, and the scan deleted."""
    with visitor(env) as page:
        page.goto(env.server.url + "/scan")
        page.wait_for_selector("#kind-object")
        tab_to(page, "#kind-object")
        page.keyboard.press("Enter")
        page.wait_for_selector("#depth-files", state="attached")
        choose_files(page, "#depth-files", recording(6, 29))
        until(page, "!document.getElementById('review').disabled")
        tab_to(page, "#label")
        page.keyboard.type("By keyboard")
        tab_to(page, "#review")
        page.keyboard.press("Enter")
        page.wait_for_selector("#upload")
        tab_to(page, "#upload")
        page.keyboard.press("Enter")
        await_result(page)
        equal(page.inner_text("h1"), "By keyboard", "title")
        tab_to(page, "#view-measure")
        page.keyboard.press("Enter")
        until(page, f"document.getElementById('measured').textContent === {EN['scan.measure.first']!r}")
        tab_to(page, "#view", back=True)
        page.keyboard.press("Enter")
        until(page, f"document.getElementById('measured').textContent === {EN['scan.measure.second']!r}")
        for _ in range(2):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        until(page, "/\\d\\s[cm]?m$/.test(document.getElementById('measured').textContent)")
        tab_to(page, "#erase")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog.confirm-dialog[open]")
        tab_to(page, "#confirm-yes", most=4)
        page.keyboard.press("Enter")
        page.wait_for_url("**/scans")
        true(page.is_visible("#title"), "the list")
