"""Every public name that a user calls has an example in its docstring, and it runs."""

import doctest
import inspect
import types
import typing
import warnings

import pytest

import qeframe
import qeframe.plugin
import qeframe.testing

DOORS = (qeframe, qeframe.plugin, qeframe.testing)
WITHOUT = {"hookimpl": "a value of pluggy"}
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def called(value):
    """Return whether a user calls a value: no constant, and no name for a type."""
    aliases = (types.GenericAlias, types.UnionType)
    return callable(value) and not isinstance(value, aliases) and typing.get_origin(value) is None


NAMED = {
    name: value
    for door in DOORS
    for name in door.__all__
    if called(value := getattr(door, name)) and name not in WITHOUT
}


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_public_name_has_an_example_that_runs(name):
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(NAMED[name]) or "", {}, name, None, 0)
    assert test.examples, f"{name} has no example"
    printed = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", qeframe.core.errors.ResultWarning)
        outcome = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=printed.append)
    assert outcome.failed == 0, "".join(printed)


def test_names_without_an_example_are_public():
    assert set(WITHOUT) <= {name for door in DOORS for name in door.__all__}
