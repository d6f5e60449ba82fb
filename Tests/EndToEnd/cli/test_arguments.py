"""Tests of help, arguments and shell completions."""

import re
import shutil
import subprocess

from cli.commands import mien
from support.program import ROOT

COMMANDS = ["serve", "doctor", "track", "check", "enroll", "expressions", "gif", "read-id", "lock", "unlock", "scan",
            "analyze", "evaluate", "keys", "backup", "restore"]


def test_every_command_has_help():
    text = mien("--help").stdout
    examples, _, groups = text.partition("SUBCOMMANDS:")
    named = re.findall(r"^  ([\w-]+)(?: \(default\))? {2,}\S", groups, re.M)
    assert set(named) >= set(COMMANDS), named
    assert text.count(" SUBCOMMANDS:") >= 5, "commands are grouped"
    used = set(re.findall(r"^ +mien ([\w-]+)", examples.partition("USAGE:")[0], re.M))
    assert len(used) >= 5 and used <= set(named), "examples come before everything else"
    for command in named:
        own = mien(command, "--help").stdout
        assert f"USAGE: mien {command}" in own and own == mien("help", command).stdout
        for option in re.findall(r"(?<=\[)--[a-z-]+", own.partition("USAGE:")[2].split("\n\n")[0]):
            assert re.search(rf"^  (?:-\w, )?\S*{option}(?:/\S+)?(?: <[^>]+>)?\s+\w", own, re.M), f"{command} {option} says nothing"
    assert re.fullmatch(r"\d+\.\d+\.\d+\n", mien("--version").stdout)


def test_readme_names_existing_commands_only():
    lines = re.findall(r"^mien ([\w-]+)(.*)$", (ROOT / "README.md").read_text(), re.M)
    assert {command for command, _ in lines} >= {"doctor", "check", "track", "enroll"}
    for command, rest in lines:
        text = mien(command, "--help").stdout
        for option in re.findall(r"--[a-z-]+", rest.split("#")[0]):
            assert option in text, f"README: mien {command} has no {option}"


def test_rejects_unexpected_arguments_with_64():
    for arguments in (["sreve"], ["--nonsense"], ["check"], ["track"], ["enroll"], ["serve", "stray"],
                      ["doctor", "stray"], ["check", "a.mov", "b.mov", "--challenge", "turn-left"],
                      ["serve", "--port", "70000"], ["serve", "--port", "x"], ["serve", "--lifetime", "0"],
                      ["serve", "--engines", "0"], *([command, "--nonsense"] for command in COMMANDS)):
        run = mien(*arguments, expect=64)
        assert run.stdout == "" and "Usage: mien" in run.stderr, (arguments, run.stdout, run.stderr)


def test_mistyped_commands_are_answered_with_the_nearest():
    for arguments, near in ((["sreve"], "serve"), (["chekc", "a.mov"], "check"), (["help", "docter"], "doctor"),
                            (["scan", "chek"], "scan check"), (["keys", "ad"], "keys add")):
        run = mien(*arguments, expect=64)
        assert f"Did you mean 'mien {near}'?" in run.stderr and run.stdout == "", run
    far = mien("frobnicate", expect=64).stderr
    assert "'frobnicate' is not a command of mien." in far and "Did you mean" not in far and "mien --help" in far, far


def test_shell_completions_know_the_commands():
    for shell in ("bash", "zsh", "fish"):
        script = mien("--generate-completion-script", shell).stdout
        for word in [*COMMANDS, "challenge", "live-link", "turn-left"]:
            assert word in script, f"{shell}: {word}"
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=script, text=True, check=True)
    mien("--generate-completion-script", "cmd.exe", expect=64)
