"""Tables of rules, of what was left out, and of what a result was made from."""

import attrs

from qeframe.report.tables.rules import dropped_table, inputs_table, rule_text, rules_table, versions_table
from qeframe.tasks.task import Dropped, Input


def texts(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_rules_have_their_sources(evaluation):
    table = rules_table(evaluation, {"test": {"certainty": "read", "source": "Graham", "note": "as printed"}})
    assert [column.title for column in table.columns] == ["rule", "value", "certainty", "source"]
    assert ["test", "williams", "read", "Graham; as printed"] in texts(table)
    assert ["alpha", "0.05", "", ""] in texts(table)
    assert "name" not in [row[0] for row in texts(table)]


def test_rules_without_provenance_and_changed_ones(evaluation):
    changed = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, changed={"alpha": "0.05"}))
    table = rules_table(changed, {})
    assert len(table.columns) == 2
    assert [row[0].text for row in table.rows if row[1].strong] == ["alpha"]
    assert table.strong_means == "changed for this run"


def test_values_as_texts():
    assert rule_text(True) == "true"
    assert rule_text(("a", "b")) == "a, b"
    assert rule_text({"en-de": 0.5}) == "en-de 0.5"
    assert rule_text([{"metric": "mcc", "weight": 1}]) == "(metric mcc, weight 1)"
    assert rule_text(None) == ""


def test_what_was_left_out_and_read(evaluation):
    programs = {"versions": {"numpy": "2"}, "plugins": {"p": "d 1"}}
    made = attrs.evolve(
        evaluation,
        dropped=(Dropped("", "segment", 1234, "empty"),),
        signature=attrs.evolve(evaluation.signature, blocked=("q",), inputs=(Input("f", "0a"),), **programs),
    )
    assert texts(dropped_table(made)) == [["all", "1,234", "segment", "empty"]]
    assert texts(versions_table(made)) == [["qeframe", "9.9"], ["numpy", "2"], ["p", "d 1"], ["q", "blocked"]]
    assert texts(inputs_table(made)) == [["f", "0a"]]
