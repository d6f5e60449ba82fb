"""Tests of the operator's console: finding, reading, exporting and erasing records."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from browser.axe import serious_violations
from browser.console_pages import records, sign_in
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import SMALL_TEXT, press_until
from browser.photo_pages import EN
from support.capture_files import photo
from support.captures import post
from support.checks import claim_turn
from support.webhooks import Receiver, make

# A white PNG of one pixel, in the place of a stored picture of a face.
PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe"
                      "02fea735819e0000000049454e44ae426082")


def test_operator_finds_the_failed_check_sees_why_and_erases_it(env: BrowserEnvironment) -> None:
    """An operator filters for failed checks, reads why one failed, and erases it after a confirmation."""
    with records(env) as stored, env.page(env.browser()) as page:
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.wait_for_selector("#records li")
        equal(page.locator("#records li").count(), 3, "all checks")
        text = page.inner_text("#records")
        true("order 2" in text and EN["console.check.open"] in text and "yaw" not in text, text)
        page.select_option("#filter-state", "failed")
        until(page, "document.querySelectorAll('#records li').length === 1")
        true(EN["reason.wrong-direction.title"] in page.inner_text("#records"), "the list says why")
        page.fill("#filter-q", "nobody")
        until(page, "document.querySelectorAll('#records li').length === 0")
        equal(page.inner_text("#count"), EN["console.none"], "nothing matches")
        page.fill("#filter-q", "ben")
        page.wait_for_selector("#records li")
        page.click("#records li a")
        page.wait_for_selector("#verdict")
        equal(page.evaluate("document.activeElement.id"), "title", "the focus follows the record")
        page.wait_for_selector("[data-signature=valid]")
        text = page.inner_text("main")
        for said in (EN["console.check.failed"], EN["reason.wrong-direction.title"], EN["reason.wrong-direction.text"],
                     "wrong-direction", stored.failed.id, EN["console.source.claimed"], EN["console.signal.head-turn"]):
            true(said in text, f"the record says {said!r}: {text}")
        page.wait_for_selector("#audit ~ div p, #audit ~ div table")
        env.shoot(page, "console-failed")
        page.click("#erase")
        page.click("#confirm-no")
        equal(stored.failed.result().status, 200, "nothing is erased without a confirmation")
        page.click("#erase")
        page.click("#confirm-yes")
        page.wait_for_selector("#records", state="attached")
        until(page, "document.querySelectorAll('#records li').length === 0")
        equal(stored.failed.result().status, 404, "the check is erased")
        equal(page.input_value("#filter-q"), "ben", "the filters are still there")
        page.goto(f"{stored.url}/console#checks/{stored.failed.id}")
        page.reload()
        page.wait_for_selector("#wrong .wrong")


def test_list_updates_itself_and_shows_more_on_demand(env: BrowserEnvironment) -> None:
    """New checks and verdicts appear while the list is open; older ones after a press."""
    with records(env) as stored, env.page(env.browser()) as page:
        made = [stored.server.create(reference=f"series {number}").id for number in range(30)]
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.wait_for_selector("#records li")
        equal(page.locator("#records li").count(), 25, "one page")
        page.click("#more")
        until(page, "document.querySelectorAll('#records li').length === 33")
        true(page.locator("#more").is_hidden(), "there are no more")
        equal(page.evaluate("document.activeElement.closest('li')?.dataset.id"), made[4], "the focus is on the first new one")
        check = stored.server.claimed(challenge="turn-left", reference="at last")
        page.wait_for_selector(f'#records li:first-child[data-id="{check.id}"]')
        equal(page.get_attribute("#records li:first-child", "data-state"), "open", "its state")
        expected = {"at": EN["console.new"].replace("{number}", "1")}
        equal(page.inner_text("#polite"), expected["at"], "what a screen reader hears")
        stored.server.request("DELETE", f"/v1/checks/{made[0]}", token=stored.server.key)
        page.evaluate("document.querySelector('#records li a').focus()")
        equal(page.locator("#records li").count(), 34, "an older one stays until the list is loaded again")


def test_lists_are_read_after_changes_only(env: BrowserEnvironment) -> None:
    """The server tells the page what has changed; without changes, the page asks for nothing."""
    with records(env) as stored, env.page(env.browser()) as page:
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.wait_for_selector("#records li")
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/v1/" in request.url else None)
        page.wait_for_timeout(8000)
        quiet = [url for url in asked if "/v1/events" not in url]
        # The list is read once more when the stream begins, so that nothing in between is missed.
        true(len(quiet) <= 1, f"requests without changes: {quiet}")
        asked.clear()
        made = stored.server.create(reference="told")
        page.wait_for_selector(f'#records li:first-child[data-id="{made.id}"]')
        post(stored.server, {"photo": photo(92)}, key=stored.server.key)
        page.wait_for_timeout(3000)
        lists = [url for url in asked if "/v1/checks" in url or "/v1/captures" in url]
        equal(len(lists), 1, f"a photo is no change of the list of checks: {lists}")


def test_open_check_shows_its_result_once_it_is_decided(env: BrowserEnvironment) -> None:
    """The view of an open check updates itself when the check ends."""
    with records(env) as stored, env.page(env.browser()) as page:
        check = stored.server.claimed(challenge="turn-left", reference="under way")
        page.goto(f"{stored.url}/console#checks/{check.id}")
        sign_in(page, "anna")
        page.wait_for_selector("#about")
        equal(page.locator("#verdict").count(), 0, "no result yet")
        claim_turn(check, "turn-right", seconds=1.5)
        page.wait_for_selector("#verdict")
        equal(page.inner_text("#polite"), EN["console.check.failed"], "what a screen reader hears")
        page.wait_for_selector("[data-signature=valid]")


def test_exported_files_hold_the_filtered_list(env: BrowserEnvironment) -> None:
    """CSV and JSON hold what the filters match; a formula in a reference is text in a spreadsheet."""
    with records(env) as stored, env.page(env.browser()) as page:
        stored.server.create(reference='=HYPERLINK("x"),1', person="eve")
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.fill("#filter-q", "eve")
        until(page, "document.querySelectorAll('#records li').length === 1")
        with page.expect_download() as saved:
            page.click("#export-csv")
        text = saved.value.path().read_text()
        (row,) = csv.DictReader(io.StringIO(text))
        equal((row["reference"], row["person"], row["state"]), ('\'=HYPERLINK("x"),1', "eve", "open"), "the row")
        equal(saved.value.suggested_filename, "checks.csv", "the name")
        with page.expect_download() as saved:
            page.click("#export-json")
        (listed,) = json.loads(saved.value.path().read_text())
        equal(listed["reference"], '=HYPERLINK("x"),1', "JSON is exact")


def test_pictures_are_loaded_on_demand_only(env: BrowserEnvironment) -> None:
    """Stored pictures are requested after a press, since the request is recorded; the text says so."""
    with records(env) as stored, env.page(env.browser()) as page:
        asked = []
        place = f"/v1/checks/{stored.passed.id}"

        def with_pictures(route):
            body = stored.passed.result().json
            body["images"] = [{"kind": kind, "url": f"{place}/images/{index}", "box": [0.1, 0.1, 0.5, 0.5]}
                              for index, kind in enumerate(("reference", "audit"))]
            body["clip"] = "pending"
            body["match"] = {"decision": "no-match", "reference": "template", "similarity": 0.1234, "threshold": 0.36,
                             "false_match_rate": 0.0001, "false_non_match_rate": 0.012, "model": "face-1"}
            body["previous_attempts"] = [{"outcome": "failed", "reason": "face-lost", "ended_at": body["created_at"]}]
            body["feedback"] = [{"code": "low-lighting-detected", "message": "More light."}]
            body["findings"] += [{"check": "screen-or-print", "result": "suspect", "native": 0.7512, "score": 0.3,
                                  "calibration": "passive-4", "reason": "looks-recaptured"},
                                 # A finding that this page does not know keeps its name.
                                 {"check": "of-the-future", "result": "not-assessed", "reason": "too-few-frames"}]
            route.fulfill(status=200, content_type="application/json", body=json.dumps(body))

        def picture(route):
            asked.append(route.request.url)
            route.fulfill(status=200, content_type="image/png", body=PIXEL)

        page.route(re.compile(place + "$"), with_pictures)
        page.route(re.compile(place + "/images/"), picture)
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.goto(f"{stored.url}/console#checks/{stored.passed.id}")
        page.wait_for_selector("#show-images")
        text = page.inner_text("main")
        for said in (EN["console.media.audited"], EN["console.media.pending"], EN["match.no-match.title"], "0.123", "0.01%", "1.2%",
                     EN["console.match.template"], EN["reason.face-lost.title"], EN["console.feedback.low-lighting-detected"],
                     EN["console.signal.screen-or-print"], "0.751", EN["console.reason.looks-recaptured"], "passive-4", "of-the-future"):
            true(said in text, f"the record says {said!r}: {text}")
        equal(re.findall(r"\bconsole\.[a-z.-]+", text), [], "texts that are missing")
        equal(asked, [], "nothing is loaded unasked")
        page.click("#show-images")
        page.wait_for_selector(".pictures img")
        equal(len(asked), 2, "pictures")
        equal(page.locator(".pictures img").first.get_attribute("alt"), EN["console.media.face"], "its text")
        equal(serious_violations(page), [], "axe")
        env.shoot(page, "console-pictures")


def test_verifier_reads_a_capture_and_changes_nothing(env: BrowserEnvironment) -> None:
    """A verifier reads checks and photos, and sees neither other tabs nor buttons that the server would refuse."""
    with records(env) as stored, env.page(env.browser()) as page:
        page.goto(stored.url + "/console")
        sign_in(page, "vera")
        page.wait_for_selector("#records li")
        equal(page.locator("#tabs a").evaluate_all("links => links.map(link => link.id).filter(id => id).join()"),
              "tab-checks,tab-captures", "tabs")
        page.click("#records li >> text=order 2")
        page.wait_for_selector("#verdict")
        equal(page.locator("#erase, #audit").count(), 0, "nothing to erase, and no log")
        page.click("#tab-captures")
        page.wait_for_selector("#filter-check")
        equal(page.locator("#records li").count(), 1, "photos")
        equal(page.locator("[data-action=erase]").count(), 0, "nothing to erase")
        page.click("#records li a")
        page.wait_for_url(f"**/verify/{stored.capture['id']}")
        page.wait_for_selector("#record")
        true(stored.capture["photo"]["sha256"] in page.text_content("main"), "the report, whose evidence is folded")


def test_operator_sees_messages_webhooks_keys_and_retention(env: BrowserEnvironment) -> None:
    """The other tabs list messages, webhooks with a resend, keys and retention times."""
    with Receiver() as receiver, records(env, "--allow-private-webhooks") as stored, env.page(env.browser()) as page:
        hook = make(stored.server, receiver.url)
        page.goto(stored.url + "/console#messages")
        sign_in(page, "anna")
        page.wait_for_selector("#records li")
        true(stored.message["id"] in page.inner_text("#records"), "the message")
        true("the text" not in page.inner_text("main"), "its text is not shown")
        equal(serious_violations(page), [], "axe on messages")
        env.shoot(page, "console-messages")

        page.click("#tab-webhooks")
        page.click(f"#ping-{hook['id']}")
        receiver.wait(1)
        page.wait_for_selector("li[data-state=delivered]")
        page.click("li[data-state=delivered] button")
        equal(receiver.wait(2)[2]["webhook-id"], receiver.received[0][2]["webhook-id"], "the same message")
        page.wait_for_selector("li[data-state=delivered]")
        equal(serious_violations(page), [], "axe on webhooks")
        env.shoot(page, "console-webhooks")

        page.click("#tab-keys")
        page.wait_for_selector("li[data-state=active]")
        true("mien_" not in page.inner_text("main"), "no secret is shown")
        equal(serious_violations(page), [], "axe on keys")
        env.shoot(page, "console-keys")

        page.click("#tab-retention")
        page.wait_for_selector("#deleted")
        true(EN["console.kept.checks"] in page.inner_text("main"), "what is kept")
        equal(serious_violations(page), [], "axe on retention")
        env.shoot(page, "console-retention")

        page.click("#tab-captures")
        page.wait_for_selector("[data-action=erase]")
        page.click("[data-action=erase]")
        page.click("#confirm-yes")
        until(page, "document.querySelectorAll('#records li').length === 0")
        equal(stored.server.request("GET", f"/v1/captures/{stored.capture['id']}").status, 404, "the photo is erased")


def test_keyboard_alone_walks_from_the_list_to_a_record_and_back(env: BrowserEnvironment) -> None:
    """The keyboard reaches every tab, opens a check, and returns to its row."""
    with records(env) as stored, env.page(env.browser()) as page:
        page.goto(stored.url + "/console")
        sign_in(page, "anna")
        page.wait_for_selector("#records li")
        page.evaluate("document.getElementById('tab-checks').focus()")
        for name in ("captures", "messages", "webhooks", "keys", "retention"):
            page.keyboard.press("Tab")
            equal(page.evaluate("document.activeElement.id"), f"tab-{name}", "the next tab")
        page.evaluate("document.getElementById('title').focus()")
        for name in ("filter-q", "filter-state", "filter-assurance", "filter-created_after", "filter-created_before",
                     "export-csv", "export-json"):
            press_until(page, name, 5)
        page.keyboard.press("Tab")
        row = page.evaluate("document.activeElement.closest('li')?.dataset.id")
        true(row, "the first row")
        equal(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid", "the focus is seen")
        page.keyboard.press("Enter")
        page.wait_for_selector("#verdict, #about")
        page.keyboard.press("Tab")
        equal(page.evaluate("document.activeElement.className"), "plain", "copying the ID is next")
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Shift+Tab")
        page.go_back()
        page.wait_for_selector("#records")
        until(page, f"document.activeElement.closest('li')?.dataset.id === '{row}'")


@pytest.mark.slow
def test_console_fits_every_layout(env: BrowserEnvironment) -> None:
    """Lists and records fit in light, dark, small and right-to-left layouts, without sideways scrolling or violations of axe."""
    with records(env) as stored:
        looks = {"desktop": (DESKTOP, {}), "dark": (DESKTOP, {"scheme": "dark"}), "phone": (PHONE, {}),
                 "phone-dark": (PHONE, {"scheme": "dark"}), "small": (SMALL, {}), "german": (SMALL, {"language": "de"}),
                 "arabic": (PHONE, {"language": "ar"}), "arabic-desktop": (DESKTOP, {"language": "ar"})}
        for name, (size, look) in looks.items():
            with env.page(env.browser(), size=size, **look) as page:
                page.goto(stored.url + "/console")
                form = page.locator("#wrong form.sign-in")
                form.wait_for()
                check_appearance(env, page, f"{name}-asked", size["width"])
                form.locator("input[name=name]").fill("anna")
                form.locator("input[name=password]").fill("correct horse battery")
                page.keyboard.press("Enter")
                page.wait_for_selector("#records li")
                check_appearance(env, page, f"{name}-checks", size["width"])
                page.goto(f"{stored.url}/console#checks/{stored.passed.id}")
                page.wait_for_selector("[data-signature=valid]")
                page.wait_for_selector("#audit ~ div p, #audit ~ div table")
                check_appearance(env, page, f"{name}-passed", size["width"])
                for tab in ("captures", "messages", "webhooks", "keys", "retention"):
                    page.click(f"#tab-{tab}")
                    page.wait_for_selector(f"#tab-{tab}[aria-current]")
                    page.wait_for_selector("main h1")
                    page.wait_for_timeout(200)
                    check_appearance(env, page, f"{name}-{tab}", size["width"])


def check_appearance(env: BrowserEnvironment, page, name: str, width: int) -> None:
    """Takes a screenshot for manual review and checks the layout."""
    if env.screenshots:
        page.screenshot(path=env.screenshots / f"console-{name}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    true(wide <= width, f"{name} is {wide} wide")
    equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
    equal(serious_violations(page), [], f"axe on {name}")
    equal(re.findall(r"\bconsole\.[a-z.-]+", page.evaluate("document.body.innerText")), [], f"texts that are missing on {name}")
