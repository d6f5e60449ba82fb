"""Tests of checks performed by recorded videos."""

from support import footage
from support.checks import need_footage, play
from support.replies import conforms, expect


def test_recorded_right_turn_passes(server):
    need_footage()
    check = server.create(challenge="turn-right")
    last = play(check, footage.clip("zubair/real.mov", rate=15), 15)
    assert last and last["state"] == "passed", last
    result = check.result().json
    conforms("Result", result)
    assert result["source"] == "observed" and min(result["evidence"]["outbound_path"]) < -25


def test_recorded_turn_to_the_other_side_fails(server):
    need_footage()
    check = server.create(challenge="turn-left")
    last = play(check, footage.clip("zubair/real.mov", rate=14, quality=4), 14)
    assert last and (last["state"], last["reason"]) == ("failed", "wrong-direction"), last


def test_recorded_blinks_pass(server):
    need_footage()
    check = server.create(tasks=[{"kind": "blink", "difficulty": "easy", "max_blinks": 2}])
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=15, quality=6), 15)
    assert last and last["state"] == "passed", last
    conforms("Result", check.result().json)


def test_unrelated_recording_does_not_follow_a_path(server):
    need_footage()
    check = server.create(tasks=[{"kind": "head-path"}])
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=15, quality=7), 15)
    assert last and last["state"] == "failed" and last["reason"] in ("off-path", "too-slow", "too-early"), last


def test_cartoon_is_no_face(server):
    need_footage()
    check = server.create()
    frames = footage.clip("pyfeat/no_face.mp4", rate=5)
    for frame in frames[:20]:
        reply = check.frame(frame)
        assert reply.status == 200 and reply.json["outline"] == [] and reply.json["state"] == "positioning", reply


def test_person_who_does_not_turn_times_out(server):
    need_footage()
    check = server.create(challenge="turn-left")
    last = play(check, footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=14), 14)
    assert last and (last["state"], last["reason"]) == ("timed-out", "turned-too-little"), last


def test_camera_that_freezes_during_the_turn_gets_a_verdict(server):
    need_footage()
    check = server.create(challenge="turn-left")
    frames = footage.clip("pyfeat/WolfgangLanger_Pexels.mp4", rate=14, quality=5)
    last = play(check, frames[:40] + frames[39:40] * 400, 14)
    assert last and (last["state"], last["reason"]) == ("failed", "frozen-camera"), last
    result = expect(check.result(), 200).json
    assert [(past["outcome"], past["reason"]) for past in result["previous_attempts"]] == [("interrupted", "face-lost")], result


def test_replay_on_a_laptop_is_suspect_and_its_genuine_twin_is_not(server):
    """One performance, once in front of the camera and once filmed from a laptop's screen, as the page sends it."""
    need_footage()
    found = {}
    for name in ("attacks/tranvan/replay.mp4", "genuine/tranvan/turns.mp4"):
        check = server.create(challenge="turn-left")
        last = play(check, footage.clip(name, rate=12, width=270, quality=8, folder="face_more"), 12)
        assert last and last["state"] == "passed", (name, last)
        result = check.result().json
        conforms("Result", result)
        assert "screen-or-print" in result["signals"]["assessed"], result["signals"]
        suspects = [finding["check"] for finding in result["findings"] if finding["result"] == "suspect"]
        found[name] = next(finding for finding in result["findings"] if finding["check"] == "screen-or-print"), suspects
    (replay, suspects), (genuine, others) = found.values()
    assert (replay["result"], replay["reason"]) == ("suspect", "looks-recaptured") and replay["score"] < 0.25, replay
    assert "screen-or-print" in suspects
    assert (genuine["result"], others) == ("genuine", []) and genuine["score"] > 0.75, (genuine, others)
