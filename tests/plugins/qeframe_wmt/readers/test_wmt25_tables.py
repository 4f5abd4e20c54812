"""The tables of 2025: error spans, and corrections, also what their measures say of attacks."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import corrections_2025, spans_2025
from tests.plugins.qeframe_wmt.readings import rows
from tests.written import write_files

NEW = Parametric(spans_2025)
COLUMNS = [
    *("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment"),
    *("domain_name", "method", "start_indices", "end_indices", "error_types"),
]


def table(*rows_of, drop=()):
    kept = [i for i, name in enumerate(COLUMNS) if name not in drop]
    lines = [COLUMNS, *(row.split("|") for row in rows_of)]
    return "\n".join("\t".join(cells[i] for i in kept) for cells in lines) + "\n"


G = (
    "d1|1|en|de|official|s1|abcdef|news|gold|0 3|2 5|major critical",
    "d1|2|en|de|official|s1|gh ij|news|gold|||no-error",
    "d1|1|en|cs|official|s2|klm|chat|gold|missing 1|missing 2|minor minor",
    "d1|1|en|cs|extra|s2|klm|chat|gold|0|1|odd",
)
A = (
    "d1|1|en|cs|official|s2|klm|chat|m|-1|-1|no-error",
    "d1|2|en|de|official|s1|gh ij|news|m|0 1|1 2|undecided minor",
    "d1|1|en|de|official|s1|abcdef|news|m|0|2|minor",
)


def test_the_tables_of_2025(tree):
    tree({"t/gold.tsv": table(*G), "t/submissions/a.tsv": table(*A)})
    german, czech = NEW().read(Path("t"), "low")
    assert (german.name, rows(german.gold), rows(german.submissions[0])) == (
        "en-de",
        [[[0, 2, 1], [3, 5, 2]], []],
        [[[1, 2, 0]], [[0, 2, 0]]],
    )
    assert german.groups == {
        "length": ["1-10", "1-10"],
        "document": ["d1", "d1"],
        "system": ["s1", "s1"],
        "domain": ["news", "news"],
    }
    assert german.dropped == (Dropped("en-de", "span", 1, "'undecided' in a"),)
    assert czech.dropped == (
        Dropped("en-cs", "line", 1, "not in the set official, in the gold"),
        Dropped("en-cs", "span", 1, "'missing' in the gold"),
    )
    (batch,) = align(german).batches.values()
    assert ([row.tolist() for row in batch.predicted], batch.text.tolist()) == ([[[0, 2, 0]], [[1, 2, 0]]], [6, 5])


def test_a_whole_evaluation_of_2025(tree, registry):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A), "t/submissions/b": table(*G[:3])})
    tasks = [align(reading) for reading in NEW().read(Path("t"), "low")]
    found = qeframe.evaluate("wmt25_qe_span", tasks, registry=registry)
    best = found.submissions[0]
    assert (best.name, best.scores["span_f1"].value, list(best.scores["span_f1"].tasks)) == ("b", 1, ["en-de", "en-cs"])


def test_spans_beyond_the_text_can_be_cut_in_2025_too(tree):
    tree({"t/gold": table(*G), "t/submissions/a": table(*A).replace("0 1\t1 2", "0 1\t1 7")})
    german, _ = NEW(beyond="clip").read(Path("t"), "low")
    assert rows(german.submissions[0])[0] == [[1, 5, 0]]
    assert german.dropped[-1] == Dropped("en-de", "span", 1, "cut at the end of the text in a")


def test_all_sets(tree):
    gold = [row.replace("odd", "minor") for row in G]
    tree({"t/gold": table(*gold), "t/submissions/a": table(*gold)})
    assert [len(reading.gold.ids) for reading in NEW(set_id="").read(Path("t"), "low")] == [2, 2]


GOLD, MINE = "baseline0_predictions_with_scores.tsv", "submissions/mine.tsv"
EDITED = ("post_edit", "post_edit_comet22")
KEY = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment")


def corrected(rows, *columns):
    lines = ["\t".join((*KEY, "hypothesis_segment", *columns))]
    lines += [
        "\t".join(("doc", str(i), "en", pair, "official", "sys", "s", *map(str, cells)))
        for i, (pair, *cells) in enumerate(rows)
    ]
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Two pairs; one submission changes one word of en-cs, and nothing of en-ja."""
    gold = [("cs", "a b c d", 0.5), ("cs", "e f g h", 0.7), ("ja", "猫", 0.6), ("ja", '"', 0.6)]
    mine = [
        ("cs", "a b c d", "a b c x", 0.7),
        ("cs", "e f g h", "e f g h", 0.7),
        ("ja", "猫", "猫", 0.6),
        ("ja", '"', '"', 0.6),
    ]
    return write_files(tmp_path, {GOLD: corrected(gold, "overall_comet22"), MINE: corrected(mine, *EDITED)})


def scores(place, *settings, task="en-cs"):
    result = qeframe.evaluate("wmt25_correction", place, settings=["test=", *settings])
    return {
        (submission.name, name.partition("(")[0]): value.tasks[task].value
        for submission in result.submissions
        for name, value in submission.scores.items()
    }


def test_gain_and_edits_by_pair(folder):
    czech, japanese = scores(folder), scores(folder, task="en-ja")
    assert czech["mine", "quality_gain"] == pytest.approx(0.1)
    assert czech["mine", "edit_rate"] == pytest.approx(12.5)
    assert czech["mine", "gain_to_edit_ratio"] == pytest.approx(0.8)
    assert japanese["mine", "gain_to_edit_ratio"] == -999


def test_edits_alone_from_the_file_as_handed_in(folder, refusal):
    rows = [line.split("\t") for line in (folder / MINE).read_text(encoding="utf-8").splitlines()]
    write_files(folder, {MINE: ("\t".join(row[:-1]) for row in rows)})
    message = refusal(corrections_2025(), folder)
    assert "mine.tsv:1: the column is missing: post_edit_comet22; add the scores" in message
    alone = ('reader=corrections_2025(before="", after="")', "primary=edit_rate", "secondary=[]")
    assert scores(folder, *alone)["mine", "edit_rate"] == pytest.approx(12.5)


def test_a_correction_that_is_missing(folder):
    lines = (folder / MINE).read_text(encoding="utf-8").splitlines()
    write_files(folder, {MINE: (line for line in lines if "e f g h" not in line)})
    found = scores(folder, "missing=score_as_worst")
    assert found["mine", "quality_gain"] == pytest.approx(0.1)  # .7 for .5, and .7, the lowest, for .7
    assert found["mine", "edit_rate"] == pytest.approx(100 * 5 / 4)


def test_rows_are_joined_by_what_identifies_them(folder, refusal):
    header, *rows = (folder / MINE).read_text(encoding="utf-8").splitlines()
    before = scores(folder)
    write_files(folder, {MINE: [header, *rows[::-1]]})
    assert scores(folder) == before
    write_files(folder, {MINE: "\n".join([header, *rows]).replace("a b c d\t", "a b d\t")})
    message = refusal(corrections_2025(), folder)
    assert "mine.tsv:2: another hypothesis_segment of segment doc/0/official/sys than in" in message


def test_the_rows_that_the_official_program_draws(tmp_path):
    pandas = pytest.importorskip("pandas")
    texts = [("cs", f"t{i}", i / 7) for i in range(250)]
    edited = [(pair, text, text, score) for pair, text, score in texts]
    write_files(tmp_path, {GOLD: corrected(texts, "overall_comet22"), MINE: corrected(edited, *EDITED)})
    (reading,) = corrections_2025(sample=100).read(tmp_path, "high")
    wanted = pandas.Series(range(250)).sample(n=100, random_state=0)
    assert reading.gold.ids.tolist() == sorted(wanted)
    assert reading.submissions[0].ids.tolist() == sorted(wanted)
    assert [(note.what, note.count) for note in reading.dropped] == [("row", 150)]


@pytest.fixture
def scored(shared_data):
    """Return the texts and the scores by COMETKiwi22 of the hypotheses of a challenge set from Japanese to Chinese."""
    root = shared_data("wmt25-challenge-sets") / "data" / "challenge-sets"

    def read(name):
        scores = {}
        lines = (root / "4-to_return" / name / "baseline" / "COMETKiwi22.tsv").read_text(encoding="utf-8").splitlines()
        for cells in (line.split("\t") for line in lines[1:]):
            scores.setdefault(cells[5], []).append(float(cells[8]))
        texts = {
            system: (root / "1-submitted" / name / f"{name}.ja-zh_CN.{system}.txt").read_text("utf-8").splitlines()
            for system in scores
        }
        return {system: list(zip(scores[system], texts[system], strict=True)) for system in scores}

    return read


def measured(before, after):
    names = ("gain_to_edit_ratio(replicate=official)", "edit_rate")
    gain = np.mean([score for score, _ in after]) - np.mean([score for score, _ in before])
    return [round(float(value), 4) for value in (gain, *(qeframe.score(name, before, after) for name in names))]


def test_a_wrong_language_gains_more_than_any_correction(scored):
    texts = scored("mslc-b1")
    assert measured(texts["hyp-2"], texts["hyp-1"]) == [0.2833, 0.2981, 95.0370]


def test_doing_nothing_rewriting_all_and_a_single_segment(scored):
    texts = scored("mslc-a")
    originals = texts["hyp-2"]
    best = [max(candidates) for candidates in zip(*texts.values(), strict=True)]
    assert measured(originals, originals) == [0, -999, 0]
    assert measured(originals, best) == [0.3006, 0.0964, 311.9497]
    most = max(range(len(best)), key=lambda i: best[i][0] - originals[i][0])
    one = [*originals[:most], best[most], *originals[most + 1 :]]
    assert measured(originals, one) == [0.0144, 1.1357, 1.2685]
