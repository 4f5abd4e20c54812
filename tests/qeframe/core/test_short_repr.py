"""Every value that a user meets has a short line as its `repr`."""

import attrs
import numpy as np
import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.components.loading.registry import Registry
from qeframe.core.short_repr import WIDEST, Brief, beginning_of
from qeframe.plugin import Metric, Scores, SignificanceTest, TiePolicy
from qeframe.plugin.audit import Attack
from qeframe.testing import checks_of, kind_of, verdicts_on


@frozen(repr=False)
class Measured(Brief):
    """A value with what is short, what is a default, what is long, and what is no text or number."""

    name: str
    share: float
    task: str = ""
    note: str = ""
    rows: tuple[int, ...] = ()


def test_a_line_has_the_fields_that_are_short_and_not_the_default():
    assert repr(Measured("mine", 1 / 3)) == "Measured(name='mine', share=0.3333)"
    assert repr(Measured("mine", 1.0, note="x" * 90, rows=(1,))) == "Measured(name='mine', share=1, ...)"
    assert repr(Measured("mine", float("nan"), task="en-de")) == "Measured(name='mine', share=nan, task='en-de')"
    assert repr(Measured("x" * 90, 1.0)) == "Measured(share=1, ...)"


def values_in(value, depth=0):
    """Yield a value and the values of qeframe within it; of a registry none, since what it has loaded differs."""
    if attrs.has(type(value)):
        yield value
        within = (
            [] if isinstance(value, Registry) else [getattr(value, field.name) for field in attrs.fields(type(value))]
        )
    else:
        within = list(value.values()) if hasattr(value, "values") and hasattr(value, "items") else value
    if depth < 5 and isinstance(within, (list, tuple)):
        for inner in within:
            yield from values_in(inner, depth + 1)


def values_of_every_class(registry):
    rng, units = np.random.default_rng(0), 20
    gold = rng.random(units)
    answers = {f"system {nth} of a team with a name": gold + rng.normal(0, (nth + 1) / 10, units) for nth in range(4)}
    pandas = pytest.importorskip("pandas")
    tasks = qeframe.tasks_from_frame(pandas.DataFrame({"gold": gold, **answers}), submissions=list(answers))
    rules = {"settings": ["test=jackknife", "correction=holm"], "equivalence": 0.1}
    yield qeframe.evaluate("qe_sentence", tasks, enter={"mine": gold}, influence=2, detectable=True, **rules)
    yield from qeframe.compare("pearson", gold, answers, test="jackknife", correction="holm")
    yield qeframe.audit("mae", attacks=["constant_median"], claims=False)
    few = {"runs": 4, "splits": 5, "draws": 50, "audit": False}
    yield qeframe.studies.trust("qe_sentence", tasks, metrics=["mae"], **few)
    yield from (tasks[0], registry, qeframe.choose_profile("wmt23_metrics"), qeframe.Runner(), kind_of(Scores))
    named = [(Metric, "mae"), (SignificanceTest, "bootstrap"), (Attack, "constant_median"), (TiePolicy, "wmt14")]
    yield from (registry.get(kind, name) for kind, name in named)
    mae = registry.get(Metric, "mae")
    yield from (mae.bind(Scores.from_plain(gold, gold)), checks_of(mae)[0], verdicts_on(mae, tries=2)[0])


@pytest.mark.slow
def test_what_a_user_meets_has_a_short_line(registry):
    lines = {type(value): repr(value) for each in values_of_every_class(registry) for value in values_in(each)}
    assert {"Evaluation", "Comparison", "ScoredSubmission", "Influence"} <= {kind.__name__ for kind in lines}
    internal = {"Law", "Entry", "_BindAdditive"}
    assert not {kind.__name__: line for kind, line in lines.items() if len(line) > WIDEST}.keys() - internal
    assert not [line for line in lines.values() if "\n" in line]


def test_of_a_long_value_is_shown_how_it_begins():
    lines = [["OK"] * 30, ["BAD"], *[["OK", "BAD"]] * 20]
    assert beginning_of(lines) == (
        "[['OK', 'OK', 'OK', 'OK', ... 30 in all], ['BAD'], ['OK', 'BAD'], ['OK', 'BAD'], ... 22 in all]"
    )
    assert beginning_of(["x" * 300]) == f"['{'x' * WIDEST}'... 300 characters in all]"
    assert beginning_of("y" * 101, str) == f"{'y' * WIDEST}... 101 characters in all"


@given(st.lists(st.floats(), max_size=60))
def test_what_fits_a_line_is_shown_whole(numbers):
    first = ", ".join(map(repr, numbers[:4]))
    short = f"[{first}, ... {len(numbers)} in all]"
    assert beginning_of(numbers) == (repr(numbers) if len(repr(numbers)) <= WIDEST else short)
