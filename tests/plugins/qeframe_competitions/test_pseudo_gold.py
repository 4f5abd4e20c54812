"""A pseudo-gold in the place of the gold, which then is nowhere in the bundle."""

import numpy as np
import pytest

from qeframe.core.errors import DataError, QeframeError
from qeframe_competitions.prepare import prepare
from tests.plugins.qeframe_competitions.small_files import GUESSES, MQM, SENTENCE, WORD, scores, words, write


def test_numbers(registry, sentence_gold):
    made = prepare(SENTENCE, sentence_gold, registry, pseudo_gold="baseline").reference
    for pair, values in GUESSES["baseline"].items():
        assert np.loadtxt(made[f"{pair}/gold.da"].decode().splitlines()).tolist() == values


def test_numbers_in_another_order(registry, sentence_gold):
    head, *rows = scores("en-de", [0.1, 0.2, 0.3, 0.7]).splitlines(keepends=True)
    rows = [*rows[:2], *reversed(rows[2:])]
    write(sentence_gold, {"en-de/submissions/baseline.txt": "".join([head, *rows])})
    made = prepare(SENTENCE, sentence_gold, registry, pseudo_gold="baseline").reference
    assert made["en-de/gold.da"] == b"0.1\n0.2\n0.3\n0.7\n"


def test_tags(registry, word_gold):
    made = prepare(WORD, word_gold, registry, pseudo_gold="team").reference
    assert made == {"en-de/gold.tags": b"BAD BAD OK\nOK BAD\n", "en-de/mt_tok": b"w0 w1 w2\nw0 w1\n"}


def test_human_scores_are_replaced_and_no_others_are_kept(registry, metric_gold):
    write(metric_gold, {"documents/en-de.docs": "news\td1\n" * 4})
    prepared = prepare("wmt23_metrics_segment", metric_gold, registry, changed=MQM, pseudo_gold="M-src")
    assert set(prepared.reference) == {"human-scores/en-de.mqm.seg.score", "documents/en-de.docs"}
    given = (metric_gold / "metric-scores/en-de/M-src.seg.score").read_text().split()
    made = prepared.reference["human-scores/en-de.mqm.seg.score"].decode().split()
    assert [value for i, value in enumerate(made) if (i // 2) % 4 != 3] == [
        value for i, value in enumerate(given) if (i // 2) % 4 != 3
    ]
    assert made[7] == "None"


def test_a_submission_that_is_not_there(registry, sentence_gold):
    with pytest.raises(QeframeError, match=r"unknown submission \(task 'en-cs'\) 'baselines'; did you mean 'baseline'"):
        prepare(SENTENCE, sentence_gold, registry, pseudo_gold="baselines")


def test_a_submission_that_lacks_a_unit(registry, sentence_gold):
    write(sentence_gold, {"en-de/submissions/team.txt": scores("en-de", [1, 2, 3])})
    with pytest.raises(DataError, match="'team' does not answer every unit of task 'en-de'"):
        prepare(SENTENCE, sentence_gold, registry, pseudo_gold="team")


@pytest.mark.parametrize("change", ["rate_by=mt", "gold_missing=-1.25"])
def test_a_gold_that_would_not_come_out(registry, sentence_gold, change):
    write(sentence_gold, {f"{pair}/mt": "a b\n" * 4 for pair in ("en-de", "en-cs")})
    with pytest.raises(DataError, match="a pseudo-gold cannot be written in the format of the gold of 'qe_sentence'"):
        prepare(SENTENCE, sentence_gold, registry, changed=[change], pseudo_gold="baseline")


def test_a_format_of_gold_that_is_not_written(registry, tmp_path):
    from qeframe.cli.shared.demo_files import write_demo

    write_demo("wmt26_task1", tmp_path / "task", seed=1)
    with pytest.raises(DataError, match="format of the gold of 'wmt26_spans'; write the files of the pseudo-gold your"):
        prepare("wmt26_task1", tmp_path / "task", registry, pseudo_gold="baseline")


def test_words_helper():
    assert words("a-b", ["OK"]) == "1000\n2000\n1\na-b\tmodel\tmt\t0\t0\tw0\tOK\n"
