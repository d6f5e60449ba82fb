#!/usr/bin/env python3
"""Tests the pages in Debian's Chromium with a fake camera.

    run.py --mien PATH                       starts the server itself, with an empty data folder
    run.py --server URL --api-key KEY        uses a running server
    run.py … --only TEXT                     only tests whose name contains TEXT
    run.py … --screenshots FOLDER            saves a screenshot of each screen

Ends with `N passed, N failed, N skipped`; exits 1 if a test failed or none ran.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

from playwright.sync_api import sync_playwright

import cases.verdicts  # noqa: F401
import cases.camera  # noqa: F401
import cases.server_gone  # noqa: F401
import cases.tasks  # noqa: F401
import cases.element  # noqa: F401
import cases.performed  # noqa: F401
import cases.able  # noqa: F401
import cases.messages  # noqa: F401
import cases.message_pages  # noqa: F401
import cases.captures  # noqa: F401
import cases.scans  # noqa: F401
import cases.status  # noqa: F401
import cases.markup  # noqa: F401
import cases.incomplete  # noqa: F401
import cases.accounts  # noqa: F401
import cases.everybody  # noqa: F401
import cases.policy  # noqa: F401 - the last: it looks at what the others have seen
from cases import CASES
from footage import Footage, Missing
from integrator import Site
from server import Server
from stage import Stage
from twice import twice  # from the API tests, whose folder an import above added to the path

ROOT = Path(__file__).resolve().parents[2]


def main() -> int:
    options = read_options()
    for tool in ("chromium", "ffmpeg"):
        if shutil.which(tool) is None:
            print(f"FAILED: {tool} is not installed (Debian package: {tool})")
            return 1
    if options.screenshots:
        options.screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mien-browser-") as folder:
        site = Site()
        server = find_server(options, Path(folder), site)
        try:
            with sync_playwright() as playwright:
                stage = Stage(playwright, server, Footage(Path(folder)), options.screenshots, options.mien,
                              site if options.mien else None)
                try:
                    return run(stage, options.only)
                finally:
                    stage.close()
        finally:
            server.stop()


def run(stage: Stage, only: str) -> int:
    passed = failed = skipped = 0
    for name, test in CASES:
        if only not in name:
            continue
        begun = time.monotonic()
        try:
            twice(name, lambda: test(stage), never=Missing)
        except Missing as missing:
            skipped += 1
            print(f"SKIPPED {name}: {missing}", flush=True)
        except Exception as error:  # a test may raise anything; the others still run
            failed += 1
            print(f"FAILED  {name}: {error}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc(limit=-3)
        else:
            passed += 1
            print(f"passed  {name} ({time.monotonic() - begun:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or passed == 0 else 0


def find_server(options: argparse.Namespace, folder: Path, site: Site) -> Server:
    if options.mien:
        server = Server.start(options.mien, folder / "data", options.web, site.url)
        site.server = server.url
        return server
    return Server(options.server, options.api_key)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mien", type=Path, help="the executable to start")
    parser.add_argument("--web", type=Path, default=ROOT / "Web", help="the pages it serves")
    parser.add_argument("--server", help="address of a server that runs")
    parser.add_argument("--api-key", help="its API key")
    parser.add_argument("--only", default="", help="part of a test's name")
    parser.add_argument("--screenshots", type=Path, help="folder for pictures of the screens")
    options = parser.parse_args()
    if bool(options.mien) == bool(options.server) or bool(options.server) != bool(options.api_key):
        parser.error("either --mien, or --server with --api-key")
    return options


if __name__ == "__main__":
    sys.exit(main())
