"""Every distribution that lies gets its line, and exit status 2."""

import json
import re

import pytest

from qeframe.errors import PluginError
from tests.hostile import lying_elsewhere, lying_hooks, lying_metrics, lying_rules
from tests.hostile.liar import ORIGIN, PRIMARY, SCORE, SECONDARY

LIARS = [*lying_metrics.LIARS, *lying_rules.LIARS, *lying_elsewhere.LIARS, *lying_hooks.LIARS]


@pytest.mark.parametrize("liar", LIARS, ids=lambda liar: liar.lie)
def test_a_liar_gets_its_line(meet, liar):
    outcome = meet(liar.source, *liar.command)
    assert (outcome.err, outcome.out, outcome.status) == (liar.line, "", 2)


def test_the_kit_is_large_and_no_lie_is_told_twice():
    assert len({liar.lie for liar in LIARS}) == len(LIARS) >= 120


def test_a_slow_import_and_prints_are_named_and_standard_output_stays_clean(meet):
    talkative = """
import time
print("hello")
time.sleep(1.01)

def talking(batch):
    print("I rows")
    return pairs(batch)

def saying(sums):
    print("I score", end="")
    return mean(sums)

@hookimpl
def qeframe_metrics():
    print("in a hook")
    return liar(extract=talking, score=saying)
"""
    outcome = meet(talkative, *SCORE, "--json")
    assert outcome.status == 0
    assert set(json.loads(outcome.out)["scores"]) == {"good", "fair"}
    said = [re.sub(r"\d\.\d s", "SECONDS", line) for line in outcome.err.splitlines()]
    who = f"metric 'liar' {ORIGIN}"
    plugin = ORIGIN.removeprefix("of ")
    assert said == [
        f"qeframe: {plugin} printed: hello",
        f"qeframe: warning: {plugin} took SECONDS to import; its author can import on first use",
        f"qeframe: {plugin} printed: in a hook",
        *[f"qeframe: {who} printed: I rows", f"qeframe: {who} printed: I score"] * 2,
    ]


NOWHERE = """
@hookimpl
def qeframe_metrics():
    return liar(score=lambda sums: np.full(sums.shape[:-1], np.nan))
"""


@pytest.mark.parametrize(
    "command", [SCORE, PRIMARY, SECONDARY, ("compare", *SCORE[1:])], ids=["score", "run", "second", "compare"]
)
def test_a_metric_without_any_score_is_the_reason_itself(meet, command):
    outcome = meet(NOWHERE, *command)
    assert outcome.status == 0
    reasons = [line for line in outcome.err.splitlines() if "the reason is the metric, not the data" in line]
    assert reasons == [
        f"qeframe: warning: metric 'liar' {ORIGIN} is undefined everywhere: also for 3 submissions of "
        "24 generated units; the reason is the metric, not the data"
    ]
    assert "its answers or the gold are constant" not in outcome.err


def test_undefined_scores_of_constant_data_are_not_blamed_on_the_metric(meet, task_folder):
    (task_folder / "gold.txt").write_text("1\n" * 6)
    outcome = meet("", "score", "pearson", *SCORE[2:])
    assert "the reason is the metric" not in outcome.err


@pytest.mark.parametrize(
    ("check", "lie"),
    [
        ("qeframe.components.checks.metric.check_scores", "score above its bounds"),
        ("qeframe.components.checks.significance._probabilities", "p above 1"),
        ("qeframe.components.checks.ranking._check_places", "ranks that are no whole numbers"),
    ],
)
def test_without_a_check_the_kit_fails(meet, monkeypatch, check, lie):
    """A check that is taken out lets its liar pass: the kit would say so."""
    monkeypatch.setattr(check, lambda *given, **more: given[-1] if "scores" in check else given[0])
    liar = next(liar for liar in LIARS if liar.lie == lie)
    outcome = meet(liar.source, *liar.command)
    assert (outcome.err, outcome.status) != (liar.line, 2)
    assert outcome.status == 0


def test_the_traceback_is_shown_on_request(meet, monkeypatch):
    monkeypatch.setenv("QEFRAME_TRACEBACK", "1")
    liar = next(liar for liar in LIARS if liar.lie == "sys.exit in score")
    with pytest.raises(PluginError) as caught:
        meet(liar.source, *liar.command)
    assert isinstance(caught.value.__cause__, SystemExit)
