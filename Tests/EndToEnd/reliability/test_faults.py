"""Injects faults into a running `mien serve`: each must lead to a documented state, and the server must recover.

test_outages.py tests the outages of PostgreSQL and of an object store. The full disk is a small tmpfs, which requires root to mount.
"""

import contextlib
import json
import os
import pathlib
import sqlite3
import tempfile
import threading

import pytest

from reliability.fault_helpers import STEPS, SmallDisk, capture, check_capture, ready, settable_clock, until
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


@pytest.fixture(scope="module")
def server(binary):
    server = EmbeddedServer(binary)
    yield server
    server.clean()


class EmbeddedServer(Server):
    """The embedded database, and files on disk."""

    @contextlib.contextmanager
    def locked_database(self):
        """Holds a write transaction open from another connection."""
        database = sqlite3.connect(os.path.join(self.data, "mien.sqlite"), timeout=20, isolation_level=None)
        try:
            database.execute("BEGIN IMMEDIATE")
            yield
            database.execute("ROLLBACK")
        finally:
            database.close()

    def delete_files(self):
        """Deletes the files of captures and scans."""
        for path in (pathlib.Path(self.data) / "blobs").rglob("*"):
            if path.is_file():
                path.unlink()


def test_full_disk_is_reported_and_recovered_from(server):
    disk = SmallDisk(64)
    own = None
    try:
        own = type(server)(server.binary, data=os.path.join(disk.path, "data"))
        before, parts = capture(own)
        expect(before, 201)
        message = expect(own.request("POST", "/v1/messages", {"text": "kept", "steps": STEPS}), 201)
        disk.fill()
        for _ in range(3):
            refused, _ = capture(own, seed=2)
            expect(refused, 503, "unavailable")
            assert not any(word in refused.json["detail"] for word in (disk.path, "SQLite", "errno")), refused
            expect(own.request("POST", "/v1/checks", {}, token=own.key), 503, "unavailable")
        # Existing records can be read and the server is alive. An image is not returned while its audit entry cannot be written.
        expect(own.request("GET", "/v1/captures/" + before.json["id"]), 200)
        expect(own.request("GET", f"/v1/captures/{before.json['id']}/parts/photo"), 503, "unavailable")
        expect(own.request("GET", "/health/live"), 200)
        expect(own.request("GET", "/v1/messages/" + message.json["id"]), 200)
        until("readiness that names the disk", lambda: "data-directory-unavailable" in ready(own)[1])
        disk.free()
        recovery_seconds = until("a capture after the disk was freed", lambda: capture(own, seed=3)[0].status == 201)
        check_capture(own, before.json["id"], parts)
        until("readiness that no longer names it", lambda: "data-directory-unavailable" not in ready(own)[1])
        expect(own.request("POST", "/v1/checks", {}, token=own.key), 201)
        # Refused requests leave nothing behind once the server has restarted.
        own.kill()
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            digests = {row[0] for row in database.execute("SELECT count(*) FROM capture")}
        assert digests == {2}, digests
        own.start()
        check_capture(own, before.json["id"], parts)
        blobs = pathlib.Path(own.data) / "blobs"
        until("the deletion of unreferenced files", lambda: sum(1 for p in blobs.rglob("*") if p.is_file()) == 4)
        print("MEASURED the disk full: captures and checks refused with 503, existing data returned; "
              f"recovered after {recovery_seconds:.1f} s")
    finally:
        if own and own.process.poll() is None:
            own.kill()
        disk.close()


def test_locked_database_is_waited_for_or_reported(server):
    own = type(server)(server.binary)
    try:
        answers = []
        asked = threading.Thread(
            target=lambda: answers.append(own.request("POST", "/v1/checks", {}, token=own.key)))
        with own.locked_database():
            asked.start()
            # Reads are not blocked.
            expect(own.request("GET", "/health/live"), 200)
            expect(own.request("GET", "/v1/checks/chk_unknown", token=own.key), 404)
            asked.join(3)
        asked.join(30)
        assert answers and answers[0].status in (201, 503), answers
        if answers[0].status == 503:
            assert answers[0].code == "unavailable", answers
        recovery_seconds = until("a check after the database was unlocked",
                       lambda: own.request("POST", "/v1/checks", {}, token=own.key).status == 201)
        print(f"MEASURED the database locked for 3 s: a check waits and is answered {answers[0].status}; "
              f"recovered after {recovery_seconds:.1f} s")
    finally:
        own.clean()


def test_server_without_models_reports_it_and_serves_the_rest(server):
    with tempfile.TemporaryDirectory() as empty:
        own = type(server)(server.binary, arguments=["--models", empty])
        try:
            readiness = own.request("GET", "/health/ready")
            assert readiness.status == 503 and readiness.json["failures"], readiness
            assert empty not in readiness.body.decode(), "no local path is returned to unauthenticated clients"
            expect(own.request("GET", "/health/live"), 200)
            made, parts = capture(own)
            expect(made, 201)
            check_capture(own, made.json["id"], parts)
            check = expect(own.request("POST", "/v1/checks", {}, token=own.key), 201).json
            frame = own.request("POST", f"/v1/checks/{check['id']}/frames", parts["photo"],
                                {"Content-Type": "image/png", "Mien-Client": "page-1", "Mien-Captured-At": "0"}, check["token"])
            expect(frame, 503, "model-unavailable")
        finally:
            own.clean()


def test_missing_blob_is_reported(server):
    own = type(server)(server.binary)
    try:
        made, parts = capture(own)
        id = expect(made, 201).json["id"]
        until("the analysis", lambda: own.request("GET", "/v1/captures/" + id).json["state"] == "analyzed")
        own.delete_files()
        expect(own.request("GET", "/v1/captures/" + id), 200)
        missing = own.request("GET", f"/v1/captures/{id}/parts/photo")
        assert missing.status in (404, 410, 503) and missing.code, missing
        expect(own.request("GET", "/health/live"), 200)
        again, more = capture(own, seed=2)
        check_capture(own, expect(again, 201).json["id"], more)
    finally:
        own.clean()


def test_clock_jumps_end_no_check_early_and_keep_none_forever(server):
    """libfaketime shifts the process's wall clock and leaves the monotonic clock unchanged, as when the time is set."""
    with settable_clock(server) as (own, set_clock):
        check = expect(own.request("POST", "/v1/checks", {"sources": ["claimed"]}, token=own.key), 201).json
        message = expect(own.request("POST", "/v1/messages", {"text": "kept", "steps": STEPS, "expires_in": 3600}), 201).json
        set_clock(-600)  # ten minutes back: existing tokens and checks remain valid
        expect(own.request("GET", "/v1/checks/" + check["id"], token=own.key), 200)
        line = json.dumps({"t": 0.1, "faces": 1, "box": [0.35, 0.3, 0.3, 0.4], "pose": {"yaw": 0, "pitch": 0, "roll": 0}})
        seen = own.request("POST", f"/v1/checks/{check['id']}/observations", (line + "\n").encode(),
                           {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, check["token"])
        expect(seen, 200)
        set_clock(7200)  # two hours ahead: lifetimes of three minutes and one hour are over
        until("the end of the check", lambda: own.request(
            "GET", "/v1/checks/" + check["id"], token=own.key).json["state"] in ("expired", "timed-out", "failed"))
        gone = own.request("GET", "/v1/messages/" + message["id"])
        assert gone.status == 200 and gone.json["state"] == "expired", gone
        expect(own.request("POST", "/v1/checks", {}, token=own.key), 201)
