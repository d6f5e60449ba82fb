"""Locations of the program under test and of the repository."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[3]
# The program under test; MIEN_PROGRAM names another one than the test build's.
PROGRAM = str(pathlib.Path(os.environ.get("MIEN_PROGRAM") or ROOT / ".build-test/debug/mien").resolve())
