"""Tests of attested and unattested apps, with a test certificate authority."""

import base64
import concurrent.futures
import contextlib
import copy
import json
import os
import subprocess
import tempfile

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from support.app_attest import APP, Apple, AttestedPhone, DEVELOPMENT, reported
from support.capture_files import Phone, b64, photo
from support.captures import post
from support.replies import conforms, expect
from support.server import Server

pytestmark = pytest.mark.without_models


@contextlib.contextmanager
def attesting(binary, apple, *arguments):
    """Starts a server that trusts this certificate authority."""
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        file.write(apple.pem())
        file.flush()
        server = Server(binary, arguments=["--app-attest-root", file.name, "--app-attest-app", APP, *arguments])
        try:
            yield server
        finally:
            server.stop()
            server.clean()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def refused(phone, step, **changes):
    reply = expect(phone.attest(**changes), 422)
    assert reply.json["code"] == "attestation-rejected" and f'step "{step}"' in reply.json["detail"], reply.json


def test_attested_app_vouches_for_its_device_and_captures(server):
    apple = Apple()
    with attesting(server.binary, apple) as own:
        phone = AttestedPhone(own, apple)
        challenge = expect(phone.challenge(), 201).json
        conforms("DeviceChallenge", challenge)
        reply = expect(phone.attest(phone.body(challenge["challenge"])), 201).json
        conforms("Device", reply)
        assert reply["app_attest"]["environment"] == "production" and reply["app_attest"]["key_id"] == phone.key_id

        line, _ = reported(own, phone.sign({"photo": b"photo 71"}))
        assert line == ("pass", ["key-attested"]), line
        first = phone.assert_over(phone.sign({"photo": b"photo 72"}))
        line, capture = reported(own, first)
        assert line == ("pass", ["capture-asserted"]), line
        assert capture["signature"]["attestation"] == {"environment": "production", "assertion": "valid", "counter": 1}
        again = expect(own.request("GET", "/v1/captures/" + capture["id"]), 200).json
        conforms("Capture", again)
        assert again["signature"] == capture["signature"]

        assert reported(own, first)[0] == ("fail", ["assertion-repeated"])
        assert reported(own, phone.assert_over(phone.sign({"photo": b"photo 73"}), counter=9))[0][0] == "pass"
        assert reported(own, phone.assert_over(phone.sign({"photo": b"photo 74"}), counter=4))[0] == (
            "fail", ["assertion-went-back"])
        # An assertion over another capture, by another key, for another app, and under another key's ID.
        parts = phone.sign({"photo": b"photo 75"})
        assert reported(own, {**parts, "assertion": first["assertion"]})[0] == ("fail", ["assertion-invalid"])
        unregistered = ec.generate_private_key(ec.SECP256R1())
        assert reported(own, phone.assert_over(phone.sign(parts), 20, key=unregistered))[0] == ("fail", ["assertion-invalid"])
        assert reported(own, phone.assert_over(phone.sign(parts), 21, app=APP + "x"))[0] == ("fail", ["assertion-invalid"])
        other = AttestedPhone(own, apple)
        foreign = {**phone.sign(parts), "assertion": other.assert_over(phone.sign(parts))["assertion"]}
        assert reported(own, foreign)[0] == ("fail", ["assertion-of-another-key"])
        # A capture altered in transit does not consume an assertion counter.
        parts = phone.assert_over(phone.sign({"photo": b"photo 76"}), counter=30)
        assert reported(own, {**parts, "photo": b"photo 77"})[1]["summary"][0]["status"] == "fail"
        assert reported(own, parts)[0] == ("pass", ["capture-asserted"])
        # Registering again, with the same key or without attestation, does not reset the counters.
        reply = expect(phone.register(), 201).json
        assert reply["app_attest"]["counter"] == 30 and reply["counter"] == phone.counter, reply
        assert expect(phone.attest(), 201).json["app_attest"]["counter"] == 30

        bare = Phone(own)
        assert reported(own, bare.sign({"photo": b"photo 78"}))[0] == ("not-checked", ["not-attested"])
        assert reported(own, {**bare.sign({"photo": b"photo 79"}), "assertion": first["assertion"]})[0] == (
            "unavailable", ["not-attested"])
        assert reported(own, {"photo": b"photo 80"})[0] == ("not-checked", ["not-signed"])
        # All of this survives a restart.
        own.stop()
        own.start()
        assert reported(own, phone.assert_over(phone.sign({"photo": b"photo 81"}), counter=30))[0] == (
            "fail", ["assertion-repeated"])


def test_one_of_two_concurrent_captures_with_one_assertion_is_rejected(server):
    apple = Apple()
    with attesting(server.binary, apple) as own:
        phone = AttestedPhone(own, apple)
        expect(phone.attest(), 201)
        parts = phone.assert_over(phone.sign({"photo": b"photo 82"}))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            found = list(pool.map(lambda _: reported(own, parts)[0], range(4)))
        assert sorted(status for status, _ in found) == ["fail"] * 3 + ["pass"], found


def test_rejects_invalid_attestations_by_step_and_registers_nothing(server):
    apple = Apple()
    with attesting(server.binary, apple) as own:
        phone = AttestedPhone(own, apple)
        refused(phone, "app", app="TEAM123456.com.example.other")
        refused(phone, "counter", counter=1)
        refused(phone, "environment", aaguid=DEVELOPMENT)
        phone.apple = Apple()
        refused(phone, "chain")
        phone.apple = apple

        def body():
            return phone.body(phone.challenge().json["challenge"])
        for step, change in [
            ("key", {"key_id": AttestedPhone(own, apple).key_id}), ("object", {"attestation": ""}),
            ("object", {"attestation": b64(b"\xbf\xff")}), ("possession", {"signature": ""}),
            ("challenge", {"challenge": "chl_" + "A" * 43}), ("challenge", {"challenge": ""}),
        ]:
            payload = body()
            payload["app_attest"].update(change)
            refused(phone, step, body=payload)
        # An attestation made for another challenge, with this one's signature.
        early, late = body(), body()
        late["app_attest"]["attestation"] = early["app_attest"]["attestation"]
        refused(phone, "nonce", body=late)
        # An app cannot vouch for a key that belongs to another device.
        victim = Phone(own)
        thief = AttestedPhone(own, apple)
        thief.name = victim.name
        reply = expect(thief.attest(), 409)
        assert reply.json["code"] == "device-exists"
        payload = thief.body(thief.challenge().json["challenge"])
        numbers = victim.secret.public_key().public_numbers()
        payload["key"].update(x=b64(numbers.x.to_bytes(32, "big")), y=b64(numbers.y.to_bytes(32, "big")))
        refused(thief, "possession", body=payload)
        for change, status in [({"key_id": "AA"}, 422), ({"attestation": "===="}, 422), ({"key_id": 7}, 400), ({"x": 1}, 400)]:
            payload = body()
            payload["app_attest"].update(change)
            expect(phone.attest(payload), status)
        assert expect(own.request("DELETE", "/v1/devices/" + phone.name, token=own.key), 404)
        # A challenge can be used once, even after a failure.
        payload = body()
        without_attestation = copy.deepcopy(payload)
        without_attestation["app_attest"]["attestation"] = ""
        refused(phone, "object", body=without_attestation)
        refused(phone, "challenge", body=payload)
        payload = body()
        expect(phone.attest(payload), 201)
        refused(phone, "challenge", body=payload)


def test_truncated_oversized_and_deep_attestations_are_rejected(server):
    apple = Apple()
    with attesting(server.binary, apple) as own:
        phone = AttestedPhone(own, apple)
        whole = unb64(phone.body(phone.challenge().json["challenge"])["app_attest"]["attestation"])
        hostile = [
            *(whole[:length] for length in range(1, len(whole), len(whole) // 24)), whole + b"\0", whole * 2,
            # Nested arrays and maps, lengths of exabytes, and a million items.
            b"\x81" * 10_000 + b"\0", b"\xa1\0" * 10_000 + b"\0", b"\xa1\x63fmt" + b"\x81" * 40_000,
            b"\x5b" + b"\xff" * 8, b"\x7b\x7f" + b"\xff" * 7, b"\x9b" + b"\xff" * 8, b"\xbb" + b"\xff" * 8,
            b"\x99\xff\xff" + b"\0" * 0xffff,
        ]
        began, memory = own.processor_seconds(), own.memory()
        for body in hostile:
            payload = phone.body(phone.challenge().json["challenge"])
            payload["app_attest"]["attestation"] = b64(body)
            reply = phone.attest(payload)
            assert (reply.status, reply.json["code"]) in ((422, "attestation-rejected"), (413, "body-too-large")), reply
        payload = phone.body(phone.challenge().json["challenge"])
        payload["app_attest"]["attestation"] = b64(b"\x81" * (4 << 20))
        expect(phone.attest(payload), 413, "body-too-large")
        assert own.processor_seconds() - began < 20 and own.memory() - memory < 128 << 20
        # Nothing was registered, and the phone is not locked out.
        expect(own.request("DELETE", "/v1/devices/" + phone.name, token=own.key), 404)
        expect(phone.attest(), 201)


def test_rejects_malformed_assertions(server):
    phone = Phone(server)
    parts = phone.sign({"photo": photo(83)})
    good = {"key_id": "A" * 43, "assertion": ""}
    for part, status in [
        ({**good, "key_id": "AA"}, 422), ({**good, "assertion": "="}, 422), ({**good, "k": 1}, 400), ({"key_id": "A" * 43}, 400),
        ("[]", 400), ("x" * 70_000, 413),
    ]:
        post(server, {**parts, "assertion": part}, status)
    reply = post(server, {"photo": photo(83), "assertion": good}, 422)
    assert reply["code"] == "bad-value"
    post(server, list(parts.items()) + [("assertion", good), ("assertion", good)], 400)


def test_server_without_root_certificate_reports_it(server):
    phone = AttestedPhone(server, Apple())
    reply = expect(phone.challenge(), 403)
    assert reply.json["code"] == "attestation-disabled", reply.json
    conforms("Problem", reply.json)
    expect(phone.attest(phone.body("chl_" + "A" * 43)), 403)
    assert "app_attest" not in expect(phone.register(), 201).json
    parts = phone.assert_over(phone.sign({"photo": b"photo 84"}))
    line, reply = reported(server, parts)
    assert line == ("not-checked", ["attestation-disabled"]) and "attestation" not in reply["signature"], line


def test_development_apps_are_accepted_where_allowed_and_reported(server):
    apple = Apple()
    with attesting(server.binary, apple, "--app-attest-development", "--no-demo") as own:
        phone = AttestedPhone(own, apple)
        expect(phone.challenge(), 401)
        challenge = expect(phone.challenge(own.key), 201).json["challenge"]
        body = phone.body(challenge, aaguid=DEVELOPMENT)
        reply = expect(own.request("POST", "/v1/devices", body, token=own.key), 201).json
        assert reply["app_attest"]["environment"] == "development"
        line, _ = reported(own, phone.sign({"photo": b"photo 85"}), own.key)
        assert line == ("pass", ["key-attested", "development-app"]), line


def test_invalid_root_certificates_and_app_ids_stop_the_start_and_the_doctor(server):
    apple = Apple()
    with tempfile.TemporaryDirectory() as folder:
        def file(name, text):
            path = os.path.join(folder, name)
            with open(path, "wb") as out:
                out.write(text)
            return path
        good = file("good.pem", apple.pem())
        wrong = [
            ["--app-attest-root", good], ["--app-attest-app", APP], ["--app-attest-development"],
            ["--app-attest-root", good, "--app-attest-app", "com.example.mien"],
            ["--app-attest-root", os.path.join(folder, "none"), "--app-attest-app", APP],
            ["--app-attest-root", file("empty", b""), "--app-attest-app", APP],
            ["--app-attest-root", file("old.pem", Apple(days=-1).pem()), "--app-attest-app", APP],
        ]
        for arguments in wrong:
            ran = subprocess.run(
                [server.binary, "serve", "--port", "0", "--data", os.path.join(folder, "data"), *arguments],
                capture_output=True, text=True, timeout=300)
            assert ran.returncode != 0 and "app-attest" in ran.stderr and "API key" not in ran.stdout, (arguments, ran)
        looked = subprocess.run(
            [server.binary, "doctor", "--json", "--data", folder, "--app-attest-root", good, "--app-attest-app", APP],
            capture_output=True, text=True, timeout=300)
        found = {line["part"]: line for line in json.loads(looked.stdout)}
        assert found["app attest"]["ok"] and APP in found["app attest"]["what"], found
        looked = subprocess.run(
            [server.binary, "doctor", "--json", "--data", folder, *wrong[-1]], capture_output=True, text=True, timeout=300)
        found = {line["part"]: line for line in json.loads(looked.stdout)}
        assert looked.returncode == 1 and not found["app attest"]["ok"], found
