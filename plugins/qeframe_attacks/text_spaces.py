"""Spaces for a search of attacks on texts, spans and preferences.

Each is an attack with parameters that declares the values to try.
"""

from __future__ import annotations

from functools import partial
from typing import Literal

import attrs
import numpy as np

from qeframe.plugin import Preferences, Ragged, Spans, Texts
from qeframe.plugin.audit import Attack
from qeframe.plugin.kinds import END, SEVERITIES, SEVERITY, START
from qeframe.plugin.texts import text_array
from qeframe_attacks.markings import known_text
from qeframe_attacks.words import by_frequency, count_words, first_lengths

_SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_BEST = ", from earlier data"


# --- texts ------------------------------------------------------------------------------------------------------------


def _list_words(words: int, skip: int, length: float, batch: Texts, rng: np.random.Generator) -> Texts:
    listed = by_frequency(count_words(batch))[skip : skip + words]
    sizes = np.maximum(1, np.rint(length * first_lengths(batch))).astype(np.int64)
    if not listed:
        return attrs.evolve(batch, predicted=text_array([""] * len(batch)))
    copies = listed * int(-(-sizes.max(initial=1) // len(listed)))
    return attrs.evolve(batch, predicted=text_array([" ".join(copies[:size]) for size in sizes]))


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
    return Attack(
        name="word_list",
        summary="Submits a list of frequent words again and again: the space of texts that a search tries",
        source="qeframe",
        kind=Texts,
        manner="blind",
        knowledge=f"the frequent words, the lengths of the references, and the list that scores best{_BEST}",
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
    return attrs.evolve(batch, predicted=text_array([" ".join(row) for row in edited]))


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
    return Attack(
        name="edit_texts",
        summary="Cuts or repeats texts and appends frequent words: a space for a search",
        source="qeframe",
        kind=Texts,
        manner="cosmetic",
        knowledge=f"the frequent words, and the edits that score best{_BEST}",
        answer=partial(_edit, kept, max(times, 1), max(appended, 0)),
        space={"kept": (0.2, 0.4, 0.6, 0.8, 0.9, 1.0), "times": (1, 2, 3), "appended": (0, 1, 2, 3, 5, 10, 30)},
    )


# --- spans ------------------------------------------------------------------------------------------------------------


def _mark(
    segments: float, start: float, share: float, pieces: int, severity: int, batch: Spans, rng: np.random.Generator
) -> Spans:
    text = known_text(batch)
    counts = np.where(rng.random(len(batch)) < segments, pieces, 0)
    room = np.repeat(text, counts)
    number = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    width = min(share, 1 - start)
    first = np.floor(room * (start + width * number / pieces)).astype(np.int64)
    end = np.maximum(first, np.floor(room * (start + width * (number + 1) / pieces)).astype(np.int64))
    values = np.zeros((len(first), 3), dtype=np.int64)
    values[:, START], values[:, END], values[:, SEVERITY] = first, np.minimum(end, room), severity
    return attrs.evolve(batch, predicted=Ragged.from_lengths(values, counts))


def mark_grammar(
    *,
    segments: float = 1.0,
    start: float = 0.25,
    share: float = 0.5,
    pieces: int = 1,
    severity: Literal["minor", "major"] = "minor",
) -> Attack:
    """Mark a part of some segments, in one span or in pieces.

    Parameters
    ----------
    segments : float
        The share of segments that are marked, at random.
    start, share : float
        Where the marked part begins and how long it is, as shares of the text; it ends with the text at the latest.
    pieces : int
        Into how many adjacent spans it is cut.
    severity : {"minor", "major"}
        The severity of all spans.

    Returns
    -------
    Attack
        On `Spans`, blind.
    """
    return Attack(
        name="mark_grammar",
        summary="Marks a part of some segments, in one span or in pieces: a space for a search",
        source="qeframe",
        kind=Spans,
        manner="blind",
        knowledge=f"the lengths of the texts, and the pattern that scores best{_BEST}",
        answer=partial(_mark, segments, min(max(start, 0), 1), share, max(pieces, 1), SEVERITIES.index(severity)),
        space={
            "segments": _SHARES[1:],
            "start": _SHARES[:-1],
            "share": _SHARES[1:],
            "pieces": (1, 2, 3, 5, 10),
            "severity": ("minor", "major"),
        },
        refutes="blind_proof",
    )


# --- preferences ------------------------------------------------------------------------------------------------------


def _prefer(follow: str, ties: float, swapped: float, batch: Preferences, rng: np.random.Generator) -> Preferences:
    sides = rng.choice(np.array([-1.0, 1.0]), len(batch))
    length = np.sign(batch.lengths[:, 0] - batch.lengths[:, 1]).astype(np.float64)
    chosen = {"random": sides, "longer": np.where(length == 0, sides, length)}
    chosen["shorter"] = -chosen["longer"]
    first = np.where(rng.random(len(batch)) < ties, 0.0, chosen[follow])
    second = np.where(rng.random(len(batch)) < swapped, -first, first)
    unknown = np.full(len(batch), np.nan)
    return attrs.evolve(batch, predicted=np.stack([first, second, unknown, unknown], axis=1))


def preference_grammar(
    *, follow: Literal["longer", "shorter", "random"] = "longer", ties: float = 0.0, swapped: float = 0.0
) -> Attack:
    """Prefer an answer by its length or at random, with ties and with other decisions in the other order.

    Parameters
    ----------
    follow : {"longer", "shorter", "random"}
        Which answer is preferred.
    ties : float
        The probability of a tie.
    swapped : float
        The probability of the opposite decision when the answers are shown in the other order.

    Returns
    -------
    Attack
        On `Preferences`, blind.
    """
    return Attack(
        name="preference_grammar",
        summary="Prefers by length or at random, with ties and swapped decisions: a space for a search",
        source="qeframe",
        kind=Preferences,
        manner="blind",
        knowledge=f"the lengths of both answers, and the shares that score best{_BEST}",
        answer=partial(_prefer, follow, ties, swapped),
        space={"follow": ("longer", "shorter", "random"), "ties": _SHARES, "swapped": _SHARES},
    )
