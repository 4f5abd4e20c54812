"""The study of the studentized exchange: the page and the test say what is stored, and what decided on the default."""

import pytest
import studentized_exchange as study

from qeframe.core.profile_checks import default_test
from qeframe.plugin import SignificanceTest

STORED = {key: dict(zip(study.MEANS, values[2:], strict=True)) for key, values in study.stored().items()}
SIZES = {cell: STORED[("size", *map(str, cell))] for cell in study.CELLS}
HELD = {cell: row for cell, row in SIZES.items() if not cell[1].startswith("alternating")}


def test_the_tables_beside_the_page_are_those_of_what_is_stored(tmp_path):
    study.write(tmp_path)
    for name in study.FILES.values():
        assert (tmp_path / name).read_text(encoding="utf-8") == (study.PAGE.parent / name).read_text(encoding="utf-8")


def test_the_default_has_changed_if_every_bound_was_kept():
    exceeded = [(cell, mean) for cell, row in HELD.items() for mean, bound in study.BOUNDS.items() if row[mean] > bound]
    assert bool(exceeded) == (default_test(smooth=True) != "studentized_exchange")


@pytest.mark.parametrize(
    ("words", "mean", "rows", "low", "high"),
    [
        ("rate .02 to .06", "new pairs 0.05", HELD, 0.02, 0.06),
        ("up to .10 where", "new pairs 0.05", SIZES, 0.02, 0.10),
        ("up to .11 of families of ten", "new family 0.05", HELD, 0.0, 0.11),
    ],
)
def test_what_the_test_says_of_itself_is_what_was_measured(registry, words, mean, rows, low, high):
    assert words in registry.get(SignificanceTest, "studentized_exchange").measured
    assert min(row[mean] for row in rows.values()) >= low - 0.005
    assert high - 0.01 <= max(row[mean] for row in rows.values()) <= high + 0.005
