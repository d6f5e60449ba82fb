#!/usr/bin/env python3
"""Renders training images for the texture check: genuine scenes, screens and prints, through a camera model.

    generate.py MANIFEST.tsv OUTPUT [--seed N] [--rounds N]

Every genuine image of the manifest is shown on simulated screens and prints and photographed again in software, and also
photographed directly by the same simulated cameras, so that camera and compression give no cue. Writes JPEG files and
OUTPUT/MANIFEST.tsv, whose `source` is the image's source with a suffix, so that a split by source keeps a source's synthetic
images together with it. The output must not be added to the repository.
"""

import argparse
import csv
import pathlib

import cv2
import numpy as np

cv2.setNumThreads(1)
BORDER = cv2.BORDER_REFLECT_101


def linear(picture):
    return np.power(np.clip(picture, 0, 1), 2.2, dtype=np.float32)


def soft_box(u, center, width, softness):
    """Returns a periodic aperture with soft edges."""
    distance = np.abs((u - center + 0.5) % 1 - 0.5)
    return 1 / (1 + np.exp((distance - width / 2) / softness))


def pixel_mask(u, v, kind, rng):
    """Returns the light emitted at each position of a display, by color; (u, v) in display pixels."""
    height, width, soft = rng.uniform(0.65, 0.97), rng.uniform(0.2, 0.33), rng.uniform(0.015, 0.06)
    if kind in ("lcd", "bgr"):
        centers = [1 / 6, 0.5, 5 / 6] if kind == "lcd" else [5 / 6, 0.5, 1 / 6]
        bent = 0 if rng.random() < 0.7 else rng.uniform(0.05, 0.2) * np.abs((v % 1) - 0.5) * 2
        rows = soft_box(v, 0.5, height, soft)
        channels = [soft_box(u + bent, center, width, soft) * rows for center in centers]
    elif kind == "pentile":
        parity = (np.floor(u) + np.floor(v)) % 2
        green = soft_box(u, 0.25, width * 1.1, soft) * soft_box(v, 0.5, width * 1.2, soft)
        other = soft_box(u, 0.75, width * 1.5, soft) * soft_box(v, 0.5, width * 1.6, soft)
        channels = [other * (parity == 0) * 2, green, other * (parity == 1) * 2]
    else:  # an LED video panel
        dots = 1 / (1 + np.exp((np.hypot((u % 1) - 0.5, (v % 1) - 0.5) - rng.uniform(0.2, 0.35)) / 0.02))
        channels = [dots, dots, dots]
    return np.stack(channels, -1).astype(np.float32)


def halftone(picture, u, v, rng):
    """Prints the image with four clustered-dot screens at their usual angles; (u, v) in cells."""
    black = 1 - picture.max(-1)
    rest = np.maximum(1 - black, 1e-3)
    replaced = rng.uniform(0.5, 1)
    key = black * replaced
    inks = [((1 - picture[..., i] - black) / rest) * (1 - key) + (black - key) * 0.5 for i in range(3)] + [key]
    tints = [(0.05, 0.55, 0.85), (0.8, 0.08, 0.4), (0.95, 0.85, 0.08), (0.08, 0.08, 0.08)]
    paper = np.ones_like(picture)
    for ink, tint, angle in zip(inks, tints, (15, 75, 0, 45)):
        turn = np.deg2rad(angle + rng.uniform(-2, 2))
        p, q = np.cos(turn) * u + np.sin(turn) * v, -np.sin(turn) * u + np.cos(turn) * v
        threshold = (np.cos(2 * np.pi * p) + np.cos(2 * np.pi * q)) / 4 + 0.5
        cover = 1 / (1 + np.exp(-np.clip((np.clip(ink, 0, 1) - threshold) / 0.04, -30, 30)))
        paper *= 1 - cover[..., None] * (1 - np.array(tint, np.float32))
    return paper


def dither(picture, oversampling, rng):
    """Prints the image with fine stochastic screening."""
    noise = cv2.GaussianBlur(rng.random(picture.shape, dtype=np.float32), (0, 0), oversampling * rng.uniform(0.3, 0.9))
    noise = (noise - noise.mean()) / (noise.std() * rng.uniform(4, 14)) + 0.5
    dots = 1 / (1 + np.exp(-(picture - noise) / 0.05))
    return (picture + (dots - picture) * rng.uniform(0.05, 0.6)).astype(np.float32)


def camera(light, oversampling, rng):
    """Converts linear, oversampled light to a developed image in 0…1: lens, mosaic, noise, demosaicing."""
    blur = rng.uniform(0.28, 0.9) if rng.random() < 0.65 else rng.uniform(0.9, 2.6)
    light = cv2.GaussianBlur(light, (0, 0), max(0.3, blur * oversampling))
    height, width = light.shape[0] // oversampling // 2 * 2, light.shape[1] // oversampling // 2 * 2
    light = cv2.resize(light[: height * oversampling, : width * oversampling], (width, height), interpolation=cv2.INTER_AREA)
    gain = np.array([rng.uniform(0.45, 0.7), 1, rng.uniform(0.5, 0.8)], np.float32)
    raw = light * gain
    mosaic = np.empty((height, width), np.float32)
    mosaic[0::2, 0::2], mosaic[0::2, 1::2] = raw[0::2, 0::2, 0], raw[0::2, 1::2, 1]
    mosaic[1::2, 0::2], mosaic[1::2, 1::2] = raw[1::2, 0::2, 1], raw[1::2, 1::2, 2]
    full = 10 ** rng.uniform(2.3, 4)
    sigma = np.sqrt(np.maximum(mosaic, 0) / full + rng.uniform(0.0005, 0.005) ** 2)
    mosaic += rng.normal(size=mosaic.shape).astype(np.float32) * sigma
    sixteen = (np.clip(mosaic * 0.9 + 0.02, 0, 1) * 65535).astype(np.uint16)
    code = cv2.COLOR_BayerBG2RGB if rng.random() < 0.4 else cv2.COLOR_BayerBG2RGB_EA
    developed = cv2.cvtColor(sixteen, code).astype(np.float32) / 65535
    return np.clip((developed - 0.02) / 0.9 / gain, 0, 1)


def finish(picture, rng):
    """Applies a phone's tone curve, denoising and sharpening; returns 8 bits."""
    picture = np.power(np.clip(picture, 0, 1), 1 / rng.uniform(1.9, 2.6))
    if rng.random() < 0.7:
        eight = np.clip(picture * 255, 0, 255).astype(np.uint8)
        if rng.random() < 0.65:
            eight = cv2.bilateralFilter(eight, 5, rng.uniform(4, 22), rng.uniform(1.2, 2.5))
        picture = eight.astype(np.float32) / 255
        picture += rng.uniform(0.1, 1.3) * (picture - cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.8)))
    picture = np.clip((picture - 0.5) * rng.uniform(0.85, 1.25) + 0.5, 0, 1)
    gray = picture.mean(-1, keepdims=True)
    return (np.clip(gray + (picture - gray) * rng.uniform(0.7, 1.3), 0, 1) * 255 + 0.5).astype(np.uint8)


def encode(picture, quality, rng):
    sampling = 0x221111 if rng.random() < 0.8 else 0x111111
    return cv2.imencode(".jpg", picture[..., ::-1], [
        cv2.IMWRITE_JPEG_QUALITY, int(quality), cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling])[1]


def window(shape, size, scale, rng):
    """Returns coordinates of a rotated, slightly tilted window of `size` camera pixels; `scale` is camera pixels per source pixel."""
    yy, xx = np.mgrid[0:size[0], 0:size[1]].astype(np.float32)
    yy, xx = yy / size[2], xx / size[2]
    cy, cx = yy.max() / 2, xx.max() / 2
    turn = np.deg2rad(rng.normal() * 6 + (0 if rng.random() < 0.75 else rng.choice([90, -90])))
    depth = 1 + ((xx - cx) * rng.normal() * 0.08 + (yy - cy) * rng.normal() * 0.08) / max(cx, cy) / 2
    px = (np.cos(turn) * (xx - cx) - np.sin(turn) * (yy - cy)) / depth
    py = (np.sin(turn) * (xx - cx) + np.cos(turn) * (yy - cy)) / depth
    return tuple(a.astype(np.float32) for a in (px, py, xx / xx.max() - 0.5, yy / yy.max() - 0.5))


def at(x, y, scale, ox, oy):
    return (x * scale + ox).astype(np.float32), (y * scale + oy).astype(np.float32)


def show_on_screen(source, px, py, gx, gy, rng):
    kind = rng.choice(["lcd", "bgr", "pentile", "wall"], p=[0.66, 0.06, 0.22, 0.06])
    pitch = 2 ** (rng.uniform(1, 3.3) if kind == "wall" else rng.uniform(-1.3, 2))
    u, v = px / pitch, py / pitch
    viewer = rng.uniform(0.5, 1.6)  # source pixels per display pixel
    height, width = source.shape[:2]
    ox, oy = width * rng.uniform(0.25, 0.75), height * rng.uniform(0.25, 0.75)
    shown = linear(np.clip((source - 0.5) * rng.uniform(0.95, 1.3) + 0.5, 0, 1) if rng.random() < 0.4 else source)
    if viewer > 1:
        shown = cv2.GaussianBlur(shown, (0, 0), 0.4 * viewer)
    light = cv2.remap(shown, *at(np.floor(u), np.floor(v), viewer, ox, oy), cv2.INTER_LINEAR, borderMode=BORDER)
    if rng.random() < 0.15:  # a text page rather than an image
        light = light * 0.15 + np.float32(rng.uniform(0.5, 0.85))
    mask = pixel_mask(u, v, kind, rng)
    mask = 1 + rng.beta(1.3, 1.1) * (mask / (mask.mean() + 1e-6) - 1)
    if rng.random() < 0.3:
        period = rng.uniform(80, 600) / len(gy)
        light = light * (1 + rng.uniform(0.02, 0.12) * np.sin(2 * np.pi * (gy / period + rng.random())))[..., None]
    crosstalk = np.array([[0.9, 0.08, 0.02], [0.05, 0.9, 0.05], [0.02, 0.08, 0.9]], np.float32)
    mix = rng.uniform(0, 1)
    light = (light * mask) @ (np.eye(3, dtype=np.float32) * (1 - mix) + crosstalk * mix).T
    light = light * rng.uniform(0.45, 1.1) + rng.uniform(0, 0.05)
    if rng.random() < 0.3:  # a reflection
        x, y = rng.uniform(-0.5, 0.5, 2)
        light += rng.uniform(0.03, 0.3) * np.exp(-((gx - x) ** 2 + (gy - y) ** 2) / (2 * rng.uniform(0.1, 0.4) ** 2))[..., None]
    return light


def print_out(source, px, py, gx, oversampling, rng):
    scale = rng.uniform(0.3, 1)
    height, width = source.shape[:2]
    ox, oy = width * rng.uniform(0.3, 0.7), height * rng.uniform(0.3, 0.7)
    shown = np.clip(cv2.remap(source, *at(px, py, scale, ox, oy), cv2.INTER_LINEAR, borderMode=BORDER), 0, 1)
    if rng.random() < 0.5:
        cell = 2 ** rng.uniform(0.5, 3.4)
        shown = halftone(shown, px / cell, py / cell, rng)
    else:
        shown = dither(shown, oversampling, rng)
    fibre = cv2.GaussianBlur(rng.normal(size=shown.shape[:2]).astype(np.float32), (0, 0), oversampling * 1.5)
    black, paper = rng.uniform(0.03, 0.12), np.array([0.88, 0.87, 0.83], np.float32) * rng.uniform(0.8, 1.05)
    light = (black + (paper - black) * linear(shown)) * (1 + fibre * rng.uniform(0, 0.08))[..., None]
    return light * rng.uniform(0.5, 1) * (1 + rng.uniform(-0.3, 0.3) * gx)[..., None]


def draw(path, label, seed):
    rng = np.random.default_rng(seed)
    source = cv2.cvtColor(cv2.imread(str(path), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    if max(source.shape[:2]) > 1600:
        scale = 1600 / max(source.shape[:2])
        source = cv2.resize(source, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    source = source.astype(np.float32) / 255
    shrink = 1.0 if rng.random() < 0.5 else rng.uniform(0.38, 0.85)  # as messengers do
    side = 640 if shrink == 1 else 448
    camera_side = int(side / shrink) // 2 * 2 + 2
    oversampling = 2 if label != "genuine" else 1
    span = camera_side * oversampling
    px, py, gx, gy = window(source.shape, (span, span, oversampling), 1, rng)
    if label == "genuine":
        detail = rng.uniform(0.45, 1)
        small = cv2.resize(source, None, fx=detail, fy=detail, interpolation=cv2.INTER_AREA)
        scale = min(1.0, max(0.25, min(small.shape[:2]) / camera_side * rng.uniform(0.7, 1)))
        ox, oy = small.shape[1] * rng.uniform(0.35, 0.65), small.shape[0] * rng.uniform(0.35, 0.65)
        light = cv2.remap(linear(small), *at(px, py, scale, ox, oy), cv2.INTER_CUBIC, borderMode=BORDER)
        light = np.clip(light, 0, 1) * rng.uniform(0.7, 1.05)
    elif label == "screen":
        light = show_on_screen(source, px, py, gx, gy, rng)
    else:
        light = print_out(source, px, py, gx, oversampling, rng)
    picture = finish(camera(light.astype(np.float32), oversampling, rng), rng)
    data = encode(picture, rng.uniform(80, 98), rng)
    if shrink < 1:
        filters = [cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC]
        picture = cv2.cvtColor(cv2.imdecode(data, 1), cv2.COLOR_BGR2RGB)
        picture = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=filters[rng.integers(3)])
        data = encode(picture, rng.uniform(55, 90), rng)
    return data.tobytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2, help="pictures of each kind per genuine picture (prints: half)")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    rows = []
    number = options.seed * 1_000_000
    for row in csv.DictReader(options.manifest.open(), delimiter="\t"):
        if not row["label"].startswith("genuine"):
            continue
        path = options.manifest.parent / row["path"]
        if min(cv2.imread(str(path)).shape[:2]) < 256:
            continue
        for label, count in (("genuine", options.rounds), ("screen", options.rounds), ("print", (options.rounds + 1) // 2)):
            for _ in range(count):
                number += 1
                name = f"{label}_{number}.jpg"
                (options.output / name).write_bytes(draw(path, label, number))
                rows.append((name, label, row["source"] + "#synthetic"))
    with (options.output / "MANIFEST.tsv").open("w") as out:
        out.write("path\tlabel\tsource\n")
        out.writelines("\t".join(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
