"""A database server of one's own for tests; needs PostgreSQL's programs (Debian: postgresql)."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile


class Database:
    """A database server on a socket in a folder of its own, which writes down every statement where it is not durable."""

    def __init__(self, durable=False):
        """durable: as an installation has it, every commit on the disk and no statement written down."""
        self.settings = "" if durable else "-c fsync=off -c log_statement=all -c log_line_prefix='%p '"
        found = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[4]))
        self.programs = found[-1].parent if found else None
        if not found and shutil.which("initdb"):
            self.programs = pathlib.Path(shutil.which("initdb")).parent
        self.schemas = {}
        if not self.programs:
            return
        # PostgreSQL refuses to work for root; Debian's package makes a user for it.
        self.me = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mien-pg-"))
        if self.me:
            shutil.chown(self.folder, "postgres")
        self.call("initdb", "-D", self.folder / "data", "-U", "mien", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8")
        self.start()

    def call(self, program, *arguments):
        subprocess.run([*self.me, self.programs / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd="/")

    def start(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o",
                  f"-k '{self.folder}' -c listen_addresses='' {self.settings}", "start")

    def stop(self):
        self.call("pg_ctl", "-D", self.folder / "data", "-w", "-m", "fast", "stop")

    def clean(self):
        self.stop()
        shutil.rmtree(self.folder)

    def of(self, data):
        """The address for the server with this folder: each has a schema of its own."""
        schema = self.schemas.setdefault(data, f"t{len(self.schemas)}")
        return f"postgres://mien@/postgres?host={self.folder}&schema={schema}"

    def statements(self, marks, since):
        """How many statements had one of these values, the beginnings and ends of their transactions among them."""
        count, open_ones = 0, {}  # per process: how many, and whether one was ours
        with open(self.folder / "log") as log:
            log.seek(since)
            for line in log:
                found = re.match(r"(\d+) (LOG|DETAIL): +(.*)", line)
                if not found:
                    continue
                process, kind, text = found.groups()
                if kind == "LOG" and re.match(r"(statement|execute)", text):
                    statement = text.split(":", 1)[1].strip()
                    if statement == "BEGIN":
                        open_ones[process] = [0, False]
                    if process in open_ones:
                        open_ones[process][0] += 1
                        if statement in ("COMMIT", "ROLLBACK"):
                            number, ours = open_ones.pop(process)
                            count += number if ours else 0
                    elif "api_key WHERE digest" in statement:
                        count += 1
                elif kind == "DETAIL" and any(f"'{mark}'" in text for mark in marks):
                    if process in open_ones:
                        open_ones[process][1] = True
                    else:
                        count += 1
        return count
