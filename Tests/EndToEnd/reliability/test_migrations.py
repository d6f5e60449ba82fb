"""Kills `mien serve` with SIGKILL while it migrates the database of a past version, restarts it, and checks that all old records
exist, the database is intact and the server works.

Uses every dump of Tests/Contracts/MienStoreSQLiteTests/Fixtures in turn and, if its programs are installed, PostgreSQL's first
version with the rows of dump 9 (Fixtures/postgres-1.sql), whose sandbox schema is created from scratch. The dumps' check with a verdict is
duplicated 400 times. Each version is first migrated without a kill: that measures the time until all values are encrypted,
over which the kills are spread, and records the expected replies. A round is one database with one or several kills in a row.
"""

import json
import random
import subprocess
import time

import pytest

from reliability.legacy_databases import DUMPS, KEPT, OldPostgres, OldSQLite

CHECKS = ["chk_old", "chk_open", "chk_1", "chk_7"]
PATIENCE = 60


def told(server):
    """Returns the server's replies for records whose values were stored unencrypted and are encrypted now."""
    said = []
    for check in CHECKS:
        reply = server.request("GET", "/v1/checks/" + check, token=server.key)
        assert reply.status == 200, f"{check}: {reply}"
        result = reply.json
        result.pop("signed", None)
        said.append(result)
        for image in result.get("images", []):
            picture = server.request("GET", image["url"], token=server.key)
            assert picture.status == 200 and picture.body.startswith(b"\xff\xd8\xff"), f"a picture of {check}: {picture}"
    return said


def sealed(installation):
    deadline = time.monotonic() + PATIENCE
    while not installation.is_sealed():
        assert time.monotonic() < deadline, f"not all is sealed after {PATIENCE} s"
        time.sleep(0.02)


class Version:
    """A past version: the time its migration takes, and the expected result."""

    def __init__(self, installation, binary):
        self.installation, self.binary = installation, binary
        installation.make()
        self.before = installation.version()
        began = time.monotonic()
        server = installation.server(binary)
        self.started = time.monotonic() - began
        sealed(installation)
        self.seconds = time.monotonic() - began
        self.after, self.told = installation.version(), told(server)
        assert server.stop() == 0
        self.rows = installation.rows()
        installation.sound()
        installation.clean()
        print(f"{installation.name}: {self.after - self.before} migrations, serves after {self.started:.2f} s, "
              f"all is sealed after {self.seconds:.2f} s", flush=True)

    def round(self, dice, counts):
        installation = self.installation
        installation.make()
        server = None
        try:
            for _ in range(dice.choice([1, 1, 2, 3])):
                # More kills during schema changes than during encryption, which takes longer.
                moment = dice.uniform(0, self.started) if dice.random() < 0.7 else dice.uniform(self.started, 1.1 * self.seconds)
                self.death(moment, counts)
                installation.sound()
            server = installation.server(self.binary)
            counts["slowest start, s"] = max(counts.get("slowest start, s", 0), round(server.seconds_to_start, 1))
            sealed(installation)
            assert told(server) == self.told, "the server tells something else than without a death"
            assert server.create()
            assert server.stop() == 0
            assert installation.version() == self.after
            rows = installation.rows()
            # Excludes the check created above.
            rows["liveness_check"] = [row for row in rows["liveness_check"] if row[0] in self.ids]
            for table in KEPT:
                assert rows[table] == self.rows[table], f"{table} is not what it is without a death"
            installation.sound()
        finally:
            if server and server.process.poll() is None:
                server.kill()
            installation.clean()

    @property
    def ids(self):
        return {row[0] for row in self.rows["liveness_check"]}

    def death(self, seconds, counts):
        process = subprocess.Popen(self.installation.command(self.binary), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.installation.environment)
        try:
            code = process.wait(seconds)
            raise AssertionError(f"the server ended by itself with {code}")
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        version = self.installation.version()
        when = ("before the first migration" if version == self.before else
                "between two migrations" if version < self.after else
                "while values were sealed" if not self.installation.is_sealed() else "afterwards")
        for what in ("kills", "kills " + when):
            counts[what] = counts.get(what, 0) + 1


@pytest.fixture(scope="module")
def installations():
    """Databases of every past version; each fills its check with a verdict 400 times."""
    made = [OldSQLite(dump, 400) for dump in sorted(DUMPS.glob("schema-*.sql"))]
    try:
        made.append(OldPostgres(400))
    except LookupError as why:
        print(f"{why}: its first version is left out")
    yield made
    for installation in made:
        installation.end()


@pytest.mark.slow
def test_killed_migrations_lose_nothing(binary, request, installations):
    dice, counts = random.Random(request.config.getoption("seed")), {}
    versions = [Version(installation, binary) for installation in installations]
    for number in range(max(request.config.getoption("rounds"), len(versions))):
        versions[number % len(versions)].round(dice, counts)
    print(json.dumps(counts))
