"""Simulated users of a server that is killed during their requests; they record the data that it acknowledges."""

import hashlib
import http.client
import json
import math
import threading
import time

from reliability.acknowledged import Message
from support.capture_files import BOUNDARY, all_parts, form
from support.expressions import expression_observations

CONNECTION_ERRORS = (ConnectionError, http.client.HTTPException, TimeoutError, OSError)
STEPS = ["smile", "wink_r", "smooch"]
WRONG = ["smooch", "wink_r", "smile"]
FORM = {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'}


class SimulatedUser(threading.Thread):
    """A user who repeats one kind of request until stopped."""

    def __init__(self, server, acknowledged, rng):
        super().__init__(daemon=True)
        self.server, self.acknowledged, self.rng, self.running = server, acknowledged, rng, True
        self.error = None
        self.start()

    def run(self):
        while self.running:
            try:
                self.act()
            except CONNECTION_ERRORS:
                time.sleep(0.05)  # the server is down
            except Exception as error:  # an unexpected reply fails the run
                self.error = error
                return

    def ask(self, *arguments, **named):
        reply = self.server.request(*arguments, **named)
        assert reply.status < 500 or reply.status == 503, reply
        return reply


class CaptureUploader(SimulatedUser):
    def act(self):
        parts = all_parts(self.rng.randrange(1, 6))
        parts["photo"] += bytes(self.rng.randrange(256) for _ in range(8))  # after the end marker: makes every file different
        reply = self.ask("POST", "/v1/captures", form(list(parts.items())), FORM)
        if reply.status != 201:
            assert reply.status in (429, 503), reply
            return
        capture = reply.json
        digests = {name: hashlib.sha256(value).hexdigest() for name, value in parts.items()}
        with self.acknowledged.lock:
            self.acknowledged.captures[capture["id"]] = digests
        self.acknowledged.count("captures")
        time.sleep(self.rng.uniform(0, 0.6))
        if self.rng.random() < 0.2:
            with self.acknowledged.lock:
                del self.acknowledged.captures[capture["id"]]  # from now on it may exist or not
            reply = self.ask("DELETE", "/v1/captures/" + capture["id"], token=capture["receipt"])
            if reply.status == 204:
                with self.acknowledged.lock:
                    self.acknowledged.erased.append("/v1/captures/" + capture["id"])
                self.acknowledged.count("erasures")


class MessageLocker(SimulatedUser):
    def act(self):
        text = f"kept {self.rng.random()}"
        reply = self.ask("POST", "/v1/messages", {"text": text, "steps": STEPS, "attempts": 100, "requires_frames": False})
        if reply.status != 201:
            assert reply.status in (429, 503), reply
            return
        message = reply.json
        with self.acknowledged.lock:
            self.acknowledged.messages[message["id"]] = Message(message["id"], message["receipt"], text, 100)
        self.acknowledged.count("messages")
        time.sleep(0.2)


class Guesser(SimulatedUser):
    """Performs wrong sequences; each one reported as wrong is one attempt, each interrupted one may be."""

    def act(self):
        with self.acknowledged.lock:
            messages = list(self.acknowledged.messages.values())
        if not messages:
            time.sleep(0.1)
            return
        message = self.rng.choice(messages)
        # Each time from another address: one that was wrong has to wait.
        address = f"2001:db8:{self.rng.getrandbits(16):x}:{self.rng.getrandbits(16):x}::1"
        begun = self.ask("POST", f"/v1/messages/{message.id}/unlock", {}, {"X-Forwarded-For": address})
        if begun.status == 503:
            time.sleep(0.1)
            return
        begun = begun.json
        began = time.monotonic()
        lines = expression_observations(WRONG)
        for start in range(0, len(lines), 6):
            part = lines[start:start + 6]
            time.sleep(max(0, part[-1]["t"] - 1 - (time.monotonic() - began)))
            body = "".join(json.dumps(line) + "\n" for line in part).encode()
            last = start + 6 >= len(lines)
            if last:
                message.unanswered += 1  # before the request: the reply may be lost
            reply = self.ask("POST", f"/v1/performances/{begun['id']}/observations", body,
                             {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, begun["token"])
            if reply.status != 200:
                return
            if reply.json["state"] == "wrong":
                if last:
                    message.unanswered -= 1
                message.reported += 1
                self.acknowledged.count("wrong attempts")
                return


class HeadTurner(SimulatedUser):
    """Turns the head to the requested side or the other one until there is a verdict."""

    def act(self):
        side = self.rng.choice(["turn-left", "turn-right"])
        reply = self.server.request("POST", "/v1/checks", {"challenge": side, "sources": ["claimed"]}, token=self.server.key)
        if reply.status != 201:
            return
        check = reply.json
        self.acknowledged.count("checks")
        sign = (1 if side == "turn-left" else -1) * self.rng.choice([1, 1, -1])
        began, turning = time.monotonic(), None
        while self.running and time.monotonic() - began < 25:
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
                with self.acknowledged.lock:
                    self.acknowledged.verdicts[check["id"]] = step["state"]
                self.acknowledged.count("verdicts")
                return
            if step["state"] == "tracking" and turning is None:
                turning = t
            time.sleep(1 / 15)


class WebhookSubscriber(SimulatedUser):
    """Creates and deletes webhooks; at the limit, deletes those left over from kills first."""

    def act(self):
        reply = self.ask("POST", "/v1/webhooks", {"url": f"http://127.0.0.1:9/{self.rng.random()}"}, token=self.server.key)
        if reply.status != 201:
            listed = self.ask("GET", "/v1/webhooks", token=self.server.key)
            for listed_webhook in listed.json["webhooks"] if listed.status == 200 else []:
                if listed_webhook["id"] not in self.acknowledged.webhooks:
                    self.ask("DELETE", "/v1/webhooks/" + listed_webhook["id"], token=self.server.key)
            return
        with self.acknowledged.lock:
            self.acknowledged.webhooks[reply.json["id"]] = True
        self.acknowledged.count("webhooks")
        time.sleep(0.3)
        with self.acknowledged.lock:
            del self.acknowledged.webhooks[reply.json["id"]]
        reply = self.ask("DELETE", "/v1/webhooks/" + reply.json["id"], token=self.server.key)
        assert reply.status in (204, 404, 503), reply
        time.sleep(0.5)


USERS = [CaptureUploader, MessageLocker, Guesser, Guesser, HeadTurner, HeadTurner, WebhookSubscriber]
