"""Tests of captures from apps, verifiers and forgers against a real server.

Images and depth maps are generated here. usage: captures.py --mien PATH_OF_THE_PROGRAM [NAME…]
"""

import base64
import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np

sys.path.insert(0, os.path.dirname(__file__))
import attestations
import bounds
from capture_parts import (BOUNDARY, DETECTION, PARTS, Phone, b64, depth, depth_frame, ec, everything, film, form, jpeg,
                           pairs, photo, planes, sha)
from run import conforms, expect, keys, main
from server import Server

TESTS = []
LINES = ["integrity", "signer", "device", "app", "scene", "claims", "time", "place"]


def test(function):
    TESTS.append(function)
    return function


def post(server, parts, status=201, key=None, body=None, boundary=BOUNDARY, content_type=None):
    body = form(pairs(parts) if isinstance(parts, dict) else parts) if body is None else body
    kind = content_type or f'multipart/form-data; boundary="{boundary}"'
    reply = server.request("POST", "/v1/captures", body, {"Content-Type": kind}, key)
    expect(reply, status)
    if status == 201:
        conforms("Capture", reply.json)
        assert reply.headers["location"] == "/v1/captures/" + reply.json["id"]
        assert reply.json["receipt"].startswith("rcp_") and [x["name"] for x in reply.json["lines"]] == LINES
    return reply.json


def look(server, capture, seconds=30):
    """Returns the capture once it has been analyzed."""
    deadline = time.monotonic() + seconds
    while True:
        reply = expect(server.request("GET", "/v1/captures/" + capture["id"]), 200).json
        conforms("Capture", reply)
        assert "receipt" not in reply
        if reply["state"] != "queued":
            return reply
        assert time.monotonic() < deadline, reply
        time.sleep(0.05)


def lines(reply):
    return {line["name"]: (line["status"], line["reasons"]) for line in reply["lines"]}


def files(server):
    """Returns the files in the blob directory, including drafts."""
    root = pathlib.Path(server.data) / "blobs"
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if path.is_file())


def rows(server):
    with sqlite3.connect(os.path.join(server.data, "mien.sqlite"), timeout=20) as db:
        return db.execute("SELECT count(*) FROM capture").fetchone()[0]


def nothing_kept(server, act):
    before = files(server), rows(server)
    act()
    deadline = time.monotonic() + 5
    while (files(server), rows(server)) != before:
        assert time.monotonic() < deadline, (set(before[0]) ^ set(files(server)), before[1], rows(server))
        time.sleep(0.05)


# ── creating and reading ──────────────────────────────────────────────────────────────────────────────────────────────

@test
def a_photo_alone_is_a_capture(server):
    picture = photo(2)
    taken = post(server, {"photo": picture})
    assert taken["photo"]["sha256"] == sha(picture) and taken["photo"]["bytes"] == len(picture), taken
    assert taken["photo"]["type"] == "image/png" and taken["page"] == "/verify/" + taken["id"]
    seen = look(server, taken)
    told = lines(seen)
    assert told["integrity"] == ("not-checked", ["not-signed"]), told
    assert told["signer"][0] == "not-checked" and told["device"][0] == "not-checked"
    assert told["time"] == ("unavailable", ["no-time"]) and told["place"] == ("unavailable", ["no-place"])
    assert told["claims"] == ("not-checked", ["no-claims"])
    assert told["scene"][0] in ("pass", "fail", "unavailable"), told
    assert not any(status == "fail" for name, (status, _) in told.items() if name != "scene"), "untrusted is not tampered"
    reply = expect(server.request("GET", seen["photo"]["url"]), 200)
    assert reply.body == picture and reply.headers["content-type"] == "image/png"


@test
def every_optional_part_with_and_without(server):
    parts = everything(3)
    for chosen in range(8):
        names = ["photo"] + [name for bit, name in enumerate(PARTS[1:]) if chosen >> bit & 1]
        seen = look(server, post(server, {name: parts[name] for name in names}))
        told = lines(seen)
        assert ("depth_map" in seen) == ("depth_map" in names)
        assert ("claimed" in seen) == ("metadata" in names or "detection" in names), names
        assert (told["time"][0] == "not-checked") == ("metadata" in names), told
        assert (told["place"] == ("not-checked", ["place-claimed"])) == ("metadata" in names), told
        assert any(drawing["kind"] == "depth" for drawing in seen["drawings"]) == ("depth_map" in names), seen["drawings"]
        for drawing in seen["drawings"]:
            reply = expect(server.request("GET", drawing["url"]), 200)
            assert reply.headers["content-type"] == "image/png" and reply.body.startswith(b"\x89PNG")
        for name in PARTS:
            status = 200 if name in names else 404
            reply = expect(server.request("GET", f"/v1/captures/{seen['id']}/parts/{name}"), status)
            assert status == 404 or reply.body == parts[name]
        if "detection" in names:
            assert seen["claimed"]["detection"]["aggregated"]["confidence_level"] == "high"


@test
def both_kinds_of_depth_maps_are_read_and_an_unreadable_one_is_said_to_be(server):
    for seed, (map_, readable) in enumerate((
            (depth(), True), (depth_frame(), True), (b"MDF1", False), (b"\0" * 100, False), (photo(4), False)), 5):
        seen = look(server, post(server, {"photo": photo(seed), "depth_map": map_}))
        assert any(drawing["kind"] == "depth" for drawing in seen["drawings"]) == readable, (seed, seen["drawings"])
        reading = [check for check in seen["results"]["checks"] if check["check"] == "depth"]
        assert readable or reading[0]["reason"] == "unreadable", reading


@test
def parts_in_any_order(server):
    parts = Phone(server).sign(everything(11))
    for order in (list(parts), list(parts)[::-1]):
        told = lines(post(server, [(name, parts[name]) for name in order]))
        assert told["integrity"][0] == "pass" and told["signer"][0] == "pass", told


@test
def a_captures_id_is_all_that_is_needed_to_look_and_cannot_be_guessed(server):
    taken = post(server, {"photo": photo(12)})
    assert len(taken["id"]) == 36
    for other in (taken["id"][:-1] + ("A" if taken["id"][-1] != "A" else "B"), "cap_", "x", "..%2Fmien.sqlite", taken["id"] + "x"):
        expect(server.request("GET", "/v1/captures/" + other), 404)
    expect(server.request("GET", f"/v1/captures/{taken['id']}/parts/signature"), 404)
    expect(server.request("GET", f"/v1/captures/{taken['id']}/drawings/nothing"), 404)


# ── signatures ────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def a_signed_capture_passes_in_both_spellings_of_a_signature(server):
    phone = Phone(server)
    for seed, der in ((13, False), (14, True)):
        told = lines(look(server, post(server, phone.sign(everything(seed), der=der))))
        assert told["integrity"] == ("pass", ["parts-as-signed"]), told
        assert told["signer"] == ("pass", ["registered-key"]) and told["device"] == ("pass", ["counter-went-on"])
        assert told["time"] == ("pass", ["came-within-minutes"]), told


@test
def a_tampered_byte_is_told_for_each_part(server):
    phone = Phone(server)
    for seed, name in enumerate(PARTS, 15):
        parts = phone.sign(everything(seed))
        swap = {"photo": photo(seed + 100), "depth_map": depth(near=700), "metadata": parts["metadata"] + b" ",
                "detection": json.dumps({**DETECTION, "moire": None}).encode()}[name]
        told = lines(post(server, {**parts, name: swap}))
        assert told["integrity"] == ("fail", [name.replace("_map", "") + "-changed"]), (name, told)
        assert told["signer"][0] == "pass" and told["time"][0] == "not-checked", told
    parts = phone.sign(everything(20))
    del parts["detection"], parts["depth_map"]
    assert lines(post(server, parts))["integrity"] == ("fail", ["depth-changed", "detection-changed"])
    bare = phone.sign({"photo": photo(21)})
    told = lines(post(server, {**bare, "detection": DETECTION}))
    assert told["integrity"] == ("fail", ["detection-changed"]), told


@test
def one_changed_byte_of_the_picture_is_enough(server):
    parts = Phone(server).sign({"photo": photo(22)})
    picture = bytearray(parts["photo"])
    picture[len(picture) // 2] ^= 1
    told = lines(look(server, post(server, {**parts, "photo": bytes(picture)})))
    assert told["integrity"] == ("fail", ["photo-changed"]), told


@test
def a_replayed_capture_is_told_as_one(server):
    phone = Phone(server)
    first = phone.sign(everything(23))
    assert lines(post(server, first))["device"][0] == "pass"
    told = lines(post(server, first))
    assert told["device"] == ("fail", ["counter-repeated"]), told
    assert told["integrity"] == ("pass", ["parts-as-signed", "same-photo-before"]), "nobody changed it"
    phone.counter = 40
    assert lines(post(server, phone.sign(everything(24))))["device"][0] == "pass"
    told = lines(post(server, phone.sign(everything(25), counter=7)))
    assert told["device"] == ("fail", ["counter-went-back"]) and told["signer"][0] == "pass", told


@test
def a_tampered_capture_does_not_use_up_its_counter(server):
    phone = Phone(server)
    parts = phone.sign(everything(26))
    assert lines(post(server, {**parts, "photo": photo(27)}))["device"][0] == "pass"
    told = lines(post(server, parts))
    assert told["device"][0] == "pass" and told["integrity"][0] == "pass", told


@test
def a_signature_that_is_none_says_nothing_about_the_parts(server):
    phone, other = Phone(server), Phone(server)
    stranger = Phone(server, register=False)
    parts = everything(28)
    told = lines(post(server, stranger.sign(parts)))
    assert told["signer"] == ("unavailable", ["device-unknown"]) and told["integrity"][0] == "not-checked", told
    forged = json.loads(phone.sign(parts)["signature"])
    forged["device"] = other.name
    told = lines(post(server, {**parts, "signature": forged}))
    assert told["signer"] == ("fail", ["signature-invalid"]), told
    assert told["integrity"] == ("not-checked", ["signature-says-nothing", "same-photo-before"]), told
    assert told["device"][0] == "not-checked"
    told = lines(post(server, {**parts, "signature": {**json.loads(phone.sign(parts)["signature"]), "counter": 900}}))
    assert told["signer"][0] == "fail", "the counter is signed too"


@test
def of_two_at_once_with_one_counter_one_is_the_second(server):
    phone = Phone(server)
    parts = phone.sign(everything(29))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        told = list(pool.map(lambda _: lines(post(server, parts))["device"], range(4)))
    assert sorted(status for status, _ in told) == ["fail", "fail", "fail", "pass"], told


@test
def a_device_keeps_its_key(server):
    phone = Phone(server)
    conforms("Device", expect(phone.register(), 201).json)
    name, phone.secret = phone.name, ec.generate_private_key(ec.SECP256R1())
    reply = expect(phone.register(), 409)
    assert reply.json["code"] == "device-taken"
    expect(server.request("DELETE", "/v1/devices/" + name), 401)
    expect(server.request("DELETE", "/v1/devices/" + name, token=server.key), 204)
    expect(phone.register(), 201)
    expect(server.request("DELETE", "/v1/devices/nobody", token=server.key), 404)


@test
def keys_that_are_none_are_refused(server):
    good = {"kty": "EC", "crv": "P-256", "x": b64(b"\1" * 32), "y": b64(b"\2" * 32)}
    for body, status in (({"device": "a", "key": good}, 422), ({"device": "a b", "key": good}, 422),
                         ({"device": "challenges", "key": good}, 422),
                         ({"device": "a", "key": {**good, "kty": "RSA"}}, 422), ({"device": "a"}, 400),
                         ({"device": "a", "key": {**good, "d": "x"}}, 400), ({"device": "a", "key": {**good, "x": 7}}, 400)):
        expect(server.request("POST", "/v1/devices", body), status)


# ── claims ────────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def claims_are_kept_beside_what_was_found(server):
    claimed = {**DETECTION, "moire": {**DETECTION["moire"], "detected": True}, "aggregated": {
        **DETECTION["aggregated_confidence"], "confidence_level": "suspicious"}}
    del claimed["aggregated_confidence"]
    seen = look(server, post(server, {"photo": photo(31), "detection": claimed, "metadata": {
        "detection_available": True, "detection_confidence_level": "very_high"}}))
    told = lines(seen)
    assert seen["claimed"]["detection"]["moire"]["detected"] is True
    assert told["claims"] == ("fail", ["claims-differ"]), (told, seen["disagreements"])
    assert {"subject": "detection", "claimed": "very_high", "found": "suspicious"} in seen["disagreements"]
    # A claim can only disagree with a check that the server itself decided.
    if checks(seen)["moire"]["result"] == "genuine":
        assert {"subject": "moire", "claimed": "true", "found": "false"} in seen["disagreements"]


@test
def a_time_in_the_future_fails_and_an_old_one_is_only_claimed(server):
    now = int(time.time() * 1000)
    for offset, status in ((3_600_000, "fail"), (60_000, "not-checked"), (-86_400_000, "not-checked")):
        told = lines(post(server, {"photo": photo(32), "metadata": {"captured_at_ms": now + offset}}))
        assert told["time"][0] == status, (offset, told)


@test
def hash_only_captures_keep_the_picture_at_home(server):
    parts = everything(33)
    picture = parts.pop("photo")
    map_ = parts.pop("depth_map")
    phone = Phone(server)
    signature = phone.sign({**parts, "photo": picture, "depth_map": map_})["signature"]
    digests = {"photo": sha(picture), "depth_map": sha(map_)}
    before = files(server)
    seen = expect(server.request("GET", "/v1/captures/" + post(
        server, {**parts, "digests": digests, "signature": signature})["id"]), 200).json
    told = lines(seen)
    assert files(server) == before and seen["state"] == "hash-only" and "url" not in seen["photo"]
    assert told["integrity"][0] == "pass" and told["scene"] == ("not-checked", ["no-picture"]), told
    assert told["claims"] == ("not-checked", ["no-picture"]) and "results" not in seen
    found = expect(server.request("POST", "/v1/verify-file", picture, {"Content-Type": "image/png"}), 200).json
    assert found["captures"] == [seen["id"]], "who has the picture finds it"


# ── bursts and videos ─────────────────────────────────────────────────────────────────────────────────────────────────

def checks(capture):
    return {check["check"]: check for check in capture["results"]["checks"]}


@test
def a_burst_tells_a_scene_from_a_plane_that_moves(server):
    scene, plane = planes(near=1), planes()
    for frames, result in ((scene, "genuine"), (plane, "undecided")):
        seen = look(server, post(server, {"photo": frames[-1], "burst": frames, "metadata": {
            "burst_times": [33 * number for number in range(len(frames))]}}))
        burst = seen["results"]["burst"]
        assert checks(seen)["parallax"]["result"] == result, (burst, checks(seen)["parallax"])
        assert burst["frames"] == len(frames) and abs(burst["seconds"] - 0.165) < 1e-9, burst
        assert seen["results"]["cross_validation"]["temporal_consistency"]["frames"] == 3, seen["results"]["cross_validation"]
        assert [frame["sha256"] for frame in seen["burst"]["frames"]] == [sha(frame) for frame in frames]
        assert seen["burst"]["sha256"] == sha(frames)
        for frame, sent in zip(seen["burst"]["frames"], frames):
            reply = expect(server.request("GET", frame["url"]), 200)
            assert reply.body == sent and reply.headers["content-type"] == "image/jpeg"
        for number in ("6", "-1", "x", "99999999999999999999"):
            expect(server.request("GET", f"/v1/captures/{seen['id']}/parts/burst/{number}"), 404)


@test
def a_camera_that_stood_still_and_too_short_a_burst_have_no_answer(server):
    frame = planes(1)[0]
    for frames, reason in (([frame] * 4, "camera-did-not-move"), ([frame] * 2, "too-few-frames")):
        seen = look(server, post(server, {"photo": frame, "burst": frames}))
        assert checks(seen)["parallax"].get("reason") == reason, checks(seen)["parallax"]
    seen = look(server, post(server, {"photo": frame, "burst": [frame, frame, b"\xff\xd8\xff" + b"\0" * 50]}))
    assert checks(seen)["flicker"]["reason"] == "unreadable" and "burst" not in seen["results"], seen["results"]


@test
def as_many_pictures_as_a_burst_may_have(server):
    frames = planes(8) * 3
    seen = look(server, post(server, {**everything(54), "burst": frames}))
    assert seen["results"]["burst"]["frames"] == 24 and len(seen["burst"]["frames"]) == 24, seen["results"]["burst"]


@test
def a_film_is_looked_at_like_a_burst(server):
    frames = planes(12, near=1)
    for kind in ("mp4", "webm"):
        clip = film(frames, kind)
        seen = look(server, post(server, {"photo": frames[-1], "clip": clip}))
        assert seen["clip"]["type"] == "video/" + kind and seen["clip"]["sha256"] == sha(clip) and "burst" not in seen
        burst = seen["results"]["burst"]
        assert burst["frames"] == 12 and abs(burst["seconds"] - 11 / 15) < 0.01, burst
        assert checks(seen)["parallax"]["result"] == "genuine", checks(seen)["parallax"]
        reply = expect(server.request("GET", seen["clip"]["url"]), 200)
        assert reply.body == clip and reply.headers["content-type"] == "video/" + kind
    for broken in (clip[:40], b"\x1a\x45\xdf\xa3" + b"\0" * 500, b"\0\0\0\x18ftypisom" + b"\xff" * 500):
        seen = look(server, post(server, {"photo": frames[0], "clip": broken}))
        assert checks(seen)["parallax"]["reason"] == "unreadable", checks(seen)


@test
def a_burst_and_a_film_are_signed_as_parts_of_their_own(server):
    phone, frames = Phone(server), planes(4)
    clip = film(frames)
    for parts in ({"burst": frames}, {"clip": clip}):
        signed = phone.sign({"photo": frames[0], **parts})
        told = lines(post(server, signed))
        assert told["integrity"][0] == "pass" and told["signer"][0] == "pass", told
        name = next(iter(parts))
        for other in ({"burst": frames[:3]}, {"burst": frames[::-1]}, {"clip": clip + b"x"}):
            swapped = {key: value for key, value in signed.items() if key != name} | other
            told = lines(post(server, swapped))
            changed = [f"{part}-changed" for part in ("burst", "clip") if part in (name, *other)]
            assert told["integrity"][1][:len(changed)] == changed, (changed, told)
    # The boundaries between images of a burst are signed, too.
    two = [frames[0], frames[1] + frames[2]]
    signed = phone.sign({"photo": frames[0], "burst": two})
    told = lines(post(server, {**signed, "burst": [frames[0], frames[1], frames[2]]}))
    assert told["integrity"][:1] == ("fail",) and told["integrity"][1][0] == "burst-changed", told
    bare = phone.sign({"photo": photo(51)})
    told = lines(post(server, {**bare, "burst": frames}))
    assert told["integrity"] == ("fail", ["burst-changed"]), "added to a capture that was signed without"
    signature = phone.sign({"photo": photo(52), "burst": frames})["signature"]
    told = lines(post(server, {"digests": {"photo": sha(photo(52)), "burst": sha(frames)}, "signature": signature}))
    assert told["integrity"][0] == "pass", told


@test
def bursts_and_films_that_are_refused_leave_nothing(server):
    frames, picture = planes(3), photo(53)
    clip = b"\0\0\0\x18ftypisom"
    for parts, status, code in (
            ([("burst", frames[0])] * 25, 400, "bad-form"),
            ([("burst", picture)], 422, "not-a-picture"),
            ([("burst", frames[0]), ("burst", b"")], 422, "not-a-picture"),
            ([("burst", frames[0]), ("burst", b"\xff\xd8\xff" + b"\0" * (5 << 20))], 413, "body-too-large"),
            ([("burst", b"\xff\xd8\xff" + b"\0" * 4_000_000)] * 9, 413, "body-too-large"),
            ([("burst", frames[0]), ("clip", clip)], 422, "bad-value"),
            ([("clip", b"RIFFxxxxAVI ")], 422, "bad-value"),
            ([("clip", clip), ("clip", clip)], 400, "bad-form"),
            ([("clip", clip + b"\0" * (33 << 20))], 413, "body-too-large"),
            ([("burst", frames[0]), ("metadata", {"burst_times": [1, 2]})], 422, "bad-value"),
            ([("burst", frames[0]), ("burst", frames[1]), ("metadata", {"burst_times": [2, 1]})], 400, "bad-json"),
            ([("burst", frames[0]), ("burst", frames[1]), ("metadata", {"burst_times": [0, 60_001]})], 400, "bad-json"),
            ([("metadata", {"burst_times": "now"})], 400, "bad-json")):
        found = {}
        nothing_kept(server, lambda: found.update(post(server, [("photo", picture), *parts], status)))
        assert found["code"] == code, (code, found)


# ── files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

def verify(server, data, status=200):
    reply = server.request("POST", "/v1/verify-file", data, {"Content-Type": "application/octet-stream"})
    conforms("VerifiedFile" if status == 200 else "Problem", expect(reply, status).json)
    return reply.json


@test
def a_known_file_and_an_unknown_one_are_told_apart(server):
    picture = photo(34)
    unknown = {}
    nothing_kept(server, lambda: unknown.update(verify(server, picture)))
    assert unknown["file"] == "unknown" and unknown["captures"] == [] and unknown["sha256"] == sha(picture)
    assert unknown["lines"][0]["name"] == "scene" and "checks" in unknown["results"]
    one, two = post(server, {"photo": picture}), post(server, {"photo": picture})
    known = verify(server, picture)
    assert known["file"] == "known" and known["captures"] == [one["id"], two["id"]] and "results" not in known
    assert verify(server, picture + b"x")["file"] == "unknown", "one byte more is another file"


@test
def what_is_no_picture_is_looked_at_and_said_to_be_unreadable(server):
    for data in (b"hello", photo(35)[:500], b"\xff\xd8\xff" + b"\0" * 100):
        told = verify(server, data)
        assert told["file"] == "unknown" and told["lines"][0]["reasons"] == ["picture-unreadable"], told
    assert verify(server, b"", 422)["code"] == "bad-value"
    nothing_kept(server, lambda: verify(server, b"\xff\xd8\xff" * (11 << 20), 413))


@test
def a_picture_that_cannot_be_read_is_still_a_capture(server):
    picture = photo(36)[:-200]
    seen = look(server, post(server, {"photo": picture}))
    assert lines(seen)["scene"] == ("unavailable", ["picture-unreadable"]) and seen["results"]["status"] == "unavailable"


# A synthetic JPEG of 16 × 16 pixels in cyan, magenta, yellow and black.
CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAGBAUGBQQGBgUGBwcGCAoQCgoJCQoUDg8MEBcUGBgXFBYWGh0lHxobIxwWFiAsICMmJykqKRkfLTAtKDAl"
    "KCko/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABcAAQEBAQAAAAAAAAAAAAAAAAAIBgf/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oADgRDAE0AWQBL"
    "AAA/AKpaRx5R4AAAD//Z")


def camera_picture(*options, width=1280, height=1040, grey=False):
    """Returns a JPEG of a phone's video size with drawn tiles, tones and noise; `options` are passed to OpenCV."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    noise = np.random.default_rng(5).normal(0, 6, (height, width)).astype(np.float32)
    tiles = 45 * ((x // 190 + y // 150) % 2)
    tone = 90 + 50 * np.sin(x / 170) * np.cos(y / 140) + tiles + noise
    picture = tone if grey else np.stack([200 - tone / 2, 40 + tone / 2, tone], -1)
    options = [cv2.IMWRITE_JPEG_QUALITY, 85, *options]
    return bytes(cv2.imencode(".jpg", picture.clip(0, 255).astype(np.uint8), options)[1])


def turned(jpeg, orientation):
    """Returns the JPEG with an EXIF segment that sets the orientation."""
    tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0" + bytes([orientation]) + b"\0\0\0\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]


def claiming(jpeg, width, height):
    """Returns the JPEG with another size in its frame header."""
    frame = jpeg.index(b"\xff\xc0")
    return jpeg[:frame + 5] + struct.pack(">HH", height, width) + jpeg[frame + 9:]


@test
def odd_pictures_have_a_clear_answer(server):
    plain = camera_picture()
    unreadable = {
        "cut short": plain[:len(plain) // 2], "cut short by its end": plain[:-2], "a header alone": plain[:700],
        "huge by its header": claiming(plain, 65500, 65500), "larger than its data": claiming(plain, 1280, 4000),
        "CMYK": CMYK,
    }
    for name, picture in unreadable.items():
        seen = look(server, post(server, {"photo": picture}))
        assert lines(seen)["scene"] == ("unavailable", ["picture-unreadable"]), (name, lines(seen))
        assert seen["results"]["status"] == "unavailable" and seen["photo"]["type"] == "image/jpeg", (name, seen)
    # A uniform image is valid but gives no evidence; extreme aspect ratios do not raise the cost.
    for width, height in ((1, 1), (64, 30_000)):
        seen = look(server, post(server, {"photo": camera_picture(width=width, height=height)}))
        assert {check["reason"] for name, check in checks(seen).items() if name in PICTURE_CHECKS} == {"picture-too-small"}, seen


PICTURE_CHECKS = ["moire", "texture", "banding", "specular", "halftone", "bezel", "double-compression"]


def measures(seen):
    """Returns the native values of the image checks by check name."""
    return {name: checks(seen)[name]["native"] for name in PICTURE_CHECKS if "native" in checks(seen)[name]}


@test
def a_scene_has_the_same_answer_however_its_file_is_written(server):
    plain = measures(look(server, post(server, {"photo": camera_picture()})))
    assert {"moire", "texture", "banding", "bezel"} <= plain.keys(), plain
    # Largest accepted differences: decoders may differ by one level in a few samples.
    near = {"moire": 0.02, "texture": 0.1, "banding": 0.3, "bezel": 1}
    for name, picture in {
        "progressive": camera_picture(cv2.IMWRITE_JPEG_PROGRESSIVE, 1),
        "restart markers": camera_picture(cv2.IMWRITE_JPEG_RST_INTERVAL, 7),
        "upside down, and something behind its end": turned(camera_picture(), 3) + b"trailer" * 99,
    }.items():
        found = measures(look(server, post(server, {"photo": picture})))
        for check, tolerance in near.items():
            assert abs(found[check] - plain[check]) <= tolerance, (name, check, found, plain)


@test
def monochrome_deep_and_turned_pictures_are_looked_at(server):
    deep = bytes(cv2.imencode(".png", np.random.default_rng(1).integers(0, 65536, (160, 200, 3), dtype=np.uint16))[1])
    turned_one = turned(camera_picture(width=1283, height=1031), 6)
    for picture, kind in ((camera_picture(grey=True), "image/jpeg"), (deep, "image/png"), (turned_one, "image/jpeg")):
        seen = look(server, post(server, {"photo": picture}))
        assert {"moire", "texture", "bezel"} <= measures(seen).keys() and seen["photo"]["type"] == kind, seen
    drawing = next(drawing for drawing in seen["drawings"] if drawing["kind"] == "tiles")
    tiles = cv2.imdecode(np.frombuffer(expect(server.request("GET", drawing["url"]), 200).body, np.uint8), 1)
    assert tiles.shape[0] > tiles.shape[1], "a picture taken upright is drawn upright"


# ── bad input ─────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def what_is_refused_leaves_nothing(server):
    good, picture = everything(37), photo(37)
    cases = [
        ([], 422, "bad-value"),
        ([("metadata", "{}")], 422, "bad-value"),
        ([("photo", picture), ("photo", picture)], 400, "bad-form"),
        ([("photo", picture), ("extra", "1")], 400, "bad-form"),
        ([("photo", b"")], 422, "not-a-picture"),
        ([("photo", b"RIFFxxxxWEBP")], 422, "not-a-picture"),
        ([("photo", b"\0\0\0\x18ftypheic")], 422, "not-a-picture"),
        ([("photo", picture), ("depth_map", b"")], 422, "bad-value"),
        ([("photo", picture), ("metadata", "")], 400, "bad-json"),
        ([("photo", picture), ("metadata", "[]")], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"captured_at_ms": "now"}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"captured_at_ms": -1}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"location": {"latitude": 91, "longitude": 0}}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"a": NaN}')], 400, "bad-json"),
        ([("photo", picture), ("metadata", "[" * 5000)], 400, "bad-json"),
        ([("photo", picture), ("metadata", '{"a": "' + "x" * 70_000 + '"}')], 413, "body-too-large"),
        ([("photo", picture), ("detection", '{"moire": {"detected": 1}}')], 400, "bad-json"),
        ([("photo", picture), ("detection", '{"moire": {"detected": true, "confidence": 2}}')], 400, "bad-json"),
        ([("photo", picture), ("detection", '{"a": "' + "x" * 10_000_000 + '"}')], 413, "body-too-large"),
        ([("photo", picture), ("signature", "{}")], 400, "bad-json"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 0, "photo": sha(picture), "signature": ""})], 422, "bad-value"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 1, "photo": "xyz", "signature": ""})], 422, "bad-value"),
        ([("photo", picture), ("signature", {"device": "a", "counter": 1, "photo": sha(picture), "signature": "", "k": 1})], 400, "unknown-key"),
        ([("photo", picture), ("digests", {"photo": sha(picture)})], 422, "bad-value"),
        ([("depth_map", good["depth_map"]), ("digests", {"photo": sha(picture)})], 422, "bad-value"),
        ([("digests", {"photo": "00"})], 422, "bad-value"),
        ([("photo", b"\xff\xd8\xff" + b"\0" * (33 << 20))], 413, "body-too-large"),
    ]
    for parts, status, code in cases:
        found = {}
        nothing_kept(server, lambda: found.update(post(server, parts, status)))
        assert found["code"] == code, (code, found)


@test
def forms_of_all_shapes(server):
    picture = photo(38)
    part = b'Content-Disposition: form-data; name="photo"\r\n\r\n' + picture + b"\r\n"
    for body, boundary, status in (
            (b"preamble\r\n--b\r\n" + part + b"--b--\r\nepilogue", "b", 201),
            (b"--b\r\n" + part + b"--b--", "b", 201),
            (b"\r\n--b \t\r\n" + part + b"--b--", "b", 201),
            (b"--" + b"x" * 70 + b"\r\n" + part + b"--" + b"x" * 70 + b"--", "x" * 70, 201),
            (b'--b\r\ncontent-DISPOSITION: form-data; name=photo; filename="a\\"b.jpg"; filename*=UTF-8\'\'%F0%9F%8D%95\r\n'
             b"Content-Length: 5\r\n\r\n" + picture + b"\r\n--b--", "b", 201),
            (b"--b\n" + part.replace(b"\r\n", b"\n") + b"--b--", "b", 400),
            (b"--b\r\n" + part + b"--c--", "b", 400),
            (b"", "b", 400),
            (b"--b\r\n" + b"X: " + b"y" * 9000 + b"\r\n" + part + b"--b--", "b", 400),
            (b"--b\r\nContent-Transfer-Encoding: base64\r\n" + part + b"--b--", "b", 400),
            (b"--b\r\n" + part + b"--b--", "", 400),
            (b"--b\r\n" + part + b"--b--", "x" * 71, 400)):
        nothing = status != 201
        act = lambda: post(server, None, status, body=body, boundary=boundary)
        nothing_kept(server, act) if nothing else act()
    for kind, status in (("image/png", 415), ("multipart/mixed; boundary=b", 415), ("multipart/form-data", 400)):
        nothing_kept(server, lambda: post(server, None, status, body=b"--b\r\n" + part + b"--b--", content_type=kind))


@test
def a_form_without_length_in_crumbs(server):
    body = form(list(Phone(server).sign(everything(39)).items()))

    def crumbs():
        place = 0
        while place < len(body):
            size = 1 + place * 7919 % 3000
            yield body[place:place + size]
            place += size
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    # An iterable without a length is sent chunked.
    connection.request("POST", "/v1/captures", crumbs(), {
        "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
    reply = connection.getresponse()
    told = json.loads(reply.read())
    assert reply.status == 201 and lines(told)["integrity"][0] == "pass", told


@test
def a_form_that_is_cut_off_leaves_nothing(server):
    body = form([("photo", photo(40, 640, 480)), ("depth_map", depth()), ("metadata", "{}")])
    head = (f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=\"{BOUNDARY}\"\r\n"
            f"Content-Length: {len(body)}\r\n\r\n").encode()
    for cut in (10, 200, len(body) // 2, len(body) - 500, len(body) - 5):
        def act():
            with socket.create_connection(("127.0.0.1", server.port), 10) as line:
                line.sendall(head + body[:cut])
                time.sleep(0.1)
        nothing_kept(server, act)
        nothing_kept(server, lambda: post(server, None, 400, body=body[:cut]))


# ── limits, retention, the sandbox ────────────────────────────────────────────────────────────────────────────────────

@test
def an_address_sends_and_verifies_so_many_captures_and_no_more(server):
    own = Server(server.binary, arguments=["--capture-limit", "3"])
    try:
        for seed in (61, 62, 63):
            taken = post(own, {"photo": photo(seed)})
        refused = own.request("POST", "/v1/captures", form([("photo", photo(64))]), {
            "Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        assert expect(refused, 429).json["code"] == "too-many-requests" and int(refused.headers["retry-after"]) > 60
        assert len(files(own)) == 3, files(own)
        for _ in range(3):
            verify(own, photo(61))
        verify(own, photo(61), 429)
        post(own, {"photo": photo(65)}, key=own.key)
        expect(own.request("GET", "/v1/captures/" + taken["id"]), 200)
    finally:
        own.stop()
        own.clean()


@test
def captures_go_when_they_were_kept_long_enough(server):
    own = Server(server.binary, arguments=["--capture-days", "1"])
    try:
        old, young = post(own, {**everything(66), "burst": planes(3)}), post(own, {"photo": photo(67)})
        look(own, old), look(own, young)
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite"), timeout=20) as db:
            db.execute("UPDATE capture SET received_ms = received_ms - 86400001 WHERE id = ?", (old["id"],))
        deadline = time.monotonic() + 60
        while own.request("GET", "/v1/captures/" + old["id"]).status != 404 or len(files(own)) > 1:
            assert time.monotonic() < deadline, files(own)
            time.sleep(0.1)
        expect(own.request("GET", "/v1/captures/" + young["id"]), 200)
    finally:
        own.stop()
        own.clean()


@test
def the_sandbox_has_captures_of_its_own(server):
    key = keys(server, "api", "--sandbox")["api_key"]
    picture = photo(68)
    taken = post(server, {"photo": picture}, key=key)
    assert taken["id"].startswith("captest_") and len(taken["id"]) == 36 and taken["page"] == "/verify/" + taken["id"]
    assert look(server, taken)["state"] == "analysed"
    assert expect(server.request("GET", taken["photo"]["url"]), 200).body == picture
    assert verify(server, picture)["file"] == "unknown", "the live space does not know it"
    found = expect(server.request("POST", "/v1/verify-file", picture, {"Content-Type": "image/png"}, key), 200).json
    assert found["captures"] == [taken["id"]], found
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=server.key), 404)
    expect(server.request("DELETE", "/v1/captures/" + taken["id"], token=key), 204)
    live = post(server, {"photo": picture})
    expect(server.request("DELETE", "/v1/captures/" + live["id"], token=key), 404)
    phone = Phone(server)
    expect(server.request("DELETE", "/v1/devices/" + phone.name, token=key), 404)
    expect(phone.register(key), 201)
    told = lines(post(server, phone.sign({"photo": photo(69)}), key=key))
    assert told["signer"] == ("pass", ["registered-key"]), told
    post(server, {"photo": picture}, 401, key="mientest_wrong")


# ── deletion, crashes, keys ───────────────────────────────────────────────────────────────────────────────────────────

@test
def erasing_takes_everything(server):
    taken = post(server, everything(41))
    look(server, taken)
    place = "/v1/captures/" + taken["id"]
    before = files(server)
    for token in (None, "rcp_" + "x" * 43, "mien_wrong"):
        expect(server.request("DELETE", place, token=token), 401)
    expect(server.request("DELETE", place, token=taken["receipt"]), 204)
    assert len(files(server)) == len(before) - 2
    for path in (place, place + "/parts/photo", place + "/drawings/depth"):
        expect(server.request("GET", path), 404)
    expect(server.request("DELETE", place, token=taken["receipt"]), 404)
    other = post(server, {"photo": photo(42)})
    expect(server.request("DELETE", "/v1/captures/" + other["id"], token=server.key), 204)
    assert taken["id"].encode() not in pathlib.Path(server.data, "mien.sqlite-wal").read_bytes()


@test
def what_was_acknowledged_survives_and_what_was_not_is_swept(server):
    own = Server(server.binary)
    try:
        taken = post(own, everything(43))
        body = form([("photo", photo(44))])
        with socket.create_connection(("127.0.0.1", own.port), 10) as line:
            line.sendall((f"POST /v1/captures HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=\"{BOUNDARY}\"\r\n"
                          f"Content-Length: {len(body)}\r\n\r\n").encode() + body[:-50])
            time.sleep(0.3)
            own.kill()
        (pathlib.Path(own.data) / "blobs" / "zz").mkdir(mode=0o700, exist_ok=True)
        (pathlib.Path(own.data) / "blobs" / "zz" / "borphanorphanorphanorphanorphazz").write_bytes(b"x")
        own.start()
        seen = look(own, taken)
        assert seen["state"] == "analysed", "what waited is analysed by the next process"
        assert len(files(own)) == 2, files(own)
        assert expect(own.request("GET", f"/v1/captures/{taken['id']}/parts/photo"), 200).body == photo(43)
    finally:
        own.stop()
        own.clean()


@test
def a_backup_brings_captures_back_with_their_files(server):
    own = Server(server.binary)
    place = pathlib.Path(tempfile.mkdtemp(prefix="mien-captures-"))
    try:
        parts = everything(46)
        taken = post(own, parts)
        look(own, taken)
        subprocess.run([own.binary, "backup", str(place / "copy"), "--data", own.data, "--with-keyrings"], check=True,
                       capture_output=True, timeout=60)
        own.kill()
        subprocess.run([own.binary, "restore", str(place / "copy"), "--data", str(place / "data")], check=True,
                       capture_output=True, timeout=60)
        again = Server(own.binary, data=str(place / "data"))
        try:
            assert look(again, taken)["state"] == "analysed"
            for name in PARTS:
                reply = expect(again.request("GET", f"/v1/captures/{taken['id']}/parts/{name}"), 200)
                assert reply.body == parts[name], name
        finally:
            again.stop()
    finally:
        own.clean()
        shutil.rmtree(place, ignore_errors=True)


@test
def without_demonstration_captures_need_a_key_and_looking_does_not(server):
    own = Server(server.binary, arguments=["--no-demo"])
    try:
        picture = photo(45)
        post(own, {"photo": picture}, 401)
        post(own, {"photo": picture}, 401, key="mien_wrong")
        taken = post(own, {"photo": picture}, key=own.key)
        look(own, taken)
        assert verify(own, picture)["captures"] == [taken["id"]]
        phone = Phone(own, register=False)
        expect(phone.register(), 401)
        expect(phone.register(own.key), 201)
    finally:
        own.stop()
        own.clean()


if __name__ == "__main__":
    Server.sees = False
    main(TESTS + attestations.TESTS + bounds.TESTS)
