"""The pages of a competition."""

import attrs
import pytest

from qeframe_competitions.codabench import DEFAULT_TERMS, evaluation_page, overview_page, submission_page
from qeframe_competitions.prepare import prepare
from tests.plugins.qeframe_competitions.small_files import SENTENCE


@pytest.fixture
def prepared(registry, sentence_gold):
    return prepare(SENTENCE, sentence_gold, registry, title="Our <b>task</b>", changed=["best=high"])


def test_overview(prepared):
    page = overview_page(prepared.competition, prepared.profile, "")
    assert page.startswith("# Our \\<b\\>task\\</b\\>\n")
    assert "* `en-cs`\n* `en-de`\n" in page
    assert "Words *here*" not in overview_page(prepared.competition, prepared.profile, "Words *here*")


def test_submission(prepared):
    page = submission_page(prepared.competition, prepared.reader)
    assert "* `en-cs.txt`\n* `en-de.txt`" in page
    assert "qeframe validate wmt22_qe_sentence_da FILE --set best=high" in page
    one = attrs.evolve(prepared.competition, layout=attrs.evolve(prepared.competition.layout, folders=("en-de",)))
    assert "It has one file, of any name." in submission_page(one, prepared.reader)
    shared = attrs.evolve(prepared.competition, layout=attrs.evolve(one.layout, folders=(), shared="scores"))
    assert "in the folder `scores`" in submission_page(shared, prepared.reader)


def test_evaluation(prepared):
    competition = prepared.competition
    page = evaluation_page(competition, prepared.profile, competition.columns[:3])
    assert "| spearman | spearman | higher |\n| pearson | pearson | higher |\n| mae | mae | lower |" in page
    assert "A submission that lacks a segment gets no score." in page
    assert "not shown" not in page
    hidden = attrs.evolve(competition, hidden=True, pseudo_gold="x")
    page = evaluation_page(hidden, attrs.evolve(prepared.profile, missing="score_as_worst"), competition.columns)
    assert "Scores are not shown in this phase." in page
    assert "does **not** show agreement with the gold" in page
    assert "gets the worst one" in page


def test_terms_are_not_empty():
    assert DEFAULT_TERMS.startswith("# Terms\n")
