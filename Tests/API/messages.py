"""Tests of messages locked with expressions, from senders, recipients and attackers, against a real server.

Performances are generated coefficients sent in real time. usage: messages.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import base64
import json
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(__file__))
import footage
import survival
from expressions import FACES, NAMES, REST, acted
from run import JPEG, NDJSON, Skip, conforms, expect, keys, main
from server import Server

TESTS = []
FIVE = ["smile", "wink_l", "tongue_out", "surprise", "smooch"]
THREE = ["smile", "surprise", "smooch"]
OTHER = ["smooch", "surprise", "smile"]
FINAL = {"recorded", "opened", "wrong", "locked", "expired", "gone"}


def test(function):
    TESTS.append(function)
    return function


class Performance:
    def __init__(self, server, begun):
        self.server, self.id, self.token, self.begun = server, begun["id"], begun["token"], begun
        conforms("Performance", begun)
        self.took, self.began, self.last = [], None, -1.0

    def post(self, lines, client="phone-1", token=None):
        body = "".join(json.dumps(line) + "\n" for line in lines)
        began = time.monotonic()
        reply = self.server.request(
            "POST", f"/v1/performances/{self.id}/observations", body.encode(),
            {"Content-Type": NDJSON, "Mien-Client": client}, token or self.token)
        self.took.append(time.monotonic() - began)
        return reply

    def perform(self, steps, **how):
        """Continues the performance, at most a second ahead of the clock; returns the server's steps."""
        if self.began is None:
            self.began = time.monotonic()
        began, told = self.began, []
        offset = max(time.monotonic() - began, self.last + 0.05) if self.last >= 0 else 0.0
        lines = [{**line, "t": round(line["t"] + offset, 4)} for line in acted(steps, **how)]
        self.last = lines[-1]["t"]
        for start in range(0, len(lines), 6):
            part = lines[start:start + 6]
            time.sleep(max(0, part[-1]["t"] - 1 - (time.monotonic() - began)))
            told.append(expect(self.post(part), 200).json)
            conforms("PerformanceStep", told[-1])
            if told[-1]["state"] in FINAL:
                break
        return told


def lock(server, status=201, key=None, **wish):
    wish = {"text": "Hey wanna play roblox later?", "steps": THREE, "requires_frames": False, **wish}
    reply = server.request("POST", "/v1/messages", wish, token=key)
    expect(reply, status)
    if status == 201:
        conforms("Message", reply.json)
        assert reply.headers["location"] == "/v1/messages/" + reply.json["id"]
        assert reply.headers["cache-control"] == "no-store"
    return reply.json


def state(server, message):
    reply = expect(server.request("GET", "/v1/messages/" + message["id"]), 200).json
    conforms("Message", reply)
    assert "receipt" not in reply and "text" not in reply
    return reply


def stranger():
    """Returns headers with a new client address, as a reverse proxy on this machine sends them."""
    return {"X-Forwarded-For": f"2001:db8:{random.getrandbits(16):x}:{random.getrandbits(16):x}::1"}


def unlock(server, message, headers=None, **body):
    """Begins a performance, each from an address of its own."""
    return Performance(server, expect(server.request(
        "POST", f"/v1/messages/{message['id']}/unlock", body, headers or stranger()), 201).json)


def attempt(server, message, steps):
    """Performs `steps` in one attempt and returns the last step."""
    return unlock(server, message).perform(steps)[-1]


def database(server):
    return sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20)


# ── locking and opening ───────────────────────────────────────────────────────────────────────────────────────────────

@test
def a_message_opens_to_who_performs_its_sequence(server):
    text = "Hey wanna play roblox later? im eating pizza rn 🍕"
    message = lock(server, text=text, steps=FIVE, avatar="fox")
    assert message["receipt"].startswith("rcp_") and message["steps"] == 5 and message["attempts_left"] == 10
    told = unlock(server, message).perform(FIVE)
    last = told[-1]
    assert last["state"] == "opened" and last["text"] == text and last["source"] == "claimed", last
    assert "views_left" not in last and last["performed"] == FIVE
    assert {step.get("seen") for step in told} >= set(FIVE), "the person is told what is being seen"
    assert any(0 < step["hold"] < 1 for step in told) and any(step["neutral"] for step in told)
    assert [len(step["performed"]) for step in told] == sorted(len(step["performed"]) for step in told)
    assert all("text" not in step for step in told[:-1])
    assert state(server, message)["attempts_left"] == 10, "the right one costs nothing"


@test
def the_number_is_read_as_people_type_it(server):
    message = lock(server)
    for number in (message["id"].lower(), message["id"].replace("-", ""), message["id"].replace("0", "o")):
        assert state(server, {"id": number})["id"] == message["id"]


@test
def the_gif_carries_the_number(server):
    for mode in ("open", "secret"):
        for avatar in ("bear", "fox"):
            message = lock(server, mode=mode, avatar=avatar)
            reply = expect(server.request("GET", message["gif"]), 200)
            assert reply.headers["content-type"] == "image/gif" and reply.body.startswith(b"GIF89a")
            assert len(reply.body) < 200_000
            assert expect(server.request("GET", message["gif"]), 200).body == reply.body, "it is the same each time"
            with tempfile.NamedTemporaryFile(suffix=".gif") as file:
                file.write(reply.body)
                file.flush()
                out = subprocess.run([server.binary, "read-id", file.name], capture_output=True, text=True)
            assert message["id"] in out.stdout, (out.stdout, out.stderr)


@test
def a_secret_gif_tells_nothing_of_the_sequence(server):
    def pictures(message):
        return expect(server.request("GET", message["gif"]), 200).body.count(b"\x21\xf9\x04")  # graphic control extensions

    lengths = {n: pictures(lock(server, mode="secret", steps=(FIVE * 3)[:n])) for n in (3, 5, 12)}
    assert len(set(lengths.values())) == 1, lengths
    # Two frames per step, the neutral one before, and the label with the message ID drawn over the last.
    assert pictures(lock(server, mode="open", steps=FIVE)) == 11


@test
def any_number_of_messages_share_a_sequence(server):
    first, second = lock(server, text="first"), lock(server, text="second")
    assert first["id"] != second["id"]
    assert attempt(server, second, THREE)["text"] == "second"
    assert attempt(server, first, THREE)["text"] == "first"


@test
def a_wrong_sequence_costs_one_attempt_and_burns_nothing(server):
    message = lock(server, views=1)
    last = attempt(server, message, OTHER)
    assert last["state"] == "wrong" and last["attempts_left"] == 9 and last["performed"] == OTHER, last
    assert "text" not in last
    assert state(server, message)["attempts_left"] == 9
    assert attempt(server, message, THREE)["state"] == "opened"


@test
def a_performance_that_is_not_finished_costs_nothing(server):
    message = lock(server)
    assert unlock(server, message).perform(THREE[:2])[-1]["state"] == "performing"
    for _ in range(3):
        unlock(server, message)
    assert state(server, message)["attempts_left"] == 10


@test
def a_sequence_can_be_recorded_by_performing_it(server):
    begun = expect(server.request("POST", "/v1/messages/recordings", {}), 201).json
    assert begun["steps"] == 5
    recording = Performance(server, begun)
    wish = {"text": "recorded", "recording": {"id": begun["id"], "token": begun["token"]}, "requires_frames": False}
    expect(server.request("POST", "/v1/messages", wish), 422, "bad-value")  # not complete
    told = recording.perform(FIVE)
    assert told[-1]["state"] == "recorded" and told[-1]["performed"] == FIVE, told[-1]
    stolen = {"text": "x", "recording": {"id": begun["id"], "token": begun["token"][:-4] + "AAAA"}}
    expect(server.request("POST", "/v1/messages", stolen), 401, "unauthorised")
    expect(server.request("POST", "/v1/messages", {**wish, "steps": THREE}), 422, "bad-value")
    message = expect(server.request("POST", "/v1/messages", wish), 201).json
    assert message["steps"] == 5
    again = expect(server.request("POST", "/v1/messages", wish), 201).json
    assert (again["id"], again["receipt"]) == (message["id"], message["receipt"]), "a reply that was lost can be asked for"
    expect(server.request("POST", "/v1/messages", {**wish, "views": 1}), 404, "not-found")  # a recording locks one message
    assert attempt(server, message, FIVE)["text"] == "recorded"
    for steps in (2, 13, -1):
        expect(server.request("POST", "/v1/messages/recordings", {"steps": steps}), 422, "bad-value")


@test
def the_neutral_face_can_be_taken_first(server):
    message = lock(server)
    performance = unlock(server, message, calibrate=True)
    assert performance.perform(["smile"], rest=0.5)[0]["state"] == "calibrating"
    performance = unlock(server, message, calibrate=True)
    assert performance.perform(THREE, rest=1.3)[-1]["state"] == "opened"


# ── views, expiry, deletion ───────────────────────────────────────────────────────────────────────────────────────────

@test
def who_only_looks_takes_no_view_and_reading_burns(server):
    message = lock(server, views=1)
    for _ in range(5):
        assert state(server, message)["views_left"] == 1
        expect(server.request("GET", message["gif"]), 200)
    performance = unlock(server, message)
    last = performance.perform(THREE)[-1]
    assert last["state"] == "opened" and last["views_left"] == 0
    again = expect(performance.post([{"t": 90, "faces": 0}]), 200).json
    assert again["state"] == "opened" and again["text"] == last["text"], "a reply that was lost can be asked for"
    after = state(server, message)
    assert after["state"] == "read" and "gif" not in after
    expect(server.request("GET", message["gif"]), 410, "message-gone")
    expect(server.request("POST", f"/v1/messages/{message['id']}/unlock"), 410, "message-gone")
    kept = database(server).execute("SELECT box, own_key, hint FROM message WHERE id = ?", (message["id"],)).fetchone()
    assert kept == (None, None, None)


@test
def two_who_perform_at_once_do_not_both_see_the_last_view(server):
    message = lock(server, views=1)
    ends = in_parallel(lambda _: attempt(server, message, THREE), range(4))
    assert sorted(end["state"] for end in ends) == ["gone", "gone", "gone", "opened"], ends


@test
def the_sender_deletes_with_the_receipt(server):
    message = lock(server)
    path = "/v1/messages/" + message["id"]
    performance = unlock(server, message)
    performance.perform(THREE[:1])
    expect(server.request("DELETE", path), 401, "unauthorised")
    expect(server.request("DELETE", path, token="rcp_wrong"), 401, "unauthorised")
    expect(server.request("DELETE", path, token=lock(server)["receipt"]), 401, "unauthorised")
    assert state(server, message)["state"] == "ready"
    expect(server.request("DELETE", path, token=message["receipt"]), 204)
    expect(server.request("DELETE", path, token=message["receipt"]), 204)
    assert state(server, message)["state"] == "deleted"
    expect(server.request("GET", message["gif"]), 410, "message-gone")
    assert performance.perform(THREE[1:])[-1]["state"] == "gone"


# ── attempts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

def in_parallel(work, arguments):
    results, errors = [], []

    def run(argument):
        try:
            results.append(work(argument))
        except Exception as error:  # raised below, in the test's own thread
            errors.append(error)
    threads = [threading.Thread(target=run, args=(argument,)) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors
    return results


@test
def ten_wrong_attempts_lock_across_restarts_and_in_parallel(server):
    own = Server(server.binary, sees=False)
    try:
        message = lock(own)
        for left in (9, 8):
            assert attempt(own, message, OTHER)["attempts_left"] == left
        own.kill()
        own.start()
        assert state(own, message)["attempts_left"] == 8
        for left in (7, 6, 5):
            assert attempt(own, message, OTHER)["attempts_left"] == left
        # Eight concurrent attempts with five left; all begin before any of them ends.
        ends = in_parallel(lambda _: attempt(own, message, OTHER), range(8))
        assert sorted(end["state"] for end in ends) == ["locked"] * 3 + ["wrong"] * 5, ends
        assert sorted(end["attempts_left"] for end in ends if end["state"] == "wrong") == [0, 1, 2, 3, 4]
        assert all(("waits_until" in end) == (end["state"] == "locked") for end in ends)
        for _ in range(2):
            assert state(own, message)["state"] == "waiting"
            reply = expect(own.request("POST", f"/v1/messages/{message['id']}/unlock"), 423, "message-locked")
            assert 3000 < int(reply.headers["retry-after"]) <= 3600, "it is not locked for good"
            own.kill()
            own.start()
        expect(own.request("GET", message["gif"]), 200)
        box = database(own).execute("SELECT length(box) FROM message").fetchone()
        assert box[0] > 0, "what is locked is not burnt"
    finally:
        own.clean()


@test
def a_right_sequence_does_not_open_what_is_locked(server):
    message = lock(server, attempts=1)
    ready = unlock(server, message)  # begun while an attempt was left
    ready.perform(THREE[:1])
    assert attempt(server, message, OTHER)["state"] == "wrong"
    last = ready.perform(THREE[1:])[-1]
    assert last["state"] == "locked" and "text" not in last and last["waits_until"], last
    # The last step is said again, and when to try again stands in its header, too.
    reply = expect(ready.post([{"t": ready.last + 1, "faces": 0}]), 200)
    assert 3500 < int(reply.headers["retry-after"]) <= 3600, reply.headers


@test
def one_address_cannot_use_up_the_attempts_of_everybody(server):
    message = lock(server)
    address = stranger()
    many = [unlock(server, message, address) for _ in range(8)]
    ends = in_parallel(lambda one: one.perform(OTHER)[-1], many)
    assert sorted(end["state"] for end in ends) == ["locked"] * 7 + ["wrong"], ends
    assert all("waits_until" in end for end in ends if end["state"] == "locked")
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, address), 423, "message-locked")
    seconds = int(reply.headers["retry-after"])
    assert 1 <= seconds <= 5, reply.headers
    assert state(server, message)["attempts_left"] == 9
    assert attempt(server, message, THREE)["state"] == "opened", "everybody else goes on"
    time.sleep(seconds)
    assert unlock(server, message, address).perform(OTHER)[-1]["state"] == "wrong"
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, address), 423, "message-locked")
    assert 5 < int(reply.headers["retry-after"]) <= 10, "each wait is longer"


@test
def waits_grow(server):
    message = lock(server, attempts=1, first_wait=10)
    last = attempt(server, message, OTHER)
    assert last["state"] == "wrong" and last["attempts_left"] == 0
    assert state(server, message)["state"] == "waiting" and state(server, message)["waits_until"]
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock"), 423, "message-locked")
    seconds = int(reply.headers["retry-after"])
    assert 1 <= seconds <= 10, reply.headers
    time.sleep(seconds)
    assert state(server, message)["attempts_left"] == 1
    assert attempt(server, message, OTHER)["state"] == "wrong"
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock"), 423, "message-locked")
    assert 10 < int(reply.headers["retry-after"]) <= 20, reply.headers


@test
def killed_between_counting_and_opening_the_count_and_the_message_stand(server):
    own = Server(server.binary, sees=False)
    try:
        message = lock(own, views=1)
        # Slows down the transaction that counts the view, but not the one that counts the attempt.
        with database(own) as db:
            db.execute("""
                CREATE TRIGGER slow AFTER UPDATE OF views ON message WHEN new.views > old.views BEGIN
                  UPDATE message SET attempts = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
                    WHERE i < 2000000000) SELECT max(i) FROM n) WHERE id = new.id;
                END""")
        performance, outcome = unlock(own, message), []

        def perform():
            try:
                outcome.append(performance.perform(THREE)[-1])
            except Exception as error:
                outcome.append(error)
        thread = threading.Thread(target=perform)
        thread.start()
        reader, counted = database(own), 0
        for _ in range(2000):
            counted = reader.execute("SELECT attempts FROM message").fetchone()[0]
            if counted:
                break
            time.sleep(0.005)
        assert counted == 1
        time.sleep(0.3)
        assert not outcome, f"nobody sees the text before its view is taken: {outcome}"
        own.kill()
        thread.join()
        assert isinstance(outcome[0], Exception), outcome
        reader.close()
        with database(own) as db:
            db.execute("DROP TRIGGER slow")
        own.start()
        after = state(own, message)
        assert after["state"] == "ready" and after["attempts_left"] == 9 and after["views_left"] == 1, after
        assert attempt(own, message, THREE)["state"] == "opened"
    finally:
        own.clean()


@test
def a_performance_goes_on_when_its_server_is_killed_and_started_again(server):
    own = Server(server.binary, sees=False)
    try:
        message = lock(own, steps=FIVE, views=1)
        maker = survival.FaceMaker(unlock(own, message), FIVE)
        maker.until(own, lambda step: len(step["performed"]) == 2 and step["hold"] > 0.3)
        there = len(maker.steps)
        own.kill()
        own.start()
        assert len(maker.until(own, lambda step: True)["performed"]) >= 1, "no more than a quarter of a second is lost"
        last = maker.until(own, lambda step: step["state"] in FINAL)
        assert last["state"] == "opened" and last["views_left"] == 0 and len(maker.steps) > there, last
        told = expect(own.request("GET", "/metrics"), 200).body.decode()
        assert 'mien_performances_total{end="opened"} 1\n' in told and "mien_live_performances{" in told, told
        # Killed once more: the lost reply is sent again and counts nothing.
        own.kill()
        own.start()
        assert maker.until(own, lambda step: True)["text"] == last["text"]
        assert state(own, message)["state"] == "read"
        recording = Performance(own, expect(own.request("POST", "/v1/messages/recordings", {"steps": 3}), 201).json)
        assert recording.perform(THREE)[-1]["state"] == "recorded"
        own.kill()
        own.start()
        wish = {"text": "recorded", "recording": {"id": recording.id, "token": recording.token}, "requires_frames": False}
        made = expect(own.request("POST", "/v1/messages", wish), 201).json
        assert attempt(own, made, THREE)["text"] == "recorded"
    finally:
        own.clean()


# ── stored data ───────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def neither_database_nor_gifs_hold_a_text_or_a_sequence(server):
    own = Server(server.binary, sees=False)
    try:
        twelve = ["smile", "wink_l", "smooch", "tongue_out", "surprise", "wink_r"] * 2
        sent = [
            lock(own, text="a quite unusual sentence", steps=FIVE), lock(own, text="שלום עולם 🍕", steps=THREE),
            lock(own, text="another peculiar phrase", mode="secret", steps=twelve), lock(own, text="burnt words", views=1)]
        assert attempt(own, sent[0], THREE + ["smile", "wink_l"])["state"] == "wrong"
        assert attempt(own, sent[3], THREE)["state"] == "opened"
        gifs = [expect(own.request("GET", message["gif"]), 200).body for message in sent[:3]]
        dump = "\n".join(database(own).iterdump())
        files = [path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file() and path.suffix != ".seal"]
        assert len(files) >= 2 and sent[0]["id"] in dump, "the dump has the messages"
        haystack = [dump.encode(), dump.lower().encode(), *files, *gifs]
        needles = []
        for text in ("a quite unusual sentence", "שלום עולם 🍕", "another peculiar phrase", "burnt words"):
            raw = text.encode()
            needles += [raw, text.encode("utf-16-le"), raw.hex().encode(), base64.b64encode(raw).rstrip(b"=")[:-1]]
        numbers = {name: index for index, name in enumerate(NAMES)}
        for steps in (FIVE, THREE, twelve, THREE + ["smile", "wink_l"]):
            needles += [",".join(steps).encode(), json.dumps(steps).encode()]
            if len(steps) > 4:
                raw = bytes(numbers[step] for step in steps)
                needles += [raw, raw.hex().encode(), "".join(str(byte) for byte in raw).encode()]
        needles += [name.encode() for name in ("wink_l", "tongue_out", "surprise", "smooch")]
        needles += [message["receipt"].encode() for message in sent]
        for needle in needles:
            for where, hay in enumerate(haystack):
                assert needle not in hay, f"{needle!r} stands in number {where}"
        # A database without its keyring opens nothing: every message key is derived from the keyring as well.
        own.stop()
        pathlib.Path(own.data, "mien.seal").write_bytes(os.urandom(32))
        for name in ("sealed_secret",):
            with database(own) as db:
                db.execute(f"DELETE FROM {name}")
        own.start()
        assert attempt(own, sent[0], FIVE)["state"] == "wrong"
        expect(own.request("GET", sent[0]["gif"]), 503, "unavailable")
    finally:
        own.clean()


@test
def nothing_lists_messages(server):
    for path in ("/v1/messages", "/v1/messages/", "/v1/performances", "/v1/messages/recordings"):
        for token in (None, server.key):
            assert server.request("GET", path, token=token).status in (404, 405, 422), path


# ── message IDs in images, custom avatars ─────────────────────────────────────────────────────────────────────────────

def without_comment(gif):
    start = gif.index(b"\x21\xfe")
    return gif[:start] + gif[start + 4 + gif[start + 2]:]


def ffmpeg(source, kind, *arguments):
    """Returns the image as converted by ffmpeg."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = os.path.join(folder, "before"), os.path.join(folder, "after." + kind)
        pathlib.Path(before).write_bytes(source)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", before, *arguments, after], check=True)
        return pathlib.Path(after).read_bytes()


def number_in(server, picture, type="image/gif", status=200, code=None):
    reply = expect(server.request("POST", "/v1/messages/number", picture, {"Content-Type": type}), status, code)
    if status == 200:
        conforms("FoundNumber", reply.json)
    return reply.json


@test
def the_number_is_read_from_pixels_and_nothing_is_consumed(server):
    message = lock(server, views=1, avatar="fox", steps=FIVE)
    gif = expect(server.request("GET", message["gif"]), 200).body
    number = message["id"]
    assert number_in(server, gif) == {"found": "comment", "id": number}
    bare = without_comment(gif)
    assert number.encode() not in bare and number_in(server, bare) == {"found": "pixels", "id": number}
    still = ffmpeg(gif, "png", "-vf", r"select=eq(n\,10),pad=500:700:33:120:gray", "-frames:v", "1")
    assert number_in(server, still, "image/png") == {"found": "pixels", "id": number}
    assert number_in(server, ffmpeg(still, "jpg", "-q:v", "9"), JPEG) == {"found": "pixels", "id": number}
    # A replaced label with another valid ID cannot be detected; one with three characters painted over can.
    patched = ffmpeg(still, "png", "-vf", "drawbox=x=86:y=314:w=52:h=26:color=white:t=fill")
    assert number_in(server, patched, "image/png") == {"found": "damaged"}
    assert state(server, message)["views_left"] == 1 and state(server, message)["attempts_left"] == 10
    assert attempt(server, message, FIVE)["state"] == "opened"
    assert number_in(server, bare)["id"] == number, "it is not looked up"


@test
def pictures_without_a_number_and_what_is_no_picture(server):
    teal = subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=teal:s=256x256", "-frames:v", "1", "-f", "image2pipe",
                           "-c:v", "png", "-"], capture_output=True, check=True).stdout
    assert number_in(server, teal, "image/png") == {"found": "nothing"}
    assert number_in(server, ffmpeg(teal, "gif")) == {"found": "nothing"}
    for bytes in (b"", b"GIF89a", ffmpeg(teal, "gif")[:20], teal[:60], b"<svg/>"):
        number_in(server, bytes, status=422, code="not-a-picture")
    number_in(server, b"GIF89a\xff\xff\xff\xff\x00\x00\x00" + b"\x2c" + b"\x00" * 20, status=422, code="picture-too-large")
    number_in(server, teal, "video/mp4", status=415)
    number_in(server, b"GIF89a" + b"\x00" * (8 << 20), status=413, code="body-too-large")


@test
def a_gif_is_drawn_with_a_sheet_of_the_senders_own(server):
    message = lock(server, avatar="bear")
    sheet = pathlib.Path(__file__).resolve().parents[2].joinpath("Web/assets/avatars/fox.png").read_bytes()
    png = {"Content-Type": "image/png"}
    reply = expect(server.request("POST", message["gif"], sheet, png, message["receipt"]), 200)
    kept = expect(server.request("GET", message["gif"]), 200).body
    assert reply.headers["content-type"] == "image/gif" and reply.body != kept
    assert number_in(server, without_comment(reply.body))["id"] == message["id"]
    expect(server.request("POST", message["gif"], sheet, png), 401, "unauthorised")
    expect(server.request("POST", message["gif"], sheet, png, lock(server)["receipt"]), 401, "unauthorised")
    expect(server.request("POST", message["gif"], kept, png, message["receipt"]), 422, "not-a-picture")
    expect(server.request("POST", message["gif"], sheet, {"Content-Type": "image/gif"}, message["receipt"]), 415)
    small = ffmpeg(sheet, "png", "-vf", "scale=384:256")
    expect(server.request("POST", message["gif"], small, png, message["receipt"]), 422, "not-a-picture")
    assert expect(server.request("GET", message["gif"]), 200).body == kept, "the sheet is not kept"


# ── rate limits and realms ────────────────────────────────────────────────────────────────────────────────────────────

@test
def who_asks_too_often_without_a_key_has_to_wait(server):
    own = Server(server.binary, arguments=["--message-limit", "4", "--demo"], sees=False)
    try:
        wish = {"text": "x", "steps": THREE, "requires_frames": False}

        def ask(path="/v1/messages", body=wish, method="POST", who=None, **more):
            headers = {"Content-Type": "application/json"}
            if who:
                headers["X-Forwarded-For"] = who
            return own.request(method, path, None if method == "GET" else json.dumps(body).encode(), headers, **more)

        number = [expect(ask(), 201).json["id"] for _ in range(3)][0]
        expect(ask("/v1/messages/recordings", {}), 201)
        for path, body in (("/v1/messages", wish), ("/v1/messages/recordings", {})):
            reply = expect(ask(path, body), 429, "too-many-requests")
            assert 1 <= int(reply.headers["retry-after"]) <= 900, reply.headers
        expect(ask(token=own.key), 201)  # requests with a key are not counted
        # A proxy on this machine appends the client address; earlier entries of the header come from the client and are ignored.
        expect(ask(who="203.0.113.9, 198.51.100.7"), 201)
        for end in ("1", "2", "3", "4"):
            expect(ask(who=f"2001:db8:1:2::{end}"), 201)
        expect(ask(who="2001:db8:1:2:3:4:5:6"), 429, "too-many-requests")
        # Looking is counted by itself, twenty times as often; what a performance sends is not counted.
        performance = unlock(own, {"id": number}, {"X-Forwarded-For": "127.0.0.1"})
        looks = [ask("/v1/messages/" + number, method="GET").status for _ in range(81)]
        assert looks[:79] == [200] * 79 and looks[79:] == [429] * 2, looks[75:]
        assert performance.perform(THREE)[-1]["state"] == "opened"
        for _ in range(4):
            number_in(own, b"x", status=422, code="not-a-picture")
        number_in(own, b"x", status=429, code="too-many-requests")
        # Reads, unlocks and image requests with a key are not counted; a sandbox key counts as no key in the live realm.
        expect(ask("/v1/messages/" + number, method="GET", token=own.key), 200)
        expect(ask(f"/v1/messages/{number}/unlock", {}, token=own.key), 201)
        picture = own.request("POST", "/v1/messages/number", b"x", {"Content-Type": "image/gif"}, own.key)
        expect(picture, 422, "not-a-picture")
        trial = keys(own, "api", "--sandbox")["api_key"]
        expect(ask("/v1/messages/" + number, method="GET", token=trial), 429, "too-many-requests")
    finally:
        own.clean()


@test
def messages_of_a_sandbox_key_live_in_the_sandbox(server):
    key = keys(server, "api", "--sandbox")["api_key"]
    expect(server.request("POST", "/v1/messages", {"text": "x", "steps": THREE}, token="mientest_" + "A" * 43), 401, "unauthorised")
    trial, real = lock(server, key=key, text="trial", mode="secret"), lock(server, text="real")
    assert trial["id"].startswith("ZZZZ-") and not real["id"].startswith("ZZZZ-")
    live = database(server).execute("SELECT count(*) FROM message WHERE id = ?", (trial["id"],)).fetchone()
    with sqlite3.connect(os.path.join(server.data, "sandbox", "mien.sqlite")) as sandbox:
        there = [row[0] for row in sandbox.execute("SELECT id FROM message")]
    assert live == (0,) and trial["id"] in there and real["id"] not in there
    performance = unlock(server, trial)
    assert performance.id.startswith("prftest_")
    assert performance.perform(THREE)[-1]["text"] == "trial"
    gif = expect(server.request("GET", trial["gif"]), 200).body
    assert number_in(server, without_comment(gif))["id"] == trial["id"]
    begun = expect(server.request("POST", "/v1/messages/recordings", {"steps": 3}, token=key), 201).json
    assert Performance(server, begun).perform(THREE)[-1]["state"] == "recorded"
    recording = {"text": "x", "recording": {"id": begun["id"], "token": begun["token"]}}
    expect(server.request("POST", "/v1/messages", recording), 401, "unauthorised")  # unknown in the live realm
    assert expect(server.request("POST", "/v1/messages", recording, token=key), 201).json["id"].startswith("ZZZZ-")
    expect(server.request("DELETE", "/v1/messages/" + trial["id"], token=trial["receipt"]), 204)


# ── bad input ─────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def texts_of_all_kinds_come_back_as_they_were(server):
    texts = ["👨‍👩‍👧‍👦" * 100, "e\u0301" * 100, "שלום \u202eabc\u202c", "<script>alert(1)</script>", "two\nlines", " x ", "{\"text\":1}"]
    for text in texts:
        assert attempt(server, lock(server, text=text), THREE)["text"] == text


@test
def bad_wishes_are_refused_with_their_reason(server):
    wishes = [
        *({"text": text} for text in ("", "  \n", "\u200b", "x" * 101, "a" + "\u0301" * 2600, "a\u0000b", "\u001b[31m", "a\tb")),
        *({"steps": steps} for steps in (
            [], ["smile"], ["smile", "wink_l"], ["smile", "smile", "wink_l"], FIVE + FIVE + THREE, ["grin"] * 3,
            ["Smile", "wink_l", "smooch"], ["smile,wink_l", "smooch", "smile"], ["", "", ""])),
        {"mode": "loud"}, {"avatar": "wolf"}, {"avatar": "../bear"}, {"attempts": 0}, {"attempts": 101}, {"attempts": -1},
        {"views": 0}, {"views": 101}, {"first_wait": 9}, {"first_wait": 86401}, {"expires_in": 59}, {"expires_in": 2 ** 60},
    ]
    for wish in wishes:
        assert lock(server, status=422, **wish)["code"] == "bad-value", wish
    lock(server, status=422, steps=None)
    for body in ({"text": "x", "steps": THREE, "color": 1}, {"steps": THREE}, {"text": 5, "steps": THREE}):
        assert server.request("POST", "/v1/messages", body).status == 400, body
    expect(server.request("POST", "/v1/messages", b"x" * (1 << 20), {"Content-Type": "application/json"}), 413)


@test
def numbers_that_are_misspelt_unknown_or_of_another_kind(server):
    message = lock(server)
    number = message["id"]
    swapped = number[:-1] + ("A" if number[-1] != "A" else "B")
    for text in (swapped, "chk_1", "%00", "x" * 65, "0" * 15, "..%2f.."):
        reply = server.request("GET", "/v1/messages/" + text)
        assert reply.status in (404, 422), (text, reply)
    expect(server.request("GET", "/v1/messages/" + swapped), 422, "bad-value")
    expect(server.request("GET", "/v1/messages/0000-0000-0000-0000"), 404, "not-found")
    expect(server.request("POST", "/v1/messages/0000-0000-0000-0000/unlock"), 404, "not-found")


@test
def a_performance_belongs_to_its_token_and_its_client(server):
    message, here = lock(server), stranger()
    one, other = unlock(server, message, here), unlock(server, message, here)
    line = {"t": 0, "faces": 1, "blendshapes": REST}
    path = f"/v1/performances/{one.id}/observations"
    expect(server.request("POST", path, json.dumps(line), {"Content-Type": NDJSON}), 401, "unauthorised")
    expect(one.post([line], token=other.token), 401, "unauthorised")
    expect(one.post([line], client="a"), 200)
    expect(one.post([{**line, "t": 0.1}], client="b"), 409, "second-client")
    expect(one.post([{**line, "t": 60}], client="a"), 422, "timestamp-out-of-range")
    expect(one.post([{"t": 0.2, "faces": 1, "secret": 1}], client="a"), 400, "unknown-key")
    expect(server.request("POST", f"/v1/performances/{one.id}/frames", b"x", {"Content-Type": "text/plain"}, one.token), 415)
    begun = [unlock(server, message, here) for _ in range(14)]
    expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, here), 503, "busy")
    assert len({each.id for each in begun}) == 14
    # Using up an address's performances affects no other address.
    other = {"X-Forwarded-For": "203.0.113.9", "Content-Type": "application/json"}
    expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", b"{}", other), 201)
    expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, token=server.key), 201)


@test
def a_recording_with_gaps_or_a_hurry_fills_no_place(server):
    message = lock(server)
    gaps = unlock(server, message)
    for t in (0, 0.1, 0.2):
        expect(gaps.post([{"t": t, "faces": 1, "blendshapes": REST}]), 200)
    for t in (0.6, 1.1, 1.6):
        step = expect(gaps.post([{"t": t, "faces": 1, "blendshapes": {**REST, **FACES["smile"]}}]), 200).json
    assert step["performed"] == [] and step["hold"] < 1
    hurry = unlock(server, message).perform(THREE, hold=0.2)
    assert hurry[-1]["state"] == "performing" and hurry[-1]["performed"] == []


@test
def who_wants_frames_gets_no_claims(server):
    watched = lock(server, requires_passive=True)
    assert (state(server, watched)["requires_frames"], state(server, watched)["requires_passive"]) == (True, True)
    expect(unlock(server, watched).post([{"t": 0, "faces": 1, "blendshapes": REST}]), 403, "source-not-allowed")
    plain = expect(server.request("POST", "/v1/messages", {"text": "x", "steps": THREE}), 201).json
    for message in (plain, lock(server, requires_frames=True), lock(server, requires_frames=None)):
        assert (state(server, message)["requires_frames"], state(server, message)["requires_passive"]) == (True, False)
        refused = unlock(server, message).post([{"t": 0, "faces": 1, "blendshapes": REST}])
        expect(refused, 403, "source-not-allowed")
    if footage.shared() is None:
        raise Skip("shared/data not found")
    performance = unlock(server, message)
    path = f"/v1/performances/{performance.id}/frames"
    expect(server.request("POST", path, b"no picture", {"Content-Type": JPEG}, performance.token), 422, "not-a-picture")


@test
def a_server_as_shipped_takes_no_claims(server):
    own = Server(server.binary, claims=False, sees=False)
    try:
        refused = own.request("POST", "/v1/messages", {"text": "x", "steps": THREE, "requires_frames": False})
        assert "--allow-claimed-observations" in expect(refused, 403, "source-not-allowed").json["detail"], refused
        conforms("Problem", refused.json)
        message = expect(own.request("POST", "/v1/messages", {"text": "x", "steps": THREE}), 201).json
        recording = expect(own.request("POST", "/v1/messages/recordings", {}), 201).json
        for performance in (unlock(own, message), Performance(own, recording)):
            for _ in range(3):
                expect(performance.post([{"t": 0, "faces": 1, "blendshapes": REST}]), 403, "source-not-allowed")
        assert state(own, message)["attempts_left"] == 10
        # The server's word counts when the observations come, whatever was locked before.
        own.kill()
        own.arguments.append("--allow-claimed-observations")
        own.start()
        message = lock(own)
        assert not state(own, message)["requires_frames"]
        begun = unlock(own, message)
        expect(begun.post([{"t": 0, "faces": 1, "blendshapes": REST}]), 200)
        own.kill()
        own.arguments.remove("--allow-claimed-observations")
        own.start()
        expect(begun.post([{"t": 0.1, "faces": 1, "blendshapes": REST}]), 403, "source-not-allowed")
        assert state(own, message)["requires_frames"]
    finally:
        own.clean()


@test
def frames_are_looked_at_by_the_server(server):
    if footage.shared() is None:
        raise Skip("shared/data not found")
    message = lock(server, requires_frames=True)
    performance, other = unlock(server, message), unlock(server, message)
    path = f"/v1/performances/{performance.id}/frames"
    for index, frame in enumerate(footage.clip("zubair/real.mov", rate=15)[:4]):
        headers = {"Content-Type": JPEG, "Mien-Client": "page", "Mien-Captured-At": str(index * 66)}
        step = expect(server.request("POST", path, frame, headers, performance.token), 200).json
        conforms("PerformanceStep", step)
        assert step["source"] == "observed" and step["face"] == "one-face" and step["state"] == "performing", step
        assert step["performed"] == []
        theft = f"/v1/performances/{other.id}/frames"
        expect(server.request("POST", theft, frame, headers, other.token), 409, "frame-replayed")


@test
def without_demo_only_a_key_locks(server):
    own = Server(server.binary, arguments=["--no-demo"], sees=False)
    try:
        for path, body in (("/v1/messages", {"text": "x", "steps": THREE}), ("/v1/messages/recordings", {})):
            expect(own.request("POST", path, body), 401, "unauthorised")
            expect(own.request("POST", path, body, token=own.key), 201)
        message = lock(own, key=own.key)
        assert attempt(own, message, THREE)["state"] == "opened", "who opens needs no key"
    finally:
        own.clean()


@test
def an_answer_takes_little_beside_the_camera(server):
    took = []
    for _ in range(3):
        performance = unlock(server, lock(server))
        performance.perform(THREE)
        took += performance.took
    took.sort()
    print(f"         {len(took)} requests: p50 {took[len(took) // 2] * 1000:.1f} ms, p95 {took[int(len(took) * 0.95)] * 1000:.1f} ms")


@test
def nothing_of_it_is_logged(server):
    text = "".join(server.lines)
    assert not re.search(r"roblox|wink|smooch|rcp_|eyJ", text), text[:500]


if __name__ == "__main__":
    main(TESTS)
