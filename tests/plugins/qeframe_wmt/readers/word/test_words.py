"""Word-level tasks: tag lines, and the columns of 2014, of 2015 to 2017 and of 2020 to 2023."""

from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.components.metric import Metric
from qeframe.components.parametric import Parametric
from qeframe.errors import DataError
from qeframe.evaluation.read import choose_profile, read_tasks
from qeframe.tasks.align import align
from qeframe_wmt import tag_lines, word_columns_2014, word_columns_2015, word_columns_2020

LINES, SIX, FIVE, SEVEN = map(Parametric, (tag_lines, word_columns_2014, word_columns_2015, word_columns_2020))
GOLD = {"t/gold.tags": "OK BAD\nBAD\n"}
HEADER = "123\n456\n1\n"


def rows(side):
    return [row.tolist() for row in side.values]


def read(reader, path="t"):
    (reading,) = reader.read(Path(path), "low")
    return reading


def seven(*words, kind="MT", pair="en-de"):
    return "".join(f"{pair}\tmy model\t{kind}\t{s}\t{i}\t{word}\t{tag}\n" for s, i, word, tag in words)


WORDS = ((0, 0, "Ein", "OK"), (0, 1, "<EOS>", "OK"), (1, 0, "<EOS>", "BAD"))


# plain tag lines


@pytest.mark.parametrize(
    ("options", "gold", "expected"),
    [
        ({}, "OK BAD\n\nBAD", [[0, 1], [], [1]]),
        ({"layout": "source"}, "OK BAD", [[0, 1]]),
        ({"layout": "words_and_gaps"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[0, 1, 0], [], [0, 1, 0, 0, 1]]),
        ({"layout": "words_and_gaps", "stream": "words"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[1], [], [1, 0]]),
        ({"layout": "words_and_gaps", "stream": "gaps"}, "OK BAD OK\n\nOK BAD OK OK BAD", [[0, 0], [], [0, 0, 1]]),
        ({"layout": "words_and_gaps", "stream": "gaps"}, "BAD", [[1]]),
    ],
)
def test_layouts_and_streams(tree, options, gold, expected):
    tree({"t/gold.tags": gold, "t/submissions/a.b.tags": gold})
    reading = read(LINES(**options))
    assert (rows(reading.gold), reading.gold.ids.tolist()) == (expected, list(range(len(expected))))
    assert [(side.name, rows(side)) for side in reading.submissions] == [("a.b", expected)]
    assert reading.groups == {"length": ["1-10" if row else "0" for row in expected]}


def test_sentences_are_grouped_by_length(tree):
    lines = "\n".join(" ".join(["OK"] * count) for count in (1, 10, 11, 20, 21, 30, 31, 99))
    tree({"t/gold.tags": lines, "t/submissions/a": lines})
    labels = ["1-10", "1-10", "11-20", "11-20", "21-30", "21-30", "31+", "31+"]
    assert align(read(LINES())).groups == {"length": labels}


def test_a_stream_that_the_layout_has_not():
    message = "stream=gaps asks for one of two streams, layout=words has one; set layout=words_and_gaps, or leave"
    with pytest.raises(DataError, match=f"^{message}"):
        LINES(stream="gaps")


@pytest.mark.parametrize(
    ("reader", "text", "message"),
    [
        (LINES(), "OK BAD\nGUT\n", "a:2: unknown tag 'GUT', word 1 of the line; "),
        (LINES(), "OK\nBAD\n", "a:1: 1 tag in sentence 0, 2 expected as in t/gold.tags:1; give one tag for each tag"),
        (
            LINES(),
            "M\t0\t0\tw\tOK\n",
            "a:1: looks like 5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG), not like plain tag lines; "
            "use reader=word_columns_2015",
        ),
        (
            LINES(),
            seven(*WORDS),
            "a:1: looks like 7 columns by tabs (LP METHOD TYPE SENT_ID WORD_IDX WORD TAG) after 0 header lines, not "
            "like plain tag lines; use reader=word_columns_2020(header_lines=0)",
        ),
        (
            LINES(),
            "1.1\t0\tw OK OK OK\n",
            "a:1: looks like six columns (sentence, index, word, three tags), not like plain tag lines; "
            "use reader=word_columns_2014",
        ),
        (
            LINES(),
            "1\n2\n3\nen-de\tx\t0\t.5\n",
            "a:1: looks like scores of sentences after 3 header lines, not like plain tag lines; "
            "use reader=qe_sentence(header_lines=3)",
        ),
        (
            LINES(),
            "1\nen-de\tx\t0\tWort\t-1\t-1\tno-error\n",
            "a:1: looks like 7 columns by tabs (LP METHOD SEG TARGET STARTS ENDS TYPES) after 1 header line, not like "
            "plain tag lines; use reader=spans_2023(header_lines=1)",
        ),
    ],
)
def test_broken_tag_lines(tree, refusal, reader, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(reader, "t").startswith("t/submissions/" + message)


def test_words_and_gaps_need_an_odd_number_of_tags(tree, refusal):
    tree({"t/gold.tags": "OK BAD OK\nOK BAD\n", "t/submissions/a": "OK"})
    message = (
        "t/gold.tags:2: 2 tags, expected an odd number: N words and N + 1 gaps; "
        "give the tags of the gaps too, or set layout=words"
    )
    assert refusal(LINES(layout="words_and_gaps"), "t") == message


@pytest.mark.parametrize("text", ["OK BAD\nBAD\n", "OK BAD\nOK\n", "BAD\nOK\n"])
def test_a_missing_line_may_be_any(tree, refusal, text):
    tree({"t/gold.tags": "OK BAD\nBAD\nOK\n", "t/submissions/a": text})
    message = "t/submissions/a: 2 lines of tags, 3 expected as in t/gold.tags; give one line a sentence, in the order"
    assert refusal(LINES(), "t").startswith(message)


FIVE_EMPTY = "TEAM\t0\t0\tEin\tOK\nTEAM\t2\t0\tda\tBAD"


@pytest.mark.parametrize("year", [2015, 2020])
def test_a_sentence_without_tags_needs_no_line_of_a_table(tree, year):
    text = FIVE_EMPTY if year == 2015 else HEADER + seven((0, 0, "Ein", "OK"), (2, 0, "da", "BAD"))
    tree({"t/gold": "OK\n\nBAD\n", "t/mt_tok": "Ein\n\nda\n", "t/submissions/a": text})
    (batch,) = align(read(FIVE() if year == 2015 else SEVEN())).batches.values()
    assert [row.tolist() for row in batch.predicted] == [[0], [], [1]]
    assert batch.ids.tolist() == [0, 1, 2]


def test_gold_of_words_and_gaps_is_told_apart_by_the_tokens(tree, refusal):
    tree({"t/gold": "OK OK BAD\nOK BAD OK OK BAD", "t/mt_tok": "Ein\nda ja", "t/submissions/a": HEADER + seven(*WORDS)})
    message = "t/mt_tok:1: 1 token, 3 expected: the tags in t/gold:1; the gold has 2N+1 tags for N words and their gaps"
    assert refusal(SEVEN(), "t").startswith(message)


@pytest.mark.parametrize(("folder", "sound"), [("en-de", True), ("EN-DE", True), ("task", True), ("en-ru", False)])
def test_a_folder_that_is_named_like_another_language_pair(tree, refusal, folder, sound):
    tree({f"p/{folder}/gold": "OK BAD\nBAD\n", f"p/{folder}/submissions/a": HEADER + seven(*WORDS)})
    if sound:
        assert len(SEVEN().read(Path("p"), "low")) == 1
    else:
        message = "p/en-ru/submissions/a:4: LP 'en-de' in a folder named en-ru; move the file to the folder of its"
        assert refusal(SEVEN(), "p").startswith(message)


def test_rows_of_phrases_are_not_taken_for_those_of_2014(tree, refusal):
    tree({**GOLD, "t/submissions/a": "TEAM\t0\t0\tzwei Worte\tOK\n"})
    assert "looks like 5 columns by tabs" in refusal(LINES(), "t")


# the columns of 2014

SIX_GOLD = "1.1\t0\tein  OK\tOK\tOK\n1.1\t1\tWort Word_order\tFluency\tBAD\n12.3\t0\tund Untranslated\tAccuracy\tBAD\n"


@pytest.mark.parametrize(
    ("column", "classes", "expected"),
    [
        ("binary", ("OK", "BAD"), [[0, 1], [1]]),
        ("level1", ("OK", "Fluency", "Accuracy"), [[0, 1], [2]]),
        ("fine", None, [[0, 20], [6]]),
    ],
)
def test_six_columns(tree, registry, column, classes, expected):
    tree({"t/gold.tsv": SIX_GOLD, "t/submissions/a": SIX_GOLD.lower().replace("\n", "\r\n")})
    reading = read(SIX(column=column, compare="case_insensitive"))
    assert rows(reading.gold) == rows(reading.submissions[0]) == expected
    assert (reading.gold.ids.tolist(), reading.gold.lines.tolist()) == ([1001, 12003], [1, 3])
    found = reading.gold.values.classes
    assert found == classes or (found[0], found[6], found[20], len(found)) == ("OK", "Untranslated", "Word_order", 21)
    (batch,) = align(reading).batches.values()
    assert registry.get(Metric, "f1_weighted(classes=non_ok)").bind(batch)(np.ones(2)) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("Wort", "Worte"), "a:2: word 'Worte', but 'Wort' expected as in t/gold:2; tag the words of the gold, or set"),
        (("1.1\t1", "1.1\t2"), "a:2: word index 2 in sentence 1.1, expected 1; number the words of a sentence 0, 1"),
        (("12.3", "12"), "a:3: '12' is not the number of a sentence; a sentence is X.Y"),
        (("12.3", "12.1000"), "a:3: '12.1000' is too large; a sentence is X.Y"),
        (("Fluency", "Style"), "a:2: unknown tag 'Style' of word 'Wort'; the tags are OK, Fluency, Accuracy"),
        (("Wort ", "Wort x "), "a:2: 7 columns instead of 6 columns by blanks or tabs"),
        (("12.3\t0\tund", "1.1\t2\tund"), "a:1: 3 tags in sentence 1.1, 2 expected as in t/gold:1; give one line"),
    ],
)
def test_broken_six_columns(tree, refusal, change, message):
    tree({"t/gold": SIX_GOLD, "t/submissions/a": SIX_GOLD.replace(*change)})
    assert refusal(SIX(column="level1"), "t").startswith("t/submissions/" + message)


def test_sentences_of_2014_are_called_by_their_numbers(tree):
    without = SIX_GOLD[: SIX_GOLD.index("12.3")]
    tree({"t/gold": SIX_GOLD, "t/submissions/a": without, "t/submissions/b": SIX_GOLD.replace("OK\tBAD", "BAD\tBAD")})
    with pytest.raises(DataError, match=r"^t/submissions/a: segment 12\.3 is missing in a: 1 of 2 segments are there"):
        align(read(SIX()))
    found = qeframe.evaluate("wmt14_qe_word", "t", settings=["missing=score_as_worst"])
    worst = next(s for s in found.submissions if s.name == "a").scores[found.primary].details["worst_units"]
    assert [unit["name"] for unit in worst] == ["12.3"]


# the columns of 2015 to 2017

FIVE_LINES = "TEAM\t0\t0\tEin\tOK\nTEAM\t0\t1\tWort\tBAD\nTEAM\t01\t0\tda\tBAD"


def test_five_columns(tree):
    tree({**GOLD, "t/submissions/file.txt": FIVE_LINES})
    reading = read(FIVE())
    assert [(side.name, rows(side)) for side in reading.submissions] == [("TEAM", [[0, 1], [1]])]
    assert reading.submissions[0].lines.tolist() == [1, 3]
    assert len(reading.inputs) == 2


def test_tokens_are_compared_where_they_are(tree, refusal):
    tree({**GOLD, "t/mt_tok": "Ein Wort\nDa\n", "t/submissions/a": FIVE_LINES})
    message = (
        "t/submissions/a:3: word 'da', but 'Da' expected as in t/mt_tok:2; tag the words of the gold, or set "
        "compare=case_insensitive or compare=no in the reader"
    )
    assert refusal(FIVE(), "t") == message
    assert [put.path for put in read(FIVE(compare="case_insensitive")).inputs][-1] == "mt_tok"
    read(FIVE(compare="no"))


@pytest.mark.parametrize(
    ("tokens", "text", "message"),
    [
        ("words", "Ein Wort\n", "t/words:1: 1 line for 2 sentences in t/gold.tags; give the tokens"),
        ("words", "Ein\nda\n", "t/words:1: 1 token, 2 expected: the tags in t/gold.tags:1; give the tokens"),
        ("other", "Ein Wort\nda\n", "t/other: there is no such file"),
        ("a/b", "Ein Wort\nda\n", "tokens = 'a/b' must be the name of a file; put the file into t"),
    ],
)
def test_broken_tokens(tree, refusal, tokens, text, message):
    tree({**GOLD, "t/words": text, "t/submissions/a": FIVE_LINES})
    assert refusal(FIVE(tokens=tokens), "t").startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "OK BAD\nBAD\n",
            "a:1: looks like plain tag lines, not like 5 columns by tabs (METHOD SEG WORD_INDEX WORD TAG)",
        ),
        (FIVE_LINES.replace("TEAM\t01", "YOU\t01"), "a:3: METHOD 'YOU' after 'TEAM'; a file has one"),
        (FIVE_LINES.replace("TEAM", " "), "a:1: the METHOD has no name; name the submission"),
        (FIVE_LINES.replace("Ein\t", "Ein "), "a:1: 4 columns instead of 5 columns by tabs"),
        (FIVE_LINES + "\nTEAM\t1\t2\t.\tOK", "a:4: word index 2 in sentence 1, expected 1; number the words"),
        (FIVE_LINES + "\nTEAM\t0\t2\t.\tOK", "a:4: word index 2 in sentence 0, expected 0; number the words"),
        (
            FIVE_LINES.replace("Wort\tBAD", "Wort\tSO"),
            "a:2: unknown tag 'SO' of word 'Wort'; the tags are OK, ok, GOOD",
        ),
    ],
)
def test_broken_five_columns(tree, refusal, text, message):
    tree({**GOLD, "t/submissions/a": text})
    assert refusal(FIVE(), "t").startswith("t/submissions/" + message)


# the columns of 2020 to 2023


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


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            seven(*WORDS),
            "a:1: looks like 7 columns by tabs (LP METHOD TYPE SENT_ID WORD_IDX WORD TAG) after 0 header lines, not "
            "like 7 columns by tabs (LP METHOD TYPE SENT_ID WORD_IDX WORD TAG) after 3 header lines; "
            "use reader=word_columns_2020(header_lines=0)",
        ),
        ("OK BAD\nBAD\n", "a:1: looks like plain tag lines, not like 7 columns by tabs"),
        (HEADER + "x\n" + seven(*WORDS), "a:4: 4 header lines of one column instead of 3; repair the header, or"),
        ("1\n\n3\n" + seven(*WORDS), "a:2: an empty header line; write 0 for an unknown number"),
        (
            "1\nhello world\n3\n" + seven(*WORDS),
            "a:2: 'hello world' is not a header line: it has no number; give bytes",
        ),
        (HEADER + "en-de x MT 0 0 Ein OK", "a:4: no line has columns by tabs; put a tab between LP METHOD TYPE"),
        (HEADER + seven(*WORDS[:1], WORDS[2]), "a:4: 1 tag in sentence 0, 2 expected as in t/gold.tags:1; give one"),
        (
            HEADER + seven(*WORDS[:2], (0, 2, "x", "OK"), WORDS[2]),
            "a:4: 3 tags in sentence 0, 2 expected as in t/gold.tags:1; give one line for each tag of the gold; "
            "from 2022 on a sentence ends with a scored <EOS>",
        ),
        (HEADER + seven(WORDS[1], WORDS[2]), "a:4: word index 1 in sentence 0, expected 0; number the words"),
        (HEADER + seven(WORDS[0], (0, 1, "", "X")), "a:5: unknown tag 'X' of word ''; the tags are OK, ok, GOOD, good"),
        (HEADER + seven(*WORDS).replace("\tEin", "Ein"), "a:4: 6 columns instead of 7 columns by tabs (LP METHOD TYPE"),
        (HEADER + seven(*WORDS) + "\n\nx", "a:7: an empty line instead of 7 columns by tabs"),
        (HEADER + seven(*WORDS, kind="PE"), "a:4: unknown TYPE 'PE'; a TYPE is mt, gap, source"),
        (HEADER + seven(*WORDS, kind="gap"), "a:4: no line is of TYPE mt, they are of gap; set stream=gaps in the"),
        (HEADER + seven(*WORDS) + seven((2, 0, "x", "OK"), pair="en-cs"), "a:7: LP 'en-cs' after 'en-de'; a file has"),
        (HEADER + seven((0, 0, "ein", "OK"), *WORDS[1:]), "a:4: word 'ein', but 'Ein' expected as in t/mt_tok:1; tag"),
    ],
)
def test_broken_seven_columns(tree, refusal, text, message):
    tree({**GOLD, "t/mt_tok": "Ein <EOS>\n<EOS>\n", "t/submissions/a": text})
    assert refusal(SEVEN(), "t").startswith("t/submissions/" + message)


def test_the_gold_of_columns_has_plain_tag_lines(tree, refusal):
    tree({"t/gold": HEADER + seven(*WORDS), "t/submissions/a": HEADER + seven(*WORDS)})
    message = refusal(SEVEN(), "t")
    assert message.startswith("t/gold:1: looks like 7 columns by tabs (LP METHOD TYPE")
    assert message.endswith("after 3 header lines, not like plain tag lines; give the gold as plain tag lines")


def test_a_submission_for_another_language_pair(tree, refusal):
    tree({**GOLD, "t/submissions/a": HEADER + seven(*WORDS), "t/submissions/b": HEADER + seven(*WORDS, pair="x-y")})
    message = "t/submissions/b:4: LP 'x-y', but 'en-de' in t/submissions/a; a task has one language pair, move the"
    assert refusal(SEVEN(), "t").startswith(message)
    first = {"t/submissions/a": HEADER + seven(*WORDS, pair="x-y"), "t/submissions/b": HEADER + seven(*WORDS)}
    tree({**first, "t/submissions/c": HEADER + seven(*WORDS)})
    message = "t/submissions/a:4: LP 'x-y', but 'en-de' in t/submissions/b"
    assert refusal(SEVEN(), "t").startswith(message), "the one that stands alone is named"


def test_sentences_in_any_order_missing_or_extra(tree):
    text = HEADER + seven(WORDS[2], *WORDS[:2], (9, 0, "x", "OK"))
    tree({"t/gold": "OK BAD\nBAD\nOK", "t/mt_tok": "Ein <EOS>\n<EOS>\nja", "t/submissions/a": text})
    reading = read(SEVEN())
    with pytest.raises(DataError, match=r"^t/submissions/a:7: segment 9 of a is not in the gold; remove it"):
        align(reading)
    (batch,) = align(reading, missing="score_as_worst").batches.values()
    assert [row.tolist() for row in batch.predicted] == [[0, 0], [1], [1]]
    task = align(reading, missing="drop_for_all")
    assert (task.units, task.groups) == (2, {"length": ["1-10", "1-10"]})


def test_a_sentence_twice(tree):
    tree({**GOLD, "t/submissions/a": HEADER + seven(*WORDS, *WORDS[:2])})
    with pytest.raises(DataError, match=r"^t/submissions/a:7: segment 0 of a occurs twice, first seen on line 4"):
        align(read(SEVEN()))


def test_a_negative_header():
    with pytest.raises(DataError, match="header_lines = -1 must not be negative"):
        SEVEN(header_lines=-1)


# real submissions

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
