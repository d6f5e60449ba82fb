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


def get_json(server, path):
    """Returns the server's reply to an integrator's request."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path, headers={"Authorization": f"Bearer {server.key}"})
    return json.loads(connection.getresponse().read())


def test_upload_survives_kills_of_client_and_server_and_arrives_once():
    folder = WORK / "to-send"
    folder.mkdir()
    for number in range(3):
        (folder / f"image{number + 1}.jpg").write_bytes(os.urandom(200_000))
    (folder / "depth_scan.bin").write_bytes(os.urandom(3_000_000))
    server = Server(PROGRAM, loads_models=False)
    proxy = byte_limited_proxy.ByteLimitedProxy(server.port)
    try:
        key = WORK / "upload-key"
        key.write_text(server.key + "\n")
        upload = ["scan", "upload", folder, "--server", f"http://127.0.0.1:{proxy.port}", "--key", key, "--queue",
                  WORK / "queue", "--label", "left side"]
        proxy.stop_after(1_500_000)
        client = subprocess.Popen([PROGRAM, *map(str, upload)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert proxy.limit_reached.wait(120), "the limit was never reached"
        client.send_signal(signal.SIGKILL)
        client.wait()
        server.kill()
        server.start()
        proxy.server_port = server.port
        bytes_before = proxy.forwarded_bytes
        proxy.stop_after(None)
        done = mien(*upload)
        assert "Going on with scan" in done.stderr, done.stderr
        found = get_json(server, "/v1/scans")["scans"]
        assert [scan["id"] for scan in found] == [done.stdout.strip()] and found[0]["label"] == "left side", found
        files = {file["name"]: file for file in get_json(server, found[0]["url"])["files"]}
        assert {name: file["received"] for name, file in files.items()} == {
            path.name: path.stat().st_size for path in folder.iterdir()}, files
        assert all(files[path.name]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir())
        # The second run sends only the remaining bytes.
        assert proxy.forwarded_bytes - bytes_before < 3_000_000, proxy.forwarded_bytes - bytes_before
        log = "".join(server.lines)
        assert "left side" not in log, log
    finally:
        proxy.close()
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
