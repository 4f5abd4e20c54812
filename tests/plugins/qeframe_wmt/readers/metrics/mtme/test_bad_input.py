"""What is missing, unknown or twice in a folder of many language pairs: one line each, or a count."""

from pathlib import Path

import pytest

from qeframe.core.components.parametric import Parametric
from qeframe_wmt import mtme
from tests.plugins.qeframe_wmt.published_layout import SYSTEMS, lines, published

READER = Parametric(mtme)
PAIRS = ("cs-de_DE", "cs-uk_UA", "en-ar_EG", "en-bho_IN", "en-cs_CZ", "en-et_EE", "en-is_IS", "en-it_IT", "en-ja_JP")


@pytest.fixture
def ten_pairs(tree):
    files = published("wmt25", [*PAIRS, "en-ko_KR"])

    def write(changed=(), without=()):
        tree({name: text for name, text in (files | dict(changed)).items() if name not in without})
        return files

    return write


def notes(readings, what):
    return [(note.task, note.reason) for reading in readings for note in reading.dropped if note.what == what]


def test_a_pair_that_the_selection_does_not_know(ten_pairs, refusal, tree):
    extra = {"human-scores/fr-de.mqm.seg.score": "A 1\n"}
    ten_pairs(extra)
    readings = READER(selection="wmt25").read(Path(), "high")
    assert len(readings) == 10
    reason = "not in the selection wmt25: name its gold and reference to add it"
    assert ("fr-de", reason) in notes(readings, "language pair")
    message = "references: there is no language pair 'en-cs'; did you mean 'en-cs_CZ'"
    assert refusal(READER(selection="wmt25", references={"en-cs": "refA"}), ".").startswith(message)


def test_no_pair_that_the_selection_knows(tree, refusal):
    tree({"human-scores/fr-de.mqm.seg.score": "A 1\n"})
    message = "human-scores: the selection wmt25 does not know the language pair fr-de; "
    assert refusal(READER(selection="wmt25"), ".").startswith(message)


def test_selections_that_know_the_pairs_are_named(tree, refusal):
    tree({f"human-scores/{pair}.mqm.seg.score": "A 1\n" for pair in ("en-de", "he-en")})
    message = "human-scores: the selection wmt25 does not know the language pair en-de; "
    remedy = "these may be data of wmt23: --set selection=wmt23"
    assert refusal(READER(selection="wmt25"), ".") == f"{message}{remedy}"


def test_several_selections_that_know_as_many_pairs_are_named(tree, refusal):
    tree({"human-scores/en-de.mqm.seg.score": "A 1\n"})
    found = refusal(READER(selection="wmt25"), ".")
    assert "these may be data of " in found
    assert " or wmt23" in found
    assert "--set selection=" in found


def test_pairs_that_are_not_there_are_named(ten_pairs):
    ten_pairs()
    (note,) = notes(READER(selection="wmt25").read(Path(), "high"), "language pair")
    absent = "en-mas_KE, en-ru_RU, en-sr_Cyrl_RS, en-uk_UA, en-zh_CN, ja-zh_CN"
    assert note == ("", f"in the selection wmt25, not in the folder: {absent}")


def test_a_reference_that_is_missing_in_one_pair(ten_pairs, refusal):
    ten_pairs()
    message = (
        "metric-scores/en-it_IT: the standard reference 'refC' is in no file; did you mean 'refB' or 'refA'? "
        'Give references={en-it_IT="NAME"}'
    )
    assert refusal(READER(selection="wmt25", references={"en-it_IT": "refC"}), ".") == message


def test_a_metric_with_a_missing_segment_in_one_pair(ten_pairs, refusal):
    name = "metric-scores/en-it_IT/BLEU-refA.seg.score"
    changed = ten_pairs()[name].splitlines()
    changed[2] = "alpha\tNone"
    ten_pairs({name: "\n".join(changed)})
    message = (
        f"{name}:3: BLEU has no score of segment 3 of alpha, which humans scored; "
        "complete it: missing scores are not filled"
    )
    assert refusal(READER(selection="wmt25"), ".") == message


def test_a_system_that_a_metric_lacks_in_one_pair(ten_pairs, refusal):
    name = "metric-scores/en-it_IT/BLEU-refA.sys.score"
    ten_pairs({name: lines({system: [1.0] for system in SYSTEMS[1:]})})
    message = f"{name}: BLEU has no score of system 'alpha'; complete the file, or leave it out for all: "
    assert refusal(READER(selection="wmt25", level="sys"), ".") == f"{message}--set 'outliers+=[alpha]'"


def test_a_system_with_another_name(ten_pairs, refusal):
    name = "metric-scores/en-it_IT/BLEU-refA.sys.score"
    ten_pairs({name: lines({system: [1.0] for system in ["alpha2", *SYSTEMS[1:]]})})
    message = (
        f"{name}: BLEU has no score of system 'alpha', but of 'alpha2', which is not in the gold; complete the file, "
    )
    remedy = "or rename the system, or leave it out for all: --set 'outliers+=[alpha]'"
    assert refusal(READER(selection="wmt25", level="sys"), ".") == message + remedy


def test_a_pair_that_is_added_without_its_reference(ten_pairs, refusal, tree):
    files = ten_pairs()
    added = {name.replace("en-it_IT", "fr-de"): text for name, text in files.items() if "en-it_IT" in name}
    gold = added["human-scores/fr-de.esa-human1.seg.score"]
    added["human-scores/fr-de.esa-human1.seg.score"] = gold + "refA\t1\n" * 12
    ten_pairs({name: text for name, text in added.items() if "refB" not in name})
    parameters = {"selection": "wmt25", "gold": {"fr-de": "esa-human1"}, "human_references": True}
    message = "no reference is set for fr-de; if it is refA: --set 'references={fr-de=\"refA\"}'"
    assert refusal(READER(**parameters), ".").endswith(f"has no score of system 'refA'; {message}")
    readings = READER(**parameters, references={"fr-de": "refA"}).read(Path(), "high")
    assert "fr-de" in [reading.name for reading in readings]


def test_a_metric_that_is_absent_from_one_pair(ten_pairs):
    absent = {f"metric-scores/en-it_IT/BLEU-{ref}.{level}.score" for ref in ("refA", "refB") for level in LEVELS}
    ten_pairs(without=absent)
    readings = READER(selection="wmt25").read(Path(), "high")
    found = [note for note in notes(readings, "submission") if "without a file" in note[1]]
    assert found == [("en-it_IT", "in the list of metrics that take part, without a file: BLEU")]
    assert [len(reading.submissions) for reading in readings if reading.name == "en-it_IT"] == [19]


def test_a_metric_with_another_reference_only(ten_pairs):
    ten_pairs(without={f"metric-scores/en-it_IT/BLEU-refA.{level}.score" for level in LEVELS})
    readings = READER(selection="wmt25").read(Path(), "high")
    (found,) = [r for pair, r in notes(readings, "submission") if pair == "en-it_IT" and "another reference" in r]
    assert found.startswith("computed with another reference than refA: BERTScore-refB, BLEU-refB, ")


def test_a_metric_with_scores_of_systems_only(ten_pairs):
    ten_pairs(without={"metric-scores/en-it_IT/BLEU-refA.seg.score"})
    for parameters in ({}, {"level": "sys", "units": "segments"}):
        readings = READER(selection="wmt25", **parameters).read(Path(), "high")
        assert ("en-it_IT", "no segment scores: BLEU") in notes(readings, "submission")
    readings = READER(selection="wmt25", level="sys").read(Path(), "high")
    assert {len(reading.submissions) for reading in readings} == {20}


def test_two_golds_for_one_pair(tree, refusal):
    tree(published("wmt25", ["en-it_IT"]))
    message = (
        "human-scores: several golds for en-it_IT: esa-human1, second; choose one, gold=esa-human1 or "
        'gold={en-it_IT="esa-human1"}, or give a selection'
    )
    assert refusal(READER(), ".") == message
    assert refusal(READER(level="sys"), ".") == message
    (reading,) = READER(gold={"en-it_IT": "second"}, references=("refA",)).read(Path(), "high")
    assert reading.gold.path.endswith("en-it_IT.second.seg.score")


def test_a_gold_that_is_missing_in_one_pair(ten_pairs):
    ten_pairs(without={f"human-scores/en-it_IT.esa-human1.{level}.score" for level in LEVELS})
    readings = READER(selection="wmt25").read(Path(), "high")
    assert len(readings) == 9
    assert ("en-it_IT", "no human scores named 'esa-human1'") in notes(readings, "language pair")


def test_an_unknown_domain(ten_pairs, refusal):
    ten_pairs()
    assert refusal(READER(selection="wmt25", domain="newz"), ".") == (
        ".: no segment is of the domain 'newz'; did you mean 'news'?"
    )


def test_scores_of_systems_cannot_be_segments(refusal):
    with pytest.raises(Exception, match="the units of segment scores are segments; leave out units, or set level=sys"):
        READER(units="systems")


LEVELS = ("seg", "sys", "domain")
