"""One submission scored as on the platform: the numbers of an evaluation, and lines that say nothing of the gold."""

import json
import os
import re
import shutil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from qeframe_codabench.bundle import prepare
from qeframe_codabench.submission_files import read_handed_in
from small_files import MQM, SENTENCE, WORD, Platform, answers, lay_out, scores, words, write

import qeframe
from qeframe.plugin import DataError
from qeframe_codabench import scoring


def evaluated(profile, gold, name, **options):
    """Return the scores of a submission in an evaluation of all."""
    evaluation = qeframe.evaluate(profile, gold, **options)
    return next(each.scores for each in evaluation.submissions if each.name == name)


def found(platform) -> dict[str, float]:
    return json.loads((platform.output / "scores.json").read_text())


def test_the_scores_are_those_of_an_evaluation(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold, precision=12, title="A <task>")
    assert platform.score(answers()) == 0
    expected = evaluated(SENTENCE, sentence_gold, "team")
    for metric, result in expected.items():
        assert found(platform)[metric] == pytest.approx(result.value, abs=1e-12)
        for task, one in result.tasks.items():
            assert found(platform)[f"{task.replace('-', '_')}_{metric}"] == pytest.approx(one.value, abs=1e-12)
    assert len(found(platform)) == 3 * len(expected)
    assert "A &lt;task&gt;" in platform.page
    assert f"{expected['spearman'].value:.12f}" in platform.page


def test_tags(competition, word_gold):
    platform = competition(WORD, word_gold, precision=12)
    assert platform.score({"out/answers.txt": words("en-de", ["BAD BAD OK", "OK BAD"])}) == 0
    expected = evaluated(WORD, word_gold, "team")
    values = {name: result.value for name, result in expected.items() if name != "average_rank"}
    assert found(platform) == pytest.approx(values)


def test_grids(competition, metric_gold):
    lines = (metric_gold / "metric-scores/en-de/N-src.seg.score").read_text()
    platform = competition("wmt23_metrics_segment", metric_gold, changed=MQM, precision=12)
    assert platform.score({"zip/en-de/Own-src.seg.score": lines}) == 0
    expected = evaluated("wmt23_metrics_segment", metric_gold, "N-src", settings=MQM)
    assert found(platform) == pytest.approx({name: result.value for name, result in expected.items()})


TEAM = answers()
CS = TEAM["en-cs.txt"]
WORDS = {"en-de.txt": words("en-de", ["BAD BAD OK", "OK BAD"])}


def grid(systems: str, segments: int) -> str:
    return "".join(f"{name}\t{n / 2}\n" for name in systems for n in range(segments))


METRIC = {"en-de/Own-src.seg.score": grid("ABC", 4)}
CONSTANT = {"en-de/Own-src.seg.score": "".join(f"{name}\t1\n" * 4 for name in "ABC")}
REFUSED = {
    "empty": (SENTENCE, {**TEAM, "en-cs.txt": ""}, "en-cs.txt: the file is empty; give a file with one unit a line"),
    "no number": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "high")}, "en-cs.txt:4: 'high' is not a number"),
    "a decimal comma": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "0,1")}, "en-cs.txt:4: "),
    "NaN": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "NaN")}, "en-cs.txt:4: "),
    "infinite": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "inf")}, "en-cs.txt:4: "),
    "an empty cell": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("0.1", "")}, "en-cs.txt:4: "),
    "no header": (SENTENCE, {**TEAM, "en-cs.txt": CS.split("\n", 3)[3]}, "en-cs.txt:1: "),
    "a line of names": (SENTENCE, {**TEAM, "en-cs.txt": f"LP\tMETHOD\tSEG\tSCORE\n{CS}"}, "en-cs.txt:1: "),
    "blanks for tabs": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t", " ")}, "en-cs.txt:4: "),
    "a column less": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\tmodel", "")}, "en-cs.txt:4: 3 columns"),
    "a segment is missing": (
        SENTENCE,
        {**TEAM, "en-cs.txt": CS.replace("en-cs\tmodel\t3\t0.4\n", "")},
        "en-cs.txt: segment 3 is missing in it: 3 of 4 segments are there; complete the file",
    ),
    "a segment too many": (
        SENTENCE,
        {**TEAM, "en-cs.txt": CS + "en-cs\tmodel\t4\t0.4\n"},
        "en-cs.txt:8: segment 4 is not in the gold; number the segments as the lines of ",
    ),
    "a segment twice": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t3\t", "\t2\t")}, "en-cs.txt:7: segment 2 "),
    "numbered from 1": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("\t0\t", "\t4\t")}, "en-cs.txt:4: segment 4 "),
    "another pair": (
        SENTENCE,
        {**TEAM, "en-cs.txt": scores("en-de", [1, 2, 3, 4])},
        "en-cs.txt:4: LP 'en-de' in a folder named en-cs",
    ),
    "two systems": (SENTENCE, {**TEAM, "en-cs.txt": CS.replace("model\t3", "other\t3")}, "en-cs.txt:7: "),
    "a constant": (SENTENCE, {**TEAM, "en-cs.txt": scores("en-cs", [1, 1, 1, 1])}, "spearman is undefined for these"),
    "control characters": (SENTENCE, {**TEAM, "en-cs.txt": "\x1b[31m\n"}, "en-cs.txt:1: "),
    "markup": (SENTENCE, {**TEAM, "en-cs.txt": "<img onerror=x>"}, "en-cs.txt:1: "),
    "the tags of words": (SENTENCE, {**TEAM, "en-cs.txt": words("en-cs", ["OK BAD", "OK"])}, "en-cs.txt: "),
    "an unknown tag": (WORD, {"en-de.txt": WORDS["en-de.txt"].replace("BAD", "WRONG", 1)}, "en-de.txt:"),
    "a word less": (WORD, {"en-de.txt": words("en-de", ["BAD BAD", "OK BAD"])}, "en-de.txt"),
    "a word too many": (WORD, {"en-de.txt": words("en-de", ["BAD BAD OK OK", "OK BAD"])}, "en-de.txt"),
    "a sentence less": (WORD, {"en-de.txt": words("en-de", ["BAD BAD OK"])}, "en-de.txt"),
    "another word": (WORD, {"en-de.txt": WORDS["en-de.txt"].replace("w1", "v1", 1)}, "en-de.txt:5: "),
    "a constant metric": ("pearson", CONSTANT, "segment_pearson is undefined for these answers"),
    "a system less": ("metric", {"en-de/Own-src.seg.score": grid("AB", 4)}, "en-de/Own-src.seg.score"),
    "a segment less": ("metric", {"en-de/Own-src.seg.score": grid("ABC", 3)}, "en-de/Own-src.seg.score"),
    "a task is missing": (SENTENCE, {"en-de.txt": TEAM["en-de.txt"]}, "language pair 'en-cs' is missing: the submi"),
    "two files for a task": (SENTENCE, {**TEAM, "en-cs.tsv": CS}, "en-cs.tsv: a task has one file, en-cs.txt is for"),
    "no file": (SENTENCE, {".hidden": "x"}, "the submission has no file"),
    "too many folders": (SENTENCE, {f"{'d/' * 9}{n}": t for n, t in TEAM.items()}, "d/d/d/d/d/d/d/d/d: more than 8"),
    "a pair of a metric is missing": (
        "metric",
        {"he-en/Own-src.seg.score": METRIC["en-de/Own-src.seg.score"]},
        "language pair 'en-de' is missing",
    ),
    "two metrics": (
        "metric",
        {**METRIC, "en-de/Two-src.seg.score": METRIC["en-de/Own-src.seg.score"]},
        "a submission has the scores of one metric, these are of ",
    ),
    "the name of a file": ("metric", {"en-de/Öwn-src.seg.score": grid("ABC", 4)}, "en-de/Öwn-src.seg.score: the name"),
}
"""Submissions with a mistake: the rules of the task, the files, and the begin of the line for the author."""

TAKEN = {
    "scores": (SENTENCE, TEAM),
    "in a folder": (SENTENCE, {f"out/{name}": text for name, text in TEAM.items()}),
    "tags": (WORD, WORDS),
    "all words are OK": (WORD, {"en-de.txt": words("en-de", ["OK OK OK", "OK OK"])}),
    "a metric": ("metric", METRIC),
    "a constant metric that has a score": ("metric", CONSTANT),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Return a function from the name of a profile to the platform of its competition, without a submission."""
    from small_files import metric_task, sentence_task, word_task

    folders = {}
    for name, gold in {SENTENCE: sentence_task, WORD: word_task, "metric": metric_task, "pearson": metric_task}.items():
        profile = "wmt23_metrics_segment" if gold is metric_task else name
        changed = [*(MQM if gold is metric_task else ()), *(["primary=segment_pearson"] if name == "pearson" else ())]
        folders[name] = tmp_path_factory.mktemp("made")
        lay_out(prepare(profile, gold(folders[name] / "gold"), changed=changed), folders[name])

    def give(name: str) -> Platform:
        platform = Platform(folders[name])
        shutil.rmtree(platform.results, ignore_errors=True)
        return platform

    return give


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_gets_one_line_for_its_author(made, name, capsys, tmp_path):
    profile, files, line = REFUSED[name]
    platform = made(profile)
    assert platform.score(files) == 2
    said = capsys.readouterr().err
    assert said.startswith(line)
    assert said.count("\n") == 1
    assert said.strip().isprintable()
    assert not re.search(r"/tmp|submission\.|--skip", said), said
    assert not (platform.output / "scores.json").exists()
    assert "<img" not in platform.page


@pytest.mark.parametrize("name", TAKEN)
def test_what_is_right_is_scored(made, name):
    profile, files = TAKEN[name]
    platform = made(profile)
    assert platform.score(files) == 0
    assert found(platform)


@pytest.mark.parametrize("name", [SENTENCE, WORD, "metric"])
def test_the_example_of_the_kit_is_accepted_as_it_is(made, name):
    platform = made(name)
    shutil.copytree(platform.root / "kit" / "example", platform.results)
    assert platform.score() == 0


def test_a_score_that_was_there_before_does_not_stay(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold)
    assert platform.score(answers()) == 0
    assert platform.score(answers(cs="none\n")) == 2
    assert not (platform.output / "scores.json").exists()


def test_a_link_to_the_gold(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold)
    platform.results.mkdir(parents=True)
    os.symlink("../ref/en-cs/gold.da", platform.results / "en-cs.txt")
    assert platform.score({"en-de.txt": answers()["en-de.txt"]}) == 2
    assert capsys.readouterr().err == "en-cs.txt: this is a link; hand in the file itself\n"


def test_segments_cannot_be_left_out_of_the_score(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold, changed=["missing=drop_for_all"])
    assert platform.score(answers(cs=scores("en-cs", [1, 2, 3]))) == 2
    assert "segment 3 is missing" in capsys.readouterr().err


def test_the_worst_answer_of_a_profile_is_filled_in_and_said(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold, changed=["missing=score_as_worst"])
    assert platform.score(answers(cs=scores("en-cs", [1, 2, 3]))) == 0
    assert "en-cs: 1 answer, missing in " in platform.page


def test_a_readme_is_named_and_passed_over(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold)
    assert platform.score({**answers(), "README.md": "hello", ".hidden": "x", "more.txt": "y"}) == 0
    assert all(f"not read: {name}" in platform.page for name in (".hidden", "README.md", "more.txt"))


def test_a_readme_beside_a_single_prediction(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold / "en-de")
    assert platform.score({"predictions.txt": answers()["en-de.txt"], "README": "how it was made"}) == 0
    assert "not read: README" in platform.page


def test_hidden_scores(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold, hidden=True)
    assert platform.score(answers()) == 0
    printed = capsys.readouterr()
    assert len(found(platform)) == 12
    for value in [value for value in found(platform).values() if len(str(value)) > 4]:
        assert str(value) not in platform.page + printed.out + printed.err
    assert "Its scores are not shown in this phase" in platform.page


def test_the_page_has_nothing_of_the_gold_but_the_scores(competition, word_gold):
    def shown(platform) -> str:
        page = re.sub("<(style|script).*?</(style|script)>", "", platform.page, flags=re.DOTALL)
        return re.sub(r"-?[01]\.\d+", "", page)

    platform = competition(WORD, word_gold)
    assert platform.score({"a.txt": words("en-de", ["OK OK OK", "OK BAD"])}) == 0
    before = shown(platform)
    (platform.root / "input/ref/en-de/gold.tags").write_text("BAD OK BAD\nOK BAD\n")
    assert platform.score() == 0
    assert shown(platform) == before


def test_a_gold_that_is_broken_is_no_mistake_of_the_author_and_is_not_quoted(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold)
    (platform.root / "input/ref/en-de/gold.da").write_text("0.5\nSECRET\n1\n2\n")
    assert platform.score(answers()) == 2
    said = capsys.readouterr().err
    assert said.startswith("the reference data of the competition cannot be used (DataError); tell the organizers")
    assert "SECRET" not in said + platform.page


@pytest.mark.parametrize("error", [DataError("the gold of segment 2 is 2.75"), RuntimeError("gold is 2.75")])
def test_an_evaluation_that_fails_is_not_quoted(competition, sentence_gold, monkeypatch, capsys, error):
    platform = competition(SENTENCE, sentence_gold)

    def fail(*_, **__):
        raise error

    monkeypatch.setattr(scoring, "evaluate", fail)
    assert platform.score(answers()) == 2
    said = capsys.readouterr().err
    assert type(error).__name__ in said
    assert "tell the organizers" in said
    assert "2.75" not in said + platform.page
    monkeypatch.setenv("QEFRAME_TRACEBACK", "1")
    with pytest.raises((RuntimeError, scoring.UnusableReferenceError)):
        platform.score()


def test_mistakes_of_the_organizers(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold)
    (platform.root / "program" / "competition.json").unlink()
    assert platform.score(answers()) == 2
    assert capsys.readouterr().err == "the scoring program failed (FileNotFoundError); tell the organizers\n"


def test_undefined_secondary_scores_are_left_out(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold, changed=["test=", "primary=mae", "secondary=spearman"])
    assert platform.score(answers(cs=scores("en-cs", [1, 1, 1, 1]))) == 0
    assert set(found(platform)) == {"mae", "en_cs_mae", "en_de_mae", "en_de_spearman"}
    assert "empty: undefined for these answers" in platform.page


def test_the_details_page_has_the_weight_of_each_task(competition, sentence_gold):
    changed = ["across=weighted", "weights={en-cs=3,en-de=1}", "reader=qe_sentence", "baselines=[]"]
    platform = competition("qe_sentence", sentence_gold, changed=changed)
    assert platform.score({f"{p}.txt": (sentence_gold / p / "submissions/team.txt").read_text() for p in
                           ("en-cs", "en-de")}) == 0  # fmt: skip
    assert re.search(r">weight<.*>0\.75<.*>0\.25<", platform.page, re.DOTALL)


def test_names_of_authors_say_nothing(tmp_path):
    of_tasks = scoring.Competition(title="", folders=("t",))
    for name, made in (("a.jsonl", ".jsonl"), ("b.<b>", ".txt"), ("c." + "x" * 40, "." + "x" * 11)):
        assert of_tasks.place("t", tmp_path / name).as_posix() == f"t/submissions/submission{made}"
    shared = scoring.Competition(title="", shared="scores")
    assert shared.place("en-de/m.score", tmp_path / "x").as_posix() == "scores/en-de/m.score"
    assert read_handed_in(write(tmp_path / "in", {"a": "1"}), known=(), largest=1).files.keys() == {"a"}


@settings(max_examples=10)
@given(content=st.binary(max_size=80))
def test_any_bytes_are_scored_or_refused_in_one_line(content, tmp_path_factory):
    root = tmp_path_factory.mktemp("any")
    gold = write(root / "en-de", {"gold.txt": "1.5\n-2\n", "submissions/a.txt": scores("en-de", [1, 2])})
    lay_out(prepare(SENTENCE, gold), root)
    platform = Platform(root)
    platform.results.mkdir(parents=True)
    (platform.results / "x").write_bytes(b"1\n2\n3\n" + content)
    assert platform.score() in (0, 2)
    assert "tell the organizers" not in platform.page
