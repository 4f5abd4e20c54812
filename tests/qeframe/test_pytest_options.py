"""The options that qeframe adds to pytest, in a run of its own."""

LAWS = """
import attrs
import qeframe
from qeframe.core.metric import Metric
from qeframe.testing import parametrize_with_checks

mine = attrs.evolve(qeframe.load().get(Metric, "mae"), claims=(), known_weaknesses={})

@parametrize_with_checks([mine], tries=1)
def test_laws(check):
    if str(check).removeprefix("mae-").startswith(("fail", "require")):
        check()
"""


def test_the_options_of_pytest(inner_pytest):
    plugin = ("-p", "qeframe.pytest_options")
    status, printed = inner_pytest({"test_mine": LAWS}, *plugin)
    assert (status, "failed" in printed) == (0, False), printed
    gates = ("--qeframe-fail-above=0.05", "--qeframe-fail-on-undeclared", "--qeframe-require=blind_proof,padding_proof")
    status, printed = inner_pytest({"test_mine": LAWS}, *plugin, *gates)
    assert status == 1
    assert "3 failed" in printed
    for what in ("and 0.05 is allowed", "0.05 is allowed undeclared", "does not claim 'blind_proof'"):
        assert what in printed
