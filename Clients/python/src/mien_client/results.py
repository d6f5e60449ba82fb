"""Decisions on results, and verification of signed results (JWS, ES256)."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Union, cast

from .errors import SignatureInvalid

if TYPE_CHECKING:
    from .types import KeySet, Result, SignedResult, WebhookBodyData

#: What a verdict can be based on, from weakest to strongest.
BASES = ("none", "claimed", "depth", "frames")


def is_live(result: Union[Result, WebhookBodyData, SignedResult], *, least: str = "frames") -> bool:
    """Returns whether a live person passed the check, on evidence of at least `least`.

    The check must have passed, its `source` must be `observed` (the server measured the face itself; results from a
    device's claims are never live), and its `basis` must be at least `least`. An unknown basis counts as `none`.

    Accepts the result of a check, the `data` of a webhook message, and a verified signed result. A check with a reference
    image can pass with another person: test `match` as well.
    """
    given = cast(Dict[str, Any], result)
    basis = given.get("basis", "none")
    rank = BASES.index(basis) if basis in BASES else 0
    state = given.get("state", given.get("outcome"))
    return state == "passed" and given.get("source") == "observed" and rank >= BASES.index(least)


def verify_signed_result(signed: str, keys: Union[KeySet, Mapping[str, Any]], *, check: Optional[str] = None) -> SignedResult:
    """Returns the payload of a signed result, or raises `SignatureInvalid`.

    - `signed`: the member `signed` of a result or of a webhook message.
    - `keys`: the document `/.well-known/jwks.json` of your own server, obtained from it and not from the sender.
    - `check`: if given, the ID of the check that the result must belong to.

    Needs the extra `verify`. Results of the sandbox are signed with another key, at `/.well-known/jwks-sandbox.json`.
    """
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric import ec, utils
        from cryptography.hazmat.primitives.hashes import SHA256
    except ImportError as error:
        raise ImportError("Verifying signed results needs the extra: pip install 'mien-client[verify]'.") from error

    parts = signed.split(".")
    if len(parts) != 3:
        raise SignatureInvalid("The signed result is not a compact JWS of three parts.")
    header = _document(parts[0])
    # The algorithm and the type are fixed here and never taken from the sender.
    if header.get("alg") != "ES256" or header.get("typ") != "mien-result+jws" or "crit" in header:
        raise SignatureInvalid("The JWS is not a result signed with ES256.")
    found = [key for key in cast(Any, keys).get("keys", []) if key.get("kid") == header.get("kid")]
    if len(found) != 1 or (found[0].get("kty"), found[0].get("crv")) != ("EC", "P-256"):
        raise SignatureInvalid("The key of the signature is not among the server's keys.")
    x, y, signature = _decoded(found[0].get("x")), _decoded(found[0].get("y")), _decoded(parts[2])
    if len(signature) != 64:
        raise SignatureInvalid("The signature does not have 64 bytes.")
    try:
        key = ec.EllipticCurvePublicNumbers(
            int.from_bytes(x, "big"), int.from_bytes(y, "big"), ec.SECP256R1()).public_key()
        pair = utils.encode_dss_signature(int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
        key.verify(pair, f"{parts[0]}.{parts[1]}".encode("ascii"), ec.ECDSA(SHA256()))
    except (InvalidSignature, ValueError) as error:
        raise SignatureInvalid("The signature of the result does not match.") from error
    payload = _document(parts[1])
    if payload.get("iss") != "mien":
        raise SignatureInvalid("The result was not issued by Mien.")
    if check is not None and payload.get("sub") != check:
        raise SignatureInvalid("The result is of another check.")
    return cast("SignedResult", payload)


def _decoded(text: Any) -> bytes:
    try:
        data = str(text).encode("ascii")
        return base64.b64decode(data + b"=" * (-len(data) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise SignatureInvalid("A part of the JWS is not Base64url.") from error


def _document(text: str) -> Dict[str, Any]:
    try:
        found = json.loads(_decoded(text))
    except ValueError as error:
        raise SignatureInvalid("A part of the JWS is not JSON.") from error
    if not isinstance(found, dict):
        raise SignatureInvalid("A part of the JWS is not a JSON object.")
    return found
