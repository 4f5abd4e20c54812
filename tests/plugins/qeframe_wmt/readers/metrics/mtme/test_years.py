"""The data sets of all years, and a metric that the user enters."""

import gzip
import hashlib
from collections import Counter
from pathlib import Path

import numpy as np
import pandas
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.task import Submission
from qeframe.data.align import align
from qeframe.data.folders import added
from qeframe_wmt import mtme
from qeframe_wmt.readers.metrics.wmt20_to_25_mtme import files_to_enter
from qeframe_wmt.selections.selection import load_selection, selection_names
from tests.plugins.qeframe_wmt.published_layout import SYSTEMS, published
from tests.plugins.qeframe_wmt.readings import refused

READER = Parametric(mtme)
LISTED = [name for name in selection_names() if load_selection(name).primaries]
"""The data sets with a list of primary metrics."""


def read(**parameters):
    return {reading.name: reading for reading in READER(**parameters).read(Path(), "high")}


def systems_of(reading):
    return reading.counts["systems"]


def reasons(reading, what):
    return [note.reason for note in reading.dropped if note.what == what]


@pytest.mark.parametrize("name", LISTED)
def test_what_takes_part(name, tree):
    tree(published(name))
    selection = load_selection(name)
    readings = read(selection=name)
    assert sorted(readings) == sorted(selection.official)
    for pair, reading in readings.items():
        own = selection.of(pair)
        assert {s.name for s in reading.submissions} == set(selection.metrics_of(pair))
        assert {s.name for s in reading.submissions if s.kind == "baseline"} == set(selection.baselines)
        assert systems_of(reading) == len(SYSTEMS) + len(own.references_scored)
        excluded = reasons(reading, "system")
        assert f"{own.reference}: a reference" in excluded
        assert [f"{system}: an outlier" for system in own.outliers] == [r for r in excluded if "outlier" in r]
        assert "not in the list of metrics that take part: own-metric" in reasons(reading, "submission")
        assert reading.counts["segments"] == 9
        align(reading)


def test_both_golds_of_2024_in_one_run(tree):
    tree(published("wmt24"))
    readings = read(selection="wmt24", pairs="all")
    golds = Counter(Path(reading.gold.path).name.split(".")[1] for reading in readings.values())
    assert golds == {"mqm": 3, "esa": 8}
    (official,) = {frozenset(read(selection="wmt24"))}
    assert official == {"en-de", "en-es", "ja-zh"}


def test_both_golds_of_2025(tree):
    tree(published("wmt25"))
    readings = read(selection="wmt25", level="sys")
    golds = Counter(Path(reading.gold.path).name.split(".")[1] for reading in readings.values())
    assert golds == {"mqm": 2, "esa-human1": 14}
    other = read(selection="wmt25", gold="second")
    assert {Path(reading.gold.path).name.split(".")[1] for reading in other.values()} == {"second"}


def test_a_second_reference_of_2022(tree):
    tree(published("wmt22"))
    without, beside = (read(selection="wmt22", human_references=scored)["zh-en"] for scored in (False, True))
    assert (systems_of(without), systems_of(beside)) == (4, 5)
    assert "refB: a reference that is not scored as a system" in reasons(without, "system")
    assert systems_of(read(selection="wmt22")["zh-en"]) == 4


def test_the_rules_of_one_year_on_the_data_of_another(tree):
    tree(published("wmt23", ["en-de", "he-en", "zh-en"]))
    (gold,) = {len(reading.submissions) for reading in read(selection="wmt23").values()}
    assert gold == 32
    known = read(selection="wmt24", primaries="all")
    assert list(known) == ["en-de"]
    assert reasons(known["en-de"], "language pair") == [
        "in the selection wmt24, not in the folder: en-es, ja-zh",
        "not in the selection wmt24: name its gold and reference to add it",
        "not in the selection wmt24: name its gold and reference to add it",
    ]


def test_a_pair_that_the_selection_does_not_know_enters_by_its_gold_and_reference(tree):
    tree(published("wmt23", ["en-de", "he-en"]))
    added = read(selection="wmt24", primaries="all", gold={"he-en": "mqm"}, references={"he-en": "refB"})
    assert list(added) == ["en-de", "he-en"]
    assert len(added["he-en"].submissions) == 33
    assert {s.kind for s in added["he-en"].submissions} == {"real", "baseline", "unofficial"}


@pytest.mark.parametrize("level", ["seg", "sys"])
def test_compressed_files_are_read_as_others(level, tree):
    files = published("wmt23", ["he-en"])
    tree(files)
    plain = read(selection="wmt23", level=level, domain="news")["he-en"]
    for name, text in files.items():
        Path(name).unlink()
        Path(f"{name}.gz").write_bytes(gzip.compress(text.encode()))
    packed = read(selection="wmt23", level=level, domain="news")["he-en"]
    assert [s.name for s in packed.submissions] == [s.name for s in plain.submissions]
    for a, b in zip(packed.submissions, plain.submissions, strict=True):
        np.testing.assert_array_equal(a.values, b.values)
    assert packed.counts == plain.counts


ENTERED = {"A": [1.0, 2.0, 3.0, 4.0], "B": [2.0, 2.5, 1.0, 0.5], "C": [0.0, 1.0, 2.0, 5.0]}


def score_lines(shift=0.0):
    return "".join(f"{name}\t{score + shift}\n" for name, scores in ENTERED.items() for score in scores)


@pytest.fixture
def folder(tree):
    files = {}
    for pair in ("en-de", "he-en"):
        files |= {f"human-scores/{pair}.mqm.seg.score": score_lines()}
        files |= {f"human-scores/{pair}.mqm.sys.score": "A\t3\nB\t2\nC\t1\n"}
        for nth in range(3):
            scores = {name: np.roll(of, nth).tolist() for name, of in ENTERED.items()}
            text = "".join(f"{name}\t{score}\n" for name, of in scores.items() for score in of)
            files |= {f"metric-scores/{pair}/M{nth}-refA.seg.score": text}
            files |= {f"metric-scores/{pair}/M{nth}-refA.sys.score": f"A\t{nth}\nB\t2\nC\t1\n"}
    tree(files)
    return Path()


def place(pair, level):
    return Path("metric-scores", pair, f"mine-src.{level}.score")


def numbers(content):
    return [line.split("\t") for line in content.decode().splitlines()]


def contents(given, folder):
    return {path: content for path, (_, content) in files_to_enter("mine", Path(given), folder).items()}


def rows(pair="en-de"):
    return [(pair, name, nth, score) for name, of in ENTERED.items() for nth, score in enumerate(of, 1)]


def test_a_score_file_and_folders_give_the_same(folder, tree):
    tree(
        {
            "g/en-de.seg.score": score_lines(),
            "g/h/en-de/x.seg.score": score_lines(),
            "more/en-de.seg.score": score_lines(),
        }
    )
    wanted = contents("g/en-de.seg.score", folder)
    assert set(wanted) == {place("en-de", "seg"), place("en-de", "sys")}
    assert numbers(wanted[place("en-de", "sys")]) == [[name, repr(float(np.mean(of)))] for name, of in ENTERED.items()]
    assert contents("g/h", folder) == wanted
    tree({"more/zh-en.seg.score": score_lines()})  # a language pair that PATH has not
    assert contents("more", folder) == wanted


@pytest.mark.parametrize("reading", ["level=seg", "level=sys", "level=sys, units=segments"])
@pytest.mark.parametrize("domain", ["", ", domain=news"])
def test_tables_and_frames_are_the_score_file(folder, tree, reading, domain):
    """System scores are means of all segments, or of those of a domain, also of segments without a human score."""
    human = "".join(
        line.split("\t")[0] + ("\tNone\n" if i % 4 == 3 else f"\t{i % 5}\n")
        for i, line in enumerate(score_lines().splitlines())
    )
    tree({f"human-scores/{pair}.mqm.seg.score": human for pair in ("en-de", "he-en")})
    tree({f"documents/{pair}.docs": "news\td\nnews\td\nted\te\nnews\te\n" for pair in ("en-de", "he-en")})
    tree({"given/en-de.seg.score": score_lines(), "given/he-en.seg.score": score_lines(0.5)})
    frame = pandas.DataFrame([*rows(), *rows("he-en")], columns=["pair", "system", "segment", "score"])
    frame.loc[frame.pair == "he-en", "score"] += 0.5
    frame.sample(frac=1, random_state=1).to_csv("t.csv", index=False)
    level = "segment" if "seg" in reading.split()[0] else "system"
    rules = qeframe.choose_profile(f"wmt23_metrics_{level}", [f"reader=mtme(gold=mqm, {reading}{domain})"])
    wanted, *others = (qeframe.read_tasks(rules, folder, enter={"mine": each}) for each in ("given", "t.csv", frame))
    mine = Submission("mine", "entered")
    assert len(wanted) == 2
    for found in others:
        for task, other in zip(wanted, found, strict=True):
            assert other.batches[mine].predicted == pytest.approx(task.batches[mine].predicted, nan_ok=True)


def test_the_result_has_the_names_and_the_hashes_of_the_files_of_the_user(folder, tree):
    short = score_lines().replace("\n", "000\n")  # not as numbers are printed
    tree({"g/en-de.seg.score": short, "g/he-en.seg.score": short, "g/he-en.sys.score": "A 7\nB 8\nC 9\n"})
    for given, level, names in (
        ("g/en-de.seg.score", "segment", {"en-de.seg.score"}),
        ("g", "system", {"en-de.seg.score", "he-en.sys.score"}),
    ):
        rules = qeframe.choose_profile(f"wmt23_metrics_{level}", [f"reader=mtme(gold=mqm, level={level[:3]})"])
        tasks = qeframe.read_tasks(rules, folder, enter={"mine": given})
        inputs = {file.path: file.sha256 for task in tasks for file in task.inputs}
        own = {path for task in tasks for path in task.files.get("mine", ())}
        assert own == names
        assert not [path for path in inputs if "mine" in path]
        for path in own:
            assert inputs[path] == hashlib.sha256(Path("g", path).read_bytes()).hexdigest()


def test_given_system_scores_stay(folder, tree):
    tree({"g/en-de.seg.score": score_lines(), "g/en-de.sys.score": "A 7\nB 8\nC 9\n"})
    found = contents("g", folder)
    assert numbers(found[place("en-de", "sys")]) == [["A", "7.0"], ["B", "8.0"], ["C", "9.0"]]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "x.score",
            score_lines(),
            "x.score: the language pair of the scores is not known; PATH has en-de, he-en; begin the name of the file",
        ),
        ("zh-en.score", score_lines(), "zh-en.score: the language pair of the scores is zh-en; PATH has"),
    ],
)
def test_what_cannot_be_entered(folder, tree, name, text, message):
    tree({name: text})
    assert refused(files_to_enter, "mine", Path(name), folder).startswith(message)


def test_a_second_file_and_a_taken_name(folder, tree):
    tree({"g/en-de.a.seg.score": score_lines(), "g/en-de.b.seg.score": score_lines()})
    with pytest.raises(DataError, match="a second file of the seg scores of en-de"):
        files_to_enter("mine", Path("g"), folder)
    with pytest.raises(DataError, match="a metric of en-de has the name 'M1'"):
        files_to_enter("M1", Path("g/en-de.a.seg.score"), folder)


def test_an_added_file_enters_whatever_is_listed(folder, tree):
    tree({"elsewhere/mine-src.seg.score": score_lines(), "elsewhere/mine-src.sys.score": "A 3\nB 2\nC 1\n"})
    tree({"given/en-de.seg.score": score_lines()})
    settings = ['reader=mtme(gold=mqm, primaries=[M1], pairs=["en-de"])']
    rules = qeframe.choose_profile("wmt23_metrics_segment", settings)
    with added({Path("metric-scores/en-de"): sorted(Path("elsewhere").iterdir())}):
        (task,) = qeframe.read_tasks(rules, folder)
    assert {each.name for each in task.batches} == {"M1-refA", "mine-src"}
    (task,) = qeframe.read_tasks(rules, folder, enter={"mine": "given/en-de.seg.score"})
    assert {each.name: each.kind for each in task.batches} == {"M1-refA": "real", "mine": "entered"}
