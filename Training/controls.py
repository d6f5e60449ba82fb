#!/usr/bin/env python3
"""Creates variants of labeled images: controls that remove compression and size as cues, and training variety.

    controls.py MANIFEST.tsv OUTPUT KIND [--seed N]

KIND: `reencoded` (JPEG quality 75), `half` (half size, quality 75), `width` (all 700 pixels wide or the same short side,
quality 75), `gray` (no color, quality 75) or `varied` (random size 0.4 to 1 and quality 55 to 95; for training).
Writes JPEG files and OUTPUT/MANIFEST.tsv with the labels and sources of the originals.
"""

import argparse
import csv
import pathlib

import cv2
import numpy as np

cv2.setNumThreads(1)


def vary(picture, kind, rng):
    quality, scale = 75, 1.0
    if kind == "half":
        scale = 0.5
    elif kind == "width":
        scale = min(1.0, 700 / picture.shape[1])
    elif kind == "varied":
        quality, scale = int(rng.uniform(55, 95)), rng.uniform(0.4, 1)
    elif kind == "gray":
        picture = cv2.cvtColor(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if scale < 1 and min(picture.shape[:2]) * scale >= 64:
        filters = [cv2.INTER_AREA, cv2.INTER_LINEAR, cv2.INTER_CUBIC]
        picture = cv2.resize(
            picture, None, fx=scale, fy=scale, interpolation=filters[rng.integers(3)] if kind == "varied" else filters[0])
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("manifest", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("kind", choices=["reencoded", "half", "width", "gray", "varied"])
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    with (options.output / "MANIFEST.tsv").open("w") as out:
        out.write("path\tlabel\tsource\n")
        for number, row in enumerate(csv.DictReader(options.manifest.open(), delimiter="\t")):
            # Uses the stored pixels: the EXIF orientation is ignored.
            picture = cv2.imread(str(options.manifest.parent / row["path"]), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
            name = f"{number:04}.jpg"
            (options.output / name).write_bytes(vary(picture, options.kind, rng))
            out.write(f"{name}\t{row['label']}\t{row['source']}\n")


if __name__ == "__main__":
    main()
