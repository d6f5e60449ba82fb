"""Messages over the API: locking, performing expression sequences in real time, and unlocking."""

import json
import os
import random
import sqlite3
import threading
import time

from support.checks import NDJSON
from support.expressions import expression_observations
from support.replies import conforms, expect

FIVE = ["smile", "wink_l", "smile", "wink_r", "smooch"]
THREE = ["smile", "wink_r", "smooch"]
OTHER = ["smooch", "wink_r", "smile"]
FINAL = {"recorded", "opened", "wrong", "locked", "expired", "gone"}


class Performance:
    def __init__(self, server, begun):
        self.server, self.id, self.token, self.begun = server, begun["id"], begun["token"], begun
        conforms("Performance", begun)
        self.began, self.last = None, -1.0

    def post(self, lines, client="phone-1", token=None):
        body = "".join(json.dumps(line) + "\n" for line in lines)
        return self.server.request(
            "POST", f"/v1/performances/{self.id}/observations", body.encode(),
            {"Content-Type": NDJSON, "Mien-Client": client}, token or self.token)

    def perform(self, steps, **how):
        """Continues the performance, at most a second ahead of the clock; returns the server's steps."""
        if self.began is None:
            self.began = time.monotonic()
        began, reported = self.began, []
        offset = max(time.monotonic() - began, self.last + 0.05) if self.last >= 0 else 0.0
        lines = [{**line, "t": round(line["t"] + offset, 4)} for line in expression_observations(steps, **how)]
        self.last = lines[-1]["t"]
        for start in range(0, len(lines), 6):
            part = lines[start:start + 6]
            time.sleep(max(0, part[-1]["t"] - 1 - (time.monotonic() - began)))
            reported.append(expect(self.post(part), 200).json)
            conforms("PerformanceStep", reported[-1])
            if reported[-1]["state"] in FINAL:
                break
        return reported


def lock(server, status=201, key=None, **payload):
    payload = {"text": "Hey wanna play roblox later?", "steps": THREE, "requires_frames": False, **payload}
    reply = server.request("POST", "/v1/messages", payload, token=key)
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


def new_address_headers():
    """Returns headers with a new client address, as a reverse proxy on this machine sends them."""
    return {"X-Forwarded-For": f"2001:db8:{random.getrandbits(16):x}:{random.getrandbits(16):x}::1"}


def unlock(server, message, headers=None, **body):
    """Begins a performance, each from an address of its own."""
    return Performance(server, expect(server.request(
        "POST", f"/v1/messages/{message['id']}/unlock", body, headers or new_address_headers()), 201).json)


def attempt(server, message, steps):
    """Performs `steps` in one attempt and returns the last step."""
    return unlock(server, message).perform(steps)[-1]


def database(server):
    return sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20)


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


def without_comment(gif):
    start = gif.index(b"\x21\xfe")
    return gif[:start] + gif[start + 4 + gif[start + 2]:]


def read_id(server, picture, type="image/gif", status=200, code=None):
    reply = expect(server.request("POST", "/v1/messages/read-id", picture, {"Content-Type": type}), status, code)
    if status == 200:
        conforms("MessageIDMatch", reply.json)
    return reply.json
