"""All rules of all profiles are those that are recorded, and their files state only what differs.

The record has the value of every rule that a profile states, where it was read and how certain it is:
``QEFRAME_SNAPSHOTS=write`` writes it anew, for the eye of somebody who knows the source.
"""

import json
import re
import tomllib
from pathlib import Path

import attrs
import pytest

from qeframe.core.profile import RULE_KEYS, Provenance
from qeframe_wmt import qeframe_profiles
from tests.registered import profile_named

FILES = qeframe_profiles()
TABLES = {name: tomllib.loads(file.read_text("utf-8")) for name, file in FILES.items()}

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


def told_of(name):
    """Yield the name of a profile, and a line for each fact that is known of its rules, with their values."""
    profile, rules = profile_named(name), {}
    for key in (key for key in RULE_KEYS if key in profile.stated):
        value = json.dumps(getattr(profile, key), ensure_ascii=False, default=dict)
        rules.setdefault(attrs.astuple(profile.certainty(key)), []).append(f"{key} = {value}")
    yield name
    for (certainty, source, note), values in rules.items():
        yield f"  {certainty}: {'; '.join(values)} | {source} | {note}"


def test_the_rules_are_those_that_are_recorded(snapshot):
    snapshot("rules.txt", "".join(f"{line}\n" for name in sorted(FILES) for line in told_of(name)))


def test_no_profile_is_lost_or_named_twice():
    beside = {"published", "sources"}  # folders of data sources and published tables
    folder = Path(str(FILES["qe_word"])).parents[1]
    files = [file.stem for file in folder.rglob("*.toml") if file.parent.name not in beside]
    assert sorted(files) == sorted(FILES)


def test_the_folders():
    folders = {}
    for name, file in FILES.items():
        folders.setdefault(Path(str(file)).parent.name, set()).add(name)
    assert folders == {
        "qe": {name for name in FILES if re.match(r"wmt\d\d_qe_", name)},
        "metrics": {name for name in FILES if "_metrics" in name},
        "mteval": IN_MTEVAL,
        "challenge_sets": CHALLENGE_SETS,
        "own": OWN,
    }


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_title_names_no_language_pairs(name):
    """A result has the title of its profile, and the data may have other language pairs than the task had."""
    exclusion = r"(with|without|excluding) en-yo"
    assert not re.search(r"\b[a-z]{2}-[a-z]{2}\b|language pairs", re.sub(exclusion, "", profile_named(name).title))


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
