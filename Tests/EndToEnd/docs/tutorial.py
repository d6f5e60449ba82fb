"""Executes a tutorial: its commands run in order as a reader would run them, in one folder and one session."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys

from support.program import ROOT

TUTORIALS = ROOT / "Documentation/tutorials"


class Tutorial:
    """The blocks of a tutorial: `bash` and `python` are executed; `console` needs a person or an installation and is not.

    A line `[test]: # (NAME)`, which Markdown does not show, calls an action of the test at that place.
    """

    def __init__(self, name):
        text = (TUTORIALS / f"{name}.md").read_text()
        self.blocks = [
            (found["language"] or "action", found["code"] or found["action"])
            for found in re.finditer(
                r"^```(?P<language>\w+)\n(?P<code>.*?)^```$|^\[test\]: # \((?P<action>\w+)\)$", text, re.M | re.S)]
        unknown = {language for language, _ in self.blocks} - {"bash", "python", "console", "action", "json"}
        assert not unknown, f"{name} has blocks in {unknown}, which the test does not know"

    def run(self, folder, program, replacements, environment=None, actions=None):
        """Runs the blocks in `folder`; returns what each printed.

        `replacements` maps texts of the page, such as the address and the key, to those of the test.
        """
        tools = folder / "bin"
        tools.mkdir()
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
            for number, (language, code) in enumerate(self.blocks):
                if language in ("console", "json"):
                    continue
                if language == "action":
                    actions[code](folder, {"CHECK": self.ask(session, "${CHECK:-}")})
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
        session.stdin.write(f"{code}\necho {mark}\n")
        session.stdin.flush()
        lines = []
        for line in session.stdout:
            if line.strip() == mark:
                return "".join(lines)
            lines.append(line)
        raise AssertionError(f"block {number + 1} failed:\n{code}\n{''.join(lines)}")

    @staticmethod
    def ask(session, expression):
        return Tutorial.execute(session, f'printf "%s\\n" "{expression}"', -1).strip()


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


def names():
    return sorted(path.stem for path in pathlib.Path(TUTORIALS).glob("*.md"))
