"""Challenge sets that are judged pair by pair: those of WMT25, and ACES."""

import json

import pytest

from qeframe.cli import main
from qeframe.core.errors import DataError
from qeframe.core.reader import ExampleRequest
from qeframe.data.align import align
from qeframe_wmt.readers.metrics.challenge_pairs import aces, wmt25_equal_pairs, wmt25_mslc_b
from tests.plugins.qeframe_wmt.examples.by_reader import with_example
from tests.written import write_files

HEADER = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"


def lines(name, pair, scores):
    """Return a table from {(segment, system): score}."""
    source, target = pair
    return HEADER + "".join(
        f"d\t{segment}\t{source}\t{target}\tchallenge_{name}\thyp-{system}\t{2110 + segment % 2}\tNaN\t{score}\n"
        for (segment, system), score in scores.items()
    )


@pytest.fixture
def read(tmp_path):
    def read(reader, tables):
        write_files(tmp_path / "4-to_return", tables)
        return reader.read(tmp_path, "high")

    return read


LEVELS = {(segment, system): system for segment in (1, 2) for system in (1, 2)}
EMPTY = {(i, 1): 1.5 if i % 2 else 0.5 for i in range(1, 81)}
SPELLED = {(i, 1): (40 < i <= 60) + (i <= 20) * 0.5 for i in range(1, 81)}


def test_empty_strings_are_compared_with_the_means_of_the_worst_and_the_best_system(read):
    levels = lines("mslc-a", ("ja", "zh_CN"), LEVELS)
    tables = {"mslc-a/primary/m.tsv": levels, "mslc-b/primary/m.tsv": lines("mslc-b", ("ja", "zh_CN"), EMPTY)}
    worst, best = read(wmt25_mslc_b(), tables)
    assert (worst.name, best.name) == ("empty hyp-1", "empty hyp-2")
    ((_, batch),) = align(worst).batches.items()
    assert batch.gold.tolist() == [1] * 80
    assert align(worst).files == {"m": ("4-to_return/mslc-b/primary/m.tsv", "4-to_return/mslc-a/primary/m.tsv")}
    assert batch.scores[:2].tolist() == [[1, 1.5], [1, 0.5]]
    assert batch.decisions[:4, 0].tolist() == [-1, 1, -1, 1]
    assert worst.groups["empty"][:2] == ["empty-src-ref-segment", "empty-hyp-segment"]
    assert worst.groups["empty"][-1] == "empty-hyp-punct"


def test_the_spelling_of_the_reference_is_better_than_the_other(read):
    (reading,) = read(wmt25_mslc_b(), {"mslc-b/primary/m.tsv": lines("mslc-b", ("cs", "en"), SPELLED)})
    ((_, batch),) = align(reading).batches.items()
    assert batch.scores[[0, 20]].tolist() == [[0.5, 1], [0, 0]]
    assert [batch.section_names[code] for code in batch.section[[0, 20]]] == ["reference US", "reference GB"]


def test_a_metric_without_scores_on_mslc_a_is_left_out_and_counted(read):
    levels, empty = lines("mslc-a", ("ja", "zh_CN"), LEVELS), lines("mslc-b", ("ja", "zh_CN"), EMPTY)
    tables = {"mslc-a/primary/m.tsv": levels, "mslc-b/primary/m.tsv": empty, "mslc-b/primary/k.tsv": empty}
    worst, _ = read(wmt25_mslc_b(), tables)
    assert [submission.name for submission in worst.submissions] == ["m"]
    (dropped,) = worst.dropped
    assert (dropped.count, dropped.reason) == (1, "no scores on mslc-a: k")


def test_scores_of_the_repository(shared_data, capsys):
    place = shared_data("wmt25-challenge-sets")
    main(["run", "wmt25_mslc_b", str(place), "--set", "test=", "--set", "interval=", "--json", "--quiet"])
    found = json.loads(capsys.readouterr().out)["submissions"]
    by_task = {each["name"]: each["scores"]["preference_accuracy"]["tasks"] for each in found}
    wrong = {
        "empty hyp-1": {"BERTScore": 0, "COMETKiwi22": 80, "MetricX-25": 80, "UvA-MT": 0, "mr7.2.1": 7},
        "empty hyp-6": {"YiSi-1": 0, "COMETKiwi22": 32, "MetricX-25": 80, "UvA-MT": 0, "mr7.2.1": 4},
    }
    right = {
        "spelling cs-en": {"chrF": 40, "COMETKiwi22": 18, "MetricX-25": 6, "mr7.2.1": 9},
        "spelling cs-en_US": {"MetricX-25": 4},
        "spelling cs-en_GB": {"MetricX-25": 7},
    }
    for task, of in wrong.items():
        assert {name: by_task[name][task]["value"] for name in of} == {n: 1 - k / 80 for n, k in of.items()}
    for task, of in right.items():
        assert {name: by_task[name][task]["value"] for name in of} == {n: k / 40 for n, k in of.items()}


def test_both_translations_of_a_pair_are_equally_good(read):
    scores = {(s, k): s + (k == 1) * (s % 2) for s in (1, 2) for k in (1, 2)}
    (reading,) = read(wmt25_equal_pairs(), {"g/primary/m.tsv": lines("gambit-gender", ("en", "de"), scores)})
    ((_, batch),) = align(reading).batches.items()
    assert batch.gold.tolist() == [0, 0]
    assert batch.scores.tolist() == [[2, 1], [2, 2]]
    assert batch.decisions[:, 0].tolist() == [1, 0]
    assert reading.groups == {"domain": ["2111", "2110"]}
    (remark,) = reading.remarks
    assert "a metric that does not look at them is perfect" in remark


@pytest.mark.parametrize("reader", [wmt25_mslc_b(), wmt25_equal_pairs()], ids=lambda reader: reader.name)
def test_the_example_is_read(reader, tmp_path):
    request = ExampleRequest(units=5, pairs=2)
    write_files(tmp_path, with_example(reader).example(request))
    assert reader.read(tmp_path, "high")


COLUMNS = ["source", "good-translation", "incorrect-translation", "phenomena", "a-good", "a-bad", "b-bad", "b-good"]
ROWS = [
    ['a "quote', "good", "no", "omission", "2", "1", "0.5", "0.5"],
    ["s", "é", "bad", "addition", "-1", "1e-3", "1", "2"],
]


@pytest.fixture
def write(tmp_path):
    def write(header=COLUMNS, rows=ROWS, name="aces.tsv"):
        path = tmp_path / name
        path.write_text("".join("\t".join(cells) + "\n" for cells in (header, *rows)), encoding="utf-8")
        return path

    return write


def test_the_good_translation_is_better(write):
    (reading,) = aces().read(write(), "high")
    assert (reading.name, reading.groups) == ("aces", {"phenomenon": ["omission", "addition"]})
    batches = {submission.name: batch for submission, batch in align(reading).batches.items()}
    batch = batches["a"]
    assert batch.gold.tolist() == [1, 1]
    assert batch.decisions[:, 0].tolist() == [1, -1]
    assert batch.scores.tolist() == [[2, 1], [-1, 0.001]]
    assert batches["b"].scores.tolist() == [[0.5, 0.5], [2, 1]]
    assert batch.lengths.tolist() == [[4, 2], [1, 3]]
    assert [batch.section_names[code] for code in batch.section] == ["omission", "addition"]


def test_every_table_of_a_folder_is_a_task(write, tmp_path):
    write()
    rows = [[*row, pair] for row, pair in zip(ROWS, ("en-de", "fr-en"), strict=True)]
    write([*COLUMNS, "langpair"], rows, "more.tsv")
    first, second = aces().read(tmp_path, "high")
    assert (first.name, second.name) == ("aces", "more")
    assert second.groups["language pair"] == ["en-de", "fr-en"]


def test_a_folder_without_a_table(tmp_path):
    with pytest.raises(DataError, match=r"no table NAME.tsv is here; give a table of ACES"):
        aces().read(tmp_path, "high")


def test_a_generated_table_has_an_aces_score(tmp_path, capsys):
    with_example(aces()).write_example(tmp_path, ExampleRequest(units=40, pairs=2))
    main(["run", "aces", str(tmp_path), "--json", "--quiet", "--set", "test="])
    found = json.loads(capsys.readouterr().out)
    scores = {each["name"]: each["scores"]["section_tau(scheme=aces)"] for each in found["submissions"]}
    assert set(scores) == {"BLEU", "chrF", "COMET"}
    assert -29.1 < scores["BLEU"]["low"] < scores["BLEU"]["value"] < scores["COMET"]["value"] <= 29.1
    assert len(scores["BLEU"]["details"]["subsets"]) == 11
