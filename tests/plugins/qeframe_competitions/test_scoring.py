"""One submission scored: the numbers of an evaluation, and lines that say nothing of the gold."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError
from qeframe_competitions.prepare import prepare
from qeframe_competitions.scoring import RefusedError, Scored, UnusableReferenceError, score_submission
from tests.plugins.qeframe_competitions.small_files import MQM, SENTENCE, WORD, answers, scores, words, write


def try_out(prepared, registry, root: Path, files: dict[str, str]) -> Scored:
    """Score files as the platform would."""
    for name, content in (*prepared.reference.items(), *((f"../program/{n}", c) for n, c in prepared.beside.items())):
        path = root / "ref" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "program").mkdir(exist_ok=True)
    write(root / "res", files)
    return score_submission(prepared.competition, root / "program", root / "ref", root / "res", registry)


@pytest.fixture
def tried(registry, tmp_path):
    """Score files by a competition that is made ready."""

    def score(profile, gold, files, **options):
        return try_out(prepare(profile, gold, registry, **options), registry, tmp_path, files)

    return score


def evaluated(profile, gold, name, **options):
    """Return the scores of a submission in an evaluation."""
    evaluation = qeframe.evaluate(profile, gold, **options)
    return next(each.scores for each in evaluation.submissions if each.name == name)


def test_the_scores_are_those_of_an_evaluation(tried, sentence_gold):
    scored = tried(SENTENCE, sentence_gold, answers())
    expected = evaluated(SENTENCE, sentence_gold, "team")
    for metric, result in expected.items():
        assert scored.scores[metric] == pytest.approx(result.value, abs=1e-12)
        for task, one in result.tasks.items():
            assert scored.scores[f"{task.replace('-', '_')}_{metric}"] == pytest.approx(one.value, abs=1e-12)
    assert len(scored.scores) == 3 * len(expected)
    assert [(part.part, part.answers.name) for part in scored.parts] == [("en-cs", "en-cs.txt"), ("en-de", "en-de.txt")]


def test_tags(tried, word_gold):
    files = {"out/answers.txt": words("en-de", ["BAD BAD OK", "OK BAD"])}
    expected = evaluated(WORD, word_gold, "team")
    values = {name: result.value for name, result in expected.items() if name != "average_rank"}
    assert tried(WORD, word_gold, files).scores == pytest.approx(values)


def test_grids(tried, metric_gold):
    lines = (metric_gold / "metric-scores/en-de/N-src.seg.score").read_text()
    scored = tried("wmt23_metrics_segment", metric_gold, {"zip/en-de/Own-src.seg.score": lines}, changed=MQM)
    expected = evaluated("wmt23_metrics_segment", metric_gold, "N-src", settings=MQM)
    assert scored.scores == pytest.approx({name: result.value for name, result in expected.items()})


CS = answers()["en-cs.txt"]
SHORT = answers(cs=scores("en-cs", [1, 2, 3]))
REFUSED = [
    ({"en-cs.txt": ""}, "en-cs.txt: the file is empty; give a file with one unit a line"),
    ({"en-cs.txt": CS.replace("0.1", "high")}, "en-cs.txt:4: 'high' is not a number"),
    ({"en-cs.txt": CS.replace("en-cs\tmodel\t3\t0.4\n", "")},
     "en-cs.txt: segment 3 of the task is missing: 3 of 4 segments are there; answer every segment of the input"),
    ({"en-cs.txt": CS + "en-cs\tmodel\t4\t0.4\n"},
     "en-cs.txt:8: segment 4 is not in the task; answer the segments of the input alone"),
    ({"en-cs.txt": CS.replace("\t3\t", "\t2\t")}, "en-cs.txt:7: segment 2 of "),
    ({"en-cs.txt": scores("en-de", [1, 2, 3, 4])}, "en-cs.txt:4: LP 'en-de' in a folder named en-cs"),
    ({"en-cs.txt": scores("en-cs", [1, 1, 1, 1])}, "spearman is undefined for these answers; check that they are not"),
    ({"en-cs.txt": "\x1b[31m\n"}, "en-cs.txt:1: "),
]  # fmt: skip


@pytest.mark.parametrize(("files", "line"), REFUSED)
def test_one_line_for_the_author(tried, sentence_gold, tmp_path, files, line):
    with pytest.raises(RefusedError) as caught:
        tried(SENTENCE, sentence_gold, {**answers(), **files})
    assert str(caught.value).startswith(line)
    assert str(caught.value).isprintable()
    assert str(tmp_path) not in str(caught.value)
    assert "/tmp" not in str(caught.value)


def test_a_language_pair_that_is_missing_is_not_left_out_of_the_mean(tried, sentence_gold):
    with pytest.raises(RefusedError, match=r"^language pair 'en-cs' is missing: the submission has 1 of 2"):
        tried(SENTENCE, sentence_gold, {"en-de.txt": answers()["en-de.txt"]})


def test_a_link_to_the_gold_is_refused(tried, sentence_gold, tmp_path):
    (tmp_path / "res").mkdir()
    os.symlink("../ref/en-cs/gold.da", tmp_path / "res" / "en-cs.txt")
    with pytest.raises(RefusedError, match=r"^en-cs\.txt: this is a link"):
        tried(SENTENCE, sentence_gold, {"en-de.txt": answers()["en-de.txt"]})


def test_segments_cannot_be_left_out_of_the_score(tried, sentence_gold):
    with pytest.raises(RefusedError, match="segment 3 of the task is missing"):
        tried(SENTENCE, sentence_gold, SHORT, changed=["missing=drop_for_all"])


def test_the_worst_answer_of_a_profile_is_filled_in_and_said(tried, sentence_gold):
    scored = tried(SENTENCE, sentence_gold, SHORT, changed=["missing=score_as_worst"])
    assert [note for note in scored.notes if note.startswith("en-cs: 1 answer, missing in ")]


def test_what_was_not_read_is_said(tried, sentence_gold):
    scored = tried(SENTENCE, sentence_gold, {**answers(), "README.md": "hello", ".hidden": "x"})
    assert scored.notes == ("not read: .hidden", "not read: README.md")


def test_a_secondary_score_may_be_undefined(tried, sentence_gold):
    changed = ["test=", "primary=mae", "secondary=spearman"]
    scored = tried(SENTENCE, sentence_gold, answers(cs=scores("en-cs", [1, 1, 1, 1])), changed=changed)
    assert set(scored.undefined) == {"spearman", "en_cs_spearman"}
    assert set(scored.scores) == {"mae", "en_cs_mae", "en_de_mae", "en_de_spearman"}


def test_a_gold_that_is_broken_is_no_mistake_of_the_author_and_is_not_quoted(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry)
    prepared.reference["en-de/gold.da"] = b"0.5\nSECRET\n1\n2\n"
    with pytest.raises(UnusableReferenceError) as caught:
        try_out(prepared, registry, tmp_path, answers())
    assert "en-de/gold.da:2; tell the organizers" in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_an_evaluation_that_fails_is_not_quoted(registry, sentence_gold, tmp_path, monkeypatch):
    prepared = prepare(SENTENCE, sentence_gold, registry)

    def fail(*_, **__):
        raise DataError("the gold of segment 2 is 2.0")

    monkeypatch.setattr("qeframe_competitions.scoring.evaluate", fail)
    with pytest.raises(UnusableReferenceError, match=r"^the answers cannot be evaluated \(DataError\); tell the org"):
        try_out(prepared, registry, tmp_path, answers())


def test_two_metrics_in_a_submission(tried, metric_gold):
    lines = (metric_gold / "metric-scores/en-de/N-src.seg.score").read_text()
    files = {"en-de/Own-src.seg.score": lines, "en-de/Other-src.seg.score": lines}
    with pytest.raises(
        RefusedError, match=r"a submission has the scores of one metric, these are of Other-src and Own"
    ):
        tried("wmt23_metrics_segment", metric_gold, files, changed=MQM)


def test_the_public_input_is_compared(tried, sentence_gold, tmp_path):
    like = write(tmp_path / "like", {"en-de.txt": "a\nb\nc\nd\n", "en-cs.txt": "a\nb\nc\nd\n"})
    with pytest.raises(RefusedError, match=r"^en-cs\.txt: segment 3 of inputs/en-cs\.txt:4 is missing"):
        tried(SENTENCE, sentence_gold, SHORT, like=like)


def test_a_gold_that_was_not_tried(registry, sentence_gold, tmp_path):
    import shutil

    for pair in ("en-de", "en-cs"):
        shutil.rmtree(sentence_gold / pair / "submissions")
    prepared = prepare(SENTENCE, sentence_gold, registry)
    assert (prepared.trial, prepared.competition.tried) == ("", False)
    assert try_out(prepared, registry, tmp_path, answers()).scores["mae"] > 0


@settings(max_examples=10)
@given(content=st.binary(max_size=80))
def test_any_bytes_are_scored_or_refused_in_one_line(content, tmp_path_factory):
    registry = qeframe.load()
    root = tmp_path_factory.mktemp("any")
    gold = write(root / "en-de", {"gold.txt": "1.5\n-2\n", "submissions/a.txt": scores("en-de", [1, 2])})
    prepared = prepare(SENTENCE, gold, registry)
    (root / "res").mkdir()
    (root / "res" / "x").write_bytes(b"1\n2\n3\n" + content)
    try:
        said = str(try_out(prepared, registry, root, {}).scores)
    except RefusedError as error:
        said = str(error)
    assert said.isprintable()
