"""JSON on standard output: a whole result, ``--json``, or a record on each line as soon as it is there, ``--jsonl``."""

from collections.abc import Iterable, Sequence
from typing import Any

import click

import qeframe
from qeframe.cli.shared.standard_streams import write_now


def write_json(record: Any) -> None:
    """Write a result of mappings, sequences and frozen values as JSON, numbers that are not finite as null."""
    from qeframe.core.evaluation.canonical_json import canonical_json

    click.echo(canonical_json(record), nl=False)


def write_line(kind: str, record: Any, **more: Any) -> None:
    """Write a record in one line of ASCII, with its kind under the key "record", and flush it.

    Undefined and infinite numbers are null.

    Parameters
    ----------
    kind : str
        What the record is, such as "comparison".
    record : mapping or frozen value
    **more
        Further keys, which identify the record.
    """
    import json

    from qeframe.core.evaluation.canonical_json import plain_values

    values = {"record": kind, **plain_values(more), **plain_values(record)}
    write_now(json.dumps(values, allow_nan=False) + "\n")


def write_lines(kind: str, records: Iterable[Any], **more: Any) -> None:
    """Write records of one kind."""
    for record in records:
        write_line(kind, record, **more)


class EvaluationLines:
    """The records of one evaluation, in the order in which they become known.

    First "task", one for each task that was read; "comparison", all of a task when its test is done; then
    each "submission" with its "score"s, and "warning". The last record is "run": output without it was cut.

    `profile`: the name of the profile, in every record.
    """

    def __init__(self, profile: str) -> None:
        self.profile = profile
        self._written: set[tuple[str, str, str, str]] = set()

    def tasks(self, tasks: "Sequence[qeframe.Task]") -> None:
        """Write a record for each task that was read."""
        for task in tasks:
            record = {"task": task.name, "submissions": len(task.batches), "counts": dict(task.counts)}
            write_line("task", record, profile=self.profile)

    def comparison(self, pair: "qeframe.Comparison") -> None:
        """Write a comparison, once."""
        key = (pair.task, pair.metric, pair.a, pair.b)
        if key not in self._written:
            self._written.add(key)
            write_line("comparison", pair, profile=self.profile)

    def finish(self, evaluation: "qeframe.Evaluation") -> None:
        """Write everything else."""
        for comparison in evaluation.comparisons:
            self.comparison(comparison)
        for submission in evaluation.submissions:
            of_place = ("kind", "rank", "cluster", "winner", "rank_set", "rank_range")
            places = {name: getattr(submission, name) for name in of_place}
            absent = {"absent": submission.absent} if submission.absent else {}
            write_line("submission", {"submission": submission.name, **places, **absent}, profile=self.profile)
            for metric, result in submission.scores.items():
                for task, score in {"": result, **result.tasks}.items():
                    identity = {"submission": submission.name, "metric": metric, "task": task}
                    numbers = {"value": score.value, "low": score.low, "high": score.high}
                    write_line("score", {**identity, **numbers}, profile=self.profile)
        write_lines("entered", evaluation.entered, profile=self.profile)
        write_lines("left_out", evaluation.left_out, profile=self.profile)
        write_lines("warning", [{"text": warning} for warning in evaluation.warnings], profile=self.profile)
        names = ("title", "primary", "metrics", "higher_is_better")
        about = {name: getattr(evaluation, name) for name in names}
        write_line("run", {**about, "signature": evaluation.signature.text}, profile=self.profile)
