"""Recordings that are played to several checks, and persons who do several checks."""

import time

import cv2
import numpy
import pytest

from support import footage, synthetic_head
from support import performers as act
from support.performance import perform
from support.replies import conforms, expect
from support.server import Server

pytestmark = pytest.mark.without_models


class Recording:
    """The frames of a performance and when each was sent."""

    def __init__(self):
        self.frames = []

    def add(self, picture, seconds):
        self.frames.append((picture, seconds))

    def play(self, check, change):
        """Shows the recording to another check, each picture changed; the last step."""
        began, step = time.monotonic(), None
        for picture, seconds in self.frames:
            time.sleep(max(0, seconds - (time.monotonic() - began)))
            reply = check.frame(change(picture), Mien_Client="player", Mien_Captured_At=f"{seconds * 1000:.1f}")
            step = expect(reply, 200).json
            if step["state"] in ("passed", "failed", "timed-out"):
                break
        return step


def reencoded(quality, gain=1.0, scale=1.0):
    """Decodes a picture and encodes it anew, in another size and exposure."""
    def change(picture):
        pixels = cv2.imdecode(numpy.frombuffer(picture, numpy.uint8), cv2.IMREAD_COLOR)
        pixels = cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        pixels = numpy.clip(pixels.astype(numpy.float32) * gain, 0, 255).astype(numpy.uint8)
        return cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()

    return change


def head_and_server(server, *arguments):
    """A rendered head, and a server that lets the tasks and the frames of earlier checks decide."""
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    head = synthetic_head.head(server.binary, footage.shared() / "data")
    return head, Server(server.binary, claims=False, loads_models=True, arguments=["--passive", "report", *arguments])


def perform_turn(own, head, seed, keep=None, **how):
    check = own.create(challenge="turn-left")
    step = perform(check, head, act.Turn(**how), keep=keep, seed=seed)
    return step, findings(check)


def findings(check):
    result = expect(check.result(), 200).json
    conforms("Result", result)
    return next((each for each in result["findings"] if each["check"] == "earlier-frames"), None)


def test_recording_of_an_earlier_check_fails_whatever_its_encoding(server):
    head, own = head_and_server(server, "--replays", "refuse")
    try:
        recording = Recording()
        step, finding = perform_turn(own, head, 1, keep=recording)
        assert step["state"] == "passed" and finding["result"] == "genuine", (step, finding)
        for change in (reencoded(60), reencoded(85, gain=1.15), reencoded(75, scale=0.6)):
            check = own.create(challenge="turn-left")
            step = recording.play(check, change)
            assert (step["state"], step["reason"]) == ("failed", "suspect-frames"), step
            finding = findings(check)
            assert (finding["result"], finding["reason"]) == ("suspect", "seen-in-earlier-check"), finding
    finally:
        own.clean()


def test_default_server_reports_replays_and_fails_nobody(server):
    head, own = head_and_server(server)
    try:
        recording = Recording()
        assert perform_turn(own, head, 1, keep=recording)[0]["state"] == "passed"
        check = own.create(challenge="turn-left")
        assert recording.play(check, reencoded(60))["state"] == "passed"
        assert findings(check)["result"] == "suspect"
        # The same head in the same place, which turns anew: it may resemble itself.
        for seed, degrees, seconds in ((2, 30, 3.0), (3, 38, 2.3)):
            step, finding = perform_turn(own, head, seed, degrees=degrees, seconds=seconds)
            assert step["state"] == "passed" and finding["result"] in ("genuine", "suspect"), (step, finding)
    finally:
        own.clean()
