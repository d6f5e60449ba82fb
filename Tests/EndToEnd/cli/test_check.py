"""Tests of `mien check`: exit codes, verdicts of recordings, refused files and options."""

import pathlib
import re

from cli.commands import SIDES, WORK, check, folder, mien, stills, tracked, turns, video


def test_requested_turn_passes():
    reply = turns("turn-right", 0, 1, expect=0)
    assert reply["verdict"] == "passed" and "reason" not in reply and reply["frames"] > 100, reply
    assert (reply["source"], reply["basis"]) == ("observed", "frames"), reply
    found = {finding["check"]: finding for finding in reply["findings"]}
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("not-assessed", "no-depth")
    assert found["head-turn"]["result"] == "genuine" and "score" not in found["depth-gate"]
    assert min(reply["evidence"]["outbound_path"]) < -25 and reply["evidence"]["return_path"][-1] > -5
    text = mien("check", video("zubair/real.mov"), "--challenge", "turn-right").stdout
    assert re.fullmatch(r"passed: turn-right, \d+ frames judged, source observed, basis frames\n", text), text


def test_other_side_fails_until_its_own_turn():
    reply = turns("turn-left", 0, 1, expect=1)
    assert (reply["verdict"], reply["reason"]) == ("failed", "wrong-direction"), reply
    # The left turn follows the right one immediately, leaving less time than the reading pause.
    reply = turns("turn-left", 8, 1, expect=1)
    assert (reply["verdict"], reply["reason"], reply["input_ended"]) == ("failed", "input-ended", True), reply
    reply = turns("turn-left", 8, 0, expect=0)
    assert reply["verdict"] == "passed" and max(reply["evidence"]["outbound_path"]) > 25, reply


def test_cartoon_cannot_be_assessed():
    for side in SIDES:
        reply = check(video("pyfeat/no_face.mp4"), side, expect=2)
        assert (reply["verdict"], reply["reason"]) == ("not-assessed", "no-face") and reply["frames"] == 95, reply
        assert all(finding["result"] == "not-assessed" and "score" not in finding for finding in reply["findings"])


def test_unreadable_input_is_reported_with_2():
    (WORK / "text.mp4").write_text("I am no film.\n")
    (WORK / "text.jpg").write_text("I am no picture.\n")
    (WORK / "empty.mp4").write_bytes(b"")
    (WORK / "text.jsonl").write_text("I am no recording.\n")
    (WORK / "text.csv").write_text("a,b\n1,2\n")
    for name in ("missing.mp4", "missing.jsonl", "text.mp4", "text.jpg", "empty.mp4", "text.jsonl", "text.csv", folder("nothing")):
        reply = check(name, "turn-left", expect=2)
        assert (reply["verdict"], reply["reason"]) == ("not-assessed", "unreadable"), reply
        run = mien("check", name, "--challenge", "turn-left", expect=2)
        assert run.stdout == "" and pathlib.Path(name).name in run.stderr, run
        assert "Domain=" not in run.stderr, run.stderr


def test_rejects_invalid_options_with_64():
    for arguments in (["--challenge", "nod"], ["--challenge", "left"], [], ["--challenge", "turn-left", "--from=-1"],
                      ["--challenge", "turn-left", "--from", "nan"], ["--challenge", "turn-left", "--frame-rate", "0"],
                      ["--challenge", "turn-left", "--pause", "11"]):
        run = mien("check", "a.mov", *arguments, expect=64)
        assert run.stdout == ""
    assert "turn-left" in mien("check", "a.mov", "--challenge", "nod", expect=64).stderr


def test_start_beyond_the_end_is_2():
    path, _ = tracked("zubair/real.mov")
    for source in (video("pyfeat/no_face.mp4"), path / "lines.jsonl"):
        assert check(source, "turn-left", "--from", "1000", expect=2)["frames"] == 0


def test_folder_of_stills_is_analyzed_and_is_no_turn():
    video("pyfeat/single_face.mp4")
    path, count = stills()
    for side in SIDES:
        reply = check(path, side, expect=1)
        assert (reply["verdict"], reply["reason"], reply["frames"]) == ("failed", "input-ended", count), reply
