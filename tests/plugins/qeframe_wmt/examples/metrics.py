"""Generated tasks of metrics: systems of known quality, human scores and rankings of them, and metrics that differ."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from attrs import frozen

from qeframe.plugin import FloatArray
from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import rows
from qeframe_wmt.formats.layouts import CHALLENGE_COLUMNS
from tests.plugins.qeframe_wmt.examples.lines import sentences

_SYSTEMS: Mapping[str, float] = {"Alder": 1.6, "Beech": 1.2, "Cypress": 0.9, "Douglas": 0.5, "Elder": 0.1, "Fir": -0.6}
"""The mean of the true qualities of the translations of a system."""
_METRICS: Mapping[str, float] = {"Larch-large": 0.5, "Larch-small": 0.8, "Maple": 1.2, "Nutmeg": 1.7, "Oak": 2.4}
_WEAK = 3.0
"""The standard deviation of a metric's error, beside a deviation of 1 of the qualities of a system's translations."""
_WIDTH = 5  # the systems of a ranking
_DOCUMENT = 4  # the segments of a document


@frozen
class _Judged:
    """The true quality of each translation, (units, systems); the scores of persons and of each metric."""

    systems: Sequence[str]
    human: FloatArray
    metrics: Mapping[str, FloatArray]

    def cells(self) -> Iterator[tuple[int, int, str]]:
        """Yield segment, position of the system, and its name, in the order of files: system by system."""
        return ((i, k, name) for k, name in enumerate(self.systems) for i in range(len(self.human)))


def _judged(
    rng: np.random.Generator,
    request: ExampleRequest,
    *,
    systems: Mapping[str, float] = _SYSTEMS,
    metrics: Sequence[str] = (),
) -> _Judged:
    """Draw a task; human scores are whole numbers around 70, so that some are equal."""
    quality = np.array(list(systems.values())) + rng.standard_normal((request.units, len(systems)))
    human = np.rint(70 + 8 * quality + 4 * rng.standard_normal(quality.shape))
    names = dict(zip(metrics, _METRICS.values(), strict=False)) if metrics else _METRICS
    errors = request.with_baselines(names, _WEAK)
    scores = {name: (quality + error * rng.standard_normal(quality.shape)).round(2) for name, error in errors.items()}
    return _Judged(list(systems), np.clip(human, 0, 100), scores)


def _document(segment: int) -> str:
    return f"doc{segment // _DOCUMENT}"


def wide_table(request: ExampleRequest) -> Files:
    """Return one table of all language pairs, with a column for human scores and for each metric."""
    rng, table = request.rng(), list[Sequence[object]]()
    for pair in request.language_pairs:
        judged = _judged(rng, request)
        table += [
            (pair, name, i + 1, _document(i), judged.human[i, k], *(scores[i, k] for scores in judged.metrics.values()))
            for i, k, name in judged.cells()
        ]
    return {"scores.csv": rows([("pair", "system", "segment", "document", "human", *judged.metrics), *table], ",")}


# --- rankings and decided pairs: 2009 to 2016 -------------------------------------------------------------------------


def rankings(request: ExampleRequest, *, level: str) -> Files:
    """Return rankings of five systems, scores of metrics, and texts."""
    rng, rankings_of = request.rng(), list[Sequence[object]]()
    reference = _reference(rng, request)
    files = {"text/test-ref.en": rows(reference, " ")}
    for (language, code), number in zip(_INTO_ENGLISH.items(), range(request.pairs), strict=False):
        judged, pair = _judged(rng, request), f"{code}-en"
        rankings_of += _ranked(rng, judged, language, number)
        files |= _score_files(judged, pair, level)
        files |= {f"text/{pair}/{name}": rows(text, " ") for name, text in _texts(rng, judged, reference).items()}
    return {"rankings.csv": rows([_RANKING, *rankings_of], ","), **files}


_INTO_ENGLISH = {"Czech": "cs", "German": "de", "French": "fr", "Spanish": "es"}
_PLACES = range(1, _WIDTH + 1)
_RANKING = (
    *("srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"),
    *(f"system{place}{column}" for place in _PLACES for column in ("Number", "Id")),
    *(f"system{place}rank" for place in _PLACES),
)


def _ranked(rng: np.random.Generator, judged: _Judged, language: str, number: int) -> Iterator[Sequence[object]]:
    """Yield two rankings of each segment; equal scores have equal ranks."""
    for i, scores in enumerate(judged.human):
        for judge in ("ann", "ben"):
            chosen = rng.choice(len(scores), _WIDTH, replace=False)
            seen = np.rint((scores[chosen] + rng.normal(0, 3, _WIDTH)) / 6)
            ranks = [1 + int((seen > score).sum()) for score in seen]
            systems = [part for place, k in enumerate(chosen, 1) for part in (place, judged.systems[k])]
            yield (language, "English", i + 1, _document(i), i + 1, f"{judge}{number}", *systems, *ranks)


def _score_files(judged: _Judged, pair: str, level: str) -> dict[str, str]:
    """Return a file of scores of segments or of systems for each metric."""
    return {
        f"scores/{name}.{pair}.{level}.scr": rows((name, pair, "test", *row) for row in _scored(judged, values, level))
        for name, values in judged.metrics.items()
    }


def _scored(judged: _Judged, values: FloatArray, level: str, *, documents: bool = False) -> Iterator[Sequence[object]]:
    """Yield the score of each system, or the scores of its segments, which may have their documents before them."""
    if level == "sys":
        return ((name, f"{mean:.4f}") for name, mean in zip(judged.systems, values.mean(axis=0), strict=True))
    return ((name, *([_document(i)] * documents), i + 1, values[i, k]) for i, k, name in judged.cells())


def _reference(rng: np.random.Generator, request: ExampleRequest) -> list[list[str]]:
    return sentences(rng, rng.integers(5, 12, request.units))


def _texts(rng: np.random.Generator, judged: _Judged, reference: Sequence[Sequence[str]]) -> dict[str, list[list[str]]]:
    """Return translations; in a worse one, more words of the reference are exchanged."""
    worse = (100 - judged.human) / 100
    return {
        name: [
            [word if rng.random() > worse[i, k] else "etwas" for word in sentence]
            for i, sentence in enumerate(reference)
        ]
        for k, name in enumerate(judged.systems)
    }


def decided_pairs(request: ExampleRequest, *, level: str) -> Files:
    """Return decided pairs, scores of metrics, and texts as SGML."""
    rng, files = request.rng(), dict[str, str]()
    for pair in request.language_pairs:
        judged = _judged(rng, request)
        decided = [
            (i + 1, pair, judged.systems[a if d > 0 else b], pair, judged.systems[b if d > 0 else a])
            for i, scores in enumerate(judged.human)
            for a, b in combinations(range(len(scores)), 2)
            if (d := scores[a] - scores[b])
        ]
        reference = _reference(rng, request)
        texts = _texts(rng, judged, reference)
        files[f"{pair}/decided_pairs.tsv"] = rows(decided)
        files |= {f"{pair}/{pair}.{name}.sgm": _sgml(text, pair) for name, text in [*texts.items(), ("ref", reference)]}
        files |= _score_files(judged, pair, level)
    return files


def _sgml(text: Sequence[Sequence[str]], pair: str) -> str:
    segments = "".join(f'<seg id="{i}">{" ".join(words)}</seg>\n' for i, words in enumerate(text, 1))
    language = pair.split("-")[1]
    head = f'<refset setid="test" srclang="any" trglang="{language}">\n<doc docid="one">\n'
    return f"{head}{segments}</doc>\n</refset>\n"


# --- assessments: 2020 ------------------------------------------------------------------------------------------------


def assessments(request: ExampleRequest, *, level: str, reference_set: str) -> Files:
    """Return the repository of 2020: assessments of segments or systems, and scores of metrics on all pairs."""
    rng, files = request.rng(), dict[str, str]()
    for pair in request.language_pairs:
        judged = _judged(rng, request)
        table = _assessed_segments(judged) if level == "seg" else _assessed_systems(judged)
        files[f"manual-evaluation/DA/metrics-ad-{level}-scores-{pair}.csv"] = rows(table, " ")
        for name, values in judged.metrics.items():
            path, start = f"final-metric-scores/submissions/{name}.{level}.score.gz", (name, pair, *[reference_set] * 2)
            lines = rows((*start, *row) for row in _scored(judged, values, level, documents=True))
            files[path] = files.get(path, "") + lines
    return files


def _assessed_segments(judged: _Judged) -> Iterator[Sequence[object]]:
    yield ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")
    for i, k, name in judged.cells():
        raw = judged.human[i, k]
        yield (name, f"{_document(i)}::{i + 1}", raw, round(raw / 100 - 0.5, 3), 1, i + 1)


def _assessed_systems(judged: _Judged) -> Iterator[Sequence[object]]:
    yield ("RAW.SCR", "Z.SCR", "N", "SYS", "N.ALL")
    for name, mean in zip(judged.systems, judged.human.mean(axis=0), strict=True):
        yield (f"{mean:.3f}", f"{mean / 50 - 1.4:.4f}", 9, name, 12)


# --- grids: 2016 to 2025 ----------------------------------------------------------------------------------------------


def assessed_texts(request: ExampleRequest) -> Files:
    """Return translations, references, and a table of two judges' scores."""
    rng = request.rng()
    judged = _judged(rng, request)
    reference = _reference(rng, request)
    texts = _texts(rng, judged, reference)
    table = [
        ("adequacy", i + 1, name, judge, int(np.clip(np.rint(judged.human[i, k] / 20 + rng.normal(0, 0.5)), 1, 5)))
        for judge in ("ann", "ben")
        for i, k, name in judged.cells()
    ]
    return {
        "assessments.tsv": rows([("SCALE", "SEGMENT", "SYSTEM", "JUDGE", "SCORE"), *table]),
        **{f"systems/{name}.txt": rows(text, " ") for name, text in texts.items()},
        "references/one.txt": rows(reference, " "),
    }


@frozen(kw_only=True)
class GridPair:
    """What a language pair of `grids` is made of: the name of its gold, its references, and the metrics that enter."""

    pair: str
    gold: str
    reference: str
    scored: Sequence[str]
    outliers: Sequence[str]
    metrics: Sequence[str]


_DOMAINS = ("conversation", "ecommerce", "news", "social")


def grids(request: ExampleRequest, pairs: Sequence[GridPair]) -> Files:
    """Return the layout of mt-metrics-eval with scores of segments and of systems."""
    rng, files = request.rng(), dict[str, str]()
    for made_of in pairs:
        systems = {**_SYSTEMS, **dict.fromkeys(made_of.scored, 1.4), **dict.fromkeys(made_of.outliers, -4.0)}
        judged = _judged(rng, request, systems=systems, metrics=made_of.metrics)
        files |= _score_pair(f"human-scores/{made_of.pair}.{made_of.gold}", judged, judged.human)
        for name, values in judged.metrics.items():
            files |= _score_pair(f"metric-scores/{made_of.pair}/{name}-{made_of.reference}", judged, values)
        labels = [(_DOMAINS[i * len(_DOMAINS) // request.units], _document(i)) for i in range(request.units)]
        files[f"documents/{made_of.pair}.docs"] = rows(labels)
    return files


def challenge_sets(request: ExampleRequest, *, rising: Sequence[str], level: str) -> Files:
    """Return files of nine columns for each set: those whose systems rise in quality, and one without an order."""
    rng, tables = request.rng(), dict[str, list[tuple[object, ...]]]()
    for name in (*rising, "others"):
        for pair in request.language_pairs:
            judged, of = _rising(rng, request), (*pair.split("-"), f"challenge_{name}")
            for metric, values in judged.metrics.items():
                if level == "sys":
                    path, means = f"3-scored/baseline/{metric}/systems.tsv", values.mean(0)
                    lines = [("all", "all", *of, f"hyp-{k}", "all", "NaN", mean) for k, mean in enumerate(means, 1)]
                else:
                    path, cells = f"4-to_return/{name}/baseline/{metric}.tsv", judged.cells()
                    end = "news", "NaN"
                    lines = [(_document(i), i + 1, *of, f"hyp-{k + 1}", *end, values[i, k]) for i, k, _ in cells]
                tables.setdefault(path, [CHALLENGE_COLUMNS]).extend(lines)
    return {path: rows(table) for path, table in tables.items()}


def mslc_b(request: ExampleRequest) -> Files:
    """Return scores on mslc-a and mslc-b of one language pair, and on the spelling of mslc-b."""
    rng, tables = request.rng(), dict[str, list[tuple[object, ...]]]()
    for metric, error in request.with_baselines(dict(zip(_CHALLENGED, (0.2, 0.8, 1.6), strict=True)), _WEAK).items():
        spelled = np.repeat([0.5, 0.0], 40) + error * rng.standard_normal(80)
        of = {
            ("mslc-a", "ja", "zh_CN", 1): error * rng.standard_normal(8),
            ("mslc-a", "ja", "zh_CN", 2): error * rng.standard_normal(8) + 1,
            ("mslc-b", "ja", "zh_CN", 1): error * rng.standard_normal(80) - 1,
            ("mslc-b", "cs", "en", 1): spelled,
        }
        for (name, source, target, k), values in of.items():
            tables.setdefault(f"4-to_return/{name}/baseline/{metric}.tsv", [CHALLENGE_COLUMNS]).extend(
                (_document(i), i + 1, source, target, f"challenge_{name}", f"hyp-{k}", "news", "NaN", f"{value:.4f}")
                for i, value in enumerate(values)
            )
    return {path: rows(table) for path, table in tables.items()}


def equal_pairs(request: ExampleRequest, *, name: str) -> Files:
    """Return scores of two translations of each segment; a metric prefers the first, another hardly looks at them."""
    rng, tables = request.rng(), dict[str, list[tuple[object, ...]]]()
    biases = request.with_baselines(dict(zip(_CHALLENGED, ((0.1, 0.3), (0.5, 0.5), (0.0, 0.0)), strict=True)), (0, 1.0))
    for pair in request.language_pairs:
        of = (*pair.split("-"), f"challenge_{name}")
        for metric, (bias, error) in biases.items():
            common = rng.standard_normal(request.units)
            table = tables.setdefault(f"4-to_return/{name}/baseline/{metric}.tsv", [CHALLENGE_COLUMNS])
            for k, more in ((1, bias), (2, 0.0)):
                scores = (common + more + error * rng.standard_normal(request.units)).round(1)
                table += [
                    (_document(i), i + 1, *of, f"hyp-{k}", f"{2110 + i % 3}", "NaN", score)
                    for i, score in enumerate(scores.tolist())
                ]
    return {path: rows(table) for path, table in tables.items()}


def mslc(request: ExampleRequest) -> Files:
    """Return documents, the mapping of systems to letters, and scores of metrics by system."""
    rng, files = request.rng(), dict[str, str]()
    for pair in request.language_pairs:
        judged = _rising(rng, request)
        names = [f"{k:05}" for k, _ in enumerate(judged.systems, 1)]
        files[f"data/mapping/{pair}.tsv"] = rows((name, chr(ord("A") + k)) for k, name in enumerate(names))
        files[f"data/documents/{pair}.docs"] = rows(("news", _document(i)) for i in range(request.units))
        for metric, values in judged.metrics.items():
            table = [("news", name, f"{value:.6f}") for k, name in enumerate(names) for value in values[:, k]]
            files[f"data/metric-scores/{pair}/{metric}-refA.seg.score"] = rows(table)
    return files


_PHENOMENA = (
    *("addition", "omission", "nonsense", "lexical-overlap", "copy-source", "do-not-translate"),
    *("hyponym-replacement", "hypernym-replacement", "real-world-knowledge-entailment", "similar-language-high"),
    "punctuation:deletion_all",
)  # of all categories of ACES


def aces(request: ExampleRequest) -> Files:
    """Return a table of good and incorrect translations in three examples or more of each phenomenon."""
    rng, metrics = request.rng(), dict(zip(_CHALLENGED, (1.5, 0.9, 0.3), strict=True))
    examples = [name for name in _PHENOMENA for _ in range(max(3, request.units // len(_PHENOMENA)))]
    texts = sentences(rng, rng.integers(5, 12, len(examples)))
    table: list[list[object]] = [
        [" ".join(text), " ".join(text[:-1]), request.language_pairs[i % request.pairs], name]
        for i, (text, name) in enumerate(zip(texts, examples, strict=True))
    ]
    header = ["good-translation", "incorrect-translation", "langpair", "phenomena"]
    for metric, error in request.with_baselines(metrics, _WEAK).items():
        good, bad = error * rng.standard_normal((2, len(examples)))
        header += [f"{metric}-good", f"{metric}-bad"]
        for row, better, worse in zip(table, (good + 1).round(1).tolist(), bad.round(1).tolist(), strict=True):
            row += [better, worse]
    return {"aces.tsv": rows([header, *table])}


def _rising(rng: np.random.Generator, request: ExampleRequest) -> _Judged:
    """Return systems that rise in quality."""
    return _judged(rng, request, systems={f"level-{k}": 0.8 * k for k in range(1, 6)}, metrics=_CHALLENGED)


_CHALLENGED = ("BLEU", "chrF", "COMET")


def human_scores(request: ExampleRequest) -> Files:
    """Return two annotations of the systems of one language pair; one segment in eight has none."""
    rng, files = request.rng(), dict[str, str]()
    judged = _judged(rng, request)
    for annotation in ("esa-human1", "esa-human2"):
        scores = np.clip(judged.human + np.rint(3 * rng.standard_normal(judged.human.shape)), 0, 100)
        cells = ((name, "None" if i % 8 == 7 else f"{scores[i, k]:g}") for i, k, name in judged.cells())
        files[f"en-de.{annotation}.seg.score"] = rows(cells)
    labels = [(_DOMAINS[i * len(_DOMAINS) // request.units], _document(i)) for i in range(request.units)]
    return {**files, "documents/en-de.docs": rows(labels)}


def automatic_scores(request: ExampleRequest) -> Files:
    """Return a file for each system with the scores of its documents by all metrics; those of errors are negated."""
    judged = _judged(request.rng(), request)
    files = {}
    for k, system in enumerate(judged.systems):
        lines = []
        for first in range(0, len(judged.human), _DOCUMENT):
            scores = {name: values[first : first + _DOCUMENT, k].tolist() for name, values in judged.metrics.items()}
            where = {"language_pair": "en-is_IS", "domain": "news", "document_id": _document(first)}
            lines.append(json.dumps({**where, "metric_scores": scores}))
        files[f"{system}.jsonl"] = "\n".join(lines) + "\n"
    return files


def _score_pair(path: str, judged: _Judged, values: FloatArray) -> dict[str, str]:
    means = values.mean(axis=0)
    return {
        f"{path}.seg.score": rows((name, values[i, k]) for i, k, name in judged.cells()),
        f"{path}.sys.score": rows((name, f"{means[k]:.6f}") for k, name in enumerate(judged.systems)),
    }
