"""Attacks on texts: candidates that are no translations, and changes of honest candidates."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

import attrs
import numpy as np

from qeframe.plugin import Texts
from qeframe.plugin.audit import Attack
from qeframe.plugin.texts import text_array

_TURIAN = "Turian, Shen and Melamed (2003): why precision and recall belong together"
_LENGTHS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0)
_NOWHERE = "\N{REPLACEMENT CHARACTER}"  # a word that is in no reference
_blind = partial(Attack, kind=Texts, source="qeframe", manner="blind", knowledge="nothing")
_cosmetic = partial(Attack, kind=Texts, source="qeframe", manner="cosmetic", knowledge="nothing")


def count_words(batch: Texts) -> Counter[str]:
    """Count the words of the gold."""
    return Counter(word for text in batch.gold.values for word in text.split())


def by_frequency(counts: Counter[str]) -> list[str]:
    """Return the words by frequency, the most frequent first, equally frequent ones in alphabetical order."""
    return sorted(counts, key=lambda word: (-counts[word], word))


def _answered(batch: Texts, texts: Iterable[str]) -> Texts:
    return attrs.evolve(batch, predicted=text_array(list(texts)))


def _everywhere(text: str, batch: Texts) -> Texts:
    return _answered(batch, [text] * len(batch))


def _no_words(batch: Texts, rng: np.random.Generator) -> Texts:
    return _everywhere("", batch)


def _one_word(batch: Texts, rng: np.random.Generator) -> Texts:
    in_references = Counter(word for text in batch.gold.values for word in set(text.split()))
    return _everywhere(" ".join(by_frequency(in_references)[:1]), batch)


def _all_words(batch: Texts, rng: np.random.Generator) -> Texts:
    return _everywhere(" ".join(by_frequency(count_words(batch))), batch)


def first_lengths(batch: Texts) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return the number of words of each segment's first reference, which the length of the source indicates."""
    return np.array([len(batch.gold.values[first].split()) for first in batch.gold.offsets[:-1]], dtype=np.int64)


def _likeliest(counts: Counter[str], longest: int) -> list[str]:
    """Return copies of words, in descending order of the probability that a reference contains one more copy.

    The position of the k-th copy of a word is the text length at which k - 1/2 copies are expected.
    """
    words, total = by_frequency(counts), counts.total()
    positions = [
        ((copy + 0.5) * total / counts[word], word)
        for word in words
        for copy in range(max(1, round(longest * counts[word] / total + 0.5)))
    ]
    return [word for _, word in sorted(positions)][:longest]


def _frequent_words(length: float, batch: Texts, rng: np.random.Generator) -> Texts:
    sizes = np.maximum(1, np.rint(length * first_lengths(batch))).astype(np.int64)
    bag = _likeliest(count_words(batch), int(sizes.max(initial=1)))
    return _answered(batch, (" ".join(bag[:size]) for size in sizes))


def _pad(words: int, batch: Texts, rng: np.random.Generator) -> Texts:
    return _answered(batch, (" ".join([text, *[_NOWHERE] * words]).strip() for text in batch.predicted))


def _pad_frequent(words: int, batch: Texts, rng: np.random.Generator) -> Texts:
    frequent = by_frequency(count_words(batch))[:words]
    return _answered(batch, (" ".join([text, *frequent]).strip() for text in batch.predicted))


def _drop_isolated(batch: Texts, rng: np.random.Generator) -> Texts:
    """Leave out matching words whose neighbors in the candidate do not match."""
    firsts = [set(batch.gold.values[first].split()) for first in batch.gold.offsets[:-1]]
    kept = [_not_alone(text.split(), first) for text, first in zip(batch.predicted, firsts, strict=True)]
    return _answered(batch, map(" ".join, kept))


def _not_alone(words: list[str], of_reference: set[str]) -> list[str]:
    hits = [False, *(word in of_reference for word in words), False]
    return [word for i, word in enumerate(words, 1) if not hits[i] or hits[i - 1] or hits[i + 1]]


no_word = _blind(
    name="no_word", summary="Submits empty texts", source=_TURIAN, answer=_no_words, refutes="constant_proof"
)

one_word = _blind(
    name="one_word",
    summary="Submits the single word that is in the most references",
    source=_TURIAN,
    knowledge="the word that most sentences have",
    answer=_one_word,
    refutes="constant_proof",
)

whole_vocabulary = _blind(
    name="whole_vocabulary",
    summary="Submits every word of all references, once each",
    source=_TURIAN,
    knowledge="the vocabulary",
    answer=_all_words,
    refutes="constant_proof",
)

frequent_words = _blind(
    name="frequent_words",
    summary="Submits the most probable words, each as often as expected, of the length that scores best",
    knowledge="the lengths of the references and the frequencies of words",
    answer=partial(_frequent_words, 1.0),
    settings={f"length={length:g}": partial(_frequent_words, length) for length in _LENGTHS},
    refutes="blind_proof",
)

pad = _cosmetic(
    name="pad", summary="Appends words that are in no reference", answer=partial(_pad, 3), refutes="padding_proof"
)

pad_with_frequent = _cosmetic(
    name="pad_with_frequent",
    summary="Appends the most frequent words, as many as scores best",
    knowledge="the frequent words of the language",
    answer=partial(_pad_frequent, 3),
    settings={f"words={words}": partial(_pad_frequent, words) for words in (1, 3, 10)},
)

drop_isolated = _cosmetic(
    name="drop_isolated",
    summary="Leaves out isolated matching words: longer runs can count more than the words lost",
    source="qeframe, on the General Text Matcher of Turian, Shen and Melamed (2003)",
    knowledge="which of its words are in the reference",
    answer=_drop_isolated,
    left_out={"knowledge": "it takes the words of the references from the gold, as it says"},
)


def _list_words(words: int, skip: int, length: float, batch: Texts, rng: np.random.Generator) -> Texts:
    listed = by_frequency(count_words(batch))[skip : skip + words]
    sizes = np.maximum(1, np.rint(length * first_lengths(batch))).astype(np.int64)
    if not listed:
        return _everywhere("", batch)
    copies = listed * int(-(-sizes.max(initial=1) // len(listed)))
    return _answered(batch, (" ".join(copies[:size]) for size in sizes))


def word_list(*, words: int = 10, skip: int = 0, length: float = 1.0) -> Attack:
    """Submit a list of frequent words, from the beginning again until it is long enough.

    Parameters
    ----------
    words : int
        How many words the list has.
    skip : int
        How many of the most frequent words are left out.
    length : float
        The length of each text, as a share of the length of its first reference.

    Returns
    -------
    Attack
        On `Texts`, blind.
    """
    return _blind(
        name="word_list",
        summary="Submits a list of frequent words again and again: the space of texts that a search tries",
        knowledge="the frequent words, the lengths of the references, and the list that scores best, from earlier data",
        answer=partial(_list_words, max(words, 1), max(skip, 0), length),
        space={
            "words": (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 1000),
            "skip": (0, 1, 2, 5, 10, 30),
            "length": (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0),
        },
        refutes="blind_proof",
    )


def _edit(kept: float, times: int, appended: int, batch: Texts, rng: np.random.Generator) -> Texts:
    frequent = by_frequency(count_words(batch))[:appended]
    rows = [text.split() for text in batch.predicted]
    edited = [row[: max(1, round(kept * len(row)))] * times + frequent for row in rows]
    return _answered(batch, map(" ".join, edited))


def edit_texts(*, kept: float = 1.0, times: int = 1, appended: int = 3) -> Attack:
    """Cut the texts of a submission, repeat them, and append frequent words.

    Parameters
    ----------
    kept : float
        The share of each text that is kept, from its beginning; at least one word.
    times : int
        How often the text is repeated.
    appended : int
        How many of the most frequent words are appended.

    Returns
    -------
    Attack
        On `Texts`, cosmetic.
    """
    return _cosmetic(
        name="edit_texts",
        summary="Cuts or repeats texts and appends frequent words: a space for a search",
        knowledge="the frequent words, and the edits that score best, from earlier data",
        answer=partial(_edit, kept, max(times, 1), max(appended, 0)),
        space={"kept": (0.2, 0.4, 0.6, 0.8, 0.9, 1.0), "times": (1, 2, 3), "appended": (0, 1, 2, 3, 5, 10, 30)},
    )
