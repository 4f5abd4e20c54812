"""The profiles of the metrics tasks are sound and state where every rule was read; the official overall rankings."""

import json

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.overrides import change_profile
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.metric import Metric
from qeframe.core.reader import Reader
from qeframe.core.task import Submission, Task
from qeframe.kinds.grid.batch import Grid
from qeframe_wmt import qeframe_profiles
from qeframe_wmt.selections.selection import load_selection
from tests.plugins.qeframe_wmt import published_layout
from tests.plugins.qeframe_wmt.published_layout import published
from tests.written import write_files

NAMES = sorted(name for name in qeframe_profiles() if "_metrics_" in name)


@pytest.mark.parametrize("name", NAMES)
def test_descriptions(name, profile):
    found = profile(name)
    assert found.title not in {profile(other).title for other in NAMES if other != name}
    assert found.title.startswith(f"WMT{name[3:5]} metrics task, {found.level} level")
    assert (found.year, found.level, found.best) == (2000 + int(name[3:5]), name.split("_")[2], "high")


@pytest.mark.parametrize("name", NAMES)
def test_the_reader_yields_what_the_metrics_work_on(name, profile, registry):
    found = profile(name)
    kind = registry.get(Reader, found.reader).kind
    assert [metric for metric in found.metrics if not issubclass(kind, registry.get(Metric, metric).kind)] == []


@pytest.mark.parametrize(("name", "page"), [("wmt17_metrics_segment", "WMT17"), ("wmt16_metrics_segment_da", "WMT16")])
def test_correlations_of_assessed_segments_are_compared_as_the_tasks_did(name, page, profile):
    rules = profile(name)
    assert rules.test == "williams"
    assert (rules.provenance["test"].certainty, rules.provenance["test"].note) == ("read", "")
    assert page in rules.provenance["test"].source
    rng = np.random.default_rng(0)
    gold = rng.normal(size=(40, 5))
    scores = {"good": gold + 0.3 * rng.normal(size=gold.shape), "bad": gold + 3 * rng.normal(size=gold.shape)}
    batches = {Submission(metric): Grid.from_plain(gold, scores[metric]) for metric in scores}
    (comparison,) = qeframe.evaluate(rules, Task(name="cs-en", batches=batches)).comparisons
    assert (comparison.test, comparison.a, comparison.significant) == ("williams", "good", True)


def test_another_treatment_of_ties_is_a_setting_away(profile, registry):
    changed = change_profile(profile("wmt12_metrics_segment"), ["ties=wmt14"], registry)
    assert changed.primary == "kendall(ties=wmt14)"
    assert changed.secondary == ("kendall(ties=wmt13)", "kendall(ties=wmt12)", "kendall(ties=hties)")
    again = change_profile(changed, ["ties=wmt12"], registry)
    assert again.metrics == profile("wmt12_metrics_segment").metrics


def test_a_treatment_of_ties_that_no_column_has_comes_before_the_others(profile, registry):
    before = profile("wmt12_metrics_segment")
    changed = change_profile(before, ["ties=acc23"], registry)
    assert changed.metrics == ("kendall(ties=acc23)", *before.metrics)


def test_epsilon_reaches_every_treatment_of_ties(profile, registry):
    changed = change_profile(profile("wmt12_metrics_segment"), ["epsilon=40", "ties=wmt14"], registry)
    assert changed.metrics == tuple(f"kendall(ties={t}, epsilon=40)" for t in ("wmt14", "wmt13", "wmt12", "hties"))


@pytest.mark.parametrize("name", [f"wmt{year}_metrics_segment" for year in (12, 13, 14, 16, 18)])
def test_metrics_are_called_as_the_profile_calls_them(name, profile, registry):
    metrics = profile(name).metrics
    assert tuple(registry.get(Metric, metric).name for metric in metrics) == metrics


@pytest.mark.parametrize(
    ("name", "folder", "tasks", "submissions"),
    [
        ("wmt12_metrics_segment", "wmt12-metrics", 8, 0),
        ("wmt14_metrics_segment", "wmt14-metrics", 2, 0),
        ("wmt20_metrics_segment", "wmt20-metrics", 2, 2),
        ("wmt23_metrics_segment", "wmt23-metrics", 1, 32),
        ("wmt23_metrics_system", "wmt23-metrics", 1, 32),
    ],
)
def test_profiles_read_the_files_of_their_year(name, folder, tasks, submissions, profile, registry, shared_data):
    found = read_tasks(attrs.evolve(profile(name), computed=()), shared_data(folder), registry)
    assert (len(found), {len(task.batches) for task in found}) == (tasks, {submissions})


SELECTIONS = {21: "wmt21_news", 22: "wmt22", 23: "wmt23", 24: "wmt24", 25: "wmt25"}


@pytest.mark.parametrize("level", ["segment", "system"])
@pytest.mark.parametrize("year", SELECTIONS)
def test_profiles_since_2021_read_what_their_data_set_selects(year, level, profile, registry, tree):
    tree(published(SELECTIONS[year]))
    selection, rules = load_selection(SELECTIONS[year]), profile(f"wmt{year}_metrics_{level}")
    found = read_tasks(rules, ".", registry)
    assert sorted(task.name for task in found) == sorted(selection.official)
    for task in found:
        assert {s.name for s in task.batches} == set(selection.metrics_of(task.name))
    assert rules.certainty("reader").certainty == "read"
    assert f"the selection {SELECTIONS[year]}" in rules.certainty("reader").note


def test_both_golds_of_2024_are_ranked_in_one_run(tree):
    tree(published("wmt24", ["en-de", "cs-uk"]))
    few = ["test=", "interval=", "primaries=[BLEU, chrF]"]
    official = qeframe.evaluate("wmt24_metrics_segment", ".", settings=few)
    both = qeframe.evaluate("wmt24_metrics_segment", ".", settings=[*few, "pairs=all"])
    assert (list(official.tasks), list(both.tasks)) == (["en-de"], ["cs-uk", "en-de"])
    assert all(len(s.scores["acc_eq"].tasks) == 2 for s in both.submissions)


def test_the_rules_of_one_year_on_the_data_of_another(tree):
    tree(published("wmt23", ["en-de", "he-en"]))
    few = ["test=", "interval=", "selection=wmt23"]
    found = qeframe.evaluate("wmt24_metrics_system", ".", settings=few)
    assert (list(found.tasks), len(found.submissions)) == (["en-de", "he-en"], 32)
    assert found.signature.changed["selection"] == "wmt23"


DOMAINS = ("conversation", "ecommerce", "news", "social")


def evaluated(profile, folder, registry, *settings):
    rules = choose_profile(profile, settings, registry)
    return qeframe.evaluate(rules, read_tasks(rules, folder, registry), registry=registry)


def some_metrics(files, names):
    """Keep the human scores and a few of the metrics."""
    bases = tuple(f"/{name}-" for name in names)
    return {path: text for path, text in files.items() if "metric-scores" not in path or any(b in path for b in bases)}


@pytest.mark.parametrize(
    ("name", "parts"), [("wmt23", 10), ("wmt24", 6), ("wmt25", 32)], ids=["wmt23", "wmt24", "wmt25"]
)
def test_parts_and_weights(name, parts, tmp_path, registry):
    selection = load_selection(name)
    chosen = selection.primaries[:3]
    folder = write_files(tmp_path, some_metrics(published(name, selection.official), chosen))
    evaluation = evaluated(
        f"{name}_metrics", folder, registry, "test=", "permutations=20" if name != "wmt23" else "test="
    )
    assert len(evaluation.parts) == parts
    assert sum(part.weight for part in evaluation.parts) == pytest.approx(1)
    assert {s.name for s in evaluation.submissions} == set(chosen)
    if name == "wmt23":
        weights = {part.name: part.weight for part in evaluation.parts}
        assert weights.pop("all pairs pairwise_accuracy") == pytest.approx(3 / 12)
        assert set(np.round(list(weights.values()), 12)) == {round(1 / 12, 12)}
    else:
        assert [part.weight for part in evaluation.parts] == pytest.approx([1 / parts] * parts)


def test_the_201_parts_of_2022(tmp_path, registry, monkeypatch):
    monkeypatch.setattr(published_layout, "DOMAINS", DOMAINS)
    monkeypatch.setattr(published_layout, "SEGMENTS", 24)
    monkeypatch.setattr(published_layout, "domains", lambda: [DOMAINS[segment % 7 % 4] for segment in range(24)])
    selection = load_selection("wmt22")
    files = some_metrics(published("wmt22", selection.official), selection.primaries[:2])
    tables = choose_profile("wmt22_metrics", (), registry).parts
    fewer = [{**table, "test": "permutation(draws=9, unit=segment)"} for table in tables]
    written = ", ".join("{" + ", ".join(f"{k} = {_toml(v)}" for k, v in table.items()) + "}" for table in fewer)
    evaluation = evaluated("wmt22_metrics", write_files(tmp_path, files), registry, f"parts=[{written}]")
    assert len(evaluation.parts) == 201
    weights = {part.name: part.weight for part in evaluation.parts}
    assert weights["all pairs pairwise_accuracy"] == pytest.approx(0.25)
    assert weights["en-ru system_pearson"] == pytest.approx(0.0125)
    for submission in evaluation.submissions:
        clusters = [part.weight * (part.submissions[submission.name].cluster or np.nan) for part in evaluation.parts]
        assert submission.scores["overall"].value == pytest.approx(sum(clusters), nan_ok=True)


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(list(value) if isinstance(value, tuple) else value)
