"""Tests of the served OpenAPI document, routes, pages, cross-origin requests, options, and malformed traffic."""

import json
import random
import re
import subprocess

from support import footage
from support.checks import DEPTH, JPEG, NDJSON, claim_turn
from support.replies import DOCUMENT, conforms, expect
from support.server import Server


def test_openapi_document_is_served_and_valid(server):
    # Imported here since it is slow to import and every suite imports this file.
    from openapi_spec_validator import validate
    reply = expect(server.request("GET", "/openapi.json"), 200)
    validate(reply.json)


def test_every_documented_route_exists_and_rejects_other_methods(server):
    for path, methods in DOCUMENT["paths"].items():
        real = path.replace("{id}", "chk_nobody").replace("{person}", "nobody")
        for method in methods:
            reply = server.request(method.upper(), real)
            if reply.status == 404:
                assert reply.json["detail"] != "There is nothing at this address.", f"{method} {real}: {reply}"
    expect(server.request("GET", "/v1/nothing"), 404, "not-found")


def test_health_and_metrics_answer(server):
    conforms("Live", expect(server.request("GET", "/health/live"), 200).json)
    conforms("Readiness", expect(server.request("GET", "/health/ready"), 200).json)
    text = expect(server.request("GET", "/metrics"), 200).body.decode()
    for line in text.strip().split("\n"):
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\\]*",?)+\})? [0-9.e+-]+', line), line
    assert "chk_" not in text


def test_pages_have_a_strict_security_policy(server):
    for path in ("/", "/check", "/encode", "/decode", "/profile", "/verify", "/verify/cap_x", "/methodology"):
        reply = expect(server.request("GET", path), 200)
        assert reply.headers["content-type"].startswith("text/html"), reply.headers
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
    for path in ("/../Package.swift", "/..%2fPackage.swift", "/assets/../../Package.swift", "/%2e%2e/Package.swift"):
        reply = server.request("GET", path)
        assert reply.status in (400, 404), f"{path}: {reply}"


def test_random_bytes_never_stop_the_server(server):
    rng = random.Random(7)
    check = server.claimed(depth=True)
    good = footage.drawn()[5]
    for _ in range(150):
        mutant = bytearray(good)
        for _ in range(rng.randrange(1, 30)):
            mutant[rng.randrange(len(mutant))] = rng.randrange(256)
        assert check.frame(bytes(mutant)).status in (200, 409, 422)
        body = rng.randbytes(rng.randrange(200))
        assert check.post("observations", body, NDJSON).status in (400, 409, 422)
        assert check.post("depth", b"MDF1" + body, DEPTH).status in (409, 422)
    expect(server.request("GET", "/health/live"), 200)


def test_slow_and_broken_connections_do_not_block_the_server(server):
    import socket
    sockets = []
    for _ in range(50):
        s = socket.create_connection(("127.0.0.1", server.port))
        s.send(b"POST /v1/checks HTTP/1.1\r\nHost: x\r\nContent-Le")
        sockets.append(s)
    expect(server.request("GET", "/health/live"), 200)
    [s.close() for s in sockets]


def test_server_without_models_reports_it_everywhere(server):
    bare = Server(server.binary, arguments=["--models", "/nowhere"])
    try:
        expect(bare.request("GET", "/health/live"), 200)
        ready = expect(bare.request("GET", "/health/ready"), 503).json
        conforms("Readiness", ready)
        assert re.search(r"model-unavailable.*\.(tflite|binarypb|task|bin|xml)", json.dumps(ready)), ready
        check = bare.create(challenge="turn-left")
        for picture in footage.drawn(90)[85:88]:
            assert "." in expect(check.frame(picture), 503, "model-unavailable").json["detail"]
        assert check.result().json["state"] == "open", "what could not be looked at is no verdict"
        # Checks on client observations need no models.
        other = bare.claimed(challenge="turn-left")
        assert claim_turn(other, "turn-left")[-1]["state"] == "passed"
        assert any(line.startswith("NOT READY") and "/nowhere" in line for line in bare.lines), bare.lines
    finally:
        bare.clean()


def test_allowed_origins_may_call_the_api_and_no_others(server):
    ours, other = "https://shop.example", "https://elsewhere.example"
    open_server = Server(server.binary, arguments=["--allow-origin", ours], loads_models=False)
    try:
        path = f"/v1/checks/{open_server.create().id}/frames"
        allowed = open_server.request("OPTIONS", path, headers={"Origin": ours, "Access-Control-Request-Method": "POST"})
        assert allowed.status == 204 and allowed.headers["access-control-allow-origin"] == ours, allowed.headers
        assert "authorization" in allowed.headers["access-control-allow-headers"].lower(), allowed.headers
        # Error replies carry CORS headers too; otherwise the page would treat the server as unreachable.
        problem = open_server.request("POST", path, b"x", {"Origin": ours, "Content-Type": JPEG})
        assert problem.status == 401 and problem.headers["access-control-allow-origin"] == ours, problem.headers
        for origin in (other, "null", "https://shop.example.evil", "http://shop.example"):
            refused = open_server.request("POST", path, b"x", {"Origin": origin, "Content-Type": JPEG})
            assert "access-control-allow-origin" not in refused.headers, (origin, refused.headers)
        element = open_server.request("GET", "/liveness.js", headers={"Origin": other})
        assert element.status == 200 and element.headers["access-control-allow-origin"] == "*", element.headers
    finally:
        open_server.clean()
    wrong = subprocess.run([server.binary, "serve", "--allow-origin", "shop.example/page"], capture_output=True, text=True)
    assert wrong.returncode == 64 and "origin" in wrong.stderr, wrong


def test_invalid_options_stop_the_start(server):
    for arguments in (["--nonsense"], ["--port"], ["stray"], ["--port", "99999"], ["--lifetime", "0"]):
        run = subprocess.run([server.binary, "serve", *arguments], capture_output=True, text=True, timeout=300)
        assert run.returncode == 64 and run.stdout == "" and "Usage: mien serve" in run.stderr, (arguments, run)
