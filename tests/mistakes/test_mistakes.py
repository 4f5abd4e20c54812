"""Every distribution with a mistake gets its line, and exit status 2."""

import json
import re

import pytest

from qeframe.core import loader
from qeframe.core.errors import PluginError
from tests.mistakes import of_hooks, of_metrics, of_other_commands, of_rules
from tests.mistakes.mistake import ORIGIN, PRIMARY, RUN, SCORE, SECONDARY

MISTAKES = [*of_metrics.MISTAKES, *of_rules.MISTAKES, *of_other_commands.MISTAKES, *of_hooks.MISTAKES]


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.name)
def test_a_mistake_gets_its_line(meet, mistake):
    outcome = meet(mistake.source, *mistake.command)
    assert (outcome.err, outcome.out, outcome.status) == (mistake.line, "", 2)


def test_no_mistake_is_made_twice():
    assert len({mistake.name for mistake in MISTAKES}) == len(MISTAKES)


def test_a_slow_import_and_prints_are_named_and_standard_output_stays_clean(meet, monkeypatch):
    talkative = """
print("hello")

def talking(batch):
    print("I rows")
    return pairs(batch)

def saying(sums):
    print("I score", end="")
    return mean(sums)

@hookimpl
def qeframe_metrics():
    print("in a hook")
    return faulty(extract=talking, score=saying)
"""
    monkeypatch.setattr(loader, "_SLOW", 0.0)
    outcome = meet(talkative, *SCORE, "--json")
    assert outcome.status == 0
    assert set(json.loads(outcome.out)["scores"]) == {"good", "fair"}
    said = [re.sub(r"\d\.\d s", "SECONDS", line) for line in outcome.err.splitlines()]
    who = f"metric 'faulty' {ORIGIN}"
    plugin = ORIGIN.removeprefix("of ")
    assert said == [
        f"qeframe: {plugin} printed: hello",
        f"qeframe: warning: {plugin} took SECONDS to import; its author can import on first use",
        f"qeframe: {plugin} printed: in a hook",
        *[f"qeframe: {who} printed: I rows", f"qeframe: {who} printed: I score"] * 2,
    ]


def test_an_import_that_waits_for_a_busy_machine_is_not_blamed(meet, monkeypatch):
    monkeypatch.setattr(loader, "_SLOW", 0.05)
    assert "to import" not in meet("import time\ntime.sleep(0.1)", "score", "pearson", *SCORE[2:]).err


NOWHERE = """
@hookimpl
def qeframe_metrics():
    return faulty(score=lambda sums: np.full(sums.shape[:-1], np.nan))
"""


@pytest.mark.parametrize(
    "command", [SCORE, PRIMARY, SECONDARY, ("compare", *SCORE[1:])], ids=["score", "run", "second", "compare"]
)
def test_a_metric_without_any_score_is_the_reason_itself(meet, command):
    outcome = meet(NOWHERE, *command)
    assert outcome.status == 0
    reasons = [line for line in outcome.err.splitlines() if "the reason is the metric, not the data" in line]
    assert reasons == [
        f"qeframe: warning: metric 'faulty' {ORIGIN} is undefined everywhere: also for 3 submissions of "
        "24 generated units; the reason is the metric, not the data"
    ]
    assert "answers or gold are constant" not in outcome.err


def test_undefined_scores_of_constant_data_are_not_blamed_on_the_metric(meet, task_folder):
    (task_folder / "gold.txt").write_text("1\n" * 6)
    assert "the reason is the metric" not in meet("", "score", "pearson", *SCORE[2:]).err


@pytest.mark.parametrize(
    ("check", "name"),
    [
        ("qeframe.core.metric_calls.check_scores", "score above its bounds"),
        ("qeframe.core.significance.check_returned", "p above 1"),
        ("qeframe.core.ranking.check_returned", "ranks that are no whole numbers"),
    ],
)
def test_without_a_check_the_kit_fails(meet, monkeypatch, check, name):
    """A check that is taken out lets its mistake pass: the kit would say so."""
    monkeypatch.setattr(check, lambda *given, **more: given[-1] if "scores" in check else given[1])
    mistake = next(mistake for mistake in MISTAKES if mistake.name == name)
    outcome = meet(mistake.source, *mistake.command)
    assert (outcome.err, outcome.status) != (mistake.line, 2)
    assert outcome.status == 0


def test_the_traceback_is_shown_on_request(meet, monkeypatch):
    monkeypatch.setenv("QEFRAME_TRACEBACK", "1")
    mistake = next(mistake for mistake in MISTAKES if mistake.name == "sys.exit in score")
    with pytest.raises(PluginError) as caught:
        meet(mistake.source, *mistake.command)
    assert isinstance(caught.value.__cause__, SystemExit)


SET_BY_A_METRIC = {
    "the shape of an array": "batch.gold.shape = (-1, 1)",
    "the limit of recursions": "import traceback; sys.setrecursionlimit(40 + len(traceback.extract_stack()))",
    "what numpy does with errors": "np.seterr(all='raise')",
}
"""What a secondary metric sets before it is computed."""


@pytest.mark.parametrize("what", SET_BY_A_METRIC)
def test_what_a_metric_sets_changes_no_other_number(meet, what):
    source = f"def setting(batch):\n    rows = pairs(batch)\n    {SET_BY_A_METRIC[what]}\n    return rows\n"
    hook = "@hookimpl\ndef qeframe_metrics():\n    return faulty(extract=setting)\n"
    with_metric, without = (
        meet(source + hook, *RUN, "--set", "primary=mae", "--set", f"secondary=[{others}]", "--json")
        for others in ("faulty, pearson", "pearson")
    )
    found, expected = (json.loads(outcome.out)["submissions"] for outcome in (with_metric, without))
    for one, other in zip(found, expected, strict=True):
        assert {name: one["scores"][name] for name in ("mae", "pearson")} == other["scores"]


def test_units_of_weight_0_may_count_for_a_stated_reason(meet):
    mistake = next(mistake for mistake in MISTAKES if mistake.name == "rows depend on the mean of the batch")
    stated = mistake.source.replace("extract=by_mean", "extract=by_mean, left_out={'absence': 'as the script has it'}")
    assert meet(stated, *mistake.command).status == 0


KEPT = """
memory, rows = np.empty(10**5), {}

def held(values):
    out = memory[: values.size].reshape(values.shape)
    out[...] = values
    return out

def by_id(batch):
    if id(batch) not in rows:
        rows[id(batch)] = pairs(batch)
    return rows[id(batch)]

@hookimpl
def qeframe_metrics():
    right = attrs.evolve(faulty()[0], name="right")
    made = {
        "into_scores": faulty(score=lambda sums: held(mean(sums))),
        "into_rows": faulty(extract=lambda batch: held(pairs(batch))),
        "by_id": faulty(extract=by_id),
    }
    return [right, *(attrs.evolve(metric, name=name) for name, (metric,) in made.items())]
"""
"""Metrics that write into what they have returned, or that keep it by what another batch may have later."""


@pytest.mark.parametrize("name", ["into_scores", "into_rows", "by_id"])
def test_what_a_metric_overwrites_changes_no_number(meet, task_folder, name):
    for path in task_folder.rglob("*.txt"):
        path.write_text(path.read_text() * 2)  # more units than are tried
    command = ("run", "qe_sentence", "task", "--set", "test=randomization", "--set", "secondary=", "--json")
    found, expected = (
        json.loads(meet(KEPT, *command, "--quiet", "--set", f"primary={metric}").out.replace(f'"{metric}"', '"it"'))
        for metric in (name, "right")
    )
    assert found["comparisons"] == expected["comparisons"]
    assert found["submissions"] == expected["submissions"]


ATTACKS = """
def made(name, answer):
    return Attack(name=name, summary="", kind=Scores, manner="blind", knowledge="nothing", answer=answer)

@hookimpl
def qeframe_attacks():
    return [
        made("peeking", lambda batch, rng: attrs.evolve(batch, predicted=batch.gold)),
        made("counting", lambda batch, rng: attrs.evolve(batch, predicted=np.arange(len(batch)) * 1.0)),
    ]
"""


def test_an_audit_leaves_out_who_knows_too_much_and_says_where_others_come_from(meet):
    """It had a gaming index of 1.000."""
    outcome = meet(ATTACKS, "audit", "pearson", "--no-claims", "--quiet", "--json")
    found = json.loads(outcome.out)
    assert outcome.status == 0
    assert found["notes"] == [
        f"attack 'peeking' {ORIGIN} was left out: it is blind and states to know: nothing; but its answers follow the "
        "order of the gold"
    ]
    names = {attacked["attack"] for attacked in found["metrics"][0]["attacks"]}
    assert "counting (faulty-dist 6.6)" in names
    assert not {name for name in names if name.startswith("peeking")}
    assert found["metrics"][0]["gaming_index"] < 0.1


FRAGILE = """
class Fragile(Statistic):
    def __call__(self, weights):
        if (weights == 0).any():
            raise ArithmeticError("no unit may be left out")
        return weights.mean(axis=-1)

@hookimpl
def qeframe_metrics():
    return faulty(bind=Fragile)
"""


@pytest.mark.parametrize("option", ["--explain", "--influence=3"])
def test_a_metric_that_fails_without_a_unit_is_named(meet, option):
    outcome = meet(FRAGILE, *PRIMARY, option, "--quiet")
    assert outcome.status == 2
    assert f"metric 'faulty' {ORIGIN} failed in score: ArithmeticError" in outcome.err
