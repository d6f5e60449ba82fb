"""Encryption at rest: a server with data of every kind, a search for plain values in its files, and key rotation."""

import contextlib
import json
import os
import pathlib
import sqlite3
import subprocess
import time

from support import captures, depth, footage, messages
from support.capture_files import DETECTION, photo
from support.checks import DEPTH, claim_turn, enroll, observation, play
from support.replies import expect

TURN = {"challenge": "turn-left", "sources": ["observed", "claimed"]}


def change(server, sql, *values):
    """Changes the server's database. Closes the connection, since an open one would keep shared state alive across a restart."""
    with contextlib.closing(sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20)) as db, db:
        assert db.execute(sql, values).rowcount == 1


def read_keyring(server, realm=""):
    return pathlib.Path(server.data, realm, "mien.keyring").read_bytes()


def rotate(server, *arguments, status=0):
    ended = subprocess.run([server.binary, "keys", "rotate-master-key", "--data", server.data, *arguments],
                           capture_output=True, text=True, timeout=300, env=server.environment)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def mien(server, *arguments):
    ended = subprocess.run([server.binary, *arguments, "--data", server.data], capture_output=True, text=True, timeout=300,
                           env=server.environment)
    assert ended.returncode == 0, (ended.stdout, ended.stderr)
    return ended.stdout


class PopulatedServer:
    """A server with a record of every kind."""

    def __init__(self, server, with_video=False):
        self.server = server
        expect(enroll(server, "ada", *[depth.head(seed) for seed in range(4)]), 201)
        gate = server.gated(person="ada", depth=True)
        for seed in range(20, 23):
            step = expect(gate.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json
        assert step["state"] == "passed", step
        turn = server.create(**TURN, person="ada")
        assert claim_turn(turn, "turn-left")[-1]["state"] == "passed"
        self.checks = [gate, turn]
        if with_video:
            self.record_video(footage.clip("zubair/real.mov", rate=15, quality=7))
        self.photo = photo(seed=99)
        detection = {**DETECTION, "moire": {**DETECTION["moire"], "confidence": 0.7345129}}
        said = {"photo": self.photo, "metadata": json.dumps({"captured_at": "2026-01-02T03:04:05Z"}).encode(),
                "detection": json.dumps(detection).encode()}
        self.capture = captures.post(server, said, key=server.key)["id"]
        self.open = [server.create(**TURN, attempts=1) for _ in range(6)]
        self.aws = json.loads(mien(server, "keys", "add", "aws", "--json"))
        self.webhook = expect(server.request("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/hook"}, token=server.key), 201).json
        self.message = messages.lock(server, text="a quite unusual sentence", steps=messages.THREE)
        captures.await_analysis(server, {"id": self.capture})

    def record_video(self, frames):
        check = self.server.create(challenge="turn-right", audit_images=2, clip=True)
        step = play(check, frames, 15)
        assert step and step["state"] in ("passed", "failed", "timed-out"), step
        for _ in range(120):
            reply = self.get(f"/v1/checks/{check.id}/clip", 200, 202)
            if reply.status == 200:
                break
            time.sleep(0.5)
        self.checks.append(check)
        self.frames, self.mp4 = frames, reply.body

    def get(self, path, *status):
        reply = self.server.request("GET", path, token=self.server.key)
        assert reply.status in (status or (200,)), (path, reply.status, reply.body[:200])
        return reply

    def stored_data(self):
        """Returns all stored data as the server reports it, without the parts that differ each time."""
        results = [expect(check.result(), 200).json for check in self.checks]
        for result in results:
            result.pop("signed")
        said = [results, self.get(f"/v1/captures/{self.capture}").json, self.get(f"/v1/captures/{self.capture}/parts/photo").body]
        images = [self.get(image["url"]).body for result in results for image in result.get("images", [])]
        return [*said, images, self.get("/.well-known/jwks.json").body]

    def check_secrets_usable(self):
        """Checks that everything that depends on secrets still works."""
        server = self.server
        assert mien(server, "keys", "list").count(self.aws["aws_access_key_id"]) == 1
        assert expect(self.open.pop().observe(observation(0.0)), 200).json["state"], "a token from before is good"
        assert "every link holds" in mien(server, "audit", "verify")
        expect(server.request("POST", f"/v1/webhooks/{self.webhook['id']}/secret", {}, token=server.key), 200)
        fresh = server.create(**TURN)
        assert claim_turn(fresh, "turn-left")[-1]["state"] == "passed"

    def measured_values(self):
        """Returns the numbers in results, as they would appear in text."""
        numbers = set()

        def walk(value):
            if isinstance(value, dict):
                for one in value.values():
                    walk(one)
            elif isinstance(value, list):
                for one in value:
                    walk(one)
            elif isinstance(value, float) and not value.is_integer():
                text = repr(value)
                if len(text) >= 6 and "e" not in text:
                    numbers.add(text[:5].encode())

        for check in self.checks:
            result = check.result().json
            walk([result.get("findings"), result.get("evidence")])
        return numbers


def stored_bytes(server):
    """Returns the content of every table and file except keyrings."""
    files = {str(path): path.read_bytes() for path in pathlib.Path(server.data).rglob("*")
             if path.is_file() and not path.name.startswith("mien.keyring")}
    if not server.environment:
        for path in list(files):
            if path.endswith(".sqlite"):
                with contextlib.closing(sqlite3.connect(path, timeout=20)) as db:
                    files[path + " as text"] = "\n".join(db.iterdump()).encode()
    return files


def assert_absent(secrets, contents):
    for secret in secrets:
        for where, bytes_ in contents.items():
            for form_ in (secret, secret.hex().encode(), secret.hex().upper().encode()):
                assert form_ not in bytes_, f"{secret[:40]!r} is in {where}"
