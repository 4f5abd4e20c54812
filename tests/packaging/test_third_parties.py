"""A good plugin of a third party works; a broken one is named, with its distribution and the way out."""

import json

import pytest
from attrs import frozen

pytestmark = pytest.mark.slow

METRIC = """
    import numpy as np
    from qeframe.plugin import Metric, Scores, additive, hookimpl

    def rows(batch):
        return np.stack([np.ones(len(batch)), batch.predicted == batch.gold], axis=1)

    def share(sums):
        return sums[..., 1] / sums[..., 0]

    bind = additive(columns=("units", "equal"), extract=rows, score=share)
    metric = Metric(name="{name}", summary="Share of equal values", kind=Scores, bind=bind, bounds=(0.0, 1.0))
"""
BRING = """
    @hookimpl
    def {hook}():
        return [{value}]
"""


def module(*, name: str = "share_equal", hook: str = "qeframe_metrics", value: str = "metric") -> str:
    return METRIC.format(name=name) + BRING.format(hook=hook, value=value)


@frozen(kw_only=True)
class Broken:
    """A plugin that must be refused, and the line that must refuse it."""

    text: str
    line: str
    point: str = "theirs"
    group: str = "qeframe.v2"


OWNER = "plugin 'theirs' of distribution 'their-metrics 2.5'"
BLOCK = "start with QEFRAME_BLOCK=theirs"
BROKEN = {
    "cannot be imported": Broken(
        text="import a_module_that_nobody_has",
        line=f"{OWNER} cannot be imported: ModuleNotFoundError: No module named 'a_module_that_nobody_has'; "
        f"repair or uninstall 'their-metrics', or {BLOCK}",
    ),
    "unknown hook": Broken(
        text=module(hook="qeframe_metric"),
        line=f"{OWNER} has unknown hooks: qeframe_metric; the hooks are qeframe_metrics, qeframe_tie_policies, "
        "qeframe_aggregations, qeframe_significance_tests, qeframe_corrections, qeframe_ranking_rules, "
        "qeframe_attacks, qeframe_readers, qeframe_kinds, qeframe_profiles; "
        f"repair it, or {BLOCK}",
    ),
    "wrong type": Broken(
        text=module(hook="qeframe_tie_policies"),
        line=f"{OWNER}: hook qeframe_tie_policies must return values of type TiePolicy, not Metric; "
        f"repair it, or {BLOCK}",
    ),
    "component taken": Broken(
        text=module(name="pearson"),
        line="the metric 'pearson' is brought twice: by plugin 'qeframe_scoring' of distribution 'qeframe {version}' "
        f"and by {OWNER}; rename that of plugin 'theirs', or {BLOCK}",
    ),
    "plugin name taken": Broken(
        text=module(),
        point="qeframe_scoring",
        line="two plugins are named 'qeframe_scoring': of distribution 'qeframe' and of distribution 'their-metrics'; "
        "uninstall one of them",
    ),
    "future interface": Broken(
        text=module(),
        group="qeframe.v3",
        line=f"{OWNER} is made for the plugin interface qeframe.v3, this qeframe has qeframe.v2; "
        f"install a version of 'their-metrics' for qeframe.v2, or {BLOCK}",
    ),
}


@pytest.fixture(params=BROKEN.values(), ids=[name.replace(" ", "-") for name in BROKEN])
def broken(request, installed):
    plugin = request.param
    with installed(
        "their-metrics", {"their_module": plugin.text}, point=plugin.point, module="their_module", group=plugin.group
    ):
        yield plugin


LOAD = """
    import qeframe, sys
    from qeframe.core.errors import PluginError
    try:
        registry = qeframe.load()
    except PluginError as error:
        sys.exit(f"{qeframe.__version__} {error}")
    print(*registry.blocked)
"""


def test_a_broken_plugin_is_refused_in_one_line_and_can_be_blocked(broken, machine):
    refused = machine.python(LOAD)
    assert refused.returncode == 1
    version, _, line = refused.stderr.rstrip("\n").partition(" ")
    assert line == broken.line.replace("{version}", version)

    on_command_line = machine.run("qeframe", "plugins")
    assert on_command_line.returncode == 2
    assert on_command_line.stdout == ""
    assert on_command_line.stderr == f"qeframe: {line}\n"

    blocked = machine.python(LOAD, QEFRAME_BLOCK=broken.point)
    assert (blocked.returncode, blocked.stdout, blocked.stderr) == (0, f"{broken.point}\n", "")

    listed = machine.run("qeframe", "plugins", QEFRAME_BLOCK=broken.point)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "their-metrics" not in listed.stdout


def test_what_was_blocked_is_in_the_signature_of_an_evaluation(installed, machine, tmp_path):
    with installed("their-metrics", {"their_module": "1 / 0"}, point="theirs", module="their_module"):
        done = machine.run("qeframe", "demo", "--out", tmp_path / "demo", "--json", QEFRAME_BLOCK="theirs")
    assert done.returncode == 0, done.stderr
    signature = json.loads(done.stdout)["signature"]
    assert signature["blocked"] == ["theirs"]
    assert "theirs" not in signature["plugins"]


def test_a_good_plugin_works_beside_the_built_ins(installed, machine, tmp_path):
    tmp_path.joinpath("gold.txt").write_text("1\n2\n3\n4\n")
    tmp_path.joinpath("mine.txt").write_text("1\n2\n0\n0\n")
    score = ("qeframe", "score", "share_equal", tmp_path / "gold.txt", tmp_path / "mine.txt")
    code = """
        import qeframe
        from qeframe.plugin import Metric
        print(qeframe.score("share_equal", [1, 2, 3, 4], [1, 2, 0, 0]))
        print(qeframe.score("mae", [1, 2, 3, 4], [1, 2, 0, 0]))
        print(qeframe.load().entry(Metric, "share_equal").origin)
        answers = {"A": [1, 2, 0, 0], "B": [1, 2, 3, 0]}
        answers = {name: values * 3 for name, values in answers.items()}
        (pair,) = qeframe.compare("share_equal", [1, 2, 3, 4] * 3, answers, test="randomization")
        print(pair.a, pair.difference)
    """
    with installed("their-metrics", {"their_module": module()}, point="theirs", module="their_module"):
        used = machine.python(code)
        assert used.stderr == ""
        assert used.stdout.splitlines() == [
            "0.5",
            "1.75",
            "plugin 'theirs' of distribution 'their-metrics 2.5'",
            "B 0.25",
        ]
        on_command_line = machine.run(*score)
        assert (on_command_line.returncode, on_command_line.stdout) == (0, "mine  0.500000\n")
        listed = machine.run("qeframe", "plugins").stdout
        assert "share_equal" in listed
        assert "their-metrics" in listed
    removed = machine.run(*score)
    assert (removed.returncode, removed.stdout) == (2, "")
    assert removed.stderr.startswith("qeframe: unknown metric 'share_equal'; ")
