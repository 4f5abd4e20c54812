"""``qeframe validate`` on every published file of the QE tasks of 2020 to 2023; broken ones are with the readers."""

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


def test_line_numbers_in_place_of_published_ids_are_refused(qeframe_command, refused, shared_data):
    root = shared_data("wmt21-qe-repository")
    right = root / "submissions/task3_ced/en-de/noisy/predictions.txt"
    wrong = root / "traps/task3_ced/en-de/line_numbers/predictions.txt"
    assert qeframe_command("validate", "wmt21_qe_critical", right, "--like", right).status == 0
    assert "line_numbers" in refused("validate", "wmt21_qe_critical", wrong, "--like", right)
