"""The table of provenance: lists of keys by certainty, and tables for single keys."""

import pytest

from qeframe.core.profiles.provenance import stated_provenance, wrong_provenance
from qeframe.core.profiles.schema import Provenance


def stated(facts):
    return stated_provenance(facts, source="the findings", chosen_by="somebody")


def test_keys_in_lists_have_the_source_of_their_certainty():
    facts = {"read": ["gold"], "inferred": ["best"], "unconfirmed": ["alpha"], "chosen": ["ranking", "test"]}
    chosen = Provenance(certainty="chosen", source="somebody")
    assert stated(facts) == {
        "gold": Provenance(certainty="read", source="the findings"),
        "best": Provenance(certainty="inferred", source="the findings"),
        "alpha": Provenance(certainty="unconfirmed", source="Not found in a source that could be opened"),
        "ranking": chosen,
        "test": chosen,
    }


def test_a_table_states_what_differs():
    facts = {
        "gold": {"note": "N"},
        "alpha": {"certainty": "unconfirmed", "source": "a rumor"},
        "best": {"certainty": "inferred", "source": ""},
        "test": {},
    }
    assert stated(facts) == {
        "gold": Provenance(source="the findings", note="N"),
        "alpha": Provenance(certainty="unconfirmed", source="a rumor"),
        "best": Provenance(certainty="inferred"),
        "test": Provenance(source="the findings"),
    }


def test_without_a_table_nothing_is_stated():
    assert stated({}) == {}
    assert wrong_provenance({}) == []


@pytest.mark.parametrize(
    ("facts", "mistakes"),
    [
        ({"read": "gold"}, ["provenance.read: must be a list of keys, not 'gold'"]),
        ({"read": ["gold", 1]}, ["provenance.read: must be a list of keys, not ['gold', 1]"]),
        ({"read": {"note": "N"}}, ["provenance.read: must be a list of keys, not {'note': 'N'}"]),
        ({"read": ["god"]}, ["provenance.read: unknown key 'god', did you mean 'gold'?"]),
        ({"raed": ["gold"]}, ["provenance.raed: unknown key, did you mean 'read'", "provenance.raed: must be a table"]),
        ({"name": {}}, ["provenance.name: unknown key"]),
        ({"gold": "read"}, ["provenance.gold: must be a table, not 'read'"]),
        ({"gold": {"nota": "N"}}, ["provenance.gold.nota: unknown key, did you mean 'note'?"]),
        ({"gold": {"note": 1}}, ["provenance.gold.note: must be a word in quotes"]),
        (
            {"gold": {"certainty": "sure"}},
            ["provenance.gold.certainty: must be read or inferred or unconfirmed or chosen"],
        ),
        ({"read": ["gold"], "chosen": ["gold"]}, ["provenance.gold: is named twice; name it once"]),
        ({"read": ["gold", "gold"]}, ["provenance.gold: is named twice; name it once"]),
        ({"read": ["gold"], "gold": {"note": "N"}}, ["provenance.gold: is named twice; name it once"]),
        (
            {"read": ["god"], "alpha": 1, "chosen": ["best"], "inferred": ["best"]},
            ["provenance.read: unknown key", "provenance.alpha: must be a table", "provenance.best: is named twice"],
        ),
    ],
)
def test_every_mistake_is_found(facts, mistakes):
    found = wrong_provenance({"provenance": facts})
    assert len(found) == len(mistakes)
    for message, start in zip(found, mistakes, strict=True):
        assert message.startswith(start)
