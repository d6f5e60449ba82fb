"""Tests of `mien doctor`, and of commands without ffmpeg."""

import os
import re

from cli.commands import WORK, as_json, folder, mien, stills
from support.program import ROOT


def test_doctor_finds_everything():
    lines = mien("doctor", cwd=ROOT).stdout.splitlines()
    assert len(lines) == 10 and all(line.startswith("ok ") for line in lines), lines
    parts = as_json(mien("doctor", "--json", cwd=ROOT))
    assert [part["part"] for part in parts] == [
        "face models", "face match", "photo network", "content credentials", "database",
        "permissions", "browser client", "ffmpeg", "ffprobe", "open files"]
    assert all(part["ok"] is True for part in parts)


def test_doctor_reports_missing_models():
    missing = WORK / "no-models"
    text = mien("doctor", "--models", missing, expect=1, cwd=ROOT).stdout
    line = next(line for line in text.splitlines() if "face models" in line)
    assert line.startswith("MISSING") and re.search(r"\.(tflite|binarypb|task|xml|bin)", line) and str(missing) in line, line
    parts = as_json(mien("doctor", "--models", missing, "--json", expect=1, cwd=ROOT))
    assert [part["part"] for part in parts if not part["ok"]] == ["face models"]
    path, _ = stills()
    for arguments in (["track", path], ["check", path, "--challenge", "turn-left"]):
        run = mien(*arguments, "--models", missing, expect=2)
        assert run.stdout == "" and str(missing) in run.stderr and "mien doctor" in run.stderr, run


def test_commands_without_ffmpeg_say_what_to_install():
    bare = {**os.environ, "PATH": str(folder("nothing"))}
    text = mien("doctor", expect=1, cwd=ROOT, env=bare).stdout
    assert text.count("apt-get install ffmpeg") == 2, text
    (WORK / "text.mp4").write_text("I am no video.\n")
    run = mien("check", "text.mp4", "--challenge", "turn-left", expect=2, env=bare)
    assert "apt-get install ffmpeg" in run.stderr, run.stderr
