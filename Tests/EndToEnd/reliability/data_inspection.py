"""Storage of a killed server, and its inspection before the next start."""

import contextlib
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import time

from reliability.external_services import BUCKET, Services
from support.server import Server


class EmbeddedStorage:
    """The embedded databases, and files on disk."""
    # Time in seconds within which all scans must finish at the end of a run.
    scan_timeout = 120
    # Maximum number of samples of the acknowledged data that are verified at the end of a run.
    samples = 1000
    # Time in seconds until the lease of a killed server expires.
    lease_seconds = 0

    def server(self, binary, arguments):
        return Server(binary, arguments=arguments, loads_models=False)

    def kill(self, server, number, rng):
        server.kill()

    def seconds_until_kill(self, number, rng):
        """Returns the time in seconds that the server runs before kill `number`."""
        return rng.choice([rng.uniform(0.02, 0.6), rng.uniform(0.6, 3), rng.uniform(3, 7)])

    def check_integrity(self, server):
        for path in pathlib.Path(server.data).rglob("*.sqlite"):
            check_sqlite_integrity(path)

    def count_files(self, server):
        """Checks that every file is referenced by a record; returns the number of files."""
        count = 0
        for realm in ("", "sandbox"):
            folder = pathlib.Path(server.data, realm)
            with contextlib.closing(sqlite3.connect(folder / "mien.sqlite")) as db:
                referenced = {name for sql in ("SELECT photo_blob, depth_blob, motion_blob FROM capture", "SELECT blob FROM scan_file",
                                          "SELECT blob FROM upload_piece")
                              for row in db.execute(sql) for name in row if name}
            stored = {path.name for path in (folder / "blobs").rglob("*") if path.is_file()}
            assert stored <= referenced, f"{len(stored - referenced)} files without a record"
            count += len(stored)
        return count

    def figures(self):
        return {}

    def clean(self, server):
        server.clean()

    def stop_and_keep(self, server):
        """Stops the server and keeps its data; returns the location."""
        server.stop()
        return server.data


class ExternalServices:
    """PostgreSQL and an object store. One kill in ten includes the database."""
    # Work is taken over 30 s after a killed server's last sign of life, by a server that has itself been alive for as long.
    scan_timeout = 240
    samples = 12
    lease_seconds = 31

    def __init__(self):
        self.services = Services()
        self.recoveries = []

    def server(self, binary, arguments):
        return self.services.server(binary, arguments, loads_models=False)

    def kill(self, server, number, rng):
        if number % 10:
            server.kill()
            return
        database = self.services.database
        for kill in rng.sample([server.kill, database.kill], 2):
            kill()
            time.sleep(rng.uniform(0, 0.05))
        began = time.monotonic()
        database.start()
        self.recoveries.append(time.monotonic() - began)

    def seconds_until_kill(self, number, rng):
        # Sometimes long enough for abandoned work to be taken over, and interrupted again.
        return rng.uniform(36, 44) if number % 25 == 0 else EmbeddedStorage.seconds_until_kill(self, number, rng)

    def check_integrity(self, server):
        check_postgres_integrity(self.services.database)

    def count_files(self, server):
        """Checks that no multipart uploads are left; returns the number of files. A killed server's partial results remain for a day
        (Documentation/operations/Scaling.md)."""
        stored = self.services.order("keys", bucket=BUCKET)
        assert not stored["uploads"], f"{len(stored['uploads'])} uploads of killed servers remain"
        return len(stored["keys"])

    def figures(self):
        return {"kills of PostgreSQL": len(self.recoveries),
                "slowest start of PostgreSQL, s": round(max(self.recoveries, default=0), 1)}

    def clean(self, server):
        server.clean()
        self.services.stop()

    def stop_and_keep(self, server):
        server.stop()
        self.services.database.stop()
        return f"{server.data} {self.services.database.folder}"


def check_sqlite_integrity(path):
    """Checks a copy, so that the next start finds exactly the state that the kill left."""
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("", "-wal"):
            if os.path.exists(f"{path}{ending}"):
                shutil.copy(f"{path}{ending}", f"{folder}/copy.sqlite{ending}")
        with contextlib.closing(sqlite3.connect(f"{folder}/copy.sqlite", timeout=20)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), f"{path} is damaged"
            assert database.execute("PRAGMA foreign_key_check").fetchall() == [], f"{path} violates foreign keys"


# Checks every CHECK and foreign key constraint against every row, without indexes.
CONSTRAINTS = r"""
SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
DO $$ DECLARE c record; n bigint; BEGIN
  FOR c IN SELECT conname, conrelid::regclass AS t, pg_get_expr(conbin, conrelid) AS holds FROM pg_constraint
    WHERE contype = 'c' AND connamespace::regnamespace::text NOT IN ('pg_catalog', 'information_schema') LOOP
    EXECUTE format('SELECT count(*) FROM %s WHERE NOT (%s)', c.t, c.holds) INTO n;
    IF n > 0 THEN RAISE EXCEPTION '% rows of % break %', n, c.t, c.conname; END IF;
  END LOOP;
  FOR c IN SELECT conname, conrelid::regclass AS t, confrelid::regclass AS parent,
      (SELECT string_agg(format('child.%I = parent.%I', a.attname, b.attname), ' AND ')
       FROM unnest(conkey, confkey) AS k(x, y) JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = x
       JOIN pg_attribute b ON b.attrelid = confrelid AND b.attnum = y) AS joined,
      (SELECT string_agg(format('child.%I IS NOT NULL', a.attname), ' AND ')
       FROM unnest(conkey) AS x JOIN pg_attribute a ON a.attrelid = conrelid AND a.attnum = x) AS given
    FROM pg_constraint WHERE contype = 'f' LOOP
    EXECUTE format('SELECT count(*) FROM %s child WHERE %s AND NOT EXISTS (SELECT 1 FROM %s parent WHERE %s)',
      c.t, c.given, c.parent, c.joined) INTO n;
    IF n > 0 THEN RAISE EXCEPTION '% rows of % have no parent (%)', n, c.t, c.conname; END IF;
  END LOOP;
END $$;
"""


def check_postgres_integrity(database, name="postgres"):
    """Checks every table, TOAST data and index with amcheck, then the constraints."""
    connection = ["-h", str(database.folder), "-U", "mien"]
    checked = run(database, "pg_amcheck", *connection, "--install-missing", "--heapallindexed", "--rootdescend", "--on-error-stop",
                 name)
    assert checked.returncode == 0, f"amcheck: {checked.stdout[-500:]}{checked.stderr[-500:]}"
    validated = run(database, "psql", *connection, "-q", "-v", "ON_ERROR_STOP=1", name, input=CONSTRAINTS)
    assert validated.returncode == 0, f"constraints: {validated.stderr[-500:]}"


def run(database, program, *arguments, input=None):
    return subprocess.run([*database.run_as_postgres, database.programs / program, *arguments], input=input, capture_output=True, text=True,
                          cwd="/", timeout=120)
