"""Helpers for fault tests: captures verified by their digests, a disk that can be filled, a clock that can be set."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import pytest

from support.capture_files import BOUNDARY, all_parts, form
from support.replies import conforms, expect

STEPS = ["smile", "wink_r", "smooch"]


def capture(server, seed=1):
    parts = all_parts(seed)
    reply = server.request("POST", "/v1/captures", form(list(parts.items())),
                           {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    return reply, parts


def check_capture(server, id, parts):
    expect(server.request("GET", "/v1/captures/" + id), 200)
    for name, value in parts.items():
        part = expect(server.request("GET", f"/v1/captures/{id}/parts/{name}"), 200)
        assert hashlib.sha256(part.body).digest() == hashlib.sha256(value).digest(), f"{name} has changed"


def until(what, condition, seconds=240):
    """Waits until the condition holds; returns the seconds waited."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() < began + seconds, f"{what} did not happen"
        time.sleep(0.1)
    return time.monotonic() - began


def ready(server):
    """Returns the status of /health/ready and the codes of unavailable parts."""
    reply = server.request("GET", "/health/ready")
    assert reply.status in (200, 503), reply
    conforms("Readiness", reply.json)
    codes = [failure["code"] for failure in reply.json["failures"]]
    reported = {"ready": 200, "degraded": 200, "not-ready": 503}
    assert reply.status == reported[reply.json["status"]] and (reply.json["status"] == "ready") == (not codes), reply
    return reply.status, codes


class SmallDisk:
    """A file system of a few megabytes that can be filled."""

    def __init__(self, megabytes):
        self.path = tempfile.mkdtemp(prefix="mien-disk-")
        try:
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", self.path], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except (OSError, subprocess.CalledProcessError):
            os.rmdir(self.path)
            pytest.skip("a file system of its own cannot be mounted here")
        self.filler = os.path.join(self.path, "filler")

    def fill(self):
        with open(self.filler, "ab", buffering=0) as file:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        file.write(b"\0" * size)
                except OSError:
                    pass

    def free(self):
        os.unlink(self.filler)

    def close(self):
        subprocess.run(["umount", "-l", self.path], check=False)
        shutil.rmtree(self.path, ignore_errors=True)


@contextlib.contextmanager
def settable_clock(server):
    """Starts a server and returns it with a function that sets its wall clock's offset in seconds; its monotonic clock is unchanged.

    The clock starts ten minutes ahead. libfaketime 0.9.10 also shifts the monotonic deadlines of timers by the wall clock's offset:
    with a negative offset every wait of the server would last that much longer, with a positive one timers only fire early.
    """
    library = next(pathlib.Path("/usr/lib").rglob("libfaketime.so.1"), None)
    if library is None:
        pytest.skip("libfaketime is not installed")
    data = tempfile.mkdtemp(prefix="mien-clock-")
    setting = pathlib.Path(data) / "now"

    def set_clock(seconds):
        assert seconds >= -600, "before the true time"
        # Replaced atomically: the library reads the file at every access to the clock.
        part = setting.with_suffix(".part")
        part.write_text(f"{600 + seconds:+d}\n")
        part.replace(setting)

    set_clock(0)
    saved = dict(os.environ)
    os.environ.update(LD_PRELOAD=str(library), FAKETIME_TIMESTAMP_FILE=str(setting), FAKETIME_NO_CACHE="1",
                      DONT_FAKE_MONOTONIC="1")
    own = None
    try:
        # Started through a shell: the library sets a variable in the first process, after which Swift no longer finds the arguments.
        shell = pathlib.Path(data) / "mien"
        shell.write_text(f'#!/bin/sh\nexec "{os.path.abspath(server.binary)}" "$@"\n')
        shell.chmod(0o755)
        own = type(server)(str(shell), data=os.path.join(data, "data"))
        os.environ.clear()
        os.environ.update(saved)
        yield own, set_clock
    finally:
        os.environ.clear()
        os.environ.update(saved)
        if own:
            own.clean()
        shutil.rmtree(data, ignore_errors=True)
