"""A distribution that uses every hook, installed by pip: by command line, on the page, in a notebook; what collides.

Authors copy it: `whole_plugin`. The other distribution brings, of one hook, a name that it has.
"""

import ast
import json
import re
import shutil
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
WHOLE = Path(__file__).parent / "whole_plugin"
OTHER = Path(__file__).parent / "colliding_plugin"
slow = pytest.mark.slow


@pytest.mark.parametrize("path", sorted(WHOLE.rglob("*.py")), ids=lambda path: path.name)
def test_it_imports_the_doors_and_itself_alone(path):
    nodes = list(ast.walk(ast.parse(path.read_text())))
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    ours = {module for module in modules if module.startswith("qeframe")}
    assert {".".join(module.split(".")[:2]) for module in ours} == {"qeframe.plugin"}


TABLES = {
    "en-de.csv": "gold,near,far\n1,1.1,3\n2,2.2,1\n3,2.9,4\n4,4.1,1\n5,5,2\n",
    "de-en.csv": "gold,near,far\n2,2.1,4\n4,4.2,1\n1,1.5,2\n3,3,5\n",
}
GOLD = "AABBCABCAABBCABCAABBCABC"
LETTERS = {"gold": GOLD, "submissions/good": GOLD.replace("C", "B"), "submissions/poor": GOLD.replace("B", "A")}


@pytest.fixture(scope="module")
def used(machine, build_wheel, tmp_path_factory):
    """Install both distributions; return how a program of the machine is run in a folder with their data."""
    folder = tmp_path_factory.mktemp("whole")
    wheels = []
    for tree in (WHOLE, OTHER):
        copied = shutil.copytree(tree, folder / tree.name, ignore=shutil.ignore_patterns("__pycache__"))
        wheels.append(build_wheel(copied))
    for name, text in TABLES.items():
        (folder / "tables").mkdir(exist_ok=True)
        (folder / "tables" / name).write_text(text)
    for name, letters in LETTERS.items():
        (folder / f"letters/{name}.txt").parent.mkdir(parents=True, exist_ok=True)
        (folder / f"letters/{name}.txt").write_text("\n".join(letters) + "\n")
    machine.pip("install", "--quiet", "--no-index", "--no-deps", *wheels)
    places = {"TABLES": folder / "tables", "LETTERS": folder / "letters", "OUT": folder / "out"}

    def run(*words, **variables):
        words = [re.sub("|".join(places), lambda m: str(places[m[0]]), word) for word in words]
        return machine.run("qeframe", *words, **variables)

    run.machine, run.out = machine, places["OUT"]
    yield run
    machine.pip("uninstall", "--quiet", "--yes", "their-plugin", "other-plugin")


@slow
def test_a_metric_tie_policy_test_aggregation_reader_and_profile_work_together(used):
    done = used("run", "their_profile", "TABLES", "--json", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert {s["name"]: s["rank"] for s in result["submissions"]} == {"near": 1, "far": 2}
    assert {pair["test"] for pair in result["comparisons"]} == {"their_test"}
    assert "their_plugin" in result["signature"]["plugins"]
    means = [(0.1 + 0.2 + 0.1 + 0.1) / 5, (0.1 + 0.2 + 0.5) / 4]
    (near,) = [s for s in result["submissions"] if s["name"] == "near"]
    assert near["scores"]["their_metric"]["value"] == pytest.approx(sum(means) / 2)
    listed = used("plugins").stdout
    assert "their_ties" in listed


@slow
def test_a_kind_of_batch_with_its_metric_on_the_page(used):
    scored = used("score", "their_letters", "LETTERS/gold.txt", "LETTERS/submissions/good.txt")
    assert scored.stdout == "good  0.750000\n"
    asked = ("--audit", "--influence", "2")
    done = used("run", "their_letters", "LETTERS", "--out", "OUT", *asked, "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    page = (used.out / "report.html").read_text()
    for words in (
        "position in the alphabet",  # the histograms of single questions
        "share of submissions with another letter",  # the questions on which submissions and gold disagree
        "Could the winner have gained without being better?",
    ):
        assert words in page
    again = used("report", "OUT", "--quiet")
    assert (again.returncode, (used.out / "report.html").read_text()) == (0, page)


@slow
def test_the_audit_and_the_laws_know_the_kind(used):
    audited = used("audit", "their_letters", "--attack", "their_first_letter", "--json", "--quiet")
    (metric,) = json.loads(audited.stdout)["metrics"]
    assert 0.1 < metric["gaming_index"] < 0.3
    assert {claim["claim"]: claim["holds"] for claim in metric["claims"]}["constant_proof"] is False


@slow
def test_a_data_source_and_published_values_beside_the_profiles(used):
    assert "Two tables of their task" in used("fetch").stdout
    done = used("reproduce", "their_table", "--data", str(used.out.parent))
    assert (done.returncode, done.stderr) == (0, "")
    assert "equal" in done.stdout
    assert "their_data" in used("reproduce", "their_table").stderr


@slow
def test_a_command_runs_and_is_completed(used):
    assert "count-letters  Count the letters in FILE." in used("--help").stdout
    assert used("count-letters", "LETTERS/gold.txt").stdout == "A: 9, B: 9, C: 6\n"
    assert json.loads(used("count-letters", "LETTERS/gold.txt", "--json").stdout) == {"A": 9, "B": 9, "C": 6}
    refused = used("count-letters", "LETTERS", "--alphabet", "AB")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    words = {"qeframe count": "count-letters", "qeframe count-letters f --alph": "--alphabet"}
    for line, completed in words.items():
        shell = {"COMP_WORDS": line, "COMP_CWORD": str(line.count(" ")), "_QEFRAME_COMPLETE": "bash_complete"}
        assert used(**shell).stdout == f"plain,{completed}\n"


NOTEBOOK = """
    import json, sys
    sys.path.insert(0, sys.argv[1])
    from notebook_cells import Cell, run_cells
    cells = [
        "from their_plugin.counts import count_letters\\n"
        f"count_letters({sys.argv[2] + '/gold.txt'!r})",
        "import qeframe\\n"
        f"evaluation = qeframe.evaluate('their_letters', {sys.argv[2]!r})\\n"
        "evaluation",
    ]
    shown = run_cells([Cell("code", source) for source in cells])
    print(json.dumps([[output.content for output in outputs] for _, outputs in shown]))
"""


@slow
def test_a_result_and_an_evaluation_in_a_notebook(used, tmp_path):
    (tmp_path / "notebook.py").write_text(dedent(NOTEBOOK))
    extensions, letters = ROOT / "docs" / "_extensions", used.out.parent / "letters"
    done = used.machine.run("python", tmp_path / "notebook.py", extensions, letters)
    assert done.returncode == 0, done.stderr
    assert "24 units are few" in done.stderr  # the warning of the evaluation, and no other
    assert done.stderr.count("\n") == 1
    (counts,), (evaluation,) = json.loads(done.stdout)
    assert (
        counts
        == "<table><tr><td>A</td><td>9</td></tr><tr><td>B</td><td>9</td></tr><tr><td>C</td><td>6</td></tr></table>"
    )
    assert evaluation.index("good") < evaluation.index("poor")


WHAT = {"kind": "kind of batch 'Letters'", "metric": "metric 'their_letters'", "command": "command 'count-letters'"}


@slow
@pytest.mark.parametrize("brought", WHAT)
def test_two_that_collide_are_refused_with_both_owners(used, brought):
    words = ("count-letters", "LETTERS/gold.txt") if brought == "command" else ("plugins",)
    refused = used(*words, COLLIDE=brought)
    owners = "by plugin 'other_plugin' of distribution 'other-plugin 0.1' and by plugin 'their_plugin' of distribution"
    line = (
        f"qeframe: the {WHAT[brought]} is brought twice: {owners} 'their-plugin 2.5'; rename that of plugin "
        "'their_plugin', or start with QEFRAME_BLOCK=their_plugin\n"
    )
    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", line)
