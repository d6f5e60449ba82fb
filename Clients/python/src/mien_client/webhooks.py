"""Verification of webhook messages (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, Callable, List, Mapping, Optional, Sequence, Union, cast

from .errors import SignatureInvalid

if TYPE_CHECKING:
    from .types import WebhookBody

#: Seconds by which the timestamp of a message may differ from this machine's clock.
TOLERANCE = 300


class Webhook:
    """A webhook of this application, which verifies the messages that arrive for it.

    - `secret`: the `whsec_…` that creating the webhook returned. While a secret is being replaced, messages carry
      signatures with both; a list accepts any of its secrets.
    - `public_key`: the `whpk_…` of the webhook, instead of a secret or in addition to it. Needs the extra `verify`.
    """

    def __init__(self, secret: Union[str, Sequence[str], None] = None, *, public_key: Optional[str] = None,
                 tolerance: float = TOLERANCE, clock: Callable[[], float] = time.time):
        secrets = [secret] if isinstance(secret, str) else list(secret or ())
        if not secrets and public_key is None:
            raise ValueError("A webhook needs its secret or its public key to verify messages.")
        self._secrets = [_bytes_after("whsec_", one) for one in secrets]
        self._public_key = None if public_key is None else _bytes_after("whpk_", public_key)
        self._tolerance = tolerance
        self._clock = clock

    def verify(self, body: Union[bytes, str], headers: Mapping[str, str]) -> WebhookBody:
        """Returns the message, or raises `SignatureInvalid`.

        `body` must be the raw bytes of the request, not parsed and encoded again. The names of `headers` may have any case. A
        message can arrive more than once: process each `webhook-id` once.
        """
        data = body.encode() if isinstance(body, str) else body
        given = {name.lower(): value for name, value in headers.items()}
        identifier, timestamp, signatures = (
            _header(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature"))
        self._check_time(timestamp)
        signed = f"{identifier}.{timestamp}.".encode() + data
        if not self._is_signed(signed, signatures.split()):
            raise SignatureInvalid("No signature of the message matches. Verify the raw bytes with this webhook's secret.")
        try:
            message: Any = json.loads(data)
        except ValueError as error:
            raise SignatureInvalid("The signed body is not JSON.") from error
        return cast("WebhookBody", message)

    def _check_time(self, timestamp: str) -> None:
        if not timestamp.isascii() or not timestamp.isdigit() or len(timestamp) > 15:
            raise SignatureInvalid("The header webhook-timestamp is not a number of seconds.")
        difference = int(timestamp) - self._clock()
        if abs(difference) > self._tolerance:
            side = "ahead of" if difference > 0 else "behind"
            raise SignatureInvalid(f"The message is {abs(difference):.0f} s {side} this machine's clock.")

    def _is_signed(self, signed: bytes, signatures: List[str]) -> bool:
        """Returns whether a signature matches. Compares with every secret in constant time."""
        expected = [hmac.new(secret, signed, hashlib.sha256).digest() for secret in self._secrets]
        found = False
        for signature in signatures:
            version, _, text = signature.partition(",")
            try:
                value = base64.b64decode(text, validate=True)
            except (binascii.Error, ValueError):
                continue
            if version == "v1":
                for one in expected:
                    found |= hmac.compare_digest(one, value)
            elif version == "v1a" and self._public_key is not None:
                found |= _is_signed_with(self._public_key, value, signed)
        return found


def _is_signed_with(key: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("Verifying with a public key needs the extra: pip install 'mien-client[verify]'.") from error
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except InvalidSignature:
        return False
    return True


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise SignatureInvalid(f"The message has no header {name}.")
    return value


def _bytes_after(prefix: str, text: str) -> bytes:
    """Decodes a secret or key. The error does not contain the text."""
    try:
        if not text.startswith(prefix):
            raise ValueError
        value = base64.b64decode(text[len(prefix):], validate=True)
    except ValueError:
        raise ValueError(f"The value is not {prefix} followed by Base64.") from None
    if prefix == "whpk_" and len(value) != 32 or not value:
        raise ValueError(f"The value after {prefix} has a wrong length.")
    return value
