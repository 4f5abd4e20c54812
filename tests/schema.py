"""The JSON Schema of results, for tests: they hold a result to it without any other key."""

from functools import cache
from typing import Any

import pytest

from qeframe.report import evaluation_schema


def closed(schema: Any) -> Any:
    """Return a schema under which objects have the keys that it names and no other ones."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    inside = {key: closed(value) for key, value in schema.items()}
    return inside | ({"additionalProperties": False} if "properties" in schema and "required" in schema else {})


@cache
def _validator() -> Any:
    kind = pytest.importorskip("jsonschema", reason="jsonschema is not installed; pip install 'qeframe[test]'")
    schema = evaluation_schema()
    kind.Draft202012Validator.check_schema(schema)
    return kind.Draft202012Validator(closed(schema))


def check_schema(evaluation: dict[str, Any]) -> None:
    """Hold the values of an ``evaluation.json`` to the schema; name the places of all mistakes."""
    wrong = [f"{error.json_path}: {error.message[:200]}" for error in _validator().iter_errors(evaluation)]
    assert not wrong, "\n".join(wrong)
