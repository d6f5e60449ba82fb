"""A private database server for tests; needs PostgreSQL's programs (Debian: postgresql)."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

from support.server import Server


class Database:
    """A database server on a socket in its own directory; logs every statement unless it is durable."""

    def __init__(self, durable=False):
        """With `durable`, commits are synced to disk and statements are not logged, as in production."""
        self.settings = "" if durable else "-c fsync=off -c log_statement=all -c log_line_prefix='%p '"
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
        self.programs = found[-1].parent if found else None
        if not found and shutil.which("initdb"):
            self.programs = pathlib.Path(shutil.which("initdb")).parent
        self.schemas = {}
        if not self.programs:
            return
        # PostgreSQL refuses to run as root; Debian's package creates a user for it.
        self.run_as_postgres = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mien-pg-"))
        if self.run_as_postgres:
            shutil.chown(self.folder, "postgres")
        self.call("initdb", "-D", self.folder / "data", "-U", "mien", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
        self.start()

    def call(self, program, *arguments):
        subprocess.run([*self.run_as_postgres, self.programs / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o",
                  f"-k '{self.folder}' -c listen_addresses='' {self.settings}", "start")

    def stop(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-m", "fast", "stop")

    def kill(self):
        """Kills the whole server at once, as a power failure would."""
        first = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        # Stopped first, so that the postmaster starts no further processes while they are listed.
        os.kill(first, signal.SIGSTOP)
        others = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(path.read_text().rsplit(")", 1)[1].split()[1]) == first:
                    others.append(int(path.parent.name))
            except (FileNotFoundError, ProcessLookupError):
                pass  # already exited
        for process in [first, *others]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        deadline = time.monotonic() + 120
        while any(is_running(process) for process in [first, *others]):
            if time.monotonic() > deadline:
                raise TimeoutError("PostgreSQL does not exit")
            time.sleep(0.01)
        # A killed process that was not reaped would still count as running; after a power failure its process ID is unused.
        for lock in ("data/postmaster.pid", ".s.PGSQL.5432.lock"):
            (self.folder / lock).unlink()

    def clean(self):
        self.stop()
        shutil.rmtree(self.folder)

    def url_for(self, data):
        """Returns the database URL for the server with this data directory; each has its own schema."""
        schema = self.schemas.setdefault(data, f"t{len(self.schemas)}")
        return f"postgres://mien@/postgres?host={self.folder}&schema={schema}"

    def beside(self, server, shares=True, kind=Server):
        """Starts another server on the same database; with `shares`, on the same files of captures and scans as well."""
        folder = tempfile.mkdtemp(prefix="mien-api-")
        for realm in ("", "sandbox/"):
            os.makedirs(folder + "/" + realm, exist_ok=True)
            # Servers share the keyring and the files of captures and scans in addition to the database.
            shutil.copy(f"{server.data}/{realm}mien.keyring", f"{folder}/{realm}mien.keyring")
            if shares:
                os.symlink(f"{server.data}/{realm}blobs", f"{folder}/{realm}blobs")
        self.schemas[folder] = self.schemas[server.data]
        return kind(server.binary, data=folder)

    def count(self, data, table):
        """Returns the number of rows in a table of the server with this data directory."""
        ended = subprocess.run(
            [*self.run_as_postgres, self.programs / "psql", "-h", self.folder, "-U", "mien", "-d", "postgres", "-Atc",
             f"SELECT count(*) FROM {self.schemas[data]}.{table}"], check=True, capture_output=True, text=True, cwd="/")
        return int(ended.stdout)

    def statements(self, marks, since):
        """Returns the statements with one of these values, including the others of their transactions."""
        found, transactions = [], {}  # per process: the statements of its transaction, and whether one matched
        last = {}  # per process: its statement outside of a transaction
        with open(self.folder / "log") as log:
            log.seek(since)
            for line in log:
                parts = re.match(r"(\d+) (LOG|DETAIL): +(.*)", line)
                if not parts:
                    continue
                process, kind, text = parts.groups()
                if kind == "LOG" and re.match(r"(statement|execute)", text):
                    statement = text.split(":", 1)[1].strip()
                    if statement == "BEGIN":
                        transactions[process] = [[], False]
                    if process in transactions:
                        transactions[process][0].append(statement)
                        if statement in ("COMMIT", "ROLLBACK"):
                            statements, matched = transactions.pop(process)
                            found += statements if matched else []
                    elif "api_key WHERE digest" in statement:
                        found.append(statement)
                    last[process] = statement
                elif kind == "DETAIL" and any(f"'{mark}'" in text for mark in marks):
                    if process in transactions:
                        transactions[process][1] = True
                    else:
                        found.append(last.get(process, text))
        return found


def is_running(process):
    """Reports if a process runs; zombies do not count."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False
