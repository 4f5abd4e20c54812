"""``qeframe validate`` on the submissions of the QE repositories: as they are, and broken in a dozen ways each."""

import re

import pytest

from qeframe.cli import main

pytestmark = pytest.mark.slow

FORMATS = {
    "wmt20_qe_sentence": ("wmt20-qe/submissions/task1_da", "predictions.txt", 0),
    "wmt21_qe_sentence": ("wmt21-qe-repository/submissions/task1_da", "predictions.txt", 2),
    "wmt21_qe_hter": ("wmt21-qe-repository/submissions/task2_hter", "predictions.txt", 2),
    "wmt21_qe_critical": ("wmt21-qe-repository/submissions/task3_ced", "predictions.txt", 2),
    "wmt21_qe_word": ("wmt21-qe-repository/submissions/task2_word", "predictions_mt.txt", 2),
    "wmt21_qe_word_source": ("wmt21-qe-repository/submissions/task2_word", "predictions_src.txt", 2),
    "wmt21_qe_word_gaps": ("wmt21-qe-repository/submissions/task2_word", "predictions_gaps.txt", 2),
    "wmt22_qe_sentence_da": ("wmt22-qe-repository/official_submissions/task1_da/en-cs", "predictions.txt", 3),
    "wmt22_qe_word": ("wmt22-qe-repository/official_submissions/task1_word-level/en-de", "predictions.txt", 3),
    "wmt22_qe_critical_constrained": (
        "wmt22-qe-repository/official_submissions/task3_ced/constrained",
        "predictions.txt",
        3,
    ),
    "wmt23_qe_sentence": ("wmt23-qe-repository/submissions/task1_sentence_level", "predictions.txt", 3),
    "wmt23_qe_hallucination": ("wmt23-qe-repository/submissions/task1_sentence_level", "predictions.txt", 3),
    "wmt23_qe_word": ("wmt23-qe-repository/submissions/task1_word_level", "predictions.txt", 3),
    "wmt23_qe_span": ("wmt23-qe-repository/submissions/task2", "predictions.txt", 3),
}
"""The folder of the submissions of a profile, the name of their files, and the number of header lines."""


def changed(column, text):
    def change(head, rows):
        cells = rows[20].split("\t")
        cells[column] = text
        return [*head, *rows[:20], "\t".join(cells), *rows[21:]]

    return change


BROKEN = {
    "a header line more": lambda head, rows: ["3", *head, *rows],
    "a column less": lambda head, rows: [*head, *rows[:20], rows[20].rpartition("\t")[0], *rows[21:]],
    "a column more": lambda head, rows: [*head, *rows[:20], f"{rows[20]}\tx", *rows[21:]],
    "blanks in place of tabs": lambda head, rows: [*head, *rows[:20], rows[20].replace("\t", " "), *rows[21:]],
    "an empty line": lambda head, rows: [*head, *rows[:20], "", *rows[20:]],
    "a line twice": lambda head, rows: [*head, *rows[:20], rows[19], *rows[20:]],
    "no line after the header": lambda head, rows: head,
    "another METHOD": changed(1, "somebody else"),
    "a value that is none": changed(-1, "what"),
    "an empty value": changed(-1, ""),
    "a NUL byte": changed(0, "en-de\0"),
    "a byte-order mark within": changed(1, "\ufeffm"),
}
OF_SEGMENTS = {"a segment without a number": changed(2, "x"), "a negative segment": changed(2, "-4")}
OF_WORDS = {"an unknown TYPE": changed(2, "words"), "a segment without a number": changed(3, "x")}
WITH_A_HEADER = {
    "a header line less": lambda head, rows: [*head[1:], *rows],
    "an empty header line": lambda head, rows: [*head[:-1], " ", *rows],
}


def files_of(shared_data, profile):
    place, name, header = FORMATS[profile]
    return sorted(path for path in shared_data(place).rglob(name)), header


@pytest.mark.parametrize("profile", FORMATS)
def test_published_submissions_are_valid(shared_data, profile, capsys):
    files, _ = files_of(shared_data, profile)
    assert files
    for file in files:
        main(["validate", profile, str(file)])
        assert f"is valid for {profile}" in capsys.readouterr().out


@pytest.mark.parametrize("profile", FORMATS)
def test_broken_submissions_are_refused_in_one_line(shared_data, profile, tmp_path, capsys):
    files, header = files_of(shared_data, profile)
    lines = files[0].read_text(encoding="utf-8").split("\n")
    head, rows = lines[:header], lines[header : header + 60]
    ways = BROKEN | (OF_WORDS if "word" in profile else OF_SEGMENTS) | (WITH_A_HEADER if header else {})
    assert len(ways) >= 12
    file = tmp_path / "predictions.txt"
    wrong = []
    for way, change in ways.items():
        file.write_text("\n".join(change(head, rows)) + "\n", encoding="utf-8")
        status = 0
        try:
            main(["validate", profile, str(file)])
        except SystemExit as stopped:
            status = stopped.code
        said = capsys.readouterr().err
        if status != 2 or not re.fullmatch(r"qeframe: \S*predictions\.txt(:\d+)?: [^\n]+; [^\n]+\n", said):
            wrong.append((way, status, said))
    assert not wrong
