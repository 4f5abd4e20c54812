"""The tables of the metrics tasks: the golden cases, the worked example, what the paper argues, tables of one's own."""

import math

import pytest

import qeframe
import qeframe_agreement
import qeframe_ties
from qeframe.core.errors import DataError, UnknownNameError
from qeframe.core.metric import Metric, TiePolicy
from qeframe.kinds.judgments.batch import Judgments

WORKED = {"<<": 40, "<=": 10, "<>": 15, "=<": 8, "==": 7, "=>": 5, "><": 9, ">=": 6, ">>": 35}
CASES = [f"k{number:02}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12)]


def judgments(cells):
    sign = {"<": 1, "=": 0, ">": -1}
    human = "".join(pair[0] * count for pair, count in cells.items())
    return Judgments.from_plain(human, [sign[pair[1]] for pair, count in cells.items() for _ in range(count)])


def written(matrix):
    rows = ("[" + ", ".join("none" if c is None else str(c) for c in row) + "]" for row in matrix)
    return f"custom(table=[{', '.join(rows)}])"


@pytest.mark.parametrize("number", CASES)
def test_golden(cases_of, registry, number):
    assert len(cases_of("kendall")) == len(CASES)
    (case,) = (case for case in cases_of("kendall") if case["id"].startswith(number))
    human, given = case["input"]["human"], case["input"]
    metric = [math.nan if value == "NaN" else value for value in given["metric_diff"]]
    if "raises" in case["expected"]:
        with pytest.raises(ValueError, match=case["expected"]["message"]) as caught:
            qeframe.score("kendall", human, metric, registry=registry)
        assert isinstance(caught.value, DataError)
        return
    expected = case["expected"]["value"]
    if "matrix" in given:
        name = f"kendall(ties={written(given['matrix'])})"
        assert qeframe.score(name, human, metric, registry=registry) == pytest.approx(expected, abs=1e-12)
        return
    epsilon = given["epsilon"]
    cells = qeframe_agreement.confusion(Judgments.from_plain(human, metric), epsilon=epsilon)
    assert cells.tolist() == expected.pop("cells")
    assert set(expected) == {"WMT12", "WMT13", "WMT14", "HTIES", "ACC23", "TAU23"}
    for word, value in expected.items():
        found = qeframe.score(f"kendall(ties={word.lower()}, epsilon={epsilon})", human, metric, registry=registry)
        assert found == pytest.approx(float(value), abs=1e-12, nan_ok=True), word


@pytest.mark.parametrize(
    ("ties", "tau"), [("wmt12", 0.3043), ("wmt13", 0.5152), ("wmt14", 0.4435), ("hties", 0.4296), ("darr", 0.3043)]
)
def test_worked_example(registry, ties, tau):
    assert qeframe.score(f"kendall(ties={ties})", judgments(WORKED), None, registry=registry) == pytest.approx(
        tau, abs=5e-5
    )


def test_the_sentence_that_contradicts_the_matrix_of_wmt12_is_a_table_of_ones_own(registry):
    """Human ties discordant, metric ties left out: 31 / 119, not what the task computed."""
    name = f"kendall(ties={written([[1, None, -1], [-1, -1, -1], [-1, None, 1]])})"
    assert qeframe.score(name, judgments(WORKED), None, registry=registry) == pytest.approx(31 / 119, abs=1e-12)


def test_a_metric_that_ties_nearly_always(registry):
    """As DiscoTK-light-kool at WMT14: lowest under wmt12, about 0 under wmt14, the human tie rate under hties."""
    batch = judgments({"<=": 399, "<<": 1, ">=": 400, "==": 200})
    scores = {
        ties: qeframe.score(f"kendall(ties={ties})", batch, None, registry=registry)
        for ties in ("wmt12", "wmt13", "wmt14", "hties")
    }
    assert scores["wmt12"] == pytest.approx(-0.9975)
    assert scores["wmt13"] == 1.0
    assert scores["wmt14"] == pytest.approx(1 / 800)
    assert scores["hties"] == pytest.approx(0.201)


def test_the_defaults_of_the_metrics_are_the_policies_of_that_name(registry):
    """Plugins do not import each other, so the two tables are written twice and must not drift apart."""
    from qeframe_agreement.grids import ACC23, WMT14

    assert qeframe_ties.wmt14 == WMT14
    assert qeframe_ties.acc23 == ACC23
    assert registry.get(Metric, "kendall").name == "kendall(ties=wmt14)"
    assert registry.get(Metric, "kendall(ties=wmt12)").name == "kendall(ties=wmt12)"


def test_custom_tables_print_and_parse_back(registry):
    name = "kendall(ties=custom(table=[[1, 0.5, -1], [none, 0.25, none], [-1, 0.5, 1]]), epsilon=0.5)"
    assert registry.get(Metric, name).name == name
    policy = registry.get(TiePolicy, "custom(table=[[1, 0.5, -1], [none, 0.25, none], [-1, 0.5, 1]])")
    assert policy.table == ((1.0, 0.5, -1.0), (None, 0.25, None), (-1.0, 0.5, 1.0))
    assert registry.get(TiePolicy, "custom").table == qeframe_ties.wmt14.table


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("custom(table=[[1, 0], [0, 1]])", "3 x 3"),
        ("custom(table=[[1, 0, x], [0, 1, 0], [0, 0, 1]])", "parameter table"),
        ("custom(table=3)", "parameter table"),
    ],
)
def test_a_table_that_is_none(registry, name, message):
    with pytest.raises(DataError, match=message):
        registry.get(TiePolicy, name)


def test_an_unknown_policy_is_named(registry):
    with pytest.raises(UnknownNameError, match="did you mean 'wmt14'"):
        registry.get(Metric, "kendall(ties=wmt41)")


def test_a_table_that_excludes_everything(registry):
    name = "kendall(ties=custom(table=[[none, none, none], [none, none, none], [none, none, none]]))"
    assert math.isnan(qeframe.score(name, "<=>", [1, 2, 3], registry=registry))
