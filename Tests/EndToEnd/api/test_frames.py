"""Tests of frames: hostile images, tokens, realms, repeated frames, and concurrent clients."""

import base64
import http.client
import json
import os
import random
import re
import threading
import time

from support import depth, footage
from support.checks import DEPTH, JPEG, NDJSON, claim_turn, keys
from support.replies import conforms, expect
from support.server import Check, Server


def test_non_images_are_rejected_and_the_check_continues(server):
    check = server.create()
    good = footage.drawn()[0]
    expect(check.frame(b""), 422, "not-an-image")
    expect(check.frame(b"GIF89a" + bytes(100)), 422, "not-an-image")
    expect(check.frame(bytes(1000)), 422, "not-an-image")
    expect(check.frame(good[: len(good) // 2]), 422, "not-an-image")
    expect(check.frame(good[:20]), 422, "not-an-image")
    expect(check.frame(good, type="image/webp"), 415, "unsupported-media-type")
    expect(check.frame(b"\xff\xd8\xff\xe0" + random.Random(1).randbytes(5000)), 422, "not-an-image")
    conforms("Step", expect(check.frame(good), 200).json)


def test_rejects_headers_with_too_many_pixels(server):
    check = server.create()
    good = bytearray(footage.drawn()[1])
    at = good.index(b"\xff\xc0")
    good[at + 5:at + 9] = (60000).to_bytes(2, "big") * 2
    expect(check.frame(bytes(good)), 422, "image-too-large")
    png = bytearray(b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4, "big") + b"IHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\0\0\0")
    import zlib
    png += zlib.crc32(bytes(png[12:29])).to_bytes(4, "big")
    expect(check.frame(bytes(png), type="image/png"), 422, "image-too-large")


def test_rejects_an_image_of_one_long_row(server):
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
    expect(check.frame(row, type="image/png"), 422, "image-too-large")
    conforms("Step", expect(check.frame(face), 200).json)


def test_rejects_bodies_over_the_limit_before_reading_them(server):
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


def test_rejects_requests_without_the_checks_token(server):
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
            assert announce(what, type, 500_000, token) == (401, "unauthorized"), (what, token)
    # A check's depth body is limited to the largest depth frame, although an enrollment may be larger.
    assert announce("depth", DEPTH, 52 + 2 * 2_764_800 + 1, check.token) == (413, "body-too-large")
    expect(check.post("depth", 2 * depth.head(1), DEPTH), 422, "bad-value")


def test_face_detection_endpoint_analyzes_single_images(server):
    def preview(body, type=JPEG, token=None):
        return server.request("POST", "/v1/faces", body, {"Content-Type": type}, token)

    without_face = expect(preview(footage.drawn()[3]), 200).json
    conforms("FacePreview", without_face)
    assert without_face["face"] == "no-face" and "box" not in without_face, without_face
    expect(preview(footage.drawn()[3], token=server.key), 200)
    expect(preview(footage.drawn()[3], token="mien_" + "A" * 43), 401, "unauthorized")
    expect(preview(footage.drawn()[3], type="image/webp"), 415, "unsupported-media-type")
    expect(preview(b"no picture"), 422, "not-an-image")
    expect(preview(b""), 422, "not-an-image")
    if footage.shared():
        with_face = expect(preview(footage.clip("pyfeat/single_face.mp4")[0]), 200).json
        conforms("FacePreview", with_face)
        assert with_face["face"] == "one-face" and len(with_face["box"]) == 4, with_face
    other = Server(server.binary, arguments=["--no-demo"], loads_models=False)
    try:
        expect(other.request("POST", "/v1/faces", footage.drawn()[3], {"Content-Type": JPEG}), 401, "unauthorized")
    finally:
        other.clean()


def test_rejects_foreign_forged_and_missing_tokens(server):
    mine, other = server.create(), server.create()
    frame = footage.drawn()[2]
    expect(mine.frame(frame, token=other.token), 401, "unauthorized")
    expect(mine.frame(frame, token="mt_" + "A" * 43), 401, "unauthorized")
    expect(mine.frame(frame, token=server.key), 401, "unauthorized")
    expect(server.request("POST", f"/v1/checks/{mine.id}/frames", frame, {"Content-Type": JPEG}), 401, "unauthorized")
    expect(server.request("POST", "/v1/checks/chk_nobody/frames", frame, {"Content-Type": JPEG}, mine.token), 401, "unauthorized")
    expect(server.request("GET", f"/v1/checks/{mine.id}", token=mine.token), 401, "unauthorized")
    header, claims, signature = mine.token.split(".")
    text = lambda part: base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
    write = lambda value: base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
    said = json.loads(text(claims))
    assert said["sub"] == mine.id and 0 < said["exp"] - said["iat"] <= 180 and json.loads(text(header))["alg"] == "ES256", said
    later = write({**said, "exp": said["exp"] + 86400})
    for forged in (f"{header}.{later}.{signature}", f"{write({'alg': 'none'})}.{claims}.", f"{header}.{claims}.", f"{header}.{claims}",
                   f"{header}.{other.token.split('.')[1]}.{signature}", mine.token[:-4] + "AAAA", mine.token + "A",
                   f"{header}.{claims}.{signature}.{signature}", "x" * 1500):
        expect(mine.frame(frame, token=forged), 401, "unauthorized")
    expect(mine.frame(frame, token="x" * 5000), 401, "unauthorized")
    expect(mine.frame(frame), 200)


def test_sandbox_and_live_realms_are_separate(server):
    sandbox = keys(server, "api", "--sandbox")["api_key"]
    assert sandbox.startswith("mientest_") and server.key.startswith("mien_")
    made = expect(server.request("POST", "/v1/checks", {"challenge": "turn-left", "person": "two-worlds", "sources": ["observed", "claimed"]}, token=sandbox), 201).json
    trial, real = Check(server, made), server.claimed(challenge="turn-left", person="two-worlds")
    assert trial.id.startswith("chktest_") and not real.id.startswith("chktest_")
    # A key of one realm finds nothing in the other.
    for check, key in ((trial, server.key), (real, sandbox)):
        for method, path in (("GET", ""), ("DELETE", ""), ("GET", "/token")):
            expect(server.request(method, f"/v1/checks/{check.id}{path}", token=key), 404, "not-found")
    expect(trial.frame(footage.drawn()[1], token=real.token), 401, "unauthorized")
    expect(real.frame(footage.drawn()[1], token=trial.token), 401, "unauthorized")
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
    expect(server.request("POST", "/v1/checks", {}, token="mientest_" + "A" * 43), 401, "unauthorized")
    expect(server.request("POST", "/v1/checks", {}, token=sandbox.replace("mientest_", "mien_")), 401, "unauthorized")


def test_expired_token_is_rejected_and_the_check_is_closed(server):
    short = Server(server.binary, arguments=["--lifetime", "1"], loads_models=False)
    try:
        check = short.create()
        time.sleep(1.2)
        # The server ends expired checks about once a second, perhaps before the frame arrives.
        reply = check.frame(footage.drawn()[3])
        assert (reply.status, reply.json["code"]) in [(401, "token-expired"), (409, "check-ended")], reply
        for _ in range(600):
            result = check.result().json
            if result["state"] != "open":
                break
            time.sleep(0.1)
        assert (result["state"], result["reason"]) == ("timed-out", "expired"), result
        conforms("Result", result)
    finally:
        short.clean()


def test_rejects_a_frame_of_another_check_and_ignores_repeated_frames(server):
    first, second = server.create(), server.create()
    frame = footage.faces(1)[0]
    expect(first.frame(frame), 200)
    expect(second.frame(frame), 409, "frame-replayed")
    expect(first.frame(frame), 200)
    assert 'mien_frames_total{result="repeated"}' in server.request("GET", "/metrics").body.decode()


def test_padding_and_comments_make_no_new_frame(server):
    frame = footage.faces(1)[0]
    first, second = server.create(), server.create()
    expect(first.post("frames", frame, "image/jpeg", Mien_Client="one"), 200)
    expect(second.post("frames", frame, "image/jpeg", Mien_Client="two"), 409, "frame-replayed")
    expect(second.post("frames", frame + b"\0", "image/jpeg", Mien_Client="two"), 422, "not-an-image")
    commented = frame[:2] + b"\xff\xfe\0\6abcd" + frame[2:]
    expect(second.post("frames", commented, "image/jpeg", Mien_Client="two"), 409, "frame-replayed")


def test_frames_without_a_face_are_neither_recorded_nor_refused(server):
    plain = footage.ffmpeg("-f", "lavfi", "-i", f"color=0x{random.randrange(1 << 24):06x}:size=480x360", "-frames:v", "1")[0]
    def repeated():
        text = server.request("GET", "/metrics").body.decode()
        return re.findall(r'mien_frames_total\{result="repeated"\} (\d+)', text)
    before = repeated()
    for client in ("one", "two"):
        check = server.create()
        for _ in range(3):
            expect(check.post("frames", plain, "image/jpeg", Mien_Client=client), 200)
        expect(check.frame(footage.faces(1)[0], Mien_Client=client), 200)
        expect(check.post("frames", plain, "image/jpeg", Mien_Client=client), 200)
    assert repeated() == before, "each was looked at: a covered camera is noticed again"


def test_black_frames_may_repeat_across_checks(server):
    black = footage.plain()
    for client in ("one", "two", "three"):
        step = expect(server.create().post("frames", black, "image/jpeg", Mien_Client=client), 200).json
        assert step["state"] == "positioning", step


def test_rejects_a_second_client(server):
    check = server.create()
    frames = footage.drawn(40)
    expect(check.frame(frames[20], Mien_Client="a"), 200)
    expect(check.frame(frames[21], Mien_Client="b"), 409, "second-client")
    expect(check.frame(frames[22]), 409, "second-client")
    expect(check.frame(frames[23], Mien_Client="../x"), 422, "bad-value")
    expect(check.frame(frames[24], Mien_Client="a"), 200)


def test_rejects_concurrent_frames_and_loses_none(server):
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


def test_rejects_client_clocks_that_run_backward_or_behind(server):
    check = server.create()
    frames = footage.drawn(60)[40:60]
    expect(check.frame(frames[0], Mien_Captured_At="1000"), 200)
    expect(check.frame(frames[1], Mien_Captured_At="900"), 409, "out-of-order")
    # A timestamp ahead of the clock is accepted: the first frame may have been delayed, so this one becomes the reference.
    expect(check.frame(frames[2], Mien_Captured_At="9000"), 200)
    # No network delays a frame by a minute.
    expect(check.frame(frames[5], Mien_Captured_At="69000"), 422, "timestamp-out-of-range")
    time.sleep(2.3)
    expect(check.frame(frames[4], Mien_Captured_At="9100"), 422, "timestamp-out-of-range")
    for wrong in ("NaN", "inf", "-5", "1e300", "soon", ""):
        reply = check.frame(frames[3], Mien_Captured_At=wrong)
        assert reply.status == 422 and reply.code == "bad-value", (wrong, reply)
