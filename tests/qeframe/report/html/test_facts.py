"""Facts of pages, kept as JSON."""

import json
from functools import reduce
from operator import getitem

import pytest

import qeframe
from qeframe.api.read import choose_profile
from qeframe.core.errors import DataError
from qeframe.report.html.facts import PageFacts, page_facts


def test_facts_read_back_byte_by_byte(evaluation, task):
    profile = choose_profile("wmt14_qe_task1_2", ["alpha=0.01"], qeframe.load())
    facts = page_facts(evaluation, [task], profile=profile, command="qeframe run 'a b'")
    assert PageFacts.from_json(facts.to_json()).to_json() == facts.to_json()
    assert set(facts.units) == {"en-de"}
    assert facts.rules["primary"]["certainty"] == "read"
    assert "Graham" in facts.rules["primary"]["source"]
    assert facts.rules["alpha"] == {"certainty": "chosen", "source": "changed for this run", "note": ""}


def test_readings_of_one_pair_are_kept_apart(evaluation, task):
    import attrs

    other = attrs.evolve(task, selection="level=sys")
    assert set(page_facts(evaluation, [task, other]).units) == {"en-de", "en-de (level=sys)"}


@pytest.mark.parametrize(
    ("of", "wrong"),
    [
        *(
            (("units", "en-de", key), {"x": 1})
            for key in ("unit", "count", "low", "gold", "submissions", "disagreements")
        ),
        (("units", "en-de", "disagreements", 0), {"unit": "1"}),
        (("units", "en-de", "disagreements", 0, "lowest"), ["A"]),
        (("units",), []),
        (("tasks",), [1]),
    ],
)
def test_facts_of_another_shape_are_refused(evaluation, task, of, wrong):
    facts = json.loads(page_facts(evaluation, [task]).to_json())
    *path, last = of
    reduce(getitem, path, facts)[last] = wrong
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(json.dumps(facts))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"command": "", "rules": {}, "units": {}, "other": 1}', "[" * 99999])
def test_other_json_is_refused(text):
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(text)
