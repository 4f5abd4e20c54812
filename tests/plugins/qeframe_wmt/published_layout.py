"""Generated data of a metrics task in the published layout of mt-metrics-eval, by the selection of the data set."""

from collections.abc import Iterable, Mapping
from functools import cache

import numpy as np

from qeframe_wmt.selections.selection import Selection, load_selection

SYSTEMS = ("alpha", "beta", "gamma", "delta")
DOMAINS = ("news", "social")
SEGMENTS = 12


def published(name: str, pairs: Iterable[str] = (), *, seed: int = 1) -> dict[str, str]:
    """Return the files of a data set, by path: human scores, scores of all primary metrics, references, documents.

    Every fourth segment has no human scores. A second reference has human scores, and is a reference of some variants
    of the metrics. Each metric whose name says so is free of references. There is a metric that no list has.
    """
    return dict(_published(name, tuple(pairs), seed))


@cache
def _published(name: str, pairs: tuple[str, ...], seed: int) -> dict[str, str]:
    selection = load_selection(name)
    rng = np.random.default_rng(seed)
    files: dict[str, str] = {}
    for pair in pairs or selection.pairs:
        files |= _pair(selection, pair, rng)
    return files


def domains() -> list[str]:
    """Return the domain of every segment."""
    return [DOMAINS[segment % 2] for segment in range(SEGMENTS)]


def lines(cells: Mapping[str, Iterable[float]]) -> str:
    """Return lines of SYSTEM and SCORE."""
    return "".join(f"{s}\t{'None' if np.isnan(v) else repr(float(v))}\n" for s, values in cells.items() for v in values)


def _pair(selection: Selection, pair: str, rng: np.random.Generator) -> dict[str, str]:
    own = selection.of(pair)
    assert own is not None
    other = next(ref for ref in ("refA", "refB") if ref != own.reference)
    systems = [*SYSTEMS, *own.outliers, own.reference, other]
    files = {f"documents/{pair}.docs": "".join(f"{d}\tdoc{i // 3}\n" for i, d in enumerate(domains()))}
    files |= {f"references/{pair}.{ref}.txt": "text\n" * SEGMENTS for ref in (own.reference, other)}
    scored = [system for system in systems if system != own.reference]
    gold = {system: np.round(-rng.exponential(4, SEGMENTS), 1) for system in scored}
    for cells in gold.values():
        cells[::4] = np.nan
    for level, name in {*own.gold.items(), ("seg", "second"), ("sys", "second")}:
        files |= {f"human-scores/{pair}.{name}.{end}": text for end, text in _scores(gold).items() if level in end}
        files[f"human-scores/{pair}.{name}.domain.score"] = _scores(gold)["domain.score"]
    for metric in (*selection.metrics_of(pair), "own-metric"):
        is_free = any(word in metric.lower() for word in ("qe", "src", "kiwi", "no-ref", "sysname"))
        for reference in ("src",) if is_free else (own.reference, other):
            cells = {s: rng.normal(size=SEGMENTS) for s in systems if s != reference}
            name = f"metric-scores/{pair}/{metric}-{reference}"
            files |= {f"{name}.{end}": text for end, text in _scores(cells, moved=1.0).items()}
    return files


def _scores(cells: Mapping[str, np.ndarray], *, moved: float = 0.0) -> dict[str, str]:
    """Return the files of one scorer; scores of systems are `moved` away from the means of their segments."""
    by_domain = {
        domain: {s: np.nanmean(v[np.array(domains()) == domain]) + moved for s, v in cells.items()}
        for domain in DOMAINS
    }
    return {
        "seg.score": lines(cells),
        "sys.score": lines({s: [np.nanmean(v) + moved] for s, v in cells.items()}),
        "domain.score": "".join(f"{d}\t{s}\t{float(v)!r}\n" for d, row in by_domain.items() for s, v in row.items()),
    }
