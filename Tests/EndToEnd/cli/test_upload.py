"""Tests of `mien scan upload` with lost replies and killed servers and clients."""

import hashlib
import http.client
import json
import os
import signal
import subprocess

from cli import byte_limited_proxy
from cli.commands import WORK, mien
from support.program import PROGRAM
from support.server import Server


def sent(server, path):
    """Returns the server's reply to an integrator's request."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    line.request("GET", path, headers={"Authorization": f"Bearer {server.key}"})
    return json.loads(line.getresponse().read())


def test_upload_survives_kills_of_client_and_server_and_arrives_once():
    place = WORK / "to-send"
    place.mkdir()
    for number in range(3):
        (place / f"image{number + 1}.jpg").write_bytes(os.urandom(200_000))
    (place / "depth_scan.bin").write_bytes(os.urandom(3_000_000))
    server = Server(PROGRAM, loads_models=False)
    line = byte_limited_proxy.Straw(server.port)
    try:
        key = WORK / "upload-key"
        key.write_text(server.key + "\n")
        upload = ["scan", "upload", place, "--server", f"http://127.0.0.1:{line.port}", "--key", key, "--queue",
                  WORK / "queue", "--label", "left side"]
        line.stop_after(1_500_000)
        client = subprocess.Popen([PROGRAM, *map(str, upload)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert line.full.wait(120), "the line was never full"
        client.send_signal(signal.SIGKILL)
        client.wait()
        server.kill()
        server.start()
        line.port_of_server = server.port
        before = line.passed
        line.stop_after(None)
        done = mien(*upload)
        assert "Going on with scan" in done.stderr, done.stderr
        found = sent(server, "/v1/scans")["scans"]
        assert [scan["id"] for scan in found] == [done.stdout.strip()] and found[0]["label"] == "left side", found
        files = {file["name"]: file for file in sent(server, found[0]["url"])["files"]}
        assert {name: file["received"] for name, file in files.items()} == {
            path.name: path.stat().st_size for path in place.iterdir()}, files
        assert all(files[path.name]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() for path in place.iterdir())
        # The second run sends only the remaining bytes.
        assert line.passed - before < 3_000_000, line.passed - before
        said = "".join(server.lines)
        assert "left side" not in said, said
    finally:
        line.close()
        server.clean()


def test_rejected_and_unsendable_uploads_are_reported():
    lone = WORK / "lone.bin"
    lone.write_bytes(b"x" * 100)
    server = Server(PROGRAM, arguments=["--no-demo"], loads_models=False)
    try:
        at = ["--server", f"http://127.0.0.1:{server.port}", "--queue", WORK / "refused"]
        refused = mien("scan", "upload", lone, *at, expect=1)
        assert "unauthorized" in refused.stderr and refused.stdout == "", refused
    finally:
        server.clean()
    silent = mien("scan", "upload", lone, *at, "--retries", 0, expect=2)
    assert "does not answer" in silent.stderr and "again" in silent.stderr, silent.stderr
    assert "is not there" in mien("scan", "upload", WORK / "none", *at, expect=2).stderr
    mien("scan", "upload", *at, expect=64)
