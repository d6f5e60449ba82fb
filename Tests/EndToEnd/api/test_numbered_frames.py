"""Tests of frames with numbers: several under way at once, in any order, over slow links, and with bad numbers and times."""

import concurrent.futures
import json

import pytest

from support import footage
from support.checks import need_footage
from support.program import ROOT
from support.replies import conforms
from support.slow_link import SlowLink
from support.windowed_client import WindowedClient, send

CODES = set(json.loads((ROOT / "Web/openapi.json").read_text())["paths"]["/v1/checks/{id}/frames"]["post"]["x-problem-codes"])


def code(reply):
    if reply.status == 200:
        conforms("Step", reply.json)
        return None
    conforms("Problem", reply.json)
    assert reply.code in CODES, f"{reply.code} is missing in x-problem-codes"
    return reply.code


@pytest.fixture
def check(server):
    return server.create(challenge="turn-right")


def post(check, number, captured, picture=None, **more):
    return code(send(check.server.port, check, picture or footage.faces(1)[0], number, captured, **more))


def test_response_states_the_window(server, check):
    reply = send(server.port, check, footage.faces(1)[0], 0, 0.0)
    assert code(reply) is None and 1 <= int(reply.headers["mien-frame-window"]) <= 8


def test_frames_sent_at_once_in_reverse_order_are_evaluated(server, check):
    assert post(check, 0, 0.0) is None
    pictures = footage.faces(2)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        later = pool.submit(post, check, 2, 0.2, pictures[1])
        earlier = pool.submit(post, check, 1, 0.1, pictures[0])
        assert [earlier.result(), later.result()] == [None, None]


def test_gap_is_passed_over_and_the_late_frame_is_refused(check):
    assert post(check, 0, 0.0) is None
    assert post(check, 2, 0.2) is None
    assert post(check, 1, 0.1) == "out-of-order"
    assert post(check, 3, 0.3) is None


def test_repeated_number_is_refused_unless_the_frame_is_the_same(check):
    picture = footage.faces(1)[0]
    assert post(check, 0, 0.0, picture) is None
    assert post(check, 0, 0.0, picture) is None, "the response may have been lost"
    assert post(check, 0, 0.1) == "out-of-order"
    assert post(check, 1, 0.1) is None


def test_repeated_number_of_a_frame_without_a_face_gets_the_step_again(check):
    black = footage.plain()
    assert post(check, 0, 0.0, black) is None
    assert post(check, 1, 0.1, black) is None, "a covered camera sends the same bytes under new numbers"
    assert post(check, 1, 0.1, black) is None, "the response may have been lost"
    assert post(check, 0, 0.2) == "out-of-order"
    assert post(check, 2, 0.3) is None


@pytest.mark.parametrize("captured, expected", [
    (0.5, "out-of-order"), (7200.0, "timestamp-out-of-range"), (None, "bad-value"), (-1.0, "bad-value"), (float("nan"), "bad-value")])
def test_impossible_capture_times_are_refused_and_the_next_frame_is_accepted(check, captured, expected):
    assert post(check, 0, 1.0) is None
    assert post(check, 1, captured) == expected
    assert post(check, 2, 1.1) is None


@pytest.mark.parametrize("number", ["-1", "1.5", "one", "9007199254740992", "99999999999999999999", ""])
def test_number_that_is_none_is_refused(check, number):
    assert post(check, number, 0.0) == "bad-value"
    assert post(check, 0, 0.0) is None


def test_second_client_uses_up_no_number(check):
    assert post(check, 0, 0.0) is None
    assert post(check, 1, 0.1, client="another") == "second-client"
    assert post(check, 1, 0.1) is None


def test_window_overrun_is_refused_and_nothing_is_lost(check):
    assert post(check, 0, 0.0) is None
    pictures = footage.faces(30)
    # Frame 1 never comes: the next ones wait until its time is over.
    with concurrent.futures.ThreadPoolExecutor(30) as pool:
        codes = list(pool.map(lambda n: post(check, n + 2, 0.01 * (n + 1), pictures[n]), range(30)))
    assert set(codes) <= {None, "too-many-frames", "frame-in-flight", "out-of-order"} and None in codes, codes
    assert post(check, 100, 1.0) is None


def test_frames_without_a_number_are_sent_one_at_a_time(check):
    pictures = footage.faces(8)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        codes = list(pool.map(lambda picture: post(check, None, None, picture), pictures))
    assert set(codes) <= {None, "frame-in-flight"} and None in codes


def test_camera_that_changes_its_size_continues(check):
    for number, width in enumerate((640, 320, 480, 1280)):
        picture = footage.distinct(footage.ffmpeg("-f", "lavfi", "-i", f"testsrc2=size={width}x{width * 3 // 4}:rate=1", "-frames:v", "1")[0])
        assert post(check, number, 0.1 * number, picture) is None


@pytest.mark.parametrize("round_trip, upload, loss", [(0.3, None, 0.0), (0.13, 1.6e6, 0.0)])
def test_recorded_turn_passes_over_a_slow_link(server, round_trip, upload, loss):
    need_footage()
    # A busy machine may lose too many frames of a take.
    for take in range(4):
        link = SlowLink(server.port, round_trip, upload, loss)
        try:
            client = WindowedClient(server.create(challenge="turn-right"), link.port)
            last = client.play(footage.clip("zubair/real.mov", rate=15, width=480, quality=11 + 2 * take))
        finally:
            link.close()
        if last and last["state"] == "passed":
            break
    assert last and last["state"] == "passed", (last, client.codes)


def test_frames_after_the_verdict_get_it(check):
    need_footage()
    client = WindowedClient(check, check.server.port)
    last = client.play(footage.clip("zubair/real.mov", rate=15, width=480, quality=11))
    assert last
    reply = send(check.server.port, check, footage.faces(1)[0], 1000, 100.0)
    assert code(reply) == "check-ended" and reply.json["step"]["state"] == last["state"]
