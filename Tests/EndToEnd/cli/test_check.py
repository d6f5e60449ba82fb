"""Tests of `mien check`: exit codes, verdicts of recordings, refused files and options."""

import json
import math
import pathlib
import re

from cli.commands import SIDES, WORK, as_json, check, folder, mien, stills, tracked, turns, video
from support.checks import observation
from support.program import ROOT


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


def recording(path, degrees):
    """Writes a recording of a head that turns this far and back, after 2.5 seconds at rest; positive is to the subject's left."""
    lines = [{"mien": "observations", "version": 1, "source": "arkit", "frame_rate": 30}]
    for frame in range(210):
        t = frame / 30
        out = math.sin(math.pi * min(1, max(0, t - 2.5) / 3.5)) ** 2
        lines.append(observation(round(t, 4), round(0.3 * math.sin(9 * t) + degrees * out, 3)))
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n")
    return path


def test_finds_the_side_that_was_turned_to(tmp_path):
    for side, other, degrees in (("turn-left", "turn-right", 38), ("turn-right", "turn-left", -38)):
        path = recording(tmp_path / "head.jsonl", degrees)
        text = mien("check", path).stdout
        assert text.startswith(f"passed: {side}, "), text
        assert as_json(mien("check", path, "--json"))["challenge"] == side
        assert check(path, other, expect=1)["reason"] == "wrong-direction"
    path = recording(tmp_path / "still.jsonl", 0)
    assert mien("check", path, expect=1).stdout.startswith("failed: no turn to either side (")
    assert "challenge" not in as_json(mien("check", path, "--json", expect=1))
    assert as_json(mien("check", WORK / "missing.jsonl", "--json", expect=2)) == {"verdict": "not-assessed", "reason": "unreadable"}


def test_side_of_a_filmed_turn_is_found():
    assert as_json(mien("check", video("zubair/real.mov"), "--json"))["challenge"] == "turn-right"


def test_cartoon_cannot_be_assessed():
    for side in SIDES:
        reply = check(video("pyfeat/no_face.mp4"), side, expect=2)
        assert (reply["verdict"], reply["reason"]) == ("not-assessed", "no-face") and reply["frames"] == 95, reply
        assert all(finding["result"] == "not-assessed" and "score" not in finding for finding in reply["findings"])


def test_unreadable_input_is_reported_with_2():
    (WORK / "text.mp4").write_text("I am no video.\n")
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
    run = mien("check", ROOT / "README.md", expect=2)
    assert run.stderr == f"{ROOT}/README.md is not a video that ffmpeg can read.\n", run


def test_rejects_invalid_options_with_64():
    for arguments in (["--challenge", "nod"], ["--challenge", "left"], ["--challenge", "turn-left", "--assurance", "basic"],
                      ["--assurance", "strong"], ["--challenge", "turn-left", "--from=-1"],
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
