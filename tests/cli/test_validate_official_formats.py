"""``qeframe validate`` on the formats of the QE tasks of 2020 to 2023: every published file, and broken copies."""

from collections.abc import Callable, Mapping, Sequence

import pytest

pytestmark = pytest.mark.newest  # files of many formats, read alike with old dependencies

_OF_2020, _OF_2021 = "wmt20-qe/submissions", "wmt21-qe-repository/submissions"
_OF_2022, _OF_2023 = "wmt22-qe-repository/official_submissions", "wmt23-qe-repository/submissions"
PUBLISHED = {
    "wmt20_qe_sentence": (f"{_OF_2020}/task1_da", "*/*/predictions.txt", 3),
    "wmt21_qe_sentence": (f"{_OF_2021}/task1_da", "*/*/predictions.txt", 8),
    "wmt21_qe_hter": (f"{_OF_2021}/task2_hter", "*/*/predictions.txt", 8),
    "wmt21_qe_word": (f"{_OF_2021}/task2_word", "*/*/predictions_mt.txt", 2),
    "wmt21_qe_word_source": (f"{_OF_2021}/task2_word", "*/*/predictions_src.txt", 2),
    "wmt21_qe_word_gaps": (f"{_OF_2021}/task2_word", "*/*/predictions_gaps.txt", 2),
    "wmt21_qe_critical": (f"{_OF_2021}/task3_ced", "*/*/predictions.txt", 3),
    "wmt22_qe_sentence_da": (f"{_OF_2022}/task1_da", "??-??/*/predictions.txt", 15),
    "wmt22_qe_sentence_da_multilingual_wo_en_yo": (
        f"{_OF_2022}/task1_da",
        "multilingual_wo_en-yo/*/predictions.txt",
        6,
    ),
    "wmt22_qe_sentence_mqm": (f"{_OF_2022}/task1_mqm", "*/*/predictions.txt", 10),
    "wmt22_qe_word": (f"{_OF_2022}/task1_word-level", "*/*/predictions.txt", 9),
    "wmt22_qe_explainable": (f"{_OF_2022}/task2_explainQE", "*/*/target.submission", 8),
    "wmt22_qe_explainable_sentence": (f"{_OF_2022}/task2_explainQE", "*/*/sentence.submission", 8),
    "wmt22_qe_critical_constrained": (f"{_OF_2022}/task3_ced/constrained", "*/*/predictions.txt", 2),
    "wmt22_qe_critical_unconstrained": (f"{_OF_2022}/task3_ced/unconstrained", "*/*/predictions.txt", 3),
    "wmt23_qe_sentence": (f"{_OF_2023}/task1_sentence_level", "*/predictions.txt", 5),
    "wmt23_qe_hallucination": (f"{_OF_2023}/task1_sentence_level", "*/predictions.txt", 5),
    "wmt23_qe_word": (f"{_OF_2023}/task1_word_level", "*/predictions.txt", 5),
    "wmt23_qe_span": (f"{_OF_2023}/task2", "*/predictions.txt", 5),
}
"""The folder of each profile, the pattern of the files in it, and their number."""


@pytest.mark.parametrize("profile", PUBLISHED)
def test_every_published_submission_is_valid(qeframe_command, shared_data, profile):
    place, pattern, count = PUBLISHED[profile]
    files = sorted(shared_data(place).glob(pattern))
    assert len(files) == count
    for file in files:
        outcome = qeframe_command("validate", profile, file)
        if file.parent.name == "const" and profile.endswith(("sentence", "hter")):
            assert "is undefined for these answers" in outcome.err, file
        else:
            assert (outcome.status, outcome.err) == (0, ""), file


Break = Callable[[list[str]], list[str]]
"""Return the lines of a file with one mistake."""


def _cell(row: int, column: int, text: str) -> Break:
    """Replace a cell; rows and columns from the end if negative."""

    def broken(lines: list[str]) -> list[str]:
        cells = lines[row].split("\t")
        cells[column] = text
        lines[row] = "\t".join(cells)
        return lines

    return broken


def _line(row: int, change: Callable[[str], str]) -> Break:
    def broken(lines: list[str]) -> list[str]:
        lines[row] = change(lines[row])
        return lines

    return broken


def _insert(row: int, line: str) -> Break:
    return lambda lines: [*lines[:row], line, *lines[row:]]


_TABLE: Mapping[str, Break] = {
    "an empty file": lambda _: [],
    "a header line more": _insert(0, "1000"),
    "the names of the columns": _insert(0, "LP\tMETHOD\tSEG\tSCORE"),
    "a line twice": lambda lines: [*lines, lines[-1]],
    "a column less": _line(-1, lambda line: line.rpartition("\t")[0]),
    "a column more": _line(-1, lambda line: f"{line}\t0"),
    "blanks in place of tabs": _line(-1, lambda line: line.replace("\t", " ")),
    "a second method": _cell(-1, 1, "other"),
    "no language pair": _cell(-1, 0, ""),
    "a NUL byte": _cell(-1, 0, "en-de\0"),
    "a byte-order mark within": _cell(-1, 1, "\ufeffm"),
}
"""Mistakes in any table that begins with LP and METHOD."""


def _segment(column: int) -> Mapping[str, Break]:
    return {
        "a segment that is no number": _cell(-1, column, "one"),
        "a segment below 0": _cell(-1, column, "-1"),
        "a segment that is no whole number": _cell(-1, column, "1.5"),
    }


_SCORES: Mapping[str, Break] = {
    **_TABLE,
    **_segment(2),
    "an empty line": _insert(-1, ""),
    "a word as a score": _cell(-1, 3, "good"),
    "no score": _cell(-1, 3, ""),
    "nan": _cell(-1, 3, "nan"),
    "an infinite score": _cell(-1, 3, "inf"),
    "a decimal comma": _cell(-1, 3, "0,5"),
}
_CLASSES: Mapping[str, Break] = {
    **_TABLE, **_segment(2), "an empty line": _insert(-1, ""), "an unknown class": _cell(-1, 3, "MAYBE"),
    "no class": _cell(-1, 3, ""), "a score as a class": _cell(-1, 3, "0.5"),
}  # fmt: skip
_WORDS: Mapping[str, Break] = {
    **_TABLE,
    **_segment(3),
    "an empty line": _insert(-1, ""),
    "another type": _cell(-1, 2, "phrase"),
    "an index that is no number": _cell(-1, 4, "one"),
    "a word left out": lambda lines: [*lines[:-2], lines[-1]],
    "an unknown tag": _cell(-1, 6, "MAYBE"),
    "no tag": _cell(-1, 6, ""),
    "a score as a tag": _cell(-1, 6, "0.5"),
}
_SPANS: Mapping[str, Break] = {
    **_TABLE,
    **_segment(2),
    "a start without an end": _cell(-1, 4, "0 2"),
    "a type without a span": _cell(-1, 6, "minor major"),
    "an unknown type": _cell(-1, 6, "critical"),
    "a start that is no number": _cell(-1, 4, "one"),
    "an end before the start": _cell(-1, 5, "-5"),
    "no type": _cell(-1, 6, ""),
}
_NUMBERS: Mapping[str, Break] = {
    "an empty file": lambda _: [],
    "the name of the column": _insert(0, "score"),
    "a word": _line(1, lambda _: "good"),
    "nan": _line(1, lambda _: "nan"),
    "an infinite number": _line(1, lambda _: "-inf"),
    "a decimal comma": _line(1, lambda _: "0,5"),
    "a class": _line(1, lambda _: "BAD"),
    "no number": _line(1, lambda _: "-"),
    "two signs": _line(1, lambda _: "--1"),
    "a fraction": _line(1, lambda _: "1/2"),
    "columns of a table": _line(1, lambda line: f"en-de\tm\t1\t{line}"),
    "two decimal points": _line(1, lambda _: "0.5.1"),
}

_PAIR_ROWS = ["en-de\tm\t0\t0.5", "en-de\tm\t2\t-1", "en-de\tm\t1\t0.25"]
_CLASS_ROWS = ["en-de\tm\t2407\tNOT", "en-de\tm\t7270\tERR", "en-de\tm\t9\tNOT"]
_SPAN_ROWS = ["zh-en\tm\t0\tA cat sat.\t-1\t-1\tno-error", "zh-en\tm\t1\tThe end.\t0\t3\tminor"]


def _words(kind: str, words: Sequence[str]) -> list[str]:
    tags = ["OK", "BAD"]
    return [
        f"en-de\tm\t{kind}\t{segment}\t{index}\t{word}\t{tags[index % 2]}"
        for segment in range(2)
        for index, word in enumerate(words)
    ]


FORMATS = {
    "wmt20_qe_sentence": (_PAIR_ROWS, _SCORES),
    "wmt21_qe_sentence": (["1", "2", *_PAIR_ROWS], _SCORES),
    "wmt21_qe_hter": (["1", "2", *_PAIR_ROWS], _SCORES),
    "wmt21_qe_word": (["1", "2", *_words("mt", ["Der", "Hund", "bellt"])], _WORDS),
    "wmt21_qe_word_source": (["1", "2", *_words("source", ["The", "dog", "barks"])], _WORDS),
    "wmt21_qe_word_gaps": (["1", "2", *_words("gap", ["gap"] * 4)], _WORDS),
    "wmt21_qe_critical": (["1", "2", *_CLASS_ROWS], _CLASSES),
    "wmt22_qe_sentence_da": (["1", "2", "-", *_PAIR_ROWS], _SCORES),
    "wmt22_qe_word": (["1", "2", "1", *_words("MT", ["Der", "Hund", "<EOS>"])], _WORDS),
    "wmt22_qe_explainable": (["0.5 1e-05 2", "-1 0.25", "3"], _NUMBERS),
    "wmt22_qe_explainable_sentence": (["0.5", "-1", "0.25"], {**_NUMBERS, "an empty line": _insert(1, "")}),
    "wmt22_qe_critical_constrained": (["1", "2", "1", *_PAIR_ROWS], _SCORES),
    "wmt23_qe_sentence": (["1", "2", "1", *_PAIR_ROWS], _SCORES),
    "wmt23_qe_hallucination": (["1", "2", "1", *_PAIR_ROWS], _SCORES),
    "wmt23_qe_word": (["1", "2", "1", *_words("mt", ["Der", "Hund", "<EOS>"])], _WORDS),
    "wmt23_qe_span": (["1", "2", "1", *_SPAN_ROWS], _SPANS),
}
"""The lines of a small submission of each format, and what can be wrong with it."""


_WITH_A_HEADER: Mapping[str, Break] = {
    "a header line less": lambda lines: lines[1:],
    "an empty header line": _line(1, lambda _: " "),
}


@pytest.mark.parametrize("profile", FORMATS)
def test_broken_copies_are_refused(qeframe_command, tmp_path, profile):
    lines, mistakes = FORMATS[profile]
    if "\t" in lines[-1] and "\t" not in lines[0]:
        mistakes = {**mistakes, **_WITH_A_HEADER}
    assert len(mistakes) >= 12
    file = tmp_path / "predictions.txt"
    file.write_text("\n".join([*lines, ""]), encoding="utf-8")
    outcome = qeframe_command("validate", profile, file)
    assert (outcome.status, outcome.err) == (0, "")
    for mistake, broken in mistakes.items():
        file.write_text("".join(f"{line}\n" for line in broken(list(lines))), encoding="utf-8")
        outcome = qeframe_command("validate", profile, file)
        said = outcome.err.removeprefix("qeframe: ")
        assert outcome.status == 2, mistake
        assert said.startswith(str(file)), mistake
        assert "; " in said, mistake


def test_line_numbers_in_place_of_published_ids_are_refused(qeframe_command, refused, shared_data):
    root = shared_data("wmt21-qe-repository")
    right = root / "submissions/task3_ced/en-de/noisy/predictions.txt"
    wrong = root / "traps/task3_ced/en-de/line_numbers/predictions.txt"
    assert qeframe_command("validate", "wmt21_qe_critical", right, "--like", right).status == 0
    assert "line_numbers" in refused("validate", "wmt21_qe_critical", wrong, "--like", right)
