"""What ``qeframe new-plugin`` writes passes at once; ``qeframe check-plugin`` finds a claim broken on purpose."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import attrs
import pytest

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def author(machine, tmp_path_factory):
    """Give the machine what the tests of a plugin need, in a folder of their own."""
    tools = tmp_path_factory.mktemp("tools")
    machine.pip("install", "--quiet", "--no-compile", "--target", tools, "hypothesis", "pytest")
    return attrs.evolve(machine, tools=str(tools))


def place(author, tree):
    """Put the distribution of a folder, as it is now, beside the built-ins; return its files."""
    project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    return author.place(project, {path.stem: path.read_text("utf-8") for path in tree.glob("*.py")})


@pytest.fixture
def new_plugin(author, tmp_path):
    """Write a distribution with the command, change its module, place it, and remove it again."""
    placed = []

    def install(name, *changes, kind="metric", change=lambda tree: None):
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
        change(tree)
        placed.extend(place(author, tree))
        return tree

    yield install
    for file in placed:
        file.unlink()


GOLD = "1\n2\n3\n4\n5\n6\n"
SIDES = {"gold.txt": GOLD, "submissions/mine.txt": "1\n2\n4\n3\n5\n6\n", "submissions/other.txt": "3\n1\n2\n6\n4\n5\n"}
PAIRS = ("gold.txt", "submissions/mine.txt", "submissions/other.txt", "--json")
RUN = ("run", "qe_sentence", ".", "--set", "test=", "--set", "interval=", "--json", "--quiet")
USES = {
    "metric": (("compare", "NAME(within=0.3)", *PAIRS), '"metric": "NAME(within=0.3)"'),
    "test": (("compare", "pearson", *PAIRS, "--test", "NAME"), '"test": "NAME"'),
    "tie-policy": (("plugins",), "NAME"),
    "aggregation": ((*RUN, "--set", "across=NAME"), '"across": "NAME"'),
    "reader": (("run", "qe_sentence", "table.csv", "--set", "reader=NAME", "--json", "--quiet"), '"mine"'),
    "attack": (("audit", "mae", "--attack", "NAME", "--no-claims", "--json"), '"NAME'),
    "profile": (("run", "NAME", ".", "--json", "--quiet"), '"profile": "NAME"'),
}
"""How a plugin of each kind is used, and what the output then has."""
COMMANDS = """
    import io, json, sys
    from contextlib import redirect_stderr, redirect_stdout
    from qeframe.cli import main

    def done(words):
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            try:
                main(words)
                status = 0
            except SystemExit as stop:
                status = stop.code or 0
        return status, out.getvalue(), err.getvalue()

    print(json.dumps([done(words) for words in {!r}]))
"""


def done(author, commands):
    """Run commands in one process; return the status of each, and what it printed."""
    ended = author.python(COMMANDS.format([list(map(str, words)) for words in commands]))
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture(scope="module")
def of_every_kind(author, build_wheel, tmp_path_factory):
    """Write a plugin of the first kind, add the others to it, and install it.

    Return what their tests, their checks and their uses print.
    """
    folder = tmp_path_factory.mktemp("kinds")
    names, tree = {kind: f"near-{kind}" for kind in USES}, folder / "near-metric"
    written = done(author, [["new-plugin", name, "--kind", kind, "--out", tree] for kind, name in names.items()])
    assert {status for status, _, _ in written} == {0}, written
    author.pip("install", "--quiet", "--no-index", "--no-deps", build_wheel(tree))
    for name, text in {**SIDES, "table.csv": "id,gold,mine,other\n1,1,1,2\n2,2,3,1\n3,3,2,4\n4,4,4,3\n"}.items():
        (folder / "task" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "task" / name).write_text(text)
    paths = {word: str(folder / "task" / word) for word in (".", "table.csv", *SIDES)}
    uses = [
        [paths.get(word, word.replace("NAME", names[kind].replace("-", "_"))) for word in words]
        for kind, (words, _) in USES.items()
    ]
    options = ["-q", "-rA", "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", folder]
    tests = author.run("python", "-m", "pytest", *options, tree / "tests")
    checked = done(author, [["check-plugin", name.replace("-", "_"), "--tries", "3"] for name in names.values()])
    used = done(author, uses)
    yield tests, dict(zip(USES, zip(checked, used, strict=True), strict=True))
    author.pip("uninstall", "--quiet", "--yes", "near-metric")


@pytest.mark.parametrize("kind", USES)
def test_a_plugin_of_every_kind_passes_its_tests_and_is_used(of_every_kind, kind):
    tests, outcomes = of_every_kind
    assert tests.returncode == 0, tests.stdout + tests.stderr
    file = "test_laws" if kind == "metric" else f"test_near_{kind.replace('-', '_')}_"
    assert re.search(f"^PASSED .*/tests/{file}", tests.stdout, re.MULTILINE)
    (status, out, err), (used_status, used_out, used_err) = outcomes[kind]
    assert status == 0, out + err
    assert "every law is kept" in out
    assert used_status == 0, used_err
    assert USES[kind][1].replace("NAME", f"near_{kind.replace('-', '_')}") in used_out


def test_a_claim_broken_on_purpose_is_named_with_its_distribution_and_its_counterexample(author, new_plugin):
    tree = new_plugin("near-gold", ('claims=("monotone",)', 'claims=("monotone", "constant_proof")'))
    checked = author.run("qeframe", "check-plugin", "near-gold")
    assert checked.returncode == 1, checked.stderr
    (told,) = [part for part in checked.stdout.split("\n\n") if "breaks the law" in part]
    named, *example = told.splitlines()
    law = "breaks the law 'constant_proof': no constant submission scores above honest chance"
    assert named == f"Metric 'near_gold' of plugin 'near_gold' of distribution 'near-gold 0.1.0' {law}"
    assert [re.sub(r"\d+(\.\d+)?", "NUMBER", line) for line in example] == [
        "a constant answer scores NUMBER, honest chance NUMBER",
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


TESTS = """
from {module} import METRICS
from qeframe.testing import parametrize_with_checks


@parametrize_with_checks(METRICS, tries=3)
def test_a_law(check):
    check()
"""


def jobs_of(author, tree):
    """Run every command of the workflow file but the installation; return the status and the output of each."""
    text = (tree / ".github" / "workflows" / "tests.yml").read_text()
    outcomes = []
    for command in re.findall("- run: (.*)", text):
        program, *words = shlex.split(command)
        words = [tree / word if word.endswith(".json") else word for word in words]
        if program == "pytest":
            program, words = "python", ["-m", "pytest", "-q", "-p", "no:cacheprovider", tree / "tests"]
        if words[0] == "check-plugin":
            words += ["--tries", "3"]
        if program != "pip":
            done = author.run(program, *words)
            outcomes.append((words[0], done.returncode, done.stdout + done.stderr))
    assert [name for name, *_ in outcomes] == ["-m", "check-plugin", "lock"]
    return outcomes


def own_metrics(tree, name):
    """Put metrics without claims in the place of what was written."""
    module = tree.name.replace("-", "_")
    (tree / f"{module}.py").write_text((Path(__file__).parent / "gated_metrics" / f"{name}.py.txt").read_text())
    for file in (tree / "tests").glob("*.py"):
        file.unlink()
    (tree / "tests" / "test_own.py").write_text(TESTS.format(module=module))


def test_the_workflow_that_is_written_refuses_five_gameable_metrics(author, new_plugin):
    tree = new_plugin("own-metrics", change=lambda tree: own_metrics(tree, "gameable"))
    assert author.run("qeframe", "lock", "--plugin", "own-metrics", tree / "components.json").returncode == 0
    (_, tested, out), (_, checked, gates), (_, locked, changed) = jobs_of(author, tree)
    assert (tested, checked, locked) == (0, 1, 1), out + gates + changed
    gamed = re.findall(r"Metric '(\w+)' .* breaks the law 'gaming'", gates)
    assert gamed == ["found_bad_words", "squared_error", "distance", "not_contradicted", "covered_words"]
    assert changed.count("is not recorded: 'qeframe lock --gaming' records it") == 5


def test_the_workflow_accepts_sound_metrics_until_one_becomes_easier_to_game(author, new_plugin):
    tree = new_plugin("own-metrics", change=lambda tree: own_metrics(tree, "sound"))
    module, lock = tree / "own_metrics.py", ("lock", "--plugin", "own-metrics", "--gaming", tree / "components.json")

    assert author.run("qeframe", *lock).returncode == 0
    outcomes = jobs_of(author, tree)
    assert [status for _, status, _ in outcomes] == [0, 0, 0], outcomes
    module.write_text(module.read_text().replace("EASY = 0.06", "EASY = 0.24"))
    place(author, tree)
    changed = author.run("qeframe", *lock, "--check")
    assert changed.returncode == 1
    assert "changed: metric own_mixture: it is easier to game: the index 0.044" in changed.stdout
    assert "became 0.200" in changed.stdout
