"""Tests that logs hold no personal data, and of the server's graceful shutdown."""

import http.client
import json
import re
import signal

from support import footage
from support.checks import JPEG
from support.replies import conforms, expect
from support.server import Server


def test_logs_contain_no_biometric_data_and_no_secrets(server):
    text = "".join(server.lines)
    assert "eyJ" not in text and "mien_" not in text and not re.search(r"yaw|pitch|blend", text), text[:500]


def test_frames_in_flight_at_shutdown_are_answered(server):
    leaving = Server(server.binary)
    try:
        frames = footage.faces(8)
        checks = [leaving.create() for _ in frames]
        # One open connection per check, since a stopping server accepts no new ones.
        lines = [http.client.HTTPConnection("127.0.0.1", leaving.port, timeout=120) for _ in checks]
        for line, check in zip(lines, checks):
            expect(leaving.over(line, "GET", f"/v1/checks/{check.id}", token=leaving.key), 200)
        for line, check, frame in zip(lines, checks, frames):
            line.request("POST", f"/v1/checks/{check.id}/frames", frame,
                         {"Content-Type": JPEG, "Authorization": "Bearer " + check.token})
        first = lines[0].getresponse()
        assert first.status == 200 and json.loads(first.read())["state"], first.status
        leaving.process.send_signal(signal.SIGTERM)
        reported = [line.getresponse() for line in lines[1:]]
        assert [reply.status for reply in reported] == [200] * len(reported), [(reply.status, reply.read()) for reply in reported]
        for reply in reported:
            conforms("Step", json.loads(reply.read()))
        assert leaving.process.wait(120) == 0
        leaving.start()
        for check, frame in zip(checks, frames):
            # The answered frames count: each check continues, and its frame is refused elsewhere.
            expect(check.frame(frame), 200)
            expect(leaving.create().frame(frame), 409, "frame-replayed")
        assert f'mien_frames_total{{result="repeated"}} {len(checks)}' in leaving.request("GET", "/metrics").body.decode()
    finally:
        leaving.clean()


def test_server_stops_gracefully(server):
    assert server.stop() == 0
