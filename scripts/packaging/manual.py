"""Man pages of the program and its subcommands, made from the description of its arguments that it prints itself."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .release_facts import SUMMARY, changelog


def escaped(text: str) -> str:
    """Returns text in which nothing is a request or an escape sequence of roff."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").split("\n")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in lines)


def option(argument: dict) -> str:
    """Returns an argument's names and the name of its value, in bold and italics."""
    value = f"\\fI{escaped(argument.get('valueName', ''))}\\fR"
    if argument["kind"] == "positional":
        return value
    names = sorted(argument.get("names", []), key=lambda name: name["kind"] != "short")
    texts = [("-" if name["kind"] == "short" else "--") + name["name"] for name in names]
    shown = ", ".join(f"\\fB{escaped(text)}\\fR" for text in texts)
    return f"{shown} {value}" if argument["kind"] == "option" else shown


def description(argument: dict) -> str:
    parts = [argument.get("abstract", "")]
    if values := argument.get("allValues"):
        parts.append(f"Values: {', '.join(values)}.")
    if default := argument.get("defaultValue"):
        parts.append(f"Default: {default}.")
    return escaped(" ".join(part for part in parts if part)) or "\\&"


def synopsis(path: list[str], command: dict) -> str:
    parts = [f"\\fB{escaped(' '.join(path))}\\fR"]
    arguments = [one for one in command.get("arguments", []) if one.get("shouldDisplay", True)]
    if any(one["kind"] != "positional" for one in arguments):
        parts.append("[\\fIoptions\\fR]")
    for one in arguments:
        if one["kind"] == "positional":
            text = option(one) + (" ..." if one.get("isRepeating") else "")
            parts.append(f"[{text}]" if one.get("isOptional") else text)
    if command.get("subcommands"):
        parts.append("\\fIcommand\\fR ...")
    return " ".join(parts)


def page(path: list[str], command: dict) -> str:
    version, _, _ = changelog()
    name = "-".join(path)
    lines = [f'.TH "{name.upper()}" 1 "" "Mien {version}" "Mien"', ".SH NAME",
             f"{escaped(name)} \\- {escaped(command.get('abstract', SUMMARY).rstrip('.'))}", ".SH SYNOPSIS", synopsis(path, command)]
    if text := command.get("discussion"):
        lines += [".SH DESCRIPTION"]
        for paragraph in text.strip().split("\n\n"):
            # Examples are indented lines, which keep their line breaks.
            kept = any(line.startswith(" ") for line in paragraph.split("\n"))
            lines += [".PP", *([".nf"] if kept else []), escaped(paragraph), *([".fi"] if kept else [])]
    sections: dict[str, list[dict]] = {}
    for argument in command.get("arguments", []):
        if argument.get("shouldDisplay", True):
            title = "ARGUMENTS" if argument["kind"] == "positional" else (argument.get("sectionTitle") or "OPTIONS").upper()
            sections.setdefault(title, []).append(argument)
    for title, arguments in sections.items():
        lines.append(f'.SH "{title}"')
        for argument in arguments:
            lines += [".TP", option(argument), description(argument)]
    subcommands = [one for one in command.get("subcommands", []) if one.get("shouldDisplay", True) and one["commandName"] != "help"]
    if subcommands:
        lines.append(".SH COMMANDS")
        for one in subcommands:
            reference = "-".join([*path, one["commandName"]])
            lines += [".TP", f"\\fB{escaped(reference)}\\fR(1)", escaped(one.get("abstract", "")) or "\\&"]
    if len(path) > 1:
        lines += [".SH SEE ALSO", f"\\fB{escaped('-'.join(path[:-1]))}\\fR(1)"]
    return "\n".join(lines) + "\n"


def pages(dump: str) -> Iterator[tuple[str, str]]:
    """Yields name and text of every page, from the output of `mien --experimental-dump-help`."""
    def walk(path: list[str], command: dict) -> Iterator[tuple[str, str]]:
        yield "-".join(path), page(path, command)
        for one in command.get("subcommands", []):
            if one["commandName"] != "help" and one.get("shouldDisplay", True):
                yield from walk([*path, one["commandName"]], one)

    command = json.loads(dump)["command"]
    yield from walk([command["commandName"]], command)
