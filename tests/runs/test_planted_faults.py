"""Faults that are planted on purpose: the whole runs of the matrix find every one of them."""

import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest

import qeframe
from tests.runs.ways import WAYS, Case

pytestmark = pytest.mark.slow

Change = Callable[[Any], Any]


def without_the_last_digits(text: str) -> str:
    """Cut all numbers in a table to four decimals."""
    return re.sub(r"(\d\.\d{4})\d+", r"\1", text)


def with_other_scores(page: str) -> str:
    return page.replace(">0.", ">1.")


def with_ties_that_count(text: str) -> str:
    """Read the cells of tie tables that are excluded as ones that count 0."""
    changed = re.sub(
        r'"table": \[.*?\]\s*\]', lambda table: re.sub(r'null|"[^"]*[nN]a[nN]"|NaN', "0", table[0]), text, flags=re.S
    )
    assert changed != text
    return changed


def in_reverse_order(sides: Any) -> Any:
    """Read the answers of the first submission in reverse order."""
    gold, (first, *others) = sides
    return gold, (attrs.evolve(first, values=first.values[::-1]), *others)


PLANTS: dict[str, tuple[str, str, str, Callable[[Callable[..., Any]], Callable[..., Any]]]] = {
    "a table writer": (
        *("qe_sentence", "out", "qeframe.report.result_files.evaluation_folder.as_tsv"),
        lambda plain: lambda *words, **more: without_the_last_digits(plain(*words, **more)),
    ),
    "the page": (
        *("qe_sentence", "out", "qeframe.report.html.evaluation_page.render"),
        lambda plain: lambda *words, **more: with_other_scores(plain(*words, **more)),
    ),
    "the JSON of a tie table": (
        *("wmt12_metrics_segment", "report", "qeframe.api.saved.evaluation_from_json"),
        lambda plain: lambda text, *words: plain(with_ties_that_count(text), *words),
    ),
    "a reader": (
        *("qe_sentence", "plain files", "qeframe_wmt.readers.sentence.wmt12_to_19.parse_plain_sides"),
        lambda plain: lambda *words, **more: in_reverse_order(plain(*words, **more)),
    ),
}
"""By the part that is broken: a profile, the way that finds the fault, the function, and what takes its place."""


@pytest.mark.parametrize("part", PLANTS)
def test_a_planted_fault_is_found(part, tmp_path, monkeypatch):
    name, way, place, broken = PLANTS[part]
    monkeypatch.chdir(tmp_path)
    case = Case(name, qeframe.load(), quick=True)
    assert case.result
    with monkeypatch.context() as planting:
        owner, _, function = place.rpartition(".")
        planting.setattr(place, broken(getattr(_found(owner), function)))
        with pytest.raises(AssertionError):
            WAYS[way].go(Case(name, qeframe.load(), quick=True))


def _found(path: str) -> Any:
    """Return a module, or a class in it."""
    from importlib import import_module

    module, _, last = path.rpartition(".")
    return getattr(import_module(module), last) if last[0].isupper() else import_module(path)
