"""The generated reference holds everything that is registered, and docstrings become Markdown faithfully."""

import re
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

import qeframe
from qeframe.cli.app import app
from qeframe.core import errors as qeframe_errors
from qeframe.core.hookspecs import OTHER_HOOKS
from qeframe.core.profile import RULE_KEYS
from qeframe.plugin import Metric, Parametric
from tests.registered import profile_named

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def extensions():
    """Import the extensions of the documentation; they need no Sphinx before they are run."""
    sys.path.insert(0, str(DOCS / "_extensions"))
    yield import_module
    sys.path.remove(str(DOCS / "_extensions"))


@pytest.fixture(scope="module")
def pages(extensions):
    return extensions("generated_reference").generated_pages()


def section(page: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    found = re.findall(rf"^## `{re.escape(heading)}`\n(.*?)(?=^## |^\([a-z0-9-]+\)=\n## |\Z)", page, flags=re.M | re.S)
    assert len(found) == 1, heading
    return found[0]


@pytest.mark.parametrize(("hook", "kind"), qeframe.load().hooks.items())
def test_every_component_has_its_section(pages, registry, hook, kind):
    page = pages[f"{hook.removeprefix('qeframe_')}.md"]
    for name in registry.names(kind):
        told = pages[f"metrics/{name}.md"] if kind is Metric else section(page, name)
        entry = registry.entry(kind, name)
        value = entry.component() if isinstance(entry.component, Parametric) else entry.component
        assert value.source in told.replace("\\", "")
        assert str(entry.origin) in told.replace("\\", "")
        for key in entry.component.parameters if isinstance(entry.component, Parametric) else ():
            (row,) = re.findall(rf"^\| `{key}` \| (.*) \| (.*) \| (.*) \|$", told, flags=re.M)
            assert all(cell.strip() for cell in row), f"{name}: parameter {key} is not explained"
        for claim in getattr(value, "claims", ()):
            assert f"`{claim}`" in told


def test_every_metric_tells_its_bounds_and_where_it_is_undefined(pages, registry):
    for name in registry.names(Metric):
        told = pages[f"metrics/{name}.md"]
        for row in ("bounds", "better", "where undefined", "tests"):
            assert re.search(rf"^\| {row} \| \S", told, flags=re.M), (name, row)


def test_every_profile_has_its_rules_and_marks(pages, registry):
    every = "\n".join(text for name, text in pages.items() if name.startswith("profiles/"))
    for name in registry.profiles:
        told, profile = section(every, name), profile_named(name)
        assert profile.title in told.replace("\\", "")
        assert profile.source in told.replace("\\", "")
        for key in set(RULE_KEYS) - {"title", "source"}:
            assert f"| {profile.certainty(key).certainty} |" in next(
                line for line in told.splitlines() if line.startswith(f"| `{key}` |")
            )
        assert f"[`{name}`](#profile-{name.replace('_', '-')})" in pages["profiles/index.md"]


def test_every_hook_is_there(pages, registry):
    for hook in [*registry.hooks, *OTHER_HOOKS]:
        assert len(section(pages["hooks.md"], f"{hook}()")) > 40


def test_every_command_and_option_is_there(pages):
    context = click.Context(app, info_name="qeframe")
    for name in app.list_commands(context):
        told = section(pages["command_line.md"], f"qeframe {name}")
        command = app.get_command(context, name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[0] in told
                assert parameter.help, f"{name} {parameter.opts[0]} is not explained"
            else:
                assert (parameter.metavar or str(parameter.name).upper()) in told


def test_every_link_within_the_pages_has_its_target(pages):
    everything = "\n".join(pages.values())
    targets = set(re.findall(r"^\(([a-z0-9-]+)\)=$", everything, flags=re.M))
    for target in re.findall(r"\]\(#([^)]+)\)", everything):
        assert target in targets


def test_every_public_name_is_on_the_page_of_the_python_interface():
    page = (DOCS / "reference" / "python.md").read_text(encoding="utf-8")
    for name in qeframe.__all__:
        shown = (f"autofunction:: {name}\n", f"autoclass:: {name}\n", f"qeframe.{name}`", "automodule:: qeframe.errors")
        is_error = name in vars(qeframe_errors)
        assert any(entry in page for entry in shown[: 4 if is_error else 3]), name


def test_the_start_page_has_five_doors_and_every_written_page_is_behind_one():
    start = re.findall(r"^\* \*\*\[.*?\]\((.*?)\)\*\*", (DOCS / "index.md").read_text(encoding="utf-8"), flags=re.M)
    assert len(start) == 5
    reached = {*start, "index.md", "gallery.md", "changelog.md"}
    for door in start:
        targets = re.findall(r"\]\(([^)#]+)", (DOCS / door).read_text(encoding="utf-8"))
        reached |= {((DOCS / door).parent / target).resolve().relative_to(DOCS).as_posix() for target in targets}
    for page in DOCS.rglob("*.md"):
        name = page.relative_to(DOCS).as_posix()
        assert name in reached or name.startswith(("_build", "reference/generated")), name


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("``f(a=1)`` and `b`", "`f(a=1)` and `b`"),
        ("2**n < 3 | x_1", r"2\*\*n \< 3 \| x\_1"),
        ("``a *\n b``", "`a * b`"),
        ("[0, 1]", r"\[0, 1\]"),
        ("as by --set, or -- rarely -- --skip-invalid", "as by `--set`, or -- rarely -- `--skip-invalid`"),
    ],
)
def test_text_becomes_markdown(extensions, text, markdown):
    assert extensions("docstrings").as_markdown(text) == markdown


def test_sections_of_a_docstring(extensions):
    docstrings = extensions("docstrings")
    text = """What it is.

    More of it.

    Parameters
    ----------
    a, b : int
        Two numbers,
        in words.
    c
        Another.

    Returns
    -------
    float
        NaN if undefined.

    Raises
    ------
    DataError
        If `a` is 0.
    """
    assert list(docstrings.sections(text)) == ["", "Parameters", "Returns", "Raises"]
    told = docstrings.described_parameters(docstrings.sections(text)["Parameters"])
    assert told == {
        "a": ("int", "Two numbers, in words."),
        "b": ("int", "Two numbers, in words."),
        "c": ("", "Another."),
    }
    assert list(docstrings.prose(text)) == [
        "What it is.",
        "More of it.",
        "**Returns.** NaN if undefined.",
        "**Raises.** `DataError`: If `a` is 0.",
    ]
