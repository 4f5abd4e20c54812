"""Causes by kind, and equal rules from JSON and from Python."""

import attrs

from qeframe.core.tasks.task import Input, LeftOut
from qeframe_store.changes import all_causes, find_causes
from tests.plugins.qeframe_store.test_changes import OLD, signature


def test_causes_by_kind():
    now = signature(
        qeframe="1.1",
        plugins={"a": "x 1", "b": "y 2"},
        rules={**OLD.signature.rules, "alpha": 0.1, "test": ""},
        seed=3,
        inputs=(Input("gold", "cd"), Input("new", "ef")),
        units={"de": "4 x segment", "fr": "2 x segment"},
    )
    causes = list(find_causes(OLD.signature, now))
    assert [(c.kind, c.name, c.old, c.new) for c in causes] == [
        ("rule", "alpha", "", "0.1"),
        ("rule", "test", "t", ""),
        ("data", "gold", "ab", "cd"),
        ("data", "new", "", "ef"),
        ("data", "units of de", "3 x segment", "4 x segment"),
        ("software", "b", "", "y 2"),
        ("software", "qeframe", "1.0", "1.1"),
        ("seed", "seed", "0", "3"),
    ]


def test_rules_from_json_and_from_python_are_the_same():
    listed = signature(rules={**OLD.signature.rules, "parts": ({"a": (1, 2)},)})
    read = signature(rules={**OLD.signature.rules, "parts": [{"a": [1, 2]}]})
    assert list(find_causes(listed, read)) == []


def test_who_was_left_out_is_a_cause():
    files = [LeftOut(submission="x", files=(f"{task}/x",), reason="NaN", by="skip_invalid") for task in ("de", "fr")]
    late = LeftOut(submission="y", reason="late", by="exclude")
    old, new = attrs.evolve(OLD, left_out=(*files, late)), attrs.evolve(OLD, left_out=(files[0],))
    assert [(c.kind, c.name, c.old, c.new) for c in all_causes(old, new)] == [
        ("left out", "x", f"{files[0].in_words}; {files[1].in_words}", files[0].in_words),
        ("left out", "y", late.in_words, ""),
    ]
