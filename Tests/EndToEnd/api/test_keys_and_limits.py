"""Tests of API keys, their scopes, rate limits, slow clients, and security headers."""

import contextlib
import hashlib
import json
import os
import re
import socket
import sqlite3
import subprocess
import time

import pytest

from support.replies import conforms, expect
from support.server import Server
from support.serving import new_key, serving, tool, wait

pytestmark = pytest.mark.without_models


def test_key_allows_exactly_its_scopes(server):
    asked = {
        "checks": ("POST", "/v1/checks", {}), "webhooks": ("GET", "/v1/webhooks", None),
        "messages": ("POST", "/v1/messages/recordings", {"steps": 3}), "admin": ("GET", "/v1/keys", None),
    }
    for scope in asked:
        key = new_key(server, "--scope", scope, "--name", f"only {scope}")
        for other, (method, path, body) in asked.items():
            reply = server.request(method, path, body, token=key)
            if other == scope:
                assert reply.status in (200, 201), (scope, path, reply)
            else:
                expect(reply, 403, "forbidden")
    reader = new_key(server, "--scope", "read")
    expect(server.request("GET", "/v1/webhooks", token=reader), 200)
    check = server.create()
    expect(server.request("GET", f"/v1/checks/{check.id}", token=reader), 200)
    expect(server.request("DELETE", f"/v1/checks/{check.id}", token=reader), 403, "forbidden")
    expect(server.request("POST", "/v1/checks", {}, token=reader), 403, "forbidden")
    expect(server.request("GET", "/v1/keys", token=reader), 403, "forbidden")
    expect(server.request("GET", "/v1/audit", token=reader), 403, "forbidden")
    # Path tricks do not bypass scopes.
    for path in ("//v1/keys", "/v1//keys", "/v1/./keys", "/v1/%6beys", "/v1/webhooks/../keys", "/V1/keys", "/v1/keys/"):
        assert server.request("GET", path, token=reader).status in (400, 403, 404), path


def test_api_creates_lists_rotates_and_revokes_keys(server):
    payload = {"name": "till", "scopes": ["checks", "read"], "expires_in": 3600}
    made = expect(server.request("POST", "/v1/keys", payload, token=server.key), 201).json
    conforms("Key", made)
    key, name = made["key"], made["id"]
    assert hashlib.sha256(key.encode()).hexdigest().startswith(name[4:]) and made["state"] == "active"
    expect(server.request("POST", "/v1/checks", {}, token=key), 201)

    listed = {one["id"]: one for one in expect(server.request("GET", "/v1/keys", token=server.key), 200).json["keys"]}
    assert listed[name]["scopes"] == ["checks", "read"] and "last_used_at" in listed[name]
    assert not any("key" in one for one in listed.values()), "keys are shown once"
    assert any("scopes" not in one for one in listed.values()), "the first key may do everything"
    assert name in tool(server, "keys", "list") and key not in tool(server, "keys", "list")

    new = expect(server.request("POST", f"/v1/keys/{name}/rotation", {"overlap": 3600}, token=server.key), 201).json
    assert new["scopes"] == made["scopes"] and new["name"] == "till"
    for good in (key, new["key"]):
        expect(server.request("POST", "/v1/checks", {}, token=good), 201)
    last = expect(server.request("POST", f"/v1/keys/{new['id']}/rotation", {"overlap": 0}, token=server.key), 201).json
    expect(server.request("POST", "/v1/checks", {}, token=new["key"]), 401, "unauthorized")
    expect(server.request("DELETE", f"/v1/keys/{last['id']}", token=server.key), 204)
    expect(server.request("POST", "/v1/checks", {}, token=last["key"]), 401, "unauthorized")
    expect(server.request("DELETE", f"/v1/keys/{last['id']}", token=server.key), 404, "not-found")

    short = expect(server.request("POST", "/v1/keys", {"expires_in": 1}, token=server.key), 201).json
    wait("its end", lambda: server.request("GET", "/v1/webhooks", token=short["key"]).status == 401)
    for bad in ({"scopes": []}, {"scopes": ["root"]}, {"name": ""}, {"name": "x" * 65}, {"expires_in": 0},
                {"expires_in": 1e300}, {"scope": ["admin"]}, {"name": 7}):
        assert server.request("POST", "/v1/keys", bad, token=server.key).status in (400, 422), bad
    for bad in ("key_0000000000000000", "..%2f", "x" * 300, "%00"):
        expect(server.request("DELETE", f"/v1/keys/{bad}", token=server.key), 404)


def test_command_line_manages_keys_beside_a_running_server(server):
    key = new_key(server, "--name", "night", "--days", "1")
    expect(server.request("GET", "/v1/webhooks", token=key), 200)
    name = "key_" + hashlib.sha256(key.encode()).hexdigest()[:16]
    tool(server, "keys", "rotate", name)
    expect(server.request("GET", "/v1/webhooks", token=key), 200)
    tool(server, "keys", "revoke", name)
    wait("the refusal", lambda: server.request("GET", "/v1/webhooks", token=key).status == 401)
    tool(server, "keys", "revoke", name, status=2)
    tool(server, "keys", "rotate", name, status=2)
    sandbox = new_key(server, "--sandbox", "--scope", "admin")
    names = [one["id"] for one in expect(server.request("GET", "/v1/keys", token=sandbox), 200).json["keys"]]
    assert len(names) == 1, "a realm lists its own keys only"
    tool(server, "keys", "add", "aws", "--name", "x", status=64)


def from_address(address):
    return {"X-Forwarded-For": address}


def check_rate_limited(reply):
    expect(reply, 429, "too-many-requests")
    assert int(reply.headers["retry-after"]) >= 1
    return reply


def test_rate_limits_addresses_and_keys(server):
    with serving(server, "--address-rate", "2", "--key-rate", "2") as strict:
        replies = [strict.request("GET", "/openapi.json", headers=from_address("198.51.100.7")) for _ in range(40)]
        assert replies[0].status == 200 and 429 in [reply.status for reply in replies]
        check_rate_limited(next(reply for reply in replies if reply.status == 429))
        assert strict.request("GET", "/openapi.json", headers=from_address("198.51.100.8")).status == 200
        assert all(strict.request("GET", "/openapi.json").status == 200 for _ in range(40)), "this machine is not counted"
        replies = [strict.request("GET", "/v1/webhooks", token=strict.key) for _ in range(40)]
        assert replies[0].status == 200
        check_rate_limited(next(reply for reply in replies if reply.status == 429))
        other = new_key(strict)
        expect(strict.request("GET", "/v1/webhooks", token=other), 200)


def test_rate_limits_key_guesses(server):
    address = from_address("203.0.113.9")
    replies = [server.request("GET", "/v1/webhooks", headers=address, token=f"mien_{number:043}") for number in range(40)]
    statuses = [reply.status for reply in replies]
    assert statuses[0] == 401 and 429 in statuses, statuses
    check_rate_limited(replies[-1])
    # Only wrong keys are refused: another client behind the same address has a valid one.
    expect(server.request("GET", "/v1/webhooks", headers=address, token=server.key), 200)
    check_rate_limited(server.request("GET", "/v1/webhooks", headers=address, token="mien_" + "y" * 43))
    expect(server.request("GET", "/v1/webhooks", headers=from_address("203.0.113.10"), token=server.key), 200)
    expect(server.request("GET", "/v1/webhooks", token="mien_" + "x" * 5000), 401, "unauthorized")


def test_expired_records_are_deleted_and_reported(server):
    own = Server(server.binary)
    try:
        check = own.create(challenge="turn-left")
        reported = expect(own.request("GET", "/v1/retention", token=own.key), 200).json
        conforms("Retention", reported)
        assert reported["retention_seconds"] == {"checks": 90 * 86400, "images": 600, "clips": 3600, "templates": 86400,
                                                 "captures": 90 * 86400, "scans": None, "unfinished_scans": 86400}, reported
        assert reported["deleted"] == {} and "last_report" not in reported, reported
        expect(own.request("GET", "/v1/retention"), 401)
        expect(own.request("GET", "/v1/retention", token=expect(own.request(
            "POST", "/v1/keys", {"scopes": ["read"]}, token=own.key), 201).json["key"]), 403)
        # Ages the check and its verdict by a hundred days.
        own.stop()
        with contextlib.closing(sqlite3.connect(own.data + "/mien.sqlite")) as db:
            long_ago = int(time.time() * 1000) - 100 * 86_400_000
            db.execute("UPDATE liveness_check SET state = 'timed-out', created_ms = ?, expires_ms = ?", (long_ago, long_ago + 180_000))
            db.execute("INSERT INTO verdict (check_id, decided_ms, outcome, reason, source, frames, outbound_path, return_path, findings) "
                       "VALUES (?, ?, 'timed-out', 'expired', 'none', 0, '[]', '[]', '[]')", (check.id, long_ago))
            db.commit()
        # The command counts records due for deletion and deletes nothing.
        for days, ahead, due, due_ahead in ((90, 7, 1, 1), (105, 7, 0, 1), (105, 2, 0, 0), (0, 7, 0, 0)):
            counted = subprocess.run(
                [own.binary, "retention", "--json", "--data", own.data, "--result-days", str(days), "--ahead", str(ahead)],
                capture_output=True, text=True, timeout=300, check=True)
            checks, captures, scans = json.loads(counted.stdout)
            assert (checks["kept"], checks["due"], checks["due_ahead"]) == (1, due, due_ahead), (days, ahead, checks)
            assert captures["kept"] == scans["kept"] == 0 and "oldest" not in captures, (captures, scans)
        table = subprocess.run([own.binary, "retention", "--data", own.data], capture_output=True, text=True, timeout=300, check=True)
        assert re.search(r"^checks +90 days +1 +20\S+Z +1 +1$", table.stdout, re.M), table.stdout
        assert re.search(r"^scans +for good +0 +– +0 +0$", table.stdout, re.M), table.stdout
        missing = subprocess.run([own.binary, "retention", "--data", own.data + "/nowhere"], capture_output=True, text=True, timeout=300)
        assert missing.returncode == 2 and "has no database" in missing.stderr and not os.path.exists(own.data + "/nowhere"), missing
        own.start()
        deadline = time.monotonic() + 120
        while own.request("GET", "/v1/retention", token=own.key).json["deleted"] != {"checks": 1}:
            assert time.monotonic() < deadline, own.request("GET", "/v1/retention", token=own.key)
            time.sleep(0.1)
        expect(check.result(), 404)
        assert 'mien_retention_deletions_total{kind="checks"} 1\n' in own.request("GET", "/metrics").body.decode()
        own.stop()
        own.start()
        entries = expect(own.request("GET", "/v1/audit", token=own.key), 200).json["entries"]
        reports = [(one["actor"], one["subject"]) for one in entries if one["action"] == "deleted-expired-data"]
        assert reports == [("retention", "checks:1")], entries
        assert check.id not in json.dumps(reports)
        whole = subprocess.run([own.binary, "audit", "verify", "--data", own.data], capture_output=True, text=True, timeout=300)
        assert whole.returncode == 0, whole
    finally:
        own.clean()


def test_rejects_bodies_without_credentials_before_reading_them(server):
    """A large body without valid credentials is refused before it is read, on every route that accepts one."""
    with serving(server, "--no-demo") as strict:
        check = strict.create()
        message = expect(strict.request("POST", "/v1/messages", {"text": "hello", "steps": ["smile", "wink_r", "smooch"]},
                                        token=strict.key), 201).json
        begun = expect(strict.request("POST", f"/v1/messages/{message['id']}/unlock", {}), 201).json
        frames, lines = "image/jpeg", "application/x-ndjson"
        for path, kind in ((f"/v1/checks/{check.id}/frames", frames), (f"/v1/checks/{check.id}/observations", lines),
                           (f"/v1/checks/{check.id}/depth", "application/vnd.mien.depth-frame"),
                           (f"/v1/performances/{begun['id']}/frames", frames),
                           (f"/v1/performances/{begun['id']}/observations", lines),
                           (f"/v1/messages/{message['id']}/gif", "image/png"),
                           ("/v1/people/ada/enrollment", "application/vnd.mien.depth-frame"), ("/v1/faces", frames),
                           ("/v1/captures", "multipart/form-data; boundary=x"), ("/upload", "multipart/form-data; boundary=x")):
            for credential in ("", "Authorization: Bearer mien_guess\r\n", f"Authorization: Bearer {begun['token'][:-3]}abc\r\n"):
                with socket.create_connection(("127.0.0.1", strict.port), timeout=120) as line:
                    line.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{credential}Content-Type: {kind}\r\n"
                                 "Content-Length: 900000\r\n\r\n".encode() + b"\xff\xd8\xff" * 10)
                    assert line.recv(4096).startswith(b"HTTP/1.1 401"), (path, credential)


def test_disconnects_slow_senders(server):
    with serving(server, "--body-seconds", "1", "--head-seconds", "2") as strict:
        def send_slowly(start, byte):
            with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as line:
                line.sendall(start)
                line.settimeout(0.25)
                got, until = b"", time.monotonic() + 60
                while time.monotonic() < until:
                    try:
                        line.sendall(byte)
                        chunk = line.recv(65536)
                        if not chunk:
                            return got
                        got += chunk
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        return got
                raise AssertionError("a slow sender is not disconnected")

        head = f"POST /v1/checks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {strict.key}\r\nContent-Length: 60000\r\n\r\n"
        answer = send_slowly(head.encode(), b" ")
        assert answer.startswith(b"HTTP/1.1 408 ") and b"body-too-slow" in answer, answer[:300]
        assert send_slowly(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"a") == b"", "half a head gets no answer"
        assert strict.request("GET", "/health/live").status == 200


def test_disconnects_clients_that_send_on_after_the_reply(server):
    with serving(server, "--head-seconds", "2") as strict:
        head = "POST /v1/checks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"
        with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as line:
            line.sendall(head.encode())
            line.settimeout(0.25)
            got, began = b"", time.monotonic()
            while True:
                assert time.monotonic() < began + 240, "the rejected client is not stopped"
                try:
                    line.sendall(b"x")
                    chunk = line.recv(65536)
                    if not chunk:
                        break
                    got += chunk
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
            assert got.startswith(b"HTTP/1.1 401 "), got[:200]


def test_disconnects_clients_that_read_no_reply(server):
    with serving(server, "--stall-seconds", "2") as strict:
        get = b"GET /assets/three/three.module.js HTTP/1.1\r\nHost: x\r\n\r\n"
        large = len(strict.request("GET", "/assets/three/three.module.js").body)
        assert large > 200_000, large
        with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            # Enough replies to fill the system's buffers, and then a whole request more.
            line.sendall(get * 40)
            time.sleep(1)
            line.sendall(get)
            time.sleep(8)
            line.settimeout(10)
            received_bytes = 0
            try:
                while chunk := line.recv(1 << 20):
                    received_bytes += len(chunk)
            except ConnectionError:
                pass
            assert received_bytes < 40 * large, "the response was buffered completely for a client that did not read it"


def test_demo_mode_is_limited_to_pages_of_this_machine(server):
    def statuses(own, **headers):
        headers = {name.replace("_", "-"): text for name, text in headers.items()}
        return [own.request(method, path, body, headers).status for method, path, body in (
            ("POST", "/v1/demo/checks", {}), ("GET", "/v1/scans", None), ("POST", "/v1/faces", b"x"),
            ("POST", "/v1/captures", b"x"), ("POST", "/v1/messages", {}), ("POST", "/upload", b"x"))]

    def refused(found):
        return found[0] == 403 and all(status == 401 for status in found[1:])

    def is_allowed(found):
        return found[:2] == [201, 200] and not {401, 403} & set(found)

    with serving(server, "--allow-origin", "https://shop.example") as own:
        here = f"127.0.0.1:{own.port}"
        for headers in ({}, {"Host": f"localhost:{own.port}"}, {"Host": "[::1]:80"}, {"Host": "mien.localhost"},
                        {"Origin": f"http://{here}"}, {"Origin": "https://shop.example"}):
            assert is_allowed(statuses(own, **headers)), (headers, statuses(own, **headers))
        for headers in ({"X_Forwarded_For": "203.0.113.9"}, {"X_Forwarded_For": "127.0.0.1"}, {"Host": "evil.example"},
                        {"Forwarded": "for=203.0.113.9"}, {"Via": "1.1 front"}, {"X_Real_IP": "203.0.113.9"},
                        {"x_forwarded_proto": "https"}, {"X_Forwarded_Host": "mien.example"},
                        {"Host": f"evil.example:{own.port}"}, {"Host": "127.0.0.1.evil.example"}, {"Host": "1270.0.0.1"},
                        {"Origin": "https://evil.example"}, {"Origin": "null"},
                        {"Host": "evil.example", "Origin": "http://evil.example"}):
            assert refused(statuses(own, **headers)), (headers, statuses(own, **headers))
    with serving(server, "--demo") as demo_server:
        assert is_allowed(statuses(demo_server, X_Forwarded_For="203.0.113.9", Host="mien.example"))
    with serving(server, "--no-demo") as closed_server:
        assert refused(statuses(closed_server))


def test_every_reply_has_the_security_headers(server):
    for method, path in (("GET", "/"), ("GET", "/nothing"), ("POST", "/v1/checks"), ("GET", "/health/live"),
                         ("GET", "/assets/style/base.css"), ("DELETE", "/v1/checks"), ("POST", "/")):
        headers = server.request(method, path).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY", (path, headers)
        assert "default-src 'none'" in headers["content-security-policy"] and "server" not in headers
        for name in ("referrer-policy", "permissions-policy", "cross-origin-opener-policy",
                     "cross-origin-resource-policy", "x-permitted-cross-domain-policies"):
            assert name in headers, (path, name)
