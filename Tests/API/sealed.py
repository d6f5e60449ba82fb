"""Tests of encryption at rest, and of rotating the master key with crashes in between.

usage: sealed.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import random
import re
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

sys.path.insert(0, os.path.dirname(__file__))
import depth
import footage
import messages
import captures
import scans
from capture_parts import DETECTION, photo
from run import DEPTH, Skip, claim_turn, conforms, enrol, expect, keys, main, need_footage, observation, play
from server import Check, Server

TESTS = []
TURN = {"challenge": "turn-left", "sources": ["observed", "claimed"]}


def test(function):
    TESTS.append(function)
    return function


def change(server, sql, *values):
    """Changes the server's database. Closes the connection, since an open one would keep shared state alive across a restart."""
    with contextlib.closing(sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20)) as db, db:
        assert db.execute(sql, values).rowcount == 1


def seal(server, space=""):
    return pathlib.Path(server.data, space, "mien.seal").read_bytes()


def rotate(server, *arguments, status=0):
    ended = subprocess.run([server.binary, "keys", "rotate-seal", "--data", server.data, *arguments],
                           capture_output=True, text=True, timeout=120, env=server.environment)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def mien(server, *arguments):
    ended = subprocess.run([server.binary, *arguments, "--data", server.data], capture_output=True, text=True, timeout=60,
                           env=server.environment)
    assert ended.returncode == 0, (ended.stdout, ended.stderr)
    return ended.stdout


class Used:
    """An installation with a record of every kind, and the replies of its server."""

    def __init__(self, server, films=False):
        self.server = server
        expect(enrol(server, "ada", *[depth.head(seed) for seed in range(4)]), 201)
        gate = server.gated(person="ada", depth=True)
        for seed in range(20, 23):
            step = expect(gate.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json
        assert step["state"] == "passed", step
        turn = server.create(**TURN, person="ada")
        assert claim_turn(turn, "turn-left")[-1]["state"] == "passed"
        self.checks = [gate, turn]
        if films:
            self.film(footage.clip("zubair/real.mov", rate=15, quality=7))
        self.photo = photo(seed=99)
        detection = {**DETECTION, "moire": {**DETECTION["moire"], "confidence": 0.7345129}}
        said = {"photo": self.photo, "metadata": json.dumps({"captured_at": "2026-01-02T03:04:05Z"}).encode(),
                "detection": json.dumps(detection).encode()}
        self.capture = captures.post(server, said, key=server.key)["id"]
        self.open = [server.create(**TURN, attempts=1) for _ in range(6)]
        self.aws = json.loads(mien(server, "keys", "add", "aws", "--json"))
        self.webhook = expect(server.request("POST", "/v1/webhooks", {"url": "http://127.0.0.1:9/hook"}, token=server.key), 201).json
        self.message = messages.lock(server, text="a quite unusual sentence", steps=messages.THREE)
        captures.look(server, {"id": self.capture})

    def film(self, frames):
        check = self.server.create(challenge="turn-right", audit_images=2, clip=True)
        step = play(check, frames, 15)
        assert step and step["state"] in ("passed", "failed"), step
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

    def told(self):
        """Returns all stored data as the server reports it, without the parts that differ each time."""
        results = [expect(check.result(), 200).json for check in self.checks]
        for result in results:
            result.pop("signed")
        said = [results, self.get(f"/v1/captures/{self.capture}").json, self.get(f"/v1/captures/{self.capture}/parts/photo").body]
        images = [self.get(image["url"]).body for result in results for image in result.get("images", [])]
        return [*said, images, self.get("/.well-known/jwks.json").body]

    def works(self):
        """Checks that everything that depends on secrets still works."""
        server = self.server
        assert mien(server, "keys", "list").count(self.aws["aws_access_key_id"]) == 1
        assert expect(self.open.pop().observe(observation(0.0)), 200).json["state"], "a token from before is good"
        assert "every link holds" in mien(server, "audit", "verify")
        expect(server.request("POST", f"/v1/webhooks/{self.webhook['id']}/secret", {}, token=server.key), 200)
        fresh = server.create(**TURN)
        assert claim_turn(fresh, "turn-left")[-1]["state"] == "passed"

    def measures(self):
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


def haystack(server):
    """Returns the content of every table and file except keyrings."""
    files = {str(path): path.read_bytes() for path in pathlib.Path(server.data).rglob("*")
             if path.is_file() and not path.name.startswith("mien.seal")}
    if not server.environment:
        for path in list(files):
            if path.endswith(".sqlite"):
                with contextlib.closing(sqlite3.connect(path, timeout=20)) as db:
                    files[path + " as text"] = "\n".join(db.iterdump()).encode()
    return files


def nowhere(needles, hay):
    for needle in needles:
        for where, bytes_ in hay.items():
            for form_ in (needle, needle.hex().encode(), needle.hex().upper().encode()):
                assert form_ not in bytes_, f"{needle[:40]!r} stands in {where}"


@test
def a_used_installation_holds_no_face_and_no_measure_in_the_clear(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"], sees=True)
    try:
        try:
            need_footage()
            films = True
        except Skip:
            films = False
        used = Used(own, films)
        measures = used.measures()
        assert len(measures) > 8, measures
        needles = [*measures, used.photo[200:232], used.photo[-48:-16], b'"noseRelief"', b'"way_out"', b'"native"', b"captured_at", b"0.73451"]
        if films:
            for frame in used.frames:
                needles += [frame[700:732]]
            needles += [used.mp4[start:start + 32] for start in range(1000, len(used.mp4) - 40, 20000)]
        nowhere(needles, haystack(own))
        own.stop()
        nowhere(needles, haystack(own))
    finally:
        own.clean()


@test
def what_lies_open_from_before_is_sealed_beside_the_serving(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        change(own, "UPDATE verdict SET way_out = '[1.5,23.4375178]' WHERE check_id = ?", check.id)
        assert any(b"23.4375178" in hay for hay in haystack(own).values())
        assert "1 values are not sealed" in subprocess.run(
            [own.binary, "doctor", "--data", own.data], capture_output=True, text=True).stdout
        own.start()
        for _ in range(100):
            if not any(b"23.4375178" in hay for hay in haystack(own).values()):
                break
            time.sleep(0.1)
        nowhere([b"23.4375178"], haystack(own))
        told = check.result().json["evidence"]["way_out"]
        assert len(told) == 2 and abs(told[1] - 23.4375) < 0.01, told
        # A value copied from another check does not decrypt, and is not returned.
        other = own.create(**TURN)
        assert claim_turn(other, "turn-left")[-1]["state"] == "passed"
        change(own, "UPDATE verdict SET way_out = (SELECT way_out FROM verdict WHERE check_id = ?) WHERE check_id = ?",
               check.id, other.id)
        # Restarts the server, which caches recent results.
        own.stop()
        own.start()
        reply = expect(other.result(), 503, "unavailable")
        assert "23.4" not in str(reply.body) and "23.4" not in "".join(own.lines)
    finally:
        own.clean()


@test
def a_rotated_seal_opens_everything_and_the_old_key_is_gone(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        used = Used(own)
        before, old = used.told(), (seal(own), seal(own, "sandbox"))
        assert all(len(key) == 32 for key in old)
        said = rotate(own, status=2)
        assert "End the server" in said or "End all servers" in said, said
        assert (seal(own), seal(own, "sandbox")) == old, "nothing was done beside a server"
        own.stop()
        said = rotate(own)
        assert re.search(r"live: [1-9]\d* values and [1-9]\d* files are sealed under the new key", said), said
        lines = seal(own).decode().splitlines()
        words = [line.split()[0] for line in lines[1:]]
        assert lines[0] == "mien-seal 2" and words == ["key", "audit", "messages", "tokens", "reels"], lines
        for key in old:
            for now in (seal(own), seal(own, "sandbox")):
                assert base64.b64encode(key) not in now and key not in now, "the old key is gone"
        assert pathlib.Path(own.data, "mien.seal").stat().st_mode & 0o077 == 0
        own.start()
        assert used.told() == before
        used.works()
        assert messages.attempt(own, used.message, messages.THREE)["state"] == "opened", "locked before, opened after"
        assert any(entry["action"] == "rotated-seal" for entry in used.get("/v1/audit?limit=1000").json["entries"])
        # The old keyring decrypts nothing any more.
        own.stop()
        fresh = seal(own)
        pathlib.Path(own.data, "mien.seal").write_bytes(old[0])
        try:
            own.start()
            raise AssertionError("a server started with a seal that opens nothing")
        except RuntimeError as refusal:
            assert "seal" in str(refusal), refusal
        pathlib.Path(own.data, "mien.seal").write_bytes(fresh)
        # Rotates again; keys that are no longer needed are removed.
        rotate(own)
        assert len(seal(own).decode().splitlines()) == 10
        own.start()
        assert used.told() == before
        used.works()
        expect(own.request("DELETE", f"/v1/messages/{used.message['id']}", token=used.message["receipt"]), 204)
        own.stop()
        rotate(own, "--finish")
        words = [line.split()[0] for line in seal(own).decode().splitlines()[1:]]
        assert words.count("messages") == 0 and words.count("audit") == 2 and words.count("key") == 1, words
        own.start()
        assert used.told() == before
        used.works()
    finally:
        own.clean()


@test
def a_rotation_that_is_killed_goes_on_and_loses_nothing(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        used = Used(own)
        dice = random.Random(7)
        before, old = used.told(), seal(own)
        own.stop()
        began = time.monotonic()
        rotate(own)
        whole = time.monotonic() - began
        cut = 0
        for attempt in range(12):
            process = subprocess.Popen([own.binary, "keys", "rotate-seal", "--data", own.data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, env=own.environment)
            time.sleep(dice.uniform(0.2, 1.0) * whole)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            text = seal(own).decode()
            cut += text.count("\nkey ") > 1
            if attempt % 4 == 3 and not own.environment:
                own.start()
                assert used.told() == before, "whatever was cut off, everything opens"
                used.works()
                own.stop()
        if own.environment:
            # The lease of a killed server or command expires after half a minute.
            time.sleep(32)
        rotate(own, "--finish")
        assert seal(own).decode().count("\nkey ") == 1
        own.start()
        assert used.told() == before
        used.works()
        print(f"         a rotation took {whole:.2f} s; of 12 that were killed {cut} were cut off between the old key and the new")
        assert cut > 0, "some were killed in the midst"
        assert base64.b64encode(old) not in seal(own)
    finally:
        own.clean()


@test
def a_sweep_that_is_killed_goes_on(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        with contextlib.closing(sqlite3.connect(os.path.join(own.data, "mien.sqlite"))) as db, db:
            for number in range(12_000):
                columns = ("created_ms, expires_ms, side, person, expects_depth, reference, open, device, tasks, attempts, "
                           "audit_pictures, keeps_clip")
                db.execute(f"INSERT INTO liveness_check (id, token_digest, {columns}) SELECT ?, zeroblob(32), {columns} "
                           "FROM liveness_check WHERE id = ?",
                           [f"chk_{number}", check.id])
                db.execute("INSERT INTO verdict (check_id, decided_ms, outcome, source, frames, way_out, way_back, findings) "
                           "VALUES (?, ?, 'passed', 'observed', 3, '[7.7512345]', '[]', '[]')", [f"chk_{number}", time.time_ns() // 10**6])

        def left():
            with contextlib.closing(sqlite3.connect(os.path.join(own.data, "mien.sqlite"), timeout=20)) as db:
                return db.execute("SELECT count(*) FROM verdict WHERE way_out NOT LIKE '\"sealed:%'").fetchone()[0]

        assert left() == 12_000
        seen = []
        for seconds in (0, 0.03, 0.06, 0.1):
            own.start()
            time.sleep(seconds)
            own.kill()
            seen.append(left())
        assert any(seen), "none was killed in the midst"
        own.start()
        deadline = time.monotonic() + 60
        while left():
            assert time.monotonic() < deadline, left()
            time.sleep(0.1)
        print(f"         left open after each of four kills: {seen}")
        assert seen == sorted(seen, reverse=True), "what was done stays done"
        for number in (0, 1500, 2999):
            told = own.request("GET", f"/v1/checks/chk_{number}", token=own.key).json["evidence"]["way_out"]
            assert len(told) == 1 and abs(told[0] - 7.7512) < 0.01, told
    finally:
        own.clean()


@test
def what_no_key_opens_holds_up_nothing_and_a_strange_seal_rotates_nothing(server):
    own = Server(server.binary)
    try:
        checks = [own.create(**TURN) for _ in range(2)]
        for check in checks:
            assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        # A damaged value: its key ID is intact, but it does not decrypt.
        change(own, "UPDATE verdict SET way_out = substr(way_out, 1, 40) || 'AAAA' || substr(way_out, 45) WHERE check_id = ?",
               checks[0].id)
        right = seal(own)
        pathlib.Path(own.data, "mien.seal").write_bytes(os.urandom(32))
        strange = seal(own)
        assert "does not open with the server's seal" in rotate(own, status=2) and seal(own) == strange
        pathlib.Path(own.data, "mien.seal").write_bytes(right)
        said = rotate(own)
        assert "live: 1 values and 0 files open with no key of this seal" in said and "the old one is gone" in said, said
        own.start()
        expect(checks[0].result(), 503, "unavailable")
        assert expect(checks[1].result(), 200).json["state"] == "passed"
    finally:
        own.clean()


def opened_upload(key, name, raw):
    """Decrypts an upload as Documentation/reference/formats/SealedUpload.md specifies, with another library."""
    assert raw[:12] == b"MIENPIECE1\0\0"
    wrapping = HKDF(hashes.SHA256(), 32, None, b"mien uploads 1").derive(key)
    own = AESGCM(AESGCM(wrapping).decrypt(raw[12:24], raw[24:72], name.encode()))
    place, plain = 72, b""
    while place + 4 <= len(raw):
        count = int.from_bytes(raw[place:place + 4], "big")
        nonce, box = raw[place + 4:place + 16], raw[place + 16:place + 32 + count]
        if len(box) < count + 16:
            break
        plain += own.decrypt(nonce, box, len(plain).to_bytes(8, "big") + raw[place:place + 4])
        place += 32 + count
    return plain


class HalfSent:
    """A partially received upload, whose server is killed while it receives a piece."""

    def __init__(self, own):
        self.own, self.body = own, os.urandom(9 << 20)
        scan = scans.create(own, [{"name": "scan.zip", "bytes": len(self.body)}])
        self.scan, self.upload = scan["id"], scan["files"][0]["upload"]
        self.file = pathlib.Path(own.data, "uploads", self.upload.split("/")[-1])
        scans.patch(own, self.upload, 0, self.body[:1 << 20])
        with socket.create_connection(("127.0.0.1", own.port)) as line:
            line.sendall((f"PATCH {self.upload} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {1 << 20}\r\n"
                          f"Content-Type: {scans.OCTETS}\r\nContent-Length: {8 << 20}\r\n\r\n").encode())
            line.sendall(self.body[1 << 20:8 << 20])
            deadline = time.monotonic() + 30
            while self.offset() == 1 << 20:
                assert time.monotonic() < deadline, "nothing of the piece was noted"
                time.sleep(0.05)
            own.kill()

    def offset(self):
        return int(scans.head(self.own, self.upload).headers["upload-offset"])

    def needles(self):
        return [self.body[start:start + 24] for start in range(0, len(self.body) - 24, 333_333)]

    def go_on(self):
        """Sends the rest and checks that the file is identical."""
        offset = self.offset()
        assert 1 << 20 < offset <= 8 << 20, offset
        scans.patch(self.own, self.upload, offset, self.body[offset:])
        file = scans.get(self.own, self.scan)["files"][0]
        assert file["sha256"] == hashlib.sha256(self.body).hexdigest() and not self.file.exists()
        assert self.own.request("GET", file["url"]).body == self.body


@test
def an_upload_that_is_half_sent_lies_sealed_and_comes_whole_after_a_sudden_death(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        nowhere(half.needles(), haystack(own))
        plain = opened_upload(seal(own), half.file.name, half.file.read_bytes())
        assert len(plain) > 4 << 20 and half.body.startswith(plain)
        assert stat.S_IMODE(half.file.stat().st_mode) == 0o600
        own.start()
        nowhere(half.needles(), haystack(own))
        half.go_on()
        nowhere(half.needles(), haystack(own))
    finally:
        own.clean()


@test
def a_changed_byte_of_an_upload_is_found_out(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        good = half.file.read_bytes()
        for place in (3, 20, 80, 500_000):
            half.file.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            own.start()
            offset = half.offset()
            reply = own.request("PATCH", half.upload, half.body[offset:],
                                {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(offset)})
            expect(reply, 503, "unavailable")
            own.kill()
            change(own, "UPDATE scan_file SET received = ? WHERE upload = ?", offset, half.file.name)
        half.file.write_bytes(good)
        own.start()
        half.go_on()
    finally:
        own.clean()


@test
def an_upload_from_before_goes_on_as_it_is(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        size = 5 << 20
        half.file.write_bytes(half.body[:size])
        change(own, "UPDATE scan_file SET received = ? WHERE upload = ?", size, half.file.name)
        own.start()
        half.go_on()
        nowhere(half.needles(), haystack(own))
    finally:
        own.clean()


@test
def an_upload_under_way_outlives_a_rotated_seal(server):
    own = Server(server.binary)
    try:
        half, old = HalfSent(own), seal(own)
        # In PostgreSQL, the lease of a killed server must expire first.
        if own.environment:
            time.sleep(32)
        assert "uploads under way" in rotate(own)

        def words():
            return [line.split()[0] for line in seal(own).decode().splitlines()[1:]]

        assert words().count("uploads") == 1 and base64.b64encode(old) not in seal(own), words()
        rotate(own, "--finish")
        assert words().count("uploads") == 1, "it is needed"
        own.start()
        half.go_on()
        # The completed scan needs no more files, and later uploads use the new key.
        expect(own.request("POST", f"/v1/scans/{half.scan}/submit"), 202)
        later = HalfSent(own)
        if own.environment:
            time.sleep(32)
        rotate(own, "--finish")
        assert words().count("uploads") == 0, words()
        own.start()
        later.go_on()
    finally:
        own.clean()


def blind(server, data, *arguments):
    """Returns the error of a rotation without the settings that locate the server's records."""
    around = {name: value for name, value in os.environ.items() if name not in ("MIEN_STORE", "MIEN_BLOBS")}
    ended = subprocess.run([server.binary, "keys", "rotate-seal", "--data", str(data), *arguments],
                           capture_output=True, text=True, timeout=120, env=around)
    assert ended.returncode == 2, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stderr


@test
def a_rotation_without_the_right_database_drops_no_key(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            (copy / "mien.seal").write_bytes(seal(own))
            for arguments in ([], ["--finish"]):
                said = blind(own, copy, *arguments)
                assert "has a seal and no database" in said and "--store or MIEN_STORE" in said, said
                assert [path.name for path in copy.iterdir()] == ["mien.seal"], "nothing was made"
            # A database that no server has used, as a command creates one.
            subprocess.run([own.binary, "keys", "list", "--data", folder], check=True, capture_output=True, timeout=60,
                           env={name: value for name, value in os.environ.items() if name != "MIEN_STORE"})
            assert (copy / "mien.sqlite").exists()
            for arguments in ([], ["--finish"]):
                said = blind(own, copy, *arguments)
                assert "no server has worked on it" in said and (copy / "mien.seal").read_bytes() == seal(own), said
        note, old = pathlib.Path(own.data, "store.place"), (seal(own), seal(own, "sandbox"))
        kept = note.read_text()
        assert "@" not in kept and kept.startswith("PostgreSQL, postgres://" if own.environment else "embedded"), kept
        if not own.environment:
            # A data directory after migrate-store moved its records elsewhere.
            note.write_text("PostgreSQL, postgres://db.example:5432/mien, schema mien")
        said = blind(own, own.data)
        assert "keeps its records elsewhere" in said and "PostgreSQL, postgres://" in said, said
        note.write_text("embedded")
        said = blind(own, own.data, "--store", "postgres://nobody:swordfish@127.0.0.1:1/none")
        assert "keeps its records in that folder" in said and "swordfish" not in said, said
        assert (seal(own), seal(own, "sandbox")) == old
        note.write_text(kept)
        assert "the old one is gone" in rotate(own)
        own.start()
        assert expect(check.result(), 200).json["state"] == "passed"
    finally:
        own.clean()


@test
def a_rotation_that_broke_off_in_one_space_is_no_other_in_the_other(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        rotate(own)
        # The live realm is done; the sandbox has its new key beside the old one.
        fresh = b"key " + base64.b64encode(os.urandom(32))
        heading, rest = seal(own, "sandbox").split(b"\n", 1)
        pathlib.Path(own.data, "sandbox", "mien.seal").write_bytes(heading + b"\n" + fresh + b"\n" + rest)
        done = seal(own)
        said = rotate(own)
        assert "sandbox: going on with what broke off" in said and "live: nothing broke off there" in said, said
        assert "live: 0 values" not in said and seal(own) == done, "the live space keeps the key that it has just got"
        left = [line for line in seal(own, "sandbox").splitlines() if line.startswith(b"key ")]
        assert left == [fresh], "the rotation was finished with the key that it began with"
        own.start()
        assert expect(check.result(), 200).json["state"] == "passed"
        entries = own.request("GET", "/v1/audit?limit=1000", token=own.key).json["entries"]
        assert [entry["action"] for entry in entries].count("rotated-seal") == 1, entries
    finally:
        own.clean()


@test
def a_new_seal_is_whose_the_old_one_was_and_leaves_no_draft(server):
    own = Server(server.binary)
    try:
        own.stop()
        path = pathlib.Path(own.data, "mien.seal")
        drafts = [path.with_name(f"mien.seal.{str(uuid.uuid4()).upper()}"),
                  pathlib.Path(own.data, "sandbox", f"mien.seal.{str(uuid.uuid4()).upper()}")]
        for draft in drafts:
            draft.write_bytes(os.urandom(32))
        mine = path.with_name("mien.seal.old")
        mine.write_bytes(path.read_bytes())
        path.chmod(0o640)
        whose = (12345, 12346) if os.geteuid() == 0 else (os.geteuid(), path.stat().st_gid)
        os.chown(path, *whose)
        before = path.read_bytes()
        rotate(own)
        after = path.stat()
        assert path.read_bytes() != before
        assert (after.st_uid, after.st_gid) == whose and stat.S_IMODE(after.st_mode) == 0o640, after
        assert not any(draft.exists() for draft in drafts), "what a rotation left behind that was cut off"
        assert mine.read_bytes() == before, "a copy that somebody named is theirs"
        assert sorted(one.name for one in path.parent.glob("mien.seal*")) == ["mien.seal", "mien.seal.old"]
        own.start()
    finally:
        own.clean()


if __name__ == "__main__":
    Server.sees = False
    main(TESTS)
