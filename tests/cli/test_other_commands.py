"""The other commands: score, compare, profiles, plugins, demo, and what they have in common."""

import json
import subprocess
import sys

import pytest


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sides = {
        "gold.txt": "1\n2\n3\n4\n5\n6\n",
        "a.txt": "1\n2\n4\n3\n5\n6\n",
        "b.txt": "3\n1\n2\n6\n4\n5\n",
        "ids.txt": "06\t6\n1\t1\n2\t2\n4\t3\n3\t4\n5\t5\n",
        "gold_ids.txt": "1\t1\n2\t2\n3\t3\n4\t4\n5\t5\n6\t6\n",
    }
    for name, text in sides.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_score(qeframe_command, files):
    outcome = qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt")
    assert outcome.out == "a  0.942857\nb  0.657143\n"
    scores = json.loads(qeframe_command("score", "spearman", "gold.txt", "a.txt", "b.txt", "--json").out)
    assert scores["scores"]["a"] == pytest.approx(33 / 35)


def test_score_joins_ids_as_integers(qeframe_command, files):
    outcome = qeframe_command("score", "spearman", "gold_ids.txt", "ids.txt")
    assert outcome.out == "ids  0.942857\n"


def test_score_with_parameters_and_direction(qeframe_command, files):
    low = qeframe_command("score", "delta_avg(ties=input, signed=raw)", "gold.txt", "a.txt").out
    high = qeframe_command("score", "delta_avg", "gold.txt", "a.txt", "--best", "high").out
    assert float(low.split()[1]) < 0 < float(high.split()[1])


def test_compare(qeframe_command, files):
    outcome = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams", "--json")
    (pair,) = json.loads(outcome.out)["comparisons"]
    assert (pair["a"], pair["b"], pair["test"], pair["sided"]) == ("a", "b", "williams", "two")
    one = qeframe_command(
        "compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams", "--sided", "one", "--json"
    )
    assert json.loads(one.out)["comparisons"][0]["p"] == pytest.approx(pair["p"] / 2)
    table = qeframe_command("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "williams").out
    assert "williams" in table
    assert "a" in table.split()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("score", "persn", "gold.txt", "a.txt"), "did you mean 'pearson'"),
        (("score", "pearson(x=1)", "gold.txt", "a.txt"), "has no parameters"),
        (("score", "pearson(", "gold.txt", "a.txt"), "cannot read the name"),
        (("score", "delta_avg(ties=maybe)", "gold.txt", "a.txt"), "average or input"),
        (("score", "delta_avg(tie=input)", "gold.txt", "a.txt"), "did you mean 'ties'"),
        (("score", "pearson", "gold.txt", "absent.txt"), "absent.txt: "),
        (("score", "pearson", ".", "a.txt"), "folder"),
        (("score", "pearson", "gold.txt"), "Missing argument"),
        (("compare", "pearson", "gold.txt", "a.txt"), "cannot be compared"),
        (("compare", "mae", "gold.txt", "a.txt", "b.txt", "--test", "williams"), "needs a correlation"),
        (("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--alpha", "1.5"), "--alpha"),
        (("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "bootstrap(draws=0)"), "at least 1"),
        (
            ("compare", "pearson", "gold.txt", "a.txt", "b.txt", "--test", "bootstrap(p=koehn)", "--sided", "two"),
            "one-sided, not two-sided",
        ),
        (("scores", "pearson"), "did you mean 'score'"),
        (("profiles", "nothing"), "unknown profile"),
        (("profiles", "a", "--diff", "a", "b"), "not both"),
        (("--nonsense",), "No such option"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_refusals(refused, files, arguments, said):
    assert said in refused(*arguments)


def test_profiles(qeframe_command):
    listed = qeframe_command("profiles").out
    assert "wmt14_qe_task1_2" in listed
    shown = qeframe_command("profiles", "wmt14_qe_task1_2").out
    (primary,) = [line for line in shown.splitlines() if line.startswith("primary ")]
    assert primary.split()[1:3] == ["pearson", "read"]
    rules = json.loads(qeframe_command("profiles", "wmt14_qe_task1_2", "--json").out)["rules"]
    assert rules["test"]["value"] == "williams"
    assert rules["within"]["certainty"] == "chosen"


def test_a_profile_of_a_blocked_plugin_is_told_so(refused, monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "qeframe_wmt")
    assert refused("profiles", "qe_word") == (
        "unknown profile 'qe_word'; 'qeframe profiles' lists them (blocked: qeframe_wmt)"
    )


def test_profiles_diff(qeframe_command):
    compared = json.loads(qeframe_command("profiles", "--diff", "wmt14_qe_task1_2", "wmt22_qe_sentence", "--json").out)
    assert compared["primary"] == {"wmt14_qe_task1_2": "pearson", "wmt22_qe_sentence": "spearman"}
    assert "within" not in compared
    text = qeframe_command("profiles", "--diff", "wmt14_qe_task1_2", "wmt22_qe_sentence").out
    assert any(line.split()[:2] == ["primary", "pearson"] for line in text.splitlines())


def test_plugins(qeframe_command):
    listed = qeframe_command("plugins").out
    assert "plugin 'qeframe_scoring' of distribution 'qeframe" in listed
    assert "delta_avg(best=declared, ties=average, signed=good, replicate=none)" in listed
    components = json.loads(qeframe_command("plugins", "--json").out)["components"]
    assert {"hook": "metrics", "name": "pearson"}.items() <= next(
        c for c in components if c["name"] == "pearson"
    ).items()


def test_demo(qeframe_command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    outcome = qeframe_command("demo")
    assert outcome.status == 0
    assert "Aster-ensemble" in outcome.out
    assert "qeframe-demo/task" in outcome.err
    first = (tmp_path / "qeframe-demo" / "evaluation.json").read_bytes()
    again = qeframe_command("run", "qe_sentence", "qeframe-demo/task", "--seed", 2015, "--json", "--quiet")
    assert again.out.encode() == first
    assert qeframe_command("demo", "--out", "other", "--json").out.encode() == first


def test_start_imports_nothing_heavy():
    code = (
        "import sys, qeframe.cli as m\n"
        "try: m.main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'scipy', 'rich', 'cattrs', 'matplotlib', 'attrs', 'pluggy'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_version(qeframe_command):
    outcome = qeframe_command("--version")
    assert outcome.status == 0
    assert outcome.out.startswith("qeframe, version ")


def test_a_closed_pipe_is_no_traceback(tmp_path):
    code = "from qeframe.cli import main; main(['plugins'])"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        running.stdout.close()
        assert running.stderr is not None
        assert "Traceback" not in running.stderr.read()
