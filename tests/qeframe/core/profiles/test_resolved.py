"""A profile is resolved into the components that it names."""

import attrs
import pytest

from qeframe.core.components.metric import Metric
from qeframe.core.errors import ProfileError, UnknownNameError
from qeframe.core.profiles.resolved import chosen_metrics, resolve
from tests.qeframe.core.profiles.small_registry import NEUTRAL, SMALL, failure, ruled


def test_every_name_is_looked_up(read, build):
    text = ruled(secondary='["error"]', computed='["overlap", "overlap"]', interval='"resampled(draws=5)"')
    profile = read(text)
    resolved = resolve(profile, build())
    assert resolved.profile is profile
    assert resolved.reader is not None
    names = (resolved.reader, resolved.within, resolved.across, resolved.correction, resolved.ranking)
    assert [component.name for component in names] == ["lines", "pool", "average", "raw", "order"]
    assert [metric.name for metric in resolved.metrics] == ["accuracy", "error"]
    assert [metric.name for metric in resolved.computed] == ["overlap"]
    assert resolved.interval is not None
    assert resolved.interval.name == "resampled(draws=5)"
    assert resolved.test is None


def test_a_reader_is_not_needed_where_tasks_are_given(read, build):
    profile = attrs.evolve(read(SMALL + NEUTRAL), reader="nothing")
    assert resolve(profile, build(), reads=False).reader is None
    assert "reader: unknown reader 'nothing'" in failure(ProfileError, resolve, profile, build())


def test_a_metric_that_is_named_twice_appears_once(build):
    known = build()
    metrics = chosen_metrics(["error", "accuracy", "accuracy()", "accuracy(margin=0)", "accuracy(margin=1)"], known)
    assert [metric.name for metric in metrics] == ["error", "accuracy", "accuracy(margin=1)"]
    assert all(isinstance(metric, Metric) for metric in metrics)
    assert chosen_metrics([], known) == ()
    with pytest.raises(UnknownNameError):
        chosen_metrics(["nothing"], known)
