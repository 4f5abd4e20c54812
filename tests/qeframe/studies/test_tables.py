"""The tables of the studies."""

import math

import attrs
import numpy as np
import pytest

from qeframe.data.published.published_table import PublishedTable
from qeframe.report import as_latex, as_markdown, as_text, as_tsv
from qeframe.studies import PowerCurve, PowerInDraws, PowerStudy, curve_records, power_records, power_table
from qeframe.studies.agreement_curves import BETWEEN_JUDGES, AgreementCurve
from qeframe.studies.reproduction import ReproducedTable, ReproducedValue
from qeframe.studies.sampling.least_samples import LeastSample, SampledMetric
from qeframe.studies.tables.curves import curve_record, curve_table
from qeframe.studies.tables.distinctions import sampling_table
from qeframe.studies.tables.reproductions import all_reproduced_values, reproduced_values, reproduction_summary
from qeframe.studies.tables.sensitivity import sensitivity_table


def curve(worse, **numbers):
    given = {
        "difference": 0.1, "error": 0.05, "freedom": 30.0, "power": 0.5, "predicted": 0.45, "needed": 412.0,
        "needed_low": 150.0, "needed_high": 12345.0, "detectable": 0.14, "at": np.array([0.25, 0.5]),
        "low": np.array([0.1, 0.2]), "high": np.array([0.5, 0.75]), "predicted_at": np.array([0.3, 0.45]),
        "in_draws": (PowerInDraws(size=200, power=0.48, error=0.02),),
    }  # fmt: skip
    return PowerCurve(better="a", worse=worse, **{**given, **numbers})


NAN = math.nan
STUDY = PowerStudy(
    profile="p", metric="pearson", unit="segment", units=200, tasks=1, alpha=0.05, target=0.8, confidence=0.95,
    draws=500, seed=3, sizes=np.array([100, 200]),
    curves=(
        curve("b"),
        curve("c", power=0.9, needed_high=math.inf),
        curve("d", difference=NAN, power=NAN, needed=NAN, needed_low=NAN, needed_high=NAN, detectable=NAN),
    ),
)  # fmt: skip


def texts(table, title):
    return [row[[column.title for column in table.columns].index(title)].text for row in table.rows]


def test_the_table():
    table = power_table(STUDY, "title")
    assert texts(table, "worse") == ["b", "c", "d"]
    assert texts(table, "power") == ["0.500", "0.900", "n/a"]
    assert texts(table, "predicted") == ["0.450"] * 3
    assert texts(table, "in draws") == ["0.480", "0.480", "n/a"]
    assert texts(table, "segments for 80 %") == ["412", "412", "n/a"]
    assert texts(table, "95 % interval") == ["150 to 12,300", "150 to no bound", "n/a"]
    assert [row[4].strong for row in table.rows] == [False, True, False]
    assert table.notes[-1] == "profile:p|metric:pearson|alpha:0.05|power:0.8|draws:500|seed:3"


def test_what_was_not_asked_for_has_no_column():
    table = power_table(attrs.evolve(STUDY, draws=0, tasks=2), "title")
    assert "in draws" not in [column.title for column in table.columns]
    assert "2 tasks: all grow by the same factor" in table.notes


def test_records_are_exact():
    table = power_records(STUDY)
    assert texts(table, "needed") == ["412.0", "412.0", ""]
    assert texts(table, "needed_high") == ["12345.0", "inf", ""]
    points = curve_records(STUDY)
    assert texts(points, "units")[:3] == ["100", "200", "200"]
    assert texts(points, "power")[:3] == ["0.25", "0.5", ""]
    assert texts(points, "predicted")[:3] == ["0.3", "0.45", ""]
    assert texts(points, "in_draws")[:3] == ["", "", "0.48"]


@pytest.mark.parametrize("layout", [as_text, as_markdown, as_latex, as_tsv])
def test_every_layout(layout):
    assert "412" in layout(power_table(STUDY, "title"))


def value(published, computed, verdict="equal", reason=""):
    return ReproducedValue(row="A", column="r", published=published, computed=computed, verdict=verdict, reason=reason)


def table(*values):
    made = PublishedTable(
        name="made", summary="values", source="paper", data="d", paths=["."], profile="p", settings=["a=b"],
        columns=[{"title": "r"}], rows={},
    )  # fmt: skip
    return ReproducedTable(table=made, values=values)


def cells(made):
    return [[cell.text for cell in row] for row in made.rows]


def test_digits_and_differences():
    values = [value(".550", 0.5499), value("0.86", 0.861), value("-.04", -0.0401), value("11,021", 11022.0)]
    rows = cells(reproduced_values(table(*values, value("1", math.nan), value("3", 3.0))))
    assert [row[2:5] for row in rows] == [
        [".550", ".549900", "-0.000100"], ["0.86", "0.86100", "+0.00100"], ["-.04", "-.04010", "-0.00010"],
        ["11,021", "11,022", "+1"], ["1", "n/a", "n/a"], ["3", "3", "0"],
    ]  # fmt: skip


def test_reasons_are_notes():
    known = value(".5", 0.6, "known difference", "a misprint")
    made = reproduced_values(table(known, value(".5", 0.7, "differs"), known))
    assert [row[5].text for row in made.rows] == ["known difference (1)", "differs", "known difference (1)"]
    assert [row[5].strong for row in made.rows] == [False, True, False]
    assert made.notes == ("(1) a misprint", "published in: paper; data: d", "computed by: p --set 'a=b'")


def test_the_summary_counts():
    made = reproduction_summary(
        [table(value(".5", 0.5), value(".5", 0.6, "differs"), value(".5", 0.6, "not computed"))]
    )
    assert cells(made) == [["made", "paper", "3", "1", "0", "2", "0"]]
    assert made.rows[0][5].strong


def test_one_table_of_all_values():
    made = all_reproduced_values([table(value(".5", 0.5)), table(value(".5", 0.6, "known difference", "why"))])
    assert cells(made)[1] == ["made", "A", "r", ".5", ".6000", "+0.1000", "known difference", "why"]


def correlations(name, values, references=1, scale="rank"):
    return AgreementCurve(
        name=name, scale=scale, references=references, sizes=(1, 10), values=np.array(values, dtype=float)
    )


CURVES = [
    correlations("bleu", [[0.2, NAN, 0.4], [0.6, 0.6, 0.6]]),
    correlations("gtm_f", [[0.1, NAN, 0.3], [0.9, 0.7, 0.8]], references=2),
    correlations(BETWEEN_JUDGES, [[NAN, 1, 0], [1, 1, 1]], references=0),
]


def test_table():
    text = as_text(curve_table(CURVES, "a title", signature="seed:0")).splitlines()
    assert text[0] == "a title"
    assert [line.split()[-2:] for line in text[4:7]] == [["0.300*", "0.600"], ["0.200", "0.800*"], ["0.500", "1.000"]]
    assert text[5].startswith("gtm_f, 2 references")
    assert "standard deviation over documents 0.71, 0.00" in "\n".join(text)
    assert "documents left out, since no systems differ in them: n = 1: 33.3 %" in text
    assert text[-1] == "seed:0"


def test_scales_are_a_column_and_have_their_own_best():
    other = [correlations("bleu", [[0.1] * 3] * 2, scale="fluency")]
    text = as_text(curve_table([*CURVES[:2], *other], "t"))
    assert "scale" in text.splitlines()[2]
    assert text.count("*") == 1 + 2 + 2
    assert "between judges" not in text


def test_record():
    record = curve_record(CURVES, {"rank": []}, {"seed": 0})
    assert (record["seed"], record["sizes"], record["comparisons"]) == (0, [1, 10], {"rank": []})
    assert record["curves"][0]["mean"] == pytest.approx([0.3, 0.6])
    assert record["curves"][1]["undefined"] == pytest.approx([1 / 3, 0])


def least(size, low=None, high=None, difference=1.0):
    return LeastSample(
        difference=difference, error=0.1, spread=1.0, mean_p=(0.1,), size=size, low=size if low is None else low,
        high=size if high is None else high,
    )  # fmt: skip


def table_of_sampling(*rows):
    sampled = [SampledMetric(metric=name, least=tuple(cells)) for name, *cells in rows]
    shown = sampling_table(sampled, "t", pairs=[(30, 30.01), (30, 30.2)], sizes=(100, 10_000), notes=("a note",))
    return as_text(shown).splitlines()


def test_sizes_by_gap_with_the_least_emphasized():
    lines = table_of_sampling(["mcc", least(5000, 2000), least(100)], ["seqcor", least(math.inf), least(100)])
    assert lines[2].split() == ["metric", "30", "–", "30.01", "%", "30", "–", "30.2", "%"]
    assert lines[4].split() == ["mcc", "2,000", "to", "5,000*", "≤", "100"]
    assert lines[5].split() == ["seqcor", "–", "≤", "100"]
    notes = "\n".join(lines[6:])
    assert "tried: 100, 10,000" in notes
    assert "–: not told apart with 10,000 data sets" in notes
    assert "a to b: the size depends on the simulation error" in notes
    assert "reversed" not in notes
    assert lines[-1] == "a note"


def test_a_metric_that_prefers_worse_data_is_never_the_best():
    lines = table_of_sampling(["worse", least(100, difference=-1.0), least(math.nan)], ["mcc", least(500), least(200)])
    assert lines[4].split() == ["worse", "≤", "100", "(reversed)", "n/a"]
    assert lines[5].split()[1] == "500*"
    assert "reversed: the metric prefers the worse data sets" in "\n".join(lines)


@pytest.fixture
def evaluations(evaluation_of, scored):
    first = evaluation_of(
        [scored("a", 1, {"pearson": 0.75}), scored("b", 2, {"pearson": 0.5}), scored("c", 3, {"pearson": 0.25})],
        profile="one",
    )
    second = evaluation_of(
        [
            scored("b", 1, {"mae": 0.125}),
            scored("a", 2, {"mae": 0.25}),
            scored("c", 3, {"mae": math.nan}),
            scored("x", 1, {"mae": 0.0}, kind="attack"),
        ],
        profile="two",
        primary="mae",
        metrics=("mae",),
    )
    return [first, second]


def rows(text):
    return [line.split() for line in text.splitlines()]


def test_ranks_and_scores_side_by_side(evaluations):
    found = rows(as_text(sensitivity_table(evaluations, "a title")))
    assert found[0] == ["a", "title"]
    assert ["submission", "one", "two"] in found
    assert ["metric", "pearson", "↑", "mae", "↓"] in found
    assert found[5] == ["a", "1•", "0.750*", "2", "0.250"]
    assert any(line[:1] == ["c"] and line[-1] == "n/a" for line in found)


def test_submissions_are_in_the_order_of_the_first_evaluation(evaluations):
    found = rows(as_text(sensitivity_table(evaluations, "t")))
    assert [line[0] for line in found[5:9]] == ["a", "b", "c", "x"]


def test_notes_count_pairs_in_another_order(evaluations):
    text = as_text(sensitivity_table(evaluations, "t"))
    assert "one and two order 1 of 1 pairs of submissions differently" in text
    assert "attack" in text
    assert "baseline" not in text


def test_a_submission_that_one_evaluation_lacks_is_undefined_there(evaluations):
    one, two = evaluations
    shorter = attrs.evolve(two, submissions=two.submissions[:1])
    found = rows(as_text(sensitivity_table([one, shorter], "t")))
    assert any(line[:1] == ["a"] and line[-1] == "n/a" for line in found)
