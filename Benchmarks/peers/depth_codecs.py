"""Compresses depth maps with RVL and with zstd, for comparison with our codecs.

    depth_codecs.py frames FOLDER FILE    writes the folder's depth_*.png as one file of u16 samples
    depth_codecs.py measure FILE          prints one JSON line per codec: bytes per frame, median and fastest milliseconds
"""

import glob
import json
import sys
import time

import numpy
import rvl
import zstandard
from PIL import Image


def frames(folder, file):
    names = sorted(glob.glob(folder + "/depth_*.png"))
    numpy.stack([numpy.array(Image.open(name)).astype("<u2") for name in names]).tofile(file)


def simple(samples, packer):
    """Baseline recipe: difference to the left neighbor, zigzag coding, byte planes, zstd -1."""
    difference = numpy.diff(samples.ravel().astype(numpy.int32), prepend=0).astype(numpy.int16).astype(numpy.int32)
    folded = ((difference << 1) ^ (difference >> 15)).astype(numpy.uint16)
    return packer.compress((folded & 255).astype(numpy.uint8).tobytes() + (folded >> 8).astype(numpy.uint8).tobytes())


def measure(file):
    maps = numpy.fromfile(file, "<u2").reshape(-1, 192, 256)
    packer = zstandard.ZstdCompressor(1)
    for name, code in (("rvl", rvl.compress), ("difference+zigzag+planes+zstd-1", lambda x: simple(x, packer))):
        sizes, times = [], []
        for samples in maps:
            start = time.perf_counter()
            coded = code(samples)
            times.append((time.perf_counter() - start) * 1000)
            sizes.append(len(coded))
        times.sort()
        figures = [round(times[len(times) // 2], 3), round(times[0], 3)]
        print(json.dumps({"coding": name, "bytes": sum(sizes) // len(sizes), "encode_ms": figures}))


{"frames": frames, "measure": measure}[sys.argv[1]](*sys.argv[2:])
