"""Kills a serving `mien` with SIGKILL at random moments while people use it, starts it again, and looks whether
everything that it had acknowledged is there, every count stands and the database is sound.

usage: crashes.py --mien PATH_OF_THE_PROGRAM [--rounds N] [--seed N] [--report FILE]

The last line counts: one test a round. The moments come from the seed; what lies between them is the machine's own.
Nobody sends a picture with a face, so the server has no face models; `--serve --models FOLDER` gives it some.
"""

import argparse
import hashlib
import http.client
import json
import math
import os
import pathlib
import random
import sqlite3
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "API"))
sys.path.insert(0, os.path.dirname(__file__))
from capture_parts import BOUNDARY, everything, form
from expressions import acted
from ledger import Ledger, Message
from server import Server

GONE = (ConnectionError, http.client.HTTPException, TimeoutError, OSError)
STEPS = ["smile", "surprise", "smooch"]
WRONG = ["smooch", "surprise", "smile"]


class Person(threading.Thread):
    """Somebody who does one kind of thing again and again until told to go."""

    def __init__(self, server, ledger, dice):
        super().__init__(daemon=True)
        self.server, self.ledger, self.dice, self.going = server, ledger, dice, True
        self.broken = None
        self.start()

    def run(self):
        while self.going:
            try:
                self.act()
            except GONE:
                time.sleep(0.05)  # the server is dead or not there yet
            except Exception as error:  # a reply that nobody expects ends the run as a failure
                self.broken = error
                return

    def ask(self, *arguments, **named):
        reply = self.server.request(*arguments, **named)
        assert reply.status < 500 or reply.status == 503, reply
        return reply


class Photographer(Person):
    def act(self):
        parts = everything(self.dice.randrange(1, 6))
        parts["photo"] += bytes(self.dice.randrange(256) for _ in range(8))  # after the picture's end: each is another file
        reply = self.ask("POST", "/v1/captures", form(list(parts.items())),
                         {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        if reply.status != 201:
            assert reply.status in (429, 503), reply
            return
        capture = reply.json
        digests = {name: hashlib.sha256(value).hexdigest() for name, value in parts.items()}
        with self.ledger.lock:
            self.ledger.captures[capture["id"]] = digests
        self.ledger.count("captures")
        time.sleep(self.dice.uniform(0, 0.6))
        if self.dice.random() < 0.2:
            with self.ledger.lock:
                del self.ledger.captures[capture["id"]]  # from now on it may be there or not
            reply = self.ask("DELETE", "/v1/captures/" + capture["id"], token=capture["receipt"])
            if reply.status == 204:
                with self.ledger.lock:
                    self.ledger.erased.append("/v1/captures/" + capture["id"])
                self.ledger.count("erasures")


class Locker(Person):
    def act(self):
        text = f"kept {self.dice.random()}"
        reply = self.ask("POST", "/v1/messages", {"text": text, "steps": STEPS, "attempts": 100})
        if reply.status != 201:
            assert reply.status in (429, 503), reply
            return
        message = reply.json
        with self.ledger.lock:
            self.ledger.messages[message["id"]] = Message(message["id"], message["receipt"], text, 100)
        self.ledger.count("messages")
        time.sleep(0.2)


class Guesser(Person):
    """Performs wrong sequences; each that was told to be wrong is one attempt, each cut off may be one."""

    def act(self):
        with self.ledger.lock:
            known = list(self.ledger.messages.values())
        if not known:
            time.sleep(0.1)
            return
        message = self.dice.choice(known)
        begun = self.ask("POST", f"/v1/messages/{message.id}/unlock", {}).json
        began = time.monotonic()
        lines = acted(WRONG)
        for start in range(0, len(lines), 6):
            part = lines[start:start + 6]
            time.sleep(max(0, part[-1]["t"] - 1 - (time.monotonic() - began)))
            body = "".join(json.dumps(line) + "\n" for line in part).encode()
            last = start + 6 >= len(lines)
            if last:
                message.unsure += 1  # before it is asked: the answer may be lost
            reply = self.ask("POST", f"/v1/performances/{begun['id']}/observations", body,
                             {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, begun["token"])
            if reply.status != 200:
                return
            if reply.json["state"] == "wrong":
                if last:
                    message.unsure -= 1
                message.told += 1
                self.ledger.count("wrong attempts")
                return


class Turner(Person):
    """Turns the head, to the asked side or the other one, until there is a verdict."""

    def act(self):
        side = self.dice.choice(["turn-left", "turn-right"])
        reply = self.server.request("POST", "/v1/checks", {"challenge": side}, token=self.server.key)
        if reply.status != 201:
            return
        check = reply.json
        self.ledger.count("checks")
        sign = (1 if side == "turn-left" else -1) * self.dice.choice([1, 1, -1])
        began, turning = time.monotonic(), None
        while self.going and time.monotonic() - began < 25:
            t = time.monotonic() - began
            yaw = 0.3 * math.sin(9 * t)
            if turning is not None:
                yaw += sign * 38 * math.sin(math.pi * min(1, (t - turning) / 2.5)) ** 2
            line = {"t": round(t, 4), "faces": 1, "box": [0.35, 0.3, 0.3, 0.4],
                    "pose": {"yaw": round(yaw, 3), "pitch": 0.0, "roll": 0.0}}
            reply = self.ask("POST", f"/v1/checks/{check['id']}/observations", (json.dumps(line) + "\n").encode(),
                             {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, check["token"])
            if reply.status != 200:
                return
            step = reply.json
            if step["state"] in ("passed", "failed", "timed-out"):
                with self.ledger.lock:
                    self.ledger.verdicts[check["id"]] = step["state"]
                self.ledger.count("verdicts")
                return
            if step["state"] == "tracking" and turning is None:
                turning = t
            time.sleep(1 / 15)


class Subscriber(Person):
    """Subscribes and leaves again; when there is no room, what deaths have left over goes first."""

    def act(self):
        reply = self.ask("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:9/{self.dice.random()}"}, token=self.server.key)
        if reply.status != 201:
            for left in self.ask("GET", "/v1/webhooks", token=self.server.key).json["webhooks"]:
                if left["id"] not in self.ledger.webhooks:
                    self.ask("DELETE", "/v1/webhooks/" + left["id"], token=self.server.key)
            return
        with self.ledger.lock:
            self.ledger.webhooks[reply.json["id"]] = True
        self.ledger.count("webhooks")
        time.sleep(0.3)
        with self.ledger.lock:
            del self.ledger.webhooks[reply.json["id"]]
        reply = self.ask("DELETE", "/v1/webhooks/" + reply.json["id"], token=self.server.key)
        assert reply.status in (204, 404), reply
        time.sleep(0.5)


PEOPLE = [Photographer, Locker, Guesser, Guesser, Turner, Turner, Subscriber]


def verify(server, ledger, dice):
    """Holds the server against the ledger; of a long ledger the newest entries and a draw of the old ones."""
    def some(entries):
        entries = list(entries)
        return entries[-12:] + dice.sample(entries[:-12], min(8, len(entries[:-12])))

    with ledger.lock:
        captures, messages, verdicts = (dict(x) for x in (ledger.captures, ledger.messages, ledger.verdicts))
        webhooks, erased = dict(ledger.webhooks), list(ledger.erased)
    for id, digests in some(captures.items()):
        reply = server.request("GET", "/v1/captures/" + id)
        if id not in ledger.captures:
            continue  # somebody has begun to erase it meanwhile
        assert reply.status == 200, f"an acknowledged capture is gone: {reply}"
        for name, digest in digests.items():
            part = server.request("GET", f"/v1/captures/{id}/parts/{name}")
            if id not in ledger.captures:
                break
            assert part.status == 200, f"a capture lost its part {name}: {part}"
            assert hashlib.sha256(part.body).hexdigest() == digest, f"a capture's {name} has changed"
    for path in some(erased):
        reply = server.request("GET", path)
        assert reply.status in (404, 410), f"what was erased is back: {reply}"
    for message in some(messages.values()):
        reply = server.request("GET", "/v1/messages/" + message.id)
        assert reply.status == 200, f"an acknowledged message is gone: {reply}"
        spent = message.attempts - reply.json["attempts_left"]
        assert message.told <= spent <= message.told + message.unsure, \
            f"{message.told} wrong attempts were told, {message.unsure} left open, {spent} counted"
    for id, state in some(verdicts.items()):
        reply = server.request("GET", "/v1/checks/" + id, token=server.key)
        assert reply.status == 200 and reply.json["state"] == state, f"a verdict of {state} became {reply}"
    listed = server.request("GET", "/v1/webhooks", token=server.key).body.decode()
    for id in webhooks:
        assert id in listed or id not in ledger.webhooks, "an acknowledged webhook is gone"


def sound(data):
    """The database of a server that is not running, and the files beside it."""
    for path in pathlib.Path(data).rglob("*.sqlite"):
        with sqlite3.connect(path, timeout=20) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{path.name} is damaged"
            assert database.execute("PRAGMA foreign_key_check").fetchall() == [], f"{path.name} has loose ends"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="more options for mien serve")
    options = parser.parse_args()
    dice = random.Random(options.seed)
    server = Server(options.mien, arguments=[
        "--message-limit", "0", "--lockout-failures", "0", "--allow-private-webhooks", *options.serve], sees=False)
    ledger = Ledger()
    people = [kind(server, ledger, random.Random(dice.random())) for kind in PEOPLE]
    passed = failed = 0
    starts = []
    for round in range(options.rounds):
        time.sleep(dice.choice([dice.uniform(0.02, 0.6), dice.uniform(0.6, 3), dice.uniform(3, 7)]))
        server.kill()
        try:
            sound(server.data)
            server.start()
            starts.append(server.seconds_to_start)
            verify(server, ledger, dice)
            for person in people:
                if person.broken:
                    raise person.broken
            passed += 1
        except Exception as error:
            failed += 1
            print(f"round {round + 1}: {type(error).__name__}: {error}", flush=True)
            if server.process.poll() is not None:
                break
            people = [p if p.is_alive() else type(p)(server, ledger, random.Random(dice.random())) for p in people]
        if (round + 1) % 20 == 0:
            print(f"{round + 1} kills: {json.dumps(ledger.counts)}", flush=True)
    for person in people:
        person.going = False
    for person in people:
        person.join(30)
    everything_at_the_end = random.Random(0)
    try:
        for _ in range(1 + len(ledger.captures) // 20):
            verify(server, ledger, everything_at_the_end)
    except Exception as error:
        failed += 1
        print(f"at the end: {type(error).__name__}: {error}")
    server.stop()
    sound(server.data)
    blobs = pathlib.Path(server.data) / "blobs"
    told = {"kills": passed + failed, **ledger.counts, "slowest start, s": max(starts, default=0),
            "blobs": sum(1 for path in blobs.rglob("*") if path.is_file()) if blobs.is_dir() else 0}
    print(json.dumps(told))
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(told, indent=1) + "\n")
    server.clean()
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
