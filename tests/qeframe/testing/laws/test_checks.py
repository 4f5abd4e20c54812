import attrs
import pytest

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.testing.laws.checks import LAWS, checks_of, components_of

MAE = qeframe.load().get(Metric, "mae")


def test_the_laws_that_others_presuppose_come_first():
    names = [check.law.name for check in checks_of(MAE)]
    assert names[:4] == ["shape", "input", "determinism", "defined"]
    assert names[-1] == "free_name"


@pytest.mark.parametrize("kind", LAWS)
def test_laws_have_different_names(kind):
    names = [law.name for law in LAWS[kind]]
    assert len(set(names)) == len(names)


def test_a_law_is_not_tried_on_a_component_that_breaks_one_before_it():
    wrong = attrs.evolve(MAE, bind=lambda batch: None)
    (order,) = [check for check in checks_of(wrong, tries=5) if check.law.name == "order"]
    assert order.why_not_tried == "Metric 'mae' breaks the law 'shape', which 'order' presupposes"
    with pytest.raises(pytest.skip.Exception, match="presupposes"):
        order()
    (name,) = [check for check in checks_of(wrong, tries=5) if check.law.name == "free_name"]
    assert name.why_not_tried == ""


def test_components_of_a_module_or_a_list():
    import qeframe_ties

    assert {type(each).__name__ for each in components_of(qeframe_ties)} == {"TiePolicy"}
    assert components_of([MAE]) == components_of(MAE) == [MAE]
