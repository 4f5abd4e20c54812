"""The facade for authors: its names are sorted, exist, and are the objects of the core."""

import ast
from importlib import import_module
from pathlib import Path

import qeframe.plugin

TREE = ast.parse(Path(qeframe.plugin.__file__).read_text(encoding="utf-8"))
IMPORTS = {
    alias.asname or alias.name: (node.module, alias.name)
    for node in TREE.body
    if isinstance(node, ast.ImportFrom) and node.module
    for alias in node.names
}


def test_every_name_is_that_of_the_core():
    for name, (module, original) in IMPORTS.items():
        assert getattr(qeframe.plugin, name) is getattr(import_module(module), original), name


def test_all_imports_are_public_and_nothing_else_is():
    assert set(qeframe.plugin.__all__) == set(IMPORTS)
    assert len(qeframe.plugin.__all__) == len(set(qeframe.plugin.__all__))


def test_nothing_is_defined_here():
    kinds = {type(node) for node in TREE.body}
    assert kinds <= {ast.Expr, ast.ImportFrom, ast.Assign}
