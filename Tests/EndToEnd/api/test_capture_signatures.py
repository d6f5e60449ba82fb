"""Tests of signed, tampered and replayed captures, and of device keys."""

import concurrent.futures
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from support.capture_files import DETECTION, PARTS, Phone, all_parts, b64, depth, photo
from support.captures import await_analysis, lines, post
from support.replies import conforms, expect

pytestmark = pytest.mark.without_models


def test_accepts_both_encodings_of_a_signature(server):
    phone = Phone(server)
    for seed, der in ((13, False), (14, True)):
        reported = lines(await_analysis(server, post(server, phone.sign(all_parts(seed), der=der))))
        assert reported["integrity"] == ("pass", ["parts-as-signed"]), reported
        assert reported["signer"] == ("pass", ["registered-key"]) and reported["device"] == ("pass", ["counter-went-on"])
        assert reported["time"] == ("pass", ["came-within-minutes"]), reported


def test_detects_a_tampered_byte_in_each_part(server):
    phone = Phone(server)
    for seed, name in enumerate(PARTS, 15):
        parts = phone.sign(all_parts(seed))
        swap = {"photo": photo(seed + 100), "depth_map": depth(near=700), "metadata": parts["metadata"] + b" ",
                "detection": json.dumps({**DETECTION, "moire": None}).encode()}[name]
        reported = lines(post(server, {**parts, name: swap}))
        assert reported["integrity"] == ("fail", [name.replace("_map", "") + "-changed"]), (name, reported)
        assert reported["signer"][0] == "pass" and reported["time"][0] == "not-checked", reported
    parts = phone.sign(all_parts(20))
    del parts["detection"], parts["depth_map"]
    assert lines(post(server, parts))["integrity"] == ("fail", ["depth-changed", "detection-changed"])
    bare = phone.sign({"photo": photo(21)})
    reported = lines(post(server, {**bare, "detection": DETECTION}))
    assert reported["integrity"] == ("fail", ["detection-changed"]), reported


def test_detects_one_changed_byte_of_the_photo(server):
    parts = Phone(server).sign({"photo": photo(22)})
    picture = bytearray(parts["photo"])
    picture[len(picture) // 2] ^= 1
    reported = lines(await_analysis(server, post(server, {**parts, "photo": bytes(picture)})))
    assert reported["integrity"] == ("fail", ["photo-changed"]), reported


def test_reports_replayed_captures(server):
    phone = Phone(server)
    first = phone.sign(all_parts(23))
    assert lines(post(server, first))["device"][0] == "pass"
    reported = lines(post(server, first))
    assert reported["device"] == ("fail", ["counter-repeated"]), reported
    assert reported["integrity"] == ("pass", ["parts-as-signed", "same-photo-before"]), "no one changed it"
    phone.counter = 40
    assert lines(post(server, phone.sign(all_parts(24))))["device"][0] == "pass"
    reported = lines(post(server, phone.sign(all_parts(25), counter=7)))
    assert reported["device"] == ("fail", ["counter-went-back"]) and reported["signer"][0] == "pass", reported


def test_tampered_capture_does_not_use_up_its_counter(server):
    phone = Phone(server)
    parts = phone.sign(all_parts(26))
    assert lines(post(server, {**parts, "photo": photo(27)}))["device"][0] == "pass"
    reported = lines(post(server, parts))
    assert reported["device"][0] == "pass" and reported["integrity"][0] == "pass", reported


def test_malformed_signature_says_nothing_about_the_parts(server):
    phone, other = Phone(server), Phone(server)
    unregistered = Phone(server, register=False)
    parts = all_parts(28)
    reported = lines(post(server, unregistered.sign(parts)))
    assert reported["signer"] == ("unavailable", ["device-unknown"]) and reported["integrity"][0] == "not-checked", reported
    forged = json.loads(phone.sign(parts)["signature"])
    forged["device"] = other.name
    reported = lines(post(server, {**parts, "signature": forged}))
    assert reported["signer"] == ("fail", ["signature-invalid"]), reported
    assert reported["integrity"] == ("not-checked", ["signature-says-nothing", "same-photo-before"]), reported
    assert reported["device"][0] == "not-checked"
    reported = lines(post(server, {**parts, "signature": {**json.loads(phone.sign(parts)["signature"]), "counter": 900}}))
    assert reported["signer"][0] == "fail", "the counter is signed too"


def test_one_of_two_concurrent_captures_with_one_counter_is_reported(server):
    phone = Phone(server)
    parts = phone.sign(all_parts(29))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        reported = list(pool.map(lambda _: lines(post(server, parts))["device"], range(4)))
    assert sorted(status for status, _ in reported) == ["fail", "fail", "fail", "pass"], reported


def test_device_keeps_its_key(server):
    phone = Phone(server)
    conforms("Device", expect(phone.register(), 201).json)
    name, phone.secret = phone.name, ec.generate_private_key(ec.SECP256R1())
    reply = expect(phone.register(), 409)
    assert reply.json["code"] == "device-exists"
    expect(server.request("DELETE", "/v1/devices/" + name), 401)
    expect(server.request("DELETE", "/v1/devices/" + name, token=server.key), 204)
    expect(phone.register(), 201)
    expect(server.request("DELETE", "/v1/devices/nobody", token=server.key), 404)


def test_rejects_malformed_keys(server):
    good = {"kty": "EC", "crv": "P-256", "x": b64(b"\1" * 32), "y": b64(b"\2" * 32)}
    for body, status in (({"device": "a", "key": good}, 422), ({"device": "a b", "key": good}, 422),
                         ({"device": "challenges", "key": good}, 422),
                         ({"device": "a", "key": {**good, "kty": "RSA"}}, 422), ({"device": "a"}, 400),
                         ({"device": "a", "key": {**good, "d": "x"}}, 400), ({"device": "a", "key": {**good, "x": 7}}, 400)):
        expect(server.request("POST", "/v1/devices", body), status)
