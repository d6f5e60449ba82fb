"""Executes a document: its commands run in order as a reader would run them, in one folder and one session."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading

from support.program import ROOT

DOCUMENTS = ROOT / "Documentation"
EXECUTED = {"bash", "python"}
# Seconds for one block, on a busy machine.
LONGEST = 600
# Blocks that show something and are no commands.
SHOWN = {"text", "json", "jsonl", "csv", "hex"}
# A block, with the reason why it is not executed if there is one, or a place where the test acts. Markdown shows neither line in brackets.
BLOCK = re.compile(
    r"^(?:\[not run\]: # \((?P<reason>[^)]+)\)\n\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$|^\[test\]: # \((?P<action>\w+)\)$", re.M | re.S)

# `mien serve` of a guide would run forever: this one ends when it listens, on any free port.
ENDING_SERVER = """#!{python}
import os, signal, subprocess, sys
program, arguments = {program!r}, sys.argv[1:]
if arguments[:1] != ["serve"]:
    os.execv(program, [program, *arguments])
server = subprocess.Popen([program, *arguments, "--port", "0", "--models", "/nowhere"], stdout=subprocess.PIPE, text=True)
listening = any(line.startswith("Listening on http") for line in server.stdout)
server.send_signal(signal.SIGTERM)
sys.exit(server.wait(120) if listening else 1)
"""


class Document:
    """The blocks of a Markdown file: `bash` and `python` are executed, unless a line `[not run]: # (REASON)` stands before them.

    A line `[test]: # (NAME)` calls an action of the test at that place.
    """

    def __init__(self, path):
        self.path = path
        self.blocks = [
            (found["language"] if found["action"] is None else "action", found["code"] or found["action"], found["reason"])
            for found in BLOCK.finditer((DOCUMENTS / path).read_text())]

    def unexplained_blocks(self):
        """Yields blocks that are neither executed nor shown, and say no reason."""
        for language, code, reason in self.blocks:
            if language != "action" and language not in EXECUTED | SHOWN and not reason:
                yield f"{self.path}: the block that begins with {code.splitlines()[0]!r} is {language or 'of no language'}, and no line says why it is not run"

    @property
    def is_executed(self):
        return any(language in EXECUTED and not reason for language, _, reason in self.blocks)

    def run(self, folder, program, replacements, environment=None, actions=None, servers_end=False):
        """Runs the blocks in `folder`; returns what each printed.

        `replacements` maps texts of the page, such as the address and the key, to those of the test. With `servers_end`, servers
        stop when they listen.
        """
        tools = folder / "bin"
        tools.mkdir()
        if servers_end:
            (tools / "mien").write_text(ENDING_SERVER.format(python=sys.executable, program=str(program)))
            (tools / "mien").chmod(0o755)
        else:
            (tools / "mien").symlink_to(program)
        (tools / "python3").symlink_to(sys.executable)
        surroundings = {name: value for name, value in os.environ.items() if not name.startswith("MIEN_") or name == "MIEN_PARTS"}
        surroundings |= environment or {}
        surroundings |= {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": ":".join(sys.path)}
        outputs, python = [], []
        session = subprocess.Popen(
            ["bash", "-euo", "pipefail"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env=surroundings, cwd=folder, start_new_session=True)
        try:
            for number, (language, code, reason) in enumerate(self.blocks):
                if language == "action":
                    actions[code](folder, {"CHECK": self.ask(session, "${CHECK:-}")})
                    continue
                if language not in EXECUTED or reason:
                    continue
                for text, value in replacements.items():
                    code = code.replace(text, value)
                if language == "python":
                    # Later blocks see the names of earlier ones, as in one program.
                    python.append(code)
                    (folder / "block.py").write_text(PYTHON)
                    (folder / "blocks.json").write_text(json.dumps(python))
                    code = "python3 block.py\n"
                outputs.append(self.execute(session, code, number))
        finally:
            session.stdin.close()
            session.wait(60)
            # Servers that a failed block left running.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(session.pid, signal.SIGKILL)
        return outputs

    @staticmethod
    def execute(session, code, number):
        mark = f"end-of-block-{number}"
        # A command that reads standard input must not read the next commands, and one that never ends must end.
        session.stdin.write(f"{{\n{code}\n}} < /dev/null\necho {mark}\n")
        session.stdin.flush()
        ended = threading.Timer(LONGEST, os.killpg, [session.pid, signal.SIGKILL])
        ended.start()
        try:
            return Document.read_until(session, mark, code, number)
        finally:
            ended.cancel()

    @staticmethod
    def read_until(session, mark, code, number):
        lines = []
        for line in session.stdout:
            # The output of a block may end without a line break.
            if line.endswith(f"{mark}\n"):
                return "".join([*lines, line.removesuffix(f"{mark}\n")])
            lines.append(line)
        raise AssertionError(f"block {number + 1} failed:\n{code}\n{''.join(lines)}")

    @staticmethod
    def ask(session, expression):
        return Document.execute(session, f'printf "%s\\n" "{expression}"', -1).strip()


# Runs all blocks so far in one namespace, and prints what the last one prints.
PYTHON = """
import contextlib, io, json, pathlib
space = {}
blocks = json.loads(pathlib.Path("blocks.json").read_text())
for number, block in enumerate(blocks):
    quiet = contextlib.redirect_stdout(io.StringIO()) if number + 1 < len(blocks) else contextlib.nullcontext()
    with quiet:
        exec(compile(block, f"block {number + 1}", "exec"), space)
"""



def documents(*folders):
    """Returns the Markdown files of folders in Documentation."""
    return sorted(path.relative_to(DOCUMENTS).as_posix() for folder in folders for path in (DOCUMENTS / folder).rglob("*.md"))
