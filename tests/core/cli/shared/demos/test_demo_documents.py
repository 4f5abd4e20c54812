"""Generated errors of documents: readable by the profile, and joint errors are worth more than single spans."""

import numpy as np

import qeframe
from qeframe.cli.shared.demos.demo_documents import annotated_documents
from qeframe.cli.shared.demos.demo_files import write_demo


def test_errors_have_one_or_several_spans_of_documents_that_are_listed():
    files = annotated_documents(np.random.default_rng(1))
    listed = files["documents.txt"].split()
    rows = [line.split("\t") for line in files["gold.tsv"].splitlines()]
    assert {document for document, *_ in rows} < set(listed), "some document has no error"
    spans = [len(lines.split()) for _, lines, *_ in rows]
    assert {1, 2, 3} == set(spans)
    assert all(
        len(starts.split()) == len(lengths.split()) == n
        for (_, _, starts, lengths, _), n in zip(rows, spans, strict=True)
    )


def test_the_generated_task_is_evaluated(tmp_path):
    profile, folder = write_demo("document_annotations", tmp_path, 1)
    assert profile == "wmt19_qe_document_annotations"
    evaluation = qeframe.evaluate(profile, folder, settings=["test=", "interval=", "secondary+=[mpp_f]"])
    scores = {s.name: {name: of.value for name, of in s.scores.items()} for s in evaluation.submissions}
    joint, single = scores["Quince-joint"], scores["Quince-single"]
    assert joint["annotation_f1"] > single["annotation_f1"] > scores["baseline"]["annotation_f1"]


def test_equal_seeds_give_equal_files():
    first, again, other = (annotated_documents(np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
