"""Tests of deletion together with scans, storage quotas, retention of scans, and the data directory."""

import base64
import contextlib
import os
import pathlib
import sqlite3
import subprocess
import tempfile
import time

import pytest

from support.replies import conforms, expect
from support.serving import new_key, serving, wait

pytestmark = pytest.mark.without_models


def files_containing(folder, text):
    """Returns the server's files that contain a text."""
    content = text.encode()
    return [str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")
            if path.is_file() and content in path.read_bytes()]


def sent_scan(own, check, size=3 * 98304, submit=True):
    """Sends a complete scan with a check's token."""
    scan = expect(own.request("POST", "/v1/scans", {"files": [{"name": "depth_scan.bin", "bytes": size}]}, token=check.token),
                  201).json
    upload = scan["files"][0]["upload"]
    expect(own.request("PATCH", upload, os.urandom(size), {
        "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0", "Tus-Resumable": "1.0.0"},
        token=check.token), 204)
    if submit:
        expect(own.request("POST", f"/v1/scans/{scan['id']}/submit", token=check.token), 202)
    return scan["id"]


# Options of a check whose token may send a scan.
SCANNING = {"scan": True}


def test_deleting_a_check_or_person_deletes_their_scans(server):
    with serving(server) as own:
        for whole in (True, False):
            person = f"zz-victim-{whole}".lower()
            one, two = (own.create(person=person, device="zz-device", reference="zz-reference", **SCANNING) for _ in range(2))
            scans = [sent_scan(own, check, submit=whole) for check in (one, two)]
            free = expect(own.request("POST", "/v1/scans", {"files": []}, token=own.key), 201).json["id"]
            reported = expect(own.request("DELETE", f"/v1/checks/{one.id}", headers={"Prefer": "return=representation"},
                                      token=own.key), 200).json
            conforms("Erasure", reported)
            counts = {kind: count for kind, count in reported["deleted"].items() if count}
            assert counts["checks"] == 1 and counts["scans"] == 1 and counts["scan_files"] >= 1, counts
            expect(own.request("GET", f"/v1/scans/{scans[0]}", token=own.key), 404, "not-found")
            expect(own.request("GET", f"/v1/scans/{scans[1]}", token=own.key), 200)
            expect(own.request("DELETE", f"/v1/people/{person}", token=own.key), 204)
            for scan in scans:
                expect(own.request("GET", f"/v1/scans/{scan}", token=own.key), 404, "not-found")
                expect(own.request("GET", f"/v1/scans/{scan}/files/depth_scan.bin", token=own.key), 404, "not-found")
            expect(own.request("GET", f"/v1/scans/{free}", token=own.key), 200)
            left = [path for folder in ("blobs", "frame-logs") for path in pathlib.Path(own.data, folder).rglob("*")
                    if path.is_file()]
            assert left == [], left
            for text in (person, "zz-device", "zz-reference", one.id, two.id, *scans):
                wait(f"{text} to be gone", lambda text=text: files_containing(own.data, text) == [])
            # The token of a deleted check can start nothing.
            assert own.request("POST", "/v1/scans", {"files": []}, token=one.token).status in (401, 404)


def test_storage_quota_per_key_and_per_check(server):
    with serving(server, "--key-storage-megabytes", "3", "--check-storage-megabytes", "1") as own:
        def scan(megabytes, token, status=201, code=None):
            return expect(own.request(
                "POST", "/v1/scans", {"files": [{"name": "a", "bytes": megabytes << 20}]}, token=token), status, code).json
        check = own.create(**SCANNING)
        scan(2, check.token, 507, "storage-quota")
        small = scan(1, check.token)
        tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "1",
               "Upload-Metadata": f"scan {base64.b64encode(small['id'].encode()).decode()},name {base64.b64encode(b'b').decode()}"}
        expect(own.request("POST", "/v1/uploads", headers=tus, token=check.token), 507, "storage-quota")
        first = scan(2, own.key)
        scan(2, own.key, 507, "storage-quota")
        scan(1, own.key)
        other = new_key(own)
        scan(3, other)
        expect(own.request("DELETE", f"/v1/scans/{first['id']}", token=own.key), 204)
        scan(2, own.key)


def test_unsubmitted_scans_expire_after_a_day(server):
    with serving(server) as own:
        waiting, failed, done = (
            expect(own.request("POST", "/v1/scans", {"files": []}, token=own.key), 201).json["id"] for _ in range(3))
        own.stop()
        with contextlib.closing(sqlite3.connect(own.data + "/mien.sqlite")) as db:
            db.execute("UPDATE scan SET changed_ms = ?", (int(time.time() * 1000) - 25 * 3_600_000,))
            db.execute("UPDATE scan SET status = 'failed', problem_code = 'x', problem_detail = 'x' WHERE id = ?", (failed,))
            db.execute("UPDATE scan SET status = 'queued' WHERE id = ?", (done,))
            db.commit()
        own.start()
        for gone in (waiting, failed):
            wait("its end", lambda gone=gone: own.request("GET", f"/v1/scans/{gone}", token=own.key).status == 404)
        reported = own.request("GET", "/v1/retention", token=own.key).json
        assert reported["deleted"].get("unfinished_scans") == 2 and reported["retention_seconds"]["unfinished_scans"] == 86400, reported


def test_restricts_permissions_of_an_open_data_folder(server):
    with serving(server) as own:
        own.stop()
        folder, key = pathlib.Path(own.data), pathlib.Path(own.data, "mien.keyring")
        folder.chmod(0o755)
        key.chmod(0o644)
        pathlib.Path(own.data, "mien.sqlite").chmod(0o644)
        reported = subprocess.run([own.binary, "doctor", "--data", own.data], capture_output=True, text=True, timeout=300)
        assert reported.returncode == 1 and f"chmod 0600 {key}" in reported.stdout and f"chmod 0700 {folder}" in reported.stdout, reported.stdout
        own.start()
        modes = {path.name: path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))}
        assert not any(modes.values()), modes
        own.stop()
    # The permissions of a directory with other files are not changed, even if it contains a name that the server uses.
    with tempfile.TemporaryDirectory() as place:
        pathlib.Path(place, "note.txt").write_text("hello")
        pathlib.Path(place, "blobs").mkdir()
        os.chmod(place, 0o755)
        run = subprocess.run([server.binary, "serve", "--port", "0", "--data", place], capture_output=True, text=True, timeout=300)
        assert run.returncode == 2 and f"chmod 0700 {place}" in run.stderr, run.stderr
        assert os.stat(place).st_mode & 0o777 == 0o755


def test_start_without_the_key_file_creates_no_new_key(server):
    with serving(server) as own:
        own.stop()
        for realm in ("", "sandbox"):
            key = pathlib.Path(own.data, realm, "mien.keyring")
            right = key.read_bytes()
            key.unlink()
            before = {path: path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file()}
            run = subprocess.run([own.binary, "serve", "--port", "0", "--data", own.data], capture_output=True, text=True, timeout=300)
            assert run.returncode == 2 and "mien.keyring is missing" in run.stderr and "Restore" in run.stderr, run.stderr
            after = {path: path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file()}
            assert before == after, "nothing was written"
            key.write_bytes(right)
            key.chmod(0o600)
        own.start()
