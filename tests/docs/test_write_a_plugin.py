"""The examples of the pages on plugins run, and their components keep their laws."""

import ast
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from collections import defaultdict
from itertools import count
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pytest
from scipy.stats import spearmanr

import qeframe
from qeframe.cli.commands.check_plugin import STATES
from qeframe.cli.new_plugins.kinds import KINDS
from qeframe.cli.new_plugins.writing import plugin_files, write_files
from qeframe.core.batch_kind import BatchKind
from qeframe.core.hookspecs import GROUP, OTHER_HOOKS
from qeframe.core.metric import CLAIMS
from qeframe.data.published.beside_profiles import find_data_sources, find_published_tables
from qeframe.plugin import Batch, Contest, Metric
from qeframe.testing import (
    check_aggregation,
    check_attack,
    check_correction,
    check_metric,
    check_ranking_rule,
    check_tie_policy,
)
from qeframe.testing.laws.checks import LAWS
from qeframe.testing.plugin_report import check_plugin
from tests.qeframe.core.components.made_plugins import plugin

PAGES = Path(__file__).parents[2] / "docs" / "how-to"
RULES, READERS = "write-a-rule-test-or-attack", "write-a-reader-profile-or-kind"
PARTS = {
    "metric": ("write-a-metric", "", "A metric that is not a sum"),
    "metric that is no sum": ("write-a-metric", "A metric that is not a sum", "Check it"),
    "rules": (RULES, "", "A significance test"),
    "significance test": (RULES, "A significance test", "An attack"),
    "attack": (RULES, "An attack", "Check it"),
    "reader": (READERS, "", "A profile"),
    "kind of batch": (READERS, "A kind of batch", "Check it"),
}
"""Parts of pages whose blocks of code are a plugin: the page, and the headings where the part begins and ends."""
TABLE = "id,gold,good,poor\n1,0.1,0.2,0.9\n2,0.4,0.5,0.3\n3,0.8,0.7,0.5\n4,0.9,0.9,0.1\n"


def text_of(part):
    """Return the text of a page, or of a part of one."""
    page, begin, end = PARTS.get(part, (part, "", ""))
    text = (PAGES / f"{page}.md").read_text(encoding="utf-8")
    text = text.partition(f"\n## {begin}\n")[2] if begin else text
    return text.partition(f"\n## {end}\n")[0] if end else text


NUMBERS = count()


@pytest.fixture
def of_page(tmp_path, monkeypatch):
    """Write the blocks of a page into a package, and import it. It stays: laws keep batches with its functions."""
    monkeypatch.syspath_prepend(tmp_path)

    def load(page, name=""):
        blocks = re.findall(r"```python\n(.*?)```", text_of(page), flags=re.DOTALL)
        module = name or f"{re.sub('[- ]', '_', page)}_{next(NUMBERS)}"
        (tmp_path / module).mkdir()
        code = "\n".join(block for block in blocks if "parametrize_with" not in block)
        (tmp_path / module / "__init__.py").write_text(code)
        return importlib.import_module(module)

    return load


@pytest.fixture
def table(tmp_path):
    (tmp_path / "table.csv").write_text(TABLE)
    return tmp_path / "table.csv"


@pytest.mark.parametrize("part", PARTS)
def test_check_plugin_is_green(of_page, part):
    """Each page ends with it: the code of the page, as a plugin, breaks no law."""
    page = of_page(part)
    extra = {"page": with_profile(page) if part == "reader" else page}
    checked = check_plugin("page", qeframe.load(extra=extra), tries=3)
    assert {finding.result for finding in checked.findings if finding.component} >= {"kept"}
    assert checked.broken == []


def test_a_metric(of_page):
    page = of_page("metric")
    registry = qeframe.load(extra={"page": page})
    assert qeframe.score("my_metric(within=0.2)", [1, 2, 3], [1.1, 2.5, 3], registry=registry) == pytest.approx(2 / 3)
    check_metric(page.my_metric(), tries=10)
    batch = page.Scores.from_plain([1, 2], [2, 1])
    named = re.findall(r"`batch\.(\w+)`", text_of("metric"))
    assert len(named) == 5
    assert all(hasattr(batch, name) for name in named)


def test_a_metric_that_is_no_sum(of_page):
    page = of_page("metric that is no sum")
    gold, predicted = [1, 2, 2, 4, 5.5, 3], [2, 1, 2, 3, 3, 1]
    assert qeframe.score(page.rank_correlation(), gold, predicted) == pytest.approx(
        spearmanr(gold, predicted).statistic
    )
    statistic = page.bind(page.Scores.from_plain(gold, predicted))
    repeated = page.bind(page.Scores.from_plain([1, 2, 2, 4], [2, 1, 1, 3]))
    assert statistic(np.array([1.0, 2, 0, 1, 0, 0])) == pytest.approx(float(repeated(np.ones(4))))
    (pair,) = qeframe.compare(page.rank_correlation(), gold, {"a": predicted, "b": [1, 2, 3, 4, 6, 5]})
    assert all(p > 0 for p in pair.p_of.values())  # both tests of the default were run
    check_metric(page.rank_correlation(), tries=10)


def test_a_tie_policy(of_page):
    page = of_page("rules")
    registry = qeframe.load(extra={"page": page})
    assert registry.get(Metric, "kendall(ties=half)").name == "kendall(ties=half)"
    check_tie_policy(page.half)


def test_a_significance_test_and_a_correction(of_page):
    page = of_page("significance test")
    registry = qeframe.load(extra={"page": page})
    gold, rng = np.arange(60.0), np.random.default_rng(0)
    answers = {"good": gold + rng.normal(0, 5, 60), "poor": gold + rng.normal(0, 60, 60)}
    (pair,) = qeframe.compare("pearson", gold, answers, test="my_test(draws=99)", correction="sidak", registry=registry)
    assert (pair.a, pair.p, pair.significant) == ("good", 0.01, True)
    answers["near"] = answers["good"] + rng.normal(0, 1, 60)
    near = [
        [pair.p for pair in qeframe.compare("pearson", gold, answers, test="my_test(draws=99)", **rules)]
        for rules in ({"seed": seed, "correction": "none", "registry": registry} for seed in (1, 1, 2))
    ]
    assert near[0] == near[1] != near[2]  # the members of a contest draw by the seed
    check_correction(page.sidak, tries=10)


def test_every_member_of_a_contest_is_documented(extensions):
    """The reference has all of them, the page those that most tests need."""
    cells = re.findall(r"^\| (`.*?`) \|", text_of("significance test"), flags=re.MULTILINE)
    rows = {name for cell in cells for name in re.findall(r"`(\w+)", cell)}
    named = {name for name in vars(Contest) if not name.startswith("_")}
    assert {"oriented", "pairs", "resample", "weighted", "jackknife", "count_exchanges", "along"} < rows < named
    (written,) = ast.parse(inspect.getsource(Contest)).body
    functions = {one.name: ast.get_docstring(one) for one in written.body if isinstance(one, ast.FunctionDef)}
    docstrings = extensions("docstrings")
    fields = docstrings.described_parameters(docstrings.sections(Contest.__doc__)["Parameters"])
    told = {name for name in named if functions.get(name) or name in fields or inspect.getdoc(getattr(Contest, name))}
    assert told == named


def test_an_aggregation(of_page, tmp_path):
    page = of_page("rules")
    registry = qeframe.load(extra={"page": page, "reader": with_profile(of_page("reader"))})
    (tmp_path / "table.csv").write_text(TABLE)
    (tmp_path / "second.csv").write_text("id,gold,good,poor\n1,0.1,0.3,0.2\n2,0.4,0.2,0.9\n3,0.8,0.9,0.1\n")
    rules = qeframe.choose_profile("my_profile", ["across=worst_task"], registry)
    paths = [tmp_path / "table.csv", tmp_path / "second.csv"]
    tasks = [task for path in paths for task in qeframe.read_tasks(rules, path, registry)]
    evaluation = qeframe.evaluate(rules, tasks, registry=registry)
    for submission in evaluation.submissions:
        score = submission.scores["pearson"]
        assert score.value == min(score.tasks.values(), key=lambda part: part.value).value
    scores, weights = np.array([[0.2, 0.7, -1.0], [0.6, np.nan, 0.1]]), np.array([1.0, 1.0, 0.0])
    assert page.worst(scores, weights, True)[0] == 0.2
    assert page.worst(scores, weights, False)[0] == 0.7
    check_aggregation(page.worst_task, tries=10)


def test_a_ranking_rule(of_page):
    check_ranking_rule(of_page("rules").unbeaten, tries=10)


def test_an_attack(of_page, capsys):
    check_attack(of_page("attack").constant_highest, tries=10)


RULES = 'title = "Mine"\nlevel = "sentence"\ngold = "any"\nbest = "high"\nsource = "mine"\nreader = "one_table"\n'


def with_profile(page, rules=RULES + 'primary = "pearson"\nsecondary = []\ntest = ""\ninterval = ""\n'):
    Path(page.__file__).with_name("my_profile.toml").write_text(rules)
    return page


def test_a_reader_with_a_profile_and_a_writer(of_page, table):
    page = with_profile(of_page("reader"))
    registry = qeframe.load(extra={"page": page})
    evaluation = qeframe.evaluate("my_profile", table, registry=registry)
    assert {s.name: s.rank for s in evaluation.submissions} == {"good": 1, "poor": 2}
    assert page.one_table.write(page.one_table.read(table, "high")).files == {"table.csv": TABLE.encode()}


def test_data_and_published_values(tmp_path):
    text = text_of("bring-data-and-published-values")
    for folder, block in zip(
        ("sources", "published"), re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL), strict=True
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "my.toml").write_text(block)
    registry = qeframe.load(extra={"page": plugin(qeframe_profiles={"my_profile": tmp_path / "my_profile.toml"})})
    assert find_data_sources(registry)["my_task"].checked == "SHA-256"
    table = find_published_tables(registry)["my_paper_table_1"]
    assert (table.data, table.profile, str(table.origin)) == (
        "my_task",
        "my_profile",
        "plugin 'page' of distribution '(given)'",
    )


def test_a_kind_of_batch(of_page):
    pandas = pytest.importorskip("pandas")
    page = of_page("kind of batch")
    registry = qeframe.load(extra={"page": page})
    answers = {"good": "ABCABB" * 20, "poor": "AAAABC" * 20}
    (pair,) = qeframe.compare("right_letters", "ABC" * 40, answers, registry=registry)
    assert (pair.a, pair.significant) == ("good", True)
    frame = pandas.DataFrame({"gold": list("ABC"), "mine": list("ABB")})
    (task,) = qeframe.tasks_from_frame(frame, kind=page.Choices, submissions=["mine"])
    assert task.contents(2) == {"gold": "C", "mine": "B"}
    assert next(iter(task.batches.values())).unit_numbers().gaps.tolist() == [0, 0, 1]
    assert registry.kind_of(page.Choices).audit.generate(np.random.default_rng(0)).description == "600 letters"


SELDOM_WRITTEN = {"take", "join_units", "rows", "missing_answers", "has_gold", "answers_same_cells"}


def test_every_method_of_a_batch_and_every_part_of_a_kind_is_documented():
    page = text_of("kind of batch")
    parts = {field.name for field in BatchKind.__attrs_attrs__} - {"batch", "may_abstain"}
    assert not [name for name in parts if f"`{name}`" not in page]
    methods = {name for name in vars(Batch) if not name.startswith("_")} - {"ids"} - SELDOM_WRITTEN
    assert not [name for name in methods if not re.search(rf"\b{name}\b", page)]


def test_a_command(of_page, tmp_path):
    page = of_page("write-a-command", "my_commands")
    (command,) = page.COMMANDS
    assert command.path == "my_commands:count_units"
    assert resolve_name(command.path) is page.count_units
    assert command.summary == page.count_units.get_short_help_str(limit=200)
    with pytest.raises(qeframe.DataError, match=r"shares.txt: there is no such file"):
        page.shares_in(tmp_path / "shares.txt")
    (tmp_path / "shares.txt").write_text("0.5\nhalf\n")
    with pytest.raises(qeframe.DataError, match=r"shares.txt:2: 'half' is no share; write a number"):
        page.shares_in(tmp_path / "shares.txt")


WRITTEN = {
    "near-rows": ("metric", "../../README"),
    "near-gold": ("metric", "metric"),
    "near-rank": ("metric", "metric that is no sum"),
    "near-kind": ("metric", "kind of batch"),
    "near-table": ("reader", "reader"),
}
"""Plugins with names of their own: their kinds, and the pages whose examples take the place of what was written."""


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITTEN)
def test_the_example_of_a_page_passes_the_tests_that_are_written(name, tmp_path):
    kind, page = WRITTEN[name]
    blocks = re.findall(r"```python\n(.*?)```", text_of(page), flags=re.DOTALL)
    module = name.replace("-", "_")
    others = ("pandas.read_csv", "my_profile")  # what uses a task, and what needs a file beside the module
    code = "\n".join(block for block in blocks if not any(word in block for word in others))
    files = {**plugin_files(name, qeframe.load(), kind=kind), f"{module}.py": code}
    files[f"{module}-0.dist-info/METADATA"] = f"Name: {name}\nVersion: 0\n"
    files[f"{module}-0.dist-info/entry_points.txt"] = f"[{GROUP}]\n{module} = {module}\n"
    write_files({path: text for path, text in files.items() if not path.endswith("test_laws.py")}, tmp_path)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", tmp_path / "pyproject.toml"]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    ended = subprocess.run([*command, tmp_path / "tests"], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr


METRICS = """
import attrs
from source_of_metrics import Metric, my_metric

close_share = attrs.evolve(my_metric(), name="close_share")


def closer_share(*, within: float = 0.01) -> Metric:
    return attrs.evolve(my_metric(within=within), name="closer_share")
"""


def test_several_components_in_one_plugin(of_page):
    for name, other in {"metrics": "metric", "letters": "kind of batch"}.items():
        of_page(other, f"source_of_{name}")
    page = of_page("write-a-plugin-of-several", "my_plugin")
    files = {"metrics.py": METRICS, "letters.py": "from source_of_letters import choices as kind\n"}
    for name, text in {**files, "rules.toml": 'extends = "qe_sentence"\n'}.items():
        Path(page.__file__).with_name(name).write_text(text)
    registry = qeframe.load(extra={"several": page})
    assert not {"my_plugin.metrics", "my_plugin.letters"} & set(sys.modules)
    assert qeframe.score("closer_share(within=0.2)", [1, 2], [1.1, 2.5], registry=registry) == 0.5
    assert "my_plugin.letters" not in sys.modules
    choices = importlib.import_module("source_of_letters").Choices
    assert registry.kind_of(choices).batch is choices


def test_the_package_of_the_page_is_installed_with_all_that_its_entry_points_name():
    (table,) = re.findall(r"```toml\n(.*?)```", text_of("write-a-plugin-of-several"), flags=re.DOTALL)
    project = tomllib.loads(table)
    modules = [module for points in project["project"]["entry-points"].values() for module in points.values()]
    written = tomllib.loads(plugin_files("near-gold", qeframe.load())["pyproject.toml"])
    assert {module.partition(".")[0] for module in modules} == {*wheel_of(project)["only-include"]}
    assert wheel_of(project).keys() == wheel_of(written).keys()


def wheel_of(project):
    return project["tool"]["hatch"]["build"]["targets"]["wheel"]


def test_every_law_is_in_the_table_of_the_page(extensions):
    assert "{include} ../reference/generated/laws.inc" in text_of("test-a-plugin")
    table = re.sub(r"\\(.)", r"\1", extensions("law_table").law_table())
    said = re.findall(r"^\| ([a-z ,]+) \| `(\w+)` \| (.*) \|$", table, flags=re.MULTILINE)
    words = defaultdict(list)
    for component, laws in LAWS.items():
        noun = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", component.__name__.removesuffix("File")).lower()
        for law in laws:
            if component is not Metric or law.name not in CLAIMS:
                words[law.name, law.states].append(noun)
    expected = {law: "all but commands" if len(of) == len(LAWS) else ", ".join(of) for law, of in words.items()}
    assert {(law, states): of for of, law, states in said} == expected | dict.fromkeys(STATES.items(), "command")


def test_every_hook_and_every_kind_is_on_the_page(registry):
    page = text_of("write-a-plugin")
    assert all(f"| `{hook}` |" in page for hook in [*registry.hooks, *OTHER_HOOKS])
    assert all(f"`{kind}`" in page for kind in KINDS)
