"""Files of the metrics tasks on the command line: broken ones, and those whose scores are undefined."""

import json

import pytest

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{n}Id" for n in range(1, 4)] + [f"system{n}rank" for n in range(1, 4)]
)


def ranked(source: str, target: str, ranks: str, systems: str = "A,B,C") -> str:
    return "".join(f"{source},{target},{n},d,{n},j{n % 2},{systems},{ranks}\n" for n in range(1, 9))


def scores(metric: str, pair: str, systems: str = "ABC", *, constant: bool = False) -> str:
    return "".join(
        f"{metric} {pair} t {system} {n} {0 if constant else (n * 7 + i * i * 3) % 5 / 10}\n"
        for i, system in enumerate(systems)
        for n in range(1, 9)
    )


RANKINGS = HEADER + "\n" + ranked("Czech", "English", "1,2,3") + ranked("English", "Czech", "3,2,2")
SCORES = scores("M", "cs-en") + scores("M", "en-cs")


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Write rankings and the scores of metrics, and go there."""
    monkeypatch.chdir(tmp_path)

    def write(rankings: str, **metrics: str) -> None:
        (tmp_path / "t" / "scores").mkdir(parents=True)
        (tmp_path / "t" / "rankings.csv").write_text(rankings)
        for name, text in metrics.items():
            (tmp_path / "t" / "scores" / name).write_text(text)

    return write


@pytest.fixture
def result(qeframe_command):
    """Run the profile of 2012 and return its evaluation.json."""

    def run(*options: str):
        outcome = qeframe_command("run", "wmt12_metrics_segment", "t", "--json", *options)
        assert outcome.status == 0, outcome.err
        return json.loads(outcome.out)

    return run


def primary(found, name):
    return next(s for s in found["submissions"] if s["name"] == name)["scores"]["kendall(ties=wmt12)"]


def test_a_metric_without_scores_for_a_language_pair(result, place):
    place(RANKINGS, m=SCORES, n=scores("N", "cs-en"))
    found = result()
    whole, part = primary(found, "M"), primary(found, "N")
    assert (list(whole["tasks"]), list(part["tasks"])) == (["cs-en", "en-cs"], ["cs-en"])
    assert whole["value"] == pytest.approx(sum(one["value"] for one in whole["tasks"].values()) / 2)
    assert part["value"] is None
    lenient = primary(result("--set", "across=mean(undefined=drop)"), "N")
    assert lenient["value"] == part["tasks"]["cs-en"]["value"]


def test_incomplete_metrics_stand_at_the_bottom(qeframe_command, place):
    place(RANKINGS, m=scores("M", "cs-en", constant=True) + scores("M", "en-cs"), n=scores("N", "cs-en"))
    for across in ("mean", "mean(undefined=drop)"):
        shown = qeframe_command("run", "wmt12_metrics_segment", "t", "--set", f"across={across}", "--quiet").out
        rows = [line.split() for line in shown.splitlines() if " M " in line or " N " in line]
        assert [row[1 + (row[1] == "•")] for row in rows] == ["M", "N"]
        assert "n/a" in rows[1]
        assert "N: no submission in en-cs; ranked in cs-en" in shown


def test_humans_who_tie_everything(result, place):
    place(HEADER + "\n" + ranked("Czech", "English", "2,2,2"), m=scores("M", "cs-en"))
    found = result()
    assert primary(found, "M")["value"] is None
    assert found["submissions"][0]["scores"]["kendall(ties=hties)"]["value"] is not None
    assert (found["tasks"]["cs-en"]["decided"], found["tasks"]["cs-en"]["tied"]) == (0, 24)


@pytest.mark.parametrize("systems", ["A,,", "A,B,C"])
def test_one_system_only(result, place, systems):
    place(HEADER + "\n" + ranked("Czech", "English", "2,-1,-1", systems), m=scores("M", "cs-en"))
    found = result()
    assert primary(found, "M")["value"] is None
    assert found["submissions"][0]["cluster"] is None
    assert found["tasks"]["cs-en"]["decided"] == 0


def test_one_system_in_the_layout_of_mt_metrics_eval(qeframe_command, tmp_path):
    for folder, name in (("human-scores", "en-de.mqm"), ("metric-scores/en-de", "BLEU-src")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / f"{name}.seg.score").write_text("A -1\nA 0\nA -2\n")
        (tmp_path / folder / f"{name}.sys.score").write_text("A -1\n")
    for profile in ("wmt23_metrics_segment", "wmt23_metrics_system", "wmt24_metrics_system"):
        outcome = qeframe_command("run", profile, tmp_path, "--json")
        assert outcome.status == 0, outcome.err
        found = json.loads(outcome.out)
        assert found["submissions"][0]["scores"][found["primary"]]["value"] is None
        assert found["tasks"]["en-de"]["systems"] == 1
