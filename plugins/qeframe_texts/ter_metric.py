"""TER: insertions, deletions, substitutions and shifts of word blocks, counted as by sacrebleu."""

from collections.abc import Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray, Metric, Texts, additive
from qeframe.plugin.texts import Options, sacrebleu_metric, tokenized
from qeframe_texts.translation_edits.edits import EditMemory
from qeframe_texts.word_error_rates import ERROR_RATE, ERROR_SYMBOLS, RATE_COLUMNS, error_rate

_MEMORY = EditMemory()


@frozen
class Wording:
    """How texts are made into words: the options of sacrebleu's tokenizer, which runs only where it is needed."""

    lowercase: bool
    normalized: bool
    punctuation: bool
    asian_support: bool
    stem: str = "none"

    @property
    def borrowed(self) -> bool:
        """Whether sacrebleu is needed; white space and case are known without it."""
        return self.normalized or not self.punctuation

    @property
    def options(self) -> Options:
        """The options by their names in sacrebleu."""
        return (
            ("case_sensitive", not self.lowercase),
            ("normalized", self.normalized),
            ("no_punct", not self.punctuation),
            ("asian_support", self.asian_support),
        )

    def __call__(self, batch: Texts) -> Texts:
        """Return the batch with every text rewritten, words between white space."""
        if not self.borrowed:
            return tokenized(batch, "none", self.lowercase, self.stem)
        split: Callable[[str], str] = sacrebleu_metric("TER", self.options).tokenizer
        return tokenized(batch.rewritten(lambda text: split(text.rstrip())), "none", False, self.stem)


@frozen
class Edits:
    """The smallest number of edits over a segment's references, and their mean length: an ``extract``."""

    wording: Wording

    def __call__(self, batch: Texts) -> FloatArray:
        words = self.wording(batch)
        if not len(batch):
            return np.empty((0, len(RATE_COLUMNS)))
        references = words.gold.values.tolist()
        edits = _MEMORY(words.predicted[words.gold.row_of_value].tolist(), references)
        lengths = {text: len(text.split()) for text in set(references)}
        length = words.gold.sum_rows(np.array([lengths[text] for text in references])) / words.gold.lengths
        return np.stack([np.minimum.reduceat(edits, words.gold.offsets[:-1]), length], axis=1)


def _details(wording: Wording, batch: Texts) -> Mapping[str, Any]:
    """Return what computed the score, as a signature in the form of sacrebleu; its version if it made the words."""
    numbers = np.unique(batch.gold.lengths)
    signature = {
        "nrefs": "var" if len(numbers) > 1 else int(numbers.sum()),
        "case": "lc" if wording.lowercase else "mixed",
        "tok": "tercom",
        "norm": _yes(wording.normalized),
        "punct": _yes(wording.punctuation),
        "asian": _yes(wording.asian_support),
        **({} if wording.stem == "none" else {"stem": wording.stem}),
        "version": version("qeframe"),
    }
    details = {"qeframe": "|".join(f"{key}:{value}" for key, value in signature.items())}
    if wording.borrowed:
        details["sacrebleu"] = f"tok:tercom|version:{version('sacrebleu')}"
    return details


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"


def ter(
    *,
    lowercase: bool = True,
    normalized: bool = False,
    punctuation: bool = True,
    asian_support: bool = False,
    stem: str = "none",
) -> Metric:
    """TER, translation edit rate: insertions, deletions, substitutions and shifts in percent of the reference length.

    The number of edits is that of sacrebleu, which follows the program tercom: shifts are found greedily, and edit
    distances within a beam. See `qeframe_texts.translation_edits.edits.translation_edits`. qeframe counts by itself, in
    a fraction of the time; texts that several systems share are counted once. With several references the smallest
    number of edits and the mean length count.

    Parameters
    ----------
    lowercase : bool
        Whether case is ignored, as in tercom by default.
    normalized : bool
        Whether punctuation is split off and XML entities are resolved, by the tokenizer of sacrebleu.
    punctuation : bool
        Whether punctuation is kept. False: the tokenizer of sacrebleu removes it.
    asian_support : bool
        Whether normalization splits Chinese and Japanese text into characters, and whether their punctuation is removed
        with the other.
    stem : str
        A language of Snowball such as "english": words with the same stem are equal. It needs snowballstemmer, which
        knows lower case only. Words end at white space: a sign that is not split off belongs to its word.

    Returns
    -------
    Metric
        On `Texts`, in percent, can exceed 100; lower is better. If the references have no word, 100 if the candidates
        have words, else 0. It needs sacrebleu with ``normalized=true`` or ``punctuation=false``. Its details name what
        computed it.

    References
    ----------
    Snover et al. (2006), AMTA; Post (2018), WMT. Baseline of the WMT metrics tasks.
    """
    wording = Wording(lowercase, normalized, punctuation, asian_support, stem)
    return Metric(
        name="ter",
        summary="Translation edit rate in percent, equal to that of sacrebleu",
        source="WMT metrics tasks, baseline; Snover et al. (2006)",
        formula=ERROR_RATE,
        symbols=f"{ERROR_SYMBOLS} $e_i$ is the smallest number of edits, found greedily: insertions, deletions, "
        "substitutions and shifts of a block of words.",
        kind=Texts,
        bind=additive(columns=RATE_COLUMNS, extract=Edits(wording), score=error_rate),
        smooth=True,
        interval_scale="log",
        details=partial(_details, wording),
        bounds=(0.0, np.inf),
        higher_is_better=False,
        degenerate=0.0,
        claims=("monotone",),
        known_weaknesses={"blind": 0.24, "cosmetic": 0.05},
    )
