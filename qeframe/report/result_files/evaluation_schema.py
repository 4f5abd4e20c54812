"""The JSON Schemas of the files of results."""

import json
from typing import Any

SCHEMA_FILE = "evaluation.schema.json"
"""The name of the schema in this package and on the pages of the documentation."""


def evaluation_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``evaluation.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, SCHEMA_FILE)


def schema_in(package: str, file: str) -> dict[str, Any]:
    """Return the JSON Schema that is a file of a package."""
    from importlib.resources import files

    schema: dict[str, Any] = json.loads((files(package) / file).read_text(encoding="utf-8"))
    return schema
