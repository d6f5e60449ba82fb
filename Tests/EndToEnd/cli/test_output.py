"""Tests of output to pipes, terminals and full disks."""

import http.client
import json
import os
import pty
import signal
import socket
import subprocess
import time

from cli.commands import WORK, heads, mien, stills
from support.program import PROGRAM, ROOT


def test_progress_goes_to_the_terminal_and_json_stays_clean():
    terminal, end = pty.openpty()
    path, count = stills()
    process = subprocess.Popen([PROGRAM, "track", str(path), "--json"], stdout=subprocess.PIPE, stderr=end, stdin=subprocess.DEVNULL)
    os.close(end)
    out = process.stdout.read()
    process.wait()
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:
        pass  # Linux reports EIO once the other end is closed.
    os.close(terminal)
    assert process.returncode == 0 and json.loads(out)["frames"] == count
    assert "100 %" in shown.decode() and "█" in shown.decode() and b"\x1b" not in out and b"\r" not in out
    assert mien("track", path, "--json").stderr == "", "without a terminal there is no bar"


def test_broken_pipe_and_full_disk_are_no_crash():
    for arguments in (["doctor"], ["--help"], ["doctor", "--json"], ["enroll", *map(str, heads())]):
        for ignored in (False, True):
            # A parent process may ignore SIGPIPE; then writes fail instead of ending the process.
            process = subprocess.Popen([PROGRAM, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       restore_signals=not ignored)
            process.stdout.close()
            said = process.stderr.read().decode()
            process.wait()
            process.stderr.close()
            assert process.returncode in (-signal.SIGPIPE, 0, 2), (arguments, ignored, process.returncode, said[:300])
            assert "crashed" not in said and "Fatal error" not in said, said[:300]
    with open("/dev/full", "w") as full:
        run = subprocess.run([PROGRAM, "doctor"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and "cannot be written" in run.stderr, run


def test_server_with_unread_output_serves():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([PROGRAM, "serve", "--port", str(port), "--data", str(WORK / "unread"), "--models", "/nowhere"], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout.readline().startswith(b"API key: ")
        process.stdout.close()
        for _ in range(200):
            assert process.poll() is None, f"the server ended with {process.returncode}"
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", "/health/live")
                assert connection.getresponse().status == 200
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
            finally:
                connection.close()
        else:
            raise AssertionError("the server does not answer")
        run = mien("serve", "--port", port, "--data", WORK / "second", "--models", "/nowhere", cwd=ROOT, expect=2)
        assert str(port) in run.stderr and "in use" in run.stderr, run.stderr
    finally:
        process.terminate()
        assert process.wait(120) == 0
