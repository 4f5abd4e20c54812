"""The files of the profiles state only what differs, and all rules are those of the first release.

The fixture holds every rule of every profile as it was before the files were sorted into folders and shortened: its
value, certainty, source and note.
"""

import json
import re
import tomllib
from collections import Counter
from pathlib import Path

import attrs
import pytest

from qeframe.core.profile import DEFAULT, RULE_KEYS, Provenance
from qeframe.core.profile_checks import DEFAULT_KEYS
from qeframe_wmt import qeframe_profiles
from tests.registered import profile_named

BEFORE = json.loads(Path(__file__).with_name("rules_of_the_first_release.json").read_text("utf-8"))
FILES = qeframe_profiles()
TABLES = {name: tomllib.loads(file.read_text("utf-8")) for name, file in FILES.items()}

_SET_HERE = {
    "title": """
        wmt09_metrics_segment wmt09_metrics_system wmt10_metrics_segment wmt10_metrics_system
        wmt11_metrics_segment wmt11_metrics_system wmt12_qe_sentence_ranking wmt13_metrics_segment
        wmt13_metrics_system wmt13_qe_sentence_ranking wmt13_qe_time_scoring wmt14_qe_hter_ranking
        wmt14_qe_hter_scoring wmt14_qe_sentence_ranking wmt14_qe_time_ranking wmt14_qe_time_scoring
        wmt14_qe_word_fine wmt14_qe_word_level1 wmt15_metrics_segment wmt15_qe_sentence_ranking
        wmt16_qe_sentence_ranking wmt17_metrics_segment_darr wmt17_qe_sentence_ranking wmt18_qe_sentence_ranking
        wmt18_qe_word_gaps wmt18_qe_word_source wmt19_metrics_segment wmt19_qe_word_gaps wmt19_qe_word_only
        wmt19_qe_word_source wmt20_qe_hter wmt20_qe_word_gaps wmt20_qe_word_source wmt21_qe_hter
        wmt21_qe_word_gaps wmt21_qe_word_source wmt22_metrics_segment wmt22_metrics_system wmt22_qe_sentence_da
        wmt22_qe_sentence_mqm wmt25_metrics_system
    """,
    "year": """
        wmt09_metrics_segment wmt09_metrics_system wmt10_metrics_segment wmt10_metrics_system
        wmt11_metrics_segment wmt11_metrics_system wmt13_metrics_segment wmt13_metrics_system
        wmt15_metrics_segment wmt17_metrics_segment_darr wmt19_metrics_segment wmt22_metrics_segment
        wmt22_metrics_system wmt25_metrics_system
    """,
    "gold": """
        wmt14_qe_hter_ranking wmt14_qe_hter_scoring wmt14_qe_time_ranking wmt14_qe_time_scoring
        wmt14_qe_word_fine wmt14_qe_word_level1 wmt18_qe_word_gaps wmt18_qe_word_source wmt19_qe_word_gaps
        wmt19_qe_word_only wmt19_qe_word_source wmt20_qe_hter wmt20_qe_word_gaps wmt20_qe_word_source
        wmt21_qe_hter wmt21_qe_word_gaps wmt21_qe_word_source wmt22_qe_sentence_da wmt22_qe_sentence_mqm
    """,
    "reader": """
        wmt14_qe_hter_ranking wmt14_qe_sentence_ranking wmt14_qe_time_ranking wmt14_qe_word_fine
        wmt14_qe_word_level1 wmt15_qe_sentence_ranking wmt16_qe_sentence_ranking wmt17_qe_sentence_ranking
        wmt18_qe_sentence_ranking wmt18_qe_word_gaps wmt19_qe_word_gaps wmt19_qe_word_only wmt19_qe_word_source
        wmt20_qe_word_source wmt21_qe_word_source
    """,
    "secondary": """
        wmt09_metrics_system wmt10_metrics_system wmt11_metrics_system wmt13_metrics_segment
        wmt13_metrics_system
    """,
}
SET_HERE = {key: set(names.split()) for key, names in _SET_HERE.items()}
"""Rules that a file states without a source, by key: until the first release they showed the source and the note of the
rule that they replace in the profile that the file extends."""

CORRECTED = {f"wmt{year}_metrics_{level}" for year in range(21, 26) for level in ("segment", "system", "both")}
"""Profiles whose rules were corrected since: their readers took one list of references for all language pairs."""

CHANGED = {
    **{name: {"ranking"} for name in ("qe_sentence", "qe_word")},  # their winners are those who may be best
    "wmt14_metrics_system": {"gold"},  # the note names the component that computes TrueSkill now
    "wmt15_metrics_system": {"gold"},  # likewise
    "wmt20_metrics_system": {"reader", "primary", "secondary", "across"},
    "wmt16_metrics_segment_da": {"primary"},
    "wmt17_metrics_segment": {"primary"},
    **{f"wmt{year}_metrics_system": {"primary"} for year in (17, 18, 19)},
    **{
        f"wmt{name}": {"test", "sided"}
        for name in ("17_metrics_segment_darr", "18_metrics_segment", "19_metrics_segment", "20_metrics_segment")
    },
    "wmt23_qe_sentence": {"reader", "secondary", "across"},
    "wmt23_qe_word": {"reader", "gold", "secondary"},
    "wmt24_qe_sentence": {"secondary"},
    "wmt23_qe_span": {"reader", "gold", "secondary"},
    **{f"wmt{year}_qe_span": {"secondary"} for year in (24, 25)},
    "wmt20_qe_sentence": {"reader"},
    **{f"wmt21_qe_{kind}": {"reader"} for kind in ("sentence", "hter", "word", "word_gaps", "word_source")},
    **{f"wmt22_qe_{kind}": {"reader"} for kind in ("sentence", "sentence_da", "sentence_mqm", "word")},
}
"""Rules that are those of the tasks, by profile, since the first release had others or read the data otherwise."""

TASK_SETS = {f"wmt{year}_metrics" for year in range(22, 26)}
"""Profiles of several parts."""

IN_MTEVAL = {f"wmt26_{name}" for name in ("task1", "task2", "task2_pearson", "task3", "task3_pooled", "tasks")} | {
    "wmt26_systems",
    "wmt26_systems_pair",
    *(f"wmt{year}_human" for year in (24, 25, 26)),
    "wmt25_autorank",
    "wmt25_correction",
}
"""Profiles of the tasks of 2026, and of human evaluations."""

CHALLENGE_SETS = {"aces", "mslc23", "mslc24", "wmt25_challenge_sets", "wmt25_gender", "wmt25_mslc_b"}

OWN = {"metrics", "qe", "qe_sentence", "qe_word", "qe_parts"}
"""Profiles of qeframe's own rules."""

ADDED = {
    "metrics",
    "qe",
    "qe_parts",
    *TASK_SETS,
    *IN_MTEVAL,
    *CHALLENGE_SETS,
    "wmt22_qe_sentence_da_multilingual",
    "wmt22_qe_sentence_da_multilingual_wo_en_yo",
    "wmt22_qe_sentence_mqm_multilingual",
    "wmt19_qe_document",
    "wmt20_qe_document",
    "wmt19_qe_document_annotations",
    "wmt20_qe_document_annotations",
    "wmt17_qe_phrase",
    "wmt21_qe_critical",
    "wmt21_qe_explainable",
    "wmt22_qe_critical_constrained",
    "wmt22_qe_critical_unconstrained",
    "wmt22_qe_explainable",
    "wmt22_qe_explainable_sentence",
    "wmt23_qe_hallucination",
}
"""Profiles that the first release did not have."""


def without_brackets(title):
    """Return a title without what is in brackets: in the first release, the language pairs of the task."""
    return re.sub(r" \([^()]*\)", "", title)


def before(name):
    """Return the rules of the first release: value and provenance of each key."""
    assert [key for key in RULE_KEYS if key in BEFORE["keys"]] == BEFORE["keys"]
    rules = {}
    for key, (value, known) in zip(BEFORE["keys"], BEFORE["profiles"][name], strict=True):
        certainty, source, note = BEFORE["provenance"][known]
        rules[key] = (BEFORE["values"][value], [certainty, source, BEFORE["reworded"].get(note, note)])
    return rules


def test_no_profile_is_lost_or_named_twice():
    beside = {"published", "sources"}  # folders of data sources and published tables
    folder = Path(str(FILES["qe_word"])).parents[1]
    files = [file.stem for file in folder.rglob("*.toml") if file.parent.name not in beside]
    assert sorted(files) == sorted(FILES) == sorted({*BEFORE["profiles"], *ADDED})
    assert len(FILES) == 95 + len(ADDED)


def test_the_folders():
    folder = {name: Path(str(file)).parent.name for name, file in FILES.items()}
    assert Counter(folder.values()) == {
        "qe": 55 + len(ADDED - TASK_SETS - IN_MTEVAL - CHALLENGE_SETS - OWN),
        "metrics": 38 + len(TASK_SETS),
        "mteval": len(IN_MTEVAL),
        "challenge_sets": len(CHALLENGE_SETS),
        "own": len(OWN),
    }
    assert {name for name in FILES if folder[name] == "metrics"} == {name for name in FILES if "_metrics" in name}
    assert {name for name in FILES if folder[name] == "own"} == OWN


@pytest.mark.parametrize("name", sorted(set(FILES) - CORRECTED - ADDED))
def test_the_rules_are_those_of_the_first_release(name):
    profile = profile_named(name)
    for key, (value, known) in before(name).items():
        if key in CHANGED.get(name, ()):
            continue
        found = profile.certainty(key)
        if key in DEFAULT_KEYS and getattr(profile, key) == DEFAULT:
            assert found.certainty == known[0] == "chosen", f"{key}: qeframe replaced a rule that it had not chosen"
            continue
        if name in SET_HERE.get(key, ()):
            known = ["chosen", "set here", ""]
        shown = getattr(profile, key)
        if key == "title":
            shown, value = without_brackets(shown), without_brackets(value)
        assert plain(shown) == plain(value), key
        if key == "reader" and LINE_RULE.match(found.note):
            found = attrs.evolve(found, note=LINE_RULE.sub("", found.note))
            if not found.note or name in SET_HERE["reader"]:
                continue
        assert plain(attrs.astuple(found)) == plain(known), key


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_title_names_no_language_pairs(name):
    """A result has the title of its profile, and the data may have other language pairs than the task had."""
    exclusion = r"(with|without|excluding) en-yo"
    assert not re.search(r"\b[a-z]{2}-[a-z]{2}\b|language pairs", re.sub(exclusion, "", profile_named(name).title))


@pytest.mark.parametrize("key", SET_HERE)
def test_what_is_set_here_is_what_files_state_without_a_source(key):
    for name in SET_HERE[key]:
        assert "source" not in TABLES[name]
        assert key in TABLES[name] or TABLES[name]["extends"] in SET_HERE[key]


@pytest.mark.parametrize("name", [name for name, table in sorted(TABLES.items()) if "extends" in table])
def test_a_file_states_only_what_differs(name):
    table = TABLES[name]
    base = profile_named(table["extends"])
    assert [
        key for key in RULE_KEYS if key in table and key in base.stated and table[key] == plain(getattr(base, key))
    ] == []
    profile = profile_named(name)
    explained = [key for facts in provenance(table).items() for key in keys_of(*facts) if key not in table]
    assert [key for key in explained if profile.provenance[key] == base.provenance.get(key)] == []


def test_a_file_explains_only_what_needs_it():
    """What a file states with a source was read there, and is not listed as read again."""
    for name, table in TABLES.items():
        if "source" in table:
            assert [key for key in provenance(table).get("read", ()) if key in table] == [], name
        for key, fact in provenance(table).items():
            assert key in {"read", "inferred", "unconfirmed", "chosen"} or {"note", "source"} & set(fact), (name, key)


def test_a_file_extends_one_of_its_own_folder():
    folder = {name: Path(str(file)).parent for name, file in FILES.items()}
    assert {folder[name] == folder[table["extends"]] for name, table in TABLES.items() if "extends" in table} == {True}


def test_the_source_of_what_qeframe_chose():
    assert profile_named("wmt12_metrics_segment").certainty("alpha") == Provenance(certainty="chosen", source="qeframe")


def plain(value):
    return list(value) if isinstance(value, tuple) else value


def provenance(table):
    return table.get("provenance", {})


def keys_of(key, fact):
    return fact if isinstance(fact, list) else [key]


LINE_RULE = re.compile(r"(SEG|SEGMENT|SENT_ID) is the line of the gold, from [01]\. ?")
BY_LINE = {"qe_detection", "qe_four_columns", "qe_sentence", "word_columns_2015", "word_columns_2020"}
"""Readers of submissions with segment numbers, and of golds that have lines only."""


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_profile_states_the_rule_that_makes_line_numbers_the_ids(name):
    profile = profile_named(name)
    readers = [part["reader"] for part in profile.parts if "reader" in part] or [profile.reader]
    by_line = any(name.partition("(")[0] in BY_LINE and "segments=ids" not in name for name in readers)
    notes = (profile.certainty(key).note for key in ("reader", "parts"))
    assert by_line == any(LINE_RULE.search(note) for note in notes)
