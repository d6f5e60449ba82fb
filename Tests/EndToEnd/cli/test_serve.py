"""Tests of how `mien serve` starts: occupied ports, and addresses that other machines reach."""

import contextlib
import re
import socket
import subprocess

from cli.commands import WORK, mien
from support.program import PROGRAM


@contextlib.contextmanager
def occupied_port(port=0):
    with socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        line.bind(("127.0.0.1", port))
        line.listen()
        yield line.getsockname()[1]


def test_occupied_port_is_reported_before_anything_is_created():
    data = WORK / "never"
    with occupied_port() as port:
        run = mien("serve", "--port", port, "--data", data, "--models", "/nowhere", expect=2)
        found = re.fullmatch(rf"Port {port} is in use\. Try --port (\d+)\.\n", run.stderr)
        assert run.stdout == "" and found and port < int(found.group(1)) <= port + 20, run
        # The suggested port is free.
        with occupied_port(int(found.group(1))):
            pass
    assert not data.exists()


def test_address_of_another_machine_is_reported():
    run = mien("serve", "--host", "192.0.2.1", "--data", WORK / "never", expect=2)
    assert run.stderr.startswith("192.0.2.1 is not an address of this machine.") and not (WORK / "never").exists(), run


def startup_output(*arguments):
    """Returns what a server writes to standard error until it listens."""
    with subprocess.Popen(
            [PROGRAM, "serve", "--port", "0", "--data", WORK / "announced", "--models", "/nowhere", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        listening = any(line.startswith("Listening on ") for line in process.stdout)
        process.terminate()
        text = process.stderr.read()
    assert listening and process.returncode == 0, text
    return text


def test_warns_of_plain_http_to_other_machines():
    assert "WARNING: --host 0.0.0.0 over plain HTTP" in startup_output("--host", "0.0.0.0")
    for quiet in ([], ["--host", "127.0.0.1"], ["--host", "0.0.0.0", "--trusted-proxy", "10.0.0.7"]):
        assert "plain HTTP" not in startup_output(*quiet), quiet
