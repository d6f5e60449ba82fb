"""Tests of checks performed by recorded videos."""

from support import footage
from support.checks import need_footage, play
from support.replies import conforms, expect


def play_until_passed(server, options, name, rate, quality=3, **clip):
    """Plays a clip to checks until one passes, and returns it: a busy machine may lose too many frames of a take."""
    for take in range(5):
        check = server.create(**options)
        last = play(check, footage.clip(name, rate=rate, quality=quality + 2 * take, **clip), rate)
        if last and last["state"] == "passed":
            break
    assert last and last["state"] == "passed", (name, last)
    return check


def test_recorded_right_turn_passes(server):
    need_footage()
    check = play_until_passed(server, {"challenge": "turn-right"}, "zubair/real.mov", 15)
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
    blinks = {"tasks": [{"kind": "blink", "difficulty": "easy", "max_blinks": 2}]}
    check = play_until_passed(server, blinks, "pyfeat/WolfgangLanger_Pexels.mp4", 15, quality=6)
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
    """One performance, once in front of the camera and once recorded from a laptop's screen, as the page sends it."""
    need_footage()
    found = {}
    for name in ("attacks/tranvan/replay.mp4", "genuine/tranvan/turns.mp4"):
        check = play_until_passed(server, {"challenge": "turn-left"}, name, 12, quality=8, width=270, folder="face_more")
        result = check.result().json
        conforms("Result", result)
        assert "screen-or-print" in result["signals"]["assessed"], result["signals"]
        suspects = [finding["check"] for finding in result["findings"] if finding["result"] == "suspect"]
        found[name] = next(finding for finding in result["findings"] if finding["check"] == "screen-or-print"), suspects
    (replay, suspects), (genuine, others) = found.values()
    assert (replay["result"], replay["reason"]) == ("suspect", "looks-recaptured") and replay["score"] < 0.25, replay
    assert "screen-or-print" in suspects
    assert (genuine["result"], others) == ("genuine", []) and genuine["score"] > 0.75, (genuine, others)
