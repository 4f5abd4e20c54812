"""Evaluations that were written, read back from ``evaluation.json``."""

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import attrs

from qeframe.core.errors import DataError
from qeframe.core.result import Evaluation, ScoredSubmission
from qeframe.data.text_lines import read_text_lines

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")
EVALUATION_FILE = "evaluation.json"
"""The name of the file in the folder of a result."""

_WORDS = {dict: "a table", list: "a list", str: "a word in quotes", bool: "true or false", type(None): "null"}


def read_evaluation(path: Path) -> Evaluation:
    """Read the evaluation in the folder of a result, or in a file.

    Parameters
    ----------
    path : Path
        A folder that ``qeframe run --out`` wrote, or its ``evaluation.json``.

    Returns
    -------
    Evaluation
        Numbers that are null in the file are NaN. Keys that this version of qeframe does not know are left out.

    Raises
    ------
    DataError
        If there is no such file, or if it does not hold an evaluation: the first mistake is named with its place.
    """
    file = path / EVALUATION_FILE if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise DataError(
            f"the folder has no {EVALUATION_FILE}", path=path, remedy="give a folder that 'qeframe run --out' wrote"
        )
    return evaluation_from_json("\n".join(read_text_lines(file, texts=True, pipe=file is path).lines), file)


def evaluation_from_json(text: str, path: Path | None = None) -> Evaluation:
    """Return the evaluation whose canonical JSON is given.

    Parameters
    ----------
    text : str
    path : Path, optional
        The file, for messages.

    Returns
    -------
    Evaluation

    Raises
    ------
    DataError
        If the text is not the JSON of an evaluation.
    """
    try:
        record = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        what = getattr(error, "msg", "") or str(error) or "too deeply nested"
        raise DataError(f"not JSON: {what}", path=path, line=line, remedy=_REMEDY) from error
    if not isinstance(record, dict) or not isinstance(record.get("signature"), dict):
        raise DataError("not the JSON of an evaluation: it has no signature", path=path, remedy=_REMEDY)
    converter = _converter()
    try:
        order = _texts(record.get("task_order", []), tuple)
        return in_run_order(converter.structure(record, Evaluation), order)
    except Exception as error:  # groups of errors, one for each level, which cattrs turns into places
        from cattrs import transform_error

        mistake = transform_error(error, path="", format_exception=_in_words)[0]
        version = record["signature"].get("qeframe")
        written = f" (written by qeframe {version})" if isinstance(version, str) else ""
        raise DataError(f"not an evaluation{written}: {_placed(mistake)}", path=path, remedy=_REMEDY) from error


def in_run_order(evaluation: Evaluation, tasks: Sequence[str]) -> Evaluation:
    """Return an evaluation with metrics and tasks in the order of its run, which the sorted keys of JSON do not have.

    `tasks`: the tasks in order; others follow.
    """
    order = [*tasks, *evaluation.tasks, *(part.name for part in evaluation.parts)]
    rules = dict(evaluation.signature.rules)
    if "weights" in rules:
        rules["weights"] = _ordered(rules["weights"], order)
    units = _ordered(evaluation.signature.units, order)
    return attrs.evolve(
        evaluation,
        tasks=_ordered(evaluation.tasks, order),
        shares=_ordered(evaluation.shares, order),
        submissions=tuple(_with_order(scored, evaluation.metrics, order) for scored in evaluation.submissions),
        signature=attrs.evolve(evaluation.signature, rules=rules, units=units),
    )


def _with_order(submission: ScoredSubmission, metrics: Sequence[str], tasks: Sequence[str]) -> ScoredSubmission:
    scores = {
        metric: attrs.evolve(result, tasks=_ordered(result.tasks, tasks))
        for metric, result in _ordered(submission.scores, metrics).items()
    }
    return attrs.evolve(submission, scores=scores)


def _ordered(values: Mapping[str, T], order: Sequence[str]) -> dict[str, T]:
    """Return values in the order of their names, with others last."""
    return {name: values[name] for name in dict.fromkeys([*order, *values]) if name in values}


_REMEDY = "run the evaluation again with --out"


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"'{name}' is not a number of JSON")


def _placed(mistake: str) -> str:
    """Turn ``what @ .place`` into ``place: what``."""
    what, _, place = mistake.rpartition(" @ ")
    return f"{place.lstrip('.') or 'the file'}: {what}"


def _in_words(error: BaseException, _type: type | None) -> str:
    if isinstance(error, KeyError):
        return f"'{error.args[0]}' is missing"
    return str(error)


def _converter() -> "Converter":
    """Return a converter that takes no value of another type; NaN is null."""
    from cattrs import Converter

    converter = Converter()
    for kind in (str, int, bool):
        converter.register_structure_hook(kind, _strict)
    converter.register_structure_hook(float, _number)
    converter.register_structure_hook_func(lambda kind: kind == tuple[str, ...], _texts)
    return converter


def _strict(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        wanted = "a whole number" if kind is int else _WORDS[kind]
        raise TypeError(f"must be {wanted}, not {_shown(value)}")
    return value


def _texts(value: Any, _kind: type) -> tuple[str, ...]:
    if not isinstance(value, list):  # a text would become its letters
        raise TypeError(f"must be a list, not {_shown(value)}")
    return tuple(_strict(text, str) for text in value)


def _number(value: Any, _kind: type) -> float:
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"must be a number or null, not {_shown(value)}")
    return float(value)


def _shown(value: Any) -> str:
    return _WORDS[type(value)] if isinstance(value, (dict, list)) else json.dumps(value)[:60]
