"""Exceptions of the client. All of them are a `MienError`."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type


class MienError(Exception):
    """Base class of the exceptions of this package."""


class ConnectionFailed(MienError):
    """The server sent no usable response: it is unreachable, too slow, or a proxy answered in its place."""


class WaitTimedOut(MienError):
    """A result was not ready within the time that the caller allowed."""


class SignatureInvalid(MienError):
    """A webhook message or a signed result is not what the server signed, or is too old. The message names the reason."""


class ProblemError(MienError):
    """A request that the server rejected, as problem details (RFC 9457).

    Compare `code`, which is stable. `title` and `detail` are English texts for developers, not for the people in front of
    a camera.
    """

    def __init__(self, status: int, problem: Mapping[str, Any], retry_after: Optional[float] = None):
        self.status = status
        self.problem: Dict[str, Any] = dict(problem)
        self.code: str = str(problem.get("code", ""))
        self.type: str = str(problem.get("type", "about:blank"))
        self.title: str = str(problem.get("title", ""))
        self.detail: str = str(problem.get("detail", ""))
        #: The last step, if the check of a frame has ended.
        self.step: Optional[Any] = problem.get("step")
        #: Seconds to wait before the next request, if the server stated them.
        self.retry_after = retry_after
        super().__init__(f"{status} {self.code}: {self.detail or self.title}")

    @property
    def is_temporary(self) -> bool:
        """Whether the same request may succeed after `retry_after` seconds."""
        return self.code in ("busy", "unavailable", "too-many-requests")


class BadRequest(ProblemError):
    """400: the request is malformed or has an unknown member."""


class Unauthorized(ProblemError):
    """401: the API key, token, or receipt is missing, invalid, or expired."""


class Forbidden(ProblemError):
    """403: the key lacks a scope, or the server does not allow a requested option."""


class NotFound(ProblemError):
    """404: there is no such object in the realm of the key."""


class Conflict(ProblemError):
    """409: the object is in another state, for example a check that has ended."""


class Gone(ProblemError):
    """410: the object was read, deleted, or has expired."""


class TooLarge(ProblemError):
    """413: the body is larger than the limit."""


class Unprocessable(ProblemError):
    """422: a value is out of range, or the bytes are not a supported image."""


class Locked(ProblemError):
    """423: the next attempt at a message is allowed after `retry_after` seconds."""


class RateLimited(ProblemError):
    """429: too many requests, or too many failed checks of this person or device."""


class Unavailable(ProblemError):
    """503: the server is busy, or a part that the request needs is missing."""


_CLASSES: Dict[int, Type[ProblemError]] = {
    400: BadRequest, 401: Unauthorized, 403: Forbidden, 404: NotFound, 409: Conflict, 410: Gone, 413: TooLarge,
    422: Unprocessable, 423: Locked, 429: RateLimited, 503: Unavailable,
}


def problem_error(status: int, problem: Mapping[str, Any], retry_after: Optional[float] = None) -> ProblemError:
    """Returns the exception of a status; `ProblemError` itself for statuses without a class of their own."""
    return _CLASSES.get(status, ProblemError)(status, problem, retry_after)
