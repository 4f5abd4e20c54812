"""What all figures share."""

from qeframe.report.figures.style import shortened


def test_long_names_keep_both_ends():
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 7) == "abc…ijk"
    assert len(shortened("x" * 99, 34)) == 34
