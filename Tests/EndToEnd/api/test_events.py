"""Tests of the stream of changes that keeps lists up to date."""

import http.client
import subprocess
import time

from support.capture_files import photo
from support.captures import post
from support.replies import expect
from support.server import Server
from support.serving import new_key, serving


class Stream:
    """A connection to `/v1/events`."""

    def __init__(self, server, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.connection.request("GET", "/v1/events", headers={"Authorization": f"Bearer {key}", "Accept-Encoding": "gzip"})
        self.reply = self.connection.getresponse()

    def line(self):
        return self.reply.readline().decode().strip()

    def until(self, wanted):
        """Reads lines up to the wanted one, and returns them."""
        seen = []
        while True:
            seen.append(self.line())
            if seen[-1] == wanted:
                return seen
            assert seen[-1] != "" or len(seen) < 200, f"the stream ended without {wanted}: {seen}"

    def close(self):
        self.connection.close()


def test_changes_are_told_by_the_name_of_their_list(server):
    with serving(server) as own:
        stream = Stream(own, own.key)
        try:
            assert stream.reply.status == 200, stream.reply.status
            headers = {name.lower(): value for name, value in stream.reply.getheaders()}
            assert headers["content-type"] == "text/event-stream" and headers["cache-control"] == "no-store", headers
            assert "content-encoding" not in headers and "access-control-allow-origin" not in headers, headers
            assert stream.line() == "retry: 1000"
            # The records before the first look are no change.
            time.sleep(2)
            check = own.create(reference="a secret order")
            seen = stream.until("data: checks")
            assert not any(check.id in line or "secret" in line for line in seen), seen
            post(own, {"photo": photo(17)}, key=own.key)
            stream.until("data: captures")
            assert own.request("DELETE", f"/v1/checks/{check.id}", token=own.key).status in (200, 204)
            stream.until("data: checks")
        finally:
            stream.close()


def test_stream_shows_only_what_the_key_may_read(server):
    with serving(server) as own:
        narrow, foreign = new_key(own, "--scope", "checks"), new_key(own, "--scope", "captures")
        expect(own.request("GET", "/v1/events"), 401, "unauthorized")
        expect(own.request("GET", "/v1/events", token=foreign), 403, "forbidden")
        stream = Stream(own, narrow)
        try:
            time.sleep(2)
            post(own, {"photo": photo(18)}, key=own.key)
            time.sleep(2)
            own.create()
            seen = stream.until("data: checks")
            assert "data: captures" not in seen, seen
        finally:
            stream.close()


def test_open_streams_do_not_keep_the_server_from_stopping(server):
    own = Server(server.binary, loads_models=False)
    streams = []
    try:
        streams = [Stream(own, own.key) for _ in range(5)]
        assert all(stream.reply.status == 200 for stream in streams)
        own.process.terminate()
        assert own.process.wait(60) == 0
    except subprocess.TimeoutExpired as error:
        raise AssertionError("the server waits for the end of the streams") from error
    finally:
        for stream in streams:
            stream.close()
        own.clean()
