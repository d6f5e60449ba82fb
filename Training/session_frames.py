#!/usr/bin/env python3
"""Prepares the frames of a liveness check for training: clips and photos as the page of Mien sends them.

    session_frames.py CLIPS.tsv OUTPUT [--rate N] [--frames N] [--replays N] [--backgrounds MANIFEST.tsv]...

CLIPS.tsv has the columns `path` (a clip or a picture, relative to the table), `label` (genuine…, or the attack species),
`source` and `person`. Every frame is scaled to at most 480 × 360 and compressed to about 9,500 bytes, as Web/assets/core/frames.js
does. With `--replays`, that many genuine frames of each clip are also shown on simulated screens and prints in front of a
simulated camera, with genuine frames through the same camera beside them, so that camera and compression give no cue. Writes JPEG
files and OUTPUT/MANIFEST.tsv, whose `path` is `clip/frame.jpg` and whose `source` is `source/person`. Simulated frames keep the
source of their clip with the suffix `#synthetic`. The output must not be added to the repository.
"""

import argparse
import csv
import pathlib
import subprocess

import cv2
import numpy as np

cv2.setNumThreads(1)
LONG, SHORT, BYTES = 480, 360, 9500


def clip_frames(path, rate):
    """Returns the frames (BGR, upright) at `rate` frames per second; a picture is one frame."""
    if path.suffix.lower() in {".jpg", ".jpeg", ".png"}:
        return [cv2.imread(str(path), cv2.IMREAD_COLOR)]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(path), "-map", "0:v:0", "-vf", f"fps={rate}", "-c:v", "bmp",
               "-f", "image2pipe", "-"]
    data = subprocess.run(command, capture_output=True, check=True).stdout
    frames, at = [], 0
    while at + 6 <= len(data):
        size = int.from_bytes(data[at + 2:at + 6], "little")
        frames.append(cv2.imdecode(np.frombuffer(data[at:at + size], np.uint8), cv2.IMREAD_COLOR))
        at += size
    return frames


class Page:
    """Scales and compresses like the page, whose quality follows the size of the last frames."""

    def __init__(self):
        self.quality, self.size = 0.6, 1.0

    def encode(self, picture):
        height, width = picture.shape[:2]
        scale = min(1, self.size * LONG / max(width, height), self.size * SHORT / min(width, height))
        if scale < 1:
            picture = cv2.resize(picture, (round(width * scale), round(height * scale)), interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, round(self.quality * 100)])[1].tobytes()
        if len(data) > BYTES:
            if self.quality <= 0.3:
                self.size = max(0.667, self.size - 0.083)
            self.quality = max(0.3, self.quality - 0.04)
        if len(data) < BYTES * 0.8:
            if self.quality >= 0.6:
                self.size = min(1, self.size + 0.083)
            self.quality = min(0.8, self.quality + 0.02)
        return data


def linear(picture):
    return np.power(picture.astype(np.float32) / 255, 2.2)


def fill(picture, width, height, zoom, rng):
    """Crops to the shape of a display and scales to its size."""
    h, w = picture.shape[:2]
    scale = max(width / w, height / h) * zoom
    picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    x = int((picture.shape[1] - width) * np.clip(rng.normal(0.5, 0.1), 0, 1))
    y = int((picture.shape[0] - height) * np.clip(rng.normal(0.35, 0.1), 0, 1))
    return picture[y:y + height, x:x + width]


def sheet(canvas, content, corners):
    """Draws content into the canvas in perspective."""
    h, w = content.shape[:2]
    to = np.float32(corners)
    matrix = cv2.getPerspectiveTransform(np.float32([[0, 0], [w, 0], [w, h], [0, h]]), to)
    size = (canvas.shape[1], canvas.shape[0])
    drawn = cv2.warpPerspective(content, matrix, size, flags=cv2.INTER_LINEAR)
    mask = cv2.warpPerspective(np.ones((h, w), np.float32), matrix, size, flags=cv2.INTER_LINEAR)[..., None]
    return canvas * (1 - mask) + drawn * mask


def attack(frame, kind, background, size, rng):
    """Returns linear light of a screen or a print in front of a camera."""
    width, height = size
    back = linear(fill(background, width, height, rng.uniform(1, 1.6), rng))
    back = cv2.GaussianBlur(back, (0, 0), rng.uniform(0.8, 5))
    if rng.random() < 0.25:  # a plain wall instead of the face of the person who holds the copy
        back = back * 0.1 + rng.uniform(0.05, 0.5) * np.float32([1, 1, 1]) * rng.uniform(0.85, 1.15, 3).astype(np.float32)
    landscape = rng.random() < (0.45 if kind == "screen" else 0.3)
    shape = rng.uniform(1.3, 1.8) if landscape else 1 / rng.uniform(1.3, 2.1)
    cover = rng.uniform(0.55, 1.5)  # height of the display in heights of the frame
    h = height * cover
    w = h * shape
    if w < width * 0.35:
        h, w = h * 1.5, w * 1.5
    pw, ph = max(64, int(w)), max(64, int(h))
    shown = linear(fill(frame, pw, ph, rng.uniform(1, 1.3), rng))
    if kind == "screen":
        if rng.random() < 0.3:  # bars of a player or a call
            bar = int(ph * rng.uniform(0.04, 0.15))
            shown[:bar] = rng.uniform(0, 0.05) if rng.random() < 0.7 else rng.uniform(0.5, 1)
            shown[-bar:] = rng.uniform(0, 0.05)
        gain = np.float32([rng.uniform(0.95, 1.35), 1, rng.uniform(0.8, 1.05)])  # BGR: displays are blue
        shown = np.power(shown, rng.uniform(0.8, 1.25)) * gain * rng.uniform(0.6, 1.9) + rng.uniform(0, 0.04)
        yy, xx = np.mgrid[0:ph, 0:pw].astype(np.float32)
        pitch = 2 ** rng.uniform(-0.5, 1.3)
        depth = rng.uniform(0, 0.35) * (rng.random() < 0.7)
        shown = shown * (1 + depth * np.sin(2 * np.pi * xx / pitch) * np.sin(2 * np.pi * yy / pitch))[..., None]
        if rng.random() < 0.3:
            shown *= (1 + rng.uniform(0.02, 0.15) * np.sin(2 * np.pi * (yy / (ph * rng.uniform(0.15, 0.9)) + rng.random())))[..., None]
        room = rng.uniform(0.08, 0.9)
    else:
        black, paper = rng.uniform(0.03, 0.12), rng.uniform(0.75, 1)
        gray = shown.mean(-1, keepdims=True)
        shown = gray + (shown - gray) * (rng.uniform(0.5, 1) if rng.random() < 0.85 else 0)
        shown = black + (paper - black) * shown * np.float32([rng.uniform(0.75, 1), 1, rng.uniform(0.95, 1.1)])
        noise = cv2.GaussianBlur(rng.normal(size=shown.shape[:2]).astype(np.float32), (0, 0), 1.2)
        shown *= (1 + noise * rng.uniform(0, 0.1))[..., None]
        bright = rng.uniform(0.5, 1.1)
        shown = shown * bright
        room = rng.uniform(0.5, 1.1)
    cx, cy = width * rng.normal(0.5, 0.06), height * rng.normal(0.5, 0.07)
    turn, skew = np.deg2rad(rng.normal() * 5), rng.normal(size=(4, 2)) * 0.035 * min(w, h)

    def corners(margin_x, margin_y, low=0.0):
        box = np.array([[-w / 2 - margin_x, -h / 2 - margin_y], [w / 2 + margin_x, -h / 2 - margin_y],
                        [w / 2 + margin_x, h / 2 + margin_y + low], [-w / 2 - margin_x, h / 2 + margin_y + low]])
        rotate = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        return (box + skew) @ rotate + [cx, cy]

    light = back * room
    if kind == "screen":
        edge = rng.uniform(0.008, 0.06) * min(w, h)
        tone = rng.uniform(0.003, 0.04) if rng.random() < 0.8 else rng.uniform(0.3, 0.7)
        if landscape and rng.random() < 0.5:  # a laptop's keyboard
            base = np.full((80, 200, 3), rng.uniform(0.03, 0.35), np.float32)
            base[10:60:12] *= 0.4
            box = corners(edge, edge)
            light = sheet(light, base, [box[3], box[2], box[2] + [w * 0.1, h * 0.5], box[3] + [-w * 0.1, h * 0.5]])
        light = sheet(light, np.full((32, 32, 3), tone, np.float32), corners(edge, edge, rng.uniform(0, 0.05) * h))
    else:
        edge = rng.uniform(0, 0.1) * min(w, h) * (rng.random() < 0.7)
        light = sheet(light, np.full((32, 32, 3), bright * 0.85, np.float32), corners(edge, edge))
    light = sheet(light, shown.astype(np.float32), corners(0, 0))
    if kind == "screen":
        glow = cv2.GaussianBlur(light, (0, 0), min(size) * rng.uniform(0.03, 0.15))
        light = light + glow * rng.uniform(0, 0.12)
        if rng.random() < 0.35:
            yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
            x, y, r = rng.uniform(0, width), rng.uniform(0, height), min(size) * rng.uniform(0.05, 0.3)
            light += (rng.uniform(0.05, 0.5) * np.exp(-((xx - x) ** 2 + (yy - y) ** 2) / (2 * r * r)))[..., None]
    else:
        xx = np.linspace(-1, 1, width, dtype=np.float32)
        light = light * (1 + rng.uniform(-0.3, 0.3) * xx)[None, :, None]
    return light


def camera(light, rng):
    """Returns the developed image of a webcam or phone: focus, white balance, exposure, noise, tone curve, sharpening."""
    light = cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 1.3))
    mean = light.mean((0, 1))
    balance = (mean.mean() / (mean + 1e-3)) ** rng.uniform(0, 0.6)
    middle = light[light.shape[0] // 6:-light.shape[0] // 6, light.shape[1] // 6:-light.shape[1] // 6]
    light = light * balance * (rng.uniform(0.12, 0.3) / (middle.mean() + 1e-3)) ** rng.uniform(0.3, 1)
    light = light + rng.normal(size=light.shape).astype(np.float32) * np.sqrt(np.maximum(light, 0) + 0.01) * 10 ** rng.uniform(-2.6, -1.5)
    picture = np.power(np.clip(light, 0, 1), 1 / rng.uniform(1.9, 2.5))
    eight = (picture * 255).astype(np.uint8)
    if rng.random() < 0.6:
        eight = cv2.bilateralFilter(eight, 5, rng.uniform(6, 25), rng.uniform(1.2, 2.5))
    picture = eight.astype(np.float32)
    picture += rng.uniform(0, 1) * (picture - cv2.GaussianBlur(picture, (0, 0), 1.2))
    return np.clip(picture, 0, 255).astype(np.uint8)


def simulate(frame, kind, backgrounds, rng):
    size = [(640, 480), (480, 640), (640, 360), (360, 640)][rng.choice(4, p=[0.45, 0.2, 0.25, 0.1])]
    if kind == "genuine":
        height, width = frame.shape[:2]
        scale = 640 / max(width, height)
        light = linear(cv2.resize(frame, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
        light = light * rng.uniform(0.6, 1.2) * np.float32([rng.uniform(0.85, 1.15), 1, rng.uniform(0.85, 1.15)])
    else:
        light = attack(frame, kind, backgrounds[rng.integers(len(backgrounds))], size, rng)
    return camera(light, rng)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--rate", type=float, default=4, help="frames per second")
    parser.add_argument("--frames", type=int, default=60, help="most frames of a clip")
    parser.add_argument("--replays", type=int, default=0, help="simulated frames of each species per genuine clip")
    parser.add_argument("--backgrounds", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    backgrounds = []
    for table in options.backgrounds if options.replays else []:
        for row in csv.DictReader(table.open(), delimiter="\t"):
            if row["label"] == "genuine":
                picture = cv2.imread(str(table.parent / row["path"]), cv2.IMREAD_REDUCED_COLOR_2)
                backgrounds.append(cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA))
    options.output.mkdir(parents=True, exist_ok=True)
    with (options.output / "MANIFEST.tsv").open("w") as out:
        out.write("path\tlabel\tsource\n")

        def write(clip, number, data, label, source):
            folder = options.output / clip
            folder.mkdir(exist_ok=True)
            (folder / f"{number:05}.jpg").write_bytes(data)
            out.write(f"{clip}/{number:05}.jpg\t{label}\t{source}\n")

        for row in csv.DictReader(options.clips.open(), delimiter="\t"):
            frames = clip_frames(options.clips.parent / row["path"], options.rate)[:options.frames]
            clip = row["path"].replace("/", "_").rsplit(".", 1)[0]
            source = f"{row['source']}/{row['person']}"
            page = Page()
            for number, frame in enumerate(frames):
                write(clip, number, page.encode(frame), row["label"], source)
            if not row["label"].startswith("genuine"):
                continue
            for kind in ("genuine", "screen", "print"):
                for number in range(min(options.replays, 2 * len(frames))):
                    frame = frames[rng.integers(len(frames))]
                    page = Page()
                    page.quality = rng.uniform(0.35, 0.7)
                    data = page.encode(simulate(frame, kind, backgrounds, rng))
                    write(f"{clip}#{kind}", number, data, kind, source + "#synthetic")
            print(clip, flush=True)


if __name__ == "__main__":
    main()
