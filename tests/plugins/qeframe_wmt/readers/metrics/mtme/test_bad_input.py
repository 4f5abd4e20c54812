"""What is missing, unknown or twice in a folder of many language pairs: one line each, or a count."""

from pathlib import Path

import pytest

from qeframe.core.calls import Parametric
from qeframe_wmt import mtme
from tests.plugins.qeframe_wmt.published_layout import SYSTEMS, lines, published

READER = Parametric(mtme)
PAIRS = ("cs-de_DE", "cs-uk_UA", "en-ar_EG", "en-bho_IN", "en-cs_CZ", "en-et_EE", "en-is_IS", "en-it_IT", "en-ja_JP")


FILES = published("wmt25", [*PAIRS, "en-ko_KR"])
LEVELS = ("seg", "sys", "domain")


@pytest.fixture
def read(tree):
    """Read the files of ten pairs by the selection of 2025, with some changed or left out."""

    def of(changed=(), without=(), **parameters):
        tree({name: text for name, text in (FILES | dict(changed)).items() if name not in without})
        return READER(selection="wmt25", **parameters).read(Path(), "high")

    return of


def notes(readings, what):
    return [(note.task, note.reason) for reading in readings for note in reading.dropped if note.what == what]


def test_a_pair_that_the_selection_does_not_know(read):
    readings = read({"human-scores/fr-de.mqm.seg.score": "A 1\n"})
    assert len(readings) == 10
    reason = "not in the selection wmt25: name its gold and reference to add it"
    assert ("fr-de", reason) in notes(readings, "language pair")


def test_pairs_that_are_not_there_are_named(read):
    (note,) = notes(read(), "language pair")
    absent = "en-mas_KE, en-ru_RU, en-sr_Cyrl_RS, en-uk_UA, en-zh_CN, ja-zh_CN"
    assert note == ("", f"in the selection wmt25, not in the folder: {absent}")


OF_SEGMENTS, OF_SYSTEMS = (f"metric-scores/en-it_IT/BLEU-refA.{level}.score" for level in LEVELS[:2])
FIRST = FILES[OF_SEGMENTS].splitlines()
OUT = "leave it out for all: --set 'outliers+=[alpha]'"


@pytest.mark.parametrize(
    ("changed", "parameters", "message"),
    [
        (
            {},
            {"references": {"en-cs": "refA"}},
            "references: there is no language pair 'en-cs'; did you mean 'en-cs_CZ' or 'en-is_IS' or 'en-mas_KE'?",
        ),
        (
            {},
            {"references": {"en-it_IT": "refC"}},
            "metric-scores/en-it_IT: the standard reference 'refC' is in no file; did you mean 'refB' or 'refA'? "
            'Give references={en-it_IT="NAME"}',
        ),
        (
            {OF_SEGMENTS: "\n".join([*FIRST[:2], "alpha\tNone", *FIRST[3:]])},
            {},
            f"{OF_SEGMENTS}:3: BLEU has no score of segment 3 of alpha, which humans scored; "
            "complete it: missing scores are not filled",
        ),
        (
            {OF_SYSTEMS: lines({system: [1.0] for system in SYSTEMS[1:]})},
            {"level": "sys"},
            f"{OF_SYSTEMS}: BLEU has no score of system 'alpha'; complete the file, or {OUT}",
        ),
        (
            {OF_SYSTEMS: lines({system: [1.0] for system in ["alpha2", *SYSTEMS[1:]]})},
            {"level": "sys"},
            f"{OF_SYSTEMS}: BLEU has no score of system 'alpha', but of 'alpha2', which is not in the gold; complete "
            f"the file, or rename the system, or {OUT}",
        ),
        ({}, {"domain": "newz"}, ".: no segment is of the domain 'newz'; did you mean 'news'?"),
    ],
)
def test_what_is_wrong_in_one_pair(tree, refusal, changed, parameters, message):
    tree(FILES | changed)
    assert refusal(READER(selection="wmt25", **parameters), ".") == message


def test_a_pair_that_is_added_without_its_reference(read, refusal):
    added = {name.replace("en-it_IT", "fr-de"): text for name, text in FILES.items() if "en-it_IT" in name}
    added["human-scores/fr-de.esa-human1.seg.score"] += "refA\t1\n" * 12
    added = {name: text for name, text in added.items() if "refB" not in name}
    parameters = {"gold": {"fr-de": "esa-human1"}, "human_references": True}
    readings = read(added, **parameters, references={"fr-de": "refA"})
    assert "fr-de" in [reading.name for reading in readings]
    message = "no reference is set for fr-de; if it is refA: --set 'references={fr-de=\"refA\"}'"
    assert refusal(READER(selection="wmt25", **parameters), ".").endswith(f"has no score of system 'refA'; {message}")


def test_a_metric_that_is_absent_from_one_pair(read):
    absent = {f"metric-scores/en-it_IT/BLEU-{ref}.{level}.score" for ref in ("refA", "refB") for level in LEVELS}
    readings = read(without=absent)
    found = [note for note in notes(readings, "submission") if "without a file" in note[1]]
    assert found == [("en-it_IT", "in the list of metrics that take part, without a file: BLEU")]
    assert [len(reading.submissions) for reading in readings if reading.name == "en-it_IT"] == [19]


def test_a_metric_with_another_reference_only(read):
    readings = read(without={f"metric-scores/en-it_IT/BLEU-refA.{level}.score" for level in LEVELS})
    (found,) = [r for pair, r in notes(readings, "submission") if pair == "en-it_IT" and "another reference" in r]
    assert found.startswith("computed with another reference than refA: BERTScore-refB, BLEU-refB, ")


def test_a_metric_with_scores_of_systems_only(read):
    for parameters in ({}, {"level": "sys", "units": "segments"}):
        readings = read(without={OF_SEGMENTS}, **parameters)
        assert ("en-it_IT", "no segment scores: BLEU") in notes(readings, "submission")
    assert {len(reading.submissions) for reading in read(without={OF_SEGMENTS}, level="sys")} == {20}


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


def test_a_gold_that_is_missing_in_one_pair(read):
    readings = read(without={f"human-scores/en-it_IT.esa-human1.{level}.score" for level in LEVELS})
    assert len(readings) == 9
    assert ("en-it_IT", "no human scores named 'esa-human1'") in notes(readings, "language pair")
