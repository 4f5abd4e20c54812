import attrs

import qeframe
from qeframe.core.components.significance import SignificanceTest
from qeframe.kinds.scores.batch import Scores, Values
from qeframe.kinds.scores.values import KIND
from qeframe.testing.laws import probes
from qeframe.testing.laws.probes import giant, probed


def test_a_giant_submission_has_the_gold_of_the_other():
    batch = Scores.from_plain([1.0, 2.0], [3.0, 4.0])
    assert giant(batch).gold.tolist() == [1.0, 2.0]
    assert giant(batch).predicted.min() > 1e13
    assert type(giant(Values.from_plain(None, [1.0]))) is Values


def test_a_test_is_tried_under_the_probes_of_all_kinds_that_have_one(monkeypatch):
    def names(test):
        return [probe.name for probe in probed(qeframe.load().get(SignificanceTest, test))]

    assert names("bootstrap") == ["probe_mean", "probe_correlation"]
    assert names("two_way_jackknife") == ["probe_grid_correlation"]
    theirs = attrs.evolve(KIND, probe=attrs.evolve(KIND.probe, name="probe_theirs"))
    untried = attrs.evolve(theirs, submissions=None)
    monkeypatch.setattr(probes, "registered_kinds", lambda: [KIND, theirs, untried])
    assert names("sign") == ["probe_mean", "probe_theirs"]
