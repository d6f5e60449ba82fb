"""Tests of connection handling: idle connections, connection floods, stalled bodies, and requests that HTTP does not allow."""

import contextlib
import os
import pathlib
import resource
import socket
import ssl
import subprocess
import tempfile
import threading
import time

import pytest

from support import captures
from support.capture_files import photo
from support.replies import expect
from support.server import Server
from support.serving import certificate, receive_all, send_raw, serving, wait

pytestmark = pytest.mark.without_models


@pytest.fixture(scope="module", autouse=True)
def many_open_files():
    """Raises this process's limit of open files, since these tests open thousands of connections."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[1], before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextlib.contextmanager
def server_with_limit(server, open_files, *arguments):
    """Starts a server with a fixed limit of open files."""
    other = Server(server.binary, arguments=arguments, open_files=open_files)
    try:
        yield other
    finally:
        other.clean()


def open_idle_connections(server, count, opened):
    """Opens idle connections until `count` is reached or the system accepts no more."""
    for _ in range(count):
        try:
            opened.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=5))
        except OSError:
            return


def count_descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def check_survives(server, open_files, **more):
    """Checks that a server with this limit still answers while a thousand idle connections are open."""
    with server_with_limit(server, open_files, *more.get("arguments", ())) as small:
        wait("the log line with the open-file limit", lambda: any(f"Open files: {open_files} allowed" in line for line in small.lines))
        with contextlib.ExitStack() as opened:
            for _ in range(4):
                open_idle_connections(small, 250, opened)
                assert count_descriptors(small) < open_files, "every descriptor is taken"
                # Unauthenticated requests are answered, and so are requests that need files and the database.
                assert small.request("GET", "/health/live").status == 200
                check = small.create()
                assert small.request("GET", f"/v1/checks/{check.id}", token=small.key).json["state"] == "open"
                assert small.request("GET", "/index.html").status == 200
            assert small.process.poll() is None, small.lines[-20:]
        assert small.request("GET", "/health/ready").status in (200, 503)
        assert small.stop() == 0
        assert not any("Fatal" in line or "SIGILL" in line for line in small.lines), small.lines


def test_survives_a_thousand_silent_connections_with_1024_descriptors(server):
    check_survives(server, 1024)


def test_survives_silent_connections_with_80_descriptors(server):
    check_survives(server, 80)


def test_refuses_to_start_with_too_few_descriptors(server):
    with tempfile.TemporaryDirectory() as folder:
        ended = subprocess.run(
            [server.binary, "serve", "--port", "0", "--data", folder + "/data", "--models", "/nowhere"], capture_output=True,
            text=True, timeout=300, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (56, 56)))
    assert ended.returncode == 2 and "ulimit -n" in ended.stderr, ended


def test_raises_the_soft_limit_and_doctor_reports_a_low_one(server):
    def soft_and_hard(soft, hard):
        return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    with tempfile.TemporaryDirectory() as folder:
        for soft, hard, words in ((512, 2048, "WARNING: 512 allowed, which `mien serve` raises to 2048"),
                                  (512, 20_000, "ok      open files: 512 allowed, which `mien serve` raises to 20000")):
            ended = subprocess.run(
                [server.binary, "doctor", "--data", folder], capture_output=True, text=True, timeout=300,
                preexec_fn=soft_and_hard(soft, hard))
            assert words in ended.stdout, ended
    other = Server.__new__(Server)
    other.limit = soft_and_hard(512, 2048)
    Server.__init__(other, server.binary, open_files=2048)
    try:
        wait("the log line with the open-file limit", lambda: any("Open files: 2048 allowed" in line for line in other.lines))
    finally:
        other.clean()


def test_closes_idle_connections(server):
    with serving(server, "--head-seconds", "1") as strict:
        for start in (b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: "):
            assert send_raw(strict, start, seconds=60) == b"", start
    with serving(server, "--stall-seconds", "1") as strict:
        got = send_raw(strict, b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", seconds=60)
        assert got.count(b"HTTP/1.1 200") == 1, got


def test_silent_tls_connections_block_nobody(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate(folder)
        files = ("--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem"))
        with server_with_limit(server, 1024, *files) as secure, contextlib.ExitStack() as opened:
            context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            for _ in range(10):
                # Some never begin the TLS handshake, some send nothing after it.
                open_idle_connections(secure, 990, opened)
                for _ in range(10):
                    line = socket.create_connection(("127.0.0.1", secure.port), timeout=120)
                    opened.enter_context(context.wrap_socket(line, server_hostname="localhost"))
                assert count_descriptors(secure) < 1024
                with socket.create_connection(("127.0.0.1", secure.port), timeout=120) as line:
                    with context.wrap_socket(line, server_hostname="localhost") as honest:
                        honest.sendall(b"GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                        assert receive_all(honest).startswith(b"HTTP/1.1 200 ")
                # This test process has a descriptor limit as well.
                opened.close()
            assert secure.stop() == 0


def test_rejects_concurrent_bodies_of_one_token_before_reading_them(server):
    with serving(server) as own:
        check = own.create()
        message = expect(own.request("POST", "/v1/messages", {"text": "hello", "steps": ["smile", "wink_r", "smooch"]},
                                     token=own.key), 201).json
        begun = expect(own.request("POST", f"/v1/messages/{message['id']}/unlock", {}), 201).json
        for path, token in ((f"/v1/checks/{check.id}/frames", check.token), (f"/v1/performances/{begun['id']}/frames", begun["token"])):
            head = (f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: image/jpeg\r\nAuthorization: Bearer {token}\r\n"
                    f"Content-Length: {4 << 20}\r\n\r\n").encode()
            before = own.memory()
            with contextlib.ExitStack() as opened:
                held = []
                for _ in range(60):
                    line = opened.enter_context(socket.create_connection(("127.0.0.1", own.port), timeout=120))
                    line.sendall(head + b"\xff" * 1000)
                    held.append(line)
                # Each has sent a small part of its body; all but the first ten have been answered.
                answers = [line.recv(1000) for line in held[10:]]
                assert all(answer.startswith(b"HTTP/1.1 409 ") for answer in answers), answers[:3]
                for line in held:
                    with contextlib.suppress(OSError):
                        line.settimeout(2)
                        line.sendall(b"\xff" * (1 << 20))
                assert own.memory() - before < 64 << 20, (before, own.memory())
        assert own.request("GET", "/health/live").status == 200


def test_limits_memory_of_concurrent_bodies(server):
    """Large bodies from eleven addresses do not use up the memory for bodies of other clients."""
    with serving(server, "--body-seconds", "60") as own:
        before = own.memory()
        with contextlib.ExitStack() as opened:
            refused = 0
            for number in range(66):
                line = opened.enter_context(socket.create_connection(("127.0.0.1", own.port), timeout=120))
                address = f"X-Forwarded-For: 198.51.100.{number % 11}\r\n" if number % 11 else ""
                line.sendall((f"POST /v1/messages/read-id HTTP/1.1\r\nHost: x\r\n{address}Content-Type: image/gif\r\n"
                              f"Content-Length: {8 << 20}\r\n\r\n").encode())
                line.settimeout(1)
                sent = threading.Thread(target=send_ignoring_errors, args=(line, b"GIF89a" + b"\xff" * ((8 << 20) - 100)), daemon=True)
                sent.start()
                sent.join(30)
                with contextlib.suppress(TimeoutError, ConnectionError):
                    refused += line.recv(1000).startswith(b"HTTP/1.1 503 ")
            assert refused > 50, refused
            assert own.memory() - before < 160 << 20, (before, own.memory())
            # A body of usual size from another client is accepted.
            reply = own.request("POST", "/v1/messages/read-id", b"GIF89a" + b"\0" * 200_000,
                                {"Content-Type": "image/gif", "X-Forwarded-For": "203.0.113.7"})
            assert reply.status != 503, reply
        wait("the memory to be free again", lambda: own.request(
            "POST", "/v1/messages/read-id", b"GIF89a" + b"\0" * (7 << 20),
            {"Content-Type": "image/gif", "X-Forwarded-For": "203.0.113.8"}).status != 503)


def send_ignoring_errors(line, data):
    with contextlib.suppress(OSError):
        line.sendall(data)


def test_slow_readers_of_large_replies_use_no_memory(server):
    with serving(server, "--stall-seconds", "60") as own:
        one = len(own.request("GET", "/assets/three/three.module.js").body)
        before = own.memory()
        with contextlib.ExitStack() as opened:
            for _ in range(200):
                line = opened.enter_context(socket.socket())
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.connect(("127.0.0.1", own.port))
                line.sendall(b"GET /assets/three/three.module.js HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
            assert own.request("GET", "/health/live").status == 200
            assert own.memory() - before < 200 * one // 2, (one, before, own.memory())


def test_slow_readers_of_stored_files_use_no_memory(server):
    with serving(server, "--stall-seconds", "60") as own:
        large = photo(90) + os.urandom(24 << 20)
        capture = captures.post(own, {"photo": large}, key=own.key)
        files = [{"name": "depth_scan.bin", "bytes": 24 << 20}]
        scan = expect(own.request("POST", "/v1/scans", {"files": files}, token=own.key), 201).json
        expect(own.request("PATCH", scan["files"][0]["upload"], os.urandom(24 << 20), {
            "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0", "Tus-Resumable": "1.0.0"}, own.key), 204)
        wait("the analysis", lambda: own.request("GET", "/v1/captures/" + capture["id"]).json["state"] == "analyzed")
        paths = (f"/v1/captures/{capture['id']}/parts/photo", f"/v1/scans/{scan['id']}/files/depth_scan.bin",
                 f"/v1/scans/{scan['id']}/export")
        for path in paths:
            assert len(expect(own.request("GET", path, token=own.key), 200).body) > 20 << 20
        before = own.memory()
        with contextlib.ExitStack() as opened:
            for number in range(60):
                line = opened.enter_context(socket.socket())
                line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                line.connect(("127.0.0.1", own.port))
                line.sendall(f"GET {paths[number % 3]} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {own.key}\r\n\r\n".encode() * 4)
            answered = wait("the server to answer", lambda: own.request("GET", "/health/live").status == 200)
            assert answered and own.memory() - before < 256 << 20, (before, own.memory())
            assert own.request("GET", f"/v1/captures/{capture['id']}").status == 200
            assert len(own.request("GET", paths[0]).body) == len(large), "others read it meanwhile"


def test_aborted_upload_is_no_server_error(server):
    with serving(server) as own:
        check = own.create()
        for path, credential, kind in ((f"/v1/checks/{check.id}/frames", check.token, "image/jpeg"), ("/v1/checks", own.key, "application/json"),
                                       ("/v1/captures", own.key, "multipart/form-data; boundary=x"),
                                       ("/v1/verify-file", own.key, "image/jpeg")):
            for ending in (socket.SHUT_WR, None):
                line = socket.create_connection(("127.0.0.1", own.port), timeout=120)
                line.sendall((f"POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {credential}\r\nContent-Type: {kind}\r\n"
                              "Content-Length: 60000\r\n\r\n").encode() + b"x" * 500)
                time.sleep(0.2)
                if ending is not None:
                    line.shutdown(ending)
                    receive_all(line)
                line.close()
        wait("their end", lambda: b"mien_http_requests_in_flight 1\n" in own.request("GET", "/metrics").body)
        assert own.stop() == 0
        assert not any("unexpected error" in line or " error " in line for line in own.lines), own.lines


def test_request_needs_exactly_one_host(server):
    for headers in ("", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a b\r\n", "Host: a,b\r\nHost: a\r\n"):
        text = f"GET /health/live HTTP/1.1\r\n{headers}\r\nGET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
        got = send_raw(server, text.encode(), seconds=10)
        assert got.startswith(b"HTTP/1.1 400 ") and b'"live"' not in got, (headers, got)
    got = send_raw(server, b"GET /health/live HTTP/1.1\r\nHost: x\r\n\r\nGET /health/live HTTP/1.1\r\n\r\n", seconds=10)
    assert [part[:3] for part in got.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400"], got
    assert send_raw(server, b"GET /health/live HTTP/1.0\r\n\r\n", seconds=10).split(b" ")[1] == b"200", "HTTP/1.0 needs none"


def test_path_that_leads_out_gets_a_problem_reply(server):
    for path in ("/../", "/assets/../../etc/passwd", "/..%2f..%2fetc/passwd", "/assets/..", "/%2e%2e/mien.keyring"):
        got = send_raw(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), seconds=10)
        assert got.split(b" ")[1] in (b"400", b"404"), (path, got)
        assert b"application/problem+json" in got and b'"code":' in got, (path, got)


def test_ignores_protocol_upgrades(server):
    """Requests upgrades to WebSocket, HTTP/2 and TLS, all of which the server ignores."""
    for upgrade, more in (("websocket", "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"),
                          ("h2c", "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"), ("TLS/1.2", "")):
        line = f"GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: {upgrade}\r\n{more}\r\n"
        got = send_raw(server, line.encode() + b"\x81\x85\x00\x00\x00\x00hello" * 50, seconds=3)
        assert got and b"HTTP/1.1 101" not in got, (upgrade, got)
    got = send_raw(server, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\x00\x00\x00\x04\x00\x00\x00\x00\x00" * 1000, seconds=3)
    assert not got or got.startswith(b"HTTP/1.1 400 "), got
    assert server.request("GET", "/health/live").status == 200


def test_does_not_offer_http_2_over_tls(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate(folder)
        with serving(server, "--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem")) as secure:
            context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            context.set_alpn_protocols(["h2", "http/1.1"])
            with socket.create_connection(("127.0.0.1", secure.port), timeout=120) as line:
                with context.wrap_socket(line, server_hostname="localhost") as spoken:
                    assert spoken.selected_alpn_protocol() == "http/1.1"


def http_2_floods():
    """Yields bytes of HTTP/2 connections that flood a server: with resets, settings, pings, continuations and streams."""
    def frame(kind, flags, stream, payload=b""):
        return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload
    head = b"\x82\x84\x86\x41\x01x"  # GET / of host x over HTTP
    begin = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0)
    streams = range(1, 20_001, 2)
    yield begin + b"".join(frame(1, 5, stream, head) + frame(3, 0, stream, bytes(4)) for stream in streams)
    yield begin + frame(4, 0, 0, b"\0\4\0\0\xff\xff") * 50_000
    yield begin + frame(6, 0, 0, bytes(8)) * 50_000
    yield begin + frame(1, 1, 1, head) + frame(9, 0, 1, b"\0\1a\1b" * 100) * 5_000
    yield begin + b"".join(frame(1, 5, stream, head) for stream in streams)


def test_http_2_floods_end_at_once(server):
    """The server speaks no HTTP/2: a client that begins it anyway, in plain text or over TLS, gets one reply at most."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate(folder)
        tls = ("--tls-cert", str(folder / "cert.pem"), "--tls-key", str(folder / "key.pem"))
        context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        context.set_alpn_protocols(["h2"])
        for options in ((), tls):
            with serving(server, *options) as own:
                began, memory = own.processor_seconds(), own.memory()
                for flood in http_2_floods():
                    for _ in range(10):
                        got = b""
                        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", own.port), timeout=120) as line:
                            secure = context.wrap_socket(line, server_hostname="localhost") if options else line
                            threading.Thread(target=send_ignoring_errors, args=(secure, flood), daemon=True).start()
                            got = receive_all(secure)
                        assert not got or got.startswith(b"HTTP/1.1 400 ") and got.count(b"HTTP/1.1") == 1, got[:200]
                assert own.processor_seconds() - began < 15, own.processor_seconds() - began
                assert own.memory() - memory < 64 << 20, (memory, own.memory())
                assert own.stop() == 0


def picture(check, number):
    """Returns bytes with a JPEG's signature, different for each check: frames of another check are refused for that alone."""
    return b"\xff\xd8\xff" + f"{check.id} {number}".encode()


def test_check_belongs_to_its_first_client_with_or_without_a_name(server):
    # This server has no models: the client is verified before the frame is analyzed, which then fails with 503.
    for first, others in (({}, ({"Mien_Client": "b"},)), ({"Mien_Client": "a"}, ({}, {"Mien_Client": "b"}))):
        check = server.create()
        expect(check.frame(picture(check, 1), **first), 503, "model-unavailable")
        for other in others:
            expect(check.frame(picture(check, 2), **other), 409, "second-client")
        expect(check.frame(picture(check, 3), **first), 503, "model-unavailable")


def test_does_not_warn_about_a_trusted_proxy(server):
    # Loopback is a trusted proxy. Swift tests cover the warning about others.
    for number in range(40):
        server.request("GET", "/health/live", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    assert not any("--trusted-proxy" in line for line in server.lines)
