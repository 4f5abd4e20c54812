"""Names of systems with and without test set and language pair."""

import pytest

from qeframe_wmt.readers.metrics.metric_scores import plain_system


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("newstest2014.kit.3112.fr-en", "kit.3112"),
        ("newstest2014.kit.3112.de-en", "newstest2014.kit.3112.de-en"),
        ("kit.3112", "kit.3112"),
        ("newstest2014..fr-en", "newstest2014..fr-en"),
    ],
)
def test_plain_names(name, plain):
    assert plain_system(name, "fr-en") == plain
