"""Tests of the face comparison on the check page: consent before the camera opens, and the result in words."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from browser.axe import serious_violations
from browser.camera_clips import FRONTAL, shared_data
from browser.environment import DESKTOP, LANDSCAPE, PHONE, SMALL, BrowserEnvironment, begin, ending, equal, screen, true, until
from browser.page_checks import SMALL_TEXT, TEXTS, press_until
from browser.scripted_steps import ScriptedSteps, step
from support import footage
from support.program import ROOT

PARTS = Path(os.environ.get("MIEN_PARTS") or ROOT / ".mien")
MEDIA = PARTS / "media"
ENGLISH = TEXTS["en"]
PASSED = step("head-turn", {}) | {"state": "passed", "instruction": "done", "task": None}
pytestmark = pytest.mark.skipif(
    not (PARTS / "models/sface_2021dec.onnx").exists() or not (MEDIA / "obama.jpg").exists(),
    reason="the recognition model or the photographs are missing; run scripts/install-parts and scripts/install-test-media")


def text(picture: bytes) -> str:
    return base64.b64encode(picture).decode()


def still() -> bytes:
    """Returns a picture of the person in the clips of head turns."""
    source = shared_data() / "face_video" / "zubair" / "real.mov"
    command = ["ffmpeg", "-v", "error", "-ss", str(FRONTAL[0]), "-i", str(source), "-frames:v", "1", "-vf", "crop=640:480:160:60",
               "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "2", "-"]
    return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout


def created(env: BrowserEnvironment, picture: bytes, **more) -> dict:
    return env.server.create("turn-right", reference_image=text(picture), **more)


def open_question(page, env: BrowserEnvironment, check: dict) -> None:
    """Opens a check that compares the face, up to the question."""
    begin(page, env.server.url + check["page"])
    page.wait_for_selector(screen("consent"))
    true(page.evaluate("document.getElementById('video').srcObject === null"), "the camera is closed")
    equal(page.evaluate("document.activeElement.id"), "consent-title", "the focus is on the question")


def shown(page) -> dict:
    """Returns what the ending shows of the comparison."""
    return page.evaluate("""() => ({
      decision: document.getElementById("match-decision").textContent,
      text: document.getElementById("match-text").textContent,
      tone: document.getElementById("match").dataset.tone,
      hidden: document.getElementById("match").hidden,
      live: document.getElementById("match-live").naturalWidth > 0 && !document.getElementById("match-live-figure").hidden,
      picture: document.getElementById("match-reference").naturalWidth > 0
        && !document.getElementById("match-reference-figure").hidden,
    })""")


def run_until_passed(env: BrowserEnvironment, picture: bytes, answer: str, name: str, **look) -> tuple[dict, str, dict]:
    """Runs checks with a head turn until one passes; returns what the page showed and said, and the result.

    On a busy machine, the server misses the frames of a turn: such a check is no test of the comparison.
    """
    for tries in range(3):
        check = created(env, picture)
        with env.page(env.browser(env.footage.turn_right()), **look) as page:
            page.goto(env.server.url + check["page"])
            until(page, f"document.body.textContent.includes({json.dumps(ENGLISH['welcome.2.match'])})")
            open_question(page, env, check)
            env.shoot(page, f"{name}-consent")
            press_until(page, answer)
            page.keyboard.press("Enter")
            page.wait_for_selector(screen("check"))
            heading = ending(page)
            if heading != ENGLISH["passed.title"] and tries < 2:
                continue
            equal(heading, ENGLISH["passed.title"], f"heading after {env.server.result(check['id'])}")
            if answer == "agree":
                until(page, "document.getElementById('match-live').naturalWidth > 0", seconds=5)
            env.shoot(page, name)
            equal(serious_violations(page), [], "violations")
            return shown(page), page.inner_text("#assertive"), env.server.result(check["id"])


def test_person_of_the_picture_agrees_and_matches(env: BrowserEnvironment) -> None:
    """The person of the picture agrees, passes, and reads that both are the same person."""
    found, announced, result = run_until_passed(env, still(), "agree", "match-same", size=PHONE)
    equal((result["state"], result["match"]["decision"]), ("passed", "match"), f"{result['match']}")
    equal(found, {"decision": ENGLISH["match.match.title"], "text": ENGLISH["match.match.text"], "tone": "good", "hidden": False,
                  "live": True, "picture": False}, "what the page shows")
    true(all(ENGLISH[key] in announced for key in ("passed.title", "match.match.title")), f"a screen reader hears both: {announced}")


def test_another_person_passes_and_does_not_match(env: BrowserEnvironment) -> None:
    """Another person passes the check, and reads that the picture shows somebody else."""
    found, _, result = run_until_passed(env, (MEDIA / "obama.jpg").read_bytes(), "agree", "match-other-dark", scheme="dark")
    equal((result["state"], result["match"]["decision"]), ("passed", "no-match"), "both results")
    equal((found["decision"], found["tone"], found["picture"]), (ENGLISH["match.no-match.title"], "bad", False), f"{found}")


def test_declining_continues_without_the_comparison(env: BrowserEnvironment) -> None:
    """A person who declines passes without the comparison, and the backend learns that it was declined."""
    found, _, result = run_until_passed(env, still(), "disagree", "match-declined")
    equal((result["state"], result["match"]["decision"], result["match"]["reason"]), ("passed", "not-assessed", "declined"),
          "both results")
    equal((found["decision"], found["live"]), (ENGLISH["match.declined.title"], False), f"{found}")


def test_check_that_fails_is_not_compared(env: BrowserEnvironment) -> None:
    """A check that fails says that nothing was compared, apart from the reason of the failure."""
    check = created(env, still())
    with env.page(env.browser(env.footage.no_face()), size=PHONE, scheme="dark") as page:
        open_question(page, env, check)
        page.click("#agree")
        heading = ending(page)
        env.shoot(page, "match-not-live")
        found = shown(page)
    equal(heading, ENGLISH["reason.no-face.title"], "heading")
    equal((found["decision"], found["text"], found["live"]),
          (ENGLISH["match.not-assessed.title"], ENGLISH["match.not-assessed.not-live"], False), f"{found}")


def test_agreement_survives_a_reload(env: BrowserEnvironment) -> None:
    """A person who has agreed is not asked again after a reload; one who has declined is not either."""
    for answer in ("agree", "disagree"):
        check = created(env, still())
        with env.page(env.browser(env.footage.two_halves())) as page:
            open_question(page, env, check)
            page.click(f"#{answer}")
            until(page, "document.getElementById('hint-text').textContent !== ''")
            page.reload()
            page.wait_for_selector(screen("welcome"))
            page.click("#begin")
            page.wait_for_selector(screen("check"))


def test_check_without_a_picture_does_not_ask(env: BrowserEnvironment) -> None:
    """A check without a picture starts without a question, and an unreachable server is named."""
    check = env.server.create("turn-right")
    with env.page(env.browser(env.footage.two_halves())) as page:
        page.route("**/match", lambda route: route.abort("connectionrefused"))
        begin(page, env.server.url + check["page"])
        equal(ending(page), ENGLISH["trouble.unreachable.title"], "heading")
        page.unroute("**/match")
        page.click("#again")
        page.wait_for_selector(screen("check"))


def scripted(page) -> ScriptedSteps:
    """Answers the requests of a page that compares its own picture, up to a match."""
    steps = ScriptedSteps(page, step("head-turn", {}) | {"state": "positioning", "instruction": "hold-still", "task": None})
    page.route("**/match", lambda route: route.fulfill(
        status=200, content_type="application/json", body=json.dumps({"state": "decided", "decision": "match"})))
    return steps


def choose(page, name: str) -> None:
    page.click("#picture-choice summary")
    page.set_input_files("#picture", MEDIA / name)
    page.wait_for_selector("#picture-preview:not([hidden])")


def screens(env: BrowserEnvironment, page):
    """Visits every screen of the comparison with an own picture and yields its name."""
    steps = scripted(page)
    page.goto(env.server.url + "/check")
    page.wait_for_selector(screen("welcome"))
    choose(page, "obama.jpg")
    yield "own-welcome"
    page.click("#begin")
    page.wait_for_selector(screen("consent"))
    yield "own-consent"
    page.click("#agree")
    page.wait_for_selector(screen("check"))
    until(page, "document.getElementById('instruction').textContent !== ''")
    steps.show(page, steps.step)
    steps.step = PASSED
    ending(page)
    until(page, "document.getElementById('match-reference').naturalWidth > 0")
    yield "own-same"


def test_axe_finds_nothing_serious(env: BrowserEnvironment) -> None:
    """Axe finds nothing serious in the question and the result, in light and dark, at phone and desktop width."""
    found = []
    face = env.footage.frozen(footage.portrait())
    for scheme in ("light", "dark"):
        for width, size in (("phone", PHONE), ("desktop", DESKTOP)):
            with env.page(env.browser(face), size=size, scheme=scheme) as page:
                for name in screens(env, page):
                    env.shoot(page, f"{name}-{width}-{scheme}")
                    found += [f"{name} {width} {scheme}: {rule} {where}" for rule, where in serious_violations(page)]
                    found += [f"{name} {width} {scheme}: small text {small}" for small in page.evaluate(SMALL_TEXT)]
    equal(found, [], "violations")


def test_nothing_is_cut_off_in_small_windows(env: BrowserEnvironment) -> None:
    """Nothing is cut off at 320 pixels or on a phone in landscape."""
    face = env.footage.frozen(footage.portrait())
    for language in ("en-GB", "de-DE", "ar-EG"):
        for width, size in (("small", SMALL), ("landscape", LANDSCAPE)):
            with env.page(env.browser(face), size=size, language=language) as page:
                for name in screens(env, page):
                    env.shoot(page, f"{name}-{width}-{language}")
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    true(wide <= size["width"], f"{name} {width} {language} is {wide} wide")


def test_own_picture_is_sent_after_consent(env: BrowserEnvironment) -> None:
    """The picture that a person chose on the page is sent once they agree, and not if they decline or remove it."""
    for answer in ("agree", "disagree", "remove"):
        bodies: list[dict] = []
        with env.page(env.browser(env.footage.two_halves())) as page:
            page.on("request", lambda request: bodies.append(json.loads(request.post_data))
                    if request.url.endswith("/demo/checks") else None)
            page.goto(env.server.url + "/check")
            choose(page, "obama.jpg")
            true(ENGLISH["welcome.2.match"] in page.inner_text("main"), "the welcome screen names the comparison")
            if answer == "remove":
                page.click("#picture-remove")
                equal(page.evaluate("document.activeElement.id"), "picture", "the focus is on the choice")
                true(ENGLISH["welcome.2.text"] in page.inner_text("main"), "nothing is compared")
            page.click("#begin")
            if answer != "remove":
                page.wait_for_selector(screen("consent"))
                equal(page.inner_text("#consent-lead"), ENGLISH["consent.lead.own"], "the question names the own picture")
                equal(bodies, [], "nothing was sent before the answer")
                page.click(f"#{answer}")
            page.wait_for_selector(screen("check"))
            until(page, "document.getElementById('hint-text').textContent !== ''")
        equal([sorted(body) for body in bodies], [["reference_image"] if answer == "agree" else []], f"what was sent after {answer}")


def test_unsuitable_picture_leads_back_to_the_choice(env: BrowserEnvironment) -> None:
    """A picture without a single face is refused with the reason, and another one can be chosen."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        page.goto(env.server.url + "/check")
        choose(page, "multi_face.jpg")
        page.click("#begin")
        page.click("#agree")
        equal(ending(page), ENGLISH["problem.not-assessed.title"], "heading")
        env.shoot(page, "own-refused")
        page.click("#again")
        page.wait_for_selector(screen("welcome"))
        page.set_input_files("#picture", {"name": "broken.jpg", "mimeType": "image/jpeg", "buffer": b"no picture"})
        until(page, f"document.getElementById('picture-trouble').textContent === {json.dumps(ENGLISH['picture.unreadable'])}")
        page.set_input_files("#picture", MEDIA / "obama.jpg")
        page.wait_for_selector("#picture-preview:not([hidden])")
        page.click("#begin")
        page.wait_for_selector(screen("consent"))
        page.click("#agree")
        until(page, "document.getElementById('hint-text').textContent !== ''")


def test_missing_result_is_said(env: BrowserEnvironment) -> None:
    """A result of the comparison that cannot be loaded does not hide the result of the check."""
    with env.page(env.browser(env.footage.two_halves()), language="ar-EG", size=PHONE) as page:
        steps = scripted(page)
        page.route("**/match", lambda route: route.abort("connectionrefused"))
        page.goto(env.server.url + "/check")
        choose(page, "obama.jpg")
        page.click("#begin")
        page.click("#agree")
        page.wait_for_selector(screen("check"))
        steps.step = PASSED
        equal(ending(page), TEXTS["ar"]["passed.title"], "heading")
        equal(shown(page)["decision"], TEXTS["ar"]["match.unknown.title"], "the comparison")
        env.shoot(page, "match-unknown-arabic")
