"""Tests of the messages' rate limits, realms, malformed input, and untrusted claims."""

import json
import os
import re
import sqlite3
import time

import pytest

from support import footage
from support.checks import JPEG, NDJSON, keys
from support.expressions import FACES, REST
from support.messages import FIVE, THREE, Performance, attempt, database, lock, new_address_headers, read_id, state, unlock, without_comment
from support.replies import conforms, expect
from support.server import Server


def test_rate_limits_requests_without_a_key(server):
    own = Server(server.binary, arguments=["--message-limit", "4", "--demo"], loads_models=False)
    try:
        payload = {"text": "x", "steps": THREE, "requires_frames": False}

        def ask(path="/v1/messages", body=payload, method="POST", forwarded_for=None, **more):
            headers = {"Content-Type": "application/json"}
            if forwarded_for:
                headers["X-Forwarded-For"] = forwarded_for
            return own.request(method, path, None if method == "GET" else json.dumps(body).encode(), headers, **more)

        number = [expect(ask(), 201).json["id"] for _ in range(3)][0]
        expect(ask("/v1/messages/recordings", {}), 201)
        for path, body in (("/v1/messages", payload), ("/v1/messages/recordings", {})):
            reply = expect(ask(path, body), 429, "too-many-requests")
            assert 1 <= int(reply.headers["retry-after"]) <= 900, reply.headers
        expect(ask(token=own.key), 201)  # requests with a key are not counted
        # A proxy on this machine appends the client address; earlier entries of the header come from the client and are ignored.
        expect(ask(forwarded_for="203.0.113.9, 198.51.100.7"), 201)
        for end in ("1", "2", "3", "4"):
            expect(ask(forwarded_for=f"2001:db8:1:2::{end}"), 201)
        expect(ask(forwarded_for="2001:db8:1:2:3:4:5:6"), 429, "too-many-requests")
        # Looking is counted by itself, twenty times as often; what a performance sends is not counted.
        performance = unlock(own, {"id": number}, {"X-Forwarded-For": "127.0.0.1"})
        began, looks = time.monotonic(), 0
        while ask("/v1/messages/" + number, method="GET").status == 200:
            looks += 1
        # One more becomes available every eleven seconds.
        assert 79 <= looks <= 80 + (time.monotonic() - began) / 11, looks
        assert performance.perform(THREE)[-1]["state"] == "opened"
        for _ in range(4):
            read_id(own, b"x", status=422, code="not-an-image")
        read_id(own, b"x", status=429, code="too-many-requests")
        # Reads, unlocks and image requests with a key are not counted; a sandbox key counts as no key in the live realm.
        expect(ask("/v1/messages/" + number, method="GET", token=own.key), 200)
        expect(ask(f"/v1/messages/{number}/unlock", {}, token=own.key), 201)
        picture = own.request("POST", "/v1/messages/read-id", b"x", {"Content-Type": "image/gif"}, own.key)
        expect(picture, 422, "not-an-image")
        trial = keys(own, "api", "--sandbox")["api_key"]
        statuses = [ask("/v1/messages/" + number, method="GET", token=trial).status for _ in range(20)]
        assert 429 in statuses, statuses
    finally:
        own.clean()


def test_sandbox_messages_stay_in_the_sandbox(server):
    key = keys(server, "api", "--sandbox")["api_key"]
    expect(server.request("POST", "/v1/messages", {"text": "x", "steps": THREE}, token="mientest_" + "A" * 43), 401, "unauthorized")
    trial, real = lock(server, key=key, text="trial", mode="secret"), lock(server, text="real")
    assert trial["id"].startswith("ZZZZ-") and not real["id"].startswith("ZZZZ-")
    live = database(server).execute("SELECT count(*) FROM message WHERE id = ?", (trial["id"],)).fetchone()
    with sqlite3.connect(os.path.join(server.data, "sandbox", "mien.sqlite")) as sandbox:
        sandbox_ids = [row[0] for row in sandbox.execute("SELECT id FROM message")]
    assert live == (0,) and trial["id"] in sandbox_ids and real["id"] not in sandbox_ids
    performance = unlock(server, trial)
    assert performance.id.startswith("prftest_")
    assert performance.perform(THREE)[-1]["text"] == "trial"
    gif = expect(server.request("GET", trial["gif"]), 200).body
    assert read_id(server, without_comment(gif))["id"] == trial["id"]
    begun = expect(server.request("POST", "/v1/messages/recordings", {"steps": 3}, token=key), 201).json
    assert Performance(server, begun).perform(THREE)[-1]["state"] == "recorded"
    recording = {"text": "x", "recording": {"id": begun["id"], "token": begun["token"]}}
    expect(server.request("POST", "/v1/messages", recording), 401, "unauthorized")  # unknown in the live realm
    assert expect(server.request("POST", "/v1/messages", recording, token=key), 201).json["id"].startswith("ZZZZ-")
    expect(server.request("DELETE", "/v1/messages/" + trial["id"], token=trial["receipt"]), 204)


def test_texts_of_all_kinds_are_returned_unchanged(server):
    texts = ["👨‍👩‍👧‍👦" * 100, "e\u0301" * 100, "שלום \u202eabc\u202c", "<script>alert(1)</script>", "two\nlines", " x ", "{\"text\":1}"]
    for text in texts:
        assert attempt(server, lock(server, text=text), THREE)["text"] == text


def test_invalid_requests_are_rejected_with_a_reason(server):
    payloads = [
        *({"text": text} for text in ("", "  \n", "\u200b", "x" * 101, "a" + "\u0301" * 2600, "a\u0000b", "\u001b[31m", "a\tb")),
        *({"steps": steps} for steps in (
            [], ["smile"], ["smile", "wink_l"], ["smile", "smile", "wink_l"], FIVE + FIVE + THREE, ["grin"] * 3,
            ["Smile", "wink_l", "smooch"], ["smile,wink_l", "smooch", "smile"], ["", "", ""])),
        {"mode": "loud"}, {"avatar": "wolf"}, {"avatar": "../bear"}, {"attempts": 0}, {"attempts": 101}, {"attempts": -1},
        {"views": 0}, {"views": 101}, {"first_wait": 9}, {"first_wait": 86401}, {"expires_in": 59}, {"expires_in": 2 ** 60},
    ]
    for payload in payloads:
        assert lock(server, status=422, **payload)["code"] == "bad-value", payload
    lock(server, status=422, steps=None)
    for body in ({"text": "x", "steps": THREE, "color": 1}, {"steps": THREE}, {"text": 5, "steps": THREE}):
        assert server.request("POST", "/v1/messages", body).status == 400, body
    expect(server.request("POST", "/v1/messages", b"x" * (1 << 20), {"Content-Type": "application/json"}), 413)


def test_rejects_misspelled_unknown_and_foreign_message_ids(server):
    message = lock(server)
    number = message["id"]
    swapped = number[:-1] + ("A" if number[-1] != "A" else "B")
    for text in (swapped, "chk_1", "%00", "x" * 65, "0" * 15, "..%2f.."):
        reply = server.request("GET", "/v1/messages/" + text)
        assert reply.status in (404, 422), (text, reply)
    expect(server.request("GET", "/v1/messages/" + swapped), 422, "bad-value")
    expect(server.request("GET", "/v1/messages/0000-0000-0000-0000"), 404, "not-found")
    expect(server.request("POST", "/v1/messages/0000-0000-0000-0000/unlock"), 404, "not-found")


def test_performance_belongs_to_its_token_and_client(server):
    message, here = lock(server), new_address_headers()
    one, other = unlock(server, message, here), unlock(server, message, here)
    line = {"t": 0, "faces": 1, "blendshapes": REST}
    path = f"/v1/performances/{one.id}/observations"
    expect(server.request("POST", path, json.dumps(line), {"Content-Type": NDJSON}), 401, "unauthorized")
    expect(one.post([line], token=other.token), 401, "unauthorized")
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


def test_unlocking_ignores_gaps_and_expressions_held_too_briefly(server):
    message = lock(server)
    gaps = unlock(server, message)
    for t in (0, 0.1, 0.2):
        expect(gaps.post([{"t": t, "faces": 1, "blendshapes": REST}]), 200)
    for t in (0.6, 1.1, 1.6):
        step = expect(gaps.post([{"t": t, "faces": 1, "blendshapes": {**REST, **FACES["smile"]}}]), 200).json
    assert step["performed"] == [] and step["hold"] < 1
    too_fast = unlock(server, message).perform(THREE, hold=0.2)
    assert too_fast[-1]["state"] == "performing" and too_fast[-1]["performed"] == []


def test_messages_that_require_frames_reject_claims(server):
    watched = lock(server, requires_passive=True)
    assert (state(server, watched)["requires_frames"], state(server, watched)["requires_passive"]) == (True, True)
    expect(unlock(server, watched).post([{"t": 0, "faces": 1, "blendshapes": REST}]), 403, "source-not-allowed")
    plain = expect(server.request("POST", "/v1/messages", {"text": "x", "steps": THREE}), 201).json
    for message in (plain, lock(server, requires_frames=True), lock(server, requires_frames=None)):
        assert (state(server, message)["requires_frames"], state(server, message)["requires_passive"]) == (True, False)
        refused = unlock(server, message).post([{"t": 0, "faces": 1, "blendshapes": REST}])
        expect(refused, 403, "source-not-allowed")
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    performance = unlock(server, message)
    path = f"/v1/performances/{performance.id}/frames"
    expect(server.request("POST", path, b"no picture", {"Content-Type": JPEG}, performance.token), 422, "not-an-image")


def test_default_server_rejects_claims(server):
    own = Server(server.binary, claims=False, loads_models=False)
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


def test_server_analyzes_frames(server):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
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


def test_without_demo_mode_locking_needs_a_key(server):
    own = Server(server.binary, arguments=["--no-demo"], loads_models=False)
    try:
        for path, body in (("/v1/messages", {"text": "x", "steps": THREE}), ("/v1/messages/recordings", {})):
            expect(own.request("POST", path, body), 401, "unauthorized")
            expect(own.request("POST", path, body, token=own.key), 201)
        message = lock(own, key=own.key)
        assert attempt(own, message, THREE)["state"] == "opened", "who opens needs no key"
    finally:
        own.clean()



def test_logs_contain_no_message_data(server):
    text = "".join(server.lines)
    assert not re.search(r"roblox|wink|smooch|rcp_|eyJ", text), text[:500]
