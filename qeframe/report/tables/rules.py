"""The rules of an evaluation with their sources, and what it was made from: versions, plugins and files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qeframe.core.evaluation.result import Evaluation
from qeframe.core.profiles.schema import RULE_KEYS
from qeframe.report.layouts.table import Cell, Column, Table

_DESCRIBED_BEFORE = frozenset({"name", "title"})


def rules_table(evaluation: Evaluation, provenance: Mapping[str, Mapping[str, str]]) -> Table:
    """Return every rule of an evaluation; with provenance also how certain it is, and its source.

    Parameters
    ----------
    evaluation : Evaluation
    provenance : mapping of str to mapping
        By key: ``certainty``, ``source`` and ``note``.
    """
    stated = evaluation.signature.rules
    order = [*(key for key in RULE_KEYS if key in stated), *sorted(stated.keys() - {*RULE_KEYS})]
    rules = {key: rule_text(stated[key]) for key in order if key not in _DESCRIBED_BEFORE}
    shown = {key: text for key, text in rules.items() if text or provenance.get(key, {}).get("certainty") == "read"}
    values = [Cell(text or "none", key in evaluation.signature.changed) for key, text in shown.items()]
    columns = [(Column("rule", "left", key=True), [Cell(key) for key in shown]), (Column("value", "left"), values)]
    if provenance:
        sources = [provenance.get(key, {}) for key in shown]
        origin = ["; ".join(filter(None, (s.get("source", ""), s.get("note", "")))) for s in sources]
        columns += [
            (Column("certainty", "left"), [Cell(s.get("certainty", "")) for s in sources]),
            (Column("source", "left"), [Cell(text) for text in origin]),
        ]
    changed = "changed for this run" if evaluation.signature.changed else ""
    return Table.from_columns(f"Rules of {evaluation.profile}", columns, strong_means=changed)


def rule_text(value: Any) -> str:
    """Return the value of a rule as a text."""
    match value:
        case bool():
            return str(value).lower()
        case Mapping():
            return ", ".join(f"{key} {rule_text(item)}" for key, item in value.items())
        case str() | int() | float():
            return str(value)
        case None:
            return ""
    return ", ".join(f"({rule_text(item)})" if isinstance(item, Mapping) else rule_text(item) for item in value)


def dropped_table(evaluation: Evaluation) -> Table:
    """Return everything that was left out, with the reason."""
    rows = [
        *(("", 1, f"submission {each.submission}", each.in_words) for each in evaluation.left_out),
        *((each.task, each.count, each.what, each.reason) for each in evaluation.dropped),
    ]
    return Table.from_columns(
        "Left out",
        [
            (Column("task", "left", key=True), [Cell(task or "all") for task, *_ in rows]),
            (Column("count"), [Cell(f"{count:,}") for _, count, *_ in rows]),
            (Column("what", "left"), [Cell(what) for _, _, what, _ in rows]),
            (Column("reason", "left"), [Cell(reason) for *_, reason in rows]),
        ],
    )


def versions_table(evaluation: Evaluation) -> Table:
    """Return the versions of qeframe, of libraries and of plugins."""
    signature = evaluation.signature
    rows = [("qeframe", signature.qeframe), *signature.versions.items(), *signature.plugins.items()]
    rows += [(plugin, "blocked") for plugin in signature.blocked]
    return Table.from_columns(
        "Versions",
        [
            (Column("what", "left", key=True), [Cell(name) for name, _ in rows]),
            (Column("version", "left"), [Cell(version) for _, version in rows]),
        ],
    )


def inputs_table(evaluation: Evaluation) -> Table:
    """Return the files that were read, with their checksums."""
    files = evaluation.signature.inputs
    return Table.from_columns(
        f"Files that were read: {len(files)}",
        [
            (Column("file", "left", key=True), [Cell(file.path) for file in files]),
            (Column("SHA-256", "left"), [Cell(file.sha256) for file in files]),
        ],
    )
