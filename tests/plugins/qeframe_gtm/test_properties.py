"""What counts as the same word; what the measures promise, the holes they have, and what they say of nothing."""

import sys

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

import qeframe_gtm
from qeframe.core.errors import DataError
from qeframe.core.metric import segment_scores
from qeframe.kinds.texts.batch import Texts

words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=9)
exponents = st.sampled_from([1, 1.5, 2, 3])
NOWHERE = "z"


@pytest.fixture(scope="module")
def measure(named):
    def score(name, candidate, *references):
        batch = Texts.from_plain([[list(reference) for reference in references]], [list(candidate)])
        return segment_scores(named(name), batch)[0]

    return score


@given(reference=words, exponent=exponents)
def test_one_right_word_has_precision_1_and_little_f(measure, reference, exponent):
    candidate = reference[:1]
    assert measure(f"gtm_precision(exponent={exponent})", candidate, reference) == 1
    assert measure(f"gtm_f(exponent={exponent})", candidate, reference) == pytest.approx(2 / (1 + len(reference)))


@given(reference=st.lists(st.sampled_from("abcde"), min_size=1, unique=True), others=st.integers(0, 500))
def test_the_whole_vocabulary_has_recall_1_and_little_f(measure, reference, others):
    vocabulary = [*"abcde", *(f"w{i}" for i in range(others))]
    assert measure("gtm_recall", vocabulary, reference) == 1
    f = 2 * len(reference) / (len(vocabulary) + len(reference))
    assert measure("gtm_f", vocabulary, reference) == pytest.approx(f)


@pytest.mark.parametrize("matching", ["greedy", "exact"])
@given(data=st.data(), reference=words, exponent=exponents)
def test_no_shuffling_of_the_reference_beats_it(measure, matching, data, reference, exponent):
    name = f"gtm_f(exponent={exponent}, matching={matching})"
    own = measure(name, reference, reference)
    assert own == pytest.approx(1, abs=1e-12)
    assert measure(name, data.draw(st.permutations(reference)), reference) <= own + 1e-12


def test_a_shuffled_reference_is_worth_less_the_higher_the_exponent(measure):
    scores = [measure(f"gtm_f(exponent={e})", "dcba", "abcd") for e in (1, 1.5, 2, 3)]
    assert scores == pytest.approx([1, 4 ** (1 / 1.5) / 4, 0.5, 4 ** (1 / 3) / 4])


@pytest.mark.parametrize("name", ["gtm_f", "gtm_f(exponent=2, matching=exact)"])
@given(data=st.data(), candidate=words, reference=words)
def test_inserted_words_never_raise_f_where_the_matching_is_largest(measure, name, data, candidate, reference):
    place = data.draw(st.integers(0, len(candidate)))
    padded = [*candidate[:place], NOWHERE, *candidate[place:]]
    assert measure(name, padded, reference) <= measure(name, candidate, reference) + 1e-12


def test_an_inserted_word_can_raise_greedy_f(named):
    """A hole, found and shrunk: the word breaks up a long run that stood in the way of two others."""
    measure, rng = named("gtm_f(exponent=2)"), np.random.default_rng(4)

    def gains(pairs):
        """Return for each pair by how much the best place for a wrong word raises F."""
        padded = [(n, [*c[:at], NOWHERE, *c[at:]]) for n, (c, _) in enumerate(pairs) for at in range(1, len(c))]
        before = segment_scores(measure, Texts.from_plain([r for _, r in pairs], [c for c, _ in pairs]))
        after = segment_scores(measure, Texts.from_plain([pairs[n][1] for n, _ in padded], [c for _, c in padded]))
        best = np.zeros(len(pairs))
        np.maximum.at(best, [n for n, _ in padded], after)
        return best - before

    def drawn(lengths):
        return list(rng.choice(list("abc"), rng.integers(*lengths)))

    pairs = [(drawn((4, 10)), drawn((4, 10))) for _ in range(4000)]
    breaches = np.flatnonzero(gains(pairs) > 1e-9)
    assert 4 <= len(breaches) <= 60
    candidate, reference = pairs[breaches[0]]
    while True:
        shorter = [(candidate[:i] + candidate[i + 1 :], reference) for i in range(len(candidate))]
        shorter += [(candidate, reference[:j] + reference[j + 1 :]) for j in range(len(reference))]
        still = np.flatnonzero(gains(shorter) > 1e-9)
        if not len(still):
            break
        candidate, reference = shorter[still[0]]
    assert len(candidate) + len(reference) <= 12
    assert gains([(list("abcbab"), list("abba"))])[0] > 0.01


def test_without_an_isolated_match_f_can_be_higher(measure):
    """A hole, found and shrunk: a lone right word costs more length than it adds size."""

    def raises(pair):
        candidate, reference = pair
        before = measure("gtm_f(exponent=2)", candidate, reference)
        return any(
            measure("gtm_f(exponent=2)", candidate[:at] + candidate[at + 1 :], reference) > before + 1e-9
            for at, word in enumerate(candidate)
            if word in reference and candidate.count(word) == 1 == reference.count(word)
        )

    text = st.text("abcd", min_size=1, max_size=6)
    candidate, reference = find(st.tuples(text, text), raises, settings=settings(max_examples=5000, deadline=None))
    assert max(len(candidate), len(reference)) <= 4


def test_the_isolated_match_of_the_documentation(measure):
    """A run of four and a lone word, 14 words on both sides together: .589; without the lone word .615."""
    reference = "abcduve"
    assert measure("gtm_f(exponent=2)", "abcdxye", reference) == pytest.approx(0.589, abs=0.0005)
    assert measure("gtm_f(exponent=2)", "abcdxy", reference) == pytest.approx(0.615, abs=0.0005)


@pytest.mark.parametrize(("exponent", "size", "f"), [(1, 7, 0.8235), (2, 4.5826, 0.5391), (3, 4.1793, 0.4917)])
def test_runs_of_4_2_and_1(measure, exponent, size, f):
    """A candidate of 9 words and a reference of 8, worked out by hand."""
    assert measure(f"gtm_recall(exponent={exponent})", "abcdxefyg", "abcdefgh") * 8 == pytest.approx(size, abs=5e-5)
    assert measure(f"gtm_f(exponent={exponent})", "abcdxefyg", "abcdefgh") == pytest.approx(f, abs=5e-5)


def test_the_mean_length_of_two_references_caps_the_size(measure):
    """A mean of 2.5 words: a block of two whole words and the half of another."""
    scores = [measure(f"gtm_recall(exponent={e})", "abde", "abc", "de") * 2.5 for e in (1, 2)]
    assert scores == pytest.approx([2.5, np.sqrt(2**2 + 0.5**2)])


@pytest.mark.parametrize("name", ["gtm_f", "gtm_precision", "gtm_recall"])
@pytest.mark.parametrize("options", ["exponent=1", "exponent=2", "exponent=2, matching=exact"])
@pytest.mark.parametrize(
    ("candidate", "references"),
    [([], [["a"]]), (["a"], [[]]), ([], [[]]), (["a"], [["b"]]), ([], [["a"], []]), (["a"], [[], []])],
)
def test_nothing_scores_0(measure, name, options, candidate, references):
    assert measure(f"{name}({options})", candidate, *references) == 0


def test_an_empty_batch_scores_0(named):
    for name in ("gtm_f", "gtm_f(exponent=2)", "gtm_f(exponent=2, matching=exact)"):
        assert named(name).bind(Texts.from_plain([], []))(np.ones(0)) == 0


def test_a_large_exponent_is_the_longest_run(measure):
    """No power overflows."""
    assert measure("gtm_recall(exponent=5000)", "abcxdef", "abcydefg") * 8 == pytest.approx(3, abs=1e-3)
    assert measure("gtm_recall(exponent=5000, matching=exact)", "abcxdef", "abcydefg") * 8 == pytest.approx(3, abs=1e-3)


def test_documents_sum_sizes_and_lengths(named):
    batch = Texts.from_plain(["a b d", "x y z", "q"], ["a b c", "x y", ""])
    measure = named("gtm_f(exponent=2)")
    assert float(measure.bind(batch)(np.ones(3))) == pytest.approx(2 * 4 / (5 + 7))
    assert measure.details(batch) == {
        "size": 4,
        "candidate_length": 5,
        "reference_length": 7,
        "precision": 0.8,
        "recall": 4 / 7,
    }


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gtm_f(exponent=0.04)", "gtm: parameter exponent = 0.04 must be a finite number from 0.05"),
        ("gtm_recall(exponent=0)", "gtm: parameter exponent = 0.0 must be a finite number from 0.05"),
        (
            "gtm_f(exponent=0.9, matching=exact)",
            "gtm: parameter exponent = 0.9 must be at least 1 for matching=exact; set matching=greedy",
        ),
        ("gtm_precision(matching=best)", "parameter matching = 'best' must be greedy or exact"),
        ("gtm_f(budget=0)", "gtm: parameter budget = 0 must be at least 1"),
        ("gtm_f(exponent=two)", "parameter exponent = 'two' must be a number"),
    ],
)
def test_refused_parameters(named, name, message):
    with pytest.raises(DataError) as caught:
        named(name)
    assert message in str(caught.value)


def test_exponents_that_are_no_numbers():
    for exponent in (float("nan"), float("inf")):
        with pytest.raises(DataError, match=r"must be a finite number from 0\.05"):
            qeframe_gtm.gtm_f(exponent=exponent)


def test_exponents_below_one_reward_breaking_up():
    measure = qeframe_gtm.gtm_f(exponent=0.5)
    batch = Texts.from_plain(["a b c d"], ["a x b y"])
    assert measure.bind(batch)(np.ones(1)) == pytest.approx((1 + 1) ** 2 / 4)  # two runs of one word, not one of two
    broken = Texts.from_plain(["a b c d"], ["d c b a"])
    assert measure.bind(broken)(np.ones(1)) == pytest.approx(4**2 / 4)  # above 1
    assert measure.bounds == (0, np.inf)


def test_the_smallest_exponent_has_finite_scores_of_long_texts():
    words = [str(i) for i in range(20_000)]
    batch = Texts.from_plain([" ".join(words)], [" ".join(words[::2] + words[1::2])])
    assert np.isfinite(qeframe_gtm.gtm_f(exponent=0.05).bind(batch)(np.ones(1)))


def test_monotony_is_claimed_where_the_matching_is_largest():
    exact, greedy = (qeframe_gtm.gtm_f(exponent=2, matching=way) for way in ("exact", "greedy"))
    assert "monotone" in qeframe_gtm.gtm_f().claims & exact.claims
    assert "monotone" not in greedy.claims


@pytest.mark.parametrize(
    ("options", "f"),
    [
        ("exponent=1", 2 * 1 / 7),
        ("lowercase=true", 2 * 2 / 7),
        ('tokenize="13a"', 2 * 2 / 8),
        ('tokenize="13a", lowercase=true', 2 * 3 / 8),
        ('tokenize="13a", lowercase=true, stem=english', 1),
    ],
)
def test_tokenizer_case_and_stem(named, options, f):
    batch = Texts.from_plain(["The dog barked ."], ["the dog barks."])
    assert segment_scores(named(f"gtm_f({options})"), batch)[0] == pytest.approx(f)


def test_stems(named):
    batch = Texts.from_plain(["the dogs barked"], ["the dog barks"])
    scores = [segment_scores(named(name), batch)[0] for name in ("gtm_f", "gtm_f(stem=english)")]
    assert scores == pytest.approx([1 / 3, 1])
    german = Texts.from_plain(["die Häuser"], ["des Hauses"])
    assert segment_scores(named("gtm_f(stem=german, lowercase=true)"), german)[0] == pytest.approx(0.5)


def test_an_unknown_language(named):
    with pytest.raises(DataError, match="no stemmer for the language 'englisch'; did you mean 'english'"):
        named("gtm_f(stem=englisch)").bind(Texts.from_plain(["a"], ["a"]))


def test_without_the_stemmer(named, monkeypatch):
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(DataError, match=r'cannot be imported; run: pip install "qeframe\[mt\]"'):
        named("gtm_f(stem=english)").bind(Texts.from_plain(["a"], ["a"]))
