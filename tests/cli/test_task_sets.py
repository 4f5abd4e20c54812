"""Task sets on the command line: tables, files, settings, mistakes."""

import json

import numpy as np
import pytest

RULES = """
reader = "mtme"
best = "high"
interval = ""
test = "permutation(draws=50, unit=cell, standardize=true)"
ranking = "clusters"
[[parts]]
metric = "pairwise_accuracy"
pool = true
weight = "pairs"
[[parts]]
metric = "segment_pearson"
[[parts]]
metric = "system_pearson"
read = {level = "sys"}
test = "permutation(draws=50, unit=system, standardize=true)"
"""


def write(folder, seed, segments=6, systems=5):
    """Write human scores and two metrics of one language pair in the layout of mt-metrics-eval."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(segments, systems))
    humans, metrics = folder / "human-scores", folder / "metric-scores" / f"e{seed}-de"
    humans.mkdir(exist_ok=True, parents=True)
    metrics.mkdir(parents=True)
    files = {humans / f"e{seed}-de.mqm": gold}
    files |= {metrics / f"{name}-src": gold + rng.normal(size=gold.shape) for name in ("A", "B")}
    for path, cells in files.items():
        lines = [f"s{system}\t{score}" for system in range(systems) for score in cells[:, system]]
        means = [f"s{system}\t{cells[:, system].mean()}" for system in range(systems)]
        path.with_name(f"{path.name}.seg.score").write_text("\n".join(lines) + "\n")
        path.with_name(f"{path.name}.sys.score").write_text("\n".join(means) + "\n")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "set.toml").write_text(RULES)
    write(tmp_path / "data", 1)
    write(tmp_path / "data", 2)
    return tmp_path


def test_a_run_prints_and_writes_the_table_of_parts(qeframe_command, folder):
    done = qeframe_command("run", folder / "set.toml", folder / "data", "--out", folder / "out")
    assert "overall ↑" in done.out
    assert ": parts\n" in done.out
    assert "e1-de, e2-de" in done.out
    assert {"parts.md", "parts.tex", "parts.tsv"} <= {path.name for path in (folder / "out").iterdir()}
    record = json.loads((folder / "out" / "evaluation.json").read_text())
    assert [part["name"] for part in record["parts"]] == [
        "all pairs pairwise_accuracy", "e1-de segment_pearson", "e2-de segment_pearson", "e1-de system_pearson",
        "e2-de system_pearson",
    ]  # fmt: skip
    assert [part["weight"] for part in record["parts"]] == [2 / 6, *[1 / 6] * 4]


def test_settings_and_sensitivity(qeframe_command, folder):
    parts = 'parts=[{metric = "segment_pearson", pairs = ["e1-de"]}]'
    record = json.loads(qeframe_command("run", folder / "set.toml", folder / "data", "--json", "--set", parts).out)
    assert [part["weight"] for part in record["parts"]] == [1.0]
    (folder / "other.toml").write_text(RULES.replace('weight = "pairs"\n', ""))
    both = f"{folder / 'set.toml'},{folder / 'other.toml'}"
    compared = json.loads(qeframe_command("sensitivity", folder / "data", "--profiles", both, "--json").out)
    assert [each["primary"] for each in compared["profiles"]] == ["overall", "overall"]


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            'parts=[{metric = "segment_pearson", pairs = ["xx-yy"]}]',
            "'xx-yy' is the name of no language pair in the data",
        ),
        ('parts=[{metric = "segment_pearson", pool = true}]', "cannot be pooled over language pairs"),
        ('parts=[{metric = "segment_pearson", weight = 0}]', "the weights sum to 0"),
        ("primary=acc_eq", "primary: has no effect on parts"),
    ],
)
def test_a_mistake_is_one_line(refused, folder, setting, said):
    assert said in refused("run", folder / "set.toml", folder / "data", "--set", setting)


def test_the_power_of_a_task_set_asks_for_its_smooth_parts(refused, folder):
    refusal = refused("power", folder / "set.toml", folder / "data")
    assert "; keep only the parts that are: segment_pearson, system_pearson, by --set 'parts=[{metric=" in refusal
