"""Tests of backups made while a server runs, of restoring them, and of damaged or tampered backups."""

import base64
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading

import pytest

from support.checks import claim_turn, keys
from support.replies import conforms, expect
from support.server import Check, Server

pytestmark = pytest.mark.without_models


class Place:
    """A temporary directory for backups and restored data."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="mien-backup-"))
        return self.path

    def __exit__(self, *_):
        shutil.rmtree(self.path)


def mien(server, *arguments, status=0):
    ended = subprocess.run([server.binary, *map(str, arguments)], capture_output=True, text=True, timeout=300)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def files(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def decided(server, key=None, **payload):
    """Returns a check that has passed."""
    made = expect(server.request("POST", "/v1/checks", {"challenge": "turn-left", "sources": ["claimed"], **payload},
                                 token=key or server.key), 201)
    check = Check(server, made.json)
    assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
    return check


def test_backup_of_a_running_server_restores_everything(server):
    sandbox = keys(server, "api", "--sandbox")["api_key"]
    live, trial = decided(server, person="backed-up"), decided(server, sandbox)
    before = expect(live.result(), 200).json
    with Place() as place:
        said = mien(server, "backup", f"{place / 'copy'}/", "--data", server.data, "--with-keyrings")
        assert "Backed up 4 files" in said, said
        assert files(place / "copy") == ["backup.json", "mien.keyring", "mien.sqlite", "sandbox/mien.keyring", "sandbox/mien.sqlite"]
        for path in files(place / "copy"):
            assert (place / "copy" / path).stat().st_mode & 0o077 == 0, f"others may read {path}"
        late = decided(server)
        expect(server.request("DELETE", f"/v1/checks/{live.id}", token=server.key), 204)
        # Shells complete the name of an empty directory with a slash.
        (place / "data").mkdir()
        mien(server, "restore", place / "copy", "--data", f"{place / 'data'}/")
        again = Server(server.binary, data=str(place / "data"))
        try:
            assert again.key is None, "the keys came along"
            result = expect(again.request("GET", f"/v1/checks/{live.id}", token=server.key), 200).json
            conforms("Result", result)
            kinds = [json.loads(base64.urlsafe_b64decode(one.pop("signed").split(".")[0] + "===")) for one in (result, before)]
            assert result == before and kinds[0] == kinds[1], "the same result, signed with the same key"
            expect(again.request("GET", f"/v1/checks/{trial.id}", token=sandbox), 200)
            expect(again.request("GET", f"/v1/checks/{late.id}", token=server.key), 404, "not-found")
            jwks = [one.request("GET", "/.well-known/jwks.json").json for one in (server, again)]
            assert jwks[0] == jwks[1]
        finally:
            again.kill()


def test_backup_under_load_contains_everything_acknowledged_before(server):
    made, over = [], threading.Event()

    def busy():
        while not over.is_set():
            made.append(server.create().id)

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        with Place() as place:
            for turn in range(5):
                known = list(made)
                mien(server, "backup", place / f"{turn}", "--data", server.data)
                with sqlite3.connect(f"file:{place / f'{turn}' / 'mien.sqlite'}?mode=ro", uri=True) as database:
                    kept = {row[0] for row in database.execute("SELECT id FROM liveness_check")}
                    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
                assert set(known) <= kept, "an acknowledged check is missing"
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert len(made) > 20


def test_backup_contains_no_deleted_data(server):
    check = expect(server.request(
        "POST", "/v1/checks", {"reference": "zanzibar-forget-me-4711", "person": "zanzibar"}, token=server.key), 201).json
    expect(server.request("DELETE", f"/v1/checks/{check['id']}", token=server.key), 204)
    with Place() as place:
        mien(server, "backup", place / "copy", "--data", server.data)
        for path in files(place / "copy"):
            assert b"zanzibar" not in (place / "copy" / path).read_bytes(), path


def test_master_keys_are_excluded_by_default_and_must_match_on_restore(server):
    with Place() as place:
        said = mien(server, "backup", place / "copy", "--data", server.data)
        assert "keyrings are not in the backup" in said and "mien.keyring, sandbox/mien.keyring" in said, said
        assert files(place / "copy") == ["backup.json", "mien.sqlite", "sandbox/mien.sqlite"]
        seal = pathlib.Path(server.data, "mien.keyring").read_bytes()
        assert not any(seal in (place / "copy" / path).read_bytes() for path in files(place / "copy"))
        said = mien(server, "restore", place / "copy", "--data", place / "data", status=2)
        assert "has no mien.keyring" in said and "--keyrings" in said, said
        (place / "seals/sandbox").mkdir(parents=True)
        for name in ("mien.keyring", "sandbox/mien.keyring"):
            (place / "seals" / name).write_bytes(os.urandom(32))
        said = mien(server, "restore", place / "copy", "--data", place / "data", "--keyrings", place / "seals", status=2)
        assert "is not the keyring of this backup" in said, said
        assert files(place) == sorted(["copy/" + path for path in files(place / "copy")] + ["seals/mien.keyring", "seals/sandbox/mien.keyring"]), "no partial file remains"
        mien(server, "restore", place / "copy", "--data", place / "data", "--keyrings", server.data)
        again = Server(server.binary, data=str(place / "data"))
        again.kill()


def test_rejects_damaged_backups(server):
    with Place() as place:
        mien(server, "backup", place / "good", "--data", server.data, "--with-keyrings")

        def spoiled(what, words):
            shutil.copytree(place / "good", place / "bad")
            what(place / "bad")
            said = mien(server, "restore", place / "bad", "--data", place / "data", status=2)
            assert words in said, said
            assert not (place / "data").exists() and files(place) == sorted(
                [f"{name}/{path}" for name in ("good", "bad") for path in files(place / name)]), "no partial file remains"
            shutil.rmtree(place / "bad")

        def flip(folder):
            data = bytearray((folder / "mien.sqlite").read_bytes())
            data[len(data) // 2] ^= 1
            (folder / "mien.sqlite").write_bytes(data)

        def contents(change):
            def spoil(folder):
                values = json.loads((folder / "backup.json").read_text())
                change(values)
                (folder / "backup.json").write_text(json.dumps(values))
            return spoil

        spoiled(flip, "is not what was backed up")
        spoiled(lambda folder: (folder / "mien.sqlite").write_bytes((folder / "mien.sqlite").read_bytes()[:-4096]), "is not what was backed up")
        spoiled(lambda folder: (folder / "sandbox/mien.sqlite").unlink(), "cannot be read")
        spoiled(lambda folder: (folder / "backup.json").unlink(), "is no backup")
        spoiled(lambda folder: (folder / "backup.json").write_text("{"), "cannot be read")
        spoiled(contents(lambda values: values.update(version=2)), "version 2")
        for path in ("../../escaped", "/tmp/mien-escaped", "a//b", ".", ""):
            spoiled(contents(lambda values: values["files"][0].update(path=path)), "outside of the backup")
            spoiled(contents(lambda values: values["keyrings"].update({path: "00"})), "outside of the backup")


def test_external_records_are_not_expected_in_the_data_folder(server):
    note = pathlib.Path(server.data, "store.place")
    kept = note.read_text()
    # A data directory after migrate-store moved its records elsewhere.
    note.write_text("PostgreSQL, postgres://db.example:5432/mien, schema mien")
    try:
        with Place() as place:
            said = mien(server, "backup", place / "copy", "--data", server.data, status=2)
            assert "pg_dump" in said and "store.place (PostgreSQL, postgres://db.example" in said, said
            assert not (place / "copy").exists()
        for command in (["keys", "add", "api"], ["keys", "add", "aws"], ["keys", "list"], ["users", "list"], ["audit", "show"]):
            said = mien(server, *command, "--data", server.data, status=2)
            assert "keeps its records elsewhere" in said and "--store or MIEN_STORE" in said, said
    finally:
        note.write_text(kept)
    assert "everything" in mien(server, "keys", "list", "--data", server.data)


def test_backup_and_restore_overwrite_nothing(server):
    with Place() as place:
        (place / "there").mkdir()
        assert "is there already" in mien(server, "backup", place / "there", "--data", server.data, status=2)
        assert "has no database" in mien(server, "backup", place / "copy", "--data", place / "there", status=2)
        mien(server, "backup", place / "copy", "--data", server.data, "--with-keyrings")
        assert "is not empty" in mien(server, "restore", place / "copy", "--data", server.data, status=2)
        mien(server, "restore", place / "copy", "--data", place / "there")
    assert expect(server.request("GET", "/health/live"), 200)
