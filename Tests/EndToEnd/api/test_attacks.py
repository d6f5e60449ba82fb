"""Tests of attacks: forged tokens, path traversal, request smuggling, injected markup."""

import base64
import hashlib
import hmac
import json
import pathlib
import socket

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

from support.replies import expect
from support.serving import receive_all, send_raw, serving, wait

pytestmark = pytest.mark.without_models


def encoded(value):
    text = json.dumps(value) if isinstance(value, dict) else value
    return base64.urlsafe_b64encode(text.encode() if isinstance(text, str) else text).decode().rstrip("=")


def test_rejects_forged_tokens(server):
    check = server.create()
    header, payload, signature = check.token.split(".")
    head = json.loads(base64.urlsafe_b64decode(header + "=="))
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    keys = server.request("GET", "/.well-known/jwks.json").json["keys"][0]
    public = json.dumps(keys).encode()
    forged = [f"{encoded({**head, 'alg': name})}.{payload}." for name in ("none", "None", "NONE", "")]
    for alg in ("HS256", "ES256", "RS256"):
        # Signs with the published key as an HMAC secret (algorithm confusion).
        top = encoded({**head, "alg": alg})
        mac = hmac.new(public, f"{top}.{payload}".encode(), hashlib.sha256).digest()
        forged.append(f"{top}.{payload}.{encoded(mac)}")
    own = ec.generate_private_key(ec.SECP256R1())
    for extra in ({"jwk": keys}, {"jku": "https://evil.example/keys"}, {"kid": "../../dev/null"}, {"x5u": "x"}, {}):
        top = encoded({**head, **extra})
        forged.append(f"{top}.{payload}." + encoded(own.sign(f"{top}.{payload}".encode(), ec.ECDSA(hashes.SHA256()))))
    other = server.create()
    forged += [
        f"{header}.{encoded({**claims, 'exp': claims['exp'] + 9999})}.{signature}",
        f"{header}.{encoded({**claims, 'sub': other.id})}.{signature}", other.token, f"{header}.{payload}", ".".join("abc"),
        f"{header}.{payload}.{encoded(bytes(64))}", f"{header}.{payload}.{signature}.", f"{header}..{signature}",
        f"{header}.{payload}.{signature[:-4]}", claims["jti"], server.request("GET", "/").headers.get("etag", "x"),
    ]
    for token in forged:
        expect(check.frame(b"\xff\xd8\xff", token=token), 401, "unauthorized")
    expect(server.request("GET", f"/v1/checks/{check.id}", token=check.token), 401, "unauthorized")


def test_rejects_path_traversal(server):
    secret = pathlib.Path(server.data, "mien.keyring").read_bytes()
    seal = f"{server.data}/mien.keyring"
    up = "../" * 12
    paths = [f"/{up}{seal}", f"/assets/{up}etc/passwd", "/" + "%2e%2e/" * 12 + "etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd",
             "/%252e%252e/%252e%252e/etc/passwd", "/assets/..\\..\\..\\etc\\passwd", "//etc/passwd", f"/{seal}",
             "/assets/%00/../../../etc/passwd", "/....//....//etc/passwd", "/.git/config", "/../data/mien.sqlite",
             "/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd", "/v1/captures/..%2f..%2f..%2fmien.keyring/parts/photo",
             "/verify/cap_/../../../../etc/passwd", "/file:///etc/passwd", "http://evil.example/etc/passwd"]
    for path in paths:
        got = send_raw(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
        assert got.split(b" ")[1] in (b"400", b"404", b"200") and secret not in got and b"root:" not in got, (path, got[:200])


def test_rejects_request_smuggling(server):
    inner = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"
    for headers, body in (
        ("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nG"),
        ("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", f"0\r\n\r\n{inner}"),
        ("Content-Length: 3\r\nContent-Length: 0\r\n", "abc"), ("Content-Length: 0, 3\r\n", "abc"),
        ("Content-Length: +3\r\n", "abc"), ("Content-Length: 0x3\r\n", "abc"), ("Content-Length: -1\r\n", "abc"),
        ("Content-Length: 99999999999999999999999\r\n", "abc"), ("Transfer-Encoding: xchunked\r\n", inner),
        ("Transfer-Encoding: chunked, identity\r\n", f"0\r\n\r\n{inner}"), ("Transfer-Encoding : chunked\r\n", inner),
        ("Transfer-Encoding:\x0bchunked\r\n", inner), ("Transfer-Encoding: chunked\r\n", "3;a=\n\r\nabc\r\nxyz"),
        ("Transfer-Encoding: chunked\r\n", "FFFFFFFFFFFFFFFFF\r\nabc"), ("X: a\r\n b: c\rContent-Length: 5\r\n", inner),
        ("X\x00: a\r\n", inner),
    ):
        text = f"POST /v1/demo/checks HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n{body}"
        got = send_raw(server, text.encode("latin-1"), seconds=2)
        assert b'"live"' not in got, f"a request came in within another: {headers!r} {got!r}"
    for line in ("GET / HTTP/1.1 HTTP/1.1", "GET /\x00 HTTP/1.1", "G\x01T / HTTP/1.1", "GET / HTTP/9.9",
                 "GET / http/1.1", "\x16\x03\x01\x02\x00"):
        got = send_raw(server, f"{line}\r\nHost: x\r\n\r\n".encode("latin-1"), seconds=2)
        assert not got or got.split(b" ")[1] == b"400", (line, got[:200])
    assert server.request("GET", "/health/live").status == 200


def test_pipelined_requests_are_answered_in_order(server):
    """Holds even if some requests are answered on the fast path and some are not."""
    with serving(server, "--lifetime", "1") as own:
        check = own.create()
        headers_text = f"Host: localhost\r\nAuthorization: Bearer {own.key}\r\n"
        wait("the verdict", lambda: own.request("GET", f"/v1/checks/{check.id}", token=own.key).json["state"] != "open")
        requests = {
            "result": f"GET /v1/checks/{check.id} HTTP/1.1\r\n{headers_text}\r\n",
            "alive": f"GET /health/live HTTP/1.1\r\n{headers_text}\r\n",
            "page": "GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "unknown": f"GET /v1/checks/chk_unknown HTTP/1.1\r\n{headers_text}\r\n",
            "made": f"POST /v1/checks HTTP/1.1\r\n{headers_text}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
            "with a body": f"GET /v1/checks/{check.id} HTTP/1.1\r\n{headers_text}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        }
        markers = {"result": b'"signed"', "alive": b'"live"', "page": b"<!doctype html>", "unknown": b'"not-found"', "made": b'"token"'}

        def reply_kinds(text, seconds=2, pieces=1):
            """Sends raw requests and returns the kind of each reply."""
            with socket.create_connection(("127.0.0.1", own.port), timeout=seconds) as line:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for start in range(0, len(text), max(1, len(text) // pieces)):
                    line.sendall(text[start:start + max(1, len(text) // pieces)])
                replies = receive_all(line).split(b"HTTP/1.1 ")[1:]
            return [next((name for name, sign in markers.items() if sign in reply.lower()), reply) for reply in replies]

        order = ["result", "made", "made", "result", "page", "result", "made", "result", "alive", "unknown", "result", "with a body", "result", "page"]
        wanted = ["result" if name == "with a body" else name for name in order]
        text = "".join(requests[name] for name in order).encode()
        assert reply_kinds(text) == wanted
        assert reply_kinds(text, pieces=300) == wanted
        assert reply_kinds(requests["result"].encode() * 2000) == ["result"] * 2000
        assert reply_kinds(requests["made"].encode() * 300) == ["made"] * 300
        # A client that closes its sending side still receives all replies.
        with socket.create_connection(("127.0.0.1", own.port), timeout=5) as line:
            line.sendall((requests["made"] * 3).encode())
            line.shutdown(socket.SHUT_WR)
            assert receive_all(line).count(b'"token"') == 3
        garbage = send_raw(own, requests["made"].encode() + b"\x00\x01\r\n\r\n", seconds=3)
        assert [part[:3] for part in garbage.split(b"HTTP/1.1 ")[1:]] == [b"201", b"400"], garbage
        garbage = send_raw(own, requests["result"].encode() + b"\x00\x01\r\n\r\n", seconds=3)
        assert [part[:3] for part in garbage.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400"], garbage
        assert own.request("GET", "/health/live").status == 200


def test_checks_take_one_credential_and_ids_have_fixed_length(server):
    with serving(server, "--lockout-failures", "0") as own:
        both = own.request("POST", "/v1/checks", {}, token=own.key, headers={"Token": own.key})
        expect(both, 401, "unauthorized")
        named = expect(own.request("POST", "/v1/checks", {}, token=own.key, headers={"X-Request-ID": "order-7"}), 201)
        assert named.headers["x-request-id"] == "order-7"
        ids = [own.request("POST", "/v1/checks", {}, token=own.key).json["id"] for _ in range(50)]
        assert len(set(ids)) == 50 and all(len(one) == len(ids[0]) for one in ids)
        assert [one[:11] for one in ids] == sorted(one[:11] for one in ids), "names begin with their time"
        counted = own.request("GET", "/metrics").body.decode()
        assert 'route="/v1/checks",status="2xx"' in counted and "mien_http_requests_in_flight 1\n" in counted


def test_returns_markup_in_texts_as_data(server):
    text = "<script>alert(1)</script>\"'\u2028]]>--><img src=x onerror=alert(1)>"
    made = expect(server.request("POST", "/v1/checks", {"reference": text}, token=server.key), 201).json
    reply = server.request("GET", f"/v1/checks/{made['id']}", token=server.key)
    assert reply.headers["content-type"] == "application/json" and reply.json["reference"] == text
    for path in (f"/v1/{text}", f"/{text}", f"/v1/checks/{text}", f"/verify/cap_{text}"):
        quoted = path.replace(" ", "%20").encode()
        got = send_raw(server, b"GET " + quoted + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"<script>alert" not in got, path
    for key in (text, text * 200):
        reply = server.request("POST", "/v1/checks", {key: 1}, token=server.key)
        expect(reply, 400, "unknown-key")
        assert len(reply.body) < 4000


def test_stopping_server_finishes_started_work(server):
    with serving(server) as ending:
        body = json.dumps({"reference": "x" * 100}).encode()
        head = (f"POST /v1/checks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {ending.key}\r\n"
                f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode()
        with socket.create_connection(("127.0.0.1", ending.port), timeout=60) as line:
            line.sendall(head + body[:20])
            # Another connection may be read first: the server has begun the request above once two are in flight.
            wait("the beginning", lambda: b"mien_http_requests_in_flight 2\n" in ending.request("GET", "/metrics").body)
            ending.process.terminate()
            wait("the end of listening", lambda: not is_listening(ending.port))
            line.sendall(body[20:])
            got = receive_all(line)
        assert got.startswith(b"HTTP/1.1 201 "), got[:300]
        assert ending.process.wait(60) == 0


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return True
    except OSError:
        return False
