"""A small valid task for each reader: files as text, and the command that evaluates them."""

import random
from collections.abc import Callable, Mapping, Sequence

from attrs import frozen

__all__ = ["SMALL_TASKS", "RatedFile", "SmallTask"]

SEED = 2026
UNITS = 8
_WORDS = ("Haus", "Tür", "geht", "auf", "nicht", "Wien", "sehr", "bald")


@frozen
class SmallTask:
    """A task that a reader reads without a complaint.

    Parameters
    ----------
    reader : str
        The reader with its parameters.
    profile : str
        The profile by which it is evaluated.
    files : mapping of str to str
        The path below the task's folder, and the text, of each file.
    settings : sequence of str
        Further rules, ``KEY=VALUE``.
    label : str
        What is special about this task.
    """

    reader: str
    profile: str
    files: Mapping[str, str]
    settings: Sequence[str] = ()
    label: str = ""

    @property
    def name(self) -> str:
        """The reader's name, and what is special about the task."""
        name = self.reader.partition("(")[0]
        return f"{name}-{self.label}" if self.label else name

    def command(self, path: str) -> list[str]:
        """Return the arguments of the command that evaluates the files in a folder."""
        settings = [f"reader={self.reader}", *self.settings]
        return ["run", self.profile, path, "--json", *(part for each in settings for part in ("--set", each))]


class RatedFile(SmallTask):
    """A file of ratings, which has no profile."""

    def command(self, path: str) -> list[str]:
        """Return the arguments of the command that prints the scores of the file in a folder."""
        (file,) = self.files
        return ["ratings", self.reader, f"{path}/{file}", "--json"]


def _numbers(shift: float = 0.0) -> list[float]:
    """Return numbers that a seed determines, all different, with three digits after the point."""
    drawn = random.Random(SEED).sample(range(100, 900), UNITS)
    noise = random.Random(SEED + round(100 * shift)).sample(range(1, 90), UNITS)
    return [round((one + shift * other) / 1000, 3) for one, other in zip(drawn, noise, strict=True)]


GOLD, GOOD, FAIR = _numbers(), _numbers(1.0), _numbers(3.0)
_SENTENCES = [[random.Random(f"{SEED} {i} {k}").choice(_WORDS) for k in range(2 + i % 3)] for i in range(UNITS)]


def _lines(rows: Sequence[Sequence[object]], separator: str = "\t") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def _one_a_line(values: Sequence[object]) -> str:
    return _lines([[value] for value in values])


def _folder(gold: str, **submissions: str) -> dict[str, str]:
    return {"gold.txt": gold, **{f"submissions/{name}.txt": text for name, text in submissions.items()}}


def _ranks(values: Sequence[float]) -> list[int]:
    ordered = sorted(values, reverse=True)
    return [ordered.index(value) + 1 for value in values]


def _plain() -> list[SmallTask]:
    with_ids = [_lines([(i + 1, value) for i, value in enumerate(values)], " ") for values in (GOLD, GOOD, FAIR)]
    plain = [_one_a_line(values) for values in (GOLD, GOOD, FAIR)]
    return [
        SmallTask("qe_plain", "qe_sentence", _folder(plain[0], good=plain[1], fair=plain[2])),
        SmallTask("qe_plain", "qe_sentence", _folder(with_ids[0], good=with_ids[1], fair=with_ids[2]), label="ids"),
    ]


def _graham() -> list[SmallTask]:
    rows = [
        (name, i + 1, value, rank, GOLD[i])
        for name, values in (("good", GOOD), ("fair", FAIR))
        for i, (value, rank) in enumerate(zip(values, _ranks(values), strict=True))
    ]
    table = _lines([("METRIC", "SID", "SCORE", "RANK", "HUMAN"), *rows])
    return [SmallTask("graham_table", "qe_sentence", {"table.tsv": table})]


def _any_table() -> list[SmallTask]:
    rows = [(f"s{i}", GOLD[i], GOOD[i], FAIR[i]) for i in range(UNITS)]
    table = _lines([("segment", "gold", "good", "fair"), *rows], ",")
    cells = [
        ("en-de", system, f"s{i}", metric, _score(metric, system, i))
        for metric in ("human", "one", "two")
        for system in _SYSTEMS
        for i in range(UNITS)
    ]
    long = _lines([("lp", "system", "segment", "metric", "score"), *cells])
    flat = {f"{name}.txt": _one_a_line(values) for name, values in (("gold", GOLD), ("good", GOOD), ("fair", FAIR))}
    tags = [
        ("id", "gold", "good"),
        *((f"s{i}", *pair) for i, pair in enumerate(zip(_line_tags(3), _line_tags(6), strict=True))),
    ]
    few = ("test=permutation(draws=100, unit=pair)",)
    return [
        SmallTask("table", "qe_sentence", {"scores.csv": table}),
        SmallTask("table(holds=grid)", "wmt23_metrics_segment", {"scores.tsv": long}, few, label="long"),
        SmallTask('table(files="{submission}.txt")', "qe_sentence", flat, label="flat"),
        SmallTask("table(holds=tags)", "qe_word", {"scores.csv": _lines(tags, ",")}, _FEW, label="tags"),
    ]


def _four_columns() -> list[SmallTask]:
    def table(name: str, values: Sequence[float]) -> str:
        return _lines([(name, i + 1, values[i], _ranks(values)[i]) for i in range(UNITS)])

    files = _folder(_one_a_line(GOLD), good=table("good", GOOD), fair=table("fair", FAIR))
    ranks = SmallTask("qe_four_columns(column=rank)", "qe_sentence", files, ("primary=spearman",), label="ranks")
    return [SmallTask("qe_four_columns", "qe_sentence", files), ranks]


def _sentence() -> list[SmallTask]:
    def table(name: str, values: Sequence[float]) -> str:
        return "1000\n2000\n1\n" + _lines([("en-de", name, i, values[i]) for i in range(UNITS)])

    files = _folder(_one_a_line(GOLD), good=table("good", GOOD), fair=table("fair", FAIR))
    return [SmallTask("qe_sentence", "qe_sentence", files)]


def _tags(every: int, gaps: bool = False) -> list[list[str]]:
    """Return the tags of all sentences, BAD at each multiple of `every` but for a few."""
    lengths = [2 * len(words) + 1 if gaps else len(words) for words in _SENTENCES]
    positions = iter(range(sum(lengths)))
    return [["BAD" if next(positions) % every == 0 else "OK" for _ in range(length)] for length in lengths]


def _line_tags(every: int) -> list[str]:
    return [" ".join(tags) for tags in _tags(every)]


def _tag_lines() -> list[SmallTask]:
    def files(gaps: bool) -> dict[str, str]:
        gold, good, fair = (_lines(_tags(every, gaps), " ") for every in (3, 6, 2))
        return _folder(gold, good=good, fair=fair)

    gaps = "tag_lines(layout=words_and_gaps, stream=words)"
    return [
        SmallTask("tag_lines", "qe_word", files(False), _FEW),
        SmallTask(gaps, "qe_word", files(True), _FEW, label="gaps"),
    ]


_FEW = ("test=randomization(draws=100)",)


def _words(every: int) -> list[tuple[int, int, str, str]]:
    """Return sentence, index, word and tag of every word."""
    tags = _tags(every)
    return [(i, k, word, tags[i][k]) for i, words in enumerate(_SENTENCES) for k, word in enumerate(words)]


def _columns_2014() -> list[SmallTask]:
    def table(every: int) -> str:
        rows = [
            (f"{i + 1}.1", k, word, *(("OK",) * 3 if tag == "OK" else ("Spelling", "Fluency", "BAD")))
            for i, k, word, tag in _words(every)
        ]
        return _lines(rows)

    return [SmallTask("word_columns_2014", "qe_word", _folder(table(3), good=table(6), fair=table(2)), _FEW)]


def _with_tokens(table: Callable[[str, int], str]) -> dict[str, str]:
    tokens = {"mt_tok": _lines(_SENTENCES, " ")}
    return _folder(_lines(_tags(3), " "), good=table("good", 6), fair=table("fair", 2)) | tokens


def _columns_2015() -> list[SmallTask]:
    def table(name: str, every: int) -> str:
        return _lines([(name, *row) for row in _words(every)])

    return [SmallTask("word_columns_2015", "qe_word", _with_tokens(table), _FEW)]


def _columns_2020() -> list[SmallTask]:
    def table(name: str, every: int) -> str:
        return "1000\n2000\n1\n" + _lines([("en-de", name, "mt", *row) for row in _words(every)])

    return [SmallTask("word_columns_2020", "qe_word", _with_tokens(table), _FEW)]


def _marks(shift: int) -> list[tuple[str, str, str]]:
    """Return the cells of starts, ends and types of every sentence; each third one has no span."""
    kinds = ("minor", "major")
    return [
        ("-1", "-1", "no-error") if i % 3 == 2 else (f"{shift} 4", f"{3 + shift % 2} 6", f"minor {kinds[i % 2]}")
        for i in range(UNITS)
    ]


def _spans() -> list[SmallTask]:
    texts = [" ".join(words) for words in _SENTENCES]
    names = ("LP", "METHOD", "SEG", "TARGET", "STARTS", "ENDS", "TYPES")
    key = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment")
    header = (*key, "start_indices", "end_indices", "error_types")

    def old(name: str, shift: int) -> str:
        return _lines([("en-de", name, i, texts[i], *_marks(shift)[i]) for i in range(UNITS)])

    def new(shift: int) -> str:
        rows = [
            (f"doc{i // 4}", i % 4, "en", "de", "official", "sys", texts[i], *_marks(shift)[i]) for i in range(UNITS)
        ]
        return _lines([header, *rows])

    before = "1000\n2000\n1\n"
    old_files = _folder(_lines([names]) + old("gold", 0), good=before + old("good", 1), fair=before + old("fair", 2))
    return [
        SmallTask("spans_2023", "wmt23_qe_span", old_files, _FEW),
        SmallTask("spans_2025", "wmt25_qe_span", _folder(new(0), good=new(1), fair=new(2)), _FEW),
    ]


def _corrections() -> list[SmallTask]:
    """Return originals, an editor that changes the first word of every other sentence, and one that changes nothing."""
    key = ("doc_id", "segment_id", "source_lang", "target_lang", "set_id", "system_id", "hypothesis_segment")
    texts = [" ".join(words) for words in _SENTENCES]
    rows = [(f"doc{i // 4}", i % 4, "en", "de", "official", "sys", texts[i]) for i in range(UNITS)]

    def edited(every: int, scores: Sequence[float]) -> str:
        after = [f"neu {text}" if every and i % every == 0 else text for i, text in enumerate(texts)]
        head = (*key, "post_edit", "post_edit_comet22")
        return _lines([head, *((*row, text, score) for row, text, score in zip(rows, after, scores, strict=True))])

    originals = _lines([(*key, "overall_comet22"), *((*row, score) for row, score in zip(rows, GOLD, strict=True))])
    files = {
        "baseline0_predictions_with_scores.tsv": originals,
        "submissions/good.tsv": edited(2, GOOD),
        "submissions/fair.tsv": edited(0, FAIR),
    }
    return [SmallTask("corrections_2025", "wmt25_correction", files, ("test=",))]


def _annotations() -> list[SmallTask]:
    def errors(shift: int, *method: str) -> str:
        rows = [
            (
                *method,
                f"D{i // 3}",
                *(("0 0", f"{shift} 9", "3 2") if i % 2 else (i % 3, shift, 4)),
                ("minor", "major")[i % 2],
            )
            for i in range(UNITS)
        ]
        return _lines(rows)

    extra = {"documents.txt": _lines([[f"D{i}"] for i in range(4)])}
    old = _folder(errors(0), good=errors(1), fair=errors(3)) | extra
    new = _folder(errors(0), good=errors(1, "good"), fair=errors(3, "fair")) | extra
    return [
        SmallTask("document_annotations", "wmt19_qe_document_annotations", old, _FEW),
        SmallTask("document_annotations(layout=2020)", "wmt20_qe_document_annotations", new, _FEW, label="2020"),
    ]


_SYSTEMS = ("alpha", "beta", "gamma")


def _score(metric: str, system: str, segment: int) -> float:
    return random.Random(f"{SEED} {metric} {system} {segment}").randrange(1000) / 1000


def _texts(system: str) -> str:
    """Return the translations of a system: it has exchanged some words, and reversed some sentences."""
    chosen = random.Random(f"{SEED} {system}")
    rows = [[word if chosen.random() < 0.7 else "fort" for word in words] for words in _SENTENCES]
    return _lines([row[:: chosen.choice((1, -1))] for row in rows], " ")


def _rankings() -> list[SmallTask]:
    header = ["srclang", "trglang", "srcIndex", "documentId", "segmentId", "judgeId"]
    header += [f"system{n}{part}" for n in (1, 2, 3) for part in ("Number", "Id")]
    header += [f"system{n}rank" for n in (1, 2, 3)]
    rows = [
        ["Czech", "English", i + 1, "doc", i + 1, "ann" if i % 2 else "ben"]
        + [part for n, system in enumerate(_SYSTEMS, 1) for part in (n, system)]
        + random.Random(f"{SEED} rank {i}").sample([1, 2, 3], 3)
        for i in range(UNITS)
    ]
    rankings = {"rankings.csv": _lines([header, *rows], ",")}

    def scores(metric: str) -> str:
        return _lines(
            [
                (metric, "cs-en", "test12", system, i + 1, _score(metric, system, i))
                for system in _SYSTEMS
                for i in range(UNITS)
            ]
        )

    def of_systems(metric: str) -> str:
        return _lines([(metric, "cs-en", "test12", system, _score(metric, system, -1)) for system in _SYSTEMS])

    segments = {f"scores/{metric}.seg.scr": scores(metric) for metric in ("one", "two")}
    systems = {f"scores/{metric}.sys.scr": of_systems(metric) for metric in ("one", "two")}
    texts = {f"text/cs-en/{system}": _texts(system) for system in _SYSTEMS}
    texts["text/test12-ref.en"] = _lines(_SENTENCES, " ")
    computed = ('computed=["wer", "per"]',)
    few = ("test=bootstrap(draws=100)",)
    return [
        SmallTask("rankings", "wmt12_metrics_segment", rankings | segments, few),
        SmallTask("rankings(level=sys)", "wmt12_metrics_system", rankings | systems, label="systems"),
        SmallTask("rankings", "wmt12_metrics_segment", rankings | texts, (*few, *computed), label="texts"),
    ]


def _decided() -> list[SmallTask]:
    pairs = _lines(
        [
            (i + 1, "fr-en", _SYSTEMS[(i + k) % 3], "fr-en", _SYSTEMS[(i + k + 1) % 3])
            for i in range(UNITS)
            for k in range(2)
        ]
    )

    def marked(name: str) -> str:
        texts = _texts(name).splitlines() if name != "ref" else [" ".join(words) for words in _SENTENCES]
        segments = "".join(f'<seg id="{i}">{text}</seg>\n' for i, text in enumerate(texts, 1))
        return f'<refset setid="test14" srclang="any" trglang="en">\n<doc docid="one">\n{segments}</doc>\n</refset>\n'

    files = {"fr-en/decided_pairs.tsv": pairs}
    files |= {f"fr-en/fr-en.{name}.sgm": marked(name) for name in ("ref", *_SYSTEMS)}
    scores = {
        f"scores/{metric}.seg.scr": _lines(
            [
                (metric, "fr-en", "test14", system, i + 1, _score(metric, system, i))
                for system in _SYSTEMS
                for i in range(UNITS)
            ]
        )
        for metric in ("one", "two")
    }
    settings = ("test=bootstrap(draws=100)", 'computed=["wer", "per"]')
    return [
        SmallTask("decided_pairs", "wmt14_metrics_segment", files, settings, label="texts"),
        SmallTask("decided_pairs", "wmt14_metrics_segment", {"fr-en/decided_pairs.tsv": pairs} | scores, settings[:1]),
    ]


def _assessments() -> list[SmallTask]:
    rows = [
        (system, f"doc{i // 4}::{i + 1}", raw, round(raw / 100 - 0.5, 3), 1, i + 1)
        for n, system in enumerate(_SYSTEMS)
        for i in range(UNITS)
        for raw in [(37 * i + 41 * n * (i + 1)) % 100]
    ]
    assessed = _lines([("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID"), *rows], " ")

    def scores(metric: str) -> str:
        return _lines(
            [
                (
                    metric, "cs-en", "newstest2020", "newstest2020", system, f"doc{i // 4}", i + 1,
                    _score(metric, system, i),
                )
                for system in _SYSTEMS
                for i in range(UNITS)
            ]
        )  # fmt: skip

    files = {"da/cs-en.seg.csv": assessed}
    files |= {f"scores/{metric}.cs-en.seg.tsv": scores(metric) for metric in ("one", "two")}
    return [SmallTask("wmt20_darr", "wmt20_metrics_segment", files, ("test=bootstrap(draws=100)",))]


def _mtme() -> list[SmallTask]:
    def segments(metric: str) -> str:
        return _lines([(system, _score(metric, system, i)) for system in _SYSTEMS for i in range(UNITS)])

    def systems(metric: str) -> str:
        return _lines([(system, _score(metric, system, -1)) for system in _SYSTEMS])

    documents = _lines([("news" if i < 5 else "chat", f"doc{i // 4}") for i in range(UNITS)])
    of_segments = {
        "human-scores/en-de.mqm.seg.score": segments("mqm"),
        "documents/en-de.docs": documents,
        **{f"metric-scores/en-de/{m}-refA.seg.score": segments(m) for m in ("one", "two")},
    }
    of_systems = {
        "human-scores/en-de.mqm.sys.score": systems("mqm"),
        **{f"metric-scores/en-de/{m}-refA.sys.score": systems(m) for m in ("one", "two")},
    }
    few = ("test=permutation(draws=100, unit=pair)", "primaries=all")
    return [
        SmallTask("mtme", "wmt23_metrics_segment", of_segments, few),
        SmallTask("mtme(selection=wmt23)", "wmt23_metrics_segment", of_segments, few, label="selection"),
        SmallTask("mtme(level=sys)", "wmt23_metrics_system", of_systems, ("primaries=all",), label="systems"),
    ]


def _assessed_texts() -> list[SmallTask]:
    rows = [
        ("adequacy", i + 1, system, judge, 1 + round(4 * _score(judge, system, i)))
        for judge in ("ann", "ben")
        for i in range(UNITS)
        for system in _SYSTEMS
    ]
    files = {"assessments.tsv": _lines([("SCALE", "SEGMENT", "SYSTEM", "JUDGE", "SCORE"), *rows])}
    files |= {f"systems/{system}.txt": _texts(system) for system in _SYSTEMS}
    files |= {"references/one.txt": _lines(_SENTENCES, " ")}
    settings = ('computed=["wer", "per"]', "test=permutation(draws=100, unit=pair)")
    return [SmallTask("assessed_texts", "wmt23_metrics_segment", files, settings)]


def _human_scores() -> list[SmallTask]:
    def annotation(shift: float) -> str:
        values = {name: _numbers(shift + k) for k, name in enumerate(("alpha", "beta", "gamma"))}
        return _lines([(name, round(100 * value, 1)) for name, of in values.items() for value in of])

    files = {f"en-de.h{number}.seg.score": annotation(number) for number in (1, 2)}
    return [SmallTask("human_scores", "wmt25_human", files)]


_MAKERS = (
    *(
        _plain, _graham, _any_table, _four_columns, _sentence, _tag_lines, _columns_2014, _columns_2015, _columns_2020,
        _spans, _annotations, _corrections,
    ),
    *(_rankings, _decided, _assessments, _mtme, _assessed_texts),
    _human_scores,
)  # fmt: skip

SMALL_TASKS = {task.name: task for make in _MAKERS for task in make()}
"""Every small task by its name; each registered reader of the built-in plugins has at least one."""
