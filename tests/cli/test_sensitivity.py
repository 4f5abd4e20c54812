"""The same task under several profiles, on the command line."""

import json

import pytest

from qeframe.api import read as reading
from qeframe.api import submissions

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{n}Id" for n in range(1, 4)] + [f"system{n}rank" for n in range(1, 4)]
)
PROFILES = "wmt12_metrics_segment,wmt13_metrics_segment"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Rankings of three systems, a metric that never ties and is mostly right, one that ties unless it is sure."""
    monkeypatch.chdir(tmp_path)
    rows = [f"Czech,English,{n},d,{n},j{n % 2},A,B,C,1,2,3" for n in range(1, 9)]
    (tmp_path / "t" / "scores").mkdir(parents=True)
    (tmp_path / "t" / "rankings.csv").write_text("\n".join([HEADER, *rows, ""]))
    for metric, of_segment in {
        "often_right": lambda n: (0.3, 0.2, 0.1) if n < 7 else (0.1, 0.2, 0.3),
        "rarely_sure": lambda n: (0.3, 0.3, 0.1) if n < 7 else (0, 0, 0),
    }.items():
        lines = [
            f"{metric} cs-en t {system} {n} {score}\n"
            for n in range(1, 9)
            for system, score in zip("ABC", of_segment(n), strict=True)
        ]
        (tmp_path / "t" / "scores" / metric).write_text("".join(lines))
    return tmp_path / "t"


def test_who_wins_where(qeframe_command, place):
    outcome = qeframe_command("sensitivity", "t", "--profiles", PROFILES, "--out", "out")
    assert outcome.status == 0, outcome.err
    rows = [line.split() for line in outcome.out.splitlines()]
    assert rows[0] == ["t:", "the", "same", "task", "under", "several", "profiles"]
    assert rows[3] == ["metric", "kendall(ties=wmt12)", "↑", "kendall(ties=wmt13)", "↑"]
    assert [row[:2] for row in rows[5:7]] == [["often_right", "1•"], ["rarely_sure", "2"]]
    assert [row[3] for row in rows[5:7]] == ["2", "1•"]
    assert f"{PROFILES.replace(',', ' and ')} order 1 of 1 pairs of submissions differently" in outcome.out
    assert sorted(path.name for path in (place.parent / "out").iterdir()) == [
        ".qeframe.json", "report.html", "sensitivity.json", "sensitivity.md", "sensitivity.tex",
        "sensitivity_notes.tex",
    ]  # fmt: skip


def test_json(qeframe_command, place):
    outcome = qeframe_command("sensitivity", "t", "--profiles", PROFILES, "--json", "--set", "resample=segment")
    found = json.loads(outcome.out)
    assert [(of["primary"], of["winners"]) for of in found["profiles"]] == [
        ("kendall(ties=wmt12)", ["often_right"]),
        ("kendall(ties=wmt13)", ["rarely_sure", "often_right"]),  # over segments the difference is not significant
    ]
    assert all("set:resample=segment" in of["signature"] for of in found["profiles"])
    (right, sure) = sorted(found["submissions"], key=lambda s: s["name"])
    twelve, thirteen = (right["profiles"][name] for name in PROFILES.split(","))
    assert (twelve["rank"], twelve["value"], thirteen["rank"], thirteen["value"]) == (1, 0.5, 2, 0.5)
    assert sure["profiles"]["wmt13_metrics_segment"]["value"] == 1
    assert found["reversals"][0]["reversed"] == 1


def test_every_profile_reads_before_anything_is_computed(refused, place, monkeypatch):
    monkeypatch.setattr("qeframe.api.evaluate.evaluate", lambda *_, **__: pytest.fail("computed too early"))
    monkeypatch.setattr(reading, "add_computed_metrics", lambda *_: pytest.fail("computed too early"))
    message = refused("sensitivity", "t", "--profiles", "wmt12_metrics_segment,wmt14_metrics_segment")
    assert "profile 'wmt14_metrics_segment' cannot read the files" in message


@pytest.mark.parametrize(("module", "function"), [(reading, "read_tasks"), (submissions, "read")])
def test_profiles_that_read_alike_read_once(qeframe_command, place, monkeypatch, module, function):
    read, count = getattr(module, function), []
    monkeypatch.setattr(module, function, lambda *a, **k: count.append(1) or read(*a, **k))
    assert qeframe_command("sensitivity", "t", "--profiles", PROFILES, "--set", "test=").status == 0
    assert len(count) == 1


def test_a_column_has_settings_of_its_own(qeframe_command, place):
    columns = ["wmt12_metrics_segment", "wmt12_metrics_segment --set 'primary=kendall(ties=wmt13)'"]
    given = [word for column in columns for word in ("--column", column)]
    outcome = qeframe_command("sensitivity", "t", *given, "--set", "test=", "--json", "--quiet")
    assert outcome.status == 0, outcome.err
    found = json.loads(outcome.out)
    label = "wmt12_metrics_segment primary=kendall(ties=wmt13)"
    assert [each["profile"] for each in found["profiles"]] == ["wmt12_metrics_segment", label]
    assert [each["primary"] for each in found["profiles"]] == ["kendall(ties=wmt12)", "kendall(ties=wmt13)"]
    assert "set:primary=" in found["profiles"][1]["signature"]
    assert "set:primary=" not in found["profiles"][0]["signature"]
    assert found["same_winner"] == f"the same submission is first under 1 of 2: often_right; under {label} rarely_sure"


def test_the_last_sentence(qeframe_command, place):
    columns = [
        word for alpha in (".01", ".05", ".1") for word in ("--column", f"wmt12_metrics_segment --set alpha={alpha}")
    ]
    outcome = qeframe_command("sensitivity", "t", *columns, "--set", "test=", "--quiet")
    assert outcome.out.splitlines()[-1] == "the same submission is first under 3 of 3: often_right"


def test_columns_are_headed_by_what_they_hold(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for task in ("one", "two"):
        (tmp_path / "t" / task / "submissions").mkdir(parents=True)
        (tmp_path / "t" / task / "gold.txt").write_text("1\n2\n3\n4\n5\n6\n")
        (tmp_path / "t" / task / "submissions" / "a.txt").write_text("1\n2\n4\n3\n5\n6\n")
        (tmp_path / "t" / task / "submissions" / "b.txt").write_text("3\n1\n2\n6\n4\n5\n")
    columns = ("--profiles", "qe_sentence", "--column", "qe_sentence --set across=average_rank")
    outcome = qeframe_command("sensitivity", "t", *columns, "--set", "test=", "--quiet")
    assert "pearson ↑" in outcome.out
    assert "average_rank of pearson ↓" in outcome.out
