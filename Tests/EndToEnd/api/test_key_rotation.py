"""Tests of key rotations that are refused or were interrupted."""

import base64
import os
import pathlib
import stat
import subprocess
import tempfile
import uuid

import pytest

from support.checks import claim_turn
from support.encryption import TURN, read_keyring, rotate
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def rotate_without_settings(server, data, *arguments):
    """Returns the error of a rotation without the settings that locate the server's records."""
    environment = {name: value for name, value in os.environ.items() if name not in ("MIEN_STORE", "MIEN_BLOBS")}
    ended = subprocess.run([server.binary, "keys", "rotate-master-key", "--data", str(data), *arguments],
                           capture_output=True, text=True, timeout=300, env=environment)
    assert ended.returncode == 2, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stderr


def test_rotation_without_the_right_database_drops_no_key(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder)
            (copy / "mien.keyring").write_bytes(read_keyring(own))
            for arguments in ([], ["--finish"]):
                said = rotate_without_settings(own, copy, *arguments)
                assert "has a keyring but no database" in said and "--store or MIEN_STORE" in said, said
                assert [path.name for path in copy.iterdir()] == ["mien.keyring"], "nothing was made"
            # A database that no server has used, as a command creates one.
            subprocess.run([own.binary, "keys", "list", "--data", folder], check=True, capture_output=True, timeout=300,
                           env={name: value for name, value in os.environ.items() if name != "MIEN_STORE"})
            assert (copy / "mien.sqlite").exists()
            for arguments in ([], ["--finish"]):
                said = rotate_without_settings(own, copy, *arguments)
                assert "no server has worked on it" in said and (copy / "mien.keyring").read_bytes() == read_keyring(own), said
        note, old = pathlib.Path(own.data, "store.place"), (read_keyring(own), read_keyring(own, "sandbox"))
        kept = note.read_text()
        assert "@" not in kept and kept.startswith("PostgreSQL, postgres://" if own.environment else "embedded"), kept
        if not own.environment:
            # A data directory after migrate-store moved its records elsewhere.
            note.write_text("PostgreSQL, postgres://db.example:5432/mien, schema mien")
        said = rotate_without_settings(own, own.data)
        assert "keeps its records elsewhere" in said and "PostgreSQL, postgres://" in said, said
        note.write_text("embedded")
        said = rotate_without_settings(own, own.data, "--store", "postgres://nobody:swordfish@127.0.0.1:1/none")
        assert "keeps its records in that folder" in said and "swordfish" not in said, said
        assert (read_keyring(own), read_keyring(own, "sandbox")) == old
        note.write_text(kept)
        assert "The old key was deleted" in rotate(own)
        own.start()
        assert expect(check.result(), 200).json["state"] == "passed"
    finally:
        own.clean()


def test_rotation_interrupted_in_one_realm_is_not_restarted_in_the_other(server):
    own = Server(server.binary)
    try:
        check = own.create(**TURN)
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        own.stop()
        rotate(own)
        # The live realm is done; the sandbox has its new key beside the old one.
        fresh = b"key " + base64.b64encode(os.urandom(32))
        heading, rest = read_keyring(own, "sandbox").split(b"\n", 1)
        pathlib.Path(own.data, "sandbox", "mien.keyring").write_bytes(heading + b"\n" + fresh + b"\n" + rest)
        done = read_keyring(own)
        said = rotate(own)
        assert "sandbox: resuming the interrupted rotation" in said and "live: no rotation was interrupted" in said, said
        assert "live: 0 values" not in said and read_keyring(own) == done, "the live realm keeps its new key"
        left = [line for line in read_keyring(own, "sandbox").splitlines() if line.startswith(b"key ")]
        assert left == [fresh], "the rotation was finished with the key that it began with"
        own.start()
        assert expect(check.result(), 200).json["state"] == "passed"
        entries = own.request("GET", "/v1/audit?limit=1000", token=own.key).json["entries"]
        assert [entry["action"] for entry in entries].count("rotated-master-key") == 1, entries
    finally:
        own.clean()


def test_new_key_file_keeps_its_owner_and_leaves_no_draft(server):
    own = Server(server.binary)
    try:
        own.stop()
        path = pathlib.Path(own.data, "mien.keyring")
        drafts = [path.with_name(f"mien.keyring.{str(uuid.uuid4()).upper()}"),
                  pathlib.Path(own.data, "sandbox", f"mien.keyring.{str(uuid.uuid4()).upper()}")]
        for draft in drafts:
            draft.write_bytes(os.urandom(32))
        mine = path.with_name("mien.keyring.old")
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
        assert mine.read_bytes() == before, "a file with another name is not touched"
        assert sorted(one.name for one in path.parent.glob("mien.keyring*")) == ["mien.keyring", "mien.keyring.old"]
        own.start()
    finally:
        own.clean()
