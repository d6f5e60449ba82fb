"""Tests of the HTTP API, from integrators and attackers, against a real server.

usage: run.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import argparse
import base64
import contextlib
import functools
import http.client
import json
import math
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import traceback

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

sys.path.insert(0, os.path.dirname(__file__))
import depth
import footage
import tasks
from server import Check, Server
from twice import twice

TESTS = []
JPEG, NDJSON, DEPTH = "image/jpeg", "application/x-ndjson", "application/vnd.mien.depth-frame"


def test(function):
    TESTS.append(function)
    return function


class Skip(Exception):
    pass


def need_footage():
    if footage.shared() is None:
        raise Skip("shared/data not found")


def expect(reply, status, code=None):
    assert reply.status == status, f"expected {status} {code}, got {reply}"
    if code:
        assert reply.headers["content-type"] == "application/problem+json", reply.headers
        assert reply.code == code, f"expected {code}, got {reply}"
        conforms("Problem", reply.json)
        assert reply.json["status"] == status and len(reply.json["detail"]) > 10
    return reply


def expect_problem(reply):
    """Checks that the reply is a problem with any documented code."""
    assert reply.headers["content-type"] == "application/problem+json", reply
    conforms("Problem", reply.json)
    return reply


DOCUMENT = {}


@functools.cache
def validator(schema):
    """Returns a cached validator per schema; `jsonschema.validate` would build one for each value."""
    return Draft202012Validator({"$ref": f"#/components/schemas/{schema}", "components": DOCUMENT["components"]})


def conforms(schema, value):
    wrong = best_match(validator(schema).iter_errors(value))
    if wrong is not None:
        raise wrong


def observation(t, yaw=0.0, faces=1, box=(0.35, 0.3, 0.3, 0.4), **more):
    return {"t": t, "faces": faces, "box": list(box), "pose": {"yaw": yaw, "pitch": 0.0, "roll": 0.0}, **more}


def claim_turn(check, side, seconds=3.5, rate=15, client="phone-1"):
    """Sends observations of a whole check in real time, as a phone would: at rest, then a turn to the side and back."""
    sign = 1 if side == "turn-left" else -1
    began, steps, turning = time.monotonic(), [], None
    while time.monotonic() - began < 25:
        t = time.monotonic() - began
        yaw = 0.3 * math.sin(9 * t)
        if turning is not None:
            yaw += sign * 38 * math.sin(math.pi * min(1, (t - turning) / seconds)) ** 2
        reply = expect(check.observe(observation(round(t, 4), round(yaw, 3)), Mien_Client=client), 200)
        step = reply.json
        conforms("Step", step)
        steps.append(step)
        if step["state"] in ("passed", "failed", "timed-out"):
            return steps
        if step["state"] == "tracking" and turning is None:
            turning = t
        time.sleep(1 / rate)
    raise AssertionError(f"no verdict, last {steps[-1]}")


def play(check, frames, rate, client="browser-1"):
    """Posts frames as a browser would: one at a time, dropping those recorded meanwhile."""
    began, last = time.monotonic(), -1
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=30)
    while True:
        index = int((time.monotonic() - began) * rate)
        if index >= len(frames):
            return None
        if index == last:
            time.sleep(0.005)
            continue
        last = index
        reply = check.server.over(
            connection, "POST", f"/v1/checks/{check.id}/frames", frames[index],
            {"Content-Type": JPEG, "Mien-Client": client, "Mien-Captured-At": f"{(time.monotonic() - began) * 1000:.1f}"},
            check.token)
        if reply.status == 409 and reply.code == "check-over":  # time ran out between two frames
            return reply.json["step"]
        expect(reply, 200)
        conforms("Step", reply.json)
        if reply.json["state"] in ("passed", "failed", "timed-out"):
            return reply.json


# ── the OpenAPI document ──────────────────────────────────────────────────────────────────────────────────────────────

@test
def the_openapi_document_is_served_and_valid(server):
    # Imported here since it is slow to import and every suite imports this file.
    from openapi_spec_validator import validate
    reply = expect(server.request("GET", "/openapi.json"), 200)
    validate(reply.json)


@test
def every_documented_route_is_there_and_wrong_methods_are_refused(server):
    for path, methods in DOCUMENT["paths"].items():
        real = path.replace("{id}", "chk_nobody").replace("{person}", "nobody")
        for method in methods:
            reply = server.request(method.upper(), real)
            if reply.status == 404:
                assert reply.json["detail"] != "There is nothing at this address.", f"{method} {real}: {reply}"
    expect(server.request("GET", "/v1/nothing"), 404, "not-found")


@test
def health_and_metrics_answer(server):
    conforms("Live", expect(server.request("GET", "/health/live"), 200).json)
    conforms("Readiness", expect(server.request("GET", "/health/ready"), 200).json)
    text = expect(server.request("GET", "/metrics"), 200).body.decode()
    for line in text.strip().split("\n"):
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\\]*",?)+\})? [0-9.e+-]+', line), line
    assert "chk_" not in text


@test
def pages_come_with_a_strict_policy(server):
    for path in ("/", "/check", "/encode", "/decode", "/profile", "/verify", "/verify/cap_x", "/methodology"):
        reply = expect(server.request("GET", path), 200)
        assert reply.headers["content-type"].startswith("text/html"), reply.headers
        assert "default-src 'none'" in reply.headers["content-security-policy"]
        assert reply.headers["x-content-type-options"] == "nosniff"
    for path in ("/../Package.swift", "/..%2fPackage.swift", "/assets/../../Package.swift", "/%2e%2e/Package.swift"):
        reply = server.request("GET", path)
        assert reply.status in (400, 404), f"{path}: {reply}"


# ── creating checks ───────────────────────────────────────────────────────────────────────────────────────────────────

@test
def a_check_is_created_and_read(server):
    check = server.create(challenge="turn-left", reference="order 42")
    conforms("CreatedCheck", check.created)
    result = expect(check.result(), 200).json
    conforms("Result", result)
    assert result["state"] == "open" and result["challenge"] == "turn-left" and result["reference"] == "order 42"


@test
def the_server_chooses_both_sides(server):
    with_turns = Server(server.binary, arguments=["--default-challenge", "head-turn"], sees=False)
    try:
        sides = {with_turns.create().result().json["challenge"] for _ in range(40)}
        assert sides == {"turn-left", "turn-right"}, sides
    finally:
        with_turns.clean()


@test
def creating_refuses_what_is_not_in_the_document(server):
    post = lambda body, **h: server.request("POST", "/v1/checks", body, h.pop("headers", None), h.get("token", server.key))
    expect(post({}, token="mien_wrong"), 401, "unauthorised")
    expect(server.request("POST", "/v1/checks", {}), 401, "unauthorised")
    reply = expect(post({"chalenge": "turn-left"}), 400, "unknown-key")
    assert "chalenge" in reply.json["detail"] and "challenge" in reply.json["detail"]
    expect(post({"challenge": "nod"}), 422, "bad-value")
    expect(post({"challenge": 7}), 400, "bad-json")
    expect(post({"person": "../etc"}), 422, "bad-value")
    expect(post({"reference": "x" * 129}), 422, "bad-value")
    json_type = {"Content-Type": "application/json"}
    for body in (b"{", b"nope", b"\xff\xfe", b"[]", b'{"depth": NaN}'):
        expect(post(body, headers=json_type), 400, "bad-json")
    expect(post(b"<x/>", headers={"Content-Type": "text/xml"}), 415, "unsupported-media-type")
    expect(post(b"{" + b" " * 70_000 + b"}", headers=json_type), 413, "body-too-large")


# ── hostile frames ────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def bodies_that_are_no_picture_are_refused_and_the_check_goes_on(server):
    check = server.create()
    good = footage.drawn()[0]
    expect(check.frame(b""), 422, "not-a-picture")
    expect(check.frame(b"GIF89a" + bytes(100)), 422, "not-a-picture")
    expect(check.frame(bytes(1000)), 422, "not-a-picture")
    expect(check.frame(good[: len(good) // 2]), 422, "not-a-picture")
    expect(check.frame(good[:20]), 422, "not-a-picture")
    expect(check.frame(good, type="image/webp"), 415, "unsupported-media-type")
    expect(check.frame(b"\xff\xd8\xff\xe0" + random.Random(1).randbytes(5000)), 422, "not-a-picture")
    conforms("Step", expect(check.frame(good), 200).json)


@test
def a_header_that_claims_too_many_pixels_is_refused(server):
    check = server.create()
    good = bytearray(footage.drawn()[1])
    at = good.index(b"\xff\xc0")
    good[at + 5:at + 9] = (60000).to_bytes(2, "big") * 2
    expect(check.frame(bytes(good)), 422, "picture-too-large")
    png = bytearray(b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0")
    import zlib
    png += zlib.crc32(bytes(png[12:29])).to_bytes(4, "big")
    expect(check.frame(bytes(png), type="image/png"), 422, "picture-too-large")


@test
def a_picture_of_one_long_row_is_refused_and_the_server_goes_on(server):
    import zlib

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
    face = footage.drawn()[0]
    face = footage.distinct(face)
    check = server.create()
    # A complete image of a few hundred bytes and one row of gray pixels; random, since no frame is accepted twice.
    header = (300_000).to_bytes(4, "big") + (1).to_bytes(4, "big") + b"\x08\0\0\0\0"
    row = (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(1) + os.urandom(8) + bytes(299_992))) + chunk(b"IEND", b""))
    assert len(row) < 1000, len(row)
    expect(check.frame(row, type="image/png"), 422, "picture-too-large")
    conforms("Step", expect(check.frame(face), 200).json)


@test
def bodies_over_the_limit_are_refused_before_they_are_read(server):
    check = server.create()
    expect(check.frame(bytes(5 << 20)), 413, "body-too-large")
    # An announced length over the limit is refused before the body is sent.
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
    connection.putrequest("POST", f"/v1/checks/{check.id}/frames")
    for name, value in {"Content-Type": JPEG, "Content-Length": str(1 << 40), "Authorization": "Bearer " + check.token}.items():
        connection.putheader(name, value)
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


@test
def nobody_without_the_checks_token_is_listened_to(server):
    check, other = server.create(depth=True), server.create()
    def announce(what, type, length, token):
        """Returns status and code of the reply to a body that is announced and never sent."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=5)
        connection.putrequest("POST", f"/v1/checks/{check.id}/{what}")
        for name, value in {"Content-Type": type, "Content-Length": str(length), **({"Authorization": "Bearer " + token} if token else {})}.items():
            connection.putheader(name, value)
        connection.endheaders()
        reply = connection.getresponse()
        code = json.loads(reply.read())["code"]
        connection.close()
        return reply.status, code
    for what, type in (("frames", JPEG), ("observations", NDJSON), ("depth", DEPTH)):
        for token in (None, other.token, check.token[:-4] + "AAAA", server.key):
            assert announce(what, type, 500_000, token) == (401, "unauthorised"), (what, token)
    # A check's depth body is limited to the largest depth frame, although an enrollment may be larger.
    assert announce("depth", DEPTH, 52 + 2 * 2_764_800 + 1, check.token) == (413, "body-too-large")
    expect(check.post("depth", 2 * depth.head(1), DEPTH), 422, "bad-value")


@test
def one_picture_is_looked_at_for_who_aims_a_camera(server):
    def glance(body, type=JPEG, token=None):
        return server.request("POST", "/v1/faces", body, {"Content-Type": type}, token)

    nobody = expect(glance(footage.drawn()[3]), 200).json
    conforms("FaceGlance", nobody)
    assert nobody["face"] == "no-face" and "box" not in nobody, nobody
    expect(glance(footage.drawn()[3], token=server.key), 200)
    expect(glance(footage.drawn()[3], token="mien_" + "A" * 43), 401, "unauthorised")
    expect(glance(footage.drawn()[3], type="image/webp"), 415, "unsupported-media-type")
    expect(glance(b"no picture"), 422, "not-a-picture")
    expect(glance(b""), 422, "not-a-picture")
    if footage.shared():
        somebody = expect(glance(footage.clip("pyfeat/single_face.mp4")[0]), 200).json
        conforms("FaceGlance", somebody)
        assert somebody["face"] == "one-face" and len(somebody["box"]) == 4, somebody
    other = Server(server.binary, arguments=["--no-demo"], sees=False)
    try:
        expect(other.request("POST", "/v1/faces", footage.drawn()[3], {"Content-Type": JPEG}), 401, "unauthorised")
    finally:
        other.clean()


@test
def tokens_of_others_forged_or_missing_are_refused(server):
    mine, other = server.create(), server.create()
    frame = footage.drawn()[2]
    expect(mine.frame(frame, token=other.token), 401, "unauthorised")
    expect(mine.frame(frame, token="mt_" + "A" * 43), 401, "unauthorised")
    expect(mine.frame(frame, token=server.key), 401, "unauthorised")
    expect(server.request("POST", f"/v1/checks/{mine.id}/frames", frame, {"Content-Type": JPEG}), 401, "unauthorised")
    expect(server.request("POST", "/v1/checks/chk_nobody/frames", frame, {"Content-Type": JPEG}, mine.token), 401, "unauthorised")
    expect(server.request("GET", f"/v1/checks/{mine.id}", token=mine.token), 401, "unauthorised")
    header, claims, signature = mine.token.split(".")
    text = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    write = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    said = json.loads(text(claims))
    assert said["sub"] == mine.id and 0 < said["exp"] - said["iat"] <= 180 and json.loads(text(header))["alg"] == "ES256", said
    later = write({**said, "exp": said["exp"] + 86400})
    for forged in (f"{header}.{later}.{signature}", f"{write({'alg': 'none'})}.{claims}.", f"{header}.{claims}.", f"{header}.{claims}",
                   f"{header}.{other.token.split('.')[1]}.{signature}", mine.token[:-4] + "AAAA", mine.token + "A",
                   f"{header}.{claims}.{signature}.{signature}", "x" * 1500):
        expect(mine.frame(frame, token=forged), 401, "unauthorised")
    expect(mine.frame(frame, token="x" * 5000), 401, "unauthorised")
    expect(mine.frame(frame), 200)


def keys(server, *arguments):
    """Runs `mien keys add` beside the running server and returns its output."""
    made = subprocess.run([server.binary, "keys", "add", *arguments, "--json", "--data", server.data],
                          capture_output=True, text=True, timeout=30, check=True, env=server.environment)
    return json.loads(made.stdout)


@test
def sandbox_and_live_are_two_worlds(server):
    sandbox = keys(server, "api", "--sandbox")["api_key"]
    assert sandbox.startswith("mientest_") and server.key.startswith("mien_")
    made = expect(server.request("POST", "/v1/checks", {"challenge": "turn-left", "person": "two-worlds", "sources": ["observed", "claimed"]}, token=sandbox), 201).json
    trial, real = Check(server, made), server.claimed(challenge="turn-left", person="two-worlds")
    assert trial.id.startswith("chktest_") and not real.id.startswith("chktest_")
    # A key of one realm finds nothing in the other.
    for check, key in ((trial, server.key), (real, sandbox)):
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/token")):
            expect(server.request(method, f"/v1/checks/{check.id}{path}", token=key), 404, "not-found")
    expect(trial.frame(footage.drawn()[1], token=real.token), 401, "unauthorised")
    expect(real.frame(footage.drawn()[1], token=trial.token), 401, "unauthorised")
    for check, key in ((trial, sandbox), (real, server.key)):
        assert claim_turn(check, "turn-left")[-1]["state"] == "passed"
        check.verdict = expect(server.request("GET", f"/v1/checks/{check.id}", token=key), 200).json
    published = [expect(server.request("GET", f"/.well-known/{name}.json"), 200).json["keys"][0]["kid"] for name in ("jwks", "jwks-sandbox")]
    signed = [json.loads(base64.urlsafe_b64decode(c.verdict["signed"].split(".")[0] + "==="))["kid"] for c in (real, trial)]
    assert signed == published and published[0] != published[1], "who trusts live results trusts no trial"
    # Deleting a person in one realm does not affect the other.
    expect(server.request("DELETE", "/v1/people/two-worlds", token=sandbox), 204)
    expect(server.request("GET", f"/v1/checks/{trial.id}", token=sandbox), 404, "not-found")
    expect(server.request("GET", f"/v1/checks/{real.id}", token=server.key), 200)
    expect(server.request("POST", "/v1/checks", {}, token="mientest_" + "A" * 43), 401, "unauthorised")
    expect(server.request("POST", "/v1/checks", {}, token=sandbox.replace("mientest_", "mien_")), 401, "unauthorised")


@test
def an_expired_token_is_refused_and_the_check_is_closed(server):
    short = Server(server.binary, arguments=["--lifetime", "1"], sees=False)
    try:
        check = short.create()
        time.sleep(1.2)
        expect(check.frame(footage.drawn()[3]), 401, "token-expired")
        for _ in range(40):
            result = check.result().json
            if result["state"] != "open":
                break
            time.sleep(0.1)
        assert (result["state"], result["reason"]) == ("timed-out", "expired"), result
        conforms("Result", result)
    finally:
        short.clean()


@test
def a_frame_of_another_check_is_refused_and_the_same_frame_twice_is_not_judged_twice(server):
    first, second = server.create(), server.create()
    frame = footage.faces(1)[0]
    expect(first.frame(frame), 200)
    expect(second.frame(frame), 409, "frame-replayed")
    expect(first.frame(frame), 200)
    assert 'mien_frames_total{result="repeated"}' in server.request("GET", "/metrics").body.decode()


@test
def neither_padding_nor_a_comment_makes_another_frame_of_one(server):
    frame = footage.faces(1)[0]
    first, second = server.create(), server.create()
    expect(first.post("frames", frame, "image/jpeg", Mien_Client="one"), 200)
    expect(second.post("frames", frame, "image/jpeg", Mien_Client="two"), 409, "frame-replayed")
    expect(second.post("frames", frame + b"\0", "image/jpeg", Mien_Client="two"), 422, "not-a-picture")
    commented = frame[:2] + b"\xff\xfe\0\6abcd" + frame[2:]
    expect(second.post("frames", commented, "image/jpeg", Mien_Client="two"), 409, "frame-replayed")


@test
def a_camera_that_is_covered_sends_what_others_have_sent(server):
    black = footage.plain()
    for client in ("one", "two", "three"):
        step = expect(server.create().post("frames", black, "image/jpeg", Mien_Client=client), 200).json
        assert step["state"] == "positioning", step


@test
def a_second_client_is_refused(server):
    check = server.create()
    frames = footage.drawn(40)
    expect(check.frame(frames[20], Mien_Client="a"), 200)
    expect(check.frame(frames[21], Mien_Client="b"), 409, "second-client")
    expect(check.frame(frames[22]), 409, "second-client")
    expect(check.frame(frames[23], Mien_Client="../x"), 422, "bad-value")
    expect(check.frame(frames[24], Mien_Client="a"), 200)


@test
def frames_at_the_same_time_are_refused_and_nothing_is_lost(server):
    check = server.create()
    # New frames for every try: frames of another check would be refused as replayed.
    frames = footage.ffmpeg("-f", "lavfi", "-i", f"testsrc2=size=640x480:rate=10,hue=h={random.random() * 360:.4f}", "-frames:v", "15")
    replies = []
    threads = [threading.Thread(target=lambda f=f: replies.append(check.frame(f))) for f in frames]
    [t.start() for t in threads]
    [t.join() for t in threads]
    codes = sorted(r.status for r in replies)
    assert set(codes) <= {200, 409} and 200 in codes, replies
    assert all(r.code == "frame-in-flight" for r in replies if r.status == 409), replies
    assert check.result().json["state"] == "open"


@test
def client_clocks_that_run_back_or_behind_are_refused(server):
    check = server.create()
    frames = footage.drawn(60)[40:60]
    expect(check.frame(frames[0], Mien_Captured_At="1000"), 200)
    expect(check.frame(frames[1], Mien_Captured_At="900"), 409, "out-of-order")
    # A timestamp ahead of the clock is accepted: the first frame may have been delayed, so this one becomes the reference.
    expect(check.frame(frames[2], Mien_Captured_At="60000"), 200)
    time.sleep(2.3)
    expect(check.frame(frames[4], Mien_Captured_At="60100"), 422, "timestamp-out-of-range")
    for wrong in ("NaN", "inf", "-5", "1e300", "soon", ""):
        reply = check.frame(frames[3], Mien_Captured_At=wrong)
        assert reply.status == 422 and reply.code == "bad-value", (wrong, reply)


# ── hostile observations ──────────────────────────────────────────────────────────────────────────────────────────────

@test
def hostile_observations_are_refused_by_name_and_nothing_is_judged(server):
    check = server.claimed()
    cases = {
        '{"t":NaN}': "bad-json", '{"t":Infinity}': "bad-json", '{"t":-Infinity}': "bad-json", '{"t":1e999}': None,
        '{"t":0,"pose":{"yaw":1e9,"pitch":0,"roll":0}}': "bad-value", '{"t":1e300}': None,
        '{"t":0,"blendshapes":{"jawOpen":1000000000}}': "bad-value", '{"t":0,"yaw":3}': "unknown-key",
        '{"t":0,"blendshapes":{"jawOpenn":0.5}}': "unknown-key", '{"t":0': "bad-json", "[]": "bad-value",
        '{"t":"0"}': None, '{"t":0,"t":1}': None, '{"t":0,"faces":-1}': None, '{"t":0,"box":[0,0,0]}': None,
        '{"t":0}}': "bad-json", "": "bad-json", "\x00": "bad-json", '{"t":0,"box":[[[[[[[[[[[[': "bad-value",
    }
    for line, code in cases.items():
        reply = check.observe(line)
        assert reply.status in (400, 422) and (code is None or reply.code == code), (line, code, reply)
        conforms("Problem", reply.json)
    expect(check.observe(observation(0)), 200)
    expect(check.observe(observation(5000)), 422, "timestamp-out-of-range")
    expect(check.observe(observation(0.5), observation(0.4)), 409, "out-of-order")
    expect(check.observe(*[observation(i / 1000) for i in range(700)]), 413, "body-too-large")
    expect(check.post("observations", b"x", "text/plain"), 415, "unsupported-media-type")
    assert check.result().json["state"] == "open"


@test
def claims_and_frames_do_not_mix(server):
    check = server.claimed()
    expect(check.observe(observation(0)), 200)
    expect(check.frame(footage.drawn(70)[60]), 409, "mixed-sources")


@test
def random_bytes_never_stop_the_server(server):
    dice = random.Random(7)
    check = server.claimed(depth=True)
    good = footage.drawn()[5]
    for _ in range(150):
        mutant = bytearray(good)
        for _ in range(dice.randrange(1, 30)):
            mutant[dice.randrange(len(mutant))] = dice.randrange(256)
        assert check.frame(bytes(mutant)).status in (200, 409, 422)
        body = dice.randbytes(dice.randrange(200))
        assert check.post("observations", body, NDJSON).status in (400, 409, 422)
        assert check.post("depth", b"MDF1" + body, DEPTH).status in (409, 422)
    expect(server.request("GET", "/health/live"), 200)


@test
def slow_and_broken_connections_do_not_hold_the_server(server):
    import socket
    sockets = []
    for _ in range(50):
        s = socket.create_connection(("127.0.0.1", server.port))
        s.send(b"POST /v1/checks HTTP/1.1\r\nHost: x\r\nContent-Le")
        sockets.append(s)
    expect(server.request("GET", "/health/live"), 200)
    [s.close() for s in sockets]


# ── verdicts ──────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def a_claimed_turn_passes_and_its_verdict_survives_kill_9(server):
    check = server.claimed(challenge="turn-left")
    steps = claim_turn(check, "turn-left")
    assert steps[-1]["state"] == "passed", steps[-1]
    server.kill()
    key = server.key
    server.start()
    assert server.key == key and not any("API key" in line for line in server.printed), "a second start makes no key"
    result = expect(check.result(), 200).json
    conforms("Result", result)
    assert result["state"] == "passed" and (result["source"], result["assurance"]) == ("claimed", "claimed"), result
    assert max(result["evidence"]["way_out"]) > 25
    over = expect(check.observe(observation(30)), 409, "check-over")
    assert over.json["step"]["state"] == "passed"


@test
def a_claimed_turn_to_the_wrong_side_fails_at_once(server):
    check = server.claimed(challenge="turn-right")
    steps = claim_turn(check, "turn-left")
    assert (steps[-1]["state"], steps[-1]["reason"]) == ("failed", "wrong-direction"), steps[-1]
    result = check.result().json
    assert (result["state"], result["reason"]) == ("failed", "wrong-direction"), result


@test
def an_open_check_goes_on_after_kill_9(server):
    check = server.claimed(challenge="turn-right")
    expect(check.observe(observation(0), Mien_Client="phone-1"), 200)
    server.kill()
    server.start()
    assert claim_turn(check, "turn-right")[-1]["state"] == "passed"


@test
def a_person_may_try_again_when_the_integrator_says_so(server):
    check = server.claimed(challenge="turn-left", attempts=2)
    seen, sides = [], []
    began, turning, attempt = time.monotonic(), None, 1
    while time.monotonic() - began < 40:
        t = time.monotonic() - began
        yaw = 0.3 * math.sin(9 * t)
        if turning is not None:
            # Turns to the wrong side in the first attempt, then to the right one.
            sign = (1 if sides[-1] == "subject-left" else -1) * (-1 if attempt == 1 else 1)
            yaw += sign * 38 * math.sin(math.pi * min(1, (t - turning) / 3.5)) ** 2
        step = expect(check.observe(observation(round(t, 4), round(yaw, 3))), 200).json
        conforms("Step", step)
        seen.append(step["attempt"])
        if step["attempt"]["number"] != attempt:
            attempt, turning = step["attempt"]["number"], None
        if step["state"] in ("passed", "failed", "timed-out"):
            break
        if step["state"] == "tracking" and turning is None:
            turning = t
            sides.append(step["side"])
        time.sleep(1 / 15)
    assert step["state"] == "passed" and seen[0] == {"number": 1, "count": 2}, step
    assert seen[-1] == {"number": 2, "count": 2, "last_reason": "wrong-direction"}, seen[-1]
    result = check.result().json
    conforms("Result", result)
    assert [a["reason"] for a in result["earlier"]] == ["wrong-direction"], result
    decided = sides[-1].replace("subject-", "turn-")
    assert result["challenge"] == decided and claims_of(result["signed"])["challenge"] == decided, (sides, result["challenge"])
    assert [a["outcome"] for a in claims_of(result["signed"])["earlier"]] == ["failed"]
    for absurd in (0, -1, 6, 10**9, 10**30, 1.5, "2", True, [1]):
        reply = server.request("POST", "/v1/checks", {"attempts": absurd}, token=server.key)
        assert reply.status in (400, 422), (absurd, reply)


def claims_of(token):
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


@test
def images_and_a_film_are_kept_where_they_are_asked_for(server):
    need_footage()
    # Unique bytes: a frame is accepted by one check only.
    frames = footage.clip("zubair/real.mov", rate=15, quality=6)
    check, plain = server.create(challenge="turn-right", audit_images=2, clip=True), server.create(challenge="turn-right")
    step = play(check, frames, 15)
    assert step and step["state"] == "passed", step
    expect(plain.frame(frames[0]), 409, "frame-replayed")
    result = check.result().json
    conforms("Result", result)
    assert [i["kind"] for i in result["images"]] == ["reference", "audit", "audit"], result["images"]
    for image in result["images"]:
        reply = expect(server.request("GET", image["url"], token=server.key), 200)
        assert reply.body in frames and reply.headers["content-type"] == "image/jpeg" and reply.headers["cache-control"] == "no-store"
        expect(server.request("GET", image["url"], token=check.token), 401, "unauthorised")
        expect(server.request("GET", image["url"]), 401, "unauthorised")
    expect(server.request("GET", f"/v1/checks/{check.id}/images/3", token=server.key), 404, "not-found")
    for index in ("-1", "x", "99999999999999999999", "%2e%2e"):
        expect(server.request("GET", f"/v1/checks/{check.id}/images/{index}", token=server.key), 404, "not-found")
    for _ in range(120):
        reply = server.request("GET", f"/v1/checks/{check.id}/clip", token=server.key)
        if reply.status != 202:
            break
        time.sleep(0.5)
    expect(reply, 200)
    assert reply.headers["content-type"] == "video/mp4" and check.result().json["clip"] == "ready"
    with tempfile.NamedTemporaryFile(suffix=".mp4") as film:
        film.write(reply.body)
        film.flush()
        probe = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=codec_name,width,height:format=duration",
                                "-of", "json", film.name], capture_output=True, text=True, check=True)
    told = json.loads(probe.stdout)
    stream = told["streams"][0]
    assert len(told["streams"]) == 1 and stream["codec_name"] == "h264" and stream["width"] == 640, told
    assert 2 < float(told["format"]["duration"]) < 40, told
    # Images and clips that were not requested do not exist, and deleted ones are gone.
    assert "images" not in plain.result().json and "clip" not in plain.result().json
    expect(server.request("GET", f"/v1/checks/{plain.id}/clip", token=server.key), 404, "not-found")
    expect(server.request("DELETE", f"/v1/checks/{check.id}", token=server.key), 204)
    for path in ("clip", "images/0"):
        expect(server.request("GET", f"/v1/checks/{check.id}/{path}", token=server.key), 404, "not-found")
    assert not list(pathlib.Path(server.data).rglob("*.reel")) + list(pathlib.Path(server.data).rglob("*.mp4"))


@test
def a_server_that_makes_no_films_keeps_no_reel_for_ever(server):
    own = Server(server.binary, arguments=["--no-films"])
    try:
        def reels():
            return [path.name for path in pathlib.Path(own.data, "reels").iterdir()]

        check = own.create(clip=True)
        expect(check.frame(footage.drawn()[0]), 200)
        assert reels() == [check.id + ".reel"]
        own.kill()
        with contextlib.closing(sqlite3.connect(pathlib.Path(own.data, "mien.sqlite"))) as database, database:
            assert database.execute("DELETE FROM liveness_check").rowcount == 1
        own.start()
        deadline = time.monotonic() + 20
        while reels():
            assert time.monotonic() < deadline, "a reel of no check stays"
            time.sleep(0.1)
    finally:
        own.clean()


@test
def a_second_server_on_one_folder_does_not_start_and_takes_nothing(server):
    held = [pathlib.Path(server.data, name) for name in ("work/in-hand", "blobs/drafts/in-hand")]
    for file in held:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"1")
    try:
        ended = subprocess.run([server.binary, "serve", "--port", "0", "--data", server.data], capture_output=True, text=True,
                               timeout=60, env=server.environment)
        assert ended.returncode == 2 and "A server is at work on" in ended.stderr and "--data" in ended.stderr, ended
        assert all(file.exists() for file in held), "what the first server has in hand is its own"
    finally:
        for file in held:
            file.unlink(missing_ok=True)
    expect(server.request("GET", "/health/live"), 200)


def fail(check):
    """Sends a turn to the wrong side: the check fails within a second or two."""
    side = check.result().json["challenge"]
    return claim_turn(check, "turn-left" if side == "turn-right" else "turn-right")[-1]


@test
def who_fails_too_often_is_locked_out_and_nobody_else_is(server):
    other = Server(server.binary, arguments=["--lockout-failures", "2"], sees=False)
    try:
        early = other.claimed(person="mallory")
        for body in ({"person": "mallory"}, {"person": "mallory", "device": "phone-9"}):
            assert fail(other.claimed(challenge="turn-left", **body))["state"] == "failed"
        reply = expect(other.request("POST", "/v1/checks", {"person": "mallory"}, token=other.key), 429, "locked-out")
        assert 1700 < int(reply.headers["retry-after"]) <= 1800, reply.headers
        # Neither an existing check nor a restart of the server bypasses the lockout.
        expect(early.observe(observation(0)), 429, "locked-out")
        other.kill()
        other.start()
        expect(other.request("POST", "/v1/checks", {"person": "mallory"}, token=other.key), 429, "locked-out")
        other.create(person="alice", device="phone-9")
        assert fail(other.claimed(challenge="turn-left", device="phone-9"))["state"] == "failed"
        expect(other.request("POST", "/v1/checks", {"person": "bob", "device": "phone-9"}, token=other.key), 429, "locked-out")
        expect(other.request("POST", "/v1/checks", {"device": "../x"}, token=other.key), 422, "bad-value")
    finally:
        other.clean()


@test
def a_person_is_erased_with_all_that_is_theirs(server):
    mine, other = server.claimed(person="eve", reference="of eve"), server.create(person="evelyn")
    expect(mine.observe(observation(0)), 200)
    expect(server.request("DELETE", "/v1/people/eve", token=mine.token), 401, "unauthorised")
    expect(server.request("DELETE", "/v1/people/..", token=server.key), 422, "bad-value")
    assert expect(server.request("DELETE", "/v1/people/eve", token=server.key), 204).body == b""
    expect(server.request("DELETE", "/v1/people/eve", token=server.key), 404, "not-found")
    expect(mine.result(), 404, "not-found")
    expect(mine.observe(observation(0.1)), 404, "not-found")
    expect(other.result(), 200)
    # Callers that need proof of a deletion can request a report of it.
    told = expect(server.request("DELETE", "/v1/people/evelyn", headers={"Prefer": "respond-async, Return=Representation"},
                                 token=server.key), 200)
    conforms("Erasure", told.json)
    assert {kind: count for kind, count in told.json["erased"].items() if count} == {"checks": 1}, told
    assert told.headers["preference-applied"] == "return=representation"


@test
def real_footage_turns_right_and_passes(server):
    need_footage()
    check = server.create(challenge="turn-right")
    last = play(check, footage.clip("zubair/real.mov", rate=15), 15)
    assert last and last["state"] == "passed", last
    result = check.result().json
    conforms("Result", result)
    assert result["source"] == "observed" and min(result["evidence"]["way_out"]) < -25


@test
def real_footage_fails_the_other_direction(server):
    need_footage()
    check = server.create(challenge="turn-left")
    last = play(check, footage.clip("zubair/real.mov", rate=14, quality=4), 14)
    assert last and (last["state"], last["reason"]) == ("failed", "wrong-direction"), last


@test
def real_footage_blinks_and_passes(server):
    need_footage()
    check = server.create(tasks=[{"kind": "blink", "difficulty": "easy", "max_blinks": 2}])
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=15, quality=6), 15)
    assert last and last["state"] == "passed", last
    conforms("Result", check.result().json)


@test
def real_footage_of_something_else_does_not_follow_a_path(server):
    need_footage()
    check = server.create(tasks=[{"kind": "head-path"}])
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=15, quality=7), 15)
    assert last and last["state"] == "failed" and last["reason"] in ("off-path", "too-slow", "too-early"), last


@test
def a_cartoon_is_no_face(server):
    need_footage()
    check = server.create()
    frames = footage.clip("pyfeat/no_face.mp4", rate=5)
    for frame in frames[:20]:
        reply = check.frame(frame)
        assert reply.status == 200 and reply.json["outline"] == [] and reply.json["state"] == "positioning", reply


@test
def a_person_who_does_not_turn_times_out(server):
    need_footage()
    check = server.create(challenge="turn-left")
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=14), 14)
    assert last and (last["state"], last["reason"]) == ("timed-out", "turned-too-little"), last


@test
def a_camera_that_freezes_gets_a_verdict(server):
    need_footage()
    check = server.create(challenge="turn-left")
    frames = footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=14, quality=5)
    last = play(check, frames[:40] + frames[39:40] * 400, 14)
    assert last and (last["state"], last["reason"]) == ("failed", "face-lost"), last


# ── depth ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

def enrol(server, person, *frames, token=True, type=DEPTH):
    return server.request("POST", f"/v1/people/{person}/enrolment", b"".join(frames), {"Content-Type": type},
                          server.key if token else None)


def gate_and_turn(check):
    """Returns the result of a decided check and its findings by name."""
    result = expect(check.result(), 200).json
    conforms("Result", result)
    return result, {finding["check"]: finding for finding in result["findings"]}


@test
def enrolment_takes_heads_and_refuses_what_is_none(server):
    heads = [depth.head(seed) for seed in range(4)]
    expect(enrol(server, "nobody", *heads, token=False), 401, "unauthorised")
    expect(enrol(server, "nobody", *heads, type="image/png"), 415, "unsupported-media-type")
    expect(enrol(server, "no%20body", *heads), 422, "bad-value")
    for frames, reason in ((heads[:2], "too-few-captures"), ([depth.board(seed) for seed in range(3)], "not-a-face"),
                           ([*heads, depth.board(9)], "not-a-face")):
        assert reason in expect(enrol(server, "nobody", *frames), 422, "not-assessed").json["detail"]
    for body in (b"", b"MDF1", heads[0][:-1], heads[0] + b"x", b"MDF2" + heads[0][4:]):
        assert 400 <= expect_problem(enrol(server, "nobody", body)).status < 500
    first = expect(enrol(server, "grace", *heads), 201).json
    conforms("Enrolment", first)
    assert (first["person"], first["version"], first["captures"]) == ("grace", 1, 4), first
    assert expect(enrol(server, "grace", *heads), 201).json["version"] == 2


@test
def a_face_in_space_passes_the_depth_gate(server):
    expect(enrol(server, "ada", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="ada", depth=True)
    steps = []
    for seed in range(20, 23):
        steps.append(expect(check.post("depth", depth.head(seed), DEPTH, Mien_Client="phone-1"), 200).json)
        conforms("Step", steps[-1])
    assert [step["state"] for step in steps] == ["positioning", "positioning", "passed"], steps
    result, found = gate_and_turn(check)
    assert result["state"] == "passed" and found["depth-gate"]["result"] == "genuine", result
    # The server saw no image: the verdict rests on the device's data.
    assert (result["source"], result["assurance"], result["frames"]) == ("claimed", "depth", 0), result
    assert found["depth-gate"]["native"] > 1 and found["depth-gate"]["score"] > 0.5, found
    over = expect(check.post("depth", depth.head(23), DEPTH, Mien_Client="phone-1"), 409, "check-over")
    assert over.json["step"]["state"] == "passed"
    # An accepted check updates the thresholds, which became the person's second version; this enrollment is the third.
    assert expect(enrol(server, "ada", *[depth.head(seed) for seed in range(4)]), 201).json["version"] == 3


@test
def the_depth_gate_is_asked_for_as_a_task_as_well(server):
    expect(enrol(server, "grace", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="grace", tasks=[{"kind": "depth-gate"}, {"kind": "blink"}])
    assert check.result().json["tasks"] == ["blink"]
    states = [expect(check.post("depth", depth.head(seed), DEPTH), 200).json["state"] for seed in range(40, 43)]
    assert states[-1] == "passed", states
    alone = server.create(person="grace", tasks=[{"kind": "depth-gate"}])
    assert len(alone.result().json["tasks"]) == 2, "two tasks of chance decide"
    for wrong in ([{"kind": "blink"}, {"kind": "depth-gate"}], [{"kind": "depth-gate"}] * 2,
                  [{"kind": "depth-gate", "difficulty": "easy"}], [{"kind": "depth-gate", "max_blinks": 1}]):
        expect(server.request("POST", "/v1/checks", {"tasks": wrong}, token=server.key), 422, "bad-value")


@test
def the_same_capture_again_does_not_count(server):
    expect(enrol(server, "ida", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.create(person="ida", depth=True)
    frame = depth.head(30)
    for _ in range(6):
        assert expect(check.post("depth", frame, DEPTH), 200).json["state"] == "positioning"


@test
def a_flat_board_does_not_pass_the_gate_and_the_turn_decides(server):
    expect(enrol(server, "eve", *[depth.head(seed) for seed in range(4)]), 201)
    check = server.gated(person="eve", depth=True, challenge="turn-left")
    for seed in range(4):
        step = expect(check.post("depth", depth.board(seed, tilt=(0.05 * seed, 0)), DEPTH, Mien_Client="phone-1"), 200).json
        assert step["state"] == "positioning" and step["side"] is None, step
    steps = claim_turn(check, "turn-left")
    assert steps[-1]["state"] == "passed" and "depth" in {step["state"] for step in steps}, steps[-1]
    result, found = gate_and_turn(check)
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("suspect", "flat"), found
    assert found["depth-gate"]["score"] < 0.1 and found["head-turn"]["result"] == "genuine", found


@test
def without_enrolment_the_gate_is_not_assessed_and_the_turn_decides(server):
    check = server.gated(person="stranger", depth=True, challenge="turn-right")
    expect(check.post("depth", depth.head(1), DEPTH, Mien_Client="phone-1"), 200)
    assert claim_turn(check, "turn-right")[-1]["state"] == "passed"
    result, found = gate_and_turn(check)
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("not-assessed", "not-enrolled"), found
    assert found["depth-gate"].get("score") is None and found["head-turn"]["result"] == "genuine", found
    plain = server.create()
    expect(plain.post("depth", depth.head(1), DEPTH), 422, "bad-value")


# ── after the verdict, and without models ─────────────────────────────────────────────────────────────────────────────

@test
def whatever_comes_after_the_verdict_changes_nothing(server):
    check = server.claimed(challenge="turn-right", depth=True)
    last = claim_turn(check, "turn-left")[-1]

    def result():
        # ES256 signatures are randomized: only the signed payload is the same each time.
        return {name: value.rpartition(".")[0] if name == "signed" else value for name, value in check.result().json.items()}

    before = result()
    for late in (check.frame(footage.drawn(80)[75]), check.observe(observation(60)), check.post("depth", depth.head(2), DEPTH),
                 check.frame(b"no picture"), check.frame(footage.drawn(80)[76], Mien_Client="somebody-else")):
        expect(late, 409, "check-over")
        conforms("Step", late.json["step"])
        assert (late.json["step"]["state"], late.json["step"]["reason"]) == ("failed", "wrong-direction"), late
    assert last["state"] == "failed" and result() == before
    expect(check.frame(footage.drawn(80)[77], token="mt_" + "B" * 43), 401, "unauthorised")


@test
def a_server_without_models_says_so_everywhere(server):
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


@test
def pages_of_named_origins_may_use_the_api_and_no_others(server):
    ours, other = "https://shop.example", "https://elsewhere.example"
    open_server = Server(server.binary, arguments=["--allow-origin", ours], sees=False)
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


@test
def stray_options_stop_the_start(server):
    for arguments in (["--nonsense"], ["--port"], ["stray"], ["--port", "99999"], ["--lifetime", "0"]):
        run = subprocess.run([server.binary, "serve", *arguments], capture_output=True, text=True, timeout=30)
        assert run.returncode == 64 and run.stdout == "" and "Usage: mien serve" in run.stderr, (arguments, run)


# ── tasks ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

def perform(check, performers, rate=15, seconds=90):
    """Sends observations of performers, one per task as the server requests them; returns the last step."""
    began, began_tracking, step = time.monotonic(), None, None
    kinds = []
    while time.monotonic() - began < seconds:
        t = time.monotonic() - began
        pose, coefficients = {"yaw": 0.3 * math.sin(9 * t), "pitch": 0.0, "roll": 0.0}, tasks.eyes(0.05)
        if step and step["state"] == "tracking":
            began_tracking = t if began_tracking is None else began_tracking
            done = performers[step["task"]["index"]](step, t - began_tracking)
            pose.update({key: value for key, value in done.items() if key in pose})
            coefficients |= done.get("coefficients", {})
        else:
            began_tracking = None
        line = json.dumps({"t": round(t, 4), "faces": 1, "box": [0.35, 0.3, 0.3, 0.4], "pose": pose,
                           "blendshapes": {"jawOpen": 0.02} | coefficients})
        reply = check.observe(line, Mien_Client="phone-1")
        over = reply.status == 409 and reply.code == "check-over"
        step = reply.json["step"] if over else expect(reply, 200).json
        conforms("Step", step)
        if step.get("task") and step["task"]["kind"] not in kinds:
            kinds.append(step["task"]["kind"])
        if step["state"] in ("passed", "failed", "timed-out"):
            return step, kinds
        time.sleep(1 / rate)
    raise AssertionError(f"no verdict, last {step}")


@test
def tasks_are_asked_one_after_the_other_and_passed(server):
    wanted = ["blink", "complete-the-circle", "head-path"]
    check = server.claimed(tasks=[{"kind": kind} for kind in wanted])
    step, kinds = perform(check, [tasks.Blinker(), tasks.Circler(), tasks.Follower()])
    assert step["state"] == "passed" and kinds == wanted, (step, kinds)
    result = check.result().json
    conforms("Result", result)
    assert result["challenge"] == "tasks" and result["tasks"] == wanted and result["source"] == "claimed", result
    assert [finding["check"] for finding in result["findings"]][-3:] == wanted, result


@test
def questions_are_answered_and_a_wrong_answer_says_why(server):
    questions = {"Are you here?": True, "Is it raining inside?": False}
    asked = [{"question": text, "answer": answer, "error_message": f"Think again: {text}"} for text, answer in questions.items()]
    check = server.claimed(tasks=[{"kind": "yes-or-no", "questions": asked}])
    step, _ = perform(check, [tasks.Answerer(questions)])
    assert step["state"] == "passed", step
    check = server.claimed(tasks=[{"kind": "yes-or-no", "questions": asked}])
    step, _ = perform(check, [tasks.Answerer({text: not answer for text, answer in questions.items()})])
    assert (step["state"], step["reason"]) == ("failed", "wrong-answer"), step
    assert step["task"]["prompt"]["error"].startswith("Think again: "), step


@test
def a_path_of_another_session_does_not_pass(server):
    class Replay(tasks.Follower):
        def __call__(self, step, t):
            goal = [0.7, -0.7] if int(t) % 2 else [-0.7, 0.7]
            return super().__call__({"task": {"prompt": {"target": goal}}}, t) if t > 1.2 else {}

    check = server.claimed(tasks=[{"kind": "head-path"}])
    step, _ = perform(check, [Replay()])
    assert step["state"] in ("failed", "timed-out"), step


@test
def tasks_go_on_after_kill_9_with_the_same_path(server):
    check = server.create(tasks=[{"kind": "head-turn"}, {"kind": "motions", "difficulty": "hard"}])
    before = check.result().json
    server.kill()
    server.start()
    after = check.result().json
    assert before == after and after["tasks"] == ["head-turn", "motions"], (before, after)


@test
def tasks_of_chance_are_chosen_when_none_is_named(server):
    for body in ({}, {"tasks": []}, {"person": "ada", "depth": True}):
        made = [server.create(**body).result().json for _ in range(40)]
        kinds = {tuple(one["tasks"]) for one in made}
        assert {one["challenge"] for one in made} == {"tasks"}, body
        assert len(kinds) > 2 and all(len(pair) == 2 for pair in kinds), kinds
        assert {pair[0] for pair in kinds} <= {"head-turn", "complete-the-circle", "blink"}, kinds
        assert {pair[1] for pair in kinds} <= {"motions", "head-path"}, kinds
    demo = [expect(server.request("POST", "/v1/demo/checks", {}), 201).json["id"] for _ in range(4)]
    for id in demo:
        assert len(server.request("GET", f"/v1/checks/{id}", token=server.key).json["tasks"]) == 2
    named = server.create(tasks=[{"kind": "head-turn"}]).result().json
    assert named["tasks"] == ["head-turn"], named


@test
def whoever_cannot_do_a_task_is_asked_for_a_twin(server):
    cases = [
        (["eyelids", "mouth", "sight"], ["head-turn", "head-path"], ["motions", "motions"]),
        (["neck", "mouth", "sight"], ["blink", "head-path"], ["motions", "head-path"]),
        (["neck", "eyelids", "mouth"], ["complete-the-circle", "head-path"], ["complete-the-circle", "motions"]),
        (["neck", "eyelids", "mouth", "sight"], ["blink"], ["blink"]),
    ]
    for abilities, wanted, asked in cases:
        check = server.create(tasks=[{"kind": kind} for kind in wanted], abilities=abilities)
        assert check.result().json["tasks"] == asked, (abilities, check.result().json)
    # Random tasks have accessible alternatives as well.
    assert server.create(abilities=["eyelids"]).result().json["tasks"][1] == "motions"
    for _ in range(20):
        kinds = server.create(tasks=[], abilities=["mouth"]).result().json["tasks"]
        assert kinds == ["motions", "motions"], kinds
    demo = server.request("POST", "/v1/demo/checks", {"abilities": ["eyelids", "mouth"]})
    assert demo.status == 201, demo
    kinds = server.request("GET", "/v1/checks/" + demo.json["id"], token=server.key).json["tasks"]
    assert len(kinds) == 2 and set(kinds) <= {"motions", "blink"}, kinds
    for abilities, code in ((["wings"], "bad-value"), (["neck", "neck"], "bad-value"), ([], "bad-value"),
                            (["sight"], "bad-value"), ("neck", "bad-json"), ([1], "bad-json")):
        for path, token in (("/v1/checks", server.key), ("/v1/demo/checks", None)):
            reply = server.request("POST", path, {"abilities": abilities}, token=token)
            assert reply.status in (400, 422), (abilities, reply)
            assert reply.code == code, (abilities, reply)
            conforms("Problem", reply.json)
    expect(server.request("POST", "/v1/demo/checks", {"tasks": []}), 400, "unknown-key")


@test
def a_further_attempt_keeps_what_the_person_can_do(server):
    check = server.claimed(tasks=[{"kind": "head-path"}], abilities=["eyelids", "mouth", "sight"], attempts=2)
    began, step, kinds = time.monotonic(), None, {}
    while time.monotonic() - began < 40 and len(kinds) < 2:
        t = round(time.monotonic() - began, 4)
        # Leaving the frame during the first attempt fails it.
        gone = 1 in kinds and step["attempt"]["number"] == 1
        face = {"pose": {"yaw": 0.3 * math.sin(9 * t), "pitch": 0.0, "roll": 0.0}, "box": [0.35, 0.3, 0.3, 0.4],
                "blendshapes": {"jawOpen": 0.02} | tasks.eyes(0.05)}
        step = expect(check.observe({"t": t, "faces": 0 if gone else 1, **({} if gone else face)}, Mien_Client="phone-1"), 200).json
        if step["state"] == "tracking" and step.get("task"):
            kinds[step["attempt"]["number"]] = step["task"]["kind"]
        time.sleep(1 / 15)
    assert kinds == {1: "motions", 2: "motions"}, (kinds, step)


@test
def tasks_that_cannot_be_asked_are_refused(server):
    cases = [
        ([{"kind": "smile"}], 422), ([{}], 400), ([{"kind": "blink", "max_blinks": -1}], 422), ("blink", 400),
        ([{"kind": "blink", "max_blinks": 10 ** 9}], 422), ([{"kind": "blink", "max_blinks": 0}], 422),
        ([{"kind": "motions", "max_nods": 21}], 422), ([{"kind": "blink", "max_nods": 1}], 422),
        ([{"kind": "yes-or-no"}], 422), ([{"kind": "yes-or-no", "questions": []}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "", "answer": True}]}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "x" * 201, "answer": True}]}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "a", "answer": True}] * 21}], 422),
        ([{"kind": "yes-or-no", "questions": [{"question": "a", "answer": "yes"}]}], 400),
        ([{"kind": "blink", "timeout": 0}], 422), ([{"kind": "blink", "timeout": 2 ** 62}], 422),
        ([{"kind": "blink", "timeout": -5}], 422), ([{"kind": "blink", "difficulty": "cruel"}], 422),
        ([{"kind": "blink", "speed": 2}], 400), ([{"kind": "blink"}] * 9, 422),
    ]
    for body, status in cases:
        reply = server.request("POST", "/v1/checks", json.dumps({"tasks": body}), {"Content-Type": "application/json"},
                               server.key)
        assert reply.status == status, (body, status, reply)
        conforms("Problem", reply.json)
    reply = server.request("POST", "/v1/checks", json.dumps({"tasks": [], "challenge": "turn-left"}),
                           {"Content-Type": "application/json"}, server.key)
    expect(reply, 422, "bad-value")


@test
def nothing_biometric_and_no_secret_is_logged(server):
    text = "".join(server.lines)
    assert "eyJ" not in text and "mien_" not in text and not re.search(r"yaw|pitch|blend", text), text[:500]


@test
def frames_that_are_under_way_when_the_server_is_told_to_stop_are_answered(server):
    leaving = Server(server.binary)
    try:
        frames = footage.faces(8)
        checks = [leaving.create() for _ in frames]
        # One open connection per check, since a stopping server accepts no new ones.
        lines = [http.client.HTTPConnection("127.0.0.1", leaving.port, timeout=30) for _ in checks]
        for line, check in zip(lines, checks):
            expect(leaving.over(line, "GET", f"/v1/checks/{check.id}", token=leaving.key), 200)
        for line, check, frame in zip(lines, checks, frames):
            line.request("POST", f"/v1/checks/{check.id}/frames", frame,
                         {"Content-Type": JPEG, "Authorization": "Bearer " + check.token})
        first = lines[0].getresponse()
        assert first.status == 200 and json.loads(first.read())["state"], first.status
        leaving.process.send_signal(signal.SIGTERM)
        told = [line.getresponse() for line in lines[1:]]
        assert [reply.status for reply in told] == [200] * len(told), [(reply.status, reply.read()) for reply in told]
        for reply in told:
            conforms("Step", json.loads(reply.read()))
        assert leaving.process.wait(30) == 0
        leaving.start()
        for check, frame in zip(checks, frames):
            # The answered frames count: each check continues, and its frame is refused elsewhere.
            expect(check.frame(frame), 200)
            expect(leaving.create().frame(frame), 409, "frame-replayed")
        assert f'mien_frames_total{{result="repeated"}} {len(checks)}' in leaving.request("GET", "/metrics").body.decode()
    finally:
        leaving.clean()


@test
def the_server_stops_gracefully(server):
    assert server.stop() == 0


def main(tests=TESTS):
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    server = Server(options.mien)
    DOCUMENT.update(server.request("GET", "/openapi.json").json)
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for function in tests:
        if options.names and function.__name__ not in options.names:
            continue
        name = function.__name__.replace("_", " ")
        began = time.monotonic()
        try:
            twice(name, lambda: function(server), never=Skip)
            outcome = "passed"
        except Skip as why:
            outcome = "skipped"
            print(f"SKIPPED {name}: {why}")
        except Exception:
            outcome = "failed"
            traceback.print_exc(file=sys.stdout)
        counts[outcome] += 1
        print(f"{outcome:8} {name} ({time.monotonic() - began:.1f} s)", flush=True)
    server.clean()
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(1 if counts["failed"] or not counts["passed"] else 0)


if __name__ == "__main__":
    main()
