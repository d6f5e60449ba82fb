"""Tests of request IDs, metrics, logs, allowed methods, and layered settings."""

import contextlib
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import pytest

from support.replies import conforms, expect
from support.serving import serving, wait

pytestmark = pytest.mark.without_models


def test_requests_have_ids_are_counted_and_logged_without_personal_data(server):
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
        total = int(re.search(r"mien_http_request_duration_seconds_count (\d+)", text).group(1))
        assert total == sum(counted.values()) and 'le="+Inf"' in text
        assert "mien_http_requests_in_flight 1\n" in text, "the one that asks"
        assert "mien_analyses_waiting 0" in text
        for queue in ("clips", "scans", "webhooks"):
            assert f'mien_queue_depth{{queue="{queue}"}} 0\n' in text, text
        assert watched.stop() == 0
        wait("the lines", lambda: sum("mien.access" in line for line in watched.lines) >= total)
        lines = [line for line in watched.lines if "mien.access" in line]
        assert any("id=proxy-7.a_B" in line and "status=200" in line for line in lines), lines
        said = "".join(watched.lines) + text
        for secret in (person, check.id, check.token, watched.key, "a-reference", "secret-query", "mien_guess", "127.0.0.1"):
            assert secret not in said, f"{secret} is in a line or a metric"


def test_stored_images_are_encrypted(server):
    with serving(server) as kept:
        photo = b"\xff\xd8\xff" + b"a face that nobody may find " * 9000
        part = (b"--x\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n" + photo + b"\r\n--x--\r\n")
        made = expect(kept.request("POST", "/v1/captures", part, {"Content-Type": "multipart/form-data; boundary=x"},
                                   token=kept.key), 201).json
        assert made["photo"]["sha256"] == hashlib.sha256(photo).hexdigest() and made["photo"]["bytes"] == len(photo)
        reply = kept.request("GET", f"/v1/captures/{made['id']}/parts/photo", token=kept.key)
        assert reply.status == 200 and reply.body == photo
        stored = [path.read_bytes() for path in pathlib.Path(kept.data, "blobs").rglob("*") if path.is_file()]
        assert len(stored) == 1 and stored[0].startswith(b"MIENBLOB1") and b"nobody may find" not in stored[0]
        reported = kept.request("GET", f"/v1/audit?about=capture/{made['id']}", token=kept.key).json["entries"]
        assert [one["action"] for one in reported] == ["viewed-capture"] and made["id"] not in json.dumps(reported), reported


def test_options_requests_list_allowed_methods(server):
    for method, path, known in (
        ("TRACE", "/v1/checks", "GET, HEAD, OPTIONS, POST"), ("PUT", "/v1/checks/chk_1", "DELETE, GET, HEAD, OPTIONS"),
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


@contextlib.contextmanager
def environment_variables(**named):
    os.environ.update(named)
    try:
        yield
    finally:
        for name in named:
            del os.environ[name]


def test_settings_are_layered_from_file_environment_and_options(server):
    def check_lifetime(other, seconds):
        end = datetime.datetime.fromisoformat(other.create().created["expires_at"])
        left = (end - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
        assert seconds - 60 < left <= seconds, left

    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "mien.json")
        file.write_text(json.dumps({"lifetime": 100, "demo": False, "allow-origin": ["https://a.example"], "images": False}))
        with serving(server, "--config", str(file)) as reported:
            check_lifetime(reported, 100)
            expect(reported.request("POST", "/v1/demo/checks", {}), 403, "demo-disabled")
            expect(reported.request("POST", "/v1/checks", {"audit_images": 1}, token=reported.key), 403, "forbidden")
            reply = reported.request("GET", "/v1/account", headers={"Origin": "https://a.example"})
            assert reply.headers["access-control-allow-origin"] == "https://a.example", reply.headers
        with environment_variables(MIEN_CONFIG=str(file), MIEN_LIFETIME="200", MIEN_DEMO="yes", MIEN_IMAGES="true"):
            with serving(server) as reported:
                check_lifetime(reported, 200)
                expect(reported.request("POST", "/v1/demo/checks", {}), 201)
            with serving(server, "--lifetime", "300", "--no-demo", "--allow-origin=https://b.example") as reported:
                check_lifetime(reported, 300)
                expect(reported.request("POST", "/v1/demo/checks", {}), 403, "demo-disabled")
                reply = reported.request("GET", "/v1/account", headers={"Origin": "https://a.example"})
                assert "access-control-allow-origin" not in reply.headers, reply.headers

        def refused(text, *words, status=2, **named):
            file.write_text(text)
            with environment_variables(**named):
                ended = subprocess.run([server.binary, "serve", "--port", "0", "--data", folder, "--config", str(file)],
                                       capture_output=True, text=True, timeout=300)
            assert ended.returncode == status and not ended.stdout, (text, named, ended)
            assert all(word in ended.stderr for word in words), (text, named, ended.stderr)
            assert "hunter2" not in ended.stderr, ended.stderr

        refused('{"lifetme": 5}', '"lifetme"', "Did you mean lifetime?")
        refused('{"config": "x"}', '"config"')
        refused("{}", "MIEN_LIFETME", "Did you mean MIEN_LIFETIME?", MIEN_LIFETME="5")
        refused("{}", "MIEN_DEMO must be true or false", MIEN_DEMO="perhaps")
        refused('{"demo": "yes"}', '"demo" must be true or false')
        refused('{"port": true}', '"port" must be a text or a whole number')
        refused('{"port": 1.5}', "is not a JSON object", '"port"')
        refused('{"data": {"a": 1}}', "is not a JSON object")
        for text in ("", "[]", "{", "null", '{"a": 1} {}'):
            refused(text, "is not a JSON object")
        refused('{"lifetime": 0}', "--lifetime must be 1 to 86400", status=64)
        refused('{"store": "mysql://root:hunter2@db"}', "--store takes postgres://", status=64)
        file.unlink()
        ended = subprocess.run([server.binary, "serve", "--config", str(file)], capture_output=True, text=True, timeout=300)
        assert ended.returncode == 2 and str(file) in ended.stderr, ended
