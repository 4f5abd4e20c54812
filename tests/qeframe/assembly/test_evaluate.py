"""The evaluation of a task set: values, p-values of parts, clusters, what is absent, JSON."""

import json
import math

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.core.errors import CapabilityError
from qeframe.core.profile_files import profile_from_toml
from tests.qeframe.assembly.made_sets import WMT23, profile, task, two_pairs


def evaluated(registry, tasks, parts=WMT23, **changed):
    return qeframe.evaluate(profile(registry, parts, **changed), tasks, registry=registry)


def p_values(evaluation, part):
    return {frozenset((c.a, c.b)): c.p for c in evaluation.comparisons if c.task == part}


def test_the_overall_score_and_its_parts_in_json(registry):
    record = json.loads(evaluated(registry, two_pairs()).to_json())
    assert (record["primary"], record["metrics"]) == ("overall", ["overall"])
    by_name = {submission["name"]: submission for submission in record["submissions"]}
    assert len(record["parts"]) == 7
    for name, submission in by_name.items():
        scaled = [
            part["weight"]
            * (part["submissions"][name]["value"] - part["scale"][0])
            / (part["scale"][1] - part["scale"][0])
            for part in record["parts"]
        ]
        assert submission["scores"]["overall"]["value"] == pytest.approx(sum(scaled))
        assert set(submission["scores"]["overall"]["tasks"]) == {part["name"] for part in record["parts"]}
    part = record["parts"][0]
    assert (part["name"], part["pairs"], part["level"]) == ("all pairs pairwise_accuracy", ["en-de", "he-en"], "system")
    assert set(part["submissions"]["m0"]) == {"value", "low", "high", "rank", "cluster"}
    assert "parts" not in json.loads(qeframe.evaluate("wmt24_metrics_segment", [task("en-de")]).to_json())


def test_a_part_alone_has_the_same_p_values(registry):
    whole = evaluated(registry, two_pairs())
    alone = evaluated(registry, two_pairs(), '[[parts]]\nmetric = "segment_pearson"')
    for name in ("en-de segment_pearson", "he-en segment_pearson"):
        assert p_values(whole, name) == p_values(alone, name)
        assert len(p_values(whole, name)) == 3
    single = evaluated(registry, [two_pairs()[1]], '[[parts]]\nmetric = "segment_pearson"')
    assert p_values(single, "he-en segment_pearson") == p_values(whole, "he-en segment_pearson")
    assert p_values(single, "") == p_values(single, "he-en segment_pearson")


def test_a_profile_of_one_metric_has_the_p_values_of_the_part(registry):
    rules = 'reader = "mtme"\nprimary = "segment_pearson"\ninterval = ""\nsided = "one"\ncorrection = "none"\n'
    rules += 'test = "permutation(draws=200, unit=cell, standardize=true)"'
    plain = qeframe.evaluate(profile_from_toml(rules, "x", "x", registry), two_pairs(), registry=registry)
    assert p_values(plain, "en-de") == p_values(evaluated(registry, two_pairs()), "en-de segment_pearson")


def test_official_exchanges_change_p_and_no_score(registry):
    joint = evaluated(registry, two_pairs())
    official = evaluated(registry, two_pairs(), exchanges='"official"')
    values = [[(s.name, s.scores["overall"].value) for s in each.submissions] for each in (joint, official)]
    assert values[0] == values[1]
    assert p_values(joint, "en-de segment_pearson") != p_values(official, "en-de segment_pearson")


def test_mean_cluster_ranks(registry):
    evaluation = evaluated(
        registry,
        two_pairs(),
        overall='"cluster_ranks"',
        divide='["pair", "metric"]',
        parts=WMT23.replace('weight = "pairs"\n', ""),
    )
    for submission in evaluation.submissions:
        clusters = [part.weight * part.submissions[submission.name].cluster for part in evaluation.parts]
        assert submission.scores["overall"].value == pytest.approx(sum(clusters))
        assert submission.cluster is None
    assert not evaluation.higher_is_better["overall"]
    values = [s.scores["overall"].value for s in evaluation.submissions]
    assert values == sorted(values)
    assert {c.task for c in evaluation.comparisons} == {part.name for part in evaluation.parts}


def test_intervals_of_parts_and_of_the_overall_score(registry):
    evaluation = evaluated(registry, two_pairs(), interval='"bootstrap(draws=50)"')
    for submission in evaluation.submissions:
        overall = submission.scores["overall"]
        assert overall.low < overall.value < overall.high
        assert submission.rank_shares
        assert all(result.low <= result.high for result in overall.tasks.values())


def test_system_scores_without_segments_have_no_interval(registry):
    tasks = [task("en-de", segments=1, systems=6)]
    evaluation = evaluated(registry, tasks, '[[parts]]\nmetric = "system_pearson"', interval='"bootstrap(draws=50)"')
    assert all(math.isnan(s.scores["overall"].low) for s in evaluation.submissions)
    assert "no interval of en-de system_pearson: there is one unit only" in " ".join(evaluation.warnings)


def test_a_submission_that_is_absent_from_a_part(registry):
    tasks = [task("en-de", 1, 8, 4), task("he-en", 2, 7, 5, absent=("m0",))]
    evaluation = evaluated(registry, tasks)
    last = evaluation.submissions[-1]
    assert (last.name, last.cluster) == ("m0", None)
    assert math.isnan(last.scores["overall"].value)
    assert all(part.startswith("he-en") for part in last.absent)
    assert last.absent
    assert not any("m0 has no overall score" in warning for warning in evaluation.warnings)
    assert "m0" not in evaluation.parts[2].submissions


def test_without_a_test_there_are_no_clusters(registry):
    evaluation = evaluated(registry, two_pairs(), test='""')
    assert not evaluation.comparisons
    assert {part.test for part in evaluation.parts} == {""}
    assert all(s.cluster is None for s in evaluation.submissions)


def test_workers_do_not_change_the_result(registry):
    again = evaluated(registry, two_pairs()[::-1])
    forth = evaluated(registry, two_pairs())
    assert p_values(again, "") == pytest.approx(p_values(forth, ""))
    assert attrs.asdict(forth.submissions[0])["rank"] == 1


PARTLY_ONE_ROW = """
[[parts]]
metric = "segment_pearson"
read = {level = "seg"}
[[parts]]
metric = "system_pearson"
read = {level = "sys"}
"""


@pytest.mark.parametrize("overall", ["mean", "cluster_ranks"])
def test_a_bootstrap_of_a_part_with_one_row_is_undefined(registry, overall):
    tasks = [task("en-de", 1, 30, 6, selection="level=seg"), task("en-de", 1, 1, 6, selection="level=sys")]
    changed = {"test": '"bootstrap(draws=50)"', "overall": f'"{overall}"'}
    evaluation = evaluated(registry, tasks, PARTLY_ONE_ROW, **changed)
    segments, row = evaluation.parts
    assert all(0 < p <= 1 for p in p_values(evaluation, segments.name).values())
    assert np.isnan(list(p_values(evaluation, row.name).values())).all()
    assert {score.cluster for score in row.submissions.values()} == {None}
    assert np.isnan([c.p for c in evaluation.comparisons if not c.task]).all()
    assert {s.cluster for s in evaluation.submissions} == {None}
    if overall == "cluster_ranks":
        assert all(np.isnan(s.scores["overall"].value) for s in evaluation.submissions)
    reasons = [warning for warning in evaluation.warnings if "fewer than two units to resample" in warning]
    assert len(reasons) == (2 if overall == "mean" else 1)
    assert "3 of 3 pairs on en-de system_pearson cannot be tested by 'bootstrap" in reasons[-1]


def test_the_two_way_jackknife_of_overall_scores_is_refused_with_the_reason(registry):
    parts = '[[parts]]\nmetric = "segment_pearson"\n[[parts]]\nmetric = "acc_eq(epsilon=0.5)"\n'
    with pytest.raises(CapabilityError, match="cannot compare overall scores: parts of one language pair share"):
        evaluated(registry, two_pairs(), parts, test='"two_way_jackknife"', sided='"two"')
