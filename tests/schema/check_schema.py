#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Checks that a JSON Schema and a folder of examples agree.

accept/ and reject-beyond-schema/ must satisfy the schema, reject/ must not: there either the strict
JSON reading refuses the text, or the schema refuses the document. The readers' side of the same
folders is a C++ test.

Usage: check_schema.py SCHEMA FOLDER...   a FOLDER holds accept/, reject/ and reject-beyond-schema/,
                                          or only files that must satisfy the schema
Exit: 0 agree, 1 disagree, 77 the jsonschema package is not there
"""

import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed for", sys.executable)
    sys.exit(77)


def refuse_doubled_keys(pairs):
    keys = [key for key, _ in pairs]
    doubled = {key for key in keys if keys.count(key) > 1}
    if doubled:
        raise ValueError(f"doubled keys {sorted(doubled)}")
    return dict(pairs)


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def finite(text):
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"number {text} is out of range")
    return value


def load(path):
    """The document, read strictly. Raises ValueError (UnicodeDecodeError is one)."""
    text = path.read_bytes().decode("utf-8", "strict")
    return json.loads(
        text,
        object_pairs_hook=refuse_doubled_keys,
        parse_constant=refuse_constant,
        parse_float=finite,
    )


def refusal(validator, path):
    """Why the file is refused, None when it is accepted."""
    try:
        document = load(path)
    except ValueError as fault:
        return f"not strict JSON: {fault}"
    except RecursionError:
        return "nested too deep"
    fault = jsonschema.exceptions.best_match(validator.iter_errors(document))
    return None if fault is None else f"{fault.json_path}: {fault.message}"


def check(validator, path, accept):
    why = refusal(validator, path)
    if accept and why is not None:
        print(f"{path}: the schema refuses it: {why[:300]}")
        return False
    if not accept and why is None:
        print(f"{path}: the schema accepts it")
        return False
    return True


def main(arguments):
    schema = load(pathlib.Path(arguments[0]))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    agree = True
    checked = 0
    for argument in map(pathlib.Path, arguments[1:]):
        kinds = [(".", True)]
        if (argument / "accept").is_dir():
            kinds = [("accept", True), ("reject-beyond-schema", True), ("reject", False)]
        for folder, accept in kinds:
            found = sorted((argument / folder).glob("*.json"))
            if not found:
                print(f"{argument / folder}: no files")
                agree = False
            for path in found:
                agree &= check(validator, path, accept)
                checked += 1
    print(f"{checked} files checked against {arguments[0]}")
    return 0 if agree and checked > 0 else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
