"""Every claim of the README and every command of the documentation is tried."""

import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import click
import numpy as np
import pytest

import qeframe
from qeframe.api.read import choose_profile, read_tasks
from qeframe.cli.app import app
from qeframe.cli.command_tables import own_command
from qeframe.cli.shared.demo_files import write_demo
from qeframe.core.entry_points import Command
from qeframe.core.metric import Attack, Metric
from qeframe.core.profile import RULE_KEYS
from qeframe.core.profile_files import profile_from_toml
from qeframe.studies import distinguish, distinguish_by_attacks, metric_table
from tests.outcome import outcome_of

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *(p for p in sorted((ROOT / "docs").rglob("*.md")) if not {"_build", "generated"} & set(p.parts)),
]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def test_first_python_block_evaluates_a_table_and_leaves_out_missing_scores(tmp_path, run_python):
    (columns,) = re.findall(r"with the columns (.*)", blocks(ROOT / "README.md", "python")[0])
    lines = [f"{i},{i + i % 3},{i + i % 2},{'' if i == 4 else i + 9 * (i % 2)}" for i in range(1, 61)]
    (tmp_path / "scores.csv").write_text("\n".join([columns.replace(", ", ","), *lines]), encoding="utf-8")
    assert re.search(r"1  •  system_a +0\.99", run_python(blocks(ROOT / "README.md", "python")[0]))
    assert (tmp_path / "results" / "report.html").is_file()
    saved = json.loads((tmp_path / "results" / "evaluation.json").read_text(encoding="utf-8"))
    assert (1, "unit") in [(note["count"], note["what"]) for note in saved["dropped"]]


def test_the_plugin_of_the_readme_is_complete():
    module = ModuleType("close")
    exec(compile(blocks(ROOT / "README.md", "python")[1], "README.md", "exec"), module.__dict__)
    registry = qeframe.load(extra={"close": module})
    gold, predicted = [0.1, 0.2, 0.3, 0.4], [0.1, 0.25, 0.9, 0.8]
    assert qeframe.score("close", gold, predicted, registry=registry) == 0.5
    rng = np.random.default_rng(0)
    submissions = {"near": gold + rng.normal(0, 0.01, 4), "far": gold + rng.normal(1, 0.01, 4)}
    for test in ("bootstrap", "randomization"):
        (pair,) = qeframe.compare("close", gold, submissions, test=test, registry=registry)
        assert (pair.a, pair.difference) == ("near", 1.0)


def test_the_plugin_takes_twenty_lines():
    assert len([line for line in blocks(ROOT / "README.md", "python")[1].splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        built = "reference/generated/" in (page.parent / target).resolve().as_posix()
        assert built or (page.parent / target).exists(), f"{page.name} links to {target}"


OF_DISTRIBUTIONS = {"bundle": own_command(Command("bundle", "", "qeframe_codabench.bundle_command:bundle"))}
"""The commands of the distributions of their own, in the folder `plugins`, which need not be installed."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_and_options_of_the_pages_exist(page):
    with_context = app.make_context("qeframe", [], resilient_parsing=True)
    for line in "\n".join(blocks(page, "sh")).splitlines():
        words = line.split("#")[0].replace(".venv/bin/", "").split()
        if "qeframe" not in words:
            continue
        name, *rest = words[words.index("qeframe") + 1 :]
        command = OF_DISTRIBUTIONS[name] if name in OF_DISTRIBUTIONS else app.get_command(with_context, name)
        assert command is not None, line
        if isinstance(command, click.Group):
            command = command.get_command(with_context, rest[0])
            assert command is not None, line
        known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        assert {word for word in rest if word.startswith("--")} <= known, line


@pytest.mark.parametrize("name", [pytest.param("evaluate-from-python", marks=pytest.mark.slow), "compare-two-systems"])
def test_the_python_of_the_how_to_pages_runs(name, tmp_path, run_python):
    write_demo("sentence", tmp_path / "qeframe-demo", 2015)
    printed = run_python("\n".join(blocks(ROOT / "docs" / "how-to" / f"{name}.md", "python")))
    if name == "evaluate-from-python":
        first, *_ = printed.splitlines()
        assert first.startswith("1 Aster-ensemble 0.6")
        assert "evaluation.json" in printed
    else:
        p_values = printed.splitlines()[1:]
        assert len(p_values) == 7
        assert all(0 < float(p) < 1 for p in p_values)


def test_interval_by_judgments_and_by_segments(registry, shared_data):
    page = (ROOT / "docs" / "explanation" / "units.md").read_text(encoding="utf-8")
    widths, settings = [], ["test=", "computed=['cder']", "secondary=[]"]
    rules = choose_profile("wmt14_metrics_segment", settings, registry)
    tasks = [task for task in read_tasks(rules, shared_data("wmt14-metrics"), registry) if task.name == "cs-en"]
    for unit in ("unit", "segment"):
        evaluation = qeframe.evaluate(rules, tasks, settings=[f"resample={unit}"], seed=1)
        (submission,) = evaluation.submissions
        result = submission.scores[evaluation.primary]
        widths.append(f"±{(result.high - result.low) / 2:.3f}".replace("0.", "."))
    assert f"`cder` is {widths[0]} wide when" in page
    assert f"{widths[1]} when\nsegments are" in page


@pytest.mark.parametrize("name", ["wmt14_qe_task1_2", "wmt22_qe_sentence", "qe_sentence"])
def test_profiles_that_the_pages_name_exist(registry, name):
    assert name in registry.profiles


def test_the_profile_of_the_how_to_is_sound(registry):
    text, extending = blocks(ROOT / "docs" / "how-to" / "write-a-reader-profile-or-kind.md", "toml")
    profile = profile_from_toml(text, "the page", "page", registry)
    assert profile.certainty("ranking").certainty == "chosen"
    assert profile.certainty("primary").source == "the announcement of the task"
    profile = profile_from_toml(extending, "the page", "page", registry)
    assert (profile.primary, profile.certainty("ranking").source) == ("spearman", "set here")


def test_dependencies_are_explained():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    page = (ROOT / "docs" / "reference" / "dependencies.md").read_text().replace("`", "")
    for requirement in [*project["dependencies"], *project["optional-dependencies"]]:
        assert f"| {re.split('[><=]', requirement)[0]} |" in page, requirement
    for extra, requirements in project["optional-dependencies"].items():
        (row,) = [line for line in page.splitlines() if line.startswith(f"| {extra} |")]
        for requirement in requirements:
            name = re.split("[><=[]", requirement)[0]
            assert name in {"qeframe", "scipy"} or name in row, (extra, requirement)


def test_every_extra_is_named_in_the_readme():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for extra in project["optional-dependencies"]:
        assert f"`{extra}`" in readme, extra


def test_the_readme_is_short_and_every_command_is_in_the_reference():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    commands = app.list_commands(app.make_context("qeframe", [], resilient_parsing=True))
    assert {name for name in commands if f"qeframe {name}" not in page} <= {"lock"}


def test_the_example_of_the_readme_prints_what_it_shows(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    write_demo("sentence", Path("qeframe-demo"), 2015)
    (example,) = blocks(ROOT / "README.md", "console")
    command, *shown, last = example.splitlines()
    printed = outcome_of(capsys, *command.removeprefix("$ qeframe ").split()).out
    assert (last, len(shown)) == ("...", 6)
    assert "\n".join(shown) in printed


def test_the_readme_promises_what_the_parameters_offer(registry):
    assert "perl" in str(registry.get(Metric, "delta_avg(replicate=perl)"))


def test_the_readme_counts_the_known_differences():
    page = (ROOT / "docs" / "reference" / "reproductions.md").read_text(encoding="utf-8")
    (known,) = re.findall(r"\*\*Known difference\*\*, (\d+) values", page)
    assert f"[{known} listed differences]" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_version_of_the_citation_is_that_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"\nversion: {project['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\n## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_file_of_the_project_names_the_host_of_a_package_registry():
    hosts = re.compile(r"pypi\.org|pythonhosted|npmjs|crates\.io", flags=re.IGNORECASE)
    files = [*ROOT.glob("*.*"), *ROOT.glob(".ci/*"), ROOT / ".pre-commit-config.yaml", *PAGES]
    texts = {file.name: file.read_text(encoding="utf-8", errors="replace") for file in files if file.is_file()}
    assert not [name for name, text in texts.items() if hosts.search(text)]


def test_every_key_of_a_profile_is_explained():
    page = (ROOT / "docs" / "how-to" / "write-a-reader-profile-or-kind.md").read_text()
    for key in RULE_KEYS:
        assert re.search(rf"`{key}`|^{key} = ", page, flags=re.MULTILINE), key


def test_table_of_the_distinction_page(registry, shared_data):
    """The table of the page is what the command gives."""
    page = (ROOT / "docs" / "how-to" / "reproduce-logacheva-2016.md").read_text()
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("|")][2:9]
    rules = choose_profile("wmt22_qe_word", (), registry)
    tasks = read_tasks(rules, shared_data("wmt22-qe") / "word" / "en-de", registry)
    found = distinguish_by_attacks(rules, tasks, registry.all(Attack), registry, metrics=[row[0] for row in rows])
    for row, cells in zip(found, rows, strict=True):
        counts = [*row.beaten.values(), row.total]
        shares = [row.distinction.d, row.distinction.d_top, row.distinction.d_bottom]
        assert [row.metric, *map(str, counts), *(f"{s:.2f}" for s in shares), str(row.groups)] == cells


@pytest.mark.slow
def test_table_of_the_page_on_which_metric_to_use(registry, shared_data):
    """The table of the page is what the command gives."""
    page = (ROOT / "docs" / "how-to" / "find-out-which-metric-to-use.md").read_text()
    rows = [line.strip("| \n").split(" | ") for line in page.splitlines() if line.startswith("|")][2:7]
    rules = choose_profile("wmt22_qe_word", (), registry)
    tasks = read_tasks(rules, shared_data("wmt22-qe") / "word" / "en-de", registry)
    table = metric_table(distinguish(rules, tasks, registry, metrics=[row[0] for row in rows], gaming=True))
    shown = [number for number, column in enumerate(table.columns) if column.title != "best attacks"]
    assert [[row[number].text for number in shown] for row in table.rows] == rows
    assert [row[0] for row in rows if row[-1].startswith("2 of")] == ["f1_ok"]


def test_counterexample_of_the_literal_reading():
    gold, tagged = [["BAD", "BAD", "OK", "BAD", "BAD"]], [["BAD"] * 5]
    assert qeframe.score("phrase_f1_bad", gold, tagged) == pytest.approx(4 / 3)
    assert qeframe.score("phrase_f1_bad(reading=clipped)", gold, tagged) <= 1


def test_claims_of_the_tutorial_about_the_demo(registry, tmp_path):
    profile, place = write_demo("sentence", tmp_path, 2015)
    ranks = {}
    for primary in ("pearson", "mae"):
        rules = choose_profile(profile, [f"primary={primary}", "test=randomization", "interval="], registry)
        evaluation = qeframe.evaluate(rules, read_tasks(rules, place, registry), registry=registry)
        ranks[primary] = {s.name: s.rank for s in evaluation.submissions}
    assert ranks["pearson"]["Cedar-tree"] > ranks["pearson"]["Birch-large"]
    assert ranks["mae"]["Cedar-tree"] < ranks["mae"]["Birch-large"]
    assert (ranks["pearson"]["baseline"], ranks["mae"]["baseline"]) == (7, 5)


def test_no_page_installs_qeframe_from_a_registry():
    """It is on none: pages name the clone, and one page says how extras are added to what is installed."""
    pages = [*PAGES, *(ROOT / "docs" / "how-to").glob("*.ipynb")]
    named = {page.name for page in pages if re.search(r"pip install [\\\"]*qeframe\b", page.read_text("utf-8"))}
    assert named <= {"dependencies.md"}
