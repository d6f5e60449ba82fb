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


class TemporaryFolder:
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


def passed_check(server, key=None, **payload):
    """Returns a check that has passed."""
    made = expect(server.request("POST", "/v1/checks", {"challenge": "turn-left", "sources": ["claimed"], **payload},
                                 token=key or server.key), 201)
    check = Check(server, made.json)
    assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
    return check


def test_backup_of_a_running_server_restores_everything(server):
    sandbox = keys(server, "api", "--sandbox")["api_key"]
    live, trial = passed_check(server, person="backed-up"), passed_check(server, sandbox)
    before = expect(live.result(), 200).json
    with TemporaryFolder() as folder:
        said = mien(server, "backup", f"{folder / 'copy'}/", "--data", server.data, "--with-keyrings")
        assert "Backed up 4 files" in said, said
        assert files(folder / "copy") == ["backup.json", "mien.keyring", "mien.sqlite", "sandbox/mien.keyring", "sandbox/mien.sqlite"]
        for path in files(folder / "copy"):
            assert (folder / "copy" / path).stat().st_mode & 0o077 == 0, f"others may read {path}"
        late = passed_check(server)
        expect(server.request("DELETE", f"/v1/checks/{live.id}", token=server.key), 204)
        # Shells complete the name of an empty directory with a slash.
        (folder / "data").mkdir()
        mien(server, "restore", folder / "copy", "--data", f"{folder / 'data'}/")
        again = Server(server.binary, data=str(folder / "data"))
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

    def create_checks():
        while not over.is_set():
            made.append(server.create().id)

    threads = [threading.Thread(target=create_checks) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        with TemporaryFolder() as folder:
            for turn in range(5):
                known = list(made)
                mien(server, "backup", folder / f"{turn}", "--data", server.data)
                with sqlite3.connect(f"file:{folder / f'{turn}' / 'mien.sqlite'}?mode=ro", uri=True) as database:
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
    with TemporaryFolder() as folder:
        mien(server, "backup", folder / "copy", "--data", server.data)
        for path in files(folder / "copy"):
            assert b"zanzibar" not in (folder / "copy" / path).read_bytes(), path


def test_master_keys_are_excluded_by_default_and_must_match_on_restore(server):
    with TemporaryFolder() as folder:
        said = mien(server, "backup", folder / "copy", "--data", server.data)
        assert "keyrings are not in the backup" in said and "mien.keyring, sandbox/mien.keyring" in said, said
        assert files(folder / "copy") == ["backup.json", "mien.sqlite", "sandbox/mien.sqlite"]
        seal = pathlib.Path(server.data, "mien.keyring").read_bytes()
        assert not any(seal in (folder / "copy" / path).read_bytes() for path in files(folder / "copy"))
        said = mien(server, "restore", folder / "copy", "--data", folder / "data", status=2)
        assert "has no mien.keyring" in said and "--keyrings" in said, said
        (folder / "seals/sandbox").mkdir(parents=True)
        for name in ("mien.keyring", "sandbox/mien.keyring"):
            (folder / "seals" / name).write_bytes(os.urandom(32))
        said = mien(server, "restore", folder / "copy", "--data", folder / "data", "--keyrings", folder / "seals", status=2)
        assert "is not the keyring of this backup" in said, said
        expected = sorted(["copy/" + path for path in files(folder / "copy")] + ["seals/mien.keyring", "seals/sandbox/mien.keyring"])
        assert files(folder) == expected, "no partial file remains"
        mien(server, "restore", folder / "copy", "--data", folder / "data", "--keyrings", server.data)
        again = Server(server.binary, data=str(folder / "data"))
        again.kill()


def test_rejects_damaged_backups(server):
    with TemporaryFolder() as folder:
        mien(server, "backup", folder / "good", "--data", server.data, "--with-keyrings")

        def check_rejected(what, words):
            shutil.copytree(folder / "good", folder / "bad")
            what(folder / "bad")
            said = mien(server, "restore", folder / "bad", "--data", folder / "data", status=2)
            assert words in said, said
            assert not (folder / "data").exists() and files(folder) == sorted(
                [f"{name}/{path}" for name in ("good", "bad") for path in files(folder / name)]), "no partial file remains"
            shutil.rmtree(folder / "bad")

        def flip_byte(folder):
            data = bytearray((folder / "mien.sqlite").read_bytes())
            data[len(data) // 2] ^= 1
            (folder / "mien.sqlite").write_bytes(data)

        def edited_manifest(change):
            def change_manifest(folder):
                values = json.loads((folder / "backup.json").read_text())
                change(values)
                (folder / "backup.json").write_text(json.dumps(values))
            return change_manifest

        check_rejected(flip_byte, "is not what was backed up")
        check_rejected(
            lambda folder: (folder / "mien.sqlite").write_bytes((folder / "mien.sqlite").read_bytes()[:-4096]), "is not what was backed up")
        check_rejected(lambda folder: (folder / "sandbox/mien.sqlite").unlink(), "cannot be read")
        check_rejected(lambda folder: (folder / "backup.json").unlink(), "is no backup")
        check_rejected(lambda folder: (folder / "backup.json").write_text("{"), "cannot be read")
        check_rejected(edited_manifest(lambda values: values.update(version=2)), "version 2")
        for path in ("../../escaped", "/tmp/mien-escaped", "a//b", ".", ""):
            check_rejected(edited_manifest(lambda values: values["files"][0].update(path=path)), "outside of the backup")
            check_rejected(edited_manifest(lambda values: values["keyrings"].update({path: "00"})), "outside of the backup")


def test_external_records_are_not_expected_in_the_data_folder(server):
    note = pathlib.Path(server.data, "store.place")
    kept = note.read_text()
    # A data directory after migrate-store moved its records elsewhere.
    note.write_text("PostgreSQL, postgres://db.example:5432/mien, schema mien")
    try:
        with TemporaryFolder() as folder:
            said = mien(server, "backup", folder / "copy", "--data", server.data, status=2)
            assert "pg_dump" in said and "store.place (PostgreSQL, postgres://db.example" in said, said
            assert not (folder / "copy").exists()
        for command in (["keys", "add", "api"], ["keys", "add", "aws"], ["keys", "list"], ["users", "list"], ["audit", "show"]):
            said = mien(server, *command, "--data", server.data, status=2)
            assert "keeps its records elsewhere" in said and "--store or MIEN_STORE" in said, said
    finally:
        note.write_text(kept)
    assert "everything" in mien(server, "keys", "list", "--data", server.data)


def test_backup_and_restore_overwrite_nothing(server):
    with TemporaryFolder() as folder:
        (folder / "there").mkdir()
        assert "is there already" in mien(server, "backup", folder / "there", "--data", server.data, status=2)
        assert "has no database" in mien(server, "backup", folder / "copy", "--data", folder / "there", status=2)
        mien(server, "backup", folder / "copy", "--data", server.data, "--with-keyrings")
        assert "is not empty" in mien(server, "restore", folder / "copy", "--data", server.data, status=2)
        mien(server, "restore", folder / "copy", "--data", folder / "there")
    assert expect(server.request("GET", "/health/live"), 200)
