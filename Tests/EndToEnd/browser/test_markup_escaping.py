"""Tests that untrusted text with markup is always shown as text."""

from __future__ import annotations

import json

from browser import message_pages
from browser.environment import BrowserEnvironment, equal, screen, true, until
from browser.photo_pages import Api, metadata, upload
from browser.scan_pages import visitor
from browser.scripted_steps import ScriptedSteps
from support.capture_files import DETECTION, photo as picture

MARKUP = "\"'></bdi><img src=x onerror=\"window.ran=1\"><script>window.ran=1</script>{{ran}}&lt;b&gt;"


def is_text(page, place: str, what: str) -> None:
    """Checks that the text appears literally, created no elements and ran no script."""
    until(page, f"document.querySelector({json.dumps(place)})?.textContent.includes({json.dumps(MARKUP)})")
    equal(page.evaluate("[window.ran ?? null, document.querySelectorAll('[src=x], main script').length]"), [None, 0], what)


def test_foreign_texts_are_shown_as_text(env: BrowserEnvironment) -> None:
    """Texts of others in scans, captures and messages are shown as text on every page."""
    api = Api(env)
    subject = json.loads(api.request("POST", "/v1/subjects", {"name": MARKUP, "note": MARKUP}).body)
    scan = json.loads(api.request("POST", "/v1/scans", {
        "label": MARKUP, "subject": subject["id"], "kind": "object", "files": [{"name": "a.r3d", "bytes": 9}]}).body)
    with visitor(env) as page:
        page.goto(env.server.url + "/scans")
        is_text(page, f'[data-id="{scan["id"]}"] a', "a label in the list")
        is_text(page, f'[data-id="{scan["id"]}"] .what p', "a name in the list")
        page.fill("#work-day", "")
        page.fill("#work-search", MARKUP[:20])
        is_text(page, f'[data-subject="{subject["id"]}"] .name', "a name in the work list")
        is_text(page, f'[data-subject="{subject["id"]}"] p', "a note in the work list")
        page.click(f'[data-subject="{subject["id"]}"] .name')
        is_text(page, "#chosen", "the name that was chosen")
        page.goto(f"{env.server.url}/scan#{scan['id']}")
        page.wait_for_selector("h1")
        equal(page.evaluate("[window.ran ?? null, document.querySelectorAll('[src=x]').length]"), [None, 0], "a scan's page")
        # A link with a name in its address, as sent to users.
        page.goto(env.server.url + "/")
        page.goto(f"{env.server.url}/scan#for={'%22%3E%3Cimg%20src%3Dx%20onerror%3Dwindow.ran%3D1%3E'}")
        page.click("#kind-face")
        page.wait_for_selector("#subject")
        equal(page.evaluate("[window.ran ?? null, document.querySelectorAll('[src=x]').length]"), [None, 0], "a name in an address")
        page.goto(env.server.url + "/verify")
        page.set_input_files("#file", upload(MARKUP.replace("/", "_") + ".png", picture(771)))
        page.wait_for_selector('body[data-screen="file"] .lines', state="attached", timeout=120_000)
        equal(page.evaluate("[window.ran ?? null, document.querySelectorAll('[src=x], main script').length]"), [None, 0], "a file's name")
        claimed = json.loads(json.dumps(DETECTION).replace('"1.0"', json.dumps(MARKUP)))
        claimed["aggregated_confidence"] |= {"flags": [MARKUP], "primary_signal": MARKUP}
        detection = json.dumps(claimed).encode()
        taken = api.create_capture({"photo": picture(772), "metadata": metadata(), "detection": detection})
        page.goto(f"{env.server.url}/verify/{taken['id']}")
        page.wait_for_selector('body[data-screen="capture"] .lines', state="attached", timeout=120_000)
        equal(page.evaluate("[window.ran ?? null, document.querySelectorAll('[src=x], main script').length]"), [None, 0], "a claim")


def test_message_with_markup_is_shown_as_text(env: BrowserEnvironment) -> None:
    """A message with markup is shown as text."""
    with message_pages.visitor(env) as (page, _):
        page.route("**/v1/messages/*/unlock", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(message_pages.PERFORMANCE)))
        ScriptedSteps(page, message_pages.step(
            state="opened", text=MARKUP, performed=["smile", "surprise", "smile", "surprise", "smile"]))
        page.goto(f"{env.server.url}/decode#{message_pages.lock(env)['id']}")
        page.click("#perform")
        page.wait_for_selector(screen("revealed"))
        is_text(page, "#opened", "an opened message")
        true(page.evaluate("window.ran === undefined"), "nothing ran")
