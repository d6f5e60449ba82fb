"""Tests of encryption at rest, and of rotating the master key with crashes in between."""

import base64
import contextlib
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import time

import pytest

from support import footage, messages
from support.checks import claim_turn
from support.encryption import TURN, Used, change, haystack, nowhere, rotate, seal
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def test_files_and_database_contain_no_plain_biometric_data(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"], loads_models=True)
    try:
        films = footage.shared() is not None
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


def test_unencrypted_data_is_encrypted_while_serving(server):
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


def test_rotated_key_decrypts_everything_and_the_old_key_is_removed(server):
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


def test_killed_rotation_continues_and_loses_nothing(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        used = Used(own)
        rng = random.Random(7)
        before, old = used.told(), seal(own)
        own.stop()
        began = time.monotonic()
        rotate(own)
        whole = time.monotonic() - began
        cut = 0
        for attempt in range(12):
            process = subprocess.Popen([own.binary, "keys", "rotate-seal", "--data", own.data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, env=own.environment)
            time.sleep(rng.uniform(0.2, 1.0) * whole)
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


def test_killed_encryption_sweep_continues(server):
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
        deadline = time.monotonic() + 120
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


def test_undecryptable_values_block_nothing_and_a_foreign_key_rotates_nothing(server):
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
