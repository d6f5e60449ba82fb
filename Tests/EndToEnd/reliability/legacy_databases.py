"""Databases of past versions, filled with more rows than their dumps contain."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import sqlite3
import tempfile
import time

from reliability import data_inspection
from support.postgres_server import Database
from support.server import Server

HERE = pathlib.Path(__file__).resolve().parent
DUMPS = HERE.parents[1] / "Contracts/MienStoreSQLiteTests/Fixtures"
KEY = "mien_of-a-past-version"
DAY = 86_400_000
# Columns that no migration changes, by table; encrypted values are compared over HTTP instead.
KEPT = {
    "api_key": "digest, created_ms", "enrolment": "person, version, created_ms",
    "liveness_check": "id, token_digest, created_ms, expires_ms, side, person, expects_depth, reference, open",
    "verdict": "check_id, decided_ms, outcome, reason, source, frames", "picture": "check_id, ordinal, kind",
    "dialect_session": "check_id, dialect, owner, request_token, parameters, audit_pictures",
    "lockout": "kind, name, locked_until_ms, expires_ms", "message": "id, receipt_digest, mode, avatar, attempts, views, own_key, box",
    "webhook_endpoint": "id, url, secret, signing_key, created_ms",
    "capture": "id, receipt_digest, received_ms, photo_digest, photo_size, photo_blob, depth_digest, depth_size, depth_blob",
    "capture_device": "id, public_key, counter, created_ms",
}
# Encrypted JSON is a string; unencrypted JSON is a list.
OPEN = {"verdict": "findings", "picture": "box"}


def filled(dump, rows):
    """Returns a dump as an in-memory database: `rows` copies of the check with a verdict, all dated today."""
    db = sqlite3.connect(":memory:")
    db.executescript(dump.read_text())
    tables = {name: [column[1] for column in db.execute(f"PRAGMA table_info({name})")]
              for name, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    now = int(time.time() * 1000)
    # The dump's keyring is not available: the signing key is created anew, other secrets stay as they are.
    if "sealed_secret" in tables:
        db.execute("DELETE FROM sealed_secret WHERE kind = 'signing-key'")
    db.execute("UPDATE liveness_check SET created_ms = ?, expires_ms = ?", (now, now + DAY))
    db.execute("UPDATE verdict SET decided_ms = ?", (now,))
    if "lockout" in tables:
        db.execute("UPDATE lockout SET locked_until_ms = ?, expires_ms = ?", (now + DAY, now + DAY))
    if "message" in tables:
        db.execute("UPDATE message SET created_ms = ?, expires_ms = ?", (now, now + DAY))
    if "picture" in tables:
        db.execute("UPDATE picture SET bytes = CAST(X'FFD8FF' || randomblob(6000) AS BLOB)")
    db.execute("INSERT INTO api_key (digest, created_ms) VALUES (?, ?)", (hashlib.sha256(KEY.encode()).digest(), now))
    for table in ("liveness_check", "verdict", "finding", "picture"):
        if table not in tables:
            continue
        key = "id" if table == "liveness_check" else "check_id"
        columns = ", ".join(f"'chk_' || n" if name == key else name for name in tables[table])
        db.execute(f"""WITH RECURSIVE count (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < {rows})
            INSERT INTO {table} ({', '.join(tables[table])}) SELECT {columns} FROM {table}, count WHERE {key} = 'chk_old'""")
    db.commit()
    return db, tables


class Installation:
    """The data directory and database of one past version, recreated for each round."""
    arguments = ["--result-days", "0", "--capture-days", "0", "--image-lifetime", "31536000"]

    def make(self):
        self.data = tempfile.mkdtemp(prefix="mien-old-")

    def clean(self):
        shutil.rmtree(self.data, ignore_errors=True)

    def command(self, binary):
        return [binary, "serve", "--port", "0", "--data", self.data, "--models", "/nowhere", *self.arguments]

    def server(self, binary):
        """Starts the server on the existing data; `Server` waits until it is ready."""
        installation = self

        class Old(Server):
            environment = property(lambda self: installation.environment)
        server = Old(binary, self.data, self.arguments, loads_models=False)
        server.key = KEY
        return server

    def rows(self):
        """Returns the unchanged columns of every table."""
        return {table: self.ask(f"SELECT {columns} FROM {{0}}{table}") for table, columns in KEPT.items()}

    def is_sealed(self):
        return all(self.ask(f"SELECT count(*) FROM {{0}}{table} WHERE CAST({column} AS text) LIKE '[%'") in ([(0,)], [("0",)])
                   for table, column in OPEN.items())


class OldSQLite(Installation):
    environment = None

    def __init__(self, dump, rows):
        self.name = dump.stem
        self.template = tempfile.NamedTemporaryFile(suffix=".sqlite")
        db, _ = filled(dump, rows)
        with contextlib.closing(sqlite3.connect(self.template.name)) as target:
            db.backup(target)

    def make(self):
        super().make()
        shutil.copy(self.template.name, self.data + "/mien.sqlite")

    def ask(self, sql):
        with contextlib.closing(sqlite3.connect(self.data + "/mien.sqlite", timeout=20)) as db:
            return sorted(db.execute(sql.format("")).fetchall(), key=repr)

    def version(self):
        """Counts the migrations done, on a copy, so that the next start finds exactly the state that the kill left."""
        with tempfile.TemporaryDirectory() as folder:
            for ending in ("", "-wal"):
                if os.path.exists(f"{self.data}/mien.sqlite{ending}"):
                    shutil.copy(f"{self.data}/mien.sqlite{ending}", f"{folder}/mien.sqlite{ending}")
            with contextlib.closing(sqlite3.connect(f"{folder}/mien.sqlite")) as db:
                return db.execute("SELECT count(*) FROM grdb_migrations").fetchone()[0]

    def sound(self):
        for path in pathlib.Path(self.data).rglob("*.sqlite"):
            data_inspection.sqlite_is_sound(path)

    def end(self):
        self.template.close()


def literal(value, column):
    if value is None:
        return "NULL"
    if column == "reference" and isinstance(value, str):
        value = value.encode()
    if isinstance(value, bytes):
        return f"'\\x{value.hex()}'"
    return "'" + str(value).replace("'", "''") + "'"


class OldPostgres(Installation):
    """The rows of the embedded store's version 9 in PostgreSQL's version 1, which has the same tables. The sandbox schema is new."""
    name = "postgres-1"

    def __init__(self, rows):
        self.database, self.count = Database(durable=True), 0
        if not self.database.programs:
            raise LookupError("PostgreSQL's programs are missing (Debian package: postgresql)")
        self.psql("postgres", "CREATE DATABASE template_old")
        db, tables = filled(DUMPS / "schema-9.sql", rows)
        script = [(HERE / "Fixtures" / "postgres-1.sql").read_text(), "SET standard_conforming_strings = on;",
                  # Tables are filled in any order.
                  "SET session_replication_role = replica;"]
        for table, columns in tables.items():
            if table != "grdb_migrations":
                for row in db.execute(f"SELECT {', '.join(columns)} FROM {table}"):
                    script.append(f"INSERT INTO mien.{table} ({', '.join(columns)}) VALUES "
                                  f"({', '.join(literal(value, column) for value, column in zip(row, columns))});")
        self.psql("template_old", "BEGIN;\n" + "\n".join(script) + "\nCOMMIT;")

    def psql(self, database, sql):
        done = data_inspection.run(self.database, "psql", "-h", str(self.database.folder), "-U", "mien", "-q", "-A", "-t", "-F", "\x1f",
                           "-v", "ON_ERROR_STOP=1", database, input=sql)
        assert done.returncode == 0, done.stderr[-600:]
        return done.stdout

    @property
    def environment(self):
        return {**os.environ, "MIEN_STORE": f"postgres://mien@/old{self.count}?host={self.database.folder}"}

    def make(self):
        super().make()
        self.count += 1
        self.psql("postgres", f"CREATE DATABASE old{self.count} TEMPLATE template_old")

    def ask(self, sql):
        return sorted(tuple(line.split("\x1f")) for line in self.psql(f"old{self.count}", sql.format("mien.")).splitlines())

    def version(self):
        return int(self.psql(f"old{self.count}", "SELECT count(*) FROM mien.migration"))

    def sound(self):
        data_inspection.postgres_is_sound(self.database, f"old{self.count}")

    def clean(self):
        super().clean()
        self.psql("postgres", f"DROP DATABASE old{self.count} WITH (FORCE)")

    def end(self):
        self.database.clean()
