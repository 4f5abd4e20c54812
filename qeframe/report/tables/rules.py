"""The rules of an evaluation with their sources, and what it was made from: versions, plugins and files."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from qeframe.core.profile import RULE_KEYS
from qeframe.core.result import Evaluation
from qeframe.report.layouts.table import Cell, Column, Table

_DESCRIBED_BEFORE = frozenset({"name", "title"})


_OF_TESTS = frozenset({"sided", "correction", "alpha", "strict", "ranking"})
_OF_PARTS = frozenset({"overall", "divide", "exchanges"})
_OF_TASKS = frozenset({"across", "weights", "partial"})


def idle_rules(evaluation: Evaluation) -> frozenset[str]:
    """Return the keys of the rules that had nothing to decide in an evaluation."""
    rules, submissions = evaluation.signature.rules, evaluation.submissions
    parts, tested = bool(evaluation.parts), bool(rules.get("test"))
    several = len(evaluation.tasks) > 1 and not parts
    idle = {"within"} if parts else {*_OF_PARTS}
    idle |= set() if several else _OF_TASKS
    idle |= set() if tested or parts else _OF_TESTS
    idle |= set() if rules.get("interval") else {"confidence"}
    idle |= set() if tested or rules.get("interval") else {"resample"}
    idle |= set() if rules.get("columns") else {"across_columns"}
    idle |= set() if any(submission.kind == "baseline" for submission in submissions) else {"baselines"}
    idle |= set() if any(submission.absent for submission in submissions) else {"partial"}
    return frozenset(idle - evaluation.signature.changed.keys())


def rules_table(
    evaluation: Evaluation,
    provenance: Mapping[str, Mapping[str, str]],
    *,
    without: Collection[str] = (),
    only: Collection[str] | None = None,
) -> Table:
    """Return the rules of an evaluation; with provenance also how certain each is, and its source.

    `provenance`: by key: ``certainty``, ``source`` and ``note``.
    `without`: Keys that are not shown.
    `only`: the keys that are shown; None for all.
    """
    stated = evaluation.signature.rules
    order = [*(key for key in RULE_KEYS if key in stated), *sorted(stated.keys() - {*RULE_KEYS})]
    hidden = {*_DESCRIBED_BEFORE, *without, *([] if stated.get("year") else ["year"])}
    wanted = (key for key in order if key not in hidden and (only is None or key in only))
    rules = {key: rule_text(stated[key]) for key in wanted}
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


def versions_table(evaluation: Evaluation) -> Table:
    """Return the versions of qeframe, of libraries and of plugins."""
    signature = evaluation.signature
    rows = [("qeframe", signature.qeframe), *signature.versions.items(), *signature.plugins.items()]
    rows += [(plugin, "blocked") for plugin in signature.blocked]
    return _pairs("Versions", "what", "version", rows)


def inputs_table(evaluation: Evaluation) -> Table:
    """Return the files that were read, with their checksums."""
    files = [(file.path, file.sha256) for file in evaluation.signature.inputs]
    return _pairs(f"Files that were read: {len(files)}", "file", "SHA-256", files)


def _pairs(title: str, what: str, value: str, rows: Sequence[tuple[str, str]]) -> Table:
    columns = (Column(what, "left", key=True), Column(value, "left"))
    return Table(title=title, columns=columns, rows=tuple((Cell(name), Cell(text)) for name, text in rows))
