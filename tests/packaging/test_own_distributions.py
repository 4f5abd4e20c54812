"""The distributions of their own: installed beside qeframe, used on a task, and removed without a trace."""

import json
import shutil

import pytest

pytestmark = pytest.mark.slow

SCORES = "1\n2\n3\nen-de\tm\t0\t{}\nen-de\tm\t1\t{}\nen-de\tm\t2\t{}\n"
TASK = {
    "task/en-de/gold.da": "1\n-1\n3\n",
    "task/en-de/submissions/baseline.txt": SCORES.format(0.5, 0.25, 2),
    "judges/gold.jsonl": "".join(
        json.dumps({"pair_id": i, "source": "x", "response_A": "a", "response_B": "b", "label": "A>B"}) + "\n"
        for i in range(3)
    ),
    "judges/submissions/one.jsonl": "".join(
        json.dumps({"pair_id": i, "judgments": [{"decision": "A>B"}, {"decision": "B>A"}]}) + "\n" for i in range(3)
    ),
}
COMMANDS = {
    "qeframe_codabench": ("bundle", "wmt22_qe_sentence_da", "task", "--out", "b.zip", "--image", "ours:1"),
    "qeframe_preferences": ("run", "judgebench", "judges", "--set", "test=", "--set", "interval=", "--json"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_it_is_installed_used_and_removed(name, machine, build_wheel, root, tmp_path):
    for path, text in TASK.items():
        (machine.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (machine.folder / path).write_text(text)
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    wheel = build_wheel(shutil.copytree(root / "plugins" / name, tmp_path / name, ignore=ignored))
    absent = machine.run("qeframe", *COMMANDS[name])
    assert absent.returncode == 2
    assert name not in absent.stderr
    machine.pip("install", "--quiet", "--no-index", "--no-deps", wheel)
    used = machine.run("qeframe", *COMMANDS[name])
    machine.pip("uninstall", "--quiet", "--yes", name.replace("_", "-"))
    assert used.returncode == 0, used.stderr
    assert "tried with baseline" in used.stderr or json.loads(used.stdout)["submissions"][0]["rank"] == 1
    assert machine.run("qeframe", *COMMANDS[name]).stderr == absent.stderr
    assert machine.python(f"import importlib.util as u; print(u.find_spec({name!r}))").stdout == "None\n"
