"""Tests of the report for an uploaded file, and of the pages of captures with and without each optional part."""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import SMALL_TEXT, TEXTS
from browser.photo_pages import Api, EN, metadata, upload
from support.capture_files import DETECTION, Phone, depth, encode_video, photo, planes


def status(page, line: str) -> str:
    return page.get_attribute(f'[data-line="{line}"]', "data-status")


def reported(page, kind: str = "capture") -> None:
    """Waits for a report and unfolds its evidence."""
    page.wait_for_selector(f'body[data-screen="{kind}"] .verdict', timeout=120_000)
    page.evaluate("for (const part of document.querySelectorAll('details.fold')) part.open = true")


def check_appearance(env: BrowserEnvironment, page, name: str, width: int) -> None:
    """Takes a screenshot of the whole page for manual review and checks the layout."""
    if env.screenshots:
        page.screenshot(path=env.screenshots / f"captures-{name}.png", full_page=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    true(wide <= width, f"{name} is {wide} wide")
    equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
    equal(serious_violations(page), [], f"axe on {name}")
    raw = page.evaluate("document.body.innerText").split()
    equal([word for word in raw if word.startswith(("verify.", "methodology."))], [], f"texts that are missing on {name}")


@contextmanager
def visitor(env: BrowserEnvironment, **look):
    with env.page(env.browser(), camera=False, **look) as page:
        yield page


def test_unknown_file_is_analyzed_and_a_known_one_leads_to_its_page(env: BrowserEnvironment) -> None:
    """An unknown file is analyzed and not stored; once it is a capture, it leads to its page."""
    picture = photo(301)
    with visitor(env) as page:
        page.goto(env.server.url + "/verify")
        check_appearance(env, page, "choose", DESKTOP["width"])
        page.set_input_files("#file", upload("a.png", picture))
        reported(page, "file")
        true(EN["verify.file.title"] in page.inner_text("main"), "the file is not known")
        true(page.inner_text("h1") in (EN[f"verify.verdict.{answer}"] for answer in ("genuine", "undecided", "suspect")), "the answer")
        equal(page.evaluate("document.activeElement.id"), "title", "the focus is on the heading")
        true(hashlib.sha256(picture).hexdigest() in page.inner_text("main"), "the digest is shown")
        check_appearance(env, page, "file", DESKTOP["width"])
        taken = Api(env).create_capture({"photo": picture})
        page.goto(env.server.url + "/verify")
        page.set_input_files("#file", upload("other-name.png", picture))
        page.wait_for_url(f"**/verify/{taken['id']}")
        reported(page)


def test_captures_with_every_optional_part(env: BrowserEnvironment) -> None:
    """Captures are uploaded with and without each optional part."""
    parts = {"depth_map": depth(), "metadata": metadata(), "detection": json.dumps(DETECTION).encode()}
    for number, names in enumerate(([], ["depth_map"], ["metadata"], ["detection"])):
        with visitor(env) as page:
            page.goto(env.server.url + "/verify")
            page.click("summary")
            page.set_input_files("#part-photo", upload("p.png", photo(310 + number)))
            for name in names:
                page.set_input_files(f"#part-{name}", upload(f"{name}.bin", parts[name]))
            page.click("#capture button")
            reported(page)
            equal(status(page, "signer"), "not-checked", "signer")
            equal(status(page, "place"), "not-checked" if "metadata" in names else "unavailable", "place")
            equal(page.locator('[data-visualization="depth"] img').count(), int("depth_map" in names), f"depth of {names}")
            equal(status(page, "claims") == "not-checked", "detection" not in names, f"claims of {names}")


def test_findings_are_shown_for_each_kind_of_capture(env: BrowserEnvironment) -> None:
    """A signed, a tampered, a swapped and a replayed capture are each shown as such."""
    api = Api(env)
    phone = Phone(api)
    whole = {"photo": photo(320), "depth_map": depth(), "metadata": metadata(), "detection": json.dumps(DETECTION).encode()}
    signed = phone.sign(whole)
    shown = {
        "signed": (signed, {"integrity": "pass", "signer": "pass", "device": "pass", "time": "pass"}, None),
        "replayed": (signed, {"integrity": "pass", "signer": "pass", "device": "fail"}, "counter-repeated"),
        "tampered": ({**phone.sign(whole), "photo": photo(321)}, {"integrity": "fail", "signer": "pass"}, "photo-changed"),
        "swapped": ({**phone.sign(whole), "detection": b"{}"}, {"integrity": "fail", "signer": "pass"}, "detection-changed"),
        "unregistered": (Phone(api, register=False).sign(whole), {"integrity": "not-checked", "signer": "unavailable"},
                     "device-unknown"),
    }
    for name, (parts, expected, reason) in shown.items():
        with visitor(env) as page:
            page.goto(env.server.url + "/verify/" + api.create_capture(parts)["id"])
            reported(page)
            for line, wanted in expected.items():
                equal(status(page, line), wanted, f"{line} of the {name} one")
            if reason:
                true(EN[f"verify.reason.{reason}"] in page.inner_text(".lines"), f"{name}: says why")
            check_appearance(env, page, name, DESKTOP["width"])


def test_report_fits_every_layout(env: BrowserEnvironment) -> None:
    """A report fits dark mode, a phone, right to left and paper."""
    taken = Api(env).create_capture({"photo": photo(330), "depth_map": depth(), "metadata": metadata(),
                             "detection": json.dumps({**DETECTION, "aggregated": {
                                 **DETECTION["aggregated_confidence"], "confidence_level": "suspicious"}}).encode()})
    for name, look in {"dark": {"scheme": "dark"}, "phone": {"size": PHONE}, "small": {"size": SMALL, "language": "de-DE"},
                       "arabic": {"language": "ar", "size": PHONE, "scheme": "dark"}, "hebrew": {"language": "he"}}.items():
        with visitor(env, **look) as page:
            page.goto(f"{env.server.url}/verify/{taken['id']}")
            reported(page)
            check_appearance(env, page, f"report-{name}", look.get("size", DESKTOP)["width"])
            if name not in ("dark", "arabic"):
                continue
            page.goto(env.server.url + "/verify")
            page.wait_for_selector("#drop")
            check_appearance(env, page, f"choose-{name}", look.get("size", DESKTOP)["width"])
            page.goto(env.server.url + "/methodology")
            page.wait_for_selector(".rate-chart")
            check_appearance(env, page, f"methodology-{name}", look.get("size", DESKTOP)["width"])
    with visitor(env) as page:
        page.goto(f"{env.server.url}/verify/{taken['id']}")
        reported(page)
        page.emulate_media(media="print")
        true(not page.is_visible(".actions") and page.is_visible(".lines"), "paper has no buttons")
        paper = page.pdf()
        true(paper.startswith(b"%PDF"), "it can be printed")
        if env.screenshots:
            (env.screenshots / "captures-print.pdf").write_bytes(paper)


def test_bursts_and_clips_are_uploaded_and_shown(env: BrowserEnvironment) -> None:
    """A burst and a clip are uploaded from the page and shown with their findings."""
    frames = planes(5, near=1)
    for name, files, size in (("burst", [upload(f"{n}.jpg", frame, "image/jpeg") for n, frame in enumerate(frames)], DESKTOP),
                              ("clip", [upload("a.webm", encode_video(frames * 2, "webm"), "video/webm")], PHONE)):
        with visitor(env, size=size, scheme="dark" if name == "clip" else "light") as page:
            page.goto(env.server.url + "/verify")
            page.click("summary")
            page.set_input_files("#part-photo", upload("p.jpg", frames[-1], "image/jpeg"))
            page.set_input_files(f"#part-{name}", files)
            page.click("#capture button")
            reported(page)
            shown = page.locator("#fold-burst")
            equal(shown.locator(".burst img").count(), len(files) if name == "burst" else 0, "pictures")
            equal(shown.locator("video").count(), int(name == "clip"), "videos")
            true(EN["verify.burst.parallax"] in shown.inner_text(), "the measurement is shown")
            check_appearance(env, page, name, size["width"])


def test_progress_is_shown_and_survives_an_outage(env: BrowserEnvironment) -> None:
    """While checks run, the page shows which are done, and survives a short outage of the server."""
    taken = Api(env).create_capture({"photo": photo(350)})
    with visitor(env, size=PHONE) as page:
        shown = {"state": "queued", "progress": {"done": ["moire", "artifacts"], "left": ["texture", "depth", "burst"]}}
        away = []

        def changed(route):
            if away:
                return away.pop()(route)
            reply = json.loads(route.fetch().text())
            if shown:
                reply |= {"queued_ahead": 1, **shown}
            route.fulfill(status=200, content_type="application/json", body=json.dumps(reply))

        page.route("**/v1/captures/*", changed)
        page.goto(f"{env.server.url}/verify/{taken['id']}")
        page.wait_for_selector("#groups li")
        equal(page.locator('[data-done="true"]').count(), 2, "done")
        equal(page.get_attribute("#progress", "value"), "2", "the bar")
        equal(page.get_attribute("#progress", "max"), "5", "all of it")
        check_appearance(env, page, "progress", PHONE["width"])
        away += [lambda route: route.abort(), lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body='{"code": "busy"}')]
        shown["progress"] = {"done": ["moire", "artifacts", "texture"], "left": ["depth", "burst"]}
        until(page, "document.querySelectorAll('#groups [data-done=\"true\"]').length === 3")
        shown.clear()
        # The server's real reply: analyzed.
        reported(page)


def test_measurements_are_shown_with_thresholds(env: BrowserEnvironment) -> None:
    """Measurements are shown with their thresholds and published error rates, where there are any."""
    taken = Api(env).create_capture({"photo": photo(340)})
    reading = {"check": "moire", "result": "suspect", "native": 12.3456, "score": 0.2, "threshold": 6, "calibration": "1",
               "algorithm_version": "7"}
    other = {"check": "texture", "result": "undecided", "native": 0.5, "score": 0.5, "threshold": 0.7, "calibration": "1",
             "algorithm_version": "1"}
    rates = [{"check": "moire", "version": "7", "measured_on": "recapture", "sources": 9, "held_out": False, "bpcer": {
        "errors": 1, "of": 50, "lower": 0.0005, "upper": 0.106}, "apcer": {"screen": {
            "errors": 10, "of": 40, "lower": 0.127, "upper": 0.412}, "foil": {"errors": 0, "of": 9, "lower": 0, "upper": 0.336}}}]

    def changed(route):
        reply = json.loads(route.fetch().text())
        reply["state"], reply["results"] = "analyzed", {"checks": [reading, other], "status": "partial"}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(reply))

    with visitor(env) as page:
        page.route("**/v1/captures/*", changed)
        page.route("**/v1/error-rates", lambda route: route.fulfill(
            status=200, content_type="application/json", body=json.dumps({"rates": rates})))
        page.goto(f"{env.server.url}/verify/{taken['id']}")
        reported(page)
        moire = page.inner_text('[data-check="moire"]')
        measured = EN["verify.rates.measured.same"].replace("{images}", "99").replace("{sources}", "9")
        for part in ("12.3", "6", "2%", "0.1%", "10.6%", "25%", "foil", measured):
            true(part in moire, f"{part} stands in {moire!r}")
        true(EN["verify.rates.none"] in page.inner_text('[data-check="texture"]'), "no rates for the other")
        check_appearance(env, page, "measures", DESKTOP["width"])
        page.goto(env.server.url + "/methodology")
        card = page.locator('[data-check="moire"]')
        card.wait_for()
        equal(card.locator(".rate-chart svg").count(), 3, "bars of rates")
        true("foil" in card.inner_text() and "25%" in card.inner_text(), "the rates in numbers")
        true(EN["methodology.unmeasured"] in page.inner_text('[data-check="texture"]'), "no rates for the other")
        check_appearance(env, page, "methodology-rates", DESKTOP["width"])


def test_sender_can_delete_a_capture(env: BrowserEnvironment) -> None:
    """The sender of a capture can delete it in the same browser, and its address then says so."""
    with visitor(env) as page:
        page.goto(env.server.url + "/verify")
        page.click("summary")
        page.set_input_files("#part-photo", upload("p.png", photo(350)))
        page.click("#capture button")
        reported(page)
        address = page.url
        page.click('[data-action="verify.erase"]')
        check_appearance(env, page, "capture-confirm", DESKTOP["width"])
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog.confirm-dialog", state="detached")
        equal(page.url, address, "the URL after closing the dialog")
        page.click('[data-action="verify.erase"]')
        page.click("#confirm-yes")
        until(page, f"document.getElementById('done')?.textContent === {json.dumps(EN['verify.erased'])}")
        page.goto(address)
        page.wait_for_selector('body[data-screen="missing"]')
        true(EN["verify.trouble.not-found"] in page.inner_text("main"), "it says why")


def test_errors_are_explained(env: BrowserEnvironment) -> None:
    """A file that is no photo is refused before it is sent; a server that refuses, is busy or unreachable is explained."""
    with visitor(env) as page:
        sent = []
        page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
        page.goto(env.server.url + "/verify")

        def refused(words: str) -> None:
            until(page, f"document.getElementById('wrong')?.textContent === {json.dumps(words)}")

        # What a file is, is decided by its first bytes and not by its name.
        for name, data, format in (("p.heic", b"II*\0" + b"\0" * 99, "TIFF"), ("p.dng", b"II*\0" + b"\0" * 99, "RAW"),
                                   ("p.jpg", b"BM" + bytes(12) + b"\x28" + bytes(40), "BMP"),
                                   ("p.cr3", b"\0\0\0\x18ftypcrx \0\0\0\1crx isom" + bytes(20), "RAW")):
            page.set_input_files("#file", upload(name, data))
            refused(EN["verify.refused.format"].replace("{format}", format))
        for data in (b"", b"%PDF-1.7\n", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + bytes(20)):
            page.set_input_files("#file", upload("p.jpg", data))
            refused(EN["verify.refused.other"])
        page.click("summary")
        page.set_input_files("#part-photo", upload("p.heic", b"II*\0" + b"\0" * 99))
        page.click("#capture button")
        refused(EN["verify.refused.format"].replace("{format}", "TIFF"))
        equal(sent, [], "nothing was sent")
        page.click("summary")
        page.set_input_files("#part-photo", upload("p.heic", b"\0\0\0\x18ftypheic" + bytes(99)))
        page.set_input_files("#part-clip", upload("c.mp4", b"II*\0" + b"\0" * 99))
        with page.expect_request(lambda request: request.method == "POST"):
            page.click("#capture button")
        refused_before = EN["verify.refused.format"].replace("{format}", "TIFF")
        until(page, f"![null, '', {json.dumps(refused_before)}].includes(document.getElementById('wrong')?.textContent ?? null)")
        equal(len(sent), 1, "the server decided")
        page.route("**/v1/verify-file", lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body='{"code": "busy", "status": 503, "detail": "x"}'))
        page.set_input_files("#file", upload("a.png", photo(360)))
        until(page, f"document.getElementById('wrong')?.textContent === {json.dumps(EN['verify.trouble.busy'])}")
        page.unroute_all()
        page.route("**/v1/verify-file", lambda route: route.abort())
        page.set_input_files("#file", upload("a.png", photo(360)))
        until(page, f"document.getElementById('wrong')?.textContent === {json.dumps(EN['verify.trouble.unreachable'])}")


#: The screens that a person looks at: scheme, size and language.
LOOKS = [("light", PHONE, "en"), ("dark", DESKTOP, "en"), ("dark", PHONE, "de"), ("light", DESKTOP, "de"), ("light", PHONE, "ar"),
         ("dark", DESKTOP, "ar"), ("dark", PHONE, "ja"), ("light", DESKTOP, "ja")]


def test_the_answer_comes_first(env: BrowserEnvironment) -> None:
    """A report begins with the answer and its error rates; who signed follows, and the evidence is folded."""
    taken = Api(env).create_capture({"photo": photo(370), "metadata": metadata()})
    published = json.loads(Api(env).request("GET", "/v1/error-rates").body)["rates"]
    # The first is that of the newest version; older results keep their own.
    whole = next(rate for rate in published if rate["check"] == "aggregated")
    true(whole["held_out"] and whole["sources"] > 20, "the combined rates are of sources that were not used for training")
    share = {"accepted": whole["accepted"], "wrong": whole["bpcer"], "missed": whole["apcer"]["all"]}
    levels = {"very_high": "genuine", "medium": "undecided", "suspicious": "suspect"}

    def answered(level):
        def changed(route):
            reply = json.loads(route.fetch().text())
            if reply["state"] == "analyzed":
                reply["results"]["aggregated"] = {"confidence_level": level, "algorithm_version": whole["version"]}
                reply["reception"] = {"signer": {"common_name": "Studio"}, "bytes": 3000, "url": f"/v1/captures/{taken['id']}/reception"}
            route.fulfill(status=200, content_type="application/json", body=json.dumps(reply))
        return changed

    for number, (scheme, size, language) in enumerate(LOOKS):
        level = list(levels)[number % 3]
        texts = TEXTS[language]
        with visitor(env, scheme=scheme, size=size, language=language) as page:
            page.route("**/v1/captures/*", answered(level))
            page.goto(f"{env.server.url}/verify/{taken['id']}")
            page.wait_for_selector(".verdict", timeout=120_000)
            equal(page.inner_text("h1"), texts[f"verify.verdict.{levels[level]}"], "the answer")
            words = texts[f"verify.verdict.rates.{levels[level]}"]
            for name, rate in share.items():
                words = words.replace("{" + name + "}", page.evaluate(
                    "([share, language]) => new Intl.NumberFormat(language, {style: 'percent', maximumFractionDigits: 0}).format(share)",
                    [rate["errors"] / rate["of"], language]))
            equal(page.inner_text(".verdict p"), words, "its error rates")
            equal(page.locator("details.fold[open]").count(), 0, "unfolded evidence")
            places = page.evaluate("['.verdict', '.provenance', '.evidence'].map((one) => document.querySelector(one).getBoundingClientRect().y)")
            equal(places, sorted(places), "the order")
            true(texts["verify.reception.signed"].replace("{name}", "Studio") in page.inner_text("main"), "who signed on receipt")
            check_appearance(env, page, f"answer-{language}-{scheme}-{size['width']}", size["width"])
            page.goto(env.server.url + "/methodology")
            page.wait_for_selector(".rate-chart")
            check_appearance(env, page, f"methodology-{language}-{scheme}-{size['width']}", size["width"])
