"""The official values of WMT21 QE task 3, critical errors; the ids of its segments are no line numbers."""

import tarfile

import pytest

from qeframe.cli import main

VALUES = {
    "few": (0.6708399715298381, 0.6968325791855203, 0.9139922978177151),
    "noisy": (0.6840579123040339, 0.7791798107255521, 0.8975109809663251),
    "rand": (0.0014658070307302328, 0.23505154639175257, 0.7551155115511551),
}
METRICS = ("detection_mcc", "detection_f1", "detection_f1(of=negative)")


@pytest.fixture
def published(shared_data, tmp_path, monkeypatch):
    """Write the task with a gold and some submissions; return the folder of the submissions."""
    root = shared_data("wmt21-qe-repository")
    monkeypatch.chdir(tmp_path)

    def written(gold, submissions):
        archive = root / "data/catastrophic_errors_goldlabels/ende_majority_test_goldlabels.tar.gz"
        with tarfile.open(archive) as packed:
            text = packed.extractfile(f"ende_majority_test_goldlabels/{gold}").read()
        (tmp_path / "en-de" / "submissions").mkdir(parents=True)
        (tmp_path / "en-de" / "gold.txt").write_bytes(text)
        for name in submissions:
            of = "traps" if name == "line_numbers" else "submissions"
            content = (root / of / "task3_ced/en-de" / name / "predictions.txt").read_bytes()
            (tmp_path / "en-de" / "submissions" / f"{name}.txt").write_bytes(content)

    return written


def test_every_official_value(published, result):
    published("goldlabels.txt", VALUES)
    found = {each["name"]: each["scores"] for each in result("wmt21_qe_critical", "en-de")["submissions"]}
    for name, values in VALUES.items():
        assert [found[name][metric]["value"] for metric in METRICS] == pytest.approx(values, abs=1e-12)


@pytest.mark.parametrize("missing", ["error", "score_as_worst", "drop_for_all"])
@pytest.mark.parametrize(
    ("gold", "name", "reader", "said"),
    [
        ("goldlabels.txt", "line_numbers", "", "line_numbers.txt:3: the segment ids of line_numbers are not those of"),
        ("test21.tags", "noisy", "", "gold.txt:1: the gold has no ids of segments"),
        ("test21.tags", "noisy", "qe_detection(header_lines=2, answers=classes)", "is not in the gold (and 899 more)"),
        ("test21.tags", "few", "qe_detection(header_lines=2, answers=classes)", "is not in the gold (and 899 more)"),
    ],
)
def test_ids_are_never_joined_with_lines(published, capsys, missing, gold, name, reader, said):
    published(gold, [name])
    changed = ["--set", f"missing={missing}", *(["--set", f"reader={reader}"] if reader else [])]
    with pytest.raises(SystemExit) as stopped:
        main(["run", "wmt21_qe_critical", "en-de", "--json", "--quiet", *changed])
    assert stopped.value.code == 2
    refused = capsys.readouterr()
    assert said in refused.err
    assert refused.out == ""
