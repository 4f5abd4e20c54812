"""The kinds of plugin, and their templates."""

import ast
from string import Template

import pytest

from qeframe.cli.new_plugins.kinds import KINDS, templates_of
from qeframe.core.hookspecs import OTHER_HOOKS

WORDS = {
    "article": "A", "distribution": "my-one", "module": "my_one", "noun": "thing", "source": "my_one.py",
}  # fmt: skip


def test_a_kind_has_a_hook_of_its_own(registry):
    hooks = [kind.hook for kind in KINDS.values()]
    assert len(hooks) == len({*hooks} & {*registry.hooks, *OTHER_HOOKS})


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_a_module_tests_and_a_page(kind):
    paths = set(templates_of(kind))
    assert {"pyproject.toml", "README.md"} < paths
    assert ("__module__/__init__.py" if KINDS[kind].package else "__module__.py") in paths
    assert any(path.startswith("tests/test_") for path in paths)


@pytest.mark.parametrize("kind", KINDS)
def test_modules_import_the_doors_and_define_the_hook(kind):
    texts = {path: text for path, text in templates_of(kind).items() if path.startswith("__module__") and ".py" in path}
    ((_, text),) = texts.items()
    tree = ast.parse(Template(text).substitute(WORDS))
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    doors = {name for name in imported if name.startswith("qeframe")}
    assert "qeframe.plugin" in doors
    assert all(name.startswith("qeframe.plugin") for name in doors)
    assert KINDS[kind].hook in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
