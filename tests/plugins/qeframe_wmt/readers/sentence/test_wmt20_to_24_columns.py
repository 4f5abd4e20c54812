"""LP, METHOD, SEG and SCORE after header lines."""

from pathlib import Path

import pytest
import scipy.stats

import qeframe
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe_wmt import qe_sentence
from tests.plugins.qeframe_wmt.readings import only, sides

READER = Parametric(qe_sentence)
GOLD = {"t/gold.da_z": "10\n20\n30\n"}
LINES = "en-de\tmy model\t0\t.1\nen-de\tmy model\t02\t.3\nen-de\tmy model\t1\t.2"


def with_header(lines=LINES, header="2260733079\n565137999\n1\n"):
    return header + lines


@pytest.mark.parametrize(
    ("reader", "header", "first_line"),
    [(READER(), "1\n2\n3\n", 4), (READER(header_lines=2), "12.5 MB\n-\n", 3), (READER(header_lines=0), "", 1)],
)
def test_header_lines(tree, reader, header, first_line):
    tree({**GOLD, "t/submissions/team.x.txt": header + LINES})
    reading = only(reader, best="high")
    lines = [first_line, first_line + 1, first_line + 2]
    assert sides(reading) == {"team.x": ([0, 2, 1], [0.1, 0.3, 0.2], lines)}
    assert (reading.gold.ids.tolist(), reading.gold.values.tolist()) == ([0, 1, 2], [10, 20, 30])
    assert (reading.name, reading.best) == ("t", "high")
    assert [batch.predicted.tolist() for batch in align(reading).batches.values()] == [[0.1, 0.2, 0.3]]


def test_segments_from_another_number(tree):
    tree({**GOLD, "t/submissions/a": LINES})
    reading = only(READER(header_lines=0, first_segment=1), best="high")
    assert reading.gold.ids.tolist() == [1, 2, 3]
    with pytest.raises(DataError, match=r"^t/submissions/a:1: segment 0 of a is not in the gold;"):
        align(reading)


def test_segments_without_gold_are_left_out_and_counted(tree):
    tree({"t/gold": "10\n-100\n30\n-100.0\n", "t/submissions/a": with_header(LINES + "\nen-de\tmy model\t3\t4\n")})
    reader = READER(gold_missing=-100)
    assert reader.name == "qe_sentence(gold_missing=-100)"
    reading = only(reader, best="high")
    assert (reading.gold.ids.tolist(), reading.gold.lines.tolist()) == ([0, 2], [1, 3])
    assert sides(reading) == {"a": ([0, 2], [0.1, 0.3], [4, 5])}
    reason = "its gold is -100, which says that there is none"
    assert align(reading).dropped == (Dropped("t", "unit", 2, reason),)


def test_a_gold_without_missing_values_is_kept(tree):
    tree({**GOLD, "t/submissions/a": with_header()})
    reading = only(READER(gold_missing=-100), best="high")
    assert (len(reading.gold.ids), reading.dropped) == (3, ())


def test_real_submissions_give_the_known_correlations(shared_data):
    task = align(only(READER(), shared_data("wmt22-qe/mqm"), "high"))
    found = {s.name: scipy.stats.spearmanr(b.gold, b.predicted).statistic for s, b in task.batches.items()}
    assert (task.name, task.units) == ("en-de", 511)
    assert {name: f"{rho:.6f}" for name, rho in found.items()} == {
        "NJUQE": "0.634656",
        "BJTU": "0.621408",
        "pu_nlp": "0.611021",
        "papago": "0.581532",
        "IST-Unbabel": "0.560660",
        "Alibaba-Translate": "0.550391",
        "lp_sunny": "0.494614",
        "HW-TSC": "0.493872",
        "OrganizersBaselines": "0.454836",
        "ahmetgunduz": "0.376010",
    }


def test_real_tasks_are_named_by_their_folders(shared_data):
    readings = READER().read(shared_data("wmt22-qe/da"), "high")
    assert [(task.name, task.units, len(task.batches)) for task in map(align, readings)] == [
        ("en-cs", 1000, 9),
        ("km-en", 992, 8),
    ]
    km_en = align(readings[1])
    (worst,) = (b for s, b in km_en.batches.items() if s.name == "NJUQE")
    assert scipy.stats.spearmanr(worst.gold, worst.predicted).statistic == pytest.approx(-0.430177, abs=5e-7)


HEAD = "100\n20\n-\n"


def rows(pair, *scores):
    return "".join(f"{pair}\tmodel\t{i}\t{score}\n" for i, score in enumerate(scores))


def gold(task, pair):
    ending = {"task1_da": "da_score", "task1_mqm": "mqm_z_score"}[task]
    return f"r/test_data-gold_labels/{task}/{pair}/test.2022.{pair}.{ending}"


def sent(folder, team):
    return f"r/official_submissions/{folder}/{team}/predictions.txt"


A = sent("task1_da/en-cs", "Team A  - 2 submission")
BOTH = sent("task1_da/multilingual", "B - 1 submission")
FILES = {
    gold("task1_da", "en-cs"): "1\n2\n3\n",
    gold("task1_da", "en-ja"): "3\n2\n1\n",
    gold("task1_mqm", "en-de"): "1\n2\n4\n",
    gold("task1_mqm", "en-de").replace("mqm_z_score", "mqm_score.mqm"): "9\n9\n9\n",
    A: HEAD + rows("en-cs", 1, 2, 4),
    sent("task1_mqm/en-de", "A - 1 submission"): HEAD + rows("en-de", 1, 2, 4),
    BOTH: HEAD + rows("en-ja", 1, 2, 3) + rows("en-cs", 4, 5, 6) + rows("xx-yy", 1),
    sent("task1_da/multilingual", "C - 1 submission"): HEAD + rows("en-ja", 1, 2, 3),
}


def read(published=("task1_da",), **parameters):
    return READER(published=published, **parameters).read(Path("r"), "high")


def test_pairs(tree):
    tree(FILES)
    first, second = read(("task1_da", "task1_mqm"))
    assert (first.name, second.name) == ("en-cs", "en-de")
    assert second.gold.values.tolist() == [1, 2, 4]
    (answer,) = first.submissions
    assert (answer.name, answer.values.tolist(), answer.ids.tolist()) == ("A", [1, 2, 4], [0, 1, 2])
    assert answer.stated == {"disk_footprint": 100, "parameters": 20}
    assert align(first).stated == {"A": {"disk_footprint": 100, "parameters": 20}}
    assert {note.task: note.what for note in second.dropped} == {"en-ja": "gold", "multilingual": "submission"}


def test_a_track(tree):
    tree(FILES)
    first, second = read(track="multilingual")
    assert [(each.name, each.values.tolist()) for each in first.submissions] == [("B", [4, 5, 6])]
    assert [(each.name, each.line(0)) for each in first.submissions] == [("B", 7)]
    assert [each.name for each in second.submissions] == ["B", "C"]
    assert second.dropped == (
        Dropped("en-cs", "submission", 1, "not of the track multilingual"),
        Dropped("xx-yy", "answer", 1, "of B: no gold of this language pair is here"),
    )


def test_the_mean_needs_all_pairs(tree):
    tree(FILES)
    settings = ("test=", "interval=", "primary=pearson", "secondary=[]")
    found = qeframe.evaluate("wmt22_qe_sentence_da_multilingual", "r", settings=settings)
    assert [each.name for each in found.submissions] == ["B", "C"]
    assert found.submissions[0].scores["pearson"].value == pytest.approx(0)
    assert str(found.submissions[1].scores["pearson"].value) == "nan"


def test_lines_within_a_pair(tree):
    for text, message in (
        (HEAD + rows("en-cs", 1, 2), "segment 2 is missing in A"),
        (HEAD + rows("en-cs", 1, 2, 3, 4), "segment 3 of A is not in the gold"),
        (HEAD + rows("en-cs", 1, 2, 3) + rows("en-cs", 1), "segment 0 of A occurs twice"),
    ):
        tree({**FILES, A: text})
        (reading,) = read()
        with pytest.raises(DataError, match=message):
            align(reading)


def test_nothing_that_can_be_scored(tree, refusal):
    tree({name: text for name, text in FILES.items() if "multilingual" in name or "gold" in name})
    Path("r/official_submissions/task1_da/en-cs").mkdir()
    message = "r: no language pair of task1_da has gold and submissions; give the repository as published"
    assert refusal(READER(published=("task1_da",)), "r").startswith(message)
