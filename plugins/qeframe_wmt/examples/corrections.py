"""Generated tasks of corrections: originals with errors, and editors that mend some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import rows, sentences, submitted

_KEY = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment")
_EDITORS: Mapping[str, float] = {"Sage-rewrite": 0.9, "Sorrel": 0.5, "Thistle-careful": 0.3}
"""The share of errors that an editor mends."""
_COST = 0.02


def corrections_2025(request: ExampleRequest, *, gold: str, before: str, after: str) -> Files:
    """Return a table of originals with their scores, and tables of corrections with theirs."""

    def task(rng: np.random.Generator, pair: str) -> Files:
        texts = sentences(rng, rng.integers(6, 20, request.units))
        errors = rng.binomial([len(words) for words in texts], 0.2)
        scores = 0.8 - _COST * errors + rng.normal(0, 0.01, request.units)

        def table(name: str, edited: Sequence[Sequence[str]] | None, column: str, numbers: Sequence[float]) -> str:
            header = (*_KEY, *(["post_edit"] if edited is not None else []), *([column] if column else []))
            cells = (
                (
                    f"doc{i // 4}",
                    i % 4,
                    *pair.split("-"),
                    "official",
                    "sys",
                    " ".join(texts[i]),
                    *([" ".join(edited[i])] if edited is not None else []),
                    *([f"{numbers[i]:.6f}"] if column else []),
                )
                for i in range(len(texts))
            )
            return rows([header, *cells])

        tables = {}
        for name, share in request.with_baselines(_EDITORS, 0.0).items():
            mended = rng.binomial(errors, share)
            edited = [[*(f"{word}'" for word in text[:n]), *text[n:]] for text, n in zip(texts, mended, strict=True)]
            tables[name] = table(name, edited, after, (scores + _COST * mended).tolist())
        return submitted({gold: table("gold", None, before, scores.tolist())}, tables, "tsv")

    return request.in_folders(task)
