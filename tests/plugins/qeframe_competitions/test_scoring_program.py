"""The scoring program in the folders of a platform."""

import json
import os
import re

import pytest

from qeframe.core.errors import TRACEBACK
from qeframe_competitions.scoring_program import main
from tests.plugins.qeframe_competitions.small_files import SENTENCE, WORD, answers, scores, words


def test_scores_and_details(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold, precision=3, title="A <task>")
    assert platform.score(answers()) == 0
    found = json.loads((platform.output / "scores.json").read_text())
    assert set(found) == {f"{task}{m}" for task in ("", "en_de_", "en_cs_") for m in
                          ("spearman", "pearson", "mae", "rmse")}  # fmt: skip
    assert all(value == round(value, 3) for value in found.values())
    assert f"<td>{found['spearman']:.3f}" in re.sub("<td[^>]*>", "<td>", platform.page)
    assert "A &lt;task&gt;" in platform.page
    assert capsys.readouterr().out == "scored by A <task>: en-cs, en-de\n"


def test_a_broken_submission(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold)
    assert platform.score(answers()) == 0
    assert platform.score(answers(cs="<img onerror=x>")) == 2
    line = capsys.readouterr().err
    assert line.count("\n") == 1
    assert line.startswith("en-cs.txt:1: ")
    assert not (platform.output / "scores.json").exists()
    assert "en-cs.txt:1: " in platform.page
    assert "<img" not in platform.page


def test_hidden_scores(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold, hidden=True)
    assert platform.score(answers()) == 0
    found = json.loads((platform.output / "scores.json").read_text())
    printed = capsys.readouterr()
    assert len(found) == 12
    for value in [value for value in found.values() if len(str(value)) > 4]:
        assert str(value) not in platform.page
        assert str(value) not in printed.out + printed.err
    assert "Its scores are not shown in this phase" in platform.page


def test_the_page_has_nothing_of_the_gold(competition, word_gold):
    platform = competition(WORD, word_gold)
    assert platform.score({"a.txt": words("en-de", ["OK OK OK", "OK BAD"])}) == 0
    page = re.sub("<(style|script).*?</(style|script)>", "", platform.page, flags=re.DOTALL)
    assert "What was read" in page
    assert ">4<" in re.sub(r"\s", "", page)  # OK in the submission; the gold has 4 OK and 1 BAD as well
    other = competition(WORD, word_gold)
    (other.root / "input/ref/en-de/gold.tags").write_text("BAD OK BAD\nOK BAD\n")
    assert other.score() == 0
    without = [re.sub(r"-?0\.\d+|-?1\.0+", "", text) for text in (page, re.sub(
        "<(style|script).*?</(style|script)>", "", other.page, flags=re.DOTALL))]  # fmt: skip
    assert without[0] == without[1]


def test_pseudo_gold_is_said(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold, pseudo_gold="baseline")
    assert platform.score(answers("baseline")) == 0
    found = json.loads((platform.output / "scores.json").read_text())
    assert (found["spearman"], found["mae"]) == (1.0, 0.0)
    assert "not with the gold" in platform.page


def test_a_link_to_the_gold(competition, sentence_gold, capsys):
    platform = competition(SENTENCE, sentence_gold)
    platform.results.mkdir(parents=True)
    os.symlink("../ref/en-cs/gold.da", platform.results / "en-cs.txt")
    assert platform.score({"en-de.txt": answers()["en-de.txt"]}) == 2
    assert capsys.readouterr().err == "en-cs.txt: this is a link; hand in the file itself\n"


def test_mistakes_of_the_organizers(competition, sentence_gold, capsys, tmp_path):
    platform = competition(SENTENCE, sentence_gold)
    (platform.root / "program" / "competition.json").unlink()
    assert platform.score(answers()) == 2
    assert "competition.json beside the scoring program cannot be read" in capsys.readouterr().err
    assert main(tmp_path, ["one"]) == 2
    assert capsys.readouterr().err.startswith("usage: score.py INPUT OUTPUT")
    assert main(tmp_path, [str(tmp_path / "nothere"), str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == f"{tmp_path}/nothere: there is no such folder; INPUT holds ref and res\n"
    assert not (tmp_path / "out").exists()


def test_a_failure_of_the_program(competition, sentence_gold, capsys, monkeypatch):
    platform = competition(SENTENCE, sentence_gold)

    def fail(*_):
        raise RuntimeError("gold is 0.5")

    monkeypatch.setattr("qeframe_competitions.scoring_program.score_submission", fail)
    assert platform.score(answers()) == 2
    assert capsys.readouterr().err == "the scoring program failed (RuntimeError); tell the organizers\n"
    monkeypatch.setenv(TRACEBACK, "1")
    with pytest.raises(RuntimeError):
        platform.score()


def test_undefined_scores_are_left_out(competition, sentence_gold):
    platform = competition(SENTENCE, sentence_gold, changed=["test=", "primary=mae", "secondary=spearman"])
    assert platform.score(answers(cs=scores("en-cs", [1, 1, 1, 1]))) == 0
    assert "en_cs_spearman" not in json.loads((platform.output / "scores.json").read_text())
    assert "empty: undefined for these answers" in platform.page
