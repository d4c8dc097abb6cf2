#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Writes the tables of modelled calls into docs/emulation.md, from the tables in the sources.

emulation_table.py          writes them
emulation_table.py --check  exit 1 where the page is not up to date, with what to do
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "emulation.md"
ROW = re.compile(r'^HEADROOM_CALL(_12|_13)?\((\w+), (\w+), "((?:[^"\\]|\\.)*)"\)$')


def table(path):
    """The rows of a calls.inc as a Markdown table."""
    lines = ["| call | family | what it does here |", "| --- | --- | --- |"]
    for line in path.read_text(encoding="utf-8").splitlines():
        match = ROW.match(line)
        if match:
            major, name, family, what = match.groups()
            only = f" (CUDA {major[1:]} alone)" if major else ""
            lines.append(f"| `{name}`{only} | {family.replace('_', ' ')} | {what} |")
        elif line.startswith("HEADROOM_CALL"):
            raise SystemExit(f"{path}: not a row: {line}")
    return "\n".join(lines)


def filled(page):
    """The page with every table between its markers made anew."""

    def replace(match):
        source = ROOT / "framework" / "emulation" / match.group(1)
        return f"<!-- calls: {match.group(1)} -->\n{table(source)}\n<!-- end -->"

    return re.sub(r"<!-- calls: (\S+) -->\n.*?<!-- end -->", replace, page, flags=re.S)


def main(arguments):
    page = PAGE.read_text(encoding="utf-8")
    wanted = filled(page)
    if arguments == ["--check"]:
        if page == wanted:
            return 0
        print("docs/emulation.md is not up to date: run tools/emulation_table.py", file=sys.stderr)
        return 1
    if arguments:
        print(__doc__, file=sys.stderr)
        return 3
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
