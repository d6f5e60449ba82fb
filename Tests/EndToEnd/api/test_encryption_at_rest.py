"""Tests of encryption at rest, and of rotating the master key with crashes in between."""

import base64
import os
import pathlib
import random
import re
import signal
import subprocess
import time

import pytest

from support import footage, messages
from support.checks import claim_turn
from support.encryption import TURN, PopulatedServer, assert_absent, change, read_keyring, rotate, stored_bytes
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def test_files_and_database_contain_no_plain_biometric_data(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"], loads_models=True)
    try:
        with_video = footage.shared() is not None
        populated = PopulatedServer(own, with_video)
        measured_values = populated.measured_values()
        assert len(measured_values) > 8, measured_values
        secrets = [*measured_values, populated.photo[200:232], populated.photo[-48:-16], b'"noseRelief"',
                   b'"outbound_path"', b'"native"', b"captured_at", b"0.73451"]
        if with_video:
            for frame in populated.frames:
                secrets += [frame[700:732]]
            secrets += [populated.mp4[start:start + 32] for start in range(1000, len(populated.mp4) - 40, 20000)]
        assert_absent(secrets, stored_bytes(own))
        own.stop()
        assert_absent(secrets, stored_bytes(own))
    finally:
        own.clean()


def test_values_without_encryption_or_of_another_check_are_not_returned(server):
    own = Server(server.binary)
    try:
        check, other, plain = (own.create(**TURN) for _ in range(3))
        for one in (check, other, plain):
            assert claim_turn(one, "turn-left")[-1]["state"] == "passed"
        change(own, "UPDATE verdict SET outbound_path = (SELECT outbound_path FROM verdict WHERE check_id = ?) WHERE check_id = ?",
               check.id, other.id)
        change(own, "UPDATE verdict SET outbound_path = '[1.5,23.4375178]' WHERE check_id = ?", plain.id)
        # Restarts the server, which caches recent results.
        own.stop()
        own.start()
        expect(check.result(), 200)
        for one in (other, plain):
            reply = expect(one.result(), 503, "unavailable")
            assert "23.4" not in str(reply.body) and "23.4" not in "".join(own.lines)
    finally:
        own.clean()


def test_rotated_key_decrypts_everything_and_the_old_key_is_removed(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        populated = PopulatedServer(own)
        before, old = populated.stored_data(), (read_keyring(own), read_keyring(own, "sandbox"))
        assert all(len(key) == 32 for key in old)
        said = rotate(own, status=2)
        assert "Stop the server" in said or "Stop all servers" in said, said
        assert (read_keyring(own), read_keyring(own, "sandbox")) == old, "nothing was done beside a server"
        own.stop()
        said = rotate(own)
        assert re.search(r"live: [1-9]\d* values and [1-9]\d* files are encrypted under the new key", said), said
        lines = read_keyring(own).decode().splitlines()
        words = [line.split()[0] for line in lines[1:]]
        assert lines[0] == "mien-keyring 1" and words == ["key", "audit", "messages", "tokens", "frame-logs"], lines
        for key in old:
            for now in (read_keyring(own), read_keyring(own, "sandbox")):
                assert base64.b64encode(key) not in now and key not in now, "the old key is gone"
        assert pathlib.Path(own.data, "mien.keyring").stat().st_mode & 0o077 == 0
        own.start()
        assert populated.stored_data() == before
        populated.check_secrets_usable()
        assert messages.attempt(own, populated.message, messages.THREE)["state"] == "opened", "locked before, opened after"
        assert any(entry["action"] == "rotated-master-key" for entry in populated.get("/v1/audit?limit=1000").json["entries"])
        # The old keyring decrypts nothing any more.
        own.stop()
        fresh = read_keyring(own)
        pathlib.Path(own.data, "mien.keyring").write_bytes(old[0])
        try:
            own.start()
            raise AssertionError("a server started with a keyring that decrypts nothing")
        except RuntimeError as refusal:
            assert "keyring" in str(refusal), refusal
        pathlib.Path(own.data, "mien.keyring").write_bytes(fresh)
        # Rotates again; keys that are no longer needed are removed.
        rotate(own)
        assert len(read_keyring(own).decode().splitlines()) == 10
        own.start()
        assert populated.stored_data() == before
        populated.check_secrets_usable()
        expect(own.request("DELETE", f"/v1/messages/{populated.message['id']}", token=populated.message["receipt"]), 204)
        own.stop()
        rotate(own, "--finish")
        words = [line.split()[0] for line in read_keyring(own).decode().splitlines()[1:]]
        assert words.count("messages") == 0 and words.count("audit") == 2 and words.count("key") == 1, words
        own.start()
        assert populated.stored_data() == before
        populated.check_secrets_usable()
    finally:
        own.clean()


def test_killed_rotation_continues_and_loses_nothing(server):
    own = Server(server.binary, arguments=["--allow-private-webhooks"])
    try:
        populated = PopulatedServer(own)
        rng = random.Random(7)
        before, old = populated.stored_data(), read_keyring(own)
        own.stop()
        began = time.monotonic()
        rotate(own)
        whole = time.monotonic() - began
        cut = 0
        for attempt in range(12):
            process = subprocess.Popen([own.binary, "keys", "rotate-master-key", "--data", own.data], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True, env=own.environment)
            time.sleep(rng.uniform(0.2, 1.0) * whole)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            text = read_keyring(own).decode()
            cut += text.count("\nkey ") > 1
            if attempt % 4 == 3 and not own.environment:
                own.start()
                assert populated.stored_data() == before, "all data can be decrypted after the interruption"
                populated.check_secrets_usable()
                own.stop()
        if own.environment:
            # The lease of a killed server or command expires after half a minute.
            time.sleep(32)
        rotate(own, "--finish")
        assert read_keyring(own).decode().count("\nkey ") == 1
        own.start()
        assert populated.stored_data() == before
        populated.check_secrets_usable()
        print(f"         a rotation took {whole:.2f} s; of 12 that were killed {cut} were cut off between the old key and the new")
        assert cut > 0, "some were killed in the midst"
        assert base64.b64encode(old) not in read_keyring(own)
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
        change(own, "UPDATE verdict SET outbound_path = substr(outbound_path, 1, 40) || 'AAAA' || substr(outbound_path, 45) WHERE check_id = ?",
               checks[0].id)
        right = read_keyring(own)
        pathlib.Path(own.data, "mien.keyring").write_bytes(os.urandom(32))
        strange = read_keyring(own)
        assert "cannot be decrypted with the server's keyring" in rotate(own, status=2) and read_keyring(own) == strange
        pathlib.Path(own.data, "mien.keyring").write_bytes(right)
        said = rotate(own)
        assert "live: 1 values and 0 files cannot be decrypted with this keyring" in said and "The old key was deleted" in said, said
        own.start()
        expect(checks[0].result(), 503, "unavailable")
        assert expect(checks[1].result(), 200).json["state"] == "passed"
    finally:
        own.clean()
