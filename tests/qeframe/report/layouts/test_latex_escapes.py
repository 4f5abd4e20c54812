"""Texts as LaTeX."""

import pytest

from qeframe.report.layouts.latex_escapes import breakable, escape


@pytest.mark.parametrize("text", ["", "short", "many short words in one line, which break at spaces", "a-b_c & 50%"])
def test_short_words_are_not_broken(text):
    assert breakable(text) == escape(text)


@pytest.mark.parametrize("text", ["x" * 40, "a-b/c" * 9, "profile:x|primary:pearson|test:williams", "w " + "_" * 60])
def test_long_words_keep_their_letters(text):
    broken = breakable(text)
    assert broken.count(r"\allowbreak{}") > escape(text).count(r"\allowbreak{}")
    assert broken.replace(r"\allowbreak{}", "") == escape(text).replace(r"\allowbreak{}", "")


def test_the_longest_word_that_is_not_broken():
    assert breakable("one-two three", longest=6) == r"one-\allowbreak{}two three"


def test_words_without_punctuation_break_after_12_characters():
    assert breakable("a" * 40) == r"\allowbreak{}".join(["a" * 12, "a" * 12, "a" * 12, "a" * 4])


@pytest.mark.parametrize(("text", "escaped"), [("≤ 100", r"$\leq$ 100"), ("§ ¶", r"\S{} \P{}"), ("a--b", "a-{}-b")])
def test_signs(text, escaped):
    assert escape(text) == escaped
