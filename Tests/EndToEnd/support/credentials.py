"""Content credentials (C2PA) for tests: certificate chains, signed images, their changed variants, and two other verifiers."""

from __future__ import annotations

import ctypes
import datetime
import functools
import io
import json
import os
import pathlib
import subprocess
import sys
from dataclasses import dataclass

import cv2
import numpy as np
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

os.environ["ENCYPHER_C2PA_TELEMETRY"] = "off"
import c2pa  # noqa: E402
import encypher_c2pa  # noqa: E402

CAMERA = "http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"
KINDS = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "gif": "image/gif"}
KEYS = {
    "es256": lambda: ec.generate_private_key(ec.SECP256R1()), "es384": lambda: ec.generate_private_key(ec.SECP384R1()),
    "ps256": lambda: rsa.generate_private_key(65537, 2048), "ed25519": ed25519.Ed25519PrivateKey.generate,
}


@dataclass(frozen=True)
class Signer:
    """A certificate chain with its key, all PEM."""

    name: str
    algorithm: str
    chain: str
    key: str
    root: str


def signer(name: str, algorithm: str = "es256", days: tuple[int, int] = (-10, 300), services: str | None = None) -> Signer:
    """Returns a signer whose certificate is valid between these days from now; its root is valid for ten years before and after.

    `services` is the address that the certificate names for its OCSP responder and revocation list.
    """
    now = datetime.datetime.now(datetime.timezone.utc)
    root_key, key = KEYS["es256"](), KEYS[algorithm]()

    def subject(common: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.ORGANIZATION_NAME, f"{name} Ltd"), x509.NameAttribute(NameOID.COMMON_NAME, common)])

    def certificate(common: str, own, start: int, end: int, is_root: bool) -> x509.Certificate:
        builder = (x509.CertificateBuilder().subject_name(subject(common)).issuer_name(subject(f"{name} Root"))
                   .public_key(own.public_key()).serial_number(x509.random_serial_number())
                   .not_valid_before(now + datetime.timedelta(days=start)).not_valid_after(now + datetime.timedelta(days=end))
                   .add_extension(x509.BasicConstraints(is_root, None), True)
                   .add_extension(x509.KeyUsage(not is_root, False, False, False, False, is_root, is_root, False, False), True)
                   .add_extension(x509.SubjectKeyIdentifier.from_public_key(own.public_key()), False)
                   .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(root_key.public_key()), False))
        if not is_root:
            builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION]), False)
        if services and not is_root:
            address = x509.UniformResourceIdentifier(services)
            builder = builder.add_extension(x509.AuthorityInformationAccess([
                x509.AccessDescription(AuthorityInformationAccessOID.OCSP, address)]), False).add_extension(
                x509.CRLDistributionPoints([x509.DistributionPoint([address], None, None, None)]), False)
        return builder.sign(root_key, hashes.SHA256())

    def pem(made: x509.Certificate) -> str:
        return made.public_bytes(serialization.Encoding.PEM).decode()

    root = pem(certificate(f"{name} Root", root_key, -3650, 3650, True))
    leaf = pem(certificate(name, key, *days, False))
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return Signer(name, algorithm, leaf + root, private.decode(), root)


def image(kind: str, seed: int = 1, width: int = 160, height: int = 120) -> bytes:
    """Returns an image of colored squares."""
    squares = np.random.default_rng(seed).integers(0, 255, (height // 20, width // 20, 3))
    done, data = cv2.imencode(f".{kind}", np.kron(squares, np.ones((20, 20, 1))).astype(np.uint8))
    assert done, f"no encoder for {kind}"
    return data.tobytes()


def definition(actions: list | None = None, **more) -> dict:
    created = {"action": "c2pa.created", "digitalSourceType": CAMERA, "softwareAgent": {"name": "Test Camera", "version": "1.2"}}
    return {"claim_generator_info": [{"name": "Test Camera", "version": "1.2"}], "title": "sample",
            "assertions": [{"label": "c2pa.actions.v2", "data": {"actions": [created] if actions is None else actions}}], **more}


def sign(data: bytes, kind: str, by: Signer, *, manifest: dict | None = None, edit: bool = False, thumbnail: bool = False,
         remote: str | None = None, embedded: bool = True) -> bytes:
    """Returns the image with a credential; with `edit`, the image that it was is an ingredient."""
    settings = {"builder": {"thumbnail": {"enabled": thumbnail}}, "verify": {"remote_manifest_fetch": False}}
    builder = c2pa.Builder(manifest or definition([] if edit else None), c2pa.Context(c2pa.Settings.from_dict(settings)))
    if edit:
        builder.set_intent(c2pa.C2paBuilderIntent.EDIT)
    if not embedded:
        builder.set_no_embed()
    if remote:
        builder.set_remote_url(remote)
    info = c2pa.C2paSignerInfo(by.algorithm.encode(), by.chain.encode(), by.key.encode(), None)
    signed = io.BytesIO()
    with c2pa.Signer.from_info(info) as with_key:
        builder.sign(with_key, KINDS[kind], io.BytesIO(data), signed)
    return signed.getvalue()


def expired(kind: str = "jpg") -> tuple[bytes, str] | None:
    """Returns an image that was signed in 2023 with a certificate of that year, and its root; `None` without libfaketime."""
    library = next(pathlib.Path("/usr/lib").rglob("libfaketime.so.1"), None)
    if library is None:
        return None
    program = ("import sys; from support import credentials as c; s = c.signer('Old Studio', days=(-30, 30)); "
               f"sys.stdout.buffer.write(s.root.encode() + b'\\0' + c.sign(c.image('{kind}'), '{kind}', s))")
    run = subprocess.run([sys.executable, "-c", program], cwd=pathlib.Path(__file__).parents[1], capture_output=True, check=True, env={
        **os.environ, "LD_PRELOAD": str(library), "FAKETIME": "2023-06-01 12:00:00", "FAKETIME_DONT_FAKE_MONOTONIC": "1"})
    root, _, data = run.stdout.partition(b"\0")
    return data, root.decode()


# MARK: Changes

def flipped(data: bytes, places) -> list[bytes]:
    """Returns one variant for each place, with one bit of the byte there changed."""
    return [data[:place] + bytes([data[place] ^ 1 << place % 8]) + data[place + 1:] for place in places]


def spread(data: bytes, count: int, start: int = 0, end: int | None = None) -> list[int]:
    """Returns evenly spread places in the data."""
    return [int(place) for place in np.linspace(start, (len(data) if end is None else end) - 1, count)]


def segments(jpeg: bytes) -> list[tuple[int, int, int]]:
    """Returns marker, start and end of each segment before the scan."""
    found, place = [], 2
    while jpeg[place + 1] != 0xDA:
        length = 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
        found.append((jpeg[place + 1], place, place + length))
        place += length
    return found


def comment(text: bytes) -> bytes:
    return b"\xff\xfe" + (len(text) + 2).to_bytes(2, "big") + text


def apart(jpeg: bytes) -> list[bytes]:
    """Returns variants of a JPEG whose APP11 segments do not follow each other, or not in their order, or not completely."""
    app11 = [(start, end) for marker, start, end in segments(jpeg) if marker == 0xEB]
    assert len(app11) > 1, "a manifest of several segments is needed"
    (start, middle), (_, end) = app11[0], app11[1]
    parts = jpeg[:start], jpeg[start:middle], jpeg[middle:end], jpeg[end:]
    return [
        parts[0] + parts[1] + comment(b"between") + parts[2] + parts[3], parts[0] + parts[2] + parts[1] + parts[3],
        parts[0] + parts[1] + parts[3], parts[0] + parts[2] + parts[3],
        parts[0] + parts[1] + parts[1] + parts[2] + parts[3], comment(b"x").join([jpeg[:2], jpeg[2:]]),
    ]


def excluding(by: Signer) -> list[bytes]:
    """Returns a JPEG of whose comment the signature says nothing, and the same with another comment and with another image."""
    library, kind = c2pa.c2pa._lib, b"image/jpeg"
    place, bytes_at = ctypes.c_void_p, ctypes.POINTER(ctypes.c_ubyte)
    for name, arguments in (("data_hashed_placeholder", [place, ctypes.c_size_t, ctypes.c_char_p, ctypes.POINTER(bytes_at)]),
                            ("sign_data_hashed_embeddable", [place, place, ctypes.c_char_p, ctypes.c_char_p, place, ctypes.POINTER(bytes_at)])):
        function = getattr(library, f"c2pa_builder_{name}")
        function.argtypes, function.restype = arguments, ctypes.c_int64

    def embeddable(name: str, *arguments) -> bytes:
        made = bytes_at()
        size = getattr(library, f"c2pa_builder_{name}")(*arguments, ctypes.byref(made))
        assert size > 0, c2pa.c2pa._read_native_error()
        return ctypes.string_at(made, size)

    plain, note = image("jpg"), comment(b"written by anyone")
    builder = c2pa.Builder(definition(), c2pa.Context(c2pa.Settings.from_dict({"builder": {"thumbnail": {"enabled": False}}})))
    info = c2pa.C2paSignerInfo(by.algorithm.encode(), by.chain.encode(), by.key.encode(), None)
    with c2pa.Signer.from_info(info) as with_key:
        handle, key = (ctypes.cast(one._handle, place) for one in (builder, with_key))
        room = embeddable("data_hashed_placeholder", handle, with_key.reserve_size(), kind)
        asset = plain[:2] + room + note + plain[2:]
        excluded = {"exclusions": [{"start": 2, "length": len(room)}, {"start": 2 + len(room), "length": len(note)}],
                    "name": "jumbf manifest", "alg": "sha256", "hash": "", "pad": ""}
        with c2pa.Stream(io.BytesIO(asset)) as stream:
            store = embeddable("sign_data_hashed_embeddable", handle, key, json.dumps(excluded).encode(), kind,
                               ctypes.cast(stream._stream, place))
    assert len(store) == len(room), (len(store), len(room))
    signed = plain[:2] + store + note + plain[2:]
    return [signed, signed.replace(b"anyone", b"nobody"), flipped(signed, [len(signed) - 9])[0]]


# MARK: Other verifiers

FAILURES_OF_READING = {"ManifestNotFound": "none", "Remote": "elsewhere"}


@functools.cache
def context(roots: str):
    return c2pa.Context(c2pa.Settings.from_dict({
        "trust": {"user_anchors": roots} if roots else {}, "verify": {"remote_manifest_fetch": False, "ocsp_fetch": False}}))


def reference(data: bytes, kind: str, roots: str) -> tuple:
    """Returns state, failure codes, all codes, and signer according to c2pa-python, or the kind of its error."""
    try:
        with c2pa.Reader(KINDS[kind], io.BytesIO(data), context=context(roots)) as reader:
            report = json.loads(reader.json())
    except c2pa.C2paError as error:
        return (FAILURES_OF_READING.get(str(error).partition(":")[0], "unreadable"),)
    results = report["validation_results"]
    deltas = [delta["validationDeltas"] for delta in results.get("ingredientDeltas", [])]
    codes = sorted((kind, one["code"]) for part in [results.get("activeManifest", {}), *deltas]
                   for kind in ("success", "informational", "failure") for one in part.get(kind, []))
    manifest = report["manifests"].get(report.get("active_manifest"), {})
    signature = manifest.get("signature_info", {})
    return report["validation_state"], codes, signature.get("issuer"), signature.get("common_name"), signature.get("cert_serial_number")


def ours(provenance: dict) -> tuple:
    """Returns the same of a reply of ours. A manifest that is expired is invalid to the reference."""
    if provenance["status"] != "credential":
        return (provenance["status"],)
    credential = provenance["credential"]
    state = {"trusted": "Trusted", "untrusted": "Valid"}.get(credential["trust"], "Invalid")
    codes = sorted((one["kind"], one["code"]) for one in credential["validation"])
    signed = credential.get("signer", {})
    return state, codes, signed.get("issuer"), signed.get("common_name"), signed.get("serial")


def second(data: bytes, kind: str, roots: str) -> str:
    """Returns the state according to encypher-c2pa, which shares no code with the reference."""
    try:
        return encypher_c2pa.verify(data, KINDS[kind], trust_pem=roots, no_default_trust=True, telemetry=False, online=False)["validation_state"]
    except (RuntimeError, ValueError) as error:
        return f"Error: {error}"
