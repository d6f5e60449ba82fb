"""Client of Mien, a self-hosted platform for liveness checks, face match, photos, and depth scans.

`Mien` is the synchronous client, `AsyncMien` the asynchronous one; both have the same methods. `Webhook` verifies webhook
messages, and `is_live` decides on a result.
"""

from . import types
from ._async import AsyncMien
from ._requests import Source
from ._sync import Mien
from .errors import (
    BadRequest, Conflict, ConnectionFailed, Forbidden, Gone, Locked, MienError, NotFound, ProblemError, RateLimited,
    SignatureInvalid, TooLarge, Unauthorized, Unavailable, Unprocessable, WaitTimedOut,
)
from .results import is_live, verify_signed_result
from .webhooks import Webhook

__version__ = "0.1.0"

__all__ = [
    "AsyncMien", "BadRequest", "Conflict", "ConnectionFailed", "Forbidden", "Gone", "Locked", "Mien", "MienError", "NotFound",
    "ProblemError", "RateLimited", "SignatureInvalid", "Source", "TooLarge", "Unauthorized", "Unavailable", "Unprocessable",
    "WaitTimedOut", "Webhook", "is_live", "types", "verify_signed_result",
]
