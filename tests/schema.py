"""The JSON Schemas of results, for tests: they hold a result to its schema without any other key."""

from functools import cache
from typing import Any

import pytest

from qeframe.gaming import audit_schema
from qeframe.report import evaluation_schema
from qeframe.studies import distinguish_schema

SCHEMAS = {"evaluation": evaluation_schema, "audit": audit_schema, "distinguish": distinguish_schema}


def closed(schema: Any) -> Any:
    """Return a schema under which objects have the keys that it names and no other ones."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {key: closed(value) for key, value in schema.items()}
    return inside | ({"additionalProperties": False} if "properties" in schema and "required" in schema else {})


@cache
def _validator(of: str) -> Any:
    kind = pytest.importorskip("jsonschema", reason="jsonschema is not installed; pip install 'qeframe[test]'")
    schema = SCHEMAS[of]()
    kind.Draft202012Validator.check_schema(schema)
    return kind.Draft202012Validator(closed(schema))


def check_schema(result: dict[str, Any], of: str = "evaluation") -> None:
    """Hold the values of an ``evaluation.json``, or of another file, to its schema; name the places of all mistakes."""
    wrong = [f"{error.json_path}: {error.message[:200]}" for error in _validator(of).iter_errors(result)]
    assert not wrong, "\n".join(wrong)
