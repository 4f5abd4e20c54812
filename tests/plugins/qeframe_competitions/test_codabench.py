"""The bundle of Codabench, and its pages."""

import json
import struct
import zlib
from datetime import datetime

import attrs
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from qeframe.core.errors import DataError
from qeframe_competitions.codabench import (
    DEFAULT_TERMS,
    IMAGE,
    Options,
    bundle_files,
    codabench_bundle,
    default_logo,
    wheel_files,
    yaml_text,
)
from qeframe_competitions.prepare import prepare
from tests.plugins.qeframe_competitions.small_files import SENTENCE, WORD


@pytest.fixture
def prepared(registry, sentence_gold):
    return prepare(SENTENCE, sentence_gold, registry)


def settings_of(files):
    return yaml.safe_load(files["competition.yaml"])


def test_the_settings_name_files_that_are_there(prepared):
    files = bundle_files(prepared, Options(), {"q.whl": b"1"})
    settings = settings_of(files)
    assert settings["version"] == 2
    assert {settings["image"], settings["terms"], *(page["file"] for page in settings["pages"])} <= set(files)
    assert all(files[page["file"]] for page in settings["pages"])
    (task,) = settings["tasks"]
    inside = {"metadata.yaml", "score.py", "competition.json", "wheels/q.whl"}
    assert {f"{task['scoring_program']}/{name}" for name in inside} <= set(files)
    assert {f"{task['reference_data']}/en-de/gold.da", f"{task['reference_data']}/en-cs/gold.da"} <= set(files)
    command = yaml.safe_load(files["scoring_program/metadata.yaml"])["command"]
    assert command == "python3 /app/program/score.py /app/input/ /app/output/"
    assert not [name for name in files if "submissions" in name]
    assert settings["phases"][0]["starting_kit"] == "starting_kit"
    kit = {name for name in files if name.startswith("starting_kit/")}
    names = ("profile.toml", "competition.json", "example/en-cs.txt", "example/en-de.txt")
    assert kit == {f"starting_kit/{name}" for name in names}
    assert settings["docker_image"] == IMAGE
    assert settings["show_detailed_results_in_leaderboard"] is False


def test_columns_are_keys_of_the_scores(prepared):
    files = bundle_files(prepared, Options(), {})
    (board,) = settings_of(files)["leaderboards"]
    keys = [column["key"] for column in board["columns"]]
    assert keys == ["spearman", "pearson", "mae", "rmse", "en_cs_spearman", "en_de_spearman"]
    assert [column["index"] for column in board["columns"]] == list(range(6))
    assert {c["key"]: c["sorting"] for c in board["columns"]}["mae"] == "asc"
    assert {c["key"]: c["sorting"] for c in board["columns"]}["spearman"] == "desc"
    assert set(keys) <= set(prepared.scored.scores)
    every = settings_of(bundle_files(prepared, Options(every_column=True), {}))["leaderboards"][0]["columns"]
    assert {column["key"] for column in every} == set(prepared.scored.scores)


def test_limits_flags_and_times(prepared):
    options = Options(start=datetime(2026, 7, 30, 12), end=datetime(2026, 8, 6), max_per_day=2, contact="a@b.example",
                      time_limit=60, terms="# Ours", logo=b"\xff\xd8x", approve=True)  # fmt: skip
    files = bundle_files(prepared, options, {})
    settings = settings_of(files)
    (phase,) = settings["phases"]
    assert (phase["start"], phase["end"]) == (datetime(2026, 7, 30, 12), datetime(2026, 8, 6))
    assert (phase["max_submissions_per_day"], phase["execution_time_limit"]) == (2, 60)
    assert (settings["contact_email"], settings["registration_auto_approve"]) == ("a@b.example", True)
    assert (files["logo.jpg"], files["pages/terms.md"]) == (b"\xff\xd8x", b"# Ours")
    assert "end" not in settings_of(bundle_files(prepared, Options(), {}))["phases"][0]
    with pytest.raises(DataError, match="before it starts"):
        Options(start=datetime(2026, 1, 2), end=datetime(2026, 1, 2))


def test_hidden_scores_are_hidden_everywhere(prepared):
    hidden = attrs.evolve(prepared, competition=attrs.evolve(prepared.competition, hidden=True))
    settings = settings_of(bundle_files(hidden, Options(), {}))
    (board,), (phase,) = settings["leaderboards"], settings["phases"]
    assert board["hidden"]
    assert all(column["hidden"] for column in board["columns"])
    assert phase["hide_score_output"]
    assert not phase["hide_output"]  # authors read the line about a mistake there


def test_equal_files_give_equal_bytes(registry, word_gold):
    bundles = {codabench_bundle(prepare(WORD, word_gold, registry), Options(), {"q.whl": b"1"}) for _ in range(2)}
    assert len(bundles) == 1


def test_the_program_is_told_all(prepared):
    told = json.loads(bundle_files(prepared, Options(), {})["scoring_program/competition.json"])
    assert (told["profile"], told["tasks"]) == (SENTENCE, ["en-cs", "en-de"])


def test_wheels_of_the_project_are_there(registry):
    (name,) = wheel_files(registry, inside=False)
    assert name.startswith("qeframe-")


def test_the_chunks_are_those_of_a_picture():
    content = default_logo()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert content[at + 8 + length : at + 12 + length] == struct.pack(">I", zlib.crc32(kind + body))
        chunks[kind] = body
        at += 12 + length
    assert list(chunks) == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, color = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert (width, height, depth, color, len(pixels)) == (128, 128, 8, 2, 128 * (1 + 3 * 128))
    assert default_logo() == content


KEYS = st.from_regex("[a-z_]{1,8}", fullmatch=True).map(lambda key: f"k_{key}")
SCALARS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs",)), max_size=12),
    st.integers(-(10**9), 10**9),
    st.booleans(),
    st.datetimes(datetime(1970, 1, 1), datetime(2100, 1, 1)).map(lambda time: time.replace(microsecond=0)),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(st.one_of(SCALARS, st.dictionaries(KEYS, inner, min_size=1, max_size=3)), min_size=1, max_size=3),
        st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


@settings(max_examples=15)
@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_round_trip(values):
    assert yaml.safe_load(yaml_text(values)) == values


@pytest.mark.parametrize("text", ["no", "1", "a: b", "# c", "", "\u2028", "\x07", "2026-01-01", '"', "\\", "é", "😀"])
def test_texts_stay_texts(text):
    assert yaml.safe_load(yaml_text({"title": text})) == {"title": text}


def test_layout():
    values = {"version": 2, "open": True, "pages": [{"title": "A", "columns": [1, 2]}, {"title": "B", "columns": [3]}]}
    assert yaml_text(values) == (
        'version: 2\nopen: True\npages:\n  - title: "A"\n    columns:\n      - 1\n      - 2\n'
        '  - title: "B"\n    columns:\n      - 3\n'
    )


def test_terms_are_not_empty():
    assert DEFAULT_TERMS.startswith("# Terms\n")
