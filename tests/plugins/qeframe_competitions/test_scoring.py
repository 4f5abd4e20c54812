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
from tests.plugins.qeframe_competitions.small_files import GUESSES, SENTENCE, WORD, scores, words, write


def try_out(prepared, registry, root: Path, files: dict[str, str]) -> Scored:
    """Score files as the platform would."""
    for name, content in (*prepared.reference.items(), *((f"../program/{n}", c) for n, c in prepared.beside.items())):
        path = root / "ref" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "program").mkdir(exist_ok=True)
    write(root / "res", files)
    return score_submission(prepared.competition, root / "program", root / "ref", root / "res", registry)


def team(name="team", **changed):
    return {f"{pair}.txt": changed.get(pair[3:]) or scores(pair, values) for pair, values in GUESSES[name].items()}


def test_the_scores_are_those_of_an_evaluation(registry, sentence_gold, tmp_path):
    scored = try_out(prepare(SENTENCE, sentence_gold, registry), registry, tmp_path, team())
    evaluation = qeframe.evaluate(SENTENCE, sentence_gold, registry=registry)
    (expected,) = [each for each in evaluation.submissions if each.name == "team"]
    for metric, result in expected.scores.items():
        assert scored.scores[metric] == pytest.approx(result.value, abs=1e-12)
        for task, one in result.tasks.items():
            assert scored.scores[f"{task.replace('-', '_')}_{metric}"] == pytest.approx(one.value, abs=1e-12)
    assert len(scored.scores) == 3 * len(expected.scores)
    assert [(part.part, part.answers.name) for part in scored.parts] == [("en-cs", "en-cs.txt"), ("en-de", "en-de.txt")]


def test_tags(registry, word_gold, tmp_path):
    files = {"out/answers.txt": words("en-de", ["BAD BAD OK", "OK BAD"])}
    scored = try_out(prepare(WORD, word_gold, registry), registry, tmp_path, files)
    evaluation = qeframe.evaluate(WORD, word_gold, registry=registry)
    (expected,) = [each for each in evaluation.submissions if each.name == "team"]
    values = {name: result.value for name, result in expected.scores.items() if name != "average_rank"}
    assert scored.scores == pytest.approx(values)


def test_grids(registry, metric_gold, tmp_path):
    prepared = prepare("wmt23_metrics_segment", metric_gold, registry, changed=["selection=", "gold=mqm"])
    lines = (metric_gold / "metric-scores/en-de/N-src.seg.score").read_text()
    scored = try_out(prepared, registry, tmp_path, {"zip/en-de/Own-src.seg.score": lines})
    evaluation = qeframe.evaluate(
        "wmt23_metrics_segment", metric_gold, settings=["selection=", "gold=mqm"], registry=registry
    )
    (expected,) = [each for each in evaluation.submissions if each.name.startswith("N")]
    assert scored.scores == pytest.approx({name: result.value for name, result in expected.scores.items()})


def broken(pair, change):
    return change(scores(pair, GUESSES["team"][pair]))


REFUSED = [
    ({"en-cs.txt": ""}, "en-cs.txt: the file is empty; give a file with one unit a line"),
    ({"en-cs.txt": broken("en-cs", lambda t: t.replace("0.1", "high"))}, "en-cs.txt:4: 'high' is not a number"),
    ({"en-cs.txt": broken("en-cs", lambda t: t.replace("en-cs\tmodel\t3\t0.4\n", ""))},
     "en-cs.txt: segment 3 of the task is missing: 3 of 4 segments are there; answer every segment of the input"),
    ({"en-cs.txt": broken("en-cs", lambda t: t + "en-cs\tmodel\t4\t0.4\n")},
     "en-cs.txt:8: segment 4 is not in the task; answer the segments of the input alone"),
    ({"en-cs.txt": broken("en-cs", lambda t: t.replace("\t3\t", "\t2\t"))}, "en-cs.txt:7: segment 2 of "),
    ({"en-cs.txt": scores("en-de", [1, 2, 3, 4])}, "en-cs.txt:4: LP 'en-de' in a folder named en-cs"),
    ({"en-cs.txt": scores("en-cs", [1, 1, 1, 1])}, "spearman is undefined for these answers; check that they are not"),
    ({"en-cs.txt": "\x1b[31m\n"}, "en-cs.txt:1: "),
]  # fmt: skip


@pytest.mark.parametrize(("files", "line"), REFUSED)
def test_one_line_for_the_author(registry, sentence_gold, tmp_path, files, line):
    with pytest.raises(RefusedError) as caught:
        try_out(prepare(SENTENCE, sentence_gold, registry), registry, tmp_path, {**team(), **files})
    assert str(caught.value).startswith(line)
    assert str(caught.value).isprintable()
    assert str(tmp_path) not in str(caught.value)
    assert "/tmp" not in str(caught.value)


def test_a_language_pair_that_is_missing_is_not_left_out_of_the_mean(registry, sentence_gold, tmp_path):
    with pytest.raises(RefusedError, match=r"^language pair 'en-cs' is missing: the submission has 1 of 2"):
        try_out(prepare(SENTENCE, sentence_gold, registry), registry, tmp_path, {"en-de.txt": team()["en-de.txt"]})


def test_a_link_to_the_gold_is_refused(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry)
    (tmp_path / "res").mkdir()
    os.symlink("../ref/en-cs/gold.da", tmp_path / "res" / "en-cs.txt")
    with pytest.raises(RefusedError, match=r"^en-cs\.txt: this is a link"):
        try_out(prepared, registry, tmp_path, {"en-de.txt": team()["en-de.txt"]})


def test_segments_cannot_be_left_out_of_the_score(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry, changed=["missing=drop_for_all"])
    with pytest.raises(RefusedError, match="segment 3 of the task is missing"):
        try_out(prepared, registry, tmp_path, {**team(), "en-cs.txt": scores("en-cs", [1, 2, 3])})


def test_the_worst_answer_of_a_profile_is_filled_in_and_said(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry, changed=["missing=score_as_worst"])
    scored = try_out(prepared, registry, tmp_path, {**team(), "en-cs.txt": scores("en-cs", [1, 2, 3])})
    assert [note for note in scored.notes if note.startswith("en-cs: 1 answer, missing in ")]


def test_what_was_not_read_is_said(registry, sentence_gold, tmp_path):
    files = {**team(), "README.md": "hello", ".hidden": "x"}
    scored = try_out(prepare(SENTENCE, sentence_gold, registry), registry, tmp_path, files)
    assert scored.notes == ("not read: .hidden", "not read: README.md")


def test_a_secondary_score_may_be_undefined(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry, changed=["test=", "primary=mae", "secondary=spearman"])
    scored = try_out(prepared, registry, tmp_path, {**team(), "en-cs.txt": scores("en-cs", [1, 1, 1, 1])})
    assert set(scored.undefined) == {"spearman", "en_cs_spearman"}
    assert set(scored.scores) == {"mae", "en_cs_mae", "en_de_mae", "en_de_spearman"}


def test_a_gold_that_is_broken_is_no_mistake_of_the_author_and_is_not_quoted(registry, sentence_gold, tmp_path):
    prepared = prepare(SENTENCE, sentence_gold, registry)
    prepared.reference["en-de/gold.da"] = b"0.5\nSECRET\n1\n2\n"
    with pytest.raises(UnusableReferenceError) as caught:
        try_out(prepared, registry, tmp_path, team())
    assert "en-de/gold.da:2; tell the organizers" in str(caught.value)
    assert "SECRET" not in str(caught.value)


def test_an_evaluation_that_fails_is_not_quoted(registry, sentence_gold, tmp_path, monkeypatch):
    prepared = prepare(SENTENCE, sentence_gold, registry)

    def fail(*_, **__):
        raise DataError("the gold of segment 2 is 2.0")

    monkeypatch.setattr("qeframe_competitions.scoring.evaluate", fail)
    with pytest.raises(UnusableReferenceError, match=r"^the answers cannot be evaluated \(DataError\); tell the org"):
        try_out(prepared, registry, tmp_path, team())


def test_two_metrics_in_a_submission(registry, metric_gold, tmp_path):
    prepared = prepare("wmt23_metrics_segment", metric_gold, registry, changed=["selection=", "gold=mqm"])
    lines = (metric_gold / "metric-scores/en-de/N-src.seg.score").read_text()
    files = {"en-de/Own-src.seg.score": lines, "en-de/Other-src.seg.score": lines}
    with pytest.raises(
        RefusedError, match=r"a submission has the scores of one metric, these are of Other-src and Own"
    ):
        try_out(prepared, registry, tmp_path, files)


def test_the_public_input_is_compared(registry, sentence_gold, tmp_path):
    like = write(tmp_path / "like", {"en-de.txt": "a\nb\nc\nd\n", "en-cs.txt": "a\nb\nc\nd\n"})
    prepared = prepare(SENTENCE, sentence_gold, registry, like=like)
    with pytest.raises(RefusedError, match=r"^en-cs\.txt: segment 3 of inputs/en-cs\.txt:4 is missing"):
        try_out(prepared, registry, tmp_path, {**team(), "en-cs.txt": scores("en-cs", [1, 2, 3])})


def test_a_gold_that_was_not_tried(registry, sentence_gold, tmp_path):
    import shutil

    for pair in ("en-de", "en-cs"):
        shutil.rmtree(sentence_gold / pair / "submissions")
    prepared = prepare(SENTENCE, sentence_gold, registry)
    assert (prepared.trial, prepared.competition.tried) == ("", False)
    assert try_out(prepared, registry, tmp_path, team()).scores["mae"] > 0


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
