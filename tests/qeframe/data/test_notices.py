"""What is remarkable about the names of submissions."""

import pytest

from qeframe.data.notices import on_look_alike_names


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("COM\u00c9T", "COME\u0301T",
         "character 4 is U+00C9 LATIN CAPITAL LETTER E WITH ACUTE in one and U+0045 LATIN"),
        ("\u0421OMET", "COMET",
         "character 1 is U+0421 CYRILLIC CAPITAL LETTER ES in one and U+0043 LATIN CAPITAL LETTER C"),
        ("COMET", "C\u039fMET",
         "character 2 is U+004F LATIN CAPITAL LETTER O in one and U+039F GREEK CAPITAL LETTER OM"),
        ("COMET", "Comet", "character 2 is U+004F LATIN CAPITAL LETTER O in one and U+006F LATIN SMALL LETTER O"),
        ("COMET", "COMET ", "character 6 is not there in one and U+0020 SPACE in the other"),
        ("my team", "my\u00a0team", "character 3 is U+0020 SPACE in one and U+00A0 NO-BREAK SPACE in the other"),
        ("a-b", "a\u2010b", "character 2 is U+002D HYPHEN-MINUS in one and U+2010 HYPHEN in the other"),
        ("ab", "a\u200bb",
         "character 2 is U+0062 LATIN SMALL LETTER B in one and U+200B ZERO WIDTH SPACE in the other"),
        ("\uff21B", "AB", "character 1 is U+FF21 FULLWIDTH LATIN CAPITAL LETTER A in one and U+0041 LATIN CAPITAL"),
    ],
)  # fmt: skip
def test_names_that_look_alike_are_named_with_their_characters(one, other, said):
    (warning,) = on_look_alike_names(["x", one, "y", other])
    assert warning.startswith(f"the names '{one}' and '{other}' look alike, or differ in case or blanks only: ")
    assert said in warning


def test_names_that_differ_for_everybody():
    names = ["BLEU", "BLEURT", "COMET-22", "COMET_22", "C0MET", "sys1", "sysl", "\u041c\u043e\u0441\u043a\u0432\u0430"]
    assert list(on_look_alike_names(names)) == []
