"""What a scoring program is told."""

import pytest

from qeframe.api.read import choose_profile
from qeframe.core.errors import DataError, QeframeError
from qeframe_competitions.columns import ScoreColumn
from qeframe_competitions.layout import Layout
from qeframe_competitions.settings import (
    PROFILE_FILE,
    SETTINGS_FILE,
    Competition,
    competition_rules,
    read_competition,
    rules_of_one,
)

SETTINGS = Competition(
    title="Ä <b>",
    profile="wmt22_qe_word",
    changed=("missing=drop_for_all",),
    layout=Layout(("en-de",)),
    tasks=("en-de",),
    tried=True,
    columns=(ScoreColumn(key="mcc", metric="mcc", primary=True),),
    hidden=True,
    inputs=("en-de",),
)


def test_round_trip(tmp_path):
    (tmp_path / SETTINGS_FILE).write_text(SETTINGS.to_json(), encoding="utf-8")
    assert read_competition(tmp_path) == SETTINGS


@pytest.mark.parametrize("text", [None, "{", "{}", "[]", '{"columns": 1}'])
def test_settings_that_cannot_be_read(tmp_path, text):
    if text is not None:
        (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(QeframeError, match=r"competition\.json beside the scoring program cannot be read"):
        read_competition(tmp_path)


def test_rules_of_one(registry, tmp_path):
    rules = competition_rules(SETTINGS, tmp_path, registry)
    assert (rules.name, rules.test, rules.interval, rules.missing) == ("wmt22_qe_word", "", "", "error")
    assert (rules.columns, rules.computed, rules.baselines) == ((), (), ())
    worst = rules_of_one(choose_profile("wmt22_qe_word", ["missing=score_as_worst"], registry))
    assert worst.missing == "score_as_worst"


def test_a_profile_of_the_organizers(registry, tmp_path):
    import attrs

    (tmp_path / PROFILE_FILE).write_text('extends = "wmt22_qe_word"\ntitle = "Ours"\nsecondary = []\n')
    rules = competition_rules(attrs.evolve(SETTINGS, profile=PROFILE_FILE, changed=()), tmp_path, registry)
    assert (rules.title, rules.metrics) == ("Ours", ("mcc",))


def test_a_profile_with_parts(registry):
    with pytest.raises(DataError, match="the overall score of 'wmt23_metrics' depends on the other submissions"):
        rules_of_one(choose_profile("wmt23_metrics", (), registry))
