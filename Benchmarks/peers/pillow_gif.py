"""Writes the same animation with Pillow: python pillow_gif.py SHEET.png REST.png|- OUT.gif; prints one line of JSON."""

import io
import json
import statistics
import sys
import time

from PIL import Image, ImageDraw

sheet_path, rest_path, out = sys.argv[1:4]
DELAYS = [500, 500, 300, 500, 300, 500, 300, 500, 300, 500, 500]
STEPS = [1, 2, 3, 4, 5]


def load(path):
    return Image.open(path).convert("RGBA")


def opaque(sheet, index):
    ground = Image.new("RGB", (256, 256), (235, 242, 250))
    sprite = sheet.crop((index % 3 * 256, index // 3 * 256, index % 3 * 256 + 256, index // 3 * 256 + 256))
    ground.paste(sprite, (0, 0), sprite)
    return ground


def frames():
    sheet = load(sheet_path)
    neutral = opaque(sheet, 0) if rest_path == "-" else opaque(load(rest_path), 0)
    made = [neutral]
    for step in STEPS:
        made += [opaque(sheet, step), neutral]
    return made


def label(picture, text):
    picture = picture.copy()
    draw = ImageDraw.Draw(picture)
    draw.rounded_rectangle((44, 190, 212, 252), 14, fill=(38, 27, 43), outline=(255, 252, 246), width=3)
    draw.text((128, 221), text, fill=(255, 252, 246), anchor="mm")
    return picture


def save(made, **more):
    data = io.BytesIO()
    made[0].save(data, "GIF", save_all=True, append_images=made[1:], duration=DELAYS, loop=0, **more)
    return data.getvalue()


def median(count, work):
    times = []
    for _ in range(count):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    return round(statistics.median(times), 2)


base = frames()
strip = Image.new("RGB", (256 * 11, 256))
for place, frame in enumerate(base):
    strip.paste(frame, (256 * place, 0))
palette = strip.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
kept = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in base[:-1]]


def cached():
    return save(kept + [label(base[-1], "ID:12345").quantize(palette=palette, dither=Image.Dither.NONE)])


def cold():
    made = frames()
    made[-1] = label(made[-1], "ID:12345")
    return save(made)


def fast():
    made = frames()
    made[-1] = label(made[-1], "ID:12345")
    return save([f.quantize(256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE) for f in made])


data = cold()
open(out, "wb").write(data)
print(json.dumps({"bytes": len(data), "bytes_cached": len(cached()), "bytes_fast": len(fast()), "loaded_ms": median(15, cached),
                  "cold_ms": median(7, cold), "cold_fast_ms": median(7, fast)}))
