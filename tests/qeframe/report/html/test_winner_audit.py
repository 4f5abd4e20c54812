"""The section of a page on what the winner could have gained."""

import json

import attrs
import pytest

from qeframe.core.errors import DataError
from qeframe.report.html.evaluation_page import evaluation_page
from qeframe.report.html.facts import PageFacts, page_facts
from qeframe.report.html.winner_audit import audit_notes, audit_scores, audit_sentence


def attack(name, manner, gain, rank, setting=""):
    told = {"attack": name, "summary": f"what {name} does", "manner": manner, "setting": setting}
    return {**told, "score": 0.75 + gain, "gain": gain, "rank": rank}


def facts(*attacks, **more):
    known = {"metric": "pearson", "higher_is_better": True, "winner": "a", "score": 0.75, "of": 3, "second": "b"}
    return {**known, "lead": 0.015, "attacks": list(attacks), "failed": [], **more}


def test_one_sentence_says_who_leads_what_it_could_gain_and_how_far_no_model_gets():
    found = facts(attack("shrink", "cosmetic", 0.02, 1, "factor=.9"), attack("guess", "blind", -0.5, 4))
    assert audit_sentence(found) == (
        "a is first with pearson 0.750, 0.015 better than b; by transforming its own answers it could have gained "
        "0.020 (shrink, factor=.9), more than its lead; the best answers without a model (guess) would have taken rank "
        "4 of 4."
    )
    little = audit_sentence(facts(attack("shrink", "cosmetic", 0.004, 1)))
    assert little.endswith("gained 0.004 (shrink), less than its lead.")
    nothing = audit_sentence(facts(attack("shrink", "cosmetic", 0.0001, 1), attack("round", "cosmetic", -0.1, 2)))
    assert nothing.endswith("no known transformation of its own answers would have gained anything (2 were tried).")
    assert audit_sentence(facts(second="", lead=None)) == "a is first with pearson 0.750."


def test_the_picture_has_the_winner_the_second_and_the_best_attacks_in_order():
    many = [attack(f"no{n}", "blind", -0.1 * n, 3) for n in range(3, 10)]
    found = facts(attack("shrink", "cosmetic", 0.02, 1), *many, failed=["flat"])
    names = [(row.name, row.ranks) for row in audit_scores(found).rows]
    assert names[:4] == [("a after shrink", (1, 1)), ("a", (1, 1)), ("b", (2, 2)), ("no model: no3", (3, 3))]
    assert len(names) == 3 + 5
    notes = audit_notes(found)
    assert "not shown: 2 attacks with worse scores" in notes
    assert "without a defined score: flat" in notes
    low = audit_scores({**found, "higher_is_better": False})
    assert low.rows[-1].name == "a after shrink"


def test_the_section_is_on_the_page_and_is_made_again_from_the_file(evaluation, task):
    known = page_facts(evaluation, [task], audit=facts(attack("<b>shrink", "cosmetic", 0.02, 1)))
    page = evaluation_page(evaluation, known)
    assert "Could the winner have gained without being better?" in page
    assert "a after &lt;b&gt;shrink" in page
    assert evaluation_page(evaluation, PageFacts.from_json(known.to_json())) == page
    without = attrs.evolve(known, audit={})
    assert "audit" not in json.loads(without.to_json())
    assert 'id="audit"' not in evaluation_page(evaluation, without)


def test_a_file_with_another_shape_is_refused(evaluation, task):
    values = json.loads(page_facts(evaluation, [task], audit=facts()).to_json())
    values["audit"]["lead"] = "much"
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(json.dumps(values))
