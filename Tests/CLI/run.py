"""Tests of the command line for interactive users and scripts: exit codes, clean output, readable files.

usage: run.py --mien PATH_OF_THE_PROGRAM [NAME…]      (the program finds its models in $MIEN_PARTS)
"""

import argparse
import csv
import functools
import hashlib
import http.client
import json
import math
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/API"))
import cv2
import depth
import footage
import numpy as np
import photos
import scan_folders as scans
import straw
from expressions import acted
from forgetful import Forgetful
from server import Server

TESTS = []
COMMANDS = ["serve", "doctor", "track", "check", "enrol", "expressions", "gif", "read-id", "lock", "unlock", "scan",
            "analyze", "evaluate", "keys", "backup", "restore"]
SIDES = ["turn-left", "turn-right"]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="mien-cli-"))
MIEN = ""


def test(function):
    TESTS.append(function)
    return function


class Skip(Exception):
    pass


def video(name):
    """Returns a clip of shared/data/face_video; reports the test as skipped if it is missing."""
    if footage.shared() is None:
        raise Skip("shared/data not found")
    return str(footage.shared() / "data/face_video" / name)


def mien(*arguments, expect=0, cwd=WORK, **more):
    """Runs the program with separate standard output and error; fails for any other exit code than `expect`."""
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    run = subprocess.run([MIEN, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300, **more)
    assert run.returncode == expect, f"exit {run.returncode}, not {expect}\n{run.stdout[:500]}\n{run.stderr[:1500]}"
    return run


def as_json(run):
    """Returns the line of JSON on standard output, which must be the only output."""
    assert run.stdout.count("\n") == 1, run.stdout[:500]
    return json.loads(run.stdout)


def check(path, side, *more, expect):
    reply = as_json(mien("check", path, "--challenge", side, "--json", *more, expect=expect))
    assert reply["challenge"] == side, reply
    return reply


def folder(name):
    path = WORK / name
    path.mkdir(exist_ok=True)
    return path


@functools.cache
def stills():
    """Returns a folder with six images, with a face if footage is available, and a text file; one image is a PNG."""
    path = folder("stills")
    shared = footage.shared()
    frames = footage.clip("pyfeat/single_face.mp4", rate=2) if shared else footage.drawn(5)
    for index, picture in enumerate(frames[:5]):
        (path / f"still-{index}.jpg").write_bytes(picture)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", path / "still-0.jpg", path / "still-0.png"], check=True)
    (path / "notes.txt").write_text("not a picture")
    return path, 6


@functools.cache
def tracked(name):
    """Returns all output of `mien track` for a clip."""
    path = folder("tracked-" + name.replace("/", "-"))
    summary = as_json(mien(
        "track", video(name), "--json", "--csv", path / "table.csv", "--jsonl", path / "lines.jsonl", "--live-link",
        path / "take.csv", "--overlay", path / "overlay"))
    return path, summary


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# ── arguments and help ────────────────────────────────────────────────────────────────────────────────────────────────

@test
def help_is_there_for_every_command():
    text = mien("--help").stdout
    named = re.findall(r"^  ([\w-]+)(?: \(default\))? {2,}\S", text.split("SUBCOMMANDS:")[1], re.M)
    assert set(named) >= set(COMMANDS), named
    for command in named:
        own = mien(command, "--help").stdout
        assert f"USAGE: mien {command}" in own and own == mien("help", command).stdout
        for option in re.findall(r"(?<=\[)--[a-z-]+", own.split("\n\n")[1]):
            assert re.search(rf"^  \S*{option}[^\n]*?( {{2,}}|\n {{20,}})\w", own, re.M), f"{command} {option} says nothing"
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", mien("--version").stdout)


@test
def the_readme_names_only_what_is_there():
    lines = re.findall(r"^mien ([\w-]+)(.*)$", (ROOT / "README.md").read_text(), re.M)
    assert {command for command, _ in lines} >= {"doctor", "check", "track", "enrol"}
    for command, rest in lines:
        text = mien(command, "--help").stdout
        for option in re.findall(r"--[a-z-]+", rest.split("#")[0]):
            assert option in text, f"README: mien {command} has no {option}"


@test
def strays_are_refused_with_64():
    for arguments in (["sreve"], ["--nonsense"], ["check"], ["track"], ["enrol"], ["check", "a.mov"], ["serve", "stray"],
                      ["doctor", "stray"], ["check", "a.mov", "b.mov", "--challenge", "turn-left"],
                      ["serve", "--port", "70000"], ["serve", "--port", "x"], ["serve", "--lifetime", "0"],
                      ["serve", "--engines", "0"], *([command, "--nonsense"] for command in COMMANDS)):
        run = mien(*arguments, expect=64)
        assert run.stdout == "" and "Usage: mien" in run.stderr, (arguments, run.stdout, run.stderr)


@test
def shell_completions_know_the_commands():
    for shell in ("bash", "zsh", "fish"):
        script = mien("--generate-completion-script", shell).stdout
        for word in [*COMMANDS, "challenge", "live-link", "turn-left"]:
            assert word in script, f"{shell}: {word}"
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=script, text=True, check=True)
    mien("--generate-completion-script", "cmd.exe", expect=64)


# ── check ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

@functools.cache
def turns(side, start, pause, *, expect):
    """Returns the verdict on the video of two turns; passes start and pause only if they differ from the defaults."""
    more = (["--from", start] if start != 0 else []) + (["--pause", pause] if pause != 1 else [])
    return check(video("zubair/real.mov"), side, *more, expect=expect)


@test
def check_passes_the_turn_that_was_asked():
    reply = turns("turn-right", 0, 1, expect=0)
    assert reply["verdict"] == "passed" and "reason" not in reply and reply["frames"] > 100, reply
    assert (reply["source"], reply["assurance"]) == ("observed", "frames"), reply
    found = {finding["check"]: finding for finding in reply["findings"]}
    assert (found["depth-gate"]["result"], found["depth-gate"]["reason"]) == ("not-assessed", "no-depth")
    assert found["head-turn"]["result"] == "genuine" and "score" not in found["depth-gate"]
    assert min(reply["evidence"]["way_out"]) < -25 and reply["evidence"]["way_back"][-1] > -5
    text = mien("check", video("zubair/real.mov"), "--challenge", "turn-right").stdout
    assert re.fullmatch(r"passed: turn-right, \d+ frames judged, source observed, assurance frames\n", text), text


@test
def check_fails_the_other_side_until_its_own_turn():
    reply = turns("turn-left", 0, 1, expect=1)
    assert (reply["verdict"], reply["reason"]) == ("failed", "wrong-direction"), reply
    # The left turn follows the right one immediately, leaving less time than the reading pause.
    reply = turns("turn-left", 8, 1, expect=1)
    assert (reply["verdict"], reply["reason"], reply["input_ended"]) == ("failed", "input-ended", True), reply
    reply = turns("turn-left", 8, 0, expect=0)
    assert reply["verdict"] == "passed" and max(reply["evidence"]["way_out"]) > 25, reply


@test
def check_cannot_assess_a_cartoon():
    for side in SIDES:
        reply = check(video("pyfeat/no_face.mp4"), side, expect=2)
        assert (reply["verdict"], reply["reason"]) == ("not-assessed", "no-face") and reply["frames"] == 95, reply
        assert all(finding["result"] == "not-assessed" and "score" not in finding for finding in reply["findings"])


@test
def check_of_what_cannot_be_read_is_2_and_says_so():
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


@test
def check_refuses_nonsense_with_64():
    for arguments in (["--challenge", "nod"], ["--challenge", "left"], [], ["--challenge", "turn-left", "--from=-1"],
                      ["--challenge", "turn-left", "--from", "nan"], ["--challenge", "turn-left", "--frame-rate", "0"],
                      ["--challenge", "turn-left", "--pause", "11"]):
        run = mien("check", "a.mov", *arguments, expect=64)
        assert run.stdout == ""
    assert "turn-left" in mien("check", "a.mov", "--challenge", "nod", expect=64).stderr


@test
def check_from_beyond_the_end_is_2():
    path, _ = tracked("zubair/real.mov")
    for source in (video("pyfeat/no_face.mp4"), path / "lines.jsonl"):
        assert check(source, "turn-left", "--from", "1000", expect=2)["frames"] == 0


@test
def a_folder_of_stills_is_looked_at_and_is_no_turn():
    video("pyfeat/single_face.mp4")
    path, count = stills()
    for side in SIDES:
        reply = check(path, side, expect=1)
        assert (reply["verdict"], reply["reason"], reply["frames"]) == ("failed", "input-ended", count), reply


# ── expressions and their GIFs ────────────────────────────────────────────────────────────────────────────────────────

SEQUENCE = "smile,wink_l,tongue_out,surprise,smooch"


def take(*shown):
    """Returns a phone's observation lines: neutral, then each (seconds, coefficients)."""
    lines, time = [json.dumps({"mien": "observations", "version": 1, "source": "arkit", "frame_rate": 30})], 0.0
    names = ["tongueOut", "eyeBlinkLeft", "eyeBlinkRight", "cheekPuff", "mouthPucker", "jawOpen", "browInnerUp",
             "browOuterUpLeft", "browOuterUpRight", "mouthSmileLeft", "mouthSmileRight"]
    for seconds, shape in [(0.5, {}), *shown]:
        for _ in range(round(seconds * 30)):
            values = {name: 0.05 for name in names} | shape
            lines.append(json.dumps({"t": round(time, 6), "faces": 1, "blendshapes": {k: v for k, v in values.items() if v is not None}}))
            time += 1 / 30
    return "\n".join(lines) + "\n"


@test
def expressions_are_listed_with_their_times():
    smile = {"mouthSmileLeft": 0.8, "mouthSmileRight": 0.8}
    path = WORK / "faces.jsonl"
    path.write_text(take((1, smile), (0.5, {}), (0.3, smile), (0.5, {}), (0.6, {"eyeBlinkRight": 0.9}), (0.5, {})))
    reply = as_json(mien("expressions", path, "--json"))
    assert [e["expression"] for e in reply["expressions"]] == ["smile", "wink_r"], reply
    assert math.isclose(reply["expressions"][0]["began"], 0.5, abs_tol=0.05)
    assert math.isclose(reply["expressions"][0]["at"], 0.9, abs_tol=0.05)
    assert reply["unavailable"] == [] and reply["frames"] == reply["frames_with_face"] == 117 and not reply["calibrated"], reply
    assert re.fullmatch(r"0\.50–0\.9\d s  smile\n2\.8\d–3\.2\d s  wink_r\n", mien("expressions", path).stdout)
    path.write_text(take((1, {"tongueOut": None})).replace('"tongueOut": 0.05, ', ""))
    assert as_json(mien("expressions", path, "--json"))["unavailable"] == ["tongue_out"]
    path.write_text('{"mien":"observations","version":1,"source":"arkit","frame_rate":30}\n{"t":0,"faces":0}\n')
    assert as_json(mien("expressions", path, "--json", expect=2))["frames_with_face"] == 0
    assert mien("expressions", WORK / "missing.jsonl", expect=2).stdout == ""


@test
def every_take_runs_through_expressions():
    if footage.shared() is None:
        raise Skip("shared/data not found")
    takes = sorted((footage.shared() / "data/arkit").glob("*/*.csv"))
    assert len(takes) == 8
    for path in takes:
        found = as_json(mien("expressions", path, "--json"))
        assert {e["expression"] for e in found["expressions"]} <= {"smile"}, (path.name, found)
        as_json(mien("expressions", path, "--json", "--calibrate"))


@test
def smiles_are_found_where_they_are_seen():
    for name, smiles in (("pyfeat/single_face.mp4", 1), ("pyfeat/noface_face.mov", 1), ("pyfeat/no_face.mp4", 0)):
        found = as_json(mien("expressions", video(name), "--json", expect=0 if smiles else 2))
        assert [e["expression"] for e in found["expressions"]] == ["smile"] * smiles, (name, found)


@test
def a_gif_is_written_and_its_number_read_back():
    for avatar in ("bear", "fox"):
        path = WORK / f"{avatar}.gif"
        number = mien("gif", "--avatar", avatar, "--sequence", SEQUENCE, "-o", path).stdout.strip()
        assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}", number), number
        assert as_json(mien("read-id", path, "--json")) == {"id": number, "found": "comment"}
        again = mien("gif", "--avatar", avatar, "--sequence", SEQUENCE, "--id", number.lower().replace("-", " "), "-o", WORK / "again.gif")
        assert again.stdout.strip() == number and path.read_bytes() == (WORK / "again.gif").read_bytes()
        shown = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,duration", "-of", "csv=p=0", path],
                               capture_output=True, text=True, check=True).stdout
        assert shown.strip() == "4.700000,11", shown
        # A video of it, an image of it, and an image with a large border.
        still = ["-sseof", "-0.2", "-update", "1"]
        for name, arguments, source in (("film.mp4", ["-crf", "28", "-pix_fmt", "yuv420p"], path),
                                        ("still.png", [], WORK / "film.mp4"),
                                        ("half.jpg", ["-vf", "scale=128:128", "-q:v", "9"], WORK / "still.png"),
                                        ("shot.png", ["-vf", "pad=500:700:33:120:gray"], WORK / "still.png")):
            before = still if name == "still.png" else []
            command = ["ffmpeg", "-v", "error", "-y", *before[:2], "-i", source, *before[2:], *arguments, WORK / name]
            subprocess.run(command, check=True)
            assert mien("read-id", WORK / name).stdout.strip() == number, name
    secret = mien("gif", "--secret", "-o", WORK / "secret.gif").stdout.strip()
    assert mien("read-id", WORK / "secret.gif").stdout.strip() == secret


@test
def gif_and_read_id_refuse_what_is_not_right():
    for arguments in (["--sequence", "smile,grin,smooch"], ["--sequence", "smile,smile,smooch"], ["--sequence", "smile"], [],
                      ["--sequence", SEQUENCE, "--secret"], ["--sequence", SEQUENCE, "--id", "0123-4567-89AB-CDEF"],
                      ["--sequence", SEQUENCE, "--avatar", "../fox"], ["--sequence", SEQUENCE, "--rest", "a.png"]):
        mien("gif", *arguments, "-o", WORK / "never.gif", expect=64)
    assert mien("gif", "--sequence", SEQUENCE, "--avatar", "owl", "-o", WORK / "never.gif", expect=2).stdout == ""
    assert not (WORK / "never.gif").exists()
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=teal:s=256x256", "-frames:v", "1", WORK / "plain.png"], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", WORK / "plain.png", WORK / "plain.gif"], check=True)
    for name, found in (("plain.png", "nothing"), ("plain.gif", "nothing")):
        assert as_json(mien("read-id", WORK / name, "--json", expect=1)) == {"found": found}
    (WORK / "broken.gif").write_bytes(b"GIF89a and nothing more")
    for name in ("broken.gif", "missing.gif", "text.jpg"):
        (WORK / "text.jpg").write_text("I am no picture.\n")
        assert mien("read-id", WORK / name, expect=2).stdout == ""
    mien("gif", "--sequence", SEQUENCE, "--sheet", WORK / "plain.png", "-o", WORK / "never.gif", expect=2)


# ── locking and opening on a server ───────────────────────────────────────────────────────────────────────────────────

STEPS = ["smile", "surprise", "smooch"]
TEXT = "meet me at nine 🍕 שלום"


@functools.cache
def played(*steps):
    """Writes a recording of a person who performs `steps`."""
    path = WORK / f"{'-'.join(steps)}.jsonl"
    lines = [{"mien": "observations", "version": 1, "source": "arkit"}, *acted(steps)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@test
def a_message_is_locked_and_opened_with_a_recording():
    server = Server(MIEN, arguments=["--no-demo"], sees=False)
    try:
        at = ["--server", f"http://127.0.0.1:{server.port}"]
        key = WORK / "key"
        key.write_text(server.key + "\n")
        lock = ["lock", "-", "--sequence", ",".join(STEPS), "--no-requires-frames", *at]
        refused = mien(*lock, input=TEXT, expect=2)
        assert "unauthorised" in refused.stderr and refused.stdout == "", refused
        gif = WORK / "locked.gif"
        number, receipt = mien(*lock, "--key", key, "--avatar", "fox", "--views", 1, "-o", gif, input=TEXT + "\n").stdout.split()
        assert receipt.startswith("rcp_") and mien("read-id", gif).stdout.strip() == number
        wrong = mien("unlock", gif, "--recording", played(*STEPS[::-1]), *at, expect=1)
        assert wrong.stdout == "" and "smooch,surprise,smile" in wrong.stderr and "left: 9" in wrong.stderr, wrong.stderr
        hurried = mien("unlock", gif, "--recording", played(*STEPS), *at, expect=1)
        assert "last attempt from this address was wrong" in hurried.stderr, hurried.stderr
        time.sleep(5.5)  # until the next attempt from here
        early = as_json(mien("unlock", number, "--recording", played(*STEPS[:2]), "--json", *at, expect=1))
        assert early["state"] == "performing" and early["performed"] == STEPS[:2], early
        opened = mien("unlock", gif, "--recording", played(*STEPS), *at)
        assert opened.stdout == TEXT + "\n" and opened.stderr == "", opened
        gone = mien("unlock", number.lower(), "--recording", played(*STEPS), *at, expect=1)
        assert gone.stdout == "" and "nothing to open" in gone.stderr, gone.stderr
        # Input with CRLF line endings; an output folder that does not exist.
        kept = mien(*lock, "--key", key, "-o", WORK / "nowhere" / "locked.gif", input=TEXT + "\r\n", expect=1)
        number, receipt = kept.stdout.split()
        assert receipt.startswith("rcp_") and "is locked" in kept.stderr and "nowhere" in kept.stderr, kept
        assert mien("unlock", number, "--recording", played(*STEPS), *at).stdout == TEXT + "\n"
        said = "".join(server.lines)
        assert not re.search(r"nine|smile|rcp_|" + number, said), said
    finally:
        server.clean()
    silent = mien("unlock", number, "--recording", played(*STEPS), *at, expect=2)
    assert "does not answer" in silent.stderr, silent.stderr


@test
def a_message_that_burns_is_not_lost_with_a_reply():
    server = Server(MIEN, sees=False)
    front = Forgetful(server.port, lambda path, reply: path.startswith("/v1/performances/") and json.loads(reply).get("state"))
    try:
        there = ["--server", f"http://127.0.0.1:{server.port}"]
        rules = ["--views", 1, "--no-requires-frames"]
        number = mien("lock", TEXT, "--sequence", ",".join(STEPS), *rules, *there).stdout.split()[0]
        opened = mien("unlock", number, "--recording", played(*STEPS), "--server", f"http://127.0.0.1:{front.port}")
        assert opened.stdout == TEXT + "\n", opened
        assert front.forgotten == {"performing", "opened"}, front.forgotten
    finally:
        front.close()
        server.clean()


@test
def a_message_is_locked_with_all_its_rules_and_performed_by_a_video():
    server = Server(MIEN)
    try:
        at = ["--server", f"http://127.0.0.1:{server.port}"]
        rules = ["--mode", "secret", "--attempts", 1, "--first-wait", 10, "--views", 2, "--expires-in", 60, "--requires-passive"]
        message = as_json(mien("lock", TEXT, "--sequence", ",".join(STEPS), *rules, "--json", *at))
        assert (message["mode"], message["attempts_left"], message["views_left"], message["requires_frames"]) == ("secret", 1, 2, True), message
        claimed = mien("unlock", message["id"], "--recording", played(*STEPS), *at, expect=2)
        assert "source-not-allowed" in claimed.stderr, claimed.stderr
        seen = as_json(mien("unlock", message["id"], "--video", video("pyfeat/single_face.mp4"), "--json", *at, expect=1))
        assert (seen["state"], seen["source"], seen["face"]) == ("performing", "observed", "one-face"), seen
        # The person smiles for half a second; a busy machine may miss it.
        assert seen["performed"] in (["smile"], []), seen
    finally:
        server.clean()


@test
def lock_and_unlock_refuse_what_is_not_right():
    for arguments in (["lock", "x", "--sequence", "smile"], ["lock", "x"], ["lock", "x", "--sequence", SEQUENCE, "--mode", "loud"],
                      ["lock", "-", "--sequence", SEQUENCE, "--key", "-"], ["lock", "x", "--sequence", SEQUENCE, "--server", "ftp://x"],
                      ["unlock", "x"], ["unlock", "x", "--recording", "a", "--video", "b"],
                      ["unlock", "x", "--video", "b", "--frame-rate", "30"]):
        assert mien(*arguments, expect=64).stdout == ""
    (WORK / "empty").write_text("\n")
    for arguments in (["lock", "x", "--sequence", SEQUENCE, "--key", WORK / "empty"],
                      ["unlock", "no-number", "--recording", played(*STEPS)],
                      ["unlock", WORK / "empty", "--recording", played(*STEPS)],
                      ["unlock", "0000-0000-0000-0000", "--recording", WORK / "missing.jsonl"],
                      ["unlock", "0000-0000-0000-0000", "--recording", WORK / "empty"]):
        run = mien(*arguments, "--server", "http://127.0.0.1:9", expect=2)
        assert run.stdout == "" and run.stderr.count("\n") >= 1, (arguments, run.stderr)


# ── track and its files ───────────────────────────────────────────────────────────────────────────────────────────────

@test
def track_counts_what_is_there():
    _, summary = tracked("zubair/real.mov")
    assert summary["frames"] == 199 and 20 < summary["frames_without_face"] < 80, summary
    assert summary["yaw_min"] < -30 and summary["yaw_max"] > 30 and summary["pitch_min"] < summary["pitch_max"], summary
    assert summary["frames_with_several_faces"] == 0 and 14 < summary["frame_rate"] < 31, summary


@test
def the_table_has_a_row_a_frame_and_no_number_for_what_was_not_seen():
    path, summary = tracked("zubair/real.mov")
    table = rows(path / "table.csv")
    assert len(table) == summary["frames"] and len(table[0]) == 57
    assert list(table[0])[:5] == ["time_s", "faces", "yaw_deg", "pitch_deg", "roll_deg"] and "tongueOut" in table[0]
    blank = [row for row in table if row["faces"] == "0"]
    assert len(blank) == summary["frames_without_face"]
    assert all(value == "" for row in blank for name, value in row.items() if name not in ("time_s", "faces"))
    yaws = [float(row["yaw_deg"]) for row in table if row["yaw_deg"]]
    assert math.isclose(min(yaws), summary["yaw_min"], abs_tol=1e-4) and math.isclose(max(yaws), summary["yaw_max"], abs_tol=1e-4)
    times = [float(row["time_s"]) for row in table]
    assert all(a < b for a, b in zip(times, times[1:]))


@test
def observation_lines_say_the_same():
    path, summary = tracked("zubair/real.mov")
    head, *lines = map(json.loads, (path / "lines.jsonl").read_text().splitlines())
    assert head["mien"] == "observations" and head["version"] == 1 and head["source"] == "mien-tracker", head
    table = rows(path / "table.csv")
    assert len(lines) == summary["frames"]
    for line, row in zip(lines, table):
        assert math.isclose(line["t"], float(row["time_s"]), abs_tol=1e-5) and line["faces"] == int(row["faces"])
        assert (line.get("pose") is None) == (row["yaw_deg"] == "") and (line.get("box") is None) == (row["yaw_deg"] == "")
        if line.get("pose"):
            assert math.isclose(line["pose"]["yaw"], float(row["yaw_deg"]), abs_tol=1e-4)
            # The tongue is not measured while the mouth is hidden: its key is absent and its cell empty.
            assert len(line["blendshapes"]) == (51 if row["tongueOut"] == "" else 52)


@test
def the_live_link_take_has_the_columns_animation_tools_read():
    path, summary = tracked("zubair/real.mov")
    take = rows(path / "take.csv")
    assert len(take) == summary["frames"] - summary["frames_without_face"]
    names = list(take[0])
    assert names[:3] == ["Timecode", "BlendShapeCount", "EyeBlinkLeft"] and len(names) == 63 and names[53] == "TongueOut", names
    assert names[54:57] == ["HeadYaw", "HeadPitch", "HeadRoll"]
    faces = [row for row in rows(path / "table.csv") if row["yaw_deg"]]
    for mine, row in zip(take, faces):
        assert re.fullmatch(r"\d\d:\d\d:\d\d:\d\d(\.\d+)?", mine["Timecode"]) and mine["BlendShapeCount"] == "61"
        assert math.isclose(math.degrees(float(mine["HeadYaw"])), -float(row["yaw_deg"]), abs_tol=1e-3)
        assert math.isclose(float(mine["JawOpen"]), float(row["jawOpen"]), abs_tol=1e-4)


@test
def a_replay_is_judged_like_the_film():
    path, _ = tracked("zubair/real.mov")
    for side, start, pause, code in (("turn-right", 0, 1, 0), ("turn-left", 0, 1, 1), ("turn-left", 8, 0, 0), ("turn-right", 8, 0, 1)):
        film = turns(side, start, pause, expect=code)
        for name, tolerance in (("lines.jsonl", 1e-4), ("take.csv", 1e-3)):
            replay = check(path / name, side, "--from", start, "--pause", pause, expect=code)
            assert replay["verdict"] == film["verdict"] and replay.get("reason") == film.get("reason"), (name, side, start, replay)
            for way in ("way_out", "way_back"):
                ours, theirs = film["evidence"][way], replay["evidence"][way]
                same = len(ours) == len(theirs) and all(math.isclose(a, b, abs_tol=tolerance) for a, b in zip(ours, theirs))
                assert same, (name, side, start, way)


@test
def the_overlay_is_one_picture_a_frame_of_the_same_size():
    path, summary = tracked("zubair/real.mov")
    pictures = sorted((path / "overlay").iterdir())
    assert len(pictures) == summary["frames"] and pictures[0].name == "real-00000.jpg"
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:3] == b"\xff\xd8\xff" and data[-2:] == b"\xff\xd9", picture
        at = re.search(rb"\xff[\xc0\xc2]\x00.\x08", data).end()
        assert (int.from_bytes(data[at:at + 2], "big"), int.from_bytes(data[at + 2:at + 4], "big")) == (540, 960), picture


@test
def a_cartoon_gives_no_face_and_no_numbers():
    path, summary = tracked("pyfeat/no_face.mp4")
    assert summary["frames"] == summary["frames_without_face"] == 95 and summary["blinks"] == 0
    assert "yaw_min" not in summary and "pitch_max" not in summary, summary
    assert len(rows(path / "take.csv")) == 0 and len(list((path / "overlay").iterdir())) == 95
    for side in SIDES:
        assert check(path / "lines.jsonl", side, expect=2)["verdict"] == "not-assessed"
        assert check(path / "take.csv", side, expect=2)["verdict"] == "not-assessed"


@test
def a_folder_of_stills_is_tracked_one_by_one():
    path, count = stills()
    out = folder("stills-overlay")
    summary = as_json(mien("track", path, "--json", "--jsonl", WORK / "stills.jsonl", "--overlay", out))
    assert summary["frames"] == count and summary["frames_without_face"] == (0 if footage.shared() else count), summary
    assert len((WORK / "stills.jsonl").read_text().splitlines()) == count + 1
    # still-0.jpg and still-0.png have the same base name: neither output replaces the other.
    assert len(list(out.iterdir())) == count, sorted(p.name for p in out.iterdir())
    one = as_json(mien("track", path / "still-1.jpg", path / "still-0.png", "--json"))
    assert one["frames"] == 2, one


@test
def track_never_draws_over_its_input():
    path, _ = stills()
    before = {p.name: p.read_bytes() for p in path.iterdir()}
    for arguments, cwd in (([path, "--overlay", path], WORK), ([path / "still-1.jpg", "--overlay", path], WORK),
                           (["still-1.jpg", "--overlay", "."], path), ([".", "--overlay", path], path)):
        run = mien("track", *arguments, expect=64, cwd=cwd)
        assert "overwrite" in run.stderr, run.stderr
    assert before == {p.name: p.read_bytes() for p in path.iterdir()}


@test
def track_of_what_cannot_be_read_is_2_and_says_so():
    path, _ = stills()
    (WORK / "text.mp4").write_text("I am no film.\n")
    (WORK / "text.jpg").write_text("I am no picture.\n")
    for arguments in (["missing.mp4"], ["text.mp4"], ["text.jpg"], [folder("nothing")], [path / "still-1.jpg", "missing.png"]):
        run = mien("track", *arguments, "--json", expect=2)
        assert run.stdout == "" and pathlib.Path(arguments[-1]).name in run.stderr and "Domain=" not in run.stderr, run


@test
def track_looks_where_it_will_write_before_it_works():
    path, _ = stills()
    for option in ("--csv", "--jsonl", "--live-link"):
        run = mien("track", path, option, WORK / "no-such-folder/out", expect=2)
        assert "no-such-folder" in run.stderr and "Domain=" not in run.stderr, run.stderr
    (WORK / "a-file").write_text("")
    assert "a-file" in mien("track", path, "--overlay", WORK / "a-file", expect=2).stderr
    run = mien("track", "a.mov", "b.mov", "--jsonl", WORK / "two.jsonl", expect=64)
    assert "one video" in run.stderr and not (WORK / "two.jsonl").exists()


# ── enrol ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

@functools.cache
def heads(count=4):
    path = folder("heads")
    for index in range(count):
        (path / f"head-{index}.mdf").write_bytes(depth.head(index))
    return sorted(path.iterdir())


@test
def enrol_makes_thresholds_of_a_head():
    reply = as_json(mien("enrol", *heads(), "--json"))
    assert len(reply["captures"]) == 4 and "version" not in reply, reply
    for name, floor, ceiling in (("nose_relief_mm", 17, 28), ("plane_residual_mm", 4, 9), ("sheet_residual_mm", 2, 3.5),
                                 ("centre_to_rim_mm", 6, 16)):
        assert floor <= reply["thresholds"][name] <= ceiling, reply["thresholds"]
        assert all(capture["shape"][name] > reply["thresholds"][name] for capture in reply["captures"])
    assert mien("enrol", *heads()).stdout.count("capture: ") == 4


@test
def enrol_refuses_boards_too_few_and_unlike_captures():
    boards = [WORK / f"board-{index}.mdf" for index in range(3)]
    for index, path in enumerate(boards):
        path.write_bytes(depth.board(index, tilt=(0.1 * index, 0)))
    child = WORK / "child.mdf"
    child.write_bytes(depth.head(9, scale=0.45, distance=250))
    for captures, reason in ((boards, "not-a-face"), (heads()[:2], "too-few-captures"), ([*heads()[:2], boards[0]], "not-a-face")):
        run = mien("enrol", *captures, "--json", expect=2)
        reply = as_json(run)
        assert reply["refused"] == reason and "thresholds" not in reply and len(reply["captures"]) == len(captures), reply
        assert reason in run.stderr


@test
def enrol_of_what_cannot_be_read_is_2_and_of_nonsense_64():
    (WORK / "text.mdf").write_text("I am no depth.\n")
    cut = WORK / "cut.mdf"
    cut.write_bytes(heads()[0].read_bytes()[:-1])
    for name in ("missing.mdf", "text.mdf", cut):
        run = mien("enrol", name, expect=2)
        assert pathlib.Path(name).name in run.stderr and run.stdout == "", run
    for arguments in (["map.png"], ["map.png", "--intrinsics", "1,2,3,4"], ["map.png", "--intrinsics", "1,2,3", "--face", "0,0,1,1"],
                      ["map.png", "--intrinsics", "1,2,x,3,4", "--face", "0,0,1,1"], ["a.mdf", "--unit", "0"],
                      ["a.mdf", "--person", "../etc"]):
        mien("enrol", *arguments, expect=64)
    run = mien("enrol", *heads(), "--person", "ada", "--data", WORK / "no-database", expect=2)
    assert "no-database" in run.stderr and not (WORK / "no-database").exists(), run.stderr


@test
def enrol_keeps_versions_for_a_person():
    server = Server(MIEN, sees=False)
    try:
        for version in (1, 2):
            assert as_json(mien("enrol", *heads(), "--person", "ada", "--data", server.data, "--json"))["version"] == version
        check = server.gated(depth=True, person="ada")
        steps = [check.post("depth", depth.head(20 + index), "application/vnd.mien.depth-frame").json for index in range(3)]
        assert [step["state"] for step in steps] == ["positioning", "positioning", "passed"], steps
    finally:
        server.clean()


@test
def enrol_refuses_the_flat_boards_of_a_real_sensor():
    video("")
    boards = sorted((footage.shared() / "data/face_depth/zeiss_iPadPro12_4gen_iOS15").glob("depth_*.png"))
    assert len(boards) == 5
    camera = ["--unit", "100", "--intrinsics", "595.3,595.3,318.3,240.0", "--face", "0.02,0.02,0.96,0.96"]
    reply = as_json(mien("enrol", *boards, *camera, "--json", expect=2))
    assert reply["refused"] == "not-a-face" and len(reply["captures"]) == 5, reply
    for capture in reply["captures"]:
        assert capture["shape"]["plane_residual_mm"] < 0.3 and 190 < capture["distance_mm"] < 205, capture


@test
def enrol_accepts_a_real_face():
    video("")
    captures = []
    for index, moved in enumerate([(0, 0), (-10, 0), (10, 0), (0, -12), (0, 12)]):
        captures.append(WORK / f"real-face-{index}.mdf")
        captures[-1].write_bytes(depth.real_face(moved))
    reply = as_json(mien("enrol", *captures, "--json"))
    assert len(reply["captures"]) == 5 and reply["thresholds"]["nose_relief_mm"] >= 17, reply["thresholds"]


# ── doctor ────────────────────────────────────────────────────────────────────────────────────────────────────────────

@test
def doctor_finds_everything():
    lines = mien("doctor", cwd=ROOT).stdout.splitlines()
    assert len(lines) == 7 and all(line.startswith("ok ") for line in lines), lines
    parts = as_json(mien("doctor", "--json", cwd=ROOT))
    assert [part["part"] for part in parts] == [
        "face models", "database", "permissions", "browser client", "ffmpeg", "ffprobe", "open files"]
    assert all(part["ok"] is True for part in parts)


@test
def doctor_is_loud_about_missing_models():
    nowhere = WORK / "no-models"
    text = mien("doctor", "--models", nowhere, expect=1, cwd=ROOT).stdout
    line = next(line for line in text.splitlines() if "face models" in line)
    assert line.startswith("MISSING") and re.search(r"\.(tflite|binarypb|task|xml|bin)", line) and str(nowhere) in line, line
    parts = as_json(mien("doctor", "--models", nowhere, "--json", expect=1, cwd=ROOT))
    assert [part["part"] for part in parts if not part["ok"]] == ["face models"]
    path, _ = stills()
    for arguments in (["track", path], ["check", path, "--challenge", "turn-left"]):
        run = mien(*arguments, "--models", nowhere, expect=2)
        assert run.stdout == "" and str(nowhere) in run.stderr and "mien doctor" in run.stderr, run


@test
def without_ffmpeg_the_commands_say_what_to_install():
    bare = {**os.environ, "PATH": str(folder("nothing"))}
    text = mien("doctor", expect=1, cwd=ROOT, env=bare).stdout
    assert text.count("apt-get install ffmpeg") == 2, text
    (WORK / "text.mp4").write_text("I am no film.\n")
    run = mien("check", "text.mp4", "--challenge", "turn-left", expect=2, env=bare)
    assert "apt-get install ffmpeg" in run.stderr, run.stderr


# ── pipes and terminals ───────────────────────────────────────────────────────────────────────────────────────────────

@test
def progress_goes_to_the_terminal_and_json_stays_clean():
    terminal, end = pty.openpty()
    path, count = stills()
    process = subprocess.Popen([MIEN, "track", str(path), "--json"], stdout=subprocess.PIPE, stderr=end, stdin=subprocess.DEVNULL)
    os.close(end)
    out = process.stdout.read()
    process.wait()
    shown = b""
    try:
        while piece := os.read(terminal, 65536):
            shown += piece
    except OSError:
        pass  # Linux reports EIO once the other end is closed.
    os.close(terminal)
    assert process.returncode == 0 and json.loads(out)["frames"] == count
    assert "100 %" in shown.decode() and "█" in shown.decode() and b"\x1b" not in out and b"\r" not in out
    assert mien("track", path, "--json").stderr == "", "without a terminal there is no bar"


@test
def a_broken_pipe_and_a_full_disk_are_no_crash():
    for arguments in (["doctor"], ["--help"], ["doctor", "--json"], ["enrol", *map(str, heads())]):
        for ignored in (False, True):
            # A parent process may ignore SIGPIPE; then writes fail instead of ending the process.
            process = subprocess.Popen([MIEN, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       restore_signals=not ignored)
            process.stdout.close()
            said = process.stderr.read().decode()
            process.wait()
            process.stderr.close()
            assert process.returncode in (-signal.SIGPIPE, 0, 2), (arguments, ignored, process.returncode, said[:300])
            assert "crashed" not in said and "Fatal error" not in said, said[:300]
    with open("/dev/full", "w") as full:
        run = subprocess.run([MIEN, "doctor"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert run.returncode == 2 and "cannot be written" in run.stderr, run


@test
def a_server_whose_output_nobody_reads_serves():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([MIEN, "serve", "--port", str(port), "--data", str(WORK / "unread"), "--models", "/nowhere"], cwd=ROOT,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        assert process.stdout.readline().startswith(b"API key: ")
        process.stdout.close()
        for _ in range(200):
            assert process.poll() is None, f"the server ended with {process.returncode}"
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                connection.request("GET", "/health/live")
                assert connection.getresponse().status == 200
                break
            except ConnectionRefusedError:
                time.sleep(0.1)
            finally:
                connection.close()
        else:
            raise AssertionError("the server does not answer")
        run = mien("serve", "--port", port, "--data", WORK / "second", "--models", "/nowhere", cwd=ROOT, expect=2)
        assert str(port) in run.stderr and "in use" in run.stderr, run.stderr
    finally:
        process.terminate()
        assert process.wait(20) == 0


@test
def scan_tells_what_a_folder_holds_and_turns_it_into_a_bundle():
    place = scans.folder(WORK / "chair")
    told = json.loads(mien("scan", "info", place, "--json").stdout)
    assert (told["format"], told["frames"], told["poses"]) == ("3D Scanner App", 40, 40), told
    bundle = WORK / "made" / "chair.mienscan"
    mien("scan", "convert", place, "-o", bundle)
    assert not [name for name in bundle.parent.iterdir() if name != bundle], "a draft is left"
    again = json.loads(mien("scan", "info", bundle, "--json").stdout)
    assert {**told, "format": "", "input": ""} == {**again, "format": "", "input": ""}, again
    assert bundle.stat().st_size < 40 * 32 * 24 * 2 / 4


@test
def scan_that_was_cut_off_is_read_to_the_cut():
    bundle = WORK / "whole.mienscan"
    mien("scan", "convert", scans.folder(WORK / "whole"), "-o", bundle)
    cut = WORK / "cut.mienscan"
    cut.write_bytes(bundle.read_bytes()[: bundle.stat().st_size // 2])
    told = json.loads(mien("scan", "info", cut, "--json").stdout)
    assert 10 < told["frames"] < 40 and any("index" in note for note in told["notes"]), told
    damaged = bytearray(bundle.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (WORK / "flipped.mienscan").write_bytes(damaged)
    run = mien("scan", "info", WORK / "flipped.mienscan", expect=2)
    assert re.search(r"frame \d+, byte \d+", run.stderr), run.stderr


@test
def scan_check_says_what_to_do_better():
    run = mien("scan", "check", "--depth-only", scans.folder(WORK / "far", distance=1800), expect=1)
    assert re.search(r"✗ distance +Stay 50 to 100 cm away", run.stdout), run.stdout
    told = json.loads(mien("scan", "check", "--depth-only", "--json", scans.folder(WORK / "near"), expect=1).stdout)
    grades = {finding["item"]: finding["grade"] for finding in told["findings"]}
    # The camera does not move: everything passes except the coverage.
    assert grades["coverage"] == "fail" and grades["distance"] == grades["frames"] == grades["speed"] == "pass", grades
    assert told["grade"] == "fail" and "guide" not in told
    # Guidance that an app would have shown: the subject is too far away, or the next view to capture.
    for name, said in (("far", ["come-nearer"]), ("near", ["show-left"])):
        told = json.loads(mien("scan", "check", "--depth-only", "--guide", "--json", WORK / name, expect=1).stdout)
        assert [each["advice"] for each in told["guide"]] == said and 0.3 <= told["guide"][0]["seconds"] < 1, told["guide"]
    assert re.search(r"0\.\d s +come-nearer", mien("scan", "check", "--depth-only", "--guide", WORK / "far", expect=1).stdout)


@test
def scan_check_measures_photos():
    (WORK / "one.jpg").write_bytes(photos.encoded(photos.scene()))
    (WORK / "dark.jpg").write_bytes(photos.encoded(photos.scene() // 12))
    names = ["--photo", WORK / "one.jpg", "--photo", WORK / "dark.jpg", "--photo", WORK / "one.jpg"]
    told = json.loads(mien("scan", "check", "--json", *names, scans.folder(WORK / "pictured"), expect=1).stdout)
    one, dark, other = [{each["name"]: each for each in photo["measures"]} for photo in told["photos"]]
    assert one == other and {"under-exposure-prevention", "over-exposure-prevention", "dynamic-range"} <= set(one), one
    assert one["under-exposure-prevention"]["score"] > 90 > 20 > dark["under-exposure-prevention"]["score"], (one, dark)
    assert all(0 <= each.get("score", 0) <= 100 for each in [*one.values(), *dark.values()])
    grades = {finding["item"]: finding["grade"] for finding in told["findings"]}
    assert grades["photo-count"] == "pass" and grades["photo-faces"] == "fail", grades
    text = mien("scan", "check", *names, WORK / "pictured", expect=1).stdout
    assert "photo 3, measures after ISO/IEC 29794-5" in text and re.search(r"\d+  dynamic-range +[\d.]+ bit", text), text


@test
def scan_without_a_size_is_refused_with_the_layouts_that_fit():
    raw = WORK / "depth_scan.bin"
    raw.write_bytes(struct.pack("<H", 650) * (256 * 192 * 2))
    run = mien("scan", "info", raw, expect=2)
    assert "256×192 u16 × 2 frames" in run.stderr and "192×256 f32 × 1 frames" in run.stderr, run.stderr
    told = json.loads(mien("scan", "info", raw, "--size", "256x192", "--samples", "u16", "--json").stdout)
    assert told["frames"] == 2 and told["poses"] == 0, told
    for wrong in (["--size", "256"], ["--samples", "u8"], ["--unit", "0"]):
        mien("scan", "info", raw, *wrong, expect=64)
    mien("scan", "info", WORK / "nowhere", expect=2)


def ball(frames=5, width=128, height=96):
    """Returns depth_scan.bin of a ball of 10 cm radius seen from 60 cm, in tenths of a millimeter in 16 bits, identical in every frame."""
    samples = bytearray()
    for row in range(height):
        for column in range(width):
            across, down = (column - width / 2) * 0.004, (row - height / 2) * 0.004
            rest = 0.01 - across * across - down * down
            samples += (round((0.6 - math.sqrt(rest)) * 10_000) if rest > 0 else 0).to_bytes(2, "little")
    return bytes(samples) * frames


BALL = ["--size", "128x96", "--samples", "u16", "--unit", "100"]


@test
def a_scan_becomes_a_surface_in_every_format():
    folder = WORK / "ball"
    folder.mkdir()
    scan = folder / "depth_scan.bin"
    scan.write_bytes(ball())
    starts = {"ply": b"ply\nformat binary_little_endian", "glb": b"glTF\x02\0\0\0", "obj": b"# mien", "stl": b"mien",
              "usdz": b"PK\x03\x04"}
    for name, start in starts.items():
        target = folder / f"ball.{name}"
        run = mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json")
        report = json.loads(run.stdout)
        assert report["frames_fused"] == 5 and report["triangles"] > 200, report
        assert target.read_bytes().startswith(start), name
    assert (folder / "scan.mtl").exists()
    pictures = [folder / "depth.png", folder / "surface.png"]
    mien("scan", "render", scan, "-o", pictures[0], *BALL, "--frame", 0)
    mien("scan", "render", folder / "ball.ply", "-o", pictures[1], "--yaw", -30, "--width", 320)
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG\r\n"), picture


@test
def a_depth_map_of_the_farthest_distance_is_drawn():
    folder = WORK / "farthest"
    folder.mkdir()
    (folder / "depth_scan.bin").write_bytes(b"\xff\xff" * (128 * 96))
    mien("scan", "render", folder / "depth_scan.bin", "-o", folder / "depth.png", *BALL, "--frame", 0)
    assert decoded((folder / "depth.png").read_bytes()).all()


@test
def a_scan_goes_through_the_formats_of_others():
    start = scans.folder(WORK / "start")
    told = json.loads(mien("scan", "info", start, "--json").stdout)
    for name in ["stray", "record3d", "arkitscenes", "tum", "3dscannerapp"]:
        target = WORK / "exported" / name
        mien("scan", "convert", start, "-o", target, "--to", name)
        again = json.loads(mien("scan", "info", target, "--json").stdout)
        assert (again["frames"], again["poses"], again["width"]) == (told["frames"], told["poses"], told["width"]), again
        mien("scan", "convert", start, "-o", target, "--to", name, expect=2)
    assert not [left for left in (WORK / "exported").iterdir() if left.name.startswith(".")]
    mien("scan", "convert", start, "-o", WORK / "exported" / "none", "--to", "nonsense", expect=64)


@test
def a_scan_goes_through_3d_scanner_app_and_comes_back_to_the_last_bit():
    start, target = scans.folder(WORK / "app", frames=6), WORK / "app-again"
    mien("scan", "convert", start, "-o", target, "--format", "3dscannerapp")
    assert sorted(file.name for file in target.iterdir()) == sorted([file.name for file in start.iterdir()] + ["info.json"])
    for file in start.glob("*.png"):
        one, other = (cv2.imread(str(folder / file.name), cv2.IMREAD_UNCHANGED) for folder in (start, target))
        assert other.dtype == (np.uint16 if file.name.startswith("depth") else np.uint8) and (one == other).all(), file
    for file in start.glob("*.json"):
        one, other = (json.loads((folder / file.name).read_text()) for folder in (start, target))
        assert abs(one["time"] - other["time"]) < 1e-9 and one["cameraPoseARFrame"] == other["cameraPoseARFrame"], file
        assert np.allclose(one["intrinsics"], other["intrinsics"]) and len(other["projectionMatrix"]) == 16, file
    for place in (start, target):
        mien("scan", "convert", place, "-o", place.with_suffix(".mienscan"))
    assert start.with_suffix(".mienscan").read_bytes() == target.with_suffix(".mienscan").read_bytes()


@test
def frames_of_a_stray_scanners_film_are_its_pictures():
    for codec, frames, expected in (("libx264", 40, range(40)), ("libx265", 100, range(0, 100, 2))):
        start, target = scans.stray(WORK / f"stray-{codec}", frames, codec=codec), WORK / f"stray-{codec}-again"
        mien("scan", "convert", start, "-o", target, "--to", "3dscannerapp")
        pictures = sorted(target.glob("frame_*.jpg"))
        assert [int(picture.stem[6:]) for picture in pictures] == list(expected), pictures
        for picture in pictures:
            number, shown = int(picture.stem[6:]), cv2.imread(str(picture), cv2.IMREAD_GRAYSCALE)
            assert shown.shape == (480, 640), "it is not turned"
            assert abs(float(shown.mean()) - scans.film_grey(number)) < 2, (number, shown.mean())
            said = json.loads((target / f"frame_{number:05}.json").read_text())
            assert abs(said["cameraPoseARFrame"][3] - number / 1000) < 1e-6 and said["intrinsics"][0] == 480, said
        # The images color the surface.
        mien("scan", "reconstruct", start, "-o", WORK / f"stray-{codec}.ply", "--voxel", "5mm")
        head = (WORK / f"stray-{codec}.ply").read_bytes()[:400]
        assert b"property uchar red" in head, head
        # The surface faces its camera, which looked along the world's z axis, and so does the rendered image.
        mien("scan", "render", WORK / f"stray-{codec}.ply", "-o", WORK / f"stray-{codec}.png")
        seen = decoded((WORK / f"stray-{codec}.png").read_bytes())
        middle = seen[seen.shape[0] // 2, seen.shape[1] // 2].astype(int)
        assert np.ptp(middle) < 4 and middle[0] > 60, (middle, "what is seen from behind is blue")


@test
def a_film_that_does_not_go_with_its_recording_is_left_out_and_told():
    short = scans.stray(WORK / "stray-short", 40, filmed=20)
    run = mien("scan", "convert", short, "-o", WORK / "stray-short.mienscan")
    assert "rgb.mp4 is not used" in run.stderr and "20 frames for 40" in run.stderr, run.stderr
    none = scans.stray(WORK / "stray-none", 12)
    (none / "rgb.mp4").write_bytes(b"\0\0\0\x18ftypmp42" + bytes(5000))
    run = mien("scan", "convert", none, "-o", WORK / "stray-none.mienscan")
    assert "rgb.mp4 is not used" in run.stderr and "0 pictures" in run.stdout, run.stderr
    assert not [left for left in pathlib.Path(tempfile.gettempdir()).glob("mien-film-*")]


def unpacked(stream):
    """Unpacks LZFSE of one uncompressed block, as mien writes it."""
    assert stream[:4] == b"bvx-" and stream[-4:] == b"bvx$" and int.from_bytes(stream[4:8], "little") == len(stream) - 12
    return stream[8:-4]


@test
def a_record3d_archive_is_opened_by_other_programs():
    start, target = scans.folder(WORK / "recorded", frames=6), WORK / "archives" / "recorded.r3d"
    told = as_json(mien("scan", "info", start, "--json"))
    mien("scan", "convert", start, "-o", target, "--to", "r3d")
    with zipfile.ZipFile(target) as archive:
        assert archive.testzip() is None
        maps = [f"rgbd/{number}.{kind}" for number in range(6) for kind in ("depth", "conf")]
        assert sorted(archive.namelist()) == sorted(maps + ["metadata"]), archive.namelist()
        said = json.loads(archive.read("metadata"))
        assert (said["w"], said["h"], said["dw"], said["dh"], len(said["poses"])) == (32, 24, 32, 24, 6), said
        assert said["poses"][0] == [0, 0, 0, 1, 0, 1.5, 0], said["poses"][0]
        y, x = np.mgrid[0:24, 0:32]
        for number in range(6):
            metres = np.frombuffer(unpacked(archive.read(f"rgbd/{number}.depth")), "<f4").reshape(24, 32)
            assert (metres == ((700 + x + y + number % 3).astype("<f4") / np.float32(1000))).all(), number
            assert unpacked(archive.read(f"rgbd/{number}.conf")) == b"\2" * (32 * 24)
        assert {info.date_time for info in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert all(info.compress_size < info.file_size for info in archive.infolist())
    again = as_json(mien("scan", "info", target, "--json"))
    for name in ("frames", "poses", "confidence", "width", "height", "seconds", "world", "sensor"):
        assert again[name] == told[name], (name, again)
    twice = target.with_name("twice.r3d")
    mien("scan", "convert", start, "-o", twice, "--to", "r3d")
    assert target.read_bytes() == twice.read_bytes()
    # Several inputs become archives in a folder; an archive becomes a bundle.
    mien("scan", "convert", start, twice, "-o", WORK / "archives" / "both", "--to", "r3d")
    assert sorted(file.name for file in (WORK / "archives" / "both").iterdir()) == ["recorded.r3d", "twice.r3d"]
    mien("scan", "convert", target, "-o", WORK / "archives" / "recorded.mienscan")


@test
def an_archive_that_was_not_written_whole_is_none():
    start, place = scans.folder(WORK / "whole-or-not", frames=40), folder("not-whole")
    target = place / "scan.r3d"

    def disk_full():
        resource.setrlimit(resource.RLIMIT_FSIZE, (6000, 6000))

    run = mien("scan", "convert", start, "-o", target, "--to", "r3d", expect=2, preexec_fn=disk_full)
    assert "cannot be written" in run.stderr and not list(place.iterdir()), (run.stderr, list(place.iterdir()))
    # Killed as soon as it has begun: partial output has a temporary name, and the target is complete if it exists.
    process = subprocess.Popen([MIEN, "scan", "convert", str(start), "-o", str(target), "--to", "r3d"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not any(place.iterdir()):
        pass
    process.kill()
    process.wait()
    left = [file.name for file in place.iterdir()]
    assert len(left) == 1 and (left[0].startswith(".scan.r3d.") or zipfile.ZipFile(target).testzip() is None), left


@test
def a_scan_that_a_format_cannot_hold_is_not_written():
    raw, place = folder("unposed") / "depth_scan.bin", folder("unwritten")
    raw.write_bytes(ball(2))
    for name in ("stray", "3dscannerapp"):
        run = mien("scan", "convert", raw, *BALL, "-o", place / name, "--to", name, expect=2)
        assert f"no frame that {name} can hold" in run.stderr and "2 frames without a pose" in run.stderr, run.stderr
    assert not list(place.iterdir()), list(place.iterdir())
    mien("scan", "convert", raw, *BALL, "-o", place / "ball.r3d", "--to", "r3d")
    assert as_json(mien("scan", "info", place / "ball.r3d", "--json"))["poses"] == 0


@test
def surfaces_are_read_by_other_programs():
    import trimesh
    from pxr import Usd, UsdGeom

    folder = WORK / "foreign"
    folder.mkdir()
    scan = folder / "depth_scan.bin"
    scan.write_bytes(ball())
    extents = []
    for name in ["ply", "glb", "obj", "stl"]:
        target = folder / f"ball.{name}"
        report = json.loads(mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json").stdout)
        mesh = trimesh.load(target, force="mesh", process=False)
        assert len(mesh.faces) == report["triangles"], (name, len(mesh.faces), report)
        # STL triangles share no vertices.
        assert len(mesh.vertices) == (3 * report["triangles"] if name == "stl" else report["vertices"]), name
        # The front of a ball of 10 cm radius: the normals point towards the camera, along +z.
        assert (mesh.face_normals[:, 2] > -0.2).mean() > 0.95, name
        extents.append(mesh.bounds)
    target = folder / "ball.usdz"
    report = json.loads(mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "5mm", "--json").stdout)
    stage = Usd.Stage.Open(str(target))
    assert UsdGeom.GetStageMetersPerUnit(stage) == 1 and UsdGeom.GetStageUpAxis(stage) == "Y"
    meshes = [UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh)]
    assert len(meshes) == 1
    points = meshes[0].GetPointsAttr().Get()
    counts = meshes[0].GetFaceVertexCountsAttr().Get()
    assert len(points) == report["vertices"] and list(counts) == [3] * report["triangles"]
    assert len(meshes[0].GetFaceVertexIndicesAttr().Get()) == 3 * report["triangles"]
    extents.append([[min(p[axis] for p in points) for axis in range(3)], [max(p[axis] for p in points) for axis in range(3)]])
    for bounds in extents[1:]:
        assert all(abs(a - b) < 2e-5 for one, other in zip(extents[0], bounds) for a, b in zip(one, other)), extents
    size = [extents[0][1][axis] - extents[0][0][axis] for axis in range(2)]
    # 25 pixels to each side, 0.5 to 0.6 m away, with the default focal length of 106.
    assert all(0.21 < edge < 0.27 for edge in size), size


def painted(place):
    """Writes a scan of a slope with one colorful camera image and returns that image."""
    scans.folder(place, frames=6)
    down, across = np.mgrid[0:1440, 0:1920]
    squares = ((down // 24 + across // 24) % 2) * 110
    picture = np.dstack([60 + across / 20, 40 + squares, 200 - down / 12]).astype(np.uint8)
    (place / "frame_00000.jpg").write_bytes(cv2.imencode(".jpg", picture, (cv2.IMWRITE_JPEG_QUALITY, 97))[1].tobytes())
    return picture


def off_the_picture(picture, corners, places, texture):
    """Returns the mean difference, 0 to 255, between a texture and the camera image at the centers of triangles.

    `corners` are world positions by triangle; `places` are texture coordinates from the lower left corner.
    """
    middles = np.asarray(corners, float).mean(1) - [0, 1.5, 0]
    columns, rows = 960 - 1440 * middles[:, 0] / middles[:, 2], 720 + 1440 * middles[:, 1] / middles[:, 2]
    inside = (columns > 4) & (rows > 4) & (columns < 1915) & (rows < 1435)
    assert inside.sum() > 300, inside.sum()
    at = np.asarray(places, float).mean(1)[inside]
    seen = texture[((1 - at[:, 1]) * texture.shape[0]).astype(int), (at[:, 0] * texture.shape[1]).astype(int)].astype(float)
    truth = picture[rows[inside].round().astype(int), columns[inside].round().astype(int)].astype(float)
    return np.median(np.abs(seen - truth))


def decoded(jpeg):
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)


def picture_of_glb(glb):
    """Extracts the only image of a binary glTF as its JSON describes it."""
    length = int.from_bytes(glb[12:16], "little")
    told, start = json.loads(glb[20:20 + length]), 28 + length
    source = told["textures"][told["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"]["index"]]["source"]
    view = told["bufferViews"][told["images"][source]["bufferView"]]
    return glb[start + view["byteOffset"]:start + view["byteOffset"] + view["byteLength"]]


@test
def a_texture_is_read_by_other_programs():
    import trimesh
    from pxr import Usd, UsdGeom, UsdShade

    folder = WORK / "textured"
    picture = painted(folder / "scan")
    for name in ["glb", "obj"]:
        target = folder / f"wall.{name}"
        told = json.loads(mien("scan", "reconstruct", folder / "scan", "-o", target, "--voxel", "10mm", "--json").stdout)
        assert told["texture"]["triangles"] > 0.9 * told["triangles"], told
        mesh = trimesh.load(target, force="mesh", process=False)
        assert len(mesh.faces) == told["triangles"], name
        image = decoded(picture_of_glb(target.read_bytes()) if name == "glb" else (folder / "scan.jpg").read_bytes())
        assert image.shape[:2] == (told["texture"]["height"], told["texture"]["width"])
        off = off_the_picture(picture, mesh.triangles, mesh.visual.uv[mesh.faces], image)
        assert off < 6, (name, off)
        plain = mien("scan", "reconstruct", folder / "scan", "-o", folder / f"plain.{name}", "--voxel", "10mm",
                     "--no-texture", "--json").stdout
        assert "texture" not in json.loads(plain)
        assert (b'"images"' if name == "glb" else b"\nvt ") not in (folder / f"plain.{name}").read_bytes(), name
    target = folder / "wall.usdz"
    mien("scan", "reconstruct", folder / "scan", "-o", target, "--voxel", "10mm", "--texture-size", 2048)
    stage = Usd.Stage.Open(str(target))
    mesh = next(UsdGeom.Mesh(prim) for prim in stage.Traverse() if prim.IsA(UsdGeom.Mesh))
    places = UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st")
    assert places.GetInterpolation() == "faceVarying"
    shader = UsdShade.Shader(stage.GetPrimAtPath("/Scan/Material/Picture"))
    assert shader.GetInput("file").Get().path == "scan.jpg"
    with zipfile.ZipFile(target) as archive:
        image = decoded(archive.read("scan.jpg"))
    points = np.asarray(mesh.GetPointsAttr().Get())[np.asarray(mesh.GetFaceVertexIndicesAttr().Get())].reshape(-1, 3, 3)
    off = off_the_picture(picture, points, np.asarray(places.ComputeFlattened()).reshape(-1, 3, 2), image)
    assert off < 6 and max(image.shape) <= 2048, off
    # Without images there is no texture, and the report has none.
    mien("scan", "reconstruct", folder / "scan", "-o", target, "--texture-size", 20, expect=64)
    bare = scans.folder(folder / "bare")
    told = json.loads(mien("scan", "reconstruct", bare, "-o", folder / "bare.glb", "--voxel", "10mm", "--json").stdout)
    assert "texture" not in told


@test
def a_face_is_measured_and_what_is_none_is_not():
    run = mien("scan", "measure", scans.folder(WORK / "faceless"), "--json", expect=1)
    assert json.loads(run.stdout)["measures"] == [], run.stdout
    mien("scan", "measure", WORK / "faceless", "--field-of-view", 5, expect=64)
    mien("scan", "measure", WORK / "no-such-scan", expect=2)


@test
def a_real_face_is_measured_however_the_camera_was_held():
    video("")
    upright, camera = scans.real_face(WORK / "real-face")
    turned, quarter = scans.real_face(WORK / "real-face-turned", turned=True)
    found = []
    for place, options in [(upright, camera), (turned, quarter)]:
        reply = as_json(mien("scan", "measure", place, *options, "--json"))
        assert reply["views"] == 1 and reply["left_out"] == {}, reply
        found.append({row["measure"]: row for row in reply["measures"]})
        assert len(found[-1]) == 11
        # Range of nine in ten adults, widened by the uncertainty.
        bounds = {"interpupillary-distance": (54, 74), "intercanthal-width": (26, 42), "biocular-width": (80, 104),
                  "nose-width": (28, 46), "mouth-width": (42, 62), "face-height": (98, 132)}
        for name, (least, most) in bounds.items():
            row = found[-1][name]
            assert least - row["uncertainty_mm"] <= row["mm"] <= most + row["uncertainty_mm"], row
            assert 3 < row["uncertainty_mm"] < 6, row
    for name, row in found[0].items():
        # The camera's orientation changes the landmark model's input, not the measurements.
        assert abs(row["mm"] - found[1][name]["mm"]) < row["uncertainty_mm"] + found[1][name]["uncertainty_mm"], name


@test
def a_scan_without_a_surface_writes_nothing():
    scan = WORK / "no-surface" / "depth_scan.bin"
    scan.parent.mkdir()
    scan.write_bytes(bytes(128 * 96 * 2 * 3))
    target = scan.parent / "none.ply"
    run = mien("scan", "reconstruct", scan, "-o", target, *BALL, expect=2)
    assert "measurement" in run.stderr and not target.exists(), run.stderr
    mien("scan", "reconstruct", scan, "-o", scan.parent / "none.doc", *BALL, expect=64)
    mien("scan", "reconstruct", scan, "-o", target, *BALL, "--voxel", "2km", expect=64)
    mien("scan", "render", WORK / "no-such-scan", "-o", target, expect=2)


@test
def photographs_of_every_kind_are_analysed_or_refused_with_a_reason():
    folder = WORK / "photos"
    folder.mkdir()
    for name, data in {**photos.files(), **photos.unreadable()}.items():
        (folder / name).write_bytes(data)
    readable = [folder / name for name in photos.files()]
    lines = [json.loads(line) for line in mien("analyze", "--json", *readable).stdout.splitlines()]
    assert [line["path"] for line in lines] == [str(path) for path in readable]
    found = {pathlib.Path(line["path"]).name: line for line in lines}
    for line in lines:
        text = json.dumps(line)
        assert "NaN" not in text and "Infinity" not in text, text
        assert line["algorithm_versions"] if "algorithm_versions" in line else line["checks"], text
    assert found["plain.jpg"]["moire"] and "moire" not in found["dot.png"], "a picture of one pixel tells nothing"
    for name in photos.unreadable():
        said = mien("analyze", folder / name, expect=2)
        assert name in said.stderr and said.stdout == "", said.stderr
    both = mien("analyze", "--json", folder / "text.jpg", folder / "plain.jpg", expect=2)
    assert "text.jpg" in both.stderr and json.loads(both.stdout)["path"].endswith("plain.jpg"), "one bad file stops no other"
    mien("analyze", folder / "plain.jpg", "--report", folder / "report.html")
    page = (folder / "report.html").read_text()
    assert "<svg" in page or "<img" in page, "the report shows what was measured"
    assert "http://" not in page.replace("http://www.w3.org", "") and "<script" not in page, "it stands by itself"
    mien("analyze", expect=64)
    mien("analyze", folder / "plain.jpg", "--depth", folder / "text.jpg", expect=2)


@test
def error_rates_are_exact_and_a_bad_table_is_refused():
    folder = WORK / "evaluation"
    folder.mkdir()
    rows = [("genuine", -1)] * 19 + [("genuine", 5)] + [("screen", 5)] * 6 + [("screen", -1)] * 4
    table = "path\tlabel\tsource\ttexture\n" + "".join(
        f"p{number}.jpg\t{label}\ts{number % 2}\t{measure}\n" for number, (label, measure) in enumerate(rows))
    (folder / "table.tsv").write_text(table)
    texture, = json.loads(mien("evaluate", folder / "table.tsv", "--json").stdout)
    assert texture["check"] == "texture", texture["check"]
    bpcer, apcer = texture["bpcer"], texture["apcer"]
    assert (bpcer["errors"], bpcer["of"], apcer["errors"], apcer["of"]) == (1, 20, 4, 10), (bpcer, apcer)
    # Clopper–Pearson intervals of 1 of 20 and 4 of 10, from tables of the beta distribution.
    for rate, lower, upper in ((bpcer, 0.001265, 0.248733), (apcer, 0.121552, 0.737622)):
        assert abs(rate["lower"] - lower) < 1e-5 and abs(rate["upper"] - upper) < 1e-5, rate
    (folder / "silent.tsv").write_text("path\tlabel\ttexture\tmoire\na.jpg\tgenuine\t-1\t\nb.jpg\tscreen\t5\t\n")
    heard, silent = json.loads(mien("evaluate", folder / "silent.tsv", "--json").stdout)
    assert heard["bpnrr"]["errors"] == 0 and silent["check"] == "moire", (heard["bpnrr"], silent["check"])
    assert all(silent[rate]["errors"] == silent[rate]["of"] == 1 for rate in ("bpnrr", "apnrr")) and "curve" not in silent, silent
    text, = [line for line in mien("evaluate", folder / "silent.tsv").stdout.splitlines() if line.startswith("moire:")]
    assert "APCER none, BPCER none" in text and text.endswith("AUC none, EER none"), text
    for bad, words in (("", "header"), ("path\tlabel\n", "row"), ("path\tlabel\n../up.jpg\tgenuine\n", "leaves"),
                       ("path\tlabel\ttexture\na.jpg\tgenuine\tmany\n", "2")):
        (folder / "bad.tsv").write_text(bad)
        said = mien("evaluate", folder / "bad.tsv", expect=2)
        assert words in said.stderr and said.stdout == "", (bad, said.stderr)


@test
def labelled_pictures_are_looked_at_and_reported():
    folder = WORK / "labelled"
    folder.mkdir()
    rows = []
    for number in range(4):
        for label, grid in (("genuine", False), ("screen", True)):
            (folder / f"{label}-{number}.jpg").write_bytes(photos.encoded(photos.scene(seed=number, grid=grid)))
            rows.append(f"{label}-{number}.jpg\t{label}")
    (folder / "gone.tsv").write_text("path\tlabel\n" + "\n".join(rows + ["missing.jpg\tgenuine"]) + "\n")
    run = mien("evaluate", folder / "gone.tsv", "--json", "--html", folder / "report.html")
    assert "missing.jpg" in run.stderr, "what cannot be read is said"
    rates = {one["check"]: one for one in json.loads(run.stdout)}
    assert rates["moire"]["apcer"]["errors"] == 0, "a grid of every third pixel is seen"
    assert rates["moire"]["bpnrr"]["errors"] == 1 and rates["moire"]["bpnrr"]["of"] == 5, rates["moire"]["bpnrr"]
    page = (folder / "report.html").read_text()
    assert "<svg" in page and "<script" not in page and "report" not in os.listdir(folder)
    (folder / "empty.tsv").write_text("path\tlabel\nmissing.jpg\tgenuine\nmissing too.jpg\tscreen\n")
    nothing = mien("evaluate", folder / "empty.tsv", "--html", folder / "empty.html", expect=2)
    assert "none of its 2 pictures" in nothing.stderr and nothing.stdout == "", nothing
    assert not (folder / "empty.html").exists()


def sent(server, path):
    """Returns the server's reply to an integrator's request."""
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    line.request("GET", path, headers={"Authorization": f"Bearer {server.key}"})
    return json.loads(line.getresponse().read())


@test
def an_upload_survives_kills_of_both_sides_and_arrives_once():
    place = WORK / "to-send"
    place.mkdir()
    for number in range(3):
        (place / f"image{number + 1}.jpg").write_bytes(os.urandom(200_000))
    (place / "depth_scan.bin").write_bytes(os.urandom(3_000_000))
    server = Server(MIEN, sees=False)
    line = straw.Straw(server.port)
    try:
        key = WORK / "upload-key"
        key.write_text(server.key + "\n")
        upload = ["scan", "upload", place, "--server", f"http://127.0.0.1:{line.port}", "--key", key, "--queue",
                  WORK / "queue", "--label", "left side"]
        line.stop_after(1_500_000)
        client = subprocess.Popen([MIEN, *map(str, upload)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        assert line.full.wait(120), "the line was never full"
        client.send_signal(signal.SIGKILL)
        client.wait()
        server.kill()
        server.start()
        line.port_of_server = server.port
        before = line.passed
        line.stop_after(None)
        done = mien(*upload)
        assert "Going on with scan" in done.stderr, done.stderr
        found = sent(server, "/v1/scans")["scans"]
        assert [scan["id"] for scan in found] == [done.stdout.strip()] and found[0]["label"] == "left side", found
        files = {file["name"]: file for file in sent(server, found[0]["url"])["files"]}
        assert {name: file["received"] for name, file in files.items()} == {
            path.name: path.stat().st_size for path in place.iterdir()}, files
        assert all(files[path.name]["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() for path in place.iterdir())
        # The second run sends only the remaining bytes.
        assert line.passed - before < 3_000_000, line.passed - before
        said = "".join(server.lines)
        assert "left side" not in said, said
    finally:
        line.close()
        server.clean()


@test
def an_upload_that_is_refused_or_cannot_be_sent_says_so():
    lone = WORK / "lone.bin"
    lone.write_bytes(b"x" * 100)
    server = Server(MIEN, arguments=["--no-demo"], sees=False)
    try:
        at = ["--server", f"http://127.0.0.1:{server.port}", "--queue", WORK / "refused"]
        refused = mien("scan", "upload", lone, *at, expect=1)
        assert "unauthorised" in refused.stderr and refused.stdout == "", refused
    finally:
        server.clean()
    silent = mien("scan", "upload", lone, *at, "--retries", 0, expect=2)
    assert "does not answer" in silent.stderr and "again" in silent.stderr, silent.stderr
    assert "is not there" in mien("scan", "upload", WORK / "none", *at, expect=2).stderr
    mien("scan", "upload", *at, expect=64)


def main():
    global MIEN
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    MIEN = str(pathlib.Path(options.mien).resolve())
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for function in TESTS:
        if options.names and function.__name__ not in options.names:
            continue
        name = function.__name__.replace("_", " ")
        began = time.monotonic()
        try:
            function()
            outcome = "passed"
        except Skip as why:
            outcome = "skipped"
            print(f"SKIPPED {name}: {why}")
        except Exception:
            outcome = "failed"
            traceback.print_exc(file=sys.stdout)
        counts[outcome] += 1
        print(f"{outcome:8} {name} ({time.monotonic() - began:.1f} s)", flush=True)
    shutil.rmtree(WORK, ignore_errors=True)
    print(f"{counts['passed']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    sys.exit(1 if counts["failed"] or not counts["passed"] else 0)


if __name__ == "__main__":
    main()
