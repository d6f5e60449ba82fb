"""Minimal Apple App Attest: a test certificate authority, app keys, and their attestations and assertions."""

import datetime
import hashlib
import json
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from support import capture_files
from support.capture_files import Phone, b64
from support.captures import lines, post

APP = "TEAM123456.com.example.mien"
PRODUCTION, DEVELOPMENT = b"appattest" + bytes(7), b"appattestdevelop"


def sha(data):
    return hashlib.sha256(data).digest()


def cbor(value):
    """Encodes integers, bytes, strings, lists and dictionaries as CBOR (RFC 8949) in the shortest form."""
    def head(kind, number):
        for code, (limit, form) in enumerate([(0x100, ">B"), (0x10000, ">H"), (0x100000000, ">I"), (1 << 64, ">Q")], 24):
            if number < 24:
                return bytes([kind << 5 | number])
            if number < limit:
                return bytes([kind << 5 | code]) + struct.pack(form, number)
    if isinstance(value, int):
        return head(0, value) if value >= 0 else head(1, -1 - value)
    if isinstance(value, bytes):
        return head(2, len(value)) + value
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    return head(5, len(value)) + b"".join(cbor(key) + cbor(one) for key, one in value.items())


def point(key):
    return key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


class Apple:
    """A root certificate and an intermediate CA below it, valid from yesterday."""

    def __init__(self, days=30):
        self.root_key, self.key = (ec.generate_private_key(ec.SECP384R1()) for _ in range(2))
        self.root = self.certificate("Sample Root CA", self.root_key.public_key(), "Sample Root CA", self.root_key, days)
        self.authority = self.certificate("Sample CA 1", self.key.public_key(), "Sample Root CA", self.root_key, days)

    @staticmethod
    def certificate(subject, key, issuer, signer, days=30, nonce=None):
        def name(text):
            return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])
        now = datetime.datetime.now(datetime.timezone.utc)
        made = (x509.CertificateBuilder().subject_name(name(subject)).issuer_name(name(issuer)).public_key(key)
                .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=abs(days) + 1))
                .not_valid_after(now + datetime.timedelta(days=days))
                .add_extension(x509.BasicConstraints(ca=nonce is None, path_length=None), critical=True))
        if nonce is not None:
            value = bytes.fromhex("3024a1220420") + nonce
            made = made.add_extension(
                x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.840.113635.100.8.2"), value), critical=False)
        return made.sign(signer, hashes.SHA256())

    def pem(self):
        return self.root.public_bytes(serialization.Encoding.PEM)

    def attestation(self, key, data, app=APP, counter=0, aaguid=PRODUCTION):
        numbers = key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        reported = (sha(app.encode()) + b"\x40" + struct.pack(">I", counter) + aaguid + b"\0\x20" + sha(point(key)) + cbor(cose))
        leaf = self.certificate("a key", key.public_key(), "Sample CA 1", self.key, nonce=sha(reported + sha(data)))
        chain = [one.public_bytes(serialization.Encoding.DER) for one in (leaf, self.authority)]
        return cbor({"fmt": "apple-appattest", "attStmt": {"x5c": chain, "receipt": b"receipt"}, "authData": reported})


class AttestedPhone(Phone):
    """A device whose app has a key attested by the test CA."""

    def __init__(self, server, apple):
        super().__init__(server, register=False)
        self.apple, self.app_key, self.assertions = apple, ec.generate_private_key(ec.SECP256R1()), 0

    @property
    def key_id(self):
        return b64(sha(point(self.app_key)))

    def challenge(self, key=None):
        return self.server.request("POST", "/v1/devices/challenges", token=key)

    def client_data(self, challenge):
        return f"mien-attestation-1\nchallenge={challenge}\ndevice={self.name}\nkey={b64(point(self.secret))}\n".encode()

    def body(self, challenge, **changes):
        """Returns the body of the registration; `changes` override fields of the attestation."""
        data = self.client_data(challenge)
        numbers = self.secret.public_key().public_numbers()
        return {"device": self.name, "key": {
            "kty": "EC", "crv": "P-256", "x": b64(numbers.x.to_bytes(32, "big")), "y": b64(numbers.y.to_bytes(32, "big"))},
            "app_attest": {
                "key_id": self.key_id, "challenge": challenge,
                "attestation": b64(self.apple.attestation(self.app_key, data, **changes)),
                "signature": b64(self.secret.sign(data, ec.ECDSA(hashes.SHA256())))}}

    def attest(self, body=None, **changes):
        body = body or self.body(self.challenge().json["challenge"], **changes)
        return self.server.request("POST", "/v1/devices", body)

    def assert_over(self, parts, counter=None, key=None, app=APP):
        """Adds an assertion over the signed content to `parts`, which must contain a signature."""
        signed = json.loads(parts["signature"])
        names = ["photo", "depth_map", "metadata", "detection", "burst", "clip"]
        text = f"mien-capture-1\ndevice={signed['device']}\ncounter={signed['counter']}\n"
        text += "".join(f"{name}={signed.get(name, '-')}\n" for name in names)
        self.assertions = self.assertions + 1 if counter is None else counter
        reported = sha(app.encode()) + b"\x40" + struct.pack(">I", self.assertions)
        key = key or self.app_key
        signature = key.sign(sha(reported + sha(text.encode())), ec.ECDSA(hashes.SHA256()))
        return {**parts, "assertion": json.dumps({
            "key_id": self.key_id, "assertion": b64(cbor({"signature": signature, "authenticatorData": reported}))}).encode()}


def reported(server, parts, key=None):
    """Posts a capture with the photo's digest only and returns its app-attestation line and the reply."""
    parts = dict(parts)
    reply = post(server, {"digests": {"photo": capture_files.sha(parts.pop("photo"))}, **parts}, key=key)
    return lines(reply)["app"], reply
