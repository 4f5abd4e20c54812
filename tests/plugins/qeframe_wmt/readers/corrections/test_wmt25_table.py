"""Corrections of 2025: the table as the official program reads it, and what its measures say of attacks."""

import numpy as np
import pytest

import qeframe
from qeframe_wmt import corrections_2025

GOLD = "baseline0_predictions_with_scores.tsv"
KEY = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "source_segment")


def table(rows, *columns):
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
    (tmp_path / "submissions").mkdir()
    (tmp_path / GOLD).write_text(table(gold, "overall_comet22"), encoding="utf-8")
    (tmp_path / "submissions" / "mine.tsv").write_text(table(mine, "post_edit", "post_edit_comet22"), encoding="utf-8")
    return tmp_path


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
    handed_in = folder / "submissions" / "mine.tsv"
    rows = [line.split("\t") for line in handed_in.read_text(encoding="utf-8").splitlines()]
    handed_in.write_text("".join("\t".join(row[:-1]) + "\n" for row in rows), encoding="utf-8")
    message = refusal(corrections_2025(), folder)
    assert "mine.tsv:1: the column is missing: post_edit_comet22; add the scores" in message
    alone = ('reader=corrections_2025(before="", after="")', "primary=edit_rate", "secondary=[]")
    assert scores(folder, *alone)["mine", "edit_rate"] == pytest.approx(12.5)


def test_a_correction_that_is_missing(folder):
    handed_in = folder / "submissions" / "mine.tsv"
    kept = [line for line in handed_in.read_text(encoding="utf-8").splitlines() if "e f g h" not in line]
    handed_in.write_text("".join(f"{line}\n" for line in kept), encoding="utf-8")
    found = scores(folder, "missing=score_as_worst")
    assert found["mine", "quality_gain"] == pytest.approx(0.1)  # .7 for .5, and .7, the lowest, for .7
    assert found["mine", "edit_rate"] == pytest.approx(100 * 5 / 4)


def test_rows_are_joined_by_what_identifies_them(folder, refusal):
    handed_in = folder / "submissions" / "mine.tsv"
    header, *rows = handed_in.read_text(encoding="utf-8").splitlines()
    before = scores(folder)
    handed_in.write_text("\n".join([header, *rows[::-1]]) + "\n", encoding="utf-8")
    assert scores(folder) == before
    handed_in.write_text("\n".join([header, *rows]).replace("a b c d\t", "a b d\t") + "\n", encoding="utf-8")
    message = refusal(corrections_2025(), folder)
    assert "mine.tsv:2: another hypothesis_segment of segment doc/0/official/sys than in" in message


def test_another_pair_and_another_layout_are_refused(folder, refusal):
    (folder / "submissions" / "mine.tsv").write_text(table([("de", "a", "a", 1)], "post_edit", "post_edit_comet22"))
    assert "mine.tsv:2: language pair 'en-de' is not in" in refusal(corrections_2025(), folder)
    (folder / GOLD).rename(folder / "gold.txt")
    assert "--set reader=qe_plain" in refusal(corrections_2025(), folder)


def test_the_rows_that_the_official_program_draws(tmp_path):
    pandas = pytest.importorskip("pandas")
    texts = [("cs", f"t{i}", i / 7) for i in range(250)]
    (tmp_path / "submissions").mkdir()
    (tmp_path / GOLD).write_text(table(texts, "overall_comet22"))
    edited = [(pair, text, text, score) for pair, text, score in texts]
    (tmp_path / "submissions" / "mine.tsv").write_text(table(edited, "post_edit", "post_edit_comet22"))
    (reading,) = corrections_2025(sample=100).read(tmp_path, "high")
    wanted = pandas.Series(range(250)).sample(n=100, random_state=0)
    assert reading.gold.ids.tolist() == sorted(wanted)
    assert reading.submissions[0].ids.tolist() == sorted(wanted)
    assert [(note.what, note.count) for note in reading.dropped] == [("row", 150)]


def test_parameters():
    with pytest.raises(qeframe.DataError, match="before and after must both name a column"):
        corrections_2025(before="")
    with pytest.raises(qeframe.DataError, match="sample = -1 must be 0"):
        corrections_2025(sample=-1)


# --- what the measures reward, on texts and scores of WMT25 ---------------------------------------------------------


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
