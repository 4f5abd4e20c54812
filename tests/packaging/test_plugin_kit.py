"""What ``qeframe new-plugin`` writes passes at once; ``qeframe check-plugin`` finds a claim broken on purpose."""

import json
import re

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def author(machine_with):
    """Install the wheel, and what the tests of a plugin need."""
    return machine_with("hypothesis", "pytest")


@pytest.fixture
def new_plugin(author, build_wheel, tmp_path):
    """Write a distribution with the command, change its module, install it, and remove it again."""
    removable = []

    def install(name, *changes, kind="metric"):
        tree = tmp_path / name
        done = author.run("qeframe", "new-plugin", name, "--kind", kind, "--out", tree)
        assert done.returncode == 0, done.stderr
        if changes:
            module = tree / f"{name.replace('-', '_')}.py"
            text = module.read_text()
            for old, new in changes:
                assert old in text
                text = text.replace(old, new)
            module.write_text(text)
        author.pip("install", "--quiet", "--no-index", "--no-deps", build_wheel(tree))
        removable.append(name)
        return tree

    yield install
    for name in removable:
        author.pip("uninstall", "--quiet", "--yes", name)


def test_a_new_plugin_installs_and_passes_at_once(author, new_plugin, tmp_path):
    tree = new_plugin("near-gold")
    tested = author.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    for name in ("near-gold", "near_gold"):
        checked = author.run("qeframe", "check-plugin", name, "--tries", "10")
        assert checked.returncode == 0, checked.stdout + checked.stderr
        assert "every law is kept" in checked.stdout
    tmp_path.joinpath("gold.txt").write_text("1\n2\n3\n4\n")
    tmp_path.joinpath("mine.txt").write_text("1\n2.2\n3.2\n0\n")
    scored = author.run("qeframe", "score", "near_gold(within=0.3)", tmp_path / "gold.txt", tmp_path / "mine.txt")
    assert scored.stdout == "mine  0.750000\n"


GOLD = "1\n2\n3\n4\n5\n6\n"
SIDES = {"gold.txt": GOLD, "submissions/mine.txt": "1\n2\n4\n3\n5\n6\n", "submissions/other.txt": "3\n1\n2\n6\n4\n5\n"}
PAIRS = ("gold.txt", "submissions/mine.txt", "submissions/other.txt", "--json")
RUN = ("run", "qe_sentence", ".", "--set", "test=", "--set", "interval=", "--json", "--quiet")
USES = {
    "metric": (("compare", "near_gold", *PAIRS), '"metric": "near_gold"'),
    "test": (("compare", "pearson", *PAIRS, "--test", "near_gold"), '"test": "near_gold"'),
    "tie-policy": (("plugins",), "near_gold"),
    "aggregation": ((*RUN, "--set", "across=near_gold"), '"across": "near_gold"'),
    "correction": (("compare", "pearson", *PAIRS, "--test", "williams", "--correction", "near_gold"), '"p_adjusted"'),
    "ranking-rule": ((*RUN, "--set", "ranking=near_gold"), '"ranking": "near_gold"'),
    "reader": (("run", "qe_sentence", "table.csv", "--set", "reader=near_gold", "--json", "--quiet"), '"mine"'),
    "writer": (("plugins",), "near_gold"),
    "null-model": (("plugins",), "near_gold"),
    "attack": (("audit", "mae", "--attack", "near_gold", "--no-claims", "--json"), '"near_gold'),
    "profile": (("run", "near_gold", ".", "--json", "--quiet"), '"profile": "near_gold"'),
}
"""How a plugin of each kind is used, and what the output then has."""


@pytest.mark.parametrize("kind", USES)
def test_a_plugin_of_every_kind_passes_its_tests_and_is_used(author, new_plugin, tmp_path, kind):
    tree = new_plugin("near-gold", kind=kind)
    tested = author.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests")
    assert tested.returncode == 0, tested.stdout + tested.stderr
    checked = author.run("qeframe", "check-plugin", "near-gold", "--tries", "10")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    for name, text in {**SIDES, "table.csv": "id,gold,mine,other\n1,1,1,2\n2,2,3,1\n3,3,2,4\n4,4,4,3\n"}.items():
        (tmp_path / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "task" / name).write_text(text)
    command, expected = USES[kind]
    paths = [tmp_path / "task" / word if word in (".", "table.csv", *SIDES) else word for word in command]
    used = author.run("qeframe", *paths)
    assert used.returncode == 0, used.stderr
    assert expected in used.stdout


def test_a_claim_broken_on_purpose_is_named_with_its_distribution_and_its_counterexample(author, new_plugin):
    tree = new_plugin("near-gold", ('claims=("monotone",)', 'claims=("monotone", "constant_proof")'))
    checked = author.run("qeframe", "check-plugin", "near-gold")
    assert checked.returncode == 1, checked.stderr
    (told,) = [part for part in checked.stdout.split("\n\n") if "breaks the law" in part]
    named, *example = told.splitlines()
    law = "breaks the law 'constant_proof': no constant submission scores above honest chance"
    assert named == f"Metric 'near_gold' of plugin 'near_gold' of distribution 'near-gold 0.1.0' {law}"
    assert [re.sub(r"\d+(\.\d+)?", "NUMBER", line) for line in example] == [
        "a constant has the oriented score NUMBER, honest chance NUMBER",
        "smallest counterexample:",
        "  gold = [NUMBER, NUMBER]",
        "  best = 'low'",
        "  constant = [NUMBER, NUMBER]",
        "Hand in the same answer for every unit, without looking at the data.",
    ]
    assert checked.stdout.endswith("\n\n1 law is broken\n")

    recorded = author.run("qeframe", "check-plugin", "near-gold", "--json", "--quiet")
    assert (recorded.returncode, recorded.stderr) == (1, "")
    report = json.loads(recorded.stdout)
    (found,) = [finding for finding in report["findings"] if finding["broken"]]
    assert (found["law"], found["origin"]["distribution"]) == ("constant_proof", "near-gold")

    tested = author.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests")
    assert tested.returncode == 1
    assert f"Metric 'near_gold' {law}" in tested.stdout.splitlines()


def test_a_claim_without_a_law_stops_the_plugin(author, new_plugin):
    new_plugin("near-gold", ('claims=("monotone",)', 'claims=("unbeatable",)'))
    checked = author.run("qeframe", "check-plugin", "near-gold")
    assert checked.returncode == 2
    assert checked.stderr.count("\n") == 1
    assert "distribution 'near-gold 0.1.0'" in checked.stderr
    assert "there is no law for the claim 'unbeatable'" in checked.stderr


def test_without_hypothesis_the_remedy_is_told(machine):
    checked = machine.run("qeframe", "check-plugin", "qeframe_ties")
    assert (checked.returncode, checked.stdout) == (2, "")
    assert checked.stderr == "qeframe: the laws need hypothesis; pip install 'qeframe[test]'\n"
