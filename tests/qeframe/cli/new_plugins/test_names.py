"""The names that a new plugin may have."""

import pytest

from qeframe.cli.new_plugins.kinds import templates_of
from qeframe.cli.new_plugins.names import module_name
from qeframe.core.errors import DataError


def named(name, kind, registry):
    return module_name(name, kind, templates_of(kind), registry)


def test_hyphens_become_underscores(registry):
    assert named("word-order_2", "metric", registry) == "word_order_2"


@pytest.mark.parametrize(
    ("name", "kind", "message"),
    [
        ("pearson", "metric", "there is a metric 'pearson' already, of plugin 'qeframe_scoring'"),
        ("williams", "test", "there is a significance test 'williams' already"),
        ("wmt14", "tie-policy", "there is a tie policy 'wmt14' already"),
        ("qe-word", "profile", "there is a profile 'qe_word' already"),
        ("extreme", "test", None),
        ("check-plugin", "command", "there is a command 'check_plugin' already, of qeframe"),
        ("check-plugins", "command", None),
        ("rank", "ranking-rule", "'rank' has a meaning in the module to be written"),
        ("my plugin", "reader", "use lower case, digits, and hyphens between words: my-reader"),
    ],
)
def test_names_that_exist(registry, name, kind, message):
    if message is None:
        assert named(name, kind, registry) == name.replace("-", "_")
        return
    with pytest.raises(DataError, match=message):
        named(name, kind, registry)


def test_a_name_of_one_kind_is_free_for_another(registry):
    assert named("williams", "metric", registry) == "williams"
