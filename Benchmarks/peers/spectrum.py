"""Times the log-power spectrum of 512 × 512 pixels with MKL and with SciPy's pocketfft, for run-photo; prints one JSON line.

Mean removed, Hann window, real transform in 32-bit floats, ln(|F|² · scale + 0.05), like
Sources/Core/MienImaging/TileSpectrum.swift. Processor time of one thread, medians of 200.
"""

import json
import os
import statistics
import time

os.environ["MKL_NUM_THREADS"] = "1"

import mkl_fft  # noqa: E402
import numpy  # noqa: E402
import scipy.fft  # noqa: E402

SIDE = 512
index = numpy.arange(SIDE * SIDE, dtype=numpy.int64).reshape(SIDE, SIDE)
tile = ((index * index >> 7) ^ index).astype(numpy.uint8)
window = ((1 - numpy.cos(2 * numpy.pi * numpy.arange(SIDE) / SIDE)) / 2).astype(numpy.float32)
both = numpy.outer(window, window)
scale = numpy.float32(1 / float((window * window).sum()) ** 2)


def spectrum(transform):
    picture = tile.astype(numpy.float32)
    picture -= picture.mean()
    picture *= both
    found = transform(picture)[:, : SIDE // 2]
    power = found.real * found.real + found.imag * found.imag
    return numpy.log(power * scale + numpy.float32(0.05))


def milliseconds(transform):
    times = []
    for _ in range(220):
        start = time.thread_time()
        spectrum(transform)
        times.append((time.thread_time() - start) * 1000)
    return round(statistics.median(times[20:]), 3)


print(json.dumps({"mkl_ms": milliseconds(mkl_fft.rfft2), "pocketfft_ms": milliseconds(scipy.fft.rfft2)}))
