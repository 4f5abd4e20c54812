"""The questions of a calibration page, and the file of their answers."""

from pathlib import Path

import attrs
import pytest

from qeframe.core.components.loading.registry import Registry
from qeframe.extensions.null_model import NullModel
from qeframe.plugin import DataError, Metric, SignificanceTest
from qeframe.studies import calibration_pages
from qeframe.studies.calibration import calibrate, null_models_of
from qeframe.studies.calibration_pages import (
    GAPS,
    Question,
    answer,
    answers,
    page_questions,
    question_of,
    read_answers,
    write_answers,
)

PAIR = Question(test="jackknife", metric="mean", null="independent_values", units=20, runs=3, seed=4)


def test_the_questions_of_a_mean(registry: Registry) -> None:
    metric = registry.get(Metric, "mean")
    nulls = null_models_of(metric, registry)
    asked = page_questions(registry.get(SignificanceTest, "jackknife"), metric, nulls, units=(30,), runs=5, seed=2)
    assert len(set(asked)) == len(asked) == len(nulls) * (1 + 2 * 3 + len(GAPS))
    assert {one.gaps for one in asked} == {"", *GAPS}
    assert all((one.runs, one.seed) == (5, 2) for one in asked)


def test_unequal_laws_make_no_family(registry: Registry) -> None:
    metric = registry.get(Metric, "pearson")
    scaled = [registry.get(NullModel, "scaled")]
    asked = page_questions(registry.get(SignificanceTest, "williams"), metric, scaled, units=(20, 50))
    assert [(one.units, one.correction, one.gaps) for one in asked] == [(20, "", ""), (50, "", "")]


def test_a_page_needs_a_null_model(registry: Registry) -> None:
    with pytest.raises(DataError, match="no null model for metric 'gtm_f'"):
        page_questions(registry.get(SignificanceTest, "jackknife"), registry.get(Metric, "gtm_f"), [])


def test_an_answer_is_what_calibrate_measures(registry: Registry) -> None:
    (expected,) = calibrate(
        registry.get(SignificanceTest, "jackknife"), registry.get(Metric, "mean"),
        [registry.get(NullModel, "independent_values")], units=(20,), runs=3, seed=4,
    )  # fmt: skip
    assert answer(PAIR, registry) == expected
    assert question_of(expected) == PAIR


def test_rank_sets(registry: Registry) -> None:
    asked = attrs.evolve(PAIR, correction="romano_wolf(draws=50)", gaps="gaps of 1")
    row = answer(asked, registry)
    assert row.covered is not None
    assert 0 <= row.covered.value <= 1
    assert (row.submissions, row.gaps) == (10, "gaps of 1")
    for wrong in ({"gaps": "none such"}, {"correction": ""}):
        with pytest.raises(DataError, match="no rank sets of"):
            answer(attrs.evolve(asked, **wrong), registry)


def test_answers_are_stored_and_not_measured_again(
    registry: Registry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "rates.json"
    asked = [PAIR, attrs.evolve(PAIR, units=21), attrs.evolve(PAIR, correction="holm")]
    first = list(answers(asked, store, registry))
    monkeypatch.setattr(calibration_pages, "answer", None)
    assert list(answers(asked, store, registry)) == first
    assert {question_of(row) for row in read_answers(store)} == set(asked)


def test_undefined_rates_are_stored(registry: Registry, tmp_path: Path) -> None:
    row = answer(attrs.evolve(PAIR, correction="romano_wolf(draws=50)", gaps="all equal"), registry)
    write_answers(tmp_path / "rates.json", [row])
    assert "NaN" not in (tmp_path / "rates.json").read_text()
    (again,) = read_answers(tmp_path / "rates.json")
    assert repr(again) == repr(row)


@pytest.mark.parametrize("text", ["", "[]", '{"rows": [1]}', '{"rows": [{"test": "jackknife"}]}'])
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(DataError, match="holds no measured rates"):
        read_answers(tmp_path / "other.json")
