"""Machacek and Bojar (2014): four treatments of ties on real judgments, with metrics computed from the texts."""

from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.result import Evaluation

DOCS = Path(__file__).parents[2] / "docs"
POLICIES = ("wmt12", "wmt13", "wmt14", "hties")
TASKS = {"cs-en": (11021, 1754), "de-en": (11934, 2204), "es-en": (9796, 1490), "fr-en": (11594, 2228),
         "en-cs": (18805, 4077), "en-de": (14553, 2848), "en-es": (11834, 2758), "en-fr": (11562, 3787)}  # fmt: skip


def rows(page: str, *, columns: int) -> list[list[str]]:
    """Return the rows of all tables of a page that have so many columns."""
    lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in cells if len(row) == columns and not row[0].startswith("-")]


def near(text: str) -> object:
    return pytest.approx(float(text), abs=5.001e-4)


def run(profile: str, place: Path, registry, *settings: str) -> Evaluation:
    rules = choose_profile(profile, ["interval=", "test=", *settings], registry)
    return qeframe.evaluate(rules, read_tasks(rules, place, registry), registry=registry)


def taus(evaluation: Evaluation) -> dict[tuple[str, str], list[float]]:
    """Return the values under the four policies, by submission and task."""
    names = [f"kendall(ties={policy})" for policy in POLICIES]
    return {
        (s.name, task): [s.scores[name].tasks[task].value for name in names]
        for s in evaluation.submissions
        for task in s.scores[evaluation.primary].tasks
    }


@pytest.fixture(scope="module")
def wmt12(shared_data, registry):
    return run("wmt12_metrics_segment", shared_data("wmt12-metrics"), registry, 'computed=["per"]')


def check_against_the_page(found, page_rows) -> None:
    stated = {(row[0], row[1]): row[2:] for row in page_rows}
    for cell, values in found.items():
        for text, value in zip(stated[cell], values, strict=False):
            assert near(text) == value, cell


def test_counts_of_all_language_pairs(wmt12):
    assert {name: (counts["decided"], counts["tied"]) for name, counts in wmt12.tasks.items()} == TASKS
    names, decided, tied = rows("how-to/reproduce-machacek-bojar-2014.md", columns=9)
    for name, *counts in zip(names[1:], decided[1:], tied[1:], strict=True):
        assert tuple(int(count.replace(",", "")) for count in counts) == TASKS[name]


@pytest.mark.slow
def test_text_metrics_under_four_policies(shared_data, registry):
    evaluation = run("wmt12_metrics_segment", shared_data("wmt12-metrics"), registry)
    assert {s.kind for s in evaluation.submissions} == {"baseline"}
    found, page = taus(evaluation), rows("how-to/reproduce-machacek-bojar-2014.md", columns=6)[1:]
    assert sorted(found) == sorted((row[0], row[1]) for row in page)
    check_against_the_page(found, page)
    order = {
        name: sorted((s for s in evaluation.submissions if s.name != "ter"), key=lambda s: -s.scores[name].value)
        for name in ("kendall(ties=wmt12)", "kendall(ties=wmt13)")
    }
    places = {name: [s.name for s in of].index("cder") + 1 for name, of in order.items()}
    assert places == {"kendall(ties=wmt12)": 5, "kendall(ties=wmt13)": 2}


def test_edit_rates_lose_by_ties(wmt12):
    check_against_the_page(taus(wmt12), rows("how-to/reproduce-machacek-bojar-2014.md", columns=6)[1:])


def test_another_treatment_of_ties_is_a_setting_away(wmt12, shared_data, registry):
    other = run("wmt12_metrics_segment", shared_data("wmt12-metrics"), registry, "ties=wmt14", 'computed=["per"]')
    assert other.primary == "kendall(ties=wmt14)"
    assert set(other.metrics) == set(wmt12.metrics)
    assert taus(other) == taus(wmt12)


@pytest.mark.slow
def test_sentence_bleu_is_near_the_published_one(shared_data, registry):
    bleus = ["sentence_bleu", "sentence_bleu(lowercase=true, smoothing=add_k)"]
    place = shared_data("wmt14-metrics")
    found = taus(run("wmt14_metrics_segment", place, registry, f'computed=["{bleus[0]}","{bleus[1]}"]'))
    page = rows("how-to/reproduce-machacek-bojar-2014.md", columns=5)[1:]
    check_against_the_page(found, page)
    published = {row[1]: float(row[4]) for row in page if row[0].startswith("SENTBLEU")}
    assert published == {"cs-en": 0.213, "fr-en": 0.378}
    gaps = {task: published[task] - found[bleus[1], task][2] for task in published}
    assert gaps == {"cs-en": pytest.approx(0.004, abs=5e-4), "fr-en": pytest.approx(0.002, abs=5e-4)}


@pytest.mark.slow
def test_a_metric_that_ties_nearly_always(shared_data, registry):
    rules = choose_profile("wmt12_metrics_segment", ['computed=["chrf"]'], registry)
    page = {(row[0], row[1]): row[2:] for row in rows("explanation/ties.md", columns=7)[1:]}
    for task in read_tasks(rules, shared_data("wmt12-metrics"), registry):
        for batch in task.batches.values():
            human_ties = (batch.human == 0).mean()
            honest, tying = ([_tau(policy, batch, epsilon) for policy in POLICIES] for epsilon in (0, 40))
            for name, found in (("chrF", honest), ("chrF, ties unless 40 apart", tying)):
                for text, value in zip(page[name, task.name], [*found, human_ties], strict=True):
                    assert near(text) == value
            assert tying[0] < -0.98 < honest[0]
            assert tying[1] > 2 * honest[1]
            assert tying[2] == pytest.approx(0, abs=0.01)
            assert tying[3] == pytest.approx(human_ties, abs=0.01)
            sure = (np.abs(batch.predicted[:, 0] - batch.predicted[:, 1]) > 40).mean()
            assert sure == pytest.approx(0.006, abs=1e-3)
            rounded = attrs.evolve(batch, predicted=np.where(_apart(batch, 40), batch.predicted, 0.0))
            assert [_tau(policy, rounded, 0) for policy in POLICIES] == tying


def _apart(batch, distance: float) -> np.ndarray:
    return (np.abs(batch.predicted[:, 0] - batch.predicted[:, 1]) > distance)[:, None]


def _tau(policy: str, batch, epsilon: float) -> float:
    return qeframe.score(f"kendall(ties={policy}, epsilon={epsilon})", batch, None)


def test_the_tables_of_the_page_are_those_of_the_policies(registry):
    from qeframe.core.metric import TiePolicy

    table = rows("explanation/ties.md", columns=5)
    assert [cell.partition(":")[0] for cell in table[0][1:]] == list(POLICIES)
    for i, policy in enumerate(POLICIES):
        entries = registry.get(TiePolicy, policy).table
        stated = [[None if cell == "x" else float(cell) for cell in row[i + 1].split()] for row in table[1:]]
        assert stated == [list(row) for row in entries]


@pytest.mark.slow
def test_system_level_with_human_scores_from_the_rankings(shared_data, registry):
    """Human scores of systems are derived from the rankings anew in every draw, metric scores from whole texts."""
    settings = ['computed=["bleu", "wer"]', "interval=bootstrap(draws=100)", "test="]
    rules = choose_profile("wmt12_metrics_system", settings, registry)
    tasks = read_tasks(rules, shared_data("wmt12-metrics"), registry)
    result = qeframe.evaluate(rules, tasks, registry=registry)
    values = {s.name: s.scores["judged_spearman"].tasks for s in result.submissions}
    assert {name: round(of["cs-en"].value, 3) for name, of in values.items()} == {"bleu": 0.886, "wer": 0.886}
    assert round(values["bleu"]["en-cs"].value, 3) == 0.819
    assert all(one.low <= one.value <= one.high for of in values.values() for one in of.values())
    assert values["wer"]["en-cs"].high - values["wer"]["en-cs"].low > 0.05
    czech = next(task for task in tasks if task.name == "cs-en")
    (bleu, _) = czech.batches.values()
    assert len(np.unique(bleu.predicted)) == 6
