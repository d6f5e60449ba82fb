"""Tests of messages locked with expressions: opening, recording sequences, views and deletion."""

import subprocess
import tempfile

from support.messages import FIVE, OTHER, Performance, THREE, attempt, database, in_parallel, lock, state, unlock
from support.replies import expect


def test_performing_the_sequence_opens_a_message(server):
    text = "Hey wanna play roblox later? im eating pizza rn 🍕"
    message = lock(server, text=text, steps=FIVE, avatar="fox")
    assert message["receipt"].startswith("rcp_") and message["steps"] == 5 and message["attempts_left"] == 10
    reported = unlock(server, message).perform(FIVE)
    last = reported[-1]
    assert last["state"] == "opened" and last["text"] == text and last["source"] == "claimed", last
    assert "views_left" not in last and last["performed"] == FIVE
    assert {step.get("seen") for step in reported} >= set(FIVE), "the steps report the recognized expression"
    assert any(0 < step["hold"] < 1 for step in reported) and any(step["neutral"] for step in reported)
    assert [len(step["performed"]) for step in reported] == sorted(len(step["performed"]) for step in reported)
    assert all("text" not in step for step in reported[:-1])
    assert state(server, message)["attempts_left"] == 10, "the right one costs nothing"


def test_message_ids_are_read_as_people_type_them(server):
    message = lock(server)
    for number in (message["id"].lower(), message["id"].replace("-", ""), message["id"].replace("0", "o")):
        assert state(server, {"id": number})["id"] == message["id"]


def test_gif_contains_the_message_id(server):
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


def test_names_of_the_expressions_are_told_only_if_the_gif_shows_them(server):
    shown, secret = lock(server, mode="open", steps=FIVE), lock(server, mode="secret", steps=FIVE)
    assert state(server, shown)["expressions"] == FIVE
    assert "expressions" not in state(server, secret)
    last = lock(server, steps=THREE, views=1)
    assert attempt(server, last, THREE)["state"] == "opened"
    assert "expressions" not in state(server, last), "the message has ended"


def test_secret_gif_does_not_reveal_the_sequence(server):
    def pictures(message):
        return expect(server.request("GET", message["gif"]), 200).body.count(b"\x21\xf9\x04")  # graphic control extensions

    lengths = {n: pictures(lock(server, mode="secret", steps=(FIVE * 3)[:n])) for n in (3, 5, 12)}
    assert len(set(lengths.values())) == 1, lengths
    # Two frames per step, the neutral one before, and the label with the message ID drawn over the last.
    assert pictures(lock(server, mode="open", steps=FIVE)) == 11


def test_messages_may_share_a_sequence(server):
    first, second = lock(server, text="first"), lock(server, text="second")
    assert first["id"] != second["id"]
    assert attempt(server, second, THREE)["text"] == "second"
    assert attempt(server, first, THREE)["text"] == "first"


def test_wrong_sequence_costs_one_attempt_and_no_view(server):
    message = lock(server, views=1)
    last = attempt(server, message, OTHER)
    assert last["state"] == "wrong" and last["attempts_left"] == 9 and last["performed"] == OTHER, last
    assert "text" not in last
    assert state(server, message)["attempts_left"] == 9
    assert attempt(server, message, THREE)["state"] == "opened"


def test_unfinished_performance_costs_nothing(server):
    message = lock(server)
    assert unlock(server, message).perform(THREE[:2])[-1]["state"] == "performing"
    for _ in range(3):
        unlock(server, message)
    assert state(server, message)["attempts_left"] == 10


def test_sequence_can_be_recorded_by_performing_it(server):
    begun = expect(server.request("POST", "/v1/messages/recordings", {}), 201).json
    assert begun["steps"] == 5
    recording = Performance(server, begun)
    payload = {"text": "recorded", "recording": {"id": begun["id"], "token": begun["token"]}, "requires_frames": False}
    expect(server.request("POST", "/v1/messages", payload), 422, "bad-value")  # not complete
    reported = recording.perform(FIVE)
    assert reported[-1]["state"] == "recorded" and reported[-1]["performed"] == FIVE, reported[-1]
    stolen = {"text": "x", "recording": {"id": begun["id"], "token": begun["token"][:-4] + "AAAA"}}
    expect(server.request("POST", "/v1/messages", stolen), 401, "unauthorized")
    expect(server.request("POST", "/v1/messages", {**payload, "steps": THREE}), 422, "bad-value")
    message = expect(server.request("POST", "/v1/messages", payload), 201).json
    assert message["steps"] == 5
    again = expect(server.request("POST", "/v1/messages", payload), 201).json
    assert (again["id"], again["receipt"]) == (message["id"], message["receipt"]), "a reply that was lost can be asked for"
    expect(server.request("POST", "/v1/messages", {**payload, "views": 1}), 404, "not-found")  # a recording locks one message
    assert attempt(server, message, FIVE)["text"] == "recorded"
    for steps in (2, 13, -1):
        expect(server.request("POST", "/v1/messages/recordings", {"steps": steps}), 422, "bad-value")


def test_frames_do_not_lock_with_expressions_they_do_not_show_reliably(server):
    for step in ("tongue_out", "surprise"):
        payload = {"text": "hello", "steps": ["smile", step, "smooch"]}
        reply = expect(server.request("POST", "/v1/messages", payload), 422, "bad-value")
        assert step in reply.json["detail"] and "wink_l, wink_r, smile, smooch" in reply.json["detail"], reply.json
        expect(server.request("POST", "/v1/messages", {**payload, "requires_frames": False}), 201)
    expect(server.request("POST", "/v1/messages/recordings", {"steps": 3, "calibrate": True}), 400, "unknown-key")


def test_gif_is_classic_or_smooth_and_shows_its_number_longer(server):
    message = lock(server, steps=FIVE)
    classic = expect(server.request("GET", message["gif"]), 200).body
    smooth = expect(server.request("GET", message["gif"] + "?style=smooth&id_seconds=2"), 200).body
    assert classic.count(b"\x21\xf9\x04") == 11 < smooth.count(b"\x21\xf9\x04") and len(smooth) <= 60_000
    assert classic == expect(server.request("GET", message["gif"] + "?style=classic&id_seconds=0.5"), 200).body
    for query in ("style=wobbly", "id_seconds=0.4", "id_seconds=11", "id_seconds=two", "id_seconds=nan"):
        expect(server.request("GET", f"{message['gif']}?{query}"), 422, "bad-value")


def test_reading_the_state_takes_no_view_and_the_last_view_deletes(server):
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


def test_concurrent_performers_do_not_both_get_the_last_view(server):
    message = lock(server, views=1)
    ends = in_parallel(lambda _: attempt(server, message, THREE), range(4))
    assert sorted(end["state"] for end in ends) == ["gone", "gone", "gone", "opened"], ends


def test_sender_deletes_with_the_receipt(server):
    message = lock(server)
    path = "/v1/messages/" + message["id"]
    performance = unlock(server, message)
    performance.perform(THREE[:1])
    expect(server.request("DELETE", path), 401, "unauthorized")
    expect(server.request("DELETE", path, token="rcp_wrong"), 401, "unauthorized")
    expect(server.request("DELETE", path, token=lock(server)["receipt"]), 401, "unauthorized")
    assert state(server, message)["state"] == "ready"
    expect(server.request("DELETE", path, token=message["receipt"]), 204)
    expect(server.request("DELETE", path, token=message["receipt"]), 204)
    assert state(server, message)["state"] == "deleted"
    expect(server.request("GET", message["gif"]), 410, "message-gone")
    assert performance.perform(THREE[1:])[-1]["state"] == "gone"
