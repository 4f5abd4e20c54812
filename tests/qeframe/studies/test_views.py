"""A study of measures shows itself in a line, as tables, as a data frame and as a figure."""

import math

import pytest

from qeframe.gaming.gaming_gate import Gamed
from qeframe.studies import Trust, TrustedData, TrustRow, Verdicts, agreement_table, trust_table, trust_tables
from qeframe.studies.simulation import share_of
from qeframe.studies.tables.trust import winners_in_words

NAMES = "XYZWV"
FULL = TrustRow(
    metric="mae",
    higher_is_better=False,
    scores={name: float(i) for i, name in enumerate(NAMES)},
    first=("X",),
    verdicts=Verdicts(
        winners=tuple("XYZW"), possible=("V",), separated=2, undecided=1, pairs=10, test="t", draws=160_000
    ),
    reliability=0.8,
    needed=50.0,
    needed_high=math.inf,
    year_test="williams",
    year_error=share_of(0, 400),
    default_error=share_of(20, 400),
    gamed=Gamed(
        index=0.25, low=0.1, high=0.3, attacks=("constant_mean", "constant_median"), blind=True, rank=3, submissions=5
    ),
)
LACKING = TrustRow(metric="none", verdicts=Verdicts(reason="there is no test"))
COSMETIC = TrustRow(
    metric="r",
    scores=dict.fromkeys(NAMES, 0.5),
    first=("Y",),
    verdicts=Verdicts(winners=("Y",), pairs=10, test="t"),
    gamed=Gamed(index=0.1, low=0.05, high=0.2, attacks=("round_scores",), submissions=5),
)
NOT_GAMED = TrustRow(metric="s", gamed=Gamed(index=0.0, low=0.0, high=0.04, submissions=5))


def study_of(*rows, names=("en-de",)):
    data = tuple(
        TrustedData(
            name=name, profile="p", title="A task", unit="segment", units=60, submissions=5, tasks=1, measures=rows
        )
        for name in names
    )
    return Trust(splits=20, runs=400, alpha=0.05, seed=0, data=data)


STUDY = study_of(FULL, LACKING, COSMETIC, NOT_GAMED)


def cells_of(table):
    titles = [column.title for column in table.columns]
    return [dict(zip(titles, (cell.text for cell in row), strict=True)) for row in table.rows]


def test_the_table_says_what_was_found_and_what_is_lacking():
    table = trust_table(STUDY, STUDY.data[0])
    full, lacking, cosmetic, not_gamed = cells_of(table)
    assert table.title == "A task, en-de (5 submissions, 60 segments): which measures can be trusted"
    assert full["may be best"] == "X, Y, Z and 1 more; possibly V"
    assert full["separated"] == "2 of 10 (1 not determined)"
    assert full["segments needed"] == "50 (no number)"
    assert full["false claims: year's test"] == "0.000 (0.000 to 0.010)"  # never an error of 0
    assert full["false claims: default test"] == "0.050 (0.033 to 0.076)"
    assert full["gaming index"] == "0.25 (0.10 to 0.30)"
    assert full["best attacks"] == "constant_mean, constant_median"
    assert full["rank of worthless answers"] == "3 of 6"
    assert {text for title, text in lacking.items() if title != "metric"} == {"n/a"}
    assert cosmetic["rank of worthless answers"] == "the best stays first"
    assert (not_gamed["best attacks"], not_gamed["rank of worthless answers"]) == ("none", "–")
    assert any("none: there is no test" in note for note in table.notes)
    assert any("160,000 draws" in note for note in table.notes)
    (claims,) = (note for note in table.notes if note.startswith("false claims"))
    assert claims.endswith("n/a: the test does not apply to the metric or the data")
    (claims,) = (note for note in trust_table(study_of(FULL), study_of(FULL).data[0]).notes if "false" in note)
    assert "n/a" not in claims


def test_columns_that_were_not_asked_for_are_left_out():
    (row,) = cells_of(trust_table(STUDY, study_of(TrustRow(metric="m")).data[0]))
    assert not [title for title in row if "claims" in title or "gaming" in title]


def test_how_far_measures_agree():
    first, *_ = cells_of(agreement_table(STUDY.data[0]))
    assert list(first) == ["metric", "mae", "none", "r", "s"]
    assert (first["mae"], first["r"], first["none"]) == ("–", "n/a", "n/a")
    assert len(trust_tables(study_of(FULL))) == 1
    assert len(trust_tables(study_of(FULL, COSMETIC, names=("a", "b")))) == 4


def test_winners_in_words():
    assert winners_in_words([FULL, COSMETIC]) == ["first: X under mae; Y under r", "may be best under all of them: Y"]
    assert winners_in_words([LACKING]) == ["no measure has a defined score"]
    alone = TrustRow(metric="z", scores={"Q": 1.0}, first=("Q",), verdicts=Verdicts(winners=("Q",)))
    assert winners_in_words([FULL, alone])[-1] == "no submission may be best under all"


def test_a_study_in_a_line_and_as_text():
    assert repr(STUDY) == "<Trust in 4 measures on en-de>"
    assert "first: X under mae; Y under r" in str(STUDY)
    assert "how far the measures agree" in STUDY.whole().text


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_study_as_a_data_frame(library):
    frame = STUDY.to_frame(library)
    assert list(frame["metric"]) == ["mae", "none", "r", "s"]
    assert frame["rank_of_worthless"].to_list()[0] == 3
    assert frame["default_error_high"].to_list()[0] == pytest.approx(0.076, abs=0.001)
    assert frame["winners"].to_list()[0] == "X, Y, Z, W"


def test_a_picture_with_a_line_for_each_measure():
    figure = study_of(FULL, LACKING, COSMETIC, names=("a", "b")).plot()
    separated, reliability, gaming, errors = figure.axes
    labels = ["", "mae", "none", "r"]  # the name of a data set is written over its empty line
    assert [label.get_text() for label in separated.get_yticklabels()] == labels * 2
    assert {"a", "b"} <= {text.get_text() for text in separated.texts}
    assert separated.patches[0].get_width() == 0.2
    assert reliability.patches[0].get_width() == 0.8
    assert [line.get_xdata()[0] for line in gaming.lines[1:4:2]] == [0.25, 0.1]
    assert errors.get_xlim()[1] == 0.25


def test_a_picture_without_errors_says_so():
    assert study_of(COSMETIC).plot().axes[3].texts[-1].get_text() == "not measured"
