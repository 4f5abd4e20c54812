"""Generated tasks of quality estimation, in the layouts of shared tasks."""

from collections.abc import Callable, Sequence

import numpy as np

from qeframe.plugin import FloatArray
from qeframe.plugin.readers import ExampleRequest, Files
from qeframe_wmt.examples.lines import one_a_line, rows, submitted
from qeframe_wmt.examples.quality_estimation import Tagged, draw_lengths, draw_scores, draw_tags
from tests.plugins.qeframe_wmt.examples.lines import gold_path, header_lines, sentences, team_path

_ENDINGS = {"task1_da": "da_score", "task1_mqm": "mqm_z_score"}
"""How the names of files of gold end in the repository of 2022."""

_SHARE_OF_ERRORS = 0.3

_FIRST_ID = 2407  # the first id where segments have ids that are no line numbers

_MARK = 3  # the position of a missing value in the gold


def _assessed(rng: np.random.Generator, request: ExampleRequest) -> tuple[FloatArray, dict[str, FloatArray]]:
    """Return a gold of two digits, so that some are equal, and answers."""
    gold, answers = draw_scores(rng, request)
    return gold.round(2), answers


def wide_table(request: ExampleRequest) -> Files:
    """Return one table of all language pairs, with a column for the gold and for each submission."""
    rng, table = request.rng(), list[Sequence[object]]()
    for pair in request.language_pairs:
        gold, answers = _assessed(rng, request)
        table += [
            (pair, f"s{i}", gold[i], *(f"{values[i]:.6f}" for values in answers.values())) for i in range(len(gold))
        ]
    return {"scores.csv": rows([("pair", "segment", "gold", *answers), *table], ",")}


def graham_table(request: ExampleRequest) -> Files:
    """Return one table of all submissions and the gold."""
    rng = request.rng()
    gold, answers = _assessed(rng, request)
    table = [
        (name, i + 1, f"{value:.6f}", rank, gold[i])
        for name, values in answers.items()
        for i, (value, rank) in enumerate(zip(values, _ranks(values, request), strict=True))
    ]
    return {"table.tsv": rows([("METRIC", "SID", "SCORE", "RANK", "HUMAN"), *table])}


def four_columns(rng: np.random.Generator, request: ExampleRequest, pair: str) -> Files:
    """Return submissions of METHOD, SEG, SCORE and RANK."""
    gold, answers = _assessed(rng, request)
    tables = {
        name: rows(
            (name, i + 1, f"{value:.6f}", rank)
            for i, (value, rank) in enumerate(zip(values, _ranks(values, request), strict=True))
        )
        for name, values in answers.items()
    }
    return submitted({"gold.txt": one_a_line(gold)}, tables)


def _ranks(values: FloatArray, request: ExampleRequest) -> Sequence[int]:
    """Return the rank of each answer, 1 for the best."""
    order = np.argsort(np.argsort(values if request.best == "low" else -values, kind="stable"))
    return [int(rank) + 1 for rank in order]


def _column_table(pair: str, name: str, values: FloatArray, first: int) -> str:
    return rows((pair, name, first + i, f"{value:.6f}") for i, value in enumerate(values))


def score_columns(
    request: ExampleRequest, *, header: int, first: int, missing: float | None, published: Sequence[str], track: str
) -> Files:
    """Return submissions of header lines, then LP, METHOD, SEG and SCORE.

    In the repository of 2022, `published` tasks in turn have a language pair each; in a track, the submissions have all
    pairs in one file.
    """
    tables: dict[str, str] = {}

    def task(rng: np.random.Generator, pair: str) -> Files:
        gold, answers = _assessed(rng, request)
        if missing is not None:
            gold[_MARK] = missing
        name_of = published[request.language_pairs.index(pair) % len(published)] if published else ""
        sent: dict[str, str] = {}
        for number, (name, values) in enumerate(answers.items(), 1):
            path = team_path(f"{name_of}/{track or pair}", name) if published else name
            text = tables.get(path, header_lines(header, number)) + _column_table(pair, name, values, first)
            (tables if track else sent)[path] = text
        if published:
            return {gold_path(name_of, pair, _ENDINGS[name_of]): one_a_line(gold), **sent}
        return submitted({"gold.txt": one_a_line(gold)}, sent)

    return {**(request.in_tree(task) if published else request.in_folders(task)), **tables}


def explained_sentences(rng: np.random.Generator, request: ExampleRequest, pair: str, *, published: str) -> Files:
    """Return one number a line; in the repository of 2022, the gold of direct assessments, and one without answers."""
    gold, answers = _assessed(rng, request)
    tables = {name: one_a_line(values) for name, values in answers.items()}
    if not published:
        return submitted({"gold.txt": one_a_line(gold)}, tables)
    sent = {team_path(f"{published}/{pair}", n, "sentence.submission"): text for n, text in tables.items()}
    unanswered = {gold_path("task1_mqm", "en-ru", _ENDINGS["task1_mqm"]): one_a_line(gold)}
    return {gold_path("task1_da", pair, _ENDINGS["task1_da"]): one_a_line(gold), **unanswered, **sent}


def detections(
    rng: np.random.Generator,
    request: ExampleRequest,
    pair: str,
    *,
    header: int,
    classes: bool,
    low: bool,
    mark: float | None,
    ids: bool,
    published: str,
    board: str,
) -> Files:
    """Return a gold of two classes, or of numbers with a mark, and submissions of LP, METHOD, SEG and an answer.

    With `ids` the gold states the numbers of its segments, which are no line numbers.
    """
    numbers, answers = _assessed(rng, request)
    bad = numbers < np.quantile(numbers, _SHARE_OF_ERRORS)  # an error is what has a low assessment
    first = _FIRST_ID if ids else 0
    gold = rows([["BAD" if b else "OK"] for b in bad]) if mark is None else one_a_line(np.where(bad, mark, numbers))
    if ids:
        gold = rows((pair, "REFERENCE", first + i, "ERR" if b else "NOT") for i, b in enumerate(bad))
    tables = {
        name: header_lines(header, number) + _answer_table(pair, name, values, classes, low, first)
        for number, (name, values) in enumerate(answers.items(), 1)
    }
    if not published:
        return submitted({"gold.txt": gold}, tables)
    sent = {team_path(f"{published}/{board}/{pair}", name): text for name, text in tables.items()}
    return {gold_path(published, pair, "label"): gold, **sent}


def _answer_table(pair: str, name: str, values: FloatArray, classes: bool, low: bool, first: int) -> str:
    if not classes:
        return _column_table(pair, name, values if low else -values, first)
    limit = np.quantile(values, _SHARE_OF_ERRORS)
    return rows((pair, name, i, "ERR" if value < limit else "NOT") for i, value in enumerate(values, first))


def columns_2014(
    rng: np.random.Generator, request: ExampleRequest, pair: str, *, accuracy: Sequence[str], fluency: Sequence[str]
) -> Files:
    """Return six columns, one word a line; a BAD word has a class of accuracy or of fluency."""
    classes = [(fine, "Accuracy") for fine in accuracy] + [(fine, "Fluency") for fine in fluency]
    lengths = draw_lengths(rng, request)
    words = sentences(rng, lengths)
    gold, answers = draw_tags(rng, request, lengths)

    def table(tags: Tagged) -> str:
        return rows(
            (f"{i + 1}.1", k, word, *_classes(rng, classes, tag))
            for i, sentence in enumerate(words)
            for k, (word, tag) in enumerate(zip(sentence, tags[i], strict=True))
        )

    return submitted({"gold.txt": table(gold)}, {name: table(tags) for name, tags in answers.items()})


def _classes(rng: np.random.Generator, classes: Sequence[tuple[str, str]], tag: str) -> tuple[str, str, str]:
    return ("OK", "OK", "OK") if tag == "OK" else (*classes[int(rng.integers(len(classes)))], "BAD")


_Row = Callable[[str, str, tuple[object, ...]], tuple[object, ...]]
"""From a language pair, a submission, and sentence, index, word and tag to a row of its file."""


def columns_2015(rng: np.random.Generator, request: ExampleRequest, pair: str, *, tokens: str) -> Files:
    """Return submissions of METHOD, SEG, WORD_INDEX, WORD and TAG, and the tokens."""
    gold, words, tables = _word_tables(rng, request, pair, lambda pair, name, row: (name, *row), 0)
    return submitted({"gold.tags": gold, tokens: words}, tables)


def columns_2020(
    rng: np.random.Generator, request: ExampleRequest, pair: str, *, header: int, kind: str, tokens: str, published: str
) -> Files:
    """Return submissions of LP, METHOD, TYPE, SENT_ID, WORD_IDX, WORD and TAG; `kind` is the TYPE."""
    gold, words, tables = _word_tables(rng, request, pair, lambda pair, name, row: (pair, name, kind, *row), header)
    if not published:
        return submitted({"gold.tags": gold} | ({tokens: words} if tokens else {}), tables)
    path = gold_path(published, pair, "tags")
    sent = {team_path(f"{published}/{pair}", name): text for name, text in tables.items()}
    return {path: gold, path.replace(f"{pair}.tags", tokens): words, **sent}


def _word_tables(
    rng: np.random.Generator, request: ExampleRequest, pair: str, row: _Row, header: int
) -> tuple[str, str, dict[str, str]]:
    """Return the files of the gold and of the words, and of each submission."""
    lengths = draw_lengths(rng, request)
    words = sentences(rng, lengths)
    gold, answers = draw_tags(rng, request, lengths)
    tables = {
        name: header_lines(header, number)
        + rows(
            row(pair, name, (i, k, word, tags[i][k]))
            for i, sentence in enumerate(words)
            for k, word in enumerate(sentence)
        )
        for number, (name, tags) in enumerate(answers.items(), 1)
    }
    return rows(gold, " "), rows(words, " "), tables


def explained_words(rng: np.random.Generator, request: ExampleRequest, pair: str, *, published: str) -> Files:
    """Return a gold of tags, and numbers for each token: high ones where a submission would tag BAD."""
    gold, answers = draw_tags(rng, request, draw_lengths(rng, request))
    numbers = {
        name: rows([[f"{0.5 * (tag == 'BAD') + 0.5 * rng.random():.4f}" for tag in line] for line in tags], " ")
        for name, tags in answers.items()
    }
    if not published:
        return submitted({"gold.tags": rows(gold, " ")}, numbers)
    sent = {team_path(f"{published}/{pair}", n, "target.submission"): text for n, text in numbers.items()}
    return {gold_path("task1_word-level", pair, "tags"): rows(gold, " "), **sent}
