"""The official overall rankings on generated data in the published layout."""

import json

import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe_wmt.selections.selection import load_selection
from tests.plugins.qeframe_wmt import published_layout
from tests.plugins.qeframe_wmt.published_layout import published

DOMAINS = ("conversation", "ecommerce", "news", "social")


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


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
    folder = write(tmp_path, some_metrics(published(name, selection.official), chosen))
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
    evaluation = evaluated("wmt22_metrics", write(tmp_path, files), registry, f"parts=[{written}]")
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
