"""Errors of documents, one a line, with one or more spans."""

import random

import numpy as np
import pytest

import qeframe
from qeframe_wmt.readers.spans.wmt19_to_20_annotations import document_annotations
from tests.plugins.qeframe_wmt.readings import refused
from tests.written import write_files

GOLD = "A\t0\t4\t3\tminor\nB\t13 13\t2 9\t3 4\tcritical\nA\t2\t0\t5\tmajor\n"
SAME = "A\t2\t0\t5\tmajor\nA\t0\t4\t3\tminor\nB\t13 13\t2 9\t3 4\tcritical\n"


def folder(path, gold=GOLD, **submissions):
    return write_files(
        path, {"gold.txt": gold, **{f"submissions/{name}.txt": text for name, text in submissions.items()}}
    )


def read(path, **parameters):
    (reading,) = document_annotations(**parameters).read(path, "low")
    return reading


def test_documents_errors_and_their_spans(tmp_path):
    reading = read(folder(tmp_path, one=SAME))
    gold = reading.gold.values
    assert dict(reading.gold.names) == {0: "A", 1: "B"}
    assert gold.text.tolist() == [7 + 2 + 5 + 2, 13 + 2]
    assert [row.tolist() for row in gold] == [[[4, 7, 0], [9, 14, 1]], [[2, 5, 2], [9, 13, 2]]]
    assert len(set(gold.errors.tolist())) == 3
    assert gold.errors[2] == gold.errors[3]
    evaluation = qeframe.evaluate("wmt19_qe_document_annotations", tmp_path)
    assert {name: result.value for name, result in evaluation.submissions[0].scores.items()} == {
        "annotation_f1(documents=annotated)": 1.0,
        "annotation_precision(documents=annotated)": 1.0,
        "annotation_recall(documents=annotated)": 1.0,
        "annotation_f1": 1.0,
    }


def test_a_document_that_a_submission_leaves_out(tmp_path):
    evaluation = qeframe.evaluate("wmt19_qe_document_annotations", folder(tmp_path, one="A\t0\t4\t3\tminor\n"))
    scores = evaluation.submissions[0].scores
    f1 = 2 * 1 * 0.5 / 1.5
    assert scores["annotation_f1(documents=annotated)"].value == pytest.approx(f1)
    assert scores["annotation_f1"].value == pytest.approx(f1 / 2)


def test_documents_without_an_error_are_listed(tmp_path):
    path = folder(tmp_path, one="C\t0\t1\t2\tminor\n")
    assert "document 'C' is not in the gold; correct the id, or list every document in documents.txt" in refused(
        read, path
    )
    (path / "documents.txt").write_text("C\nA\nB\n")
    reading = read(path)
    assert reading.gold.values.lengths.tolist() == [0, 2, 2]
    assert reading.submissions[0].values.lengths.tolist() == [1, 0, 0]
    (path / "documents.txt").write_text("C\nA\n")
    assert "gold.txt:2: document 'B' is not in" in refused(read, path)
    (path / "documents.txt").write_text("C\nC\n")
    assert "documents.txt:2: 'C' is no new document" in refused(read, path)


def test_the_layout_of_2020_and_more_columns(tmp_path):
    gold = "A\t0\t4\t3\tminor\t1\tAgreement\nA\t0\t1\t1\tmajor\t5\tTense\n"
    reading = read(folder(tmp_path, gold, one="M\tA\t0\t4\t3\tminor\n"), layout=2020)
    assert reading.gold.values.categories == ("Agreement", "Tense")
    assert reading.gold.values.values[:, 3].tolist() == [0, 1]


def test_an_error_whose_spans_overlap(tmp_path):
    path = folder(tmp_path, one=SAME + "A\t0 0\t1 3\t3 1\tminor\n")
    assert "one.txt:4: spans of one error overlap" in refused(read, path)
    reading = read(path, overlapping="drop")
    assert [(each.what, each.count) for each in reading.dropped] == [("error", 1)]
    assert len(reading.submissions[0].values.values) == 4


def slow_f1(gold, system):
    """Compute the official score from lines of both files, document by document."""

    def parse(text):
        found = {}
        for line in text.splitlines():
            document, lines, starts, lengths, severity = line.split("\t")
            spans = zip(*(map(int, cell.split()) for cell in (lines, starts, lengths)), strict=True)
            found.setdefault(document, []).append((severity, [(at, s, s + n) for at, s, n in spans]))
        return found

    names = ("minor", "major", "critical")

    def share(one, others):
        length = sum(end - start for _, start, end in one[1])
        credits = [
            (1 - abs(names.index(one[0]) - names.index(severity)) / 2)
            * sum(max(0, min(b[2], e[2]) - max(b[1], e[1])) for b in one[1] for e in spans if b[0] == e[0])
            for severity, spans in others
        ]
        return max(credits, default=0) / length

    truth, answers, values = parse(gold), parse(system), []
    for document, errors in answers.items():
        p = np.mean([share(each, truth.get(document, [])) for each in errors])
        r = np.mean([share(each, errors) for each in truth[document]])
        values.append(2 * p * r / (p + r) if p + r else 0.0)
    return np.mean(values)


def test_a_generated_task_by_a_slow_reading_of_the_files(tmp_path):
    rng = random.Random(19)

    def errors():
        lines = []
        for document in range(30):
            for _ in range(rng.randint(1, 5)):
                parts = rng.randint(1, 3)
                starts = [12 * part + rng.randint(0, 5) for part in range(parts)]
                cells = ([rng.randint(0, 4)] * parts, starts, [rng.randint(1, 6) for _ in range(parts)])
                severity = ("minor", "major", "critical")[rng.randint(0, 2)]
                lines.append(f"D{document}\t" + "\t".join(" ".join(map(str, c)) for c in cells) + f"\t{severity}\n")
        return "".join(lines)

    gold, one, two = errors(), errors(), errors()
    evaluation = qeframe.evaluate("wmt19_qe_document_annotations", folder(tmp_path, gold, one=one, two=two))
    found = {s.name: s.scores[evaluation.primary].value for s in evaluation.submissions}
    assert found == pytest.approx({"one": slow_f1(gold, one), "two": slow_f1(gold, two)}, abs=1e-12)
