#!/usr/bin/env python3
"""Times orjson on one observation: python3 -m pip install orjson==3.13.0, then orjson_lines.py FILE.

FILE is written by `ObservationBenchmark --write FILE`. orjson checks the syntax and creates Python objects; it checks
neither keys nor ranges.
"""

import statistics
import sys
import time

import orjson

lines = open(sys.argv[1], "rb").read().splitlines()[1:]
rounds = []
for _ in range(7):
    start = time.perf_counter()
    for line in lines:
        orjson.loads(line)
    rounds.append((time.perf_counter() - start) * 1e6 / len(lines))
print(f"orjson {orjson.__version__}: {statistics.median(rounds):.2f} µs per observation, {len(lines)} read")
