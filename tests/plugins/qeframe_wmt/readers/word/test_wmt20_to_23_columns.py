"""The seven columns of 2020 to 2023, and the repository of 2022."""

from pathlib import Path

import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.core.calls import Parametric
from qeframe.core.errors import DataError
from qeframe.data.align import align
from qeframe_wmt import word_columns_2020
from tests.plugins.qeframe_wmt.readings import only as read
from tests.plugins.qeframe_wmt.readings import rows

SEVEN = Parametric(word_columns_2020)
GOLD = {"t/gold.tags": "OK BAD\nBAD\n"}
HEADER = "123\n456\n1\n"


def seven(*words, kind="MT", pair="en-de"):
    return "".join(f"{pair}\tmy model\t{kind}\t{s}\t{i}\t{word}\t{tag}\n" for s, i, word, tag in words)


WORDS = ((0, 0, "Ein", "OK"), (0, 1, "<EOS>", "OK"), (1, 0, "<EOS>", "BAD"))


@pytest.mark.parametrize(
    ("reader", "header", "first"),
    [(SEVEN(), HEADER, 4), (SEVEN(header_lines=2), "1\n2\n", 3), (SEVEN(header_lines=0), "", 1)],
)
def test_seven_columns(tree, reader, header, first):
    tree({**GOLD, "t/mt_tok": "Ein <EOS>\n<EOS>", "t/submissions/team": (header + seven(*WORDS))[:-1]})
    reading = read(reader)
    assert [(side.name, rows(side)) for side in reading.submissions] == [("team", [[0, 0], [1]])]
    assert reading.submissions[0].lines.tolist() == [first, first + 2]


@pytest.mark.parametrize(("stream", "tag"), [("words", 1), ("gaps", 0), ("source", 1)])
def test_streams_in_one_file(tree, stream, tag):
    of_gaps = seven((0, 0, "gap", "OK"), kind="Gap")
    text = seven((0, 0, "Wort", "BAD"), kind="mt") + of_gaps + seven((0, 0, "word", "bad"), kind="source")
    tree({"t/gold": "OK", "t/mt_tok": "Wort", "t/src_tok": "word", "t/submissions/a": text})
    reading = read(SEVEN(header_lines=0, stream=stream))
    assert rows(reading.submissions[0]) == [[tag]]
    kind = {"words": "mt", "gaps": "gap", "source": "source"}[stream]
    (dropped,) = reading.dropped
    assert (dropped.count, dropped.reason) == (2, f"of another TYPE than {kind} in the submissions")


def test_a_sentence_without_tags_needs_no_line_of_a_table(tree):
    text = HEADER + seven((0, 0, "Ein", "OK"), (2, 0, "da", "BAD"))
    tree({"t/gold": "OK\n\nBAD\n", "t/mt_tok": "Ein\n\nda\n", "t/submissions/a": text})
    (batch,) = align(read(SEVEN())).batches.values()
    assert [row.tolist() for row in batch.predicted] == [[0], [], [1]]
    assert batch.ids.tolist() == [0, 1, 2]


@pytest.mark.parametrize(("folder", "sound"), [("en-de", True), ("EN-DE", True), ("task", True), ("en-ru", False)])
def test_a_folder_that_is_named_like_another_language_pair(tree, refusal, folder, sound):
    tree({f"p/{folder}/gold": "OK BAD\nBAD\n", f"p/{folder}/submissions/a": HEADER + seven(*WORDS)})
    if sound:
        assert len(SEVEN().read(Path("p"), "low")) == 1
    else:
        message = "p/en-ru/submissions/a:4: LP 'en-de' in a folder named en-ru; write en-ru as LP in every line"
        assert refusal(SEVEN(), "p").startswith(message)


def test_sentences_in_any_order_missing_or_extra(tree):
    text = HEADER + seven(WORDS[2], *WORDS[:2])
    files = {"t/gold": "OK BAD\nBAD\nOK", "t/mt_tok": "Ein <EOS>\n<EOS>\nja", "t/submissions/a": text}
    tree({**files, "t/submissions/a": text + seven((9, 0, "x", "OK"))})
    for missing in ("error", "score_as_worst", "drop_for_all"):
        with pytest.raises(DataError, match=r"^t/submissions/a:7: segment 9 of a is not in the gold; number the"):
            align(read(SEVEN()), missing=missing)
    tree(files)
    reading = read(SEVEN())
    (batch,) = align(reading, missing="score_as_worst").batches.values()
    assert [row.tolist() for row in batch.predicted] == [[0, 0], [1], [1]]
    task = align(reading, missing="drop_for_all")
    assert (task.units, task.groups) == (2, {"length": ("1-10", "1-10")})


KNOWN = {
    "NJUQE": (0.351904, 0.418099, 0.350920, 0.980334),
    "papago": (0.318627, 0.358856, 0.335664, 0.960024),
    "IST-Unbabel": (0.302745, 0.373685, 0.317160, 0.955656),
    "HW-TSC": (0.273894, 0.330412, 0.292162, 0.954207),
    "OrganizersBaselines": (0.182414, 0.345179, 0.212766, 0.969490),
}


def test_real_submissions_give_the_known_values(shared_data, registry):
    rules = choose_profile("wmt22_qe_word", [], registry)
    tasks = read_tasks(rules, shared_data("wmt22-qe/word/en-de"), registry)
    found = qeframe.evaluate(rules, tasks, seed=7, registry=registry)
    metrics = ("mcc", "seqcor", "f1_bad", "f1_ok")
    values = {each.name: tuple(round(each.scores[m].value, 6) for m in metrics) for each in found.submissions}
    assert values == KNOWN
    assert list(values) == list(KNOWN)
    assert [each.kind for each in found.submissions] == ["real"] * 4 + ["baseline"]
    (task,) = tasks
    assert (task.units, sum(len(row) for row in next(iter(task.batches.values())).gold)) == (511, 13857)


def test_real_submissions_without_a_final_line_end(shared_data):
    reading = read(SEVEN(), shared_data("wmt22-qe/word/en-cs"))
    task = align(reading)
    assert (task.units, len(task.batches), len(reading.gold.values.values)) == (1000, 4, 18301)
    assert set(task.groups["length"]) == {"1-10", "11-20", "21-30", "31+"}


@pytest.mark.parametrize("target", ["nothing", "mt_tok"])
def test_a_link_that_leads_nowhere_turns_no_check_off(tree, refusal, target):
    tree({**GOLD, "t/submissions/team": HEADER + seven(*WORDS)})
    Path("t/mt_tok").symlink_to(target)
    assert refusal(SEVEN(), "t").startswith("t/mt_tok: a link ")


def test_marks_belong_to_words_alone(tree, refusal):
    tree({"t/gold": "OK OK\nBAD\n", "t/submissions/team": HEADER + seven((0, 0, "\ufeffEin", "OK"), *WORDS[1:])})
    assert rows(read(SEVEN()).submissions[0]) == [[0, 0], [1]]
    tree({"t/submissions/team": HEADER + seven(*WORDS, pair="en-de\ufeff")})
    assert refusal(SEVEN(), "t").startswith("t/submissions/team:4: a byte-order mark (U+FEFF) in LP")


TREE = "r/test_data-gold_labels/task1_word-level/en-cs"
SUBMITTED = "r/official_submissions/task1_word-level"


def table(*tags, pair="en-cs"):
    return "".join(
        f"{pair}\tmodel\tMT\t{i}\t{k}\t{word}\t{tag}\n"
        for i, sentence in enumerate(tags)
        for k, (word, tag) in enumerate(zip(["a", "b", "<EOS>"], sentence.split(), strict=True))
    )


TAGS = ("OK BAD OK", "OK OK BAD")
A = f"{SUBMITTED}/en-cs/Team A  - 2 submission/predictions.txt"
FILES = {
    f"{TREE}/test.2022.en-cs.tags": "\n".join(TAGS) + "\n",
    f"{TREE}/test2022.mt_tok": "a b <EOS>\na b <EOS>\n",
    A: "300\n20\n1\n" + table(*TAGS),
    f"{SUBMITTED}/en-cs/B - 1 submission/predictions.txt": "100\n20\n1\n" + table("OK OK OK", "OK OK BAD"),
    f"{SUBMITTED}/multilingual/.DS_Store": "x",
}


PUBLISHED = SEVEN(published="task1_word-level")


def test_pairs(tree):
    tree(FILES)
    reading = read(PUBLISHED, "r")
    assert (reading.name, [each.name for each in reading.submissions]) == ("en-cs", ["B", "A"])
    assert reading.submissions[1].stated == {"disk_footprint": 300, "parameters": 20, "ensemble_size": 1}
    assert [put.path.rpartition("/")[2] for put in reading.inputs][-1] == "test2022.mt_tok"
    Path(f"{TREE}/test2022.mt_tok").unlink()
    assert len(read(PUBLISHED, "r").inputs) == len(reading.inputs) - 1


def test_the_average_rank(tree):
    tree(FILES)
    found = qeframe.evaluate("wmt22_qe_word", "r", settings=("test=", "interval="))
    ranks = {each.name: each.scores["average_rank"].value for each in found.submissions}
    assert ranks == {"A": pytest.approx((1 + 1 + 1 + 2 + 1.5) / 5), "B": pytest.approx((2 + 2 + 2 + 1 + 1.5) / 5)}
    assert found.metrics[-1] == "average_rank"
    assert not found.higher_is_better["average_rank"]


def test_nothing_that_can_be_scored(tree, refusal):
    tree({name: text for name, text in FILES.items() if name.startswith(TREE)})
    Path(SUBMITTED).mkdir(parents=True)
    message = "r: no language pair of task1_word-level has gold and submissions"
    assert refusal(PUBLISHED, "r").startswith(message)
