"""Tests of counted attempts, across restarts, concurrent requests and crashes."""

import threading
import time

from support import failover
from support.messages import (
    FINAL, FIVE, OTHER, Performance, THREE, attempt, database, in_parallel, lock, new_address_headers, state, unlock)
from support.replies import expect
from support.server import Server


def test_ten_wrong_attempts_lock_across_restarts_and_concurrent_requests(server):
    own = Server(server.binary, loads_models=False)
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


def test_correct_sequence_does_not_open_a_locked_message(server):
    message = lock(server, attempts=1)
    ready = unlock(server, message)  # begun while an attempt was left
    ready.perform(THREE[:1])
    assert attempt(server, message, OTHER)["state"] == "wrong"
    last = ready.perform(THREE[1:])[-1]
    assert last["state"] == "locked" and "text" not in last and last["waits_until"], last
    # The last step is said again, and when to try again stands in its header, too.
    reply = expect(ready.post([{"t": ready.last + 1, "faces": 0}]), 200)
    assert 3500 < int(reply.headers["retry-after"]) <= 3600, reply.headers


def test_one_address_cannot_use_up_everybodys_attempts(server):
    message = lock(server)
    address = new_address_headers()
    many = [unlock(server, message, address) for _ in range(8)]
    ends = in_parallel(lambda one: one.perform(OTHER)[-1], many)
    assert sorted(end["state"] for end in ends) == ["locked"] * 7 + ["wrong"], ends
    assert all("waits_until" in end for end in ends if end["state"] == "locked")
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, address), 423, "message-locked")
    seconds = int(reply.headers["retry-after"])
    assert 1 <= seconds <= 5, reply.headers
    assert state(server, message)["attempts_left"] == 9
    assert attempt(server, message, THREE)["state"] == "opened", "other clients are not affected"
    time.sleep(seconds)
    assert unlock(server, message, address).perform(OTHER)[-1]["state"] == "wrong"
    reply = expect(server.request("POST", f"/v1/messages/{message['id']}/unlock", {}, address), 423, "message-locked")
    assert 5 < int(reply.headers["retry-after"]) <= 10, "each wait is longer"


def test_waits_between_attempts_grow(server):
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


def test_crash_between_counting_and_opening_keeps_count_and_message(server):
    own = Server(server.binary, loads_models=False)
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
        assert not outcome, f"the text was returned before its view was counted: {outcome}"
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


def test_performance_continues_after_its_server_was_killed_and_restarted(server):
    own = Server(server.binary, loads_models=False)
    try:
        message = lock(own, steps=FIVE, views=1)
        maker = failover.ExpressionPerformer(unlock(own, message), FIVE)
        maker.until(own, lambda step: len(step["performed"]) == 2 and step["hold"] > 0.3)
        steps_before = len(maker.steps)
        own.kill()
        own.start()
        assert len(maker.until(own, lambda step: True)["performed"]) >= 1, "at most a quarter of a second is lost"
        last = maker.until(own, lambda step: step["state"] in FINAL)
        assert last["state"] == "opened" and last["views_left"] == 0 and len(maker.steps) > steps_before, last
        reported = expect(own.request("GET", "/metrics"), 200).body.decode()
        assert 'mien_performances_total{outcome="opened"} 1\n' in reported and "mien_performances_in_progress{" in reported, reported
        # Killed once more: the lost reply is sent again and counts nothing.
        own.kill()
        own.start()
        assert maker.until(own, lambda step: True)["text"] == last["text"]
        assert state(own, message)["state"] == "read"
        recording = Performance(own, expect(own.request("POST", "/v1/messages/recordings", {"steps": 3}), 201).json)
        assert recording.perform(THREE)[-1]["state"] == "recorded"
        own.kill()
        own.start()
        payload = {"text": "recorded", "recording": {"id": recording.id, "token": recording.token}, "requires_frames": False}
        made = expect(own.request("POST", "/v1/messages", payload), 201).json
        assert attempt(own, made, THREE)["text"] == "recorded"
    finally:
        own.clean()


def test_only_the_holder_of_the_link_can_use_up_attempts(server):
    message = lock(server, requires_link=True, attempts=3)
    assert message["requires_link"] and len(message["link_key"]) == 22, message
    assert message["link_key"] not in str(state(server, message)) and state(server, message)["requires_link"]
    assert message["link_key"].encode() not in expect(server.request("GET", message["gif"]), 200).body
    path = f"/v1/messages/{message['id']}/unlock"
    for body in ({}, {"link_key": ""}, {"link_key": message["link_key"][::-1]}):
        expect(server.request("POST", path, body, new_address_headers()), 403, "link-required")
    assert state(server, message)["attempts_left"] == 3
    assert unlock(server, message, link_key=message["link_key"]).perform(OTHER)[-1]["attempts_left"] == 2
    assert unlock(server, message, link_key=message["link_key"]).perform(THREE)[-1]["state"] == "opened"
    assert "link_key" not in lock(server)
