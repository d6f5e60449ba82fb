"""Takes something away from a serving `mien`, and gives it back: each fault leads to a named state, and heals.

usage: faults.py --mien PATH_OF_THE_PROGRAM [NAME…]      The full disk is a small file system in memory, which root may mount.
"""

import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "API"))
from capture_parts import BOUNDARY, everything, form
from run import Skip, expect, main
from server import Server

TESTS = []


def test(function):
    TESTS.append(function)
    return function


def capture(server, seed=1):
    parts = everything(seed)
    reply = server.request("POST", "/v1/captures", form(list(parts.items())),
                           {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    return reply, parts


def kept(server, id, parts):
    expect(server.request("GET", "/v1/captures/" + id), 200)
    for name, value in parts.items():
        part = expect(server.request("GET", f"/v1/captures/{id}/parts/{name}"), 200)
        assert hashlib.sha256(part.body).digest() == hashlib.sha256(value).digest(), f"{name} has changed"


def until(what, condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.1)


class SmallDisk:
    """A file system of a few megabytes that can be filled."""

    def __init__(self, megabytes):
        self.path = tempfile.mkdtemp(prefix="mien-disk-")
        try:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", self.path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            os.rmdir(self.path)
            raise Skip("a file system of its own cannot be mounted here")
        self.ballast = os.path.join(self.path, "ballast")

    def fill(self):
        with open(self.ballast, "wb", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        file.write(b"\0" * size)
                except OSError:
                    pass

    def free(self):
        os.unlink(self.ballast)

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)
        shutil.rmtree(self.path, ignore_errors=True)


@test
def a_full_disk_is_told_and_heals(server):
    disk = SmallDisk(64)
    own = None
    try:
        own = Server(server.binary, data=os.path.join(disk.path, "data"))
        before, parts = capture(own)
        expect(before, 201)
        message = expect(own.request("POST", "/v1/messages", {"text": "kept", "steps": ["smile", "surprise", "smooch"]}), 201)
        disk.fill()
        for _ in range(3):
            refused, _ = capture(own, seed=2)
            expect(refused, 503, "unavailable")
            assert not any(word in refused.json["detail"] for word in (disk.path, "SQLite", "errno")), refused
            expect(own.request("POST", "/v1/checks", {}, token=own.key), 503, "unavailable")
        # What was there is still told, and the server is still alive. A picture is not shown while nobody can note who saw it.
        expect(own.request("GET", "/v1/captures/" + before.json["id"]), 200)
        expect(own.request("GET", f"/v1/captures/{before.json['id']}/parts/photo"), 503, "unavailable")
        expect(own.request("GET", "/health/live"), 200)
        expect(own.request("GET", "/v1/messages/" + message.json["id"]), 200)
        disk.free()
        until("a capture after the disk was freed", lambda: capture(own, seed=3)[0].status == 201)
        kept(own, before.json["id"], parts)
        expect(own.request("POST", "/v1/checks", {}, token=own.key), 201)
        # And what was refused left nothing behind once the server has started anew.
        own.kill()
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite")) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            digests = {row[0] for row in database.execute("SELECT count(*) FROM capture")}
        assert digests == {2}, digests
        own.start()
        kept(own, before.json["id"], parts)
        blobs = pathlib.Path(own.data) / "blobs"
        until("the sweep of what nobody wants", lambda: sum(1 for p in blobs.rglob("*") if p.is_file()) == 4)
    finally:
        if own and own.process.poll() is None:
            own.kill()
        disk.close()


@test
def a_database_that_somebody_else_holds_is_waited_for_or_told(server):
    own = Server(server.binary)
    try:
        path = os.path.join(own.data, "mien.sqlite")
        held, released = threading.Event(), threading.Event()

        def hold():
            database = sqlite3.connect(path, timeout=20, isolation_level=None)
            database.execute("BEGIN IMMEDIATE")
            held.set()
            released.wait(60)
            database.execute("ROLLBACK")
            database.close()

        thread = threading.Thread(target=hold)
        thread.start()
        assert held.wait(20)
        answers = []
        asked = threading.Thread(
            target=lambda: answers.append(own.request("POST", "/v1/checks", {}, token=own.key)))
        asked.start()
        # Reading goes on meanwhile.
        expect(own.request("GET", "/health/live"), 200)
        expect(own.request("GET", "/v1/checks/chk_unknown", token=own.key), 404)
        asked.join(3)
        released.set()
        thread.join()
        asked.join(30)
        assert answers and answers[0].status in (201, 503), answers
        if answers[0].status == 503:
            assert answers[0].code == "unavailable", answers
        until("a check after the database was let go",
              lambda: own.request("POST", "/v1/checks", {}, token=own.key).status == 201)
    finally:
        own.clean()


@test
def without_its_models_the_server_says_so_and_keeps_serving_the_rest(server):
    with tempfile.TemporaryDirectory() as empty:
        own = Server(server.binary, arguments=["--models", empty])
        try:
            ready = own.request("GET", "/health/ready")
            assert ready.status == 503 and ready.json["obstacles"], ready
            assert empty not in ready.body.decode(), "no path of this machine is told to strangers"
            expect(own.request("GET", "/health/live"), 200)
            made, parts = capture(own)
            expect(made, 201)
            kept(own, made.json["id"], parts)
            check = expect(own.request("POST", "/v1/checks", {}, token=own.key), 201).json
            frame = own.request("POST", f"/v1/checks/{check['id']}/frames", parts["photo"],
                                {"Content-Type": "image/png", "Mien-Client": "page-1", "Mien-Captured-At": "0"}, check["token"])
            expect(frame, 503, "model-unavailable")
        finally:
            own.clean()


@test
def a_blob_that_went_missing_is_told_as_missing(server):
    own = Server(server.binary)
    try:
        made, parts = capture(own)
        id = expect(made, 201).json["id"]
        until("the analysis", lambda: own.request("GET", "/v1/captures/" + id).json["state"] == "analysed")
        blobs = [p for p in (pathlib.Path(own.data) / "blobs").rglob("*") if p.is_file()]
        for blob in blobs:
            blob.unlink()
        expect(own.request("GET", "/v1/captures/" + id), 200)
        lost = own.request("GET", f"/v1/captures/{id}/parts/photo")
        assert lost.status in (404, 410, 503) and lost.code, lost
        expect(own.request("GET", "/health/live"), 200)
        again, more = capture(own, seed=2)
        kept(own, expect(again, 201).json["id"], more)
    finally:
        own.clean()


@test
def a_clock_that_jumps_ends_no_check_too_early_and_keeps_none_for_ever(server):
    """The wall clock of the process is moved by libfaketime; the steady clock stays, as when somebody sets the time."""
    library = next(pathlib.Path("/usr/lib").rglob("libfaketime.so.1"), None)
    if library is None:
        raise Skip("libfaketime is not installed")
    data = tempfile.mkdtemp(prefix="mien-clock-")
    setting = pathlib.Path(data) / "now"
    setting.write_text("+0\n")
    saved = dict(os.environ)
    os.environ.update(LD_PRELOAD=str(library), FAKETIME_TIMESTAMP_FILE=str(setting), FAKETIME_NO_CACHE="1",
                      DONT_FAKE_MONOTONIC="1")
    own = None
    try:
        # Through a shell: the library sets a variable when it is the first, after which Swift no longer finds the arguments.
        shell = pathlib.Path(data) / "mien"
        shell.write_text(f'#!/bin/sh\nexec "{os.path.abspath(server.binary)}" "$@"\n')
        shell.chmod(0o755)
        own = Server(str(shell), data=os.path.join(data, "data"))
        os.environ.clear()
        os.environ.update(saved)
        check = expect(own.request("POST", "/v1/checks", {}, token=own.key), 201).json
        message = expect(own.request("POST", "/v1/messages", {
            "text": "kept", "steps": ["smile", "surprise", "smooch"], "expires_in": 3600}), 201).json
        setting.write_text("-600\n")  # ten minutes back: the tokens and checks of before are still good
        expect(own.request("GET", "/v1/checks/" + check["id"], token=own.key), 200)
        line = json.dumps({"t": 0.1, "faces": 1, "box": [0.35, 0.3, 0.3, 0.4], "pose": {"yaw": 0, "pitch": 0, "roll": 0}})
        seen = own.request("POST", f"/v1/checks/{check['id']}/observations", (line + "\n").encode(),
                           {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, check["token"])
        expect(seen, 200)
        setting.write_text("+7200\n")  # two hours on: what was to live three minutes or an hour is over
        until("the end of the check", lambda: own.request(
            "GET", "/v1/checks/" + check["id"], token=own.key).json["state"] in ("expired", "timed-out", "failed"))
        gone = own.request("GET", "/v1/messages/" + message["id"])
        assert gone.status == 200 and gone.json["state"] == "expired", gone
        expect(own.request("POST", "/v1/checks", {}, token=own.key), 201)
    finally:
        os.environ.clear()
        os.environ.update(saved)
        if own:
            own.clean()
        shutil.rmtree(data, ignore_errors=True)


if __name__ == "__main__":
    Server.sees = False
    main(TESTS)
