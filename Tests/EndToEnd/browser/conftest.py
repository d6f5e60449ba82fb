"""Fixtures of the browser tests: one server, one other site that embeds its element, and browsers with fake cameras."""

import os
import shutil
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from browser.camera_clips import Footage
from browser.embedding_site import Site
from browser.environment import BrowserEnvironment
from browser.other_browsers import OtherBrowser, OtherEnvironment
from browser.server import Server
from support.program import ROOT


@pytest.fixture(scope="session")
def browsers(binary, tmp_path_factory):
    from playwright.sync_api import sync_playwright

    for tool in ("chromium", "ffmpeg"):
        assert shutil.which(tool), f"{tool} is not installed (Debian package: {tool})"
    screenshots = ROOT / ".mien/logs/screenshots" if os.environ.get("MIEN_TEST_SCREENSHOTS") else None
    if screenshots:
        screenshots.mkdir(parents=True, exist_ok=True)
    folder = tmp_path_factory.mktemp("browser")
    site = Site()
    server = Server.start(Path(binary), folder / "data", ROOT / "Web", site.url)
    site.server = server.url
    with sync_playwright() as playwright:
        environment = BrowserEnvironment(
            playwright, server, Footage(folder), screenshots, Path(binary), site)
        yield environment
        environment.close()
    server.stop()


@pytest.fixture
def env(browsers):
    """The server and browsers of all browser tests; afterwards there must be no policy violation, script error or foreign request."""
    browsers.violations.clear()
    browsers.errors.clear()
    browsers.hosts.clear()
    yield browsers
    assert not browsers.violations, f"policy violations: {browsers.violations}"
    assert not browsers.errors, f"script errors: {browsers.errors}"
    foreign = browsers.hosts - browsers.hosts_elsewhere - {urlsplit(browsers.server.url).netloc}
    assert not foreign, f"requests to other hosts: {foreign}"


def pytest_generate_tests(metafunc):
    """Runs a test with the fixture `browser_env` in every browser of `--browsers`; its mark has the browser's name."""
    if "browser_env" in metafunc.fixturenames:
        names = metafunc.config.getoption("--browsers").split(",")
        metafunc.parametrize("browser_env", [pytest.param(name, marks=getattr(pytest.mark, name)) for name in names], indirect=True)


@pytest.fixture
def browser_env(request, env):
    """The server of all browser tests with the pages of one browser; afterwards there must be no policy violation or script error."""
    if request.param == "chromium":
        yield env
        return
    other = OtherBrowser(request.param)
    yield OtherEnvironment(env, other)
    other.close()
