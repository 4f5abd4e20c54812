"""What a page says in words."""

import attrs

from qeframe.report.html.words import components_in_words, headings, terms_of_tests, winners_word


def test_headings_have_the_technical_name_and_the_meaning_in_a_tooltip(evaluation):
    words = headings(evaluation)
    assert words["rank set"].shown == "possible ranks"
    assert words["rank set"].tip.startswith("rank set: every rank")
    assert words["pearson ↑"].tip.startswith("Pearson's correlation")


def test_winners_name_their_rule(evaluation):
    assert [winners_word(evaluation, number).shown for number in (1, 2)] == ["Winner", "Winners"]
    assert winners_word(evaluation, 1).technical == "not_worse_than_best"


def test_the_terms_of_tests_come_once_each(evaluation):
    terms = terms_of_tests(evaluation)
    assert [(term.shown, term.technical) for term in terms][:5] == [
        ("pearson", ""),
        ("p", ""),
        ("test", "williams"),
        ("adjusted p", "holm"),
        ("significantly better", ""),
    ]
    doubled = attrs.evolve(evaluation, comparisons=evaluation.comparisons * 2)
    assert terms_of_tests(doubled) == terms
    assert terms_of_tests(attrs.evolve(evaluation, comparisons=())) == []


def test_names_that_no_plugin_brings_have_no_meaning(evaluation):
    rules = {**evaluation.signature.rules, "correction": "none", "ranking": "gone", "strict": False}
    other = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, rules=rules))
    assert winners_word(other, 1).meaning == ""
    better = next(term for term in terms_of_tests(other) if term.shown == "significantly better")
    assert "p is at most 0.05; p is not adjusted" in better.meaning


def test_a_test_is_said_in_plain_words_and_its_null_hypothesis_in_the_tooltip(evaluation):
    (test,) = [term for term in terms_of_tests(evaluation) if term.shown == "test"]
    assert test.meaning.startswith("how p is computed: the difference is compared with how far it would vary")
    assert test.tip.startswith("williams: Williams' test")
    assert test.tip.endswith("; null hypothesis: equal scores")


def test_the_rules_say_what_each_component_computes(evaluation):
    notes = components_in_words(evaluation)
    assert [note.partition(":")[0] for note in notes] == ["pearson", "mae", "williams", "holm", "not_worse_than_best"]
    rules = {**evaluation.signature.rules, "correction": "none", "ranking": "gone"}
    other = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, rules=rules), metrics=("gone",))
    assert not any(note.startswith("gone") for note in components_in_words(other))
