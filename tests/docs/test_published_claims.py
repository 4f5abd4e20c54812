"""The page on published claims: its table is what is stored, and what is stored can be computed again."""

import json

import pytest

from tests.docs.studies import loaded_study


@pytest.fixture(scope="module")
def study():
    return loaded_study("published_claims")


@pytest.fixture(scope="module")
def stored(study):
    return json.loads(study.STORED.read_text(encoding="utf-8"))


def test_the_table_is_what_is_stored(study, stored, tmp_path):
    page = study.PAGE.read_text(encoding="utf-8")
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    study.write(stored, tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page
    assert list(stored) == list(study.DATA_SETS)
    assert all(row["confirmed"] + len(row["not_confirmed"]) == row["official"] for row in stored.values())


def test_one_claim_of_the_default_is_new(stored):
    assert {
        name: row["default"] - row["confirmed"] for name, row in stored.items() if row["default"] != row["confirmed"]
    } == {"WMT22 QE words, en-cs": 1}


@pytest.mark.slow
def test_a_row_is_computed_again(study, stored, shared_data, registry):
    name = "WMT22 QE words, en-de"
    assert json.loads(json.dumps(study.measured(name, shared_data("wmt22-qe").parent, registry))) == stored[name]
