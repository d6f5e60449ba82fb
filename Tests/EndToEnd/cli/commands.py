"""Runs the program as interactive users and scripts do, and makes its input files."""

import atexit
import csv
import functools
import json
import math
import pathlib
import shutil
import subprocess
import tempfile

import cv2
import numpy as np
import pytest

from support import depth, footage
from support.program import PROGRAM

SIDES = ["turn-left", "turn-right"]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="mien-cli-"))
atexit.register(shutil.rmtree, WORK, True)


def video(name):
    """Returns a clip of shared/data/face_video; reports the test as skipped if it is missing."""
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    return str(footage.shared() / "data/face_video" / name)


def mien(*arguments, expect=0, cwd=WORK, **more):
    """Runs the program with separate standard output and error; fails for any other exit code than `expect`."""
    if "input" not in more:
        more["stdin"] = subprocess.DEVNULL
    run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=300, **more)
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


@functools.cache
def turns(side, start, pause, *, expect):
    """Returns the verdict on the video of two turns; passes start and pause only if they differ from the defaults."""
    more = (["--from", start] if start != 0 else []) + (["--pause", pause] if pause != 1 else [])
    return check(video("zubair/real.mov"), side, *more, expect=expect)


SEQUENCE = "smile,wink_l,tongue_out,surprise,smooch"


@functools.cache
def heads(count=4):
    path = folder("heads")
    for index in range(count):
        (path / f"head-{index}.mdf").write_bytes(depth.head(index))
    return sorted(path.iterdir())


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


def decoded(jpeg):
    return cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
