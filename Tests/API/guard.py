"""Security tests: TLS, keys and their scopes, limits, the audit log, and attacks.

usage: guard.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import base64
import contextlib
import datetime
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import time
import warnings

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

sys.path.insert(0, os.path.dirname(__file__))
from run import DOCUMENT, conforms, expect, main
from server import Reply, Server

TESTS = []


def test(function):
    TESTS.append(function)
    return function


@contextlib.contextmanager
def serving(server, *arguments, data=None):
    """Starts a server with these arguments and removes it at the end."""
    other = Server(server.binary, data=data, arguments=arguments)
    try:
        yield other
    finally:
        other.clean()


def wait(what, condition, seconds=60):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = condition()
        if found:
            return found
        time.sleep(0.2)
    raise AssertionError(f"{what} did not come about within {seconds} s")


def tool(server, *arguments, status=0):
    ended = subprocess.run(
        [server.binary, *map(str, arguments), "--data", server.data], capture_output=True, text=True, timeout=60)
    assert ended.returncode == status, (ended.returncode, ended.stdout, ended.stderr)
    return ended.stdout + ended.stderr


def new_key(server, *arguments):
    return tool(server, "keys", "add", "api", *arguments).split("API key: ")[1].split()[0]


# ── TLS ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def certificate(folder, name="localhost"):
    """Writes a self-signed certificate to cert.pem and key.pem; each file is replaced atomically."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    made = (
        x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(key, hashes.SHA256()))
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    for path, text in (("cert.pem", made.public_bytes(serialization.Encoding.PEM)), ("key.pem", secret)):
        (folder / (path + ".new")).write_bytes(text)
        (folder / (path + ".new")).rename(folder / path)
    return made.serial_number


def shown(port, trusted, highest=None):
    """Returns the serial number of the certificate presented to a client that trusts `trusted`."""
    context = ssl.create_default_context(cafile=str(trusted))
    if highest:
        with warnings.catch_warnings(action="ignore"):
            context.maximum_version = highest
    with socket.create_connection(("127.0.0.1", port), timeout=30) as plain:
        with context.wrap_socket(plain, server_hostname="localhost") as secure:
            return x509.load_der_x509_certificate(secure.getpeercert(binary_form=True)).serial_number


@test
def tls_is_served_and_a_new_certificate_taken_without_a_restart(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        first = certificate(folder)
        files = ("--tls-cert", folder / "cert.pem", "--tls-key", folder / "key.pem")
        with serving(server, *map(str, files)) as secure:
            assert any(line.startswith("Listening on https://") for line in secure.printed), secure.printed
            assert shown(secure.port, folder / "cert.pem") == first
            context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
            connection = http.client.HTTPSConnection("localhost", secure.port, timeout=30, context=context)
            reply = secure.over(connection, "POST", "/v1/checks", {}, token=secure.key)
            connection.close()
            assert reply.status == 201 and "max-age=" in reply.headers["strict-transport-security"], reply.headers
            try:
                shown(secure.port, folder / "cert.pem", ssl.TLSVersion.TLSv1_1)
                raise AssertionError("TLS 1.1 must not be spoken")
            except (ssl.SSLError, ConnectionError):
                pass
            # TLS 1.2 is accepted with forward secrecy only and without CBC. The certificate has an ECDSA key.
            for ciphers, taken in (("ECDHE+AESGCM", True), ("ECDHE+CHACHA20", True), ("ECDHE-ECDSA-AES128-SHA", False),
                                   ("ECDHE-ECDSA-AES256-SHA384", False), ("AES128-SHA:AES128-GCM-SHA256:AES256-SHA256", False)):
                assert is_taken(secure.port, folder / "cert.pem", ciphers) == taken, ciphers

            # An incomplete or invalid renewal leaves the old certificate in use.
            shutil.copy(folder / "cert.pem", folder / "old.pem")
            (folder / "cert.pem").write_text("-----BEGIN CERTIFICATE-----\nrubbish\n-----END CERTIFICATE-----\n")
            wait("a complaint", lambda: any("holds no certificate" in line for line in secure.lines))
            assert shown(secure.port, folder / "old.pem") == first
            second = certificate(folder)
            assert wait("the new certificate", lambda: trusted(secure.port, folder / "cert.pem")) == second
            assert secure.stop() == 0
    assert "strict-transport-security" not in server.request("GET", "/").headers, "plain HTTP promises no TLS"


def is_taken(port, trusted, ciphers):
    """Reports if a TLS 1.2 client with these cipher suites is served."""
    context = ssl.create_default_context(cafile=str(trusted))
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_ciphers(ciphers + ":@SECLEVEL=0")
    with socket.create_connection(("127.0.0.1", port), timeout=30) as plain:
        try:
            context.wrap_socket(plain, server_hostname="localhost").close()
            return True
        except (ssl.SSLError, ConnectionError):
            return False


def trusted(port, file):
    try:
        return shown(port, file)
    except ssl.SSLError:
        return None


@test
def certificates_that_cannot_be_used_are_told_at_the_start(server):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        certificate(folder)
        shutil.copy(folder / "key.pem", folder / "other.pem")
        certificate(folder)
        for cert, key, words in (
            ("cert.pem", "other.pem", "is not the one of the first certificate"),
            ("cert.pem", "cert.pem", "no private key"), ("key.pem", "key.pem", "no certificate"),
            ("none.pem", "key.pem", "cannot be read"),
        ):
            ended = subprocess.run(
                [server.binary, "serve", "--port", "0", "--data", str(folder / "data"), "--models", "/nowhere", "--tls-cert",
                 str(folder / cert), "--tls-key", str(folder / key)], capture_output=True, text=True, timeout=120)
            assert ended.returncode != 0 and words in ended.stderr, (cert, key, ended)
            assert "PRIVATE KEY-----\n" not in ended.stderr
    assert "go together" in tool(server, "serve", "--tls-cert", "x", status=64)


# ── keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


@test
def a_key_does_what_its_scopes_say_and_nothing_else(server):
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


@test
def keys_are_made_listed_rotated_and_revoked_over_the_api(server):
    wish = {"name": "till", "scopes": ["checks", "read"], "expires_in": 3600}
    made = expect(server.request("POST", "/v1/keys", wish, token=server.key), 201).json
    conforms("Key", made)
    key, name = made["key"], made["id"]
    assert hashlib.sha256(key.encode()).hexdigest().startswith(name[4:]) and made["state"] == "good"
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
    expect(server.request("POST", "/v1/checks", {}, token=new["key"]), 401, "unauthorised")
    expect(server.request("DELETE", f"/v1/keys/{last['id']}", token=server.key), 204)
    expect(server.request("POST", "/v1/checks", {}, token=last["key"]), 401, "unauthorised")
    expect(server.request("DELETE", f"/v1/keys/{last['id']}", token=server.key), 404, "not-found")

    short = expect(server.request("POST", "/v1/keys", {"expires_in": 1}, token=server.key), 201).json
    wait("its end", lambda: server.request("GET", "/v1/webhooks", token=short["key"]).status == 401)
    for bad in ({"scopes": []}, {"scopes": ["root"]}, {"name": ""}, {"name": "x" * 65}, {"expires_in": 0},
                {"expires_in": 1e300}, {"scope": ["admin"]}, {"name": 7}):
        assert server.request("POST", "/v1/keys", bad, token=server.key).status in (400, 422), bad
    for bad in ("key_0000000000000000", "..%2f", "x" * 300, "%00"):
        expect(server.request("DELETE", f"/v1/keys/{bad}", token=server.key), 404)


@test
def keys_of_the_command_line_count_beside_a_running_server(server):
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
    assert len(names) == 1, "a space sees its own keys only"
    tool(server, "keys", "add", "aws", "--name", "x", status=64)


# ── limits ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def from_address(address):
    return {"X-Forwarded-For": address}


def waits(reply):
    expect(reply, 429, "too-many-requests")
    assert int(reply.headers["retry-after"]) >= 1
    return reply


@test
def addresses_and_keys_ask_only_so_often(server):
    with serving(server, "--address-rate", "2", "--key-rate", "2") as strict:
        replies = [strict.request("GET", "/openapi.json", headers=from_address("198.51.100.7")) for _ in range(40)]
        assert replies[0].status == 200 and 429 in [reply.status for reply in replies]
        waits(next(reply for reply in replies if reply.status == 429))
        assert strict.request("GET", "/openapi.json", headers=from_address("198.51.100.8")).status == 200
        assert all(strict.request("GET", "/openapi.json").status == 200 for _ in range(40)), "this machine is not counted"
        replies = [strict.request("GET", "/v1/webhooks", token=strict.key) for _ in range(40)]
        assert replies[0].status == 200
        waits(next(reply for reply in replies if reply.status == 429))
        other = new_key(strict)
        expect(strict.request("GET", "/v1/webhooks", token=other), 200)


@test
def keys_are_not_guessed(server):
    address = from_address("203.0.113.9")
    replies = [server.request("GET", "/v1/webhooks", headers=address, token=f"mien_{number:043}") for number in range(40)]
    statuses = [reply.status for reply in replies]
    assert statuses[0] == 401 and 429 in statuses, statuses
    waits(replies[-1])
    # Only wrong keys are refused: another client behind the same address has a valid one.
    expect(server.request("GET", "/v1/webhooks", headers=address, token=server.key), 200)
    waits(server.request("GET", "/v1/webhooks", headers=address, token="mien_" + "y" * 43))
    expect(server.request("GET", "/v1/webhooks", headers=from_address("203.0.113.10"), token=server.key), 200)
    expect(server.request("GET", "/v1/webhooks", token="mien_" + "x" * 5000), 401, "unauthorised")


@test
def what_was_kept_long_enough_goes_and_is_reported(server):
    own = Server(server.binary)
    try:
        check = own.create(challenge="turn-left")
        told = expect(own.request("GET", "/v1/retention", token=own.key), 200).json
        conforms("Retention", told)
        assert told["seconds_kept"] == {"checks": 90 * 86400, "pictures": 600, "films": 3600, "captures": 90 * 86400, "scans": None,
                                        "unfinished_scans": 86400}, told
        assert told["erased"] == {} and "last_report" not in told, told
        expect(own.request("GET", "/v1/retention"), 401)
        expect(own.request("GET", "/v1/retention", token=expect(own.request(
            "POST", "/v1/keys", {"scopes": ["read"]}, token=own.key), 201).json["key"]), 403)
        # Ages the check and its verdict by a hundred days.
        own.stop()
        with contextlib.closing(sqlite3.connect(own.data + "/mien.sqlite")) as db:
            long_ago = int(time.time() * 1000) - 100 * 86_400_000
            db.execute("UPDATE liveness_check SET open = 0, created_ms = ?, expires_ms = ?", (long_ago, long_ago + 180_000))
            db.execute("INSERT INTO verdict (check_id, decided_ms, outcome, reason, source, frames, way_out, way_back, findings) "
                       "VALUES (?, ?, 'timed-out', 'expired', 'none', 0, '[]', '[]', '[]')", (check.id, long_ago))
            db.commit()
        # The command counts records due for deletion and deletes nothing.
        for days, ahead, due, due_ahead in ((90, 7, 1, 1), (105, 7, 0, 1), (105, 2, 0, 0), (0, 7, 0, 0)):
            counted = subprocess.run(
                [own.binary, "retention", "--json", "--data", own.data, "--result-days", str(days), "--ahead", str(ahead)],
                capture_output=True, text=True, timeout=60, check=True)
            checks, captures, scans = json.loads(counted.stdout)
            assert (checks["kept"], checks["due"], checks["due_ahead"]) == (1, due, due_ahead), (days, ahead, checks)
            assert captures["kept"] == scans["kept"] == 0 and "oldest" not in captures, (captures, scans)
        table = subprocess.run([own.binary, "retention", "--data", own.data], capture_output=True, text=True, timeout=60, check=True)
        assert re.search(r"^checks +90 days +1 +20\S+Z +1 +1$", table.stdout, re.M), table.stdout
        assert re.search(r"^scans +for good +0 +– +0 +0$", table.stdout, re.M), table.stdout
        nowhere = subprocess.run([own.binary, "retention", "--data", own.data + "/nowhere"], capture_output=True, text=True, timeout=60)
        assert nowhere.returncode == 2 and "has no database" in nowhere.stderr and not os.path.exists(own.data + "/nowhere"), nowhere
        own.start()
        deadline = time.monotonic() + 20
        while own.request("GET", "/v1/retention", token=own.key).json["erased"] != {"checks": 1}:
            assert time.monotonic() < deadline, own.request("GET", "/v1/retention", token=own.key)
            time.sleep(0.1)
        expect(check.result(), 404)
        assert 'mien_erased_by_age_total{kind="checks"} 1\n' in own.request("GET", "/metrics").body.decode()
        own.stop()
        own.start()
        entries = expect(own.request("GET", "/v1/audit", token=own.key), 200).json["entries"]
        reports = [(one["actor"], one["subject"]) for one in entries if one["action"] == "erased-by-age"]
        assert reports == [("retention", "checks:1")], entries
        assert check.id not in json.dumps(reports)
        whole = subprocess.run([own.binary, "audit", "verify", "--data", own.data], capture_output=True, text=True, timeout=60)
        assert whole.returncode == 0, whole
    finally:
        own.clean()


def talk(server, text, seconds=30):
    """Returns the server's reply to these bytes, read until it closes the connection or sends nothing for `seconds`."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=seconds) as line:
        line.sendall(text)
        return heard(line)


def heard(line):
    got = b""
    try:
        while chunk := line.recv(65536):
            got += chunk
    except (TimeoutError, ConnectionError):
        pass
    return got


@test
def nobody_is_read_who_shows_no_credential(server):
    """A large body without valid credentials is refused before it is read, on every route that accepts one."""
    with serving(server, "--no-demo") as strict:
        check = strict.create()
        message = expect(strict.request("POST", "/v1/messages", {"text": "hello", "steps": ["smile", "surprise", "smooch"]},
                                        token=strict.key), 201).json
        begun = expect(strict.request("POST", f"/v1/messages/{message['id']}/unlock", {}), 201).json
        frames, lines = "image/jpeg", "application/x-ndjson"
        for path, kind in ((f"/v1/checks/{check.id}/frames", frames), (f"/v1/checks/{check.id}/observations", lines),
                           (f"/v1/checks/{check.id}/depth", "application/vnd.mien.depth-frame"),
                           (f"/v1/performances/{begun['id']}/frames", frames),
                           (f"/v1/performances/{begun['id']}/observations", lines),
                           (f"/v1/messages/{message['id']}/gif", "image/png"),
                           ("/v1/people/ada/enrolment", "application/vnd.mien.depth-frame"), ("/v1/faces", frames),
                           ("/v1/captures", "multipart/form-data; boundary=x"), ("/upload", "multipart/form-data; boundary=x")):
            for credential in ("", "Authorization: Bearer mien_guess\r\n", f"Authorization: Bearer {begun['token'][:-3]}abc\r\n"):
                with socket.create_connection(("127.0.0.1", strict.port), timeout=20) as line:
                    line.sendall(f"POST {path} HTTP/1.1\r\nHost: x\r\n{credential}Content-Type: {kind}\r\n"
                                 "Content-Length: 900000\r\n\r\n".encode() + b"\xff\xd8\xff" * 10)
                    assert line.recv(4096).startswith(b"HTTP/1.1 401"), (path, credential)


@test
def who_sends_drop_by_drop_is_cut_off(server):
    with serving(server, "--body-seconds", "1", "--head-seconds", "2") as strict:
        def drip(start, drop):
            with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as line:
                line.sendall(start)
                line.settimeout(0.25)
                got, until = b"", time.monotonic() + 60
                while time.monotonic() < until:
                    try:
                        line.sendall(drop)
                        chunk = line.recv(65536)
                        if not chunk:
                            return got
                        got += chunk
                    except TimeoutError:
                        continue
                    except ConnectionError:
                        return got
                raise AssertionError("who drips is not cut off")

        head = f"POST /v1/checks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {strict.key}\r\nContent-Length: 60000\r\n\r\n"
        answer = drip(head.encode(), b" ")
        assert answer.startswith(b"HTTP/1.1 408 ") and b"body-too-slow" in answer, answer[:300]
        assert drip(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", b"a") == b"", "half a head gets no answer"
        assert strict.request("GET", "/health/live").status == 200


@test
def a_body_that_goes_on_after_its_reply_is_cut_off(server):
    with serving(server, "--head-seconds", "2") as strict:
        head = "POST /v1/checks HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n"
        with socket.create_connection(("127.0.0.1", strict.port), timeout=60) as line:
            line.sendall(head.encode())
            line.settimeout(0.25)
            got, began = b"", time.monotonic()
            while time.monotonic() < began + 40:
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
            assert time.monotonic() < began + 35, "who was refused goes on for ever"


@test
def a_reply_that_nobody_takes_is_not_waited_with_for_ever(server):
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
            heard = 0
            try:
                while chunk := line.recv(1 << 20):
                    heard += len(chunk)
            except ConnectionError:
                pass
            assert heard < 40 * large, "all of it was kept for whoever did not take it"


@test
def without_a_key_only_this_machine_s_own_pages_try_things_out(server):
    def statuses(own, **headers):
        headers = {name.replace("_", "-"): text for name, text in headers.items()}
        return [own.request(method, path, body, headers).status for method, path, body in (
            ("POST", "/v1/demo/checks", {}), ("GET", "/v1/scans", None), ("POST", "/v1/faces", b"x"),
            ("POST", "/v1/captures", b"x"), ("POST", "/v1/messages", {}), ("POST", "/upload", b"x"))]

    def refused(found):
        return found[0] == 403 and all(status == 401 for status in found[1:])

    def let_in(found):
        return found[:2] == [201, 200] and not {401, 403} & set(found)

    with serving(server, "--allow-origin", "https://shop.example") as own:
        here = f"127.0.0.1:{own.port}"
        for headers in ({}, {"Host": f"localhost:{own.port}"}, {"Host": "[::1]:80"}, {"Host": "mien.localhost"},
                        {"Origin": f"http://{here}"}, {"Origin": "https://shop.example"}):
            assert let_in(statuses(own, **headers)), (headers, statuses(own, **headers))
        for headers in ({"X_Forwarded_For": "203.0.113.9"}, {"X_Forwarded_For": "127.0.0.1"}, {"Host": "evil.example"},
                        {"Forwarded": "for=203.0.113.9"}, {"Via": "1.1 front"}, {"X_Real_IP": "203.0.113.9"},
                        {"x_forwarded_proto": "https"}, {"X_Forwarded_Host": "mien.example"},
                        {"Host": f"evil.example:{own.port}"}, {"Host": "127.0.0.1.evil.example"}, {"Host": "1270.0.0.1"},
                        {"Origin": "https://evil.example"}, {"Origin": "null"},
                        {"Host": "evil.example", "Origin": "http://evil.example"}):
            assert refused(statuses(own, **headers)), (headers, statuses(own, **headers))
    with serving(server, "--demo") as everybody:
        assert let_in(statuses(everybody, X_Forwarded_For="203.0.113.9", Host="mien.example"))
    with serving(server, "--no-demo") as nobody:
        assert refused(statuses(nobody))


@test
def every_reply_has_the_guarding_headers(server):
    for method, path in (("GET", "/"), ("GET", "/nothing"), ("POST", "/v1/checks"), ("GET", "/health/live"),
                         ("GET", "/assets/style/base.css"), ("DELETE", "/v1/checks"), ("POST", "/")):
        headers = server.request(method, path).headers
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY", (path, headers)
        assert "default-src 'none'" in headers["content-security-policy"] and "server" not in headers
        for name in ("referrer-policy", "permissions-policy", "cross-origin-opener-policy",
                     "cross-origin-resource-policy", "x-permitted-cross-domain-policies"):
            assert name in headers, (path, name)


# ── monitoring ────────────────────────────────────────────────────────────────────────────────────────────────────────


@test
def requests_have_ids_and_are_counted_and_lines_about_them_name_nobody(server):
    with serving(server, "--access-log") as watched:
        given = watched.request("GET", "/health/live", headers={"X-Request-ID": "proxy-7.a_B"})
        assert given.headers["x-request-id"] == "proxy-7.a_B"
        own = [watched.request("GET", "/nothing", headers={"X-Request-ID": bad}).headers["x-request-id"]
               for bad in ("", "a b", "x" * 65, "<script>", "a\tb", "né")]
        assert len(set(own)) == len(own) and all(re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", one) for one in own), own
        person = "person-who-is-nobody"
        check = watched.create(person=person, reference="a-reference")
        expect(watched.request("GET", f"/v1/checks/{check.id}?x=secret-query", token=watched.key), 200)
        expect(watched.request("GET", f"/v1/checks/{check.id}", token="mien_guess"), 401)
        expect(watched.request("DELETE", f"/v1/people/{person}", token=watched.key), 204)
        text = watched.request("GET", "/metrics").body.decode()
        counted = re.findall(r'mien_http_requests_total{method="(\w+)",route="([^"]+)",status="(\dxx)"} (\d+)', text)
        counted = {(method, re.sub(r"[:{][^/}]+}?", "*", route), status): int(count) for method, route, status, count in counted}
        assert counted[("GET", "/v1/checks/*", "2xx")] == 1 and counted[("GET", "/v1/checks/*", "4xx")] == 1, counted
        assert counted[("POST", "/v1/checks", "2xx")] == 1 and counted[("DELETE", "/v1/people/*", "2xx")] == 1
        total = int(re.search(r"mien_http_request_seconds_count (\d+)", text).group(1))
        assert total == sum(counted.values()) and 'le="+Inf"' in text
        assert "mien_http_requests_in_flight 1\n" in text, "the one that asks"
        assert "mien_analyses_waiting 0" in text
        for queue in ("films", "scans", "webhooks"):
            assert f'mien_queue_depth{{queue="{queue}"}} 0\n' in text, text
        assert watched.stop() == 0
        wait("the lines", lambda: sum("mien.access" in line for line in watched.lines) >= total)
        lines = [line for line in watched.lines if "mien.access" in line]
        assert any("id=proxy-7.a_B" in line and "status=200" in line for line in lines), lines
        said = "".join(watched.lines) + text
        for secret in (person, check.id, check.token, watched.key, "a-reference", "secret-query", "mien_guess", "127.0.0.1"):
            assert secret not in said, f"{secret} is in a line or a metric"


@test
def pictures_are_noise_on_the_disk(server):
    with serving(server) as kept:
        photo = b"\xff\xd8\xff" + b"a face that nobody may find " * 9000
        part = (b"--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n" + photo + b"\r\n--x--\r\n")
        made = expect(kept.request("POST", "/v1/captures", part, {"Content-Type": "multipart/form-data; boundary=x"},
                                   token=kept.key), 201).json
        assert made["photo"]["sha256"] == hashlib.sha256(photo).hexdigest() and made["photo"]["bytes"] == len(photo)
        reply = kept.request("GET", f"/v1/captures/{made['id']}/parts/photo", token=kept.key)
        assert reply.status == 200 and reply.body == photo
        stored = [path.read_bytes() for path in pathlib.Path(kept.data, "blobs").rglob("*") if path.is_file()]
        assert len(stored) == 1 and stored[0].startswith(b"MIENSEAL1") and b"nobody may find" not in stored[0]
        told = kept.request("GET", f"/v1/audit?about=capture/{made['id']}", token=kept.key).json["entries"]
        assert [one["action"] for one in told] == ["saw-capture"] and made["id"] not in json.dumps(told), told


@test
def an_address_tells_which_methods_it_knows(server):
    for method, path, known in (
        ("TRACE", "/v1/checks", "OPTIONS, POST"), ("PUT", "/v1/checks/chk_1", "DELETE, GET, HEAD, OPTIONS"),
        ("DELETE", "/v1/keys", "GET, HEAD, OPTIONS, POST"), ("QUERY", "/v1/scans", "GET, HEAD, OPTIONS, POST"),
        ("GET", "/v1/messages/recordings", "OPTIONS, POST"), ("POST", "/scans", "GET, HEAD, OPTIONS"),
        ("DELETE", "/assets/favicon.svg", "GET, HEAD, OPTIONS"), ("PATCH", "/metrics", "GET, HEAD, OPTIONS"),
        ("POST", "/v1/scans/s/files/a/b.png", "GET, HEAD, OPTIONS"), ("TRACE", "/", "GET, HEAD, OPTIONS, POST"),
    ):
        reply = expect(server.request(method, path, token=server.key), 405, "method-not-allowed")
        assert reply.headers["allow"] == known, (method, path, reply.headers)
        conforms("Problem", reply.json)
        reply = server.request("OPTIONS", path)
        assert (reply.status, reply.headers.get("allow")) == (204, known), (path, reply, reply.headers)
        assert not any(name.startswith("access-control-allow-m") for name in reply.headers), reply.headers
    for method in ("GET", "POST", "TRACE", "OPTIONS"):
        expect(server.request(method, "/v1/nothing"), 404, "not-found")
        expect(server.request(method, "/assets/nothing.js"), 404, "not-found")
    reply = expect(server.request("OPTIONS", "*"), 204)
    assert {"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"} <= set(reply.headers["allow"].split(", ")), reply.headers
    # Resources that can be read answer HEAD without a body.
    reply = server.request("HEAD", "/metrics")
    assert reply.status == 200 and reply.body == b"", reply
    assert server.request("HEAD", "/v1/checks/chk_nobody").status == 401


# ── settings ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@contextlib.contextmanager
def variables(**named):
    os.environ.update(named)
    try:
        yield
    finally:
        for name in named:
            del os.environ[name]


@test
def settings_come_from_a_file_the_environment_and_options_in_rising_order(server):
    def lives(other, seconds):
        end = datetime.datetime.fromisoformat(other.create().created["expires_at"])
        left = (end - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
        assert seconds - 60 < left <= seconds, left

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "mien.json")
        file.write_text(json.dumps({"lifetime": 100, "demo": False, "allow-origin": ["https://a.example"], "images": False}))
        with serving(server, "--config", str(file)) as told:
            lives(told, 100)
            expect(told.request("POST", "/v1/demo/checks", {}), 403, "demo-off")
            expect(told.request("POST", "/v1/checks", {"audit_images": 1}, token=told.key), 403, "forbidden")
            reply = told.request("GET", "/v1/account", headers={"Origin": "https://a.example"})
            assert reply.headers["access-control-allow-origin"] == "https://a.example", reply.headers
        with variables(MIEN_CONFIG=str(file), MIEN_LIFETIME="200", MIEN_DEMO="yes", MIEN_IMAGES="true"):
            with serving(server) as told:
                lives(told, 200)
                expect(told.request("POST", "/v1/demo/checks", {}), 201)
            with serving(server, "--lifetime", "300", "--no-demo", "--allow-origin=https://b.example") as told:
                lives(told, 300)
                expect(told.request("POST", "/v1/demo/checks", {}), 403, "demo-off")
                reply = told.request("GET", "/v1/account", headers={"Origin": "https://a.example"})
                assert "access-control-allow-origin" not in reply.headers, reply.headers

        def refused(text, *words, status=2, **named):
            file.write_text(text)
            with variables(**named):
                ended = subprocess.run([server.binary, "serve", "--port", "0", "--data", folder, "--config", str(file)],
                                       capture_output=True, text=True, timeout=60)
            assert ended.returncode == status and not ended.stdout, (text, named, ended)
            assert all(word in ended.stderr for word in words), (text, named, ended.stderr)
            assert "hunter2" not in ended.stderr, ended.stderr

        refused('{"lifetme": 5}', '"lifetme"', "Did you mean lifetime?")
        refused('{"config": "x"}', '"config"')
        refused("{}", "MIEN_LIFETME", "Did you mean MIEN_LIFETIME?", MIEN_LIFETME="5")
        refused("{}", "MIEN_DEMO must be true or false", MIEN_DEMO="perhaps")
        refused('{"demo": "yes"}', '"demo" must be true or false')
        refused('{"port": true}', '"port" must be a text or a whole number')
        refused('{"port": 1.5}', "is no JSON object", '"port"')
        refused('{"data": {"a": 1}}', "is no JSON object")
        for text in ("", "[]", "{", "null", '{"a": 1} {}'):
            refused(text, "is no JSON object")
        refused('{"lifetime": 0}', "--lifetime must be 1 to 86400", status=64)
        refused('{"store": "mysql://root:hunter2@db"}', "--store takes postgres://", status=64)
        file.unlink()
        ended = subprocess.run([server.binary, "serve", "--config", str(file)], capture_output=True, text=True, timeout=60)
        assert ended.returncode == 2 and str(file) in ended.stderr, ended


# ── deletion, quotas and the data directory ───────────────────────────────────────────────────────────────────────────


def holding(folder, text):
    """Returns the server's files that contain a text."""
    needle = text.encode()
    return [str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*")
            if path.is_file() and needle in path.read_bytes()]


def sent_scan(own, check, size=3 * 98304, submit=True):
    """Sends a complete scan with a check's token."""
    scan = expect(own.request("POST", "/v1/scans", {"files": [{"name": "depth_scan.bin", "bytes": size}]}, token=check.token),
                  201).json
    upload = scan["files"][0]["upload"]
    expect(own.request("PATCH", upload, os.urandom(size), {
        "Content-Type": "application/offset+octet-stream", "Upload-Offset": "0", "Tus-Resumable": "1.0.0"},
        token=check.token), 204)
    if submit:
        expect(own.request("POST", f"/v1/scans/{scan['id']}/submit", token=check.token), 202)
    return scan["id"]


# Options of a check whose token may send a scan.
SCANNING = {"scan": True}


@test
def erasing_a_check_or_a_person_erases_the_scans_that_were_sent_with_them(server):
    with serving(server) as own:
        for whole in (True, False):
            person = f"zz-victim-{whole}".lower()
            one, two = (own.create(person=person, device="zz-device", reference="zz-reference", **SCANNING) for _ in range(2))
            scans = [sent_scan(own, check, submit=whole) for check in (one, two)]
            free = expect(own.request("POST", "/v1/scans", {"files": []}, token=own.key), 201).json["id"]
            told = expect(own.request("DELETE", f"/v1/checks/{one.id}", headers={"Prefer": "return=representation"},
                                      token=own.key), 200).json
            conforms("Erasure", told)
            counts = {kind: count for kind, count in told["erased"].items() if count}
            assert counts["checks"] == 1 and counts["scans"] == 1 and counts["scan_files"] >= 1, counts
            expect(own.request("GET", f"/v1/scans/{scans[0]}", token=own.key), 404, "not-found")
            expect(own.request("GET", f"/v1/scans/{scans[1]}", token=own.key), 200)
            expect(own.request("DELETE", f"/v1/people/{person}", token=own.key), 204)
            for scan in scans:
                expect(own.request("GET", f"/v1/scans/{scan}", token=own.key), 404, "not-found")
                expect(own.request("GET", f"/v1/scans/{scan}/files/depth_scan.bin", token=own.key), 404, "not-found")
            expect(own.request("GET", f"/v1/scans/{free}", token=own.key), 200)
            left = [path for folder in ("blobs", "uploads", "work", "reels") for path in pathlib.Path(own.data, folder).rglob("*")
                    if path.is_file()]
            assert left == [], left
            for text in (person, "zz-device", "zz-reference", one.id, two.id, *scans):
                wait(f"{text} to be gone", lambda text=text: holding(own.data, text) == [])
            # The token of a deleted check can start nothing.
            assert own.request("POST", "/v1/scans", {"files": []}, token=one.token).status in (401, 404)


@test
def storage_has_a_quota_for_each_key_and_each_check(server):
    with serving(server, "--key-storage-megabytes", "3", "--check-storage-megabytes", "1") as own:
        def scan(megabytes, token, status=201, code=None):
            return expect(own.request(
                "POST", "/v1/scans", {"files": [{"name": "a", "bytes": megabytes << 20}]}, token=token), status, code).json
        check = own.create(**SCANNING)
        scan(2, check.token, 507, "storage-quota")
        small = scan(1, check.token)
        tus = {"Tus-Resumable": "1.0.0", "Upload-Length": "1",
               "Upload-Metadata": f"scan {base64.b64encode(small['id'].encode()).decode()},name {base64.b64encode(b'b').decode()}"}
        expect(own.request("POST", "/v1/uploads", headers=tus, token=check.token), 507, "storage-quota")
        first = scan(2, own.key)
        scan(2, own.key, 507, "storage-quota")
        scan(1, own.key)
        other = new_key(own)
        scan(3, other)
        expect(own.request("DELETE", f"/v1/scans/{first['id']}", token=own.key), 204)
        scan(2, own.key)


@test
def scans_that_come_to_nothing_go_after_a_day(server):
    with serving(server) as own:
        waiting, failed, done = (
            expect(own.request("POST", "/v1/scans", {"files": []}, token=own.key), 201).json["id"] for _ in range(3))
        own.stop()
        with contextlib.closing(sqlite3.connect(own.data + "/mien.sqlite")) as db:
            db.execute("UPDATE scan SET changed_ms = ?", (int(time.time() * 1000) - 25 * 3_600_000,))
            db.execute("UPDATE scan SET status = 'failed', problem_code = 'x', problem_detail = 'x' WHERE id = ?", (failed,))
            db.execute("UPDATE scan SET status = 'queued' WHERE id = ?", (done,))
            db.commit()
        own.start()
        for gone in (waiting, failed):
            wait("its end", lambda gone=gone: own.request("GET", f"/v1/scans/{gone}", token=own.key).status == 404)
        told = own.request("GET", "/v1/retention", token=own.key).json
        assert told["erased"].get("unfinished_scans") == 2 and told["seconds_kept"]["unfinished_scans"] == 86400, told


@test
def a_data_folder_that_is_open_to_others_is_closed(server):
    with serving(server) as own:
        own.stop()
        folder, key = pathlib.Path(own.data), pathlib.Path(own.data, "mien.seal")
        folder.chmod(0o755)
        key.chmod(0o644)
        pathlib.Path(own.data, "mien.sqlite").chmod(0o644)
        told = subprocess.run([own.binary, "doctor", "--data", own.data], capture_output=True, text=True, timeout=60)
        assert told.returncode == 1 and f"chmod 0600 {key}" in told.stdout and f"chmod 0700 {folder}" in told.stdout, told.stdout
        own.start()
        modes = {path.name: path.stat().st_mode & 0o077 for path in (folder, *folder.rglob("*"))}
        assert not any(modes.values()), modes
        own.stop()
    # The permissions of a directory with other files are not changed, even if it contains a name that the server uses.
    with tempfile.TemporaryDirectory() as place:
        pathlib.Path(place, "letter.txt").write_text("hello")
        pathlib.Path(place, "work").mkdir()
        os.chmod(place, 0o755)
        run = subprocess.run([server.binary, "serve", "--port", "0", "--data", place], capture_output=True, text=True, timeout=60)
        assert run.returncode == 2 and f"chmod 0700 {place}" in run.stderr, run.stderr
        assert os.stat(place).st_mode & 0o777 == 0o755


@test
def a_start_without_the_key_file_writes_no_new_key(server):
    with serving(server) as own:
        own.stop()
        for space in ("", "sandbox"):
            key = pathlib.Path(own.data, space, "mien.seal")
            right = key.read_bytes()
            key.unlink()
            before = {path: path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file()}
            run = subprocess.run([own.binary, "serve", "--port", "0", "--data", own.data], capture_output=True, text=True, timeout=60)
            assert run.returncode == 2 and "mien.seal is missing" in run.stderr and "Restore" in run.stderr, run.stderr
            after = {path: path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file()}
            assert before == after, "nothing was written"
            key.write_bytes(right)
            key.chmod(0o600)
        own.start()


# ── the audit log ─────────────────────────────────────────────────────────────────────────────────────────────────────


@test
def who_saw_or_erased_what_is_written_down_and_cannot_be_changed_in_secret(server):
    with serving(server) as kept:
        key = "key_" + hashlib.sha256(kept.key.encode()).hexdigest()[:16]
        first, second = kept.create(), kept.create(person="anna")
        for number in range(3):
            kept.create(person=f"person-{number}")
            expect(kept.request("DELETE", f"/v1/people/person-{number}", token=kept.key), 204)
        expect(kept.request("DELETE", f"/v1/checks/{first.id}", token=kept.key), 204)
        expect(kept.request("DELETE", f"/v1/checks/{second.id}", token="mien_wrong"), 401)
        expect(kept.request("DELETE", f"/v1/checks/{second.id}"), 401)
        made = expect(kept.request("POST", "/v1/keys", {}, token=kept.key), 201).json
        expect(kept.request("DELETE", f"/v1/keys/{made['id']}", token=kept.key), 204)

        log = expect(kept.request("GET", "/v1/audit", token=kept.key), 200).json
        conforms("AuditLog", log)
        told = [(one["number"], one["actor"], one["action"]) for one in log["entries"]]
        assert told == [
            (1, key, "erased-person"), (2, key, "erased-person"), (3, key, "erased-person"), (4, key, "erased-check"),
            (5, key, "made-key"), (6, key, "revoked-key"),
        ], told
        assert [one["subject"] for one in log["entries"][4:]] == [made["id"]] * 2
        # Subjects are stored as hashes: entries can only be found by a known ID.
        assert all(re.fullmatch(r"(person|check)/[0-9a-f]{32}", one["subject"]) for one in log["entries"][:4]), log
        for about, number in (("person/person-1", 2), (f"check/{first.id}", 4), ("person/nobody", None)):
            found = expect(kept.request("GET", f"/v1/audit?about={about}", token=kept.key), 200).json["entries"]
            assert [one["number"] for one in found] == ([number] if number else []), (about, found)
        expect(kept.request("GET", "/v1/audit?about=", token=kept.key), 422, "bad-value")
        assert [one["number"] for one in kept.request("GET", "/v1/audit?after=4", token=kept.key).json["entries"]] == [5, 6]
        expect(kept.request("GET", "/v1/audit?after=x", token=kept.key), 422, "bad-value")
        shown = tool(kept, "audit", "show", "--check", first.id).splitlines()
        assert len(shown) == 1 and "erased-check  check/" in shown[0] and first.id not in shown[0], shown
        assert "erased-person" in tool(kept, "audit", "show", "--person", "person-2")
        assert tool(kept, "audit", "show", "--person", "nobody") == ""
        whole = tool(kept, "audit", "verify")
        head = re.search(r"6 entries, every link holds. Head: (6:[0-9a-f]{64})", whole).group(1)
        assert kept.stop() == 0

        path = pathlib.Path(kept.data, "mien.sqlite")
        database = sqlite3.connect(path)
        for change in ("UPDATE audit SET actor = 'nobody' WHERE number = 2", "DELETE FROM audit WHERE number = 2"):
            try:
                database.execute(change)
                raise AssertionError("the database itself must refuse")
            except sqlite3.IntegrityError as refusal:
                assert "only added to" in str(refusal)
        database.executescript("DROP TRIGGER audit_is_not_changed; DROP TRIGGER audit_is_not_erased; PRAGMA wal_checkpoint(TRUNCATE);")
        database.close()
        untouched = path.read_bytes()
        database = sqlite3.connect(path)
        for change, number in (
            ("UPDATE audit SET actor = 'nobody' WHERE number = 2", 2), ("UPDATE audit SET at_ms = 0 WHERE number = 5", 5),
            ("DELETE FROM audit WHERE number = 3", 3), ("DELETE FROM audit WHERE number = 1", 1),
            ("UPDATE audit SET subject = 'x', link = zeroblob(32) WHERE number = 6", 6),
            ("UPDATE audit SET number = number + 10 WHERE number = 6", 6),
        ):
            database.execute(change)
            database.commit()
            assert f"entry {number} does not hold" in tool(kept, "audit", "verify", status=1), change
            database.close()
            for rest in pathlib.Path(kept.data).glob("mien.sqlite-*"):
                rest.unlink()
            path.write_bytes(untouched)
            database = sqlite3.connect(path)
        tool(kept, "audit", "verify", "--expect", head)
        database.execute("DELETE FROM audit WHERE number = 6")
        database.commit()
        database.close()
        assert "5 entries" in tool(kept, "audit", "verify"), "what is cut off at the end leaves a whole chain"
        assert "is not the one that was noted" in tool(kept, "audit", "verify", "--expect", head, status=1)


@test
def a_result_is_told_as_it_is_kept_and_only_to_who_may_hear_it(server):
    """Complete replies are cached; a cached reply is never sent after its record was changed or deleted, even by another server."""
    with serving(server, "--lifetime", "1") as kept:
        checks = [kept.create(person=f"person-{number}") for number in range(3)]

        def read(check=checks[0], key=kept.key):
            return kept.request("GET", f"/v1/checks/{check.id}", token=key)

        def claims(reply):
            part = reply.json["signed"].split(".")[1]
            return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))

        for check in checks:
            wait("the verdict", lambda: read(check).json["state"] != "open")
        first = expect(read(), 200)
        conforms("Result", first.json)
        assert [read().body for _ in range(5)] == [first.body] * 5, "made and signed once"
        # Cached replies have the same headers, a request ID of their own or the one received, and count in the metrics.
        def headers(reply):
            return {name: value for name, value in reply.headers.items() if name not in ("date", "x-request-id")}

        def count():
            text = kept.request("GET", "/metrics").body.decode()
            return int(re.search(r'method="GET",route="/v1/checks/[:{]id}?",status="2xx"} (\d+)', text).group(1))

        before, again = count(), [read() for _ in range(3)]
        assert all(headers(reply) == headers(first) and reply.headers["date"].endswith(" GMT") for reply in again), again[0].headers
        assert len({reply.headers["x-request-id"] for reply in [first, *again]}) == 4
        named = kept.request("GET", f"/v1/checks/{checks[0].id}", token=kept.key, headers={"X-Request-ID": "proxy-1"})
        assert named.headers["x-request-id"] == "proxy-1" and named.body == first.body
        assert count() == before + 4
        assert read(checks[1]).json["person"] == "person-1" and claims(read(checks[1]))["sub"] == checks[1].id

        # A cached reply is not sent to unauthorized callers, nor after a key was revoked.
        expect(read(key=None), 401, "unauthorised")
        expect(read(key="mien_" + "A" * 43), 401, "unauthorised")
        expect(read(key=checks[0].token), 401, "unauthorised")
        expect(read(key=new_key(kept, "--scope", "captures")), 403, "forbidden")
        expect(read(key=new_key(kept, "--sandbox")), 404, "not-found")
        guest = expect(kept.request("POST", "/v1/keys", {"scopes": ["read"]}, token=kept.key), 201).json
        assert expect(read(key=guest["key"]), 200).body == first.body
        expect(kept.request("DELETE", f"/v1/keys/{guest['id']}", token=kept.key), 204)
        expect(read(key=guest["key"]), 401, "unauthorised")

        # Another server on the same database changes it, and reverts the change.
        with contextlib.closing(sqlite3.connect(pathlib.Path(kept.data, "mien.sqlite"), timeout=30)) as database:
            def change(statement):
                with database:
                    database.execute(statement, (checks[0].id,))

            database.execute("PRAGMA foreign_keys = ON")
            change("UPDATE verdict SET reason = 'changed' WHERE check_id = ?")
            changed = expect(read(), 200)
            assert changed.json["reason"] == claims(changed)["reason"] == "changed", changed
            change("UPDATE liveness_check SET reference = 'also changed' WHERE id = ?")
            assert claims(read())["reference"] == read().json["reference"] == "also changed"
            change("UPDATE verdict SET reason = 'expired' WHERE check_id = ?")
            change("UPDATE liveness_check SET reference = NULL WHERE id = ?")
            again = read().json
            assert {**again, "signed": None} == {**first.json, "signed": None}, "as it was, signed anew"

            # Deleted by another server, by the check's ID, and with its person.
            change("DELETE FROM liveness_check WHERE id = ?")
            expect(read(), 404, "not-found")
        expect(kept.request("DELETE", f"/v1/checks/{checks[1].id}", token=kept.key), 204)
        expect(read(checks[1]), 404, "not-found")
        expect(read(checks[2]), 200)
        expect(kept.request("DELETE", "/v1/people/person-2", token=kept.key), 204)
        expect(read(checks[2]), 404, "not-found")


# ── attacks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def encoded(value):
    text = json.dumps(value) if isinstance(value, dict) else value
    return base64.urlsafe_b64encode(text.encode() if isinstance(text, str) else text).decode().rstrip("=")


@test
def forged_tokens_open_nothing(server):
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
        expect(check.frame(b"\xff\xd8\xff", token=token), 401, "unauthorised")
    expect(server.request("GET", f"/v1/checks/{check.id}", token=check.token), 401, "unauthorised")


@test
def no_path_leads_out_of_the_web_folder(server):
    secret = pathlib.Path(server.data, "mien.seal").read_bytes()
    seal = f"{server.data}/mien.seal"
    up = "../" * 12
    paths = [f"/{up}{seal}", f"/assets/{up}etc/passwd", "/" + "%2e%2e/" * 12 + "etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd",
             "/%252e%252e/%252e%252e/etc/passwd", "/assets/..\\..\\..\\etc\\passwd", "//etc/passwd", f"/{seal}",
             "/assets/%00/../../../etc/passwd", "/....//....//etc/passwd", "/.git/config", "/../data/mien.sqlite",
             "/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd", "/v1/captures/..%2f..%2f..%2fmien.seal/parts/photo",
             "/verify/cap_/../../../../etc/passwd", "/file:///etc/passwd", "http://evil.example/etc/passwd"]
    for path in paths:
        got = talk(server, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode("latin-1"))
        assert got.split(b" ")[1] in (b"400", b"404", b"200") and secret not in got and b"root:" not in got, (path, got[:200])


@test
def requests_are_not_smuggled(server):
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
        got = talk(server, text.encode("latin-1"), seconds=2)
        assert b'"live"' not in got, f"a request came in within another: {headers!r} {got!r}"
    for line in ("GET / HTTP/1.1 HTTP/1.1", "GET /\x00 HTTP/1.1", "G\x01T / HTTP/1.1", "GET / HTTP/9.9",
                 "GET / http/1.1", "\x16\x03\x01\x02\x00"):
        got = talk(server, f"{line}\r\nHost: x\r\n\r\n".encode("latin-1"), seconds=2)
        assert not got or got.split(b" ")[1] == b"400", (line, got[:200])
    assert server.request("GET", "/health/live").status == 200


@test
def replies_come_in_the_order_of_their_requests(server):
    """Holds even if some requests are answered on the fast path and some are not."""
    with serving(server, "--lifetime", "1") as kept:
        check = kept.create()
        who = f"Host: localhost\r\nAuthorization: Bearer {kept.key}\r\n"
        wait("the verdict", lambda: kept.request("GET", f"/v1/checks/{check.id}", token=kept.key).json["state"] != "open")
        requests = {
            "result": f"GET /v1/checks/{check.id} HTTP/1.1\r\n{who}\r\n",
            "alive": f"GET /health/live HTTP/1.1\r\n{who}\r\n",
            "page": "GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "unknown": f"GET /v1/checks/chk_unknown HTTP/1.1\r\n{who}\r\n",
            "made": f"POST /v1/checks HTTP/1.1\r\n{who}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}",
            "with a body": f"GET /v1/checks/{check.id} HTTP/1.1\r\n{who}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        }
        signs = {"result": b'"signed"', "alive": b'"live"', "page": b"<!doctype html>", "unknown": b'"not-found"', "made": b'"token"'}

        def said(text, seconds=2, pieces=1):
            """Sends raw requests and returns the kind of each reply."""
            with socket.create_connection(("127.0.0.1", kept.port), timeout=seconds) as line:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for start in range(0, len(text), max(1, len(text) // pieces)):
                    line.sendall(text[start:start + max(1, len(text) // pieces)])
                replies = heard(line).split(b"HTTP/1.1 ")[1:]
            return [next((name for name, sign in signs.items() if sign in reply.lower()), reply) for reply in replies]

        order = ["result", "made", "made", "result", "page", "result", "made", "result", "alive", "unknown", "result", "with a body", "result", "page"]
        wanted = ["result" if name == "with a body" else name for name in order]
        text = "".join(requests[name] for name in order).encode()
        assert said(text) == wanted
        assert said(text, pieces=300) == wanted
        assert said(requests["result"].encode() * 2000) == ["result"] * 2000
        assert said(requests["made"].encode() * 300) == ["made"] * 300
        # A client that closes its sending side still receives all replies.
        with socket.create_connection(("127.0.0.1", kept.port), timeout=5) as line:
            line.sendall((requests["made"] * 3).encode())
            line.shutdown(socket.SHUT_WR)
            assert heard(line).count(b'"token"') == 3
        garbage = talk(kept, requests["made"].encode() + b"\x00\x01\r\n\r\n", seconds=3)
        assert [part[:3] for part in garbage.split(b"HTTP/1.1 ")[1:]] == [b"201", b"400"], garbage
        garbage = talk(kept, requests["result"].encode() + b"\x00\x01\r\n\r\n", seconds=3)
        assert [part[:3] for part in garbage.split(b"HTTP/1.1 ")[1:]] == [b"200", b"400"], garbage
        assert kept.request("GET", "/health/live").status == 200


@test
def a_check_is_made_with_one_credential_and_names_of_one_length(server):
    with serving(server, "--lockout-failures", "0") as kept:
        both = kept.request("POST", "/v1/checks", {}, token=kept.key, headers={"Token": kept.key})
        expect(both, 401, "unauthorised")
        named = expect(kept.request("POST", "/v1/checks", {}, token=kept.key, headers={"X-Request-ID": "order-7"}), 201)
        assert named.headers["x-request-id"] == "order-7"
        ids = [kept.request("POST", "/v1/checks", {}, token=kept.key).json["id"] for _ in range(50)]
        assert len(set(ids)) == 50 and all(len(one) == len(ids[0]) for one in ids)
        assert [one[:11] for one in ids] == sorted(one[:11] for one in ids), "names begin with their time"
        counted = kept.request("GET", "/metrics").body.decode()
        assert 'route="/v1/checks",status="2xx"' in counted and "mien_http_requests_in_flight 1\n" in counted


@test
def texts_that_would_be_code_come_back_as_data(server):
    text = "<script>alert(1)</script>\"'\u2028]]>--><img src=x onerror=alert(1)>"
    made = expect(server.request("POST", "/v1/checks", {"reference": text}, token=server.key), 201).json
    reply = server.request("GET", f"/v1/checks/{made['id']}", token=server.key)
    assert reply.headers["content-type"] == "application/json" and reply.json["reference"] == text
    for path in (f"/v1/{text}", f"/{text}", f"/v1/checks/{text}", f"/verify/cap_{text}"):
        quoted = path.replace(" ", "%20").encode()
        got = talk(server, b"GET " + quoted + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert b"<script>alert" not in got, path
    for key in (text, text * 200):
        reply = server.request("POST", "/v1/checks", {key: 1}, token=server.key)
        expect(reply, 400, "unknown-key")
        assert len(reply.body) < 4000


@test
def a_server_that_is_stopped_finishes_what_it_began(server):
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
            got = heard(line)
        assert got.startswith(b"HTTP/1.1 201 "), got[:300]
        assert ending.process.wait(60) == 0


def is_listening(port):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        return True
    except OSError:
        return False


if __name__ == "__main__":
    Server.sees = False
    main(TESTS)
