"""Files of submissions read alone: as in a folder with a gold, and compared with a source text and a baseline."""

from pathlib import Path

import numpy as np
import pytest

from qeframe.core.errors import DataError
from qeframe.core.loader import load
from qeframe.core.ragged import Ragged
from qeframe.core.reader import Reader
from qeframe.data.validate import validate_submission
from tests.plugins.qeframe_wmt.readings import refused

HEAD = "100\n20\n-\n"
SENTENCES = HEAD + "en-de\tm\t0\t.5\nen-de\tm\t1\t.25\n"
WORDS = "en-de\tm\tmt\t0\t0\tein\tOK\nen-de\tm\tmt\t0\t1\tHaus\tBAD\nen-de\tm\tmt\t1\t0\tja\tOK\n"
SPANS = "LP\tMETHOD\tSEG\tTARGET\tSTARTS\tENDS\tTYPES\n"
MARKED = "en-de\tm\t0\tabcdef\t1\t3\tminor\nen-de\tm\t1\tghi\t-1\t-1\tno-error\n"
TABLE = "source_lang\ttarget_lang\tdoc_id\tsegment_id\tset_id\tsystem_id\thypothesis_segment\t"
TABLE += "start_indices\tend_indices\terror_types\n"
CELLS = "en\tde\td\t1\tofficial\ts\tabcdef\t0\t2\tmajor\nen\tde\td\t2\tofficial\ts\tgh\t\t\tno-error\n"
SIX = "1.1\t0\tein\tOK\tOK\tOK\n1.1\t1\tHaus\tOK\tOK\tBAD\n1.2\t0\tja\tOK\tOK\tOK\n"
FIVE = "m\t0\t0\tein\tOK\nm\t0\t1\tHaus\tBAD\nm\t1\t0\tja\tOK\n"
TAGS = "OK BAD\nOK\n"
TEXT = "the house\nyes\n"
FORMATS = {
    # gold, submission, whether the units are lines of a source text
    "qe_sentence": ("1\n2\n", SENTENCES, True),
    "qe_four_columns": ("1\n2\n", "A\t1\t.5\t0\nB\t1\t.1\t2\nA\t2\t.25\t0\nB\t2\t.2\t1\n", True),
    "qe_four_columns(column=rank)": ("1\n2\n", "A\t1\t.5\t2\nA\t2\t.25\t1\n", True),
    "qe_plain": ("1\n2\n", ".5\n.25\n", True),
    "qe_detection": ("OK\nBAD\n", SENTENCES, True),
    "qe_detection(answers=classes)": ("OK\nBAD\n", HEAD + "en-de\tm\t0\tOK\nen-de\tm\t1\tBAD\n", True),
    "explained_sentences": ("1\n2\n", ".5\n.25\n", True),
    "explained_words": (TAGS, ".1 .2\n.3\n", True),
    "tag_lines": (TAGS, "OK OK\nBAD\n", True),
    "tag_lines(layout=words_and_gaps,stream=gaps)": ("OK BAD OK\nOK\n", "OK OK BAD\nBAD\n", True),
    "word_columns_2014": (SIX, SIX, False),
    "word_columns_2015": (TAGS, FIVE, True),
    "word_columns_2020": (TAGS, HEAD + WORDS, True),
    "spans_2023": (SPANS + MARKED, HEAD + MARKED, False),
    "spans_2025": (TABLE + CELLS, TABLE + CELLS, False),
}
every_format = pytest.mark.parametrize("call", FORMATS)


@pytest.fixture(scope="module")
def registry():
    return load()


@pytest.fixture
def read(registry, tree):
    """Read a submission alone, with the text of an input."""

    def alone(call, text, like=None):
        tree({"a.txt": text} | ({} if like is None else {"in.txt": like}))
        return validate_submission(registry.get(Reader, call), Path("a.txt"), None if like is None else Path("in.txt"))

    return alone


def same(one, other):
    if isinstance(one, Ragged):
        return same(one.values, other.values) and np.array_equal(one.offsets, other.offsets)
    return np.array_equal(one, other)


@every_format
def test_as_with_a_gold(registry, read, tree, call):
    gold, text, _ = FORMATS[call]
    tree({"t/gold.txt": gold, "t/submissions/a.txt": text})
    (reading,) = registry.get(Reader, call).read(Path("t"), "low")
    alone = read(call, text)
    assert [part.answers.name for part in alone] == [side.name for side in reading.submissions]
    for part, side in zip(alone, reading.submissions, strict=True):
        assert part.part in ("", "en-de")
        assert same(part.answers.values, side.values)
        assert part.answers.lines.tolist() == side.lines.tolist()
        assert part.answers.ids.tolist() == side.ids.tolist()
        assert part.answers.stated == side.stated


@every_format
def test_against_itself_and_a_text(read, call):
    _, text, lines = FORMATS[call]
    assert read(call, text, text)
    if lines:
        assert read(call, text, TEXT)
        with pytest.raises(DataError, match=r"segment \d of in\.txt:3 is missing: 2 of 3 segments are there"):
            read(call, text, TEXT + "no\n")
        with pytest.raises(DataError, match=r"a\.txt:\d: segment \d is not in in\.txt"):
            read(call, text, "yes\n")
    else:
        with pytest.raises(DataError, match=r"in\.txt: it is not in the format of the submission"):
            read(call, text, TEXT)


@pytest.mark.parametrize(
    ("call", "like", "message"),
    [
        ("tag_lines", "OK\nOK\n", "a.txt:1: 2 tags in sentence 1, the gold has 1 (in.txt:1)"),
        ("explained_words", ".1 .2\n.1 .2\n", "a.txt:2: 1 number in sentence 2, the gold has 2 (in.txt:2)"),
        (
            "word_columns_2020",
            HEAD + WORDS.replace("Haus", "Boot"),
            "a.txt:5: word 'Haus', the gold has 'Boot' (in.txt:5)",
        ),
        ("word_columns_2015", FIVE.replace("Haus", "Boot"), "a.txt:2: word 'Haus', the gold has 'Boot' (in.txt:2)"),
        ("word_columns_2014", SIX.replace("ja", "nein"), "a.txt:3: word 'ja', the gold has 'nein' (in.txt:3)"),
        ("word_columns_2020", HEAD + WORDS.replace("-de", "-cs"), "a.txt:4: language pair 'en-de' is not in in.txt"),
        ("spans_2023", HEAD + MARKED.replace("ghi", "gh"), "a.txt:5: another translation of segment 1 than"),
        ("spans_2025", TABLE + CELLS.replace("abcdef", "ab"), "a.txt:2: another translation of segment en/de/d/1"),
        ("spans_2025", TABLE + CELLS.replace("d\t2", "d\t3"), "a.txt:3: segment en/de/d/2/official/s is not in in.txt"),
    ],
)
def test_another_baseline(read, call, like, message):
    assert refused(read, call, FORMATS[call][1], like).startswith(message)


def test_what_is_left_out_is_counted(read):
    (part,) = read("word_columns_2020", HEAD + WORDS + "en-de\tm\tgap\t0\t0\t-\tOK\n")
    assert [(note.what, note.count) for note in part.dropped] == [("line", 1)]
    (part,) = read("spans_2025", TABLE + CELLS + CELLS.replace("official", "extra").splitlines()[0] + "\n")
    assert [(note.what, note.count) for note in part.dropped] == [("line", 1)]
    (part,) = read("qe_four_columns", "A\t1\t.5\t0\nB\t1\t0\t1\n")
    assert part.dropped[0].reason.startswith("B submitted no scores")


def test_a_track_has_several_language_pairs(read):
    both = SENTENCES + "en-cs\tm\t0\t.5\n"
    track = 'qe_sentence(published=["task1_da"],track=multilingual)'
    assert [part.part for part in read(track, both, both)] == ["en-de", "en-cs"]
    with pytest.raises(DataError, match="LP 'en-cs' after 'en-de'"):
        read("qe_sentence", both)


def test_readers_that_read_no_submission_alone(registry, read):
    with pytest.raises(DataError, match="the reader 'graham_table' cannot read a submission without the gold"):
        read("graham_table", "")


SCORES = "A\t.5\nA\tNone\nB\t.1\nB\t.2\n"


def test_scores_of_systems(read, registry, tree):
    first, second = read("mtme", SCORES, TEXT)
    assert (first.part, first.answers.ids.tolist(), first.answers.lines.tolist()) == ("A", [1, 2], [1, 2])
    assert [note.reason for note in first.dropped] == ["None of A"]
    assert (second.answers.values.tolist(), second.dropped) == ([0.1, 0.2], ())
    with pytest.raises(DataError, match=r"system 'B' of in\.txt is missing"):
        read("mtme", "A\t.5\nA\t1\n", SCORES)
    with pytest.raises(DataError, match=r"1 lines of B, but 2 of A"):
        read("mtme", SCORES.replace("B\t.2\n", ""))
    tree({"BLEU-refA.sys.score": SCORES})
    with pytest.raises(DataError, match=r"BLEU-refA\.sys\.score:2: 2 lines of A in a file of system scores"):
        validate_submission(registry.get(Reader, "mtme"), Path("BLEU-refA.sys.score"))


OF_2012 = "".join(f"M\tcs-en\tnt\t{s}\t{i}\t.{i}\n" for s in ("A", "B") for i in (1, 2))
OF_2020 = "".join(f"M\tcs-en\tnt\t{r}\t{s}\td\t{i}\t.{i}\n" for r in ("ref", "all") for s in ("A", "B") for i in (1, 2))


@pytest.mark.parametrize(
    ("call", "text", "segment"),
    [
        ("rankings", OF_2012, "1 of A"),
        ("decided_pairs", OF_2012, "1 of A"),
        ("wmt20_darr(reference_set=ref)", OF_2020, "d::1 of A"),
    ],
)
def test_scores_of_metrics(read, call, text, segment):
    (part,) = read(call, text, text)
    assert (part.part, part.answers.name) == ("cs-en", "M")
    assert (part.answers.values.tolist(), part.answers.unit_name(0)) == ([0.1, 0.2, 0.1, 0.2], segment)
    assert part.answers.lines.tolist() == [1, 2, 3, 4]
    lines = text.splitlines(keepends=True)
    with pytest.raises(DataError, match="M has no score of segment"):
        read(call, "".join(lines[1:]))
    with pytest.raises(DataError, match=r"a\.txt:\d: segment .*1 of A is scored twice, first on line 1"):
        read(call, lines[0] + text)
    with pytest.raises(DataError, match=f"segment {segment} is not in in.txt"):
        read(call, text, "".join(line for line in lines if "\tA\t" not in line))
    with pytest.raises(DataError, match=f"segment {segment} of in.txt:1 is missing"):
        read(call, "".join(line for line in lines if "\tA\t" not in line), text)


def test_scores_of_2020_with_another_reference(read):
    (part,) = read("wmt20_darr(reference_set=ref)", OF_2020)
    assert [(note.what, note.count) for note in part.dropped] == [("score", 4)]
    with pytest.raises(DataError, match=r"a\.txt:1: no score is of the REFSET newstest2020; correct it"):
        read("wmt20_darr", OF_2020)


def test_scores_of_systems_of_a_metric(read):
    (part,) = read("rankings(level=sys)", "M\tcs-en\tnt\tA\t.5\nM\tcs-en\tnt\tB\t.25\n")
    assert (part.answers.unit_name(1), part.answers.values.tolist()) == ("B", [0.5, 0.25])
    (part,) = read("wmt20_systems(reference_set=ref)", "M\tcs-en\tnt\tref\tA\t.5\n")
    assert part.answers.unit_name(0) == "A"


# --- blind test data with ids -----------------------------------------------------------------------------------------

IDS = "qe_detection(header_lines=2, answers=classes, segments=ids)"
CLASSES = "10\n20\nen-de\tm\t17\tERR\nen-de\tm\t4\tNOT\n"
BLIND = "4\tThe house\tDas Haus\n17\tyes\tja\n"


def test_blind_test_data_with_ids(read):
    (part,) = read(IDS, CLASSES, BLIND)
    assert part.answers.ids.tolist() == [17, 4]
    (part,) = read(IDS, CLASSES, CLASSES)
    assert part.answers.ids.tolist() == [17, 4]


@pytest.mark.parametrize(
    ("answers", "like", "message"),
    [
        (CLASSES.replace("\t17", "\t0"), BLIND, "a.txt:3: segment 0 is not in in.txt"),
        (CLASSES.removesuffix("en-de\tm\t4\tNOT\n"), BLIND, "segment 4"),
        (
            CLASSES,
            TEXT,
            "in.txt:1: the input has no ids of segments: line numbers are no ids; give the blind test data",
        ),
        (CLASSES, BLIND.replace("4\t", "x\t"), "in.txt:1: 'x' is no"),
    ],
)
def test_blind_test_data_that_does_not_fit(read, answers, like, message):
    assert message in refused(read, IDS, answers, like)
