"""Client of a Mien server: the asynchronous implementation."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import time
import uuid
from types import TracebackType
from typing import (TYPE_CHECKING, Any, AsyncIterable, AsyncIterator, BinaryIO, Dict, List, Literal, Mapping, Optional, Sequence,
                    Type, cast)

import httpx

from . import _requests
from ._requests import FINAL_STATES, REPEATABLE, TUS, Piecewise, Source, members
from .errors import Conflict, ConnectionFailed, MienError, ProblemError, SignatureInvalid, WaitTimedOut
from .results import verify_signed_result

if TYPE_CHECKING:
    from . import types as t


class AsyncMien:
    """A Mien server, as seen by a backend: the asynchronous client.

    - `server`: the address, such as `https://liveness.example`.
    - `key`: an API key. Never give it to a browser or an app; they get the token of one check.
    - `timeout`: seconds for each request.
    - `retries`: how many times a request is repeated if the server is busy, or if its response was lost and repeating it
      has no further effect.
    - `longest_wait`: seconds. If the server asks for a longer wait (`Retry-After`), the exception is raised at once.
    - `transport`: another httpx transport, for proxies, certificates, and tests.
    """

    def __init__(self, server: str, key: Optional[str] = None, *, timeout: float = 60.0, retries: int = 3,
                 longest_wait: float = 30.0, transport: Optional[httpx.AsyncBaseTransport] = None):
        if not server.startswith(("https://", "http://")):
            raise ValueError("The address of the server must begin with https:// or http://.")
        self._http = httpx.AsyncClient(
            base_url=server, timeout=timeout, transport=transport, headers={"User-Agent": "mien-client-python"})
        self._key = key
        self._retries = retries
        self._longest_wait = longest_wait
        self._result_keys: Optional[t.KeySet] = None
        self._result_keys_time = 0.0

    def __repr__(self) -> str:
        return f"AsyncMien({str(self._http.base_url)!r})"

    async def __aenter__(self) -> AsyncMien:
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]] = None, error: Optional[BaseException] = None,
                        trace: Optional[TracebackType] = None) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    # Checks

    async def create_check(
        self, *, assurance: Optional[t.Assurance] = None, tasks: Optional[Sequence[t.TaskRequest]] = None,
        challenge: Optional[str] = None, sources: Optional[Sequence[t.CheckSource]] = None, scan: Optional[bool] = None,
        capture: Optional[bool] = None, attempts: Optional[int] = None, abilities: Optional[t.Abilities] = None,
        person: Optional[str] = None, device: Optional[str] = None, audit_images: Optional[int] = None,
        clip: Optional[bool] = None, depth: Optional[bool] = None, reference_image: Optional[Source] = None,
        template: Optional[Literal["match", "enroll"]] = None, return_url: Optional[str] = None,
        reference: Optional[str] = None,
    ) -> t.CreatedCheck:
        """Creates a liveness check. Pass its `id` and `token`, or its `page`, to the person's browser or app.

        `reference_image` is an image with one face, as bytes or path; the result then has `match`. `template` compares
        with the template of the enrolled `person`, or stores one for a day, from which `enroll_template` enrolls the person.
        """
        body = members(
            assurance=assurance, tasks=tasks, challenge=challenge, sources=sources, scan=scan, capture=capture,
            attempts=attempts, abilities=abilities, person=person, device=device, audit_images=audit_images, clip=clip,
            depth=depth, reference=reference, template=template, return_url=return_url,
            reference_image=None if reference_image is None else _requests.base64_of(reference_image))
        # If a repeated request creates a second check, that one expires unused.
        return cast("t.CreatedCheck", await self._document("createCheck", json=body, repeat=True))

    async def get_check(self, id: str) -> t.Result:
        """Returns a check and, once it is decided, its verdict. See `is_live`."""
        return cast("t.Result", await self._document("readCheck", {"id": id}))

    async def list_checks(
        self, *, state: Optional[str] = None, assurance: Optional[str] = None, reference: Optional[str] = None,
        person: Optional[str] = None, q: Optional[str] = None, created_after: Optional[str] = None,
        created_before: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None,
    ) -> t.CheckList:
        """Returns a page of checks, newest first. Pass its `next` as `after` to get the next page."""
        query = members(state=state, assurance=assurance, reference=reference, person=person, q=q,
                        created_after=created_after, created_before=created_before, after=after, limit=limit)
        return cast("t.CheckList", await self._document("listChecks", query=query))

    async def wait_for_check(self, id: str, *, timeout: float = 240.0, interval: float = 1.0) -> t.Result:
        """Returns the result once the check is decided. Prefer webhooks if your backend can receive them."""
        deadline = time.monotonic() + timeout
        while True:
            result = await self.get_check(id)
            if result["state"] != "open":
                return result
            await self._pause(interval, deadline, f"The check {id} is not decided")

    async def delete_check(self, id: str) -> t.Erasure:
        """Deletes all data of a check and returns the numbers of deleted records."""
        return await self._erase("eraseCheck", {"id": id})

    async def get_check_token(self, id: str) -> t.CreatedCheck:
        """Returns the token of a session that was created through a compatible API, whose response has no field for it."""
        return cast("t.CreatedCheck", await self._document("readCheckToken", {"id": id}))

    async def get_image(self, id: str, index: int) -> bytes:
        """Returns a stored image of a check; index 0 is the face image."""
        return (await self._send("readImage", {"id": id, "index": index})).content

    async def get_clip(self, id: str) -> Optional[bytes]:
        """Returns the clip of a check as MP4, or `None` while it is being made."""
        response = await self._send("readClip", {"id": id})
        return None if response.status_code == 202 else response.content

    async def send_frame(self, check: Mapping[str, Any], image: bytes, *, client: str,
                         captured_at: Optional[float] = None, number: Optional[int] = None) -> t.Step:
        """Sends one camera frame of a check, JPEG or PNG, not mirrored, and returns the next step, which says what to display.

        `check` is what `create_check` returned. `client` is a random name, the same for all frames of the check.
        `captured_at` is in milliseconds on a monotonic clock. See `send_frames` for a loop.
        """
        return cast("t.Step", await self._frame("postFrame", check, image, client, captured_at, number))

    async def send_frames(self, check: Mapping[str, Any], frames: AsyncIterable[bytes]) -> AsyncIterator[t.Step]:
        """Sends the frames of a camera, one at a time, and yields the server's step after each, up to the verdict.

        For machines that have a camera, such as kiosks: show the instructions of each step. `frames` should yield the
        newest camera image whenever it is asked for one, at about 10 per second. Frames are skipped while the server is
        busy or unreachable.
        """
        async for step in self._frames("postFrame", check, frames):
            yield cast("t.Step", step)

    async def choose_tasks(self, check: Mapping[str, Any], tasks: Sequence[t.TaskRequest]) -> None:
        """Chooses the tasks of a check whose creator left the choice to the app (Youverify-compatible API)."""
        await self._send("chooseTasks", {"id": check["id"]}, json={"tasks": list(tasks)}, token=check["token"])

    async def send_observations(self, check: Mapping[str, Any], observations: Sequence[Mapping[str, Any]], *,
                                client: str) -> t.Step:
        """Sends observations of a device's own tracker, for checks created with `claimed` among their `sources`."""
        return cast("t.Step", await self._observations("postObservations", check, observations, client))

    async def send_depth(self, check: Mapping[str, Any], frame: bytes, *, client: str) -> t.Step:
        """Sends one depth frame of a check."""
        headers = {"Content-Type": "application/vnd.mien.depth-frame", "Mien-Client": client}
        return cast("t.Step", await self._document(
            "postDepth", {"id": check["id"]}, content=frame, headers=headers, token=check["token"]))

    async def decline_task(self, check: Mapping[str, Any], *, client: str) -> t.Step:
        """Declines the current light task; the server replaces it with another task that is at least as strong."""
        return cast("t.Step", await self._document(
            "declineTask", {"id": check["id"]}, headers={"Mien-Client": client}, token=check["token"]))

    async def get_match(self, check: Mapping[str, Any]) -> t.CheckMatch:
        """Returns the state and decision of a check's face comparison. It never contains the similarity."""
        return cast("t.CheckMatch", await self._document("readMatch", {"id": check["id"]}, token=check["token"]))

    async def decline_match(self, check: Mapping[str, Any]) -> None:
        """Declines the face comparison of a check that has not begun, for a person who does not agree to it."""
        await self._send("declineMatch", {"id": check["id"]}, token=check["token"])

    # People and faces

    async def erase_person(self, person: str) -> t.Erasure:
        """Deletes all data of a person: checks, results, images, enrollments, failures, scans, and captures."""
        return await self._erase("erasePerson", {"person": person})

    async def enroll(self, person: str, depth_frames: bytes) -> t.Enrollment:
        """Derives a person's depth thresholds from depth frames, concatenated in `depth_frames`."""
        return cast("t.Enrollment", await self._document(
            "enroll", {"person": person}, content=depth_frames, headers={"Content-Type": "application/vnd.mien.depth-frame"}))

    async def enroll_template(self, person: str, check: str) -> t.Template:
        """Enrolls a person with the template of a passed check that was created with `template="enroll"`."""
        return cast("t.Template", await self._document("enrollTemplate", {"person": person}, json={"check": check}, repeat=True))

    async def enroll_template_from_image(self, person: str, image: Source) -> t.Template:
        """Enrolls a person with a picture, as bytes or path. Needs a key with the scope `admin`."""
        content = _requests.bytes_of(image)
        return cast("t.Template", await self._document(
            "enrollTemplateFromImage", {"person": person}, content=content,
            headers={"Content-Type": _requests.image_type(content)}, repeat=True))

    async def get_template(self, person: str) -> t.Template:
        """Returns when and from what a person's template was made. The template itself is never returned."""
        return cast("t.Template", await self._document("readTemplate", {"person": person}))

    async def delete_template(self, person: str) -> t.Erasure:
        """Deletes the template of a person, and those stored for the person's checks."""
        return await self._erase("deleteTemplate", {"person": person})

    async def compare_faces(self, reference_image: Source, image: Source) -> t.Comparison:
        """Compares the faces of two images, as bytes or paths: JPEG, PNG, HEIC, AVIF or WebP. This is no liveness check."""
        body = {"reference_image": _requests.base64_of(reference_image), "image": _requests.base64_of(image)}
        return cast("t.Comparison", await self._document("compareFaces", json=body, repeat=True))

    async def preview_face(self, image: Source) -> t.FacePreview:
        """Returns the position of the face in an image, and hints for a better image. Nothing is stored."""
        content = _requests.bytes_of(image)
        return cast("t.FacePreview", await self._document(
            "glanceAtFace", content=content, headers={"Content-Type": _requests.image_type(content)}, repeat=True))

    # Signed results and webhooks

    async def get_result_keys(self) -> t.KeySet:
        """Returns the public keys that verify signed results; those of the sandbox for an API key of the sandbox."""
        if (self._key or "").startswith("mientest_"):
            return cast("t.KeySet", await self._document("keysOfTheSandbox"))
        return cast("t.KeySet", await self._document("keys"))

    async def verify_result(self, signed: str, *, check: Optional[str] = None) -> t.SignedResult:
        """Verifies a signed result with the server's keys, which are cached for five minutes, and returns its payload.

        Raises `SignatureInvalid`. Needs the extra `verify`. With keys that you store, call `verify_signed_result`.
        """
        age = time.monotonic() - self._result_keys_time
        if self._result_keys is not None and age <= 300:
            try:
                return verify_signed_result(signed, self._result_keys, check=check)
            except SignatureInvalid:
                # The server may have changed its key. Forged results cause at most one request in ten seconds.
                if age < 10:
                    raise
        self._result_keys = await self.get_result_keys()
        self._result_keys_time = time.monotonic()
        return verify_signed_result(signed, self._result_keys, check=check)

    async def create_webhook(self, url: str, *, events: Optional[Sequence[t.WebhookEvent]] = None) -> t.Webhook:
        """Creates a webhook. Store its `secret`, which is returned only here."""
        return cast("t.Webhook", await self._document("createWebhook", json=members(url=url, events=events)))

    async def list_webhooks(self) -> List[t.Webhook]:
        """Returns all webhooks of the realm."""
        return cast("t.Webhooks", await self._document("listWebhooks"))["webhooks"]

    async def delete_webhook(self, id: str) -> None:
        """Deletes a webhook and its queued messages."""
        await self._send("deleteWebhook", {"id": id})

    async def rotate_webhook_secret(self, id: str) -> t.Webhook:
        """Replaces the secret of a webhook. For 24 hours messages carry signatures with both secrets."""
        return cast("t.Webhook", await self._document("rotateWebhookSecret", {"id": id}))

    async def ping_webhook(self, id: str) -> t.WebhookMessage:
        """Sends a test message."""
        return cast("t.WebhookMessage", await self._document("pingWebhook", {"id": id}))

    async def resend_webhook_message(self, id: str, message: str) -> t.WebhookMessage:
        """Sends a delivered or failed message of a webhook again, with the same ID."""
        return cast("t.WebhookMessage", await self._document("resendWebhookMessage", {"id": id, "message": message}))

    async def list_webhook_messages(self, id: str) -> List[t.WebhookMessage]:
        """Returns the last 100 messages of a webhook and their delivery, newest first."""
        return cast("t.WebhookMessages", await self._document("listWebhookMessages", {"id": id}))["messages"]

    # Messages

    async def lock_message(
        self, text: str, *, steps: Optional[Sequence[t.ExpressionName]] = None,
        recording: Optional[Mapping[str, str]] = None, mode: Optional[str] = None, avatar: Optional[str] = None,
        attempts: Optional[int] = None, first_wait: Optional[int] = None, views: Optional[int] = None,
        expires_in: Optional[int] = None, requires_frames: Optional[bool] = None,
        requires_passive: Optional[bool] = None, requires_link: Optional[bool] = None,
    ) -> t.Message:
        """Locks a text with a sequence of expressions. Store the `receipt`, which is needed to delete the message."""
        body = members(
            text=text, steps=steps, recording=recording, mode=mode, avatar=avatar, attempts=attempts, first_wait=first_wait,
            views=views, expires_in=expires_in, requires_frames=requires_frames, requires_passive=requires_passive,
            requires_link=requires_link)
        # With a recording, the server responds to a repeated request with the same message.
        return cast("t.Message", await self._document("lockMessage", json=body, repeat=recording is not None))

    async def get_message(self, id: str) -> t.Message:
        """Returns the public state of a message. This consumes no view and no attempt."""
        return cast("t.Message", await self._document("getMessage", {"id": id}))

    async def list_messages(
        self, *, state: Optional[str] = None, created_after: Optional[str] = None, created_before: Optional[str] = None,
        after: Optional[str] = None, limit: Optional[int] = None,
    ) -> t.MessageList:
        """Returns a page of the public states of messages, newest first. Pass its `next` as `after` to get the next page."""
        query = members(state=state, created_after=created_after, created_before=created_before, after=after, limit=limit)
        return cast("t.MessageList", await self._document("listMessages", query=query))

    async def get_message_gif(self, id: str, *, style: Optional[str] = None, id_seconds: Optional[float] = None) -> bytes:
        """Returns the GIF of a message: `classic` or `smooth`, and the ID shown for `id_seconds`, 0.5 to 10."""
        query = members(style=style, id_seconds=id_seconds)
        return (await self._send("getMessageGIF", {"id": id}, query=query)).content

    async def draw_message_gif(
        self, id: str, sheet: Source, *, receipt: str, style: Optional[str] = None, id_seconds: Optional[float] = None,
    ) -> bytes:
        """Returns the GIF of a message with a sprite sheet of your own (PNG, 768 × 512 pixels, six sprites)."""
        return (await self._send(
            "drawMessageGIF", {"id": id}, content=_requests.bytes_of(sheet), headers={"Content-Type": "image/png"},
            query=members(style=style, id_seconds=id_seconds), token=receipt, repeat=True)).content

    async def delete_message(self, id: str, *, receipt: str) -> None:
        """Deletes the text of a message at once."""
        await self._send("deleteMessage", {"id": id}, token=receipt)

    async def read_message_id(self, image: Source) -> t.MessageIDMatch:
        """Reads the ID of a message from a GIF, PNG, or JPEG."""
        content = _requests.bytes_of(image)
        return cast("t.MessageIDMatch", await self._document(
            "readMessageNumber", content=content, headers={"Content-Type": _requests.image_type(content)}, repeat=True))

    async def record_sequence(self, *, steps: Optional[int] = None) -> t.Performance:
        """Begins the recording of a sequence that `lock_message` takes as `recording`."""
        return cast("t.Performance", await self._document("recordSequence", json=members(steps=steps)))

    async def unlock_message(self, id: str, *, link_key: Optional[str] = None) -> t.Performance:
        """Begins a performance that opens a message; send its frames with `send_performance_frames`."""
        return cast("t.Performance", await self._document("unlockMessage", {"id": id}, json=members(link_key=link_key)))

    async def send_performance_frame(self, performance: Mapping[str, Any], image: bytes, *, client: str,
                                     captured_at: Optional[float] = None,
                                     number: Optional[int] = None) -> t.PerformanceStep:
        """Sends one camera frame of a performance, like `send_frame`."""
        return cast("t.PerformanceStep", await self._frame(
            "postPerformanceFrame", performance, image, client, captured_at, number))

    async def send_performance_frames(self, performance: Mapping[str, Any],
                                      frames: AsyncIterable[bytes]) -> AsyncIterator[t.PerformanceStep]:
        """Sends the frames of a performance, like `send_frames`; the last step of an opened message has its `text`."""
        async for step in self._frames("postPerformanceFrame", performance, frames):
            yield cast("t.PerformanceStep", step)

    async def send_performance_observations(self, performance: Mapping[str, Any], observations: Sequence[Mapping[str, Any]],
                                            *, client: str) -> t.PerformanceStep:
        """Sends observations of a device's own tracker, where the server and the message allow them."""
        return cast("t.PerformanceStep", await self._observations(
            "postPerformanceObservations", performance, observations, client))

    # Photos

    async def send_capture(
        self, photo: Optional[Source] = None, *, depth_map: Optional[Source] = None, burst: Sequence[Source] = (),
        clip: Optional[Source] = None, metadata: Optional[Mapping[str, Any]] = None,
        detection: Optional[Mapping[str, Any]] = None, signature: Optional[Mapping[str, Any]] = None,
        assertion: Optional[Mapping[str, Any]] = None, digests: Optional[Mapping[str, str]] = None,
        token: Optional[str] = None,
    ) -> t.Capture:
        """Sends a photo with what its device recorded, or only the digests. Store the `receipt`.

        `token` is the token of a check created with `capture`, instead of the API key.
        """
        parts = _requests.capture_parts(
            {"photo": photo, "depth_map": depth_map, "clip": clip}, burst,
            {"metadata": metadata, "detection": detection, "signature": signature, "assertion": assertion, "digests": digests})
        return cast("t.Capture", await self._document("createCapture", files=parts, token=token))

    async def get_capture(self, id: str) -> t.Capture:
        """Returns a capture and, once it is analyzed, its results."""
        return cast("t.Capture", await self._document("getCapture", {"id": id}))

    async def list_captures(
        self, *, state: Optional[str] = None, check: Optional[str] = None, created_after: Optional[str] = None,
        created_before: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None,
    ) -> t.CaptureList:
        """Returns a page of captures, newest first. Pass its `next` as `after` to get the next page."""
        query = members(state=state, check=check, created_after=created_after, created_before=created_before,
                        after=after, limit=limit)
        return cast("t.CaptureList", await self._document("listCaptures", query=query))

    async def wait_for_capture(self, id: str, *, timeout: float = 240.0, interval: float = 0.5) -> t.Capture:
        """Returns the capture once it is analyzed."""
        deadline = time.monotonic() + timeout
        while True:
            capture = await self.get_capture(id)
            if capture["state"] != "queued":
                return capture
            await self._pause(interval, deadline, f"The capture {id} is not analyzed")

    async def delete_capture(self, id: str, *, receipt: Optional[str] = None) -> None:
        """Deletes a capture and its files, with its receipt or the API key."""
        await self._send("eraseCapture", {"id": id}, token=receipt)

    async def get_capture_part(self, id: str, part: str) -> bytes:
        """Returns a part of a capture as it was sent: `photo`, `depth_map`, `metadata`, `detection`, or `clip`."""
        return (await self._send("getCapturePart", {"id": id, "part": part})).content

    async def get_capture_reception(self, id: str) -> bytes:
        """Returns the server's signed statement (C2PA, a `.c2pa` file) that it received the photo of a capture."""
        return (await self._send("getCaptureReception", {"id": id})).content

    async def get_capture_burst_image(self, id: str, number: int) -> bytes:
        """Returns an image of a capture's burst."""
        return (await self._send("getCaptureBurstPicture", {"id": id, "number": number})).content

    async def get_capture_visualization(self, id: str, kind: str) -> bytes:
        """Returns a visualization of a check's input as PNG; `kind` is one of those in the capture's `visualizations`."""
        return (await self._send("getCaptureVisualization", {"id": id, "kind": kind})).content

    async def verify_file(self, file: Source) -> t.VerifiedFile:
        """Returns the captures of exactly these bytes, or the results of the checks. The file is not stored."""
        return cast("t.VerifiedFile", await self._document(
            "verifyFile", content=_requests.bytes_of(file), headers={"Content-Type": "application/octet-stream"}, repeat=True))

    async def get_error_rates(self) -> t.ErrorRates:
        """Returns the measured error rates of the checks of photos."""
        return cast("t.ErrorRates", await self._document("readErrorRates"))

    async def register_device(self, device: str, key: Mapping[str, str], *,
                              app_attest: Optional[Mapping[str, Any]] = None) -> t.Device:
        """Registers the public key of a device (JWK, P-256). Registering the same key again has no effect."""
        return cast("t.Device", await self._document(
            "registerDevice", json=members(device=device, key=key, app_attest=app_attest), repeat=True))

    async def create_device_challenge(self) -> t.DeviceChallenge:
        """Creates a challenge for one attestation of an app and its key."""
        return cast("t.DeviceChallenge", await self._document("createDeviceChallenge", repeat=True))

    async def delete_device(self, id: str) -> None:
        """Deletes the registration of a device. Its captures stay."""
        await self._send("eraseDevice", {"id": id})

    # Depth scans

    async def upload_scan(
        self, files: Mapping[str, Source], *, subject: Optional[str] = None, label: Optional[str] = None,
        kind: Optional[str] = None, photos_expected: Optional[int] = None, voxel_millimeters: Optional[float] = None,
        range_millimeters: Optional[Sequence[int]] = None, idempotency_key: Optional[str] = None,
        token: Optional[str] = None,
    ) -> t.Scan:
        """Uploads the files of a scan in resumable pieces and submits it; `files` are bytes or paths by name.

        With the same `idempotency_key`, a later call continues an upload that was interrupted. `token` is the token of a
        check created with `scan`, instead of the API key.
        """
        listed = [{"name": name, "bytes": _requests.size_of(source)} for name, source in files.items()]
        scan = await self.create_scan(
            listed, subject=subject, label=label, kind=kind, photos_expected=photos_expected,
            voxel_millimeters=voxel_millimeters, range_millimeters=range_millimeters, idempotency_key=idempotency_key, token=token)
        for file in scan["files"]:
            upload = cast(Dict[str, Any], file).get("upload")
            if upload is not None and file["name"] in files:
                await self.upload_file(upload, files[file["name"]], token=token)
        return await self.submit_scan(scan["id"], token=token)

    async def create_scan(
        self, files: Sequence[Mapping[str, Any]] = (), *, subject: Optional[str] = None, label: Optional[str] = None,
        kind: Optional[str] = None, photos_expected: Optional[int] = None, voxel_millimeters: Optional[float] = None,
        range_millimeters: Optional[Sequence[int]] = None, idempotency_key: Optional[str] = None,
        token: Optional[str] = None,
    ) -> t.Scan:
        """Creates a scan with the names and sizes of its files; each file then has the address of its `upload`."""
        body = members(
            files=list(files), subject=subject, label=label, kind=kind, photos_expected=photos_expected,
            voxel_millimeters=voxel_millimeters, range_millimeters=range_millimeters)
        headers = {"Idempotency-Key": idempotency_key or uuid.uuid4().hex}
        return cast("t.Scan", await self._document("createScan", json=body, headers=headers, token=token, repeat=True))

    async def upload_file(self, upload: str, source: Source, *, token: Optional[str] = None) -> None:
        """Sends a file to the address of its upload, beginning at the server's offset (tus 1.0)."""
        path = {"id": upload.rstrip("/").rpartition("/")[2]}
        file = Piecewise(source)
        try:
            failures, offset = 0, await self._offset(path, token)
            while offset < file.size:
                try:
                    offset = await self._piece(path, offset, file.read(offset), token)
                    failures = 0
                except (ConnectionFailed, ProblemError) as error:
                    failures += 1
                    # Only the server knows what arrived, and it may still be reading an earlier request.
                    helps = isinstance(error, ConnectionFailed) or error.code in (
                        "offset-mismatch", "upload-busy", "checksum-mismatch")
                    if not helps or failures > max(self._retries, 3):
                        raise
                    await asyncio.sleep(self._delay(error, failures))
                    offset = await self._offset(path, token)
        finally:
            file.close()

    async def submit_scan(self, id: str, *, token: Optional[str] = None) -> t.Scan:
        """Starts the processing of a scan whose files are complete."""
        return cast("t.Scan", await self._document("submitScan", {"id": id}, token=token, repeat=True))

    async def get_scan(self, id: str, *, token: Optional[str] = None) -> t.Scan:
        """Returns a scan."""
        return cast("t.Scan", await self._document("getScan", {"id": id}, token=token))

    async def wait_for_scan(self, id: str, *, timeout: float = 1800.0, interval: float = 2.0,
                            token: Optional[str] = None) -> t.Scan:
        """Returns the scan once it needs no more processing; see its `status`."""
        deadline = time.monotonic() + timeout
        while True:
            scan = await self.get_scan(id, token=token)
            if scan["status"] not in ("queued", "working"):
                return scan
            await self._pause(interval, deadline, f"The scan {id} is not processed")

    async def list_scans(
        self, *, subject: Optional[str] = None, day: Optional[str] = None, status: Optional[t.ScanStatus] = None,
        label: Optional[str] = None, q: Optional[str] = None, after: Optional[str] = None, limit: Optional[int] = None,
    ) -> t.ScanList:
        """Returns a page of scans, newest first. Pass its `next` as `after` to get the next page."""
        query = members(subject=subject, day=day, status=status, label=label, q=q, after=after, limit=limit)
        return cast("t.ScanList", await self._document("listScans", query=query))

    async def update_scan(self, id: str, *, subject: Optional[str] = None, label: Optional[str] = None) -> t.Scan:
        """Changes the subject or label of a scan; an empty text removes it."""
        return cast("t.Scan", await self._document(
            "describeScan", {"id": id}, json=members(subject=subject, label=label), repeat=True))

    async def delete_scan(self, id: str) -> None:
        """Deletes a scan and its files."""
        await self._send("eraseScan", {"id": id})

    async def cancel_scan(self, id: str) -> t.Scan:
        """Stops the processing of a scan."""
        return cast("t.Scan", await self._document("cancelScan", {"id": id}))

    async def retry_scan(self, id: str) -> t.Scan:
        """Starts the processing of a scan over."""
        return cast("t.Scan", await self._document("retryScan", {"id": id}))

    async def download_scan_file(self, id: str, name: str, to: BinaryIO) -> int:
        """Writes a file that was sent with a scan to an open file; returns the number of bytes."""
        return await self._download("getScanFile", {"id": id, "name": name}, to)

    async def download_scan_result(self, id: str, name: str, to: BinaryIO) -> int:
        """Writes a result of a scan, such as `model.glb`, to an open file; returns the number of bytes."""
        return await self._download("getScanResult", {"id": id, "name": name}, to)

    async def get_scan_depth(self, id: str, frame: int) -> bytes:
        """Returns a depth map of a scan in false colors as PNG."""
        return (await self._send("getScanDepth", {"id": id, "frame": frame})).content

    async def export_scan(self, id: str, to: BinaryIO) -> int:
        """Writes all data of a scan to an open file as a ZIP archive; returns the number of bytes."""
        return await self._download("exportScan", {"id": id}, to)

    async def create_subject(self, *, name: Optional[str] = None, note: Optional[str] = None,
                             due: Optional[str] = None) -> t.ScanSubject:
        """Creates a subject of scans; `due` is a day such as `2031-05-04`."""
        return cast("t.ScanSubject", await self._document("createSubject", json=members(name=name, note=note, due=due)))

    async def list_subjects(self, *, q: Optional[str] = None, day: Optional[str] = None, after: Optional[str] = None,
                            limit: Optional[int] = None) -> t.ScanSubjectList:
        """Returns a page of subjects. Pass its `next` as `after` to get the next page."""
        query = members(q=q, day=day, after=after, limit=limit)
        return cast("t.ScanSubjectList", await self._document("listSubjects", query=query))

    async def get_subject(self, id: str) -> t.ScanSubject:
        """Returns a subject."""
        return cast("t.ScanSubject", await self._document("getSubject", {"id": id}))

    async def update_subject(self, id: str, *, name: Optional[str] = None, note: Optional[str] = None,
                             due: Optional[str] = None) -> t.ScanSubject:
        """Changes a subject; an empty note or day removes it."""
        return cast("t.ScanSubject", await self._document(
            "describeSubject", {"id": id}, json=members(name=name, note=note, due=due), repeat=True))

    async def delete_subject(self, id: str) -> int:
        """Deletes a subject and all its scans; returns the number of scans."""
        return int((await self._document("eraseSubject", {"id": id}))["scans"])

    async def export_subject(self, id: str, to: BinaryIO) -> int:
        """Writes all data of a subject to an open file as a ZIP archive; returns the number of bytes."""
        return await self._download("exportSubject", {"id": id}, to)

    # Administration

    async def list_keys(self) -> List[t.Key]:
        """Returns the API keys of the realm, without the keys themselves."""
        return cast("t.Keys", await self._document("listKeys"))["keys"]

    async def create_key(self, *, name: Optional[str] = None, scopes: Optional[Sequence[str]] = None,
                         expires_in: Optional[int] = None) -> t.Key:
        """Creates an API key, whose `key` is returned only here."""
        return cast("t.Key", await self._document(
            "createKey", json=members(name=name, scopes=scopes, expires_in=expires_in)))

    async def rotate_key(self, id: str, *, overlap: Optional[int] = None) -> t.Key:
        """Creates a successor of an API key; the old one stays valid for `overlap` seconds."""
        return cast("t.Key", await self._document("rotateKey", {"id": id}, json=members(overlap=overlap)))

    async def revoke_key(self, id: str) -> None:
        """Revokes an API key at once."""
        await self._send("revokeKey", {"id": id})

    async def get_retention(self) -> t.Retention:
        """Returns the retention periods and the deletions since the server started."""
        return cast("t.Retention", await self._document("readRetention"))

    async def get_audit_log(self, *, after: Optional[int] = None, about: Optional[str] = None) -> t.AuditLog:
        """Returns entries of the audit log, up to 1,000; pass the last `number` as `after` to get more."""
        return cast("t.AuditLog", await self._document("readAudit", query=members(after=after, about=about)))

    async def is_alive(self) -> bool:
        """Returns `True` if the server's process responds. Raises `ConnectionFailed` if it does not."""
        return bool((await self._document("live"))["status"])

    async def get_readiness(self) -> t.Readiness:
        """Returns whether the server can handle requests, and which parts are unavailable. Raises nothing if it cannot."""
        response = await self._exchange("ready", {}, retries=0, accept=(503,))
        return cast("t.Readiness", _requests.document_of(response))

    async def get_metrics(self) -> str:
        """Returns the metrics in the text format of Prometheus."""
        return (await self._send("metrics")).text

    # Requests

    async def _document(self, operation: str, path: Optional[Mapping[str, Any]] = None, **options: Any) -> Any:
        return _requests.document_of(await self._send(operation, path, **options))

    async def _send(self, operation: str, path: Optional[Mapping[str, Any]] = None, *, repeat: bool = False,
                    **options: Any) -> httpx.Response:
        return await self._exchange(operation, path or {}, repeat=repeat, retries=self._retries, **options)

    async def _exchange(self, operation: str, path: Mapping[str, Any], *, retries: int, repeat: bool = False,
                        accept: Sequence[int] = (), **options: Any) -> httpx.Response:
        """Sends a request, repeats it if a failure is temporary, and returns the response if it is a success."""
        failures = 0
        while True:
            request = self._request(operation, path, **options)
            repeatable = repeat or request.method in REPEATABLE
            try:
                response = await self._respond(request)
                if response.is_success or response.status_code in accept:
                    return response
                raise _requests.error_of(response)
            except httpx.ConnectError as error:
                raised: MienError = ConnectionFailed(f"{request.url.host} is not reachable: {error}")
                again = True
            except httpx.TransportError as error:
                raised = ConnectionFailed(f"{request.url.host} did not respond: {type(error).__name__} {error}".rstrip())
                again = repeatable
            except ProblemError as error:
                # A database that becomes unavailable may have stored the effect of the request.
                raised, again = error, error.is_temporary and (repeatable or error.code != "unavailable")
            except ConnectionFailed as error:
                raised, again = error, repeatable
            failures += 1
            delay = self._delay(raised, failures)
            if not again or failures > retries or delay > self._longest_wait:
                raise raised
            await asyncio.sleep(delay)

    async def _respond(self, request: httpx.Request) -> httpx.Response:
        return await self._http.send(request)

    async def _download(self, operation: str, path: Mapping[str, Any], to: BinaryIO) -> int:
        request = self._request(operation, path)
        try:
            response = await self._http.send(request, stream=True)
            try:
                if not response.is_success:
                    await response.aread()
                    raise _requests.error_of(response)
                count = 0
                async for chunk in response.aiter_bytes():
                    to.write(chunk)
                    count += len(chunk)
                return count
            finally:
                await response.aclose()
        except httpx.TransportError as error:
            raise ConnectionFailed(f"The download from {request.url.host} was interrupted: {error}") from error

    def _request(self, operation: str, path: Mapping[str, Any], *, query: Optional[Mapping[str, Any]] = None,
                 json: Any = None, content: Optional[bytes] = None, files: Any = None,
                 headers: Optional[Mapping[str, str]] = None, token: Optional[str] = None) -> httpx.Request:
        method, address = _requests.route(operation, path, query)
        sent = dict(headers or {})
        bearer = token or self._key
        if bearer:
            sent["Authorization"] = f"Bearer {bearer}"
        return self._http.build_request(
            method, address, json=json, content=content, files=files, headers=sent)

    def _delay(self, error: MienError, failures: int) -> float:
        """Returns the seconds before the next attempt: those of the server, otherwise doubling from half a second."""
        stated = error.retry_after if isinstance(error, ProblemError) else None
        return float(min(2.0 ** (failures - 2), 8.0)) if stated is None else stated

    async def _pause(self, interval: float, deadline: float, what: str) -> None:
        if time.monotonic() + interval > deadline:
            raise WaitTimedOut(f"{what} within the time allowed.")
        await asyncio.sleep(interval)

    async def _erase(self, operation: str, path: Mapping[str, Any]) -> t.Erasure:
        return cast("t.Erasure", await self._document(operation, path, headers={"Prefer": "return=representation"}))

    async def _frame(self, operation: str, check: Mapping[str, Any], image: bytes, client: str,
                     captured_at: Optional[float], number: Optional[int]) -> Any:
        headers = {"Content-Type": _requests.image_type(image), "Mien-Client": client}
        if captured_at is not None:
            headers["Mien-Captured-At"] = f"{captured_at:.1f}"
        if number is not None:
            headers["Mien-Frame"] = str(number)
        # Sending the next frame is better than repeating this one.
        response = await self._exchange(
            operation, {"id": check["id"]}, content=image, headers=headers, token=check["token"], retries=0)
        return _requests.document_of(response)

    async def _frames(self, operation: str, check: Mapping[str, Any], frames: AsyncIterable[bytes]) -> AsyncIterator[Any]:
        client, began, failures = uuid.uuid4().hex, time.monotonic(), 0
        async for image in frames:
            captured_at = (time.monotonic() - began) * 1000
            try:
                step = await self._frame(operation, check, image, client, captured_at, None)
                failures = 0
            except Conflict as error:
                if error.code != "check-ended" or error.step is None:
                    raise
                step = error.step
            except (ConnectionFailed, ProblemError) as error:
                failures += 1
                temporary = error.is_temporary if isinstance(error, ProblemError) else True
                delay = self._delay(error, failures)
                if not temporary or failures > max(self._retries, 3) or delay > self._longest_wait:
                    raise
                await asyncio.sleep(delay)
                continue
            yield step
            if step["state"] in FINAL_STATES:
                return

    async def _observations(self, operation: str, check: Mapping[str, Any], observations: Sequence[Mapping[str, Any]],
                            client: str) -> Any:
        headers = {"Content-Type": "application/x-ndjson", "Mien-Client": client}
        return await self._document(
            operation, {"id": check["id"]}, content=_requests.lines_of(observations), headers=headers, token=check["token"])

    async def _offset(self, path: Mapping[str, Any], token: Optional[str]) -> int:
        response = await self._send("getUpload", path, headers=TUS, token=token)
        return int(response.headers["Upload-Offset"])

    async def _piece(self, path: Mapping[str, Any], offset: int, piece: bytes, token: Optional[str]) -> int:
        checksum = base64.b64encode(hashlib.sha256(piece).digest()).decode("ascii")
        headers = {**TUS, "Content-Type": "application/offset+octet-stream", "Upload-Offset": str(offset),
                   "Upload-Checksum": f"sha256 {checksum}"}
        response = await self._send("takeUpload", path, content=piece, headers=headers, token=token)
        return int(response.headers["Upload-Offset"])
