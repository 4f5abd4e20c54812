"""Spans of one severity or category, and faults of translations, under every rule."""

import pytest

from qeframe.core.errors import DataError

GOLD = [[(0, 4, "minor", "fluency/grammar"), (6, 8, "major", "accuracy/addition")]]
SAID = [[(0, 4, "major", "fluency/grammar"), (6, 8, "minor", "accuracy/omission"), (9, 10, "minor")]]
NONE = [[]]


@pytest.mark.parametrize("name", ["span_f1", "span_f1(rule=2023)", "mpp_f"])
def test_one_category(measure, name):
    def with_category(category):
        options = f"{name[:-1]}," if name.endswith(")") else f"{name}("
        return measure(f'{options}category="{category}")', GOLD, SAID)

    assert with_category("fluency") == with_category("fluency/grammar") == (1 if name == "mpp_f" else 0.5)
    assert with_category("accuracy/addition") == 0
    with pytest.raises(DataError, match="there is no category 'style': the categories are accuracy/addition"):
        with_category("style")
    with pytest.raises(DataError, match="spans have no category"):
        measure("mpp_f(category=style)", [[]], [[]])


def test_one_severity(measure):
    assert measure("mpp_f(severity=minor)", GOLD, SAID) == 0
    assert measure("span_precision(severity=major)", GOLD, SAID) == 0
    assert measure("mpp_recall(severity=critical)", GOLD, SAID) == 1


FAULTS = {"omission": (["major"], ["major"]), "instruction_fault": (["minor"], [None])}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("span_f1(faults=counted)", 2 * 1 / (2 + 1)),
        ("span_precision(rule=2023,faults=counted)", 1.0),
        ("span_recall(faults=counted)", 0.5),
        ("mpp_f(faults=counted)", 2 / 3),
        ("mpp_recall(faults=counted,major_weight=4.0)", 0.8),
        ("mpp_f(faults=counted,average=macro,matching=many_to_many)", 2 / 3),
        ("mpp_f(faults=counted,severity=major)", 1.0),
        ("mpp_f(faults=counted,severity=minor)", 0.0),
        ("mpp_f", 1.0),
        ("span_f1", 1.0),
    ],
)
def test_faults_count_if_they_are_asked_for(measure, name, expected):
    assert measure(name, NONE, NONE, **FAULTS) == pytest.approx(expected)


def test_a_fault_of_another_severity(measure):
    faults = {"omission": (["major"], ["minor"])}
    assert measure("span_f1(faults=counted)", NONE, NONE, **faults) == 0.5
    assert measure("mpp_f(faults=counted)", NONE, NONE, **faults) == 1
    assert measure("mpp_f(faults=counted,severity_penalty=0.25)", NONE, NONE, **faults) == 0.75


def test_an_omission_is_no_fault_against_the_instructions(measure):
    faults = {"omission": (["major"], [None]), "instruction_fault": ([None], ["major"])}
    assert measure("mpp_f(faults=counted)", NONE, NONE, **faults) == 0


@pytest.mark.parametrize(("rule", "expected"), [(2023, (2.5 / 7, 0.25)), (2025, (2.5 / 7, 0.25))])
def test_precision_and_recall_of_marked_characters(measure, rule, expected):
    sides = [[(0, 10, "major")]], [[(5, 12, "minor")]]
    found = tuple(measure(f"span_{name}(rule={rule})", *sides) for name in ("precision", "recall"))
    assert found == pytest.approx(expected)


@pytest.mark.parametrize(("rule", "neither"), [(2023, 0.0), (2025, 1.0)])
@pytest.mark.parametrize("name", ["span_precision", "span_recall"])
def test_degenerate_cases_of_precision_and_recall(measure, name, rule, neither):
    assert measure(f"{name}(rule={rule})", NONE, NONE) == neither
    assert measure(f"{name}(rule={rule})", NONE, [[(0, 3, 0)]]) == 0
    assert measure(f"{name}(rule={rule})", [[(0, 3, 0)]], NONE) == 0
