"""Parts of requests and responses that the synchronous and the asynchronous client share."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import re
from typing import Any, BinaryIO, Dict, Iterable, List, Mapping, Optional, Tuple, Union
from urllib.parse import quote, urlencode

import httpx

from ._operations import OPERATIONS
from .errors import ConnectionFailed, MienError, problem_error

#: A file: its bytes, or the path of a file.
Source = Union[bytes, str, "os.PathLike[str]"]
#: Number of bytes of an upload that one request sends.
PIECE = 4 << 20
#: Methods whose requests may be repeated although the response was lost.
REPEATABLE = ("GET", "HEAD", "DELETE", "OPTIONS")
TUS = {"Tus-Resumable": "1.0.0"}
FINAL_STATES = frozenset((
    "passed", "failed", "timed-out", "recorded", "opened", "wrong", "suspect", "locked", "expired", "gone"))


def members(**values: Any) -> Dict[str, Any]:
    """Returns the members of a document or query that have a value."""
    return {name: value for name, value in values.items() if value is not None}


def route(operation: str, parameters: Mapping[str, Any], query: Optional[Mapping[str, Any]] = None) -> Tuple[str, str]:
    """Returns the method and the path of an operation with its query. Raises `ValueError` for a parameter that would change the path."""
    method, template = OPERATIONS[operation]

    def filled(match: "re.Match[str]") -> str:
        name = match.group(1)
        text = str(parameters[name])
        # Names of a scan's files contain slashes, which stay as they are.
        parts = text.split("/") if name == "name" else [text]
        if any(part in ("", ".", "..") for part in parts):
            raise ValueError(f"{name} must not be empty or contain the path components . and ..")
        return "/".join(quote(part, safe="") for part in parts)

    path = re.sub(r"\{(\w+)\}", filled, template)
    # The server reads a plus sign literally, not as a space.
    return method, path + ("?" + urlencode(query, quote_via=quote) if query else "")


def wait_of(response: httpx.Response) -> Optional[float]:
    """Returns the seconds of `Retry-After`, if the server stated them."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def error_of(response: httpx.Response) -> MienError:
    """Returns the exception for a response that is not a success and has been read."""
    kind = response.headers.get("content-type", "").partition(";")[0].strip()
    if kind == "application/problem+json":
        try:
            problem = response.json()
        except ValueError:
            problem = None
        if isinstance(problem, dict):
            return problem_error(response.status_code, problem, wait_of(response))
    if response.request.method == "HEAD":
        return problem_error(response.status_code, {"title": response.reason_phrase}, wait_of(response))
    return ConnectionFailed(
        f"{response.request.url.host} answered {response.status_code} without problem details. "
        "Check that the address is that of a Mien server.")


def document_of(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as error:
        raise ConnectionFailed(f"{response.request.url.host} answered {response.status_code} without a JSON document.") from error


def base64_of(image: Source) -> str:
    return base64.b64encode(bytes_of(image)).decode("ascii")


def bytes_of(source: Source) -> bytes:
    return source if isinstance(source, bytes) else pathlib.Path(source).read_bytes()


def image_type(image: bytes) -> str:
    """Returns the media type of an image by its first bytes; JPEG for unknown ones, which the server then rejects."""
    if image.startswith(b"\x89PNG"):
        return "image/png"
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    if image[4:8] == b"ftyp":
        return "image/avif" if image[8:12] in (b"avif", b"avis") else "image/heic"
    return "image/gif" if image.startswith(b"GIF8") else "image/jpeg"


def lines_of(observations: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in observations).encode()


class Piecewise:
    """A file that is read in pieces, from memory or from disk."""

    def __init__(self, source: Source):
        self._bytes = source if isinstance(source, bytes) else None
        self._file: Optional[BinaryIO] = None if isinstance(source, bytes) else open(source, "rb")
        self.size = len(source) if isinstance(source, bytes) else os.fstat(self._open.fileno()).st_size

    @property
    def _open(self) -> BinaryIO:
        assert self._file is not None
        return self._file

    def read(self, offset: int) -> bytes:
        if self._bytes is not None:
            return self._bytes[offset:offset + PIECE]
        self._open.seek(offset)
        return self._open.read(PIECE)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def size_of(source: Source) -> int:
    return len(source) if isinstance(source, bytes) else os.stat(source).st_size


def capture_parts(files: Mapping[str, Optional[Source]], burst: Iterable[Source],
                  documents: Mapping[str, Any]) -> List[Tuple[str, Tuple[str, bytes, str]]]:
    """Returns the parts of a capture's form."""
    octets = "application/octet-stream"
    parts = [(name, (name, bytes_of(source), octets)) for name, source in files.items() if source is not None]
    parts += [("burst", (f"burst-{number}", bytes_of(image), "image/jpeg")) for number, image in enumerate(burst)]
    parts += [(name, (name, json.dumps(document).encode(), "application/json"))
              for name, document in documents.items() if document is not None]
    return parts
