#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""Checks that a JSON Schema and a folder of examples agree.

accept/ and reject-beyond-schema/ must satisfy the schema, reject/ must not: there either the strict
JSON reading refuses the text, or the schema refuses the document. The readers' side of the same
folders is a C++ test.

With --damage, files whose every member must be there: each must satisfy the schema, and no longer
once a member is missing, unknown or of another kind, an integer is a fraction or below zero.

Usage: check_schema.py SCHEMA FOLDER...   a FOLDER holds accept/, reject/ and reject-beyond-schema/,
                                          or only files that must satisfy the schema
       check_schema.py --damage SCHEMA FILE...
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


def validator_of(path):
    schema = load(path)
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def check_folders(schema, folders):
    validator = validator_of(schema)
    agree = True
    checked = 0
    for path in folders:
        kinds = [(".", True)]
        if (path / "accept").is_dir():
            kinds = [("accept", True), ("reject-beyond-schema", True), ("reject", False)]
        for folder, accept in kinds:
            found = sorted((path / folder).glob("*.json"))
            found = [file for file in found if not file.name.endswith(".started.json")]
            if not found:
                print(f"{path / folder}: no files")
                agree = False
            for file in found:
                agree &= check(validator, file, accept)
                checked += 1
    print(f"{checked} files checked against {schema}")
    return agree and checked > 0


# Objects whose members the workload names, not the schema.
OPEN = {"requested", "executed", "options", "settings"}
# Members that are required of some devices: the reader knows of which, the schema does not.
OF_CARDS = {"outside_allocator_bytes"}


def shape(value):
    """Kinds of all members; items of a list that have one shape need one damage."""
    if isinstance(value, dict):
        return tuple((k, shape(v)) for k, v in value.items())
    if isinstance(value, list):
        return tuple(sorted({shape(v) for v in value}, key=repr))
    return type(value).__name__


def damaged(value, key):
    """Every damage of a value below the document, as (what it is, the value in its place)."""
    if isinstance(value, dict) and key not in OPEN:
        for name in value:
            if name not in OF_CARDS:
                yield f"{name} is missing", {k: v for k, v in value.items() if k != name}
            for what, other in damaged(value[name], name):
                yield f"{name}: {what}", {**value, name: other}
        yield "an unknown member", {**value, "more": 1}
    elif isinstance(value, list):
        shapes = [shape(item) for item in value]
        for i, item in enumerate(value):
            if shapes.index(shapes[i]) < i:
                continue
            for what, other in damaged(item, key):
                yield f"{i}: {what}", value[:i] + [other] + value[i + 1 :]
    yield "another kind", "text" if isinstance(value, (dict, list)) else [7]
    if isinstance(value, int) and not isinstance(value, bool):
        yield "a fraction", 1.5
        if key not in ("measured_bytes", "unaccounted_bytes", *OF_CARDS):
            yield "a negative", -1


def check_damage(schema, files):
    validator = validator_of(schema)
    agree = True
    tried = 0
    for file in files:
        agree &= check(validator, file, True)
        for what, document in damaged(load(file), ""):
            tried += 1
            if validator.is_valid(document):
                print(f"{file}: the schema accepts: {what}")
                agree = False
    print(f"{tried} damages of {len(files)} files tried against {schema}")
    return agree and tried > 0


def main(arguments):
    if arguments[:1] == ["--damage"]:
        agree = check_damage(pathlib.Path(arguments[1]), [pathlib.Path(a) for a in arguments[2:]])
    else:
        agree = check_folders(pathlib.Path(arguments[0]), [pathlib.Path(a) for a in arguments[1:]])
    return 0 if agree else 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
