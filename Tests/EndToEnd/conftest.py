"""Fixtures, scheduling and summary of the end-to-end tests.

The tests start the program that MIEN_PROGRAM names, by default the test build's. A module's tests share one server.
"""

import functools
import os

import pytest

from support import object_store as buckets
from support.postgres_server import Database
from support.program import PROGRAM
from support.replies import holds_nothing_private
from support.server import Server

# Suites that take longest, which start first so that none is left over at the end: beside the browsers first those that only compute, then
# those that play recordings in real time.
LONGEST = [
    "browser/", "api/test_postgres.py", "cli/test_recordings.py", "api/test_accounts.py", "api/test_attacks_on_shared_stores.py",
    "api/test_openapi_conformance.py", "api/test_connections.py", "cli/test_photo_formats.py", "api/test_aws_compatibility.py",
    "cli/test_check.py", "api/test_encryption_at_rest.py", "reliability/", "api/test_task_performances.py", "api/test_light.py",
    "api/test_verdicts.py", "docs/"]

# Browser tests in which a head or a clip performs in front of a camera in real time.
PERFORMED = (
    "test_every_browser", "test_face_match", "test_hand_over", "test_light", "test_messages", "test_slow_links", "test_task_performances",
    "test_verdicts")
PERFORMANCE = "browser performed"


def pytest_addoption(parser):
    parser.addoption("--rounds", type=int, default=6, help="kills of test_crashes")
    parser.addoption("--seed", type=int, default=1, help="seed of the moments of the kills")
    parser.addoption("--browsers", default="firefox,webkit", help="browsers of test_every_browser: chromium, firefox, webkit")
    parser.addoption("--examples", type=int, default=10, help="requests for each operation of test_openapi_conformance")
    parser.addoption("--pairs", type=int, default=20000, help="pairs of requests for each secret of test_timing")


@pytest.fixture(scope="session")
def binary():
    assert os.access(PROGRAM, os.X_OK), f"{PROGRAM} is missing; ./test builds it"
    return PROGRAM


@pytest.fixture(scope="module", autouse=True)
def server_defaults(request):
    """Applies the module's marks to every server that its tests start."""
    assurance = request.node.get_closest_marker("default_assurance")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Server, "loads_models", request.node.get_closest_marker("without_models") is None)
        patch.setattr(Server, "assurance", assurance.args[0] if assurance else None)
        yield


@pytest.fixture(scope="module")
def server(binary, server_defaults):
    """A server with default options and an empty data folder, whose output is checked for personal data at the end."""
    server = Server(binary)
    yield server
    server.clean()
    holds_nothing_private("".join(server.lines))


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server that logs its statements."""
    database = Database()
    if database.programs is None:
        pytest.skip("initdb not found; run scripts/install-system test")
    yield database
    database.clean()


@pytest.fixture(scope="session")
def s3():
    """An object store behind a proxy that verifies signatures and injects faults."""
    try:
        buckets.BucketServer.peer = buckets.s3_peer.Peer()
    except ImportError:
        pytest.skip("moto not found; run scripts/install-test-tools")
    buckets.BucketServer.peer.bucket(buckets.BUCKET)
    yield buckets.BucketServer.peer
    buckets.BucketServer.peer.stop()


def pytest_collection_modifyitems(items):
    for item in items:
        if item.nodeid.startswith("browser/"):
            item.add_marker("browser")
    place = {name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: next((place[name] for name in LONGEST if item.nodeid.startswith(name)), len(LONGEST)))


def scope(nodeid):
    """
    Returns the group of a test, which one worker runs: its file; all tests of browsers that are performed in real time, since several
    cameras would slow each other down; all other tests of browsers.
    """
    if not nodeid.startswith("browser/"):
        return nodeid.split("::")[0]
    return PERFORMANCE if nodeid.removeprefix("browser/").startswith(PERFORMED) else "browser"


@functools.cache
def yield_to_performances():
    """Lowers the priority of this worker with all that it starts from now on."""
    os.nice(10)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    if "PYTEST_XDIST_WORKER" in os.environ and scope(item.nodeid) != PERFORMANCE:
        yield_to_performances()


def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return scope(nodeid)

    return Scheduling(config, log)


def pytest_terminal_summary(terminalreporter):
    """Prints the counts in the form that ./test adds up."""
    count = {name: len(terminalreporter.getreports(name)) for name in ("passed", "failed", "error", "skipped")}
    terminalreporter.write_line(f"{count['passed']} passed, {count['failed'] + count['error']} failed, {count['skipped']} skipped")
