"""Every claim of the README and every command of the documentation is tried."""

import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import qeframe
from qeframe.cli.app import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_first_python_block_prints_a_score_and_a_comparison():
    done = subprocess.run(
        [sys.executable, "-c", blocks(ROOT / "README.md", "python")[0]], capture_output=True, text=True, check=True
    )
    score, pair = done.stdout.splitlines()
    assert float(score) == pytest.approx(0.9652486905240087)
    assert pair.startswith("A against B p = 0.0")


def test_the_plugin_of_the_readme_is_complete():
    module = ModuleType("close")
    exec(compile(blocks(ROOT / "README.md", "python")[1], "README.md", "exec"), module.__dict__)
    registry = qeframe.load(extra={"close": module})
    gold, predicted = [0.1, 0.2, 0.3, 0.4], [0.1, 0.25, 0.9, 0.8]
    assert qeframe.score("close", gold, predicted, registry=registry) == 0.5
    rng = np.random.default_rng(0)
    submissions = {"near": gold + rng.normal(0, 0.01, 4), "far": gold + rng.normal(1, 0.01, 4)}
    for test in ("bootstrap", "randomisation"):
        (pair,) = qeframe.compare("close", gold, submissions, test=test, registry=registry)
        assert (pair.a, pair.difference) == ("near", 1.0)


def test_the_plugin_takes_twenty_lines():
    assert len([line for line in blocks(ROOT / "README.md", "python")[1].splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_and_options_of_the_pages_exist(page):
    with_context = app.make_context("qeframe", [], resilient_parsing=True)
    for line in "\n".join(blocks(page, "sh")).splitlines():
        words = line.split("#")[0].replace(".venv/bin/", "").split()
        if "qeframe" not in words:
            continue
        name, *rest = words[words.index("qeframe") + 1 :]
        command = app.get_command(with_context, name)
        assert command is not None, line
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= known, line


@pytest.mark.parametrize("name", ["wmt14_qe_task1_2", "wmt22_qe_sentence", "qe_sentence"])
def test_profiles_that_the_pages_name_exist(registry, name):
    assert name in registry.profiles


def test_the_profile_of_the_how_to_is_sound(registry):
    from qeframe.profile import profile_from_toml

    (text,) = blocks(ROOT / "docs" / "how-to" / "write-a-profile.md", "toml")
    profile = profile_from_toml(text, "the page", "page", registry)
    assert profile.certainty("ranking").certainty == "chosen"
    assert profile.certainty("primary").source == "the announcement of the task"


def test_dependencies_are_explained():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "docs" / "reference" / "dependencies.md").read_text()
    wanted = [*project["dependencies"], *project["optional-dependencies"]]
    for requirement in wanted:
        assert f"| {re.split('[><=]', requirement)[0].strip('`')} |" in page.replace("`", ""), requirement


def test_every_key_of_a_profile_is_explained():
    from qeframe.profile import RULES

    page = (ROOT / "docs" / "how-to" / "write-a-profile.md").read_text()
    for key in RULES:
        assert re.search(rf"`{key}`|^{key} = ", page, flags=re.MULTILINE), key
