from random import Random

import pytest

from qeframe.core.components.batch_kind import BatchKind
from qeframe.kinds.registered import registered_kinds
from qeframe.kinds.scores.batch import Scores


def test_every_part_but_the_class_is_optional():
    kind = BatchKind(batch=Scores)
    assert kind.submissions is kind.ordinary is kind.fixed_submissions is kind.audit is None
    assert not kind.may_abstain


@pytest.mark.parametrize("kind", registered_kinds(), ids=lambda kind: kind.batch.__name__)
def test_every_kind_of_qeframe_has_ordinary_data(kind):
    make = kind.ordinary or (lambda rng, units: kind.fixed_submissions(rng, units)[0])
    once, again = (make(Random("ordinary"), 20) for _ in range(2))
    assert isinstance(once, kind.batch)
    assert kind.plain(once) == kind.plain(again)
