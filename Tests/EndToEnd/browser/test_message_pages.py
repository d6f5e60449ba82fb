"""Tests of the message pages without performances: input, choices, local storage, errors, every language and width."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
import urllib.request
from pathlib import Path

import pytest

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, screen, true, until
from browser.message_pages import PERFORMANCE, check_appearance, lock, step, visitor
from browser.page_checks import TEXTS, press_until
from browser.scripted_steps import ScriptedSteps

EN = TEXTS["en"]
WEB = Path(__file__).resolve().parents[3] / "Web"
FAMILY = "👨‍👩‍👧‍👦"
# A GIF of one pixel, with and without a comment.
HEAD = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff"
PIXEL = b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x44\x01\x00\x3b"


def comment(text: str) -> bytes:
    return b"\x21\xfe" + bytes([len(text)]) + text.encode() + b"\x00"


def gif(*parts: bytes) -> dict:
    return {"name": "a.gif", "mimeType": "image/gif", "buffer": HEAD + b"".join(parts) + PIXEL}


def test_characters_are_counted_as_users_see_them(env: BrowserEnvironment) -> None:
    """Characters are counted as users see them, and empty, blank or long texts cannot be locked."""
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/encode")
        for text, count, allowed in (("", 0, False), ("  \n ", 4, False), (FAMILY + "e\u0301", 2, True),
                                     (FAMILY * 100, 100, True), ("a" * 101, 101, False), ("שלום <b>", 8, True)):
            page.fill("#text", text)
            equal(page.inner_text("#count"), EN["messages.write.count"].format(number=count, most=100), repr(text[:8]))
            equal(page.is_enabled("#lock"), allowed, f"{text[:8]!r} may be locked")
        page.fill("#text", "a" * 103)
        equal(page.inner_text("#count-announcement"), EN["messages.write.too-long"].format(number=3), "what is heard")


def test_invalid_gifs_and_ids_are_distinguished(env: BrowserEnvironment) -> None:
    """A file that is no GIF, a GIF without an ID, a damaged one and a mistyped ID are distinguished."""
    number = lock(env)["id"]
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/decode#100%")  # a truncated link
        page.wait_for_selector(screen("choose"))

        def refused(file: dict, key: str) -> None:
            page.set_input_files("#file", file)
            until(page, f"document.getElementById('choose-wrong').textContent === {json.dumps(EN[key])}")

        refused({"name": "a.gif", "mimeType": "image/gif", "buffer": b"\x89PNG\r\n\x1a\n"}, "messages.choose.not-a-gif")
        refused({"name": "a.gif", "mimeType": "image/gif", "buffer": b""}, "messages.choose.not-a-gif")
        refused(gif(), "messages.choose.no-comment")
        refused(gif(comment("made with love")), "messages.choose.no-comment")
        other = "1" if number[0] != "1" else "2"
        refused(gif(comment(f"mien message {other}{number[1:]}")), "messages.choose.no-comment")
        cut = {"name": "a.gif", "mimeType": "image/gif", "buffer": HEAD + b"\x21\xfe\xff"}
        refused(cut, "messages.choose.broken")
        # A damaged header that states a huge picture, and data that ends in the middle.
        huge = HEAD[:6] + b"\xff\xff\xff\xff" + HEAD[10:]
        refused({"name": "a.gif", "mimeType": "image/gif", "buffer": huge + PIXEL[:8]}, "messages.choose.broken")
        refused({"name": "a.gif", "mimeType": "image/gif", "buffer": HEAD + comment("x") + b"\x00" * 40}, "messages.choose.broken")
        check_appearance(env, page, "no-number", DESKTOP["width"])
        for typed in ("", "1234", other + number[1:]):
            page.fill("#typed-number", typed)
            page.click("#typed button")
            equal(page.inner_text("#choose-wrong"), EN["messages.choose.no-number"], typed)
        page.set_input_files("#file", gif(comment("made with love"), comment(f"mien message {number}")))
        page.wait_for_selector(screen("ready"))
        equal(page.inner_text("#number"), number, "from the second comment")
        true(not page.is_visible("#gif-damaged"), "the GIF is whole")
        page.click("#other")
        part = HEAD + comment(f"mien message {number}") + PIXEL[:12]
        page.set_input_files("#file", {"name": "a.gif", "mimeType": "image/gif", "buffer": part})
        page.wait_for_selector(screen("ready"))
        equal(page.inner_text("#gif-damaged"), EN["messages.ready.damaged"], "the rest of the GIF is missing")
        until(page, "document.getElementById('gif').naturalWidth === 256")


def test_message_id_comes_from_link_input_and_dropped_gif(env: BrowserEnvironment) -> None:
    """The message ID is read from a link, from input in lower case, and from a GIF that is dropped or pasted."""
    number = lock(env, avatar="fox")["id"]
    body = list(gif(comment(f"mien message {number}"))["buffer"])
    with visitor(env) as (page, _):
        for typed in (number.lower().replace("-", " "), f"https://elsewhere.example/decode#{number}",
                      number.replace("0", "o").replace("1", "l")):
            page.goto(env.server.url + "/decode")
            page.fill("#typed-number", typed)
            page.click("#typed button")
            page.wait_for_selector(screen("ready"))
            equal(page.inner_text("#number"), number, typed)
            page.click("#other")
        for event, holder in (("drop", "dataTransfer"), ("paste", "clipboardData")):
            page.wait_for_selector(screen("choose"))
            page.evaluate("""([body, event, holder]) => {
              const transfer = new DataTransfer();
              transfer.items.add(new File([new Uint8Array(body)], "a.gif", { type: "image/gif" }));
              const kind = event === "drop" ? DragEvent : ClipboardEvent;
              const made = new kind(event, { [holder]: transfer, bubbles: true, cancelable: true });
              document.getElementById("drop").dispatchEvent(made);
            }""", [body, event, holder])
            page.wait_for_selector(screen("ready"))
            equal(page.inner_text("#number"), number, event)
            page.click("#other")


def test_message_id_is_read_from_pixels(env: BrowserEnvironment) -> None:
    """The message ID is read from the pixels of a GIF without comment, of an image and of a video."""
    message = lock(env, avatar="fox")
    with urllib.request.urlopen(env.server.url + message["gif"], timeout=120) as reply:
        whole = reply.read()
    start = whole.index(b"\x21\xfe")
    bare = whole[:start] + whole[start + 4 + whole[start + 2]:]
    with tempfile.TemporaryDirectory() as folder, visitor(env) as (page, _):
        gif = Path(folder) / "bare.gif"
        gif.write_bytes(bare)
        for name, arguments in (("clip.webm", ["-c:v", "libvpx", "-b:v", "900k", "-pix_fmt", "yuv420p"]),
                                ("clip.mp4", ["-pix_fmt", "yuv420p"]),
                                ("recorded.webm", ["-c:v", "libvpx", "-b:v", "900k", "-pix_fmt", "yuv420p", "-live", "1"]),  # unknown duration
                                ("still.webp", ["-vf", r"select=eq(n\,6)", "-frames:v", "1"]),
                                ("cropped.jpg", ["-vf", r"select=eq(n\,0)", "-frames:v", "1"])):
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", gif, *arguments, gif.with_name(name)], check=True)
        for name in ("bare.gif", "clip.webm", "recorded.webm", "clip.mp4", "still.webp"):
            page.goto(env.server.url + "/decode")
            page.wait_for_selector(screen("choose"))
            page.set_input_files("#file", gif.with_name(name))
            page.wait_for_selector(screen("ready"), timeout=120_000)
            equal(page.inner_text("#number"), message["id"], name)
            shown = page.get_attribute("#gif", "src")
            equal(shown.startswith("blob:"), name == "bare.gif", f"the GIF that was brought is shown: {shown}")
            page.click("#other")
        page.set_input_files("#file", gif.with_name("cropped.jpg"))
        words = json.dumps(EN["messages.choose.no-comment"])
        until(page, f"document.getElementById('choose-wrong').textContent === {words}")
    equal(env.server._ask(message["gif"].removesuffix("/gif"))["attempts_left"], 10, "nothing was counted")


def test_link_is_needed_and_the_sender_revokes(env: BrowserEnvironment) -> None:
    """A message with a link opens only with it, its GIF is as chosen, and the sender deletes the message beside its GIF."""
    message = lock(env, requires_link=True)
    with visitor(env) as (page, _):
        page.goto(env.server.url + f"/decode#{message['id']}")
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), EN["messages.problem.link-required.title"], "the number alone")
        page.goto("about:blank")
        page.goto(env.server.url + f"/decode#{message['id']}/{message['link_key']}")
        page.wait_for_selector(screen("ready"))
        sent = []
        page.route(f"**/v1/messages/{message['id']}/unlock", lambda route: (sent.append(route.request.post_data_json), route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE))))
        ScriptedSteps(page, step(state="wrong", performed=["smooch", "smile", "wink_l"], attempts_left=9, count=3))
        page.click("#perform")
        page.wait_for_selector(screen("ending"), timeout=30_000)
        equal(sent, [{"link_key": message["link_key"]}], "the key is sent")
    with visitor(env) as (page, _):
        asked, looks = [], []
        page.route("**/v1/messages/recordings", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        page.route("**/v1/messages", lambda route: (asked.append(route.request.post_data_json), route.fulfill(
            status=201, content_type="application/json", body=json.dumps(message))))
        page.on("request", lambda request: looks.append(request.url) if "/gif" in request.url else None)
        ScriptedSteps(page, step(state="recorded", performed=["smile", "wink_l", "smile", "wink_l", "smile"]))
        page.goto(env.server.url + "/encode")
        equal(page.locator(".avatars-line .sprite").count(), 4, "expressions that count")
        page.fill("#text", "mine")
        page.click("summary")
        page.check("#link")
        page.select_option("#gif-style", "smooth")
        page.select_option("#stay", "2")
        page.click("#lock")
        page.wait_for_selector(screen("done"))
        true(asked[0]["requires_link"] is True and page.is_visible("#link-only"), "the link is explained")
        true(any("style=smooth&id_seconds=2" in url for url in looks), f"the GIF is as chosen: {looks}")
        check_appearance(env, page, "done-with-link", DESKTOP["width"])
        page.click("#revoke")
        page.click("#confirm-yes")
        page.wait_for_selector(screen("write"))
        equal(env.server._ask(f"/v1/messages/{message['id']}")["state"], "deleted", "the message")


def test_options_are_sent_and_drafts_survive(env: BrowserEnvironment) -> None:
    """The sender's options are sent, and a draft survives another language and another tab."""
    with visitor(env, size=PHONE) as (page, _):
        page.route("**/v1/messages/recordings", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        payloads = []
        page.route("**/v1/messages", lambda route: (payloads.append(route.request.post_data_json), route.fulfill(
            status=422, content_type="application/json", body=json.dumps({"code": "bad-value"}))))
        ScriptedSteps(page, step(state="recorded", performed=["smile", "surprise", "smile", "surprise", "smile"]))
        page.goto(env.server.url + "/encode")
        page.fill("#text", "draft שלום")
        page.click("summary")
        for field, value in (("attempts", "3"), ("after", "wait"), ("steps", "7")):
            page.select_option(f"#{field}", value)
        page.check("#views-3")
        page.check("#life-86400")
        page.check("#watch")
        check_appearance(env, page, "choices-phone", PHONE["width"])
        with page.expect_navigation():
            page.select_option("select[data-language]", "he")
        until(page, "document.documentElement.dir === 'rtl'")
        page.click('a[href="/profile"]')
        page.click('.tabs a[href="/encode"]')
        page.wait_for_selector(screen("write"))
        equal(page.input_value("#text"), "draft שלום", "the text")
        page.click("summary")
        true(page.is_checked("#views-3") and page.is_checked("#life-86400"), "the chips")
        check_appearance(env, page, "choices-hebrew", PHONE["width"])
        page.click("#lock")
        page.wait_for_selector(screen("ending"))
        payload = {name: payloads[0].get(name) for name in
                ("text", "mode", "views", "attempts", "first_wait", "expires_in", "requires_frames", "requires_passive")}
        equal(payload, {"text": "draft שלום", "mode": "open", "views": 3, "attempts": 3, "first_wait": 600, "expires_in": 86400,
                     "requires_frames": None, "requires_passive": True}, "what was asked for")


def test_custom_avatar_sheet_is_used(env: BrowserEnvironment) -> None:
    """A custom sheet is used as avatar; other images are rejected."""
    sheet = WEB / "assets/avatars/fox.png"
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/profile")
        page.wait_for_selector("#preview .sprite")
        true(not page.is_visible("#avatar-own") and not page.is_visible("#remove"), "there is none yet")
        page.set_input_files("#sheet", {"name": "a.png", "mimeType": "image/png", "buffer": b"no picture"})
        words = json.dumps(EN["messages.profile.own.wrong"])
        until(page, f"document.getElementById('sheet-wrong').textContent === {words}")
        page.set_input_files("#sheet", sheet)
        page.wait_for_selector("#avatar-own")
        true(page.is_checked("[value=own]"), "it is chosen")
        equal(page.inner_text("#sheet-wrong"), "", "nothing is wrong")
        equal(page.locator('#preview [data-avatar="own"]').count(), 6, "sprites")
        check_appearance(env, page, "own-sheet", DESKTOP["width"])
        sent = []
        page.route("**/v1/messages/recordings", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        message = lock(env)
        page.route("**/v1/messages", lambda route: (sent.append(route.request.post_data_json["avatar"]), route.fulfill(
            status=201, content_type="application/json", body=json.dumps(message))))
        ScriptedSteps(page, step(state="recorded", performed=["smile", "surprise", "smile", "surprise", "smile"]))
        page.goto(env.server.url + "/encode")
        page.fill("#text", "mine")
        page.click("#lock")
        page.wait_for_selector(screen("done"))
        equal(sent, ["bear"], "the avatar that the server keeps")
        until(page, "document.getElementById('gif').naturalWidth === 256")
        true(page.is_visible("#download"), "the GIF is there")
        page.goto(env.server.url + "/profile")
        page.click("#remove")
        true(page.is_checked("[value=bear]") and not page.is_visible("#avatar-own"), "the bear again")


def test_suspect_frames_and_rate_limits_are_explained(env: BrowserEnvironment) -> None:
    """Suspect frames and the rate limit are explained."""
    with visitor(env) as (page, _):
        page.route("**/v1/messages/*/unlock", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        ScriptedSteps(page, step(state="suspect", performed=["smile", "surprise", "smile", "surprise", "smile"]))
        page.goto(f"{env.server.url}/decode#{lock(env, requires_passive=True)['id']}")
        page.click("#perform")
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), EN["messages.state.suspect.title"], "suspect")
        true(page.is_visible("#again"), "it can be tried again")
        check_appearance(env, page, "suspect", DESKTOP["width"])
        page.route("**/v1/messages/*", lambda route: route.fulfill(
            status=429, headers={"Retry-After": "3"}, content_type="application/json",
            body=json.dumps({"code": "too-many-requests"})))
        page.reload()
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), EN["messages.problem.too-many-requests.title"], "too often")


def test_missing_locked_and_unreachable_messages_are_explained(env: BrowserEnvironment) -> None:
    """A missing, deleted or locked message and a silent server are explained differently."""
    deleted = lock(env)
    number = deleted["id"]
    with visitor(env) as (page, _):
        def reported(key: str, reply: dict | None, status: int = 200) -> None:
            page.unroute_all()
            if reply is not None:
                page.route("**/v1/messages/*", lambda route: route.fulfill(
                    status=status, content_type="application/json", body=json.dumps(reply)))
            page.goto(env.server.url + "/")
            page.goto(f"{env.server.url}/decode#{number}")
            page.wait_for_selector(screen("ending"))
            equal(page.inner_text("#ending-title"), EN[f"{key}.title"], key)
            equal(serious_violations(page), [], f"axe on {key}")

        reported("messages.problem.not-found", {"code": "not-found"}, 404)
        reported("problem.message-gone", {"code": "message-gone"}, 410)
        reported("problem.message-locked", {"code": "message-locked"}, 423)
        reported("messages.trouble.unreachable", {"what": "a proxy's page"}, 502)
        state = {"id": number, "mode": "open", "avatar": "fox", "steps": 5}
        for name in ("read", "expired", "deleted"):
            reported(f"messages.state.{name}", state | {"state": name})
        reported("messages.state.waiting", state | {"state": "waiting", "waits_until": "2030-02-03T04:05:00Z"})
        true("2030" in page.inner_text("#ending-text"), page.inner_text("#ending-text"))
        env.shoot(page, "messages-waiting")
        page.unroute_all()
        page.context.set_offline(True)
        page.click("#again")
        offline = json.dumps(EN["messages.trouble.offline.title"])
        until(page, f"document.getElementById('ending-title').textContent === {offline}")
        env.shoot(page, "messages-offline")
        page.context.set_offline(False)
        page.click("#again")
        page.wait_for_selector(screen("ready"))


def test_short_waits_pass_and_long_ones_are_shown(env: BrowserEnvironment) -> None:
    """After a wrong attempt a short wait passes on the page, and a longer one is shown with its time."""
    number = lock(env)["id"]
    with visitor(env) as (page, _):
        waits, asked = [2, 3600], []

        def begin(route) -> None:
            asked.append(time.monotonic())
            if waits:
                route.fulfill(status=423, headers={"Retry-After": str(waits.pop(0))}, content_type="application/json",
                              body=json.dumps({"code": "message-locked"}))
            else:
                route.fulfill(status=201, content_type="application/json", body=json.dumps(PERFORMANCE | {"steps": 3}))

        page.route("**/v1/messages/*/unlock", begin)
        ScriptedSteps(page, step(state="wrong", performed=["smooch", "smile", "surprise"], attempts_left=9, count=3))
        page.goto(f"{env.server.url}/decode#{number}")
        page.wait_for_selector(screen("ready"))
        page.click("#perform")
        page.wait_for_selector(screen("ending"))
        true(2 <= asked[1] - asked[0] < 6, f"the short wait was sat out: {asked}")
        equal(page.inner_text("#ending-title"), EN["messages.state.waiting.title"], "the longer wait is shown")
        true(re.search(r"\d{1,2}:\d{2}", page.inner_text("#ending-text")), page.inner_text("#ending-text"))
        check_appearance(env, page, "waits", DESKTOP["width"])
        page.click("#again")
        until(page, f"document.getElementById('ending-title').textContent === {json.dumps(EN['messages.wrong.title'])}")


def test_timeouts_and_denied_cameras_are_explained(env: BrowserEnvironment) -> None:
    """A server that does not answer in time and a denied camera are explained."""
    with visitor(env) as (page, _):
        page.add_init_script("AbortSignal.timeout = () => AbortSignal.abort(new DOMException('late', 'TimeoutError'));")
        page.goto(f"{env.server.url}/decode#{lock(env)['id']}")
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), EN["messages.trouble.timeout.title"], "a time-out")
    with visitor(env) as (page, _):
        page.add_init_script("navigator.mediaDevices.getUserMedia = async () => "
                             "{ throw new DOMException('no', 'NotAllowedError'); };")
        page.goto(env.server.url + "/encode")
        page.fill("#text", "still here")
        page.click("#lock")
        page.wait_for_selector(screen("ending"))
        equal(page.inner_text("#ending-title"), EN["messages.trouble.camera-refused.title"], "no camera")
        true(page.locator("#ending-steps li").count() >= 2, "it says what to do")
        check_appearance(env, page, "no-camera", DESKTOP["width"])
        page.click("#back")
        equal(page.input_value("#text"), "still here", "the text")


def test_every_state_is_drawn_and_announced(env: BrowserEnvironment) -> None:
    """Each state of a performance is drawn and announced, also right to left (scripted steps)."""
    for language, look in (("en", dict(language="en-GB")), ("ar", dict(language="ar-EG", size=SMALL, scheme="dark"))):
        texts = TEXTS[language]
        with visitor(env, **look) as (page, _):
            page.route("**/v1/messages/recordings", lambda route: route.fulfill(
                status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
            script = ScriptedSteps(page, step(neutral=False))
            page.goto(env.server.url + "/encode")
            page.fill("#text", "مرحبا")
            page.click("#lock")
            page.wait_for_selector(screen("perform"))

            def reported(words: str, **changes) -> None:
                script.show(page, step(**changes))
                equal(page.inner_text("#instruction"), words, f"instruction for {changes}")

            reported(texts["messages.relax"], neutral=False)
            reported(texts["messages.make"])
            equal(page.locator("#guide li").count(), 4, "the faces that can be made")
            reported(texts["messages.hold"].format(name=texts["expression.wink_l"]), seen="wink_l", hold=0.6)
            equal(page.get_attribute("#guide li[data-next]", "data-expression"), "wink_l", "the one that is seen")
            equal(page.inner_text("#guide-how"), texts["expression.wink_l.how"], "the side in words")
            hold = page.evaluate("document.querySelector('.place.next').style.getPropertyValue('--hold')")
            equal(hold, "0.6", "hold")
            reported(texts["messages.relax"], performed=["wink_l"], neutral=False)
            wink = json.dumps(texts["expression.wink_l"])
            until(page, f"document.getElementById('polite').textContent.includes({wink})")
            script.show(page, step(performed=["wink_l"], seen="wink_l", repeated=True))
            equal(page.inner_text("#hint-text"), texts["messages.repeated"], "the same again")
            script.show(page, step(performed=["wink_l", "smile"], face="no-face"))
            equal(page.inner_text("#hint-text"), texts["hint.no-face"], "no face")
            script.show(page, step(performed=["wink_l", "smile", "tongue_out"], seen="surprise", hold=0.5))
            check_appearance(env, page, f"states-{language}", (look.get("size") or DESKTOP)["width"])
            page.click("#stop")
            page.wait_for_selector(screen("write"))
            equal(page.evaluate("document.getElementById('video').srcObject"), None, "the camera is off")


def test_tour_comes_once_and_settings_can_be_reset(env: BrowserEnvironment) -> None:
    """The tour comes once; the avatar is remembered, and everything can be reset."""
    with env.page(env.browser(), size=PHONE) as page:
        page.goto(env.server.url + "/encode")
        page.wait_for_selector("#tour")
        equal(page.locator("#tour .sprite").count(), 4, "expressions that count, in the tour")
        for size in (PHONE, SMALL):
            page.set_viewport_size(size)
            box = page.locator("#tour-done").bounding_box()
            true(box["y"] >= 0 and box["y"] + box["height"] <= size["height"], f"the button is in view: {box}")
        page.set_viewport_size(PHONE)
        check_appearance(env, page, "tour-phone", PHONE["width"])
        page.keyboard.press("Escape")
        page.wait_for_selector("#tour", state="detached")
        page.reload()
        page.wait_for_selector(screen("write"))
        equal(page.locator("#tour").count(), 0, "the tour a second time")
        page.click('a[href="/profile"]')
        page.wait_for_selector("#preview .sprite")
        page.check("[value=fox]")
        equal(page.locator('#preview [data-avatar="fox"]').count(), 6, "sprites of the fox")
        check_appearance(env, page, "profile-phone", PHONE["width"])
        page.reload()
        page.wait_for_selector("#preview .sprite")
        true(page.is_checked("[value=fox]"), "the fox after a reload")
        page.click("#tour-again")
        page.click("#tour-done")
        page.click("#forget")
        true(page.is_checked("[value=bear]"), "the bear again")
        equal(page.evaluate("Object.keys(localStorage)"), [], "what is left")


def test_expired_recording_keeps_the_text(env: BrowserEnvironment) -> None:
    """An expired recording and a rejected text are explained; the text is kept for another attempt."""
    with visitor(env) as (page, _):
        page.route("**/v1/messages/recordings", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        replies = [(404, {"code": "not-found"}, EN["messages.problem.token-expired.title"]),
                   (422, {"code": "bad-value"}, EN["messages.problem.bad-value.title"]),
                   (401, {"code": "unauthorized"}, EN["messages.problem.unauthorized.title"]),
                   (500, {"code": "never-heard-of"}, EN["messages.problem.unknown.title"])]
        script = ScriptedSteps(page, step(state="recorded", performed=["smile", "surprise", "smile", "surprise", "smile"]))
        page.goto(env.server.url + "/encode")
        page.fill("#text", "still here")
        for status, body, title in replies:
            page.route("**/v1/messages", lambda route: route.fulfill(
                status=status, content_type="application/json", body=json.dumps(body)))
            page.wait_for_selector(screen("write"))
            page.click("#lock")
            page.wait_for_selector(screen("ending"))
            equal(page.inner_text("#ending-title"), title, str(body))
            page.click("#back")
            equal(page.input_value("#text"), "still here", "the text")
            page.unroute("**/v1/messages")
        true(script.seen >= len(replies), "each was performed")


def test_particles_respect_reduced_motion(env: BrowserEnvironment) -> None:
    """Particles are drawn only where motion is wanted."""
    fly = """async () => {
      const { burst } = await import("/assets/messages/confetti.js");
      burst(document.querySelector("h1"));
      return document.querySelectorAll(".burst").length;
    }"""
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/decode")
        page.wait_for_selector(screen("choose"))
        equal(page.evaluate(fly), 0, "with less motion")
        page.emulate_media(reduced_motion="no-preference")
        equal(page.evaluate(fly), 1, "with motion")
        page.wait_for_timeout(350)
        env.shoot(page, "messages-burst")
        until(page, "document.querySelector('.burst') === null")


def test_keyboard_alone_is_enough(env: BrowserEnvironment) -> None:
    """The keyboard alone writes, chooses a file and changes tabs."""
    with visitor(env) as (page, _):
        page.route("**/v1/messages/recordings", lambda route: route.fulfill(
            status=201, content_type="application/json", body=json.dumps(PERFORMANCE)))
        ScriptedSteps(page, step())
        page.goto(env.server.url + "/encode")
        page.wait_for_selector(screen("write"))
        press_until(page, "text")
        page.keyboard.type("hi")
        press_until(page, "lock")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("perform"))
        equal(page.evaluate("document.activeElement.id"), "instruction", "the focus follows the screen")
        press_until(page, "stop")
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("write"))
        page.focus('a[href="/decode"]')
        page.keyboard.press("Enter")
        page.wait_for_selector(screen("choose"))
        press_until(page, "file")
        outline = page.evaluate("getComputedStyle(document.querySelector('label[for=file]')).outlineStyle")
        equal(outline, "solid", "the focus is seen")
        choosers = []
        page.on("filechooser", lambda chooser: choosers.append(chooser))
        # A busy browser drops a key now and then, and opens a dialog for a short time after the key only.
        for _ in range(4):
            equal(page.evaluate("document.activeElement.id"), "file", "the focus stays at the field")
            page.keyboard.press("Space")
            deadline = time.monotonic() + 15
            while not choosers and time.monotonic() < deadline:
                page.wait_for_timeout(50)
            if choosers:
                break
        true(choosers, "the space bar opens the file dialog")
        press_until(page, "typed-number")
        page.keyboard.type("nothing")
        page.keyboard.press("Enter")
        equal(page.inner_text("#choose-wrong"), EN["messages.choose.no-number"], "what is said")


def test_list_shows_and_deletes_messages(env: BrowserEnvironment) -> None:
    """The list shows the messages of this device with their states, and deletes them."""
    mine, other = lock(env), lock(env, avatar="fox")
    kept = [{"id": mine["id"], "sent": True, "receipt": mine["receipt"], "at": 0, "opened": False},
            {"id": other["id"], "sent": False, "at": 0, "opened": False}]
    with visitor(env, size=PHONE, language="he-IL") as (page, _):
        texts = TEXTS["he"]
        page.add_init_script("if (!localStorage.getItem('mien.messages')) "
                             f"localStorage.setItem('mien.messages', {json.dumps(json.dumps(kept))})")
        page.goto(env.server.url + "/decode")

        def state(message: dict, words: str) -> None:
            found = f"document.querySelector('[data-id=\"{message['id']}\"] .state')"
            until(page, f"{found}?.textContent === {json.dumps(words)}")

        state(mine, texts["messages.list.ready"])
        state(other, texts["messages.list.ready"])
        check_appearance(env, page, "list-hebrew", PHONE["width"])
        # Deletion requires confirmation; canceling returns the focus.
        erase = f'[data-id="{mine["id"]}"] button:last-child'
        for no in (lambda: page.click("#confirm-no"), lambda: page.keyboard.press("Escape")):
            page.focus(erase)
            page.keyboard.press("Enter")
            page.wait_for_selector("dialog.confirm-dialog[open]")
            check_appearance(env, page, "list-confirm-hebrew", PHONE["width"])
            no()
            page.wait_for_selector("dialog.confirm-dialog", state="detached")
            true(page.evaluate("document.activeElement.matches('li button:last-child')"), "the keyboard is at the button again")
        reported = page.evaluate(f"fetch('/v1/messages/{mine['id']}').then((reply) => reply.json())")
        equal(reported["state"], "ready", "what the server has")
        page.click(erase)
        page.click("#confirm-yes")
        state(mine, texts["messages.list.deleted"])
        true(page.evaluate(f"document.activeElement.closest('[data-id=\"{mine['id']}\"]') !== null"), "the keyboard stays at its row")
        page.click(f'[data-id="{other["id"]}"] button:last-child')
        until(page, f"document.querySelector('[data-id=\"{other['id']}\"]') === null")
        true(page.evaluate("document.activeElement.closest('[data-id]') !== null"), "the focus moves to the remaining row")


@pytest.mark.slow
def test_pages_fit_at_320_pixels(env: BrowserEnvironment) -> None:
    """The message pages fit at 320 pixels in every language."""
    for language in TEXTS:
        with visitor(env, size=SMALL, language=language) as (page, _):
            for name in ("encode", "decode", "profile"):
                page.goto(f"{env.server.url}/{name}")
                page.wait_for_selector("html[data-ready]", state="attached")
                wide = page.evaluate("document.documentElement.scrollWidth")
                true(wide <= SMALL["width"], f"{name} in {language} is {wide} wide")
                if language in ("de", "ar"):
                    env.shoot(page, f"messages-{name}-small-{language}")
