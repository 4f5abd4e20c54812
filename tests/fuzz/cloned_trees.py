"""Small valid tasks in the trees of cloned repositories, QE of 2021 and 2023 and challenge sets, and how they break."""

from collections.abc import Mapping

from tests.fuzz.published_trees import TreeBreakage, edit, gone, moved, put
from tests.fuzz.small_tasks import SmallTask

__all__ = ["CLONED", "CLONED_BREAKAGES"]

_UNITS = 6
_LISTED = 2
"""The segment that the list of hallucinations names."""
_NINE = "doc_id\tsegment_id\tsource_lang\ttarget_lang\tset_id\tsystem_id\tdomain_name\tmethod\toverall\n"
_GOLD_21 = "data/test21_goldlabels/{0}-test21/goldlabels/test21.da"
_SEVERAL = "submissions/task1_da/multilingual"
_SENT_21 = "submissions/task1_da/{0}/{1}/predictions.txt"


def _score(seed: int, i: int) -> float:
    return (seed * 37 + i * 53) % 100 / 100


def _scores(pairs: tuple[str, ...], seed: int, header: int) -> str:
    rows = (f"{pair}\tmodel\t{i}\t{_score(seed, i)}\n" for pair in pairs for i in range(_UNITS))
    return "1\n" * header + "".join(rows)


def _of_2021() -> SmallTask:
    pairs = ("en-cs", "en-de")
    files = {_GOLD_21.format(pair): "".join(f"{_score(3, i)}\n" for i in range(_UNITS)) for pair in pairs}
    files |= {_SENT_21.format(pair, "good"): _scores((pair,), 4, 2) for pair in pairs}
    files[_SENT_21.format("multilingual", "fair")] = _scores(pairs, 9, 2)
    reader = 'qe_sentence(header_lines=2, published=["task1_da"], repository=wmt21)'
    return SmallTask(reader, "wmt21_qe_sentence", files, ("test=",), label="wmt21")


def _of_2023(table: str, gold: str, task: str, answers: Mapping[str, str]) -> Mapping[str, str]:
    files = {"gold_labels/hallucinations_idx.tsv": f"lp\tsid\nen-de\t{_LISTED}\n"}
    files[f"gold_labels/hallucinations_gold_{table}.tsv"] = gold
    return files | {f"submissions/{task}/{name}/predictions.txt": text for name, text in answers.items()}


def _sentences_of_2023() -> SmallTask:
    def value(i: int) -> object:
        return "hallucination" if i == _LISTED else _score(3, i)

    gold = "".join(f"en-de\tgold\t{i}\t{value(i)}\n" for i in range(_UNITS))
    answers = {"good": _scores(("en-de",), 4, 3), "fair": _scores(("en-de",), 9, 3)}
    files = _of_2023("T1s", gold, "task1_sentence_level", answers)
    reader = 'qe_sentence(published=["task1_sentence_level"], repository=wmt23)'
    return SmallTask(reader, "wmt23_qe_sentence", files, ("test=",), label="wmt23")


def _words_of_2023() -> SmallTask:
    tags = [["OK", "BAD", "OK"], ["OK", "BAD"], [], ["BAD", "OK"], ["OK", "OK"], ["BAD", "BAD", "OK"]]

    def row(i: int) -> str:
        cells = ("hallucination",) * 3 if i == _LISTED else ("a b", "A b <EOS>"[-3 * len(tags[i]) :], "")
        words = [f"w{k}" for k in range(len(tags[i]))]
        cells = cells if i == _LISTED else ("text", " ".join(words), " ".join(tags[i]))
        return "\t".join(("en-de", "gold", str(i), *cells)) + "\n"

    def answers(turned: int) -> str:
        rows = (
            f"en-de\tmodel\tmt\t{i}\t{k}\tW{k}\t{'BAD' if (i + k) % turned == 0 else 'OK'}\n"
            for i in range(_UNITS)
            for k in range(len(tags[i]) or 1)
        )
        return "1\n1\n1\n" + "".join(rows)

    gold = "".join(map(row, range(_UNITS)))
    files = _of_2023("T1w", gold, "task1_word_level", {"good": answers(2), "fair": answers(3)})
    reader = "word_columns_2020(compare=case_insensitive, published=task1_word_level, repository=wmt23)"
    return SmallTask(reader, "wmt23_qe_word", files, ("test=",), label="wmt23")


def _spans_of_2023() -> SmallTask:
    def table(name: str, shift: int) -> str:
        rows = (
            f"en-de\t{name}\t{i}\tabcdefghi\t{(i + shift) % 5}\t{(i + shift) % 5 + 3}\tminor\n" for i in range(_UNITS)
        )
        return "".join(rows)

    files = _of_2023(
        "T2", table("gold", 0), "task2", {n: "1\n1\n1\n" + table("m", s) for s, n in enumerate(("a", "b"))}
    )
    return SmallTask("spans_2023(beyond=clip, published=task2)", "wmt23_qe_span", files, ("test=",), label="wmt23")


def _challenge_sets() -> SmallTask:
    def table(name: str, seed: int) -> str:
        rows = (
            f"d{i}\t{i + 1}\tja\tzh_CN\tchallenge_{name}\thyp-{k}\tnews\tNaN\t{_score(seed + k, i)}\n"
            for i in range(_UNITS)
            for k in (1, 2, 3)
        )
        return _NINE + "".join(rows)

    metrics = {"one": 1, "two": 5}
    files = {f"4-to_return/{n}/baseline/{m}.tsv": table(n, s) for n in ("mslc-a", "other") for m, s in metrics.items()}
    reader = 'wmt25_challenge_sets(rising=["mslc-a"])'
    return SmallTask(reader, "wmt25_challenge_sets", files, ("test=",), label="cloned")


def _mslc() -> SmallTask:
    systems = ("00010", "00020", "00030")
    files = {
        "data/mapping/en-de.tsv": "".join(f"{name}\t{letter}\n" for name, letter in zip(systems, "ABC", strict=True))
    }
    files["data/documents/en-de.docs"] = "".join(f"news\td{i // 3}\n" for i in range(_UNITS))
    for metric, seed in (("one-refA", 1), ("two-src", 5)):
        rows = (f"news\t{name}\t{_score(seed + k, i)}\n" for k, name in enumerate(systems) for i in range(_UNITS))
        files[f"data/metric-scores/en-de/{metric}.seg.score"] = "".join(rows)
    return SmallTask("mslc", "mslc23", files, ("test=",), label="cloned")


def _aces() -> SmallTask:
    names = ("source", "good-translation", "incorrect-translation", "phenomena", "one-good", "one-bad")
    rows = (
        ("a", "b c", "b", ("addition", "omission")[i % 2], f"{_score(1, i)}", f"{_score(5, i)}") for i in range(_UNITS)
    )
    table = "".join("\t".join(cells) + "\n" for cells in (names, *rows))
    return SmallTask("aces", "aces", {"aces.tsv": table}, ("test=", "primary=preference_accuracy", "secondary=[]"))


def _returned(name: str, metrics: Mapping[str, int], segments: int, *pairs: tuple[str, str, int]) -> dict[str, str]:
    """Return returned scores of a set: language pairs as source, target and number of systems."""

    def table(seed: int) -> str:
        rows = (
            f"d{i}\t{i + 1}\t{source}\t{target}\tchallenge_{name}\thyp-{k + 1}\tnews\tNaN\t{_score(seed + 9 * k, i)}\n"
            for source, target, systems in pairs
            for i in range(segments)
            for k in range(systems)
        )
        return _NINE + "".join(rows)

    return {f"4-to_return/{name}/baseline/{metric}.tsv": table(seed) for metric, seed in metrics.items()}


def _mslc_b() -> SmallTask:
    metrics = {"one": 1, "two": 5}
    files = _returned("mslc-b", metrics, 80, ("ja", "zh_CN", 1), ("cs", "en", 1))
    files |= _returned("mslc-a", metrics, _UNITS, ("ja", "zh_CN", 3))
    return SmallTask("wmt25_mslc_b", "wmt25_mslc_b", files, ("test=",), label="cloned")


def _equal_pairs() -> SmallTask:
    files = _returned("gambit-gender", {"one": 1, "two": 5}, _UNITS, ("en", "de", 2), ("en", "fr", 2))
    return SmallTask("wmt25_equal_pairs", "wmt25_gender", files, ("test=",), label="cloned")


CLONED: Mapping[str, SmallTask] = {
    task.name: task
    for task in (
        *(_of_2021(), _sentences_of_2023(), _words_of_2023(), _spans_of_2023()),
        *(_challenge_sets(), _mslc(), _mslc_b(), _equal_pairs(), _aces()),
    )
}


def _header(text: str) -> str:
    """Return a line of as many columns as the first one of a text."""
    return "\t".join(["name"] * (text.partition("\n")[0].count("\t") + 1)) + "\n"


def _of_lists(task: str, table: str, missing: str) -> list[TreeBreakage]:
    """Return ways to break a tree of 2023."""
    gold, listed = f"gold_labels/hallucinations_gold_{table}.tsv", "gold_labels/hallucinations_idx.tsv"
    first = sorted(each for each in CLONED[task].files if each.startswith("submissions/"))[0]
    return [
        TreeBreakage("no list", gone(listed), "there is no such file"),
        TreeBreakage("no gold", gone(gold), "there is no such file"),
        TreeBreakage("the name of a gold with a header", moved(gold, gold.replace(".tsv", "_header.tsv"))),
        TreeBreakage("a gold with a header", edit(gold, lambda old: _header(old) + old)),
        TreeBreakage("a list of words", edit(listed, lambda old: old + "en-de two\n"), "no line of the list of"),
        TreeBreakage("no folder of submissions", gone("submissions"), "are here"),
        TreeBreakage("another name of the file", moved(first, f"{first}.bak"), "no predictions.txt is here"),
        TreeBreakage("half of the lines", edit(first, lambda old: old[: len(old) // 2].rsplit("\n", 1)[0]), missing),
        TreeBreakage("hidden files", put("gold_labels/.DS_Store", b"\0\1")),
        TreeBreakage("a readme", put("README.md", b"read me\n")),
    ]  # fmt: skip


_ONE = "4-to_return/mslc-a/baseline/one.tsv"
_SEG = "data/metric-scores/en-de/one-refA.seg.score"
_OF_B, _EQUAL = (f"4-to_return/{name}/baseline/one.tsv" for name in ("mslc-b", "gambit-gender"))
CLONED_BREAKAGES: Mapping[str, list[TreeBreakage]] = {
    "qe_sentence-wmt21": [
        TreeBreakage("no golds", gone("data/test21_goldlabels"), "no gold of a language pair is in the clone of"),
        TreeBreakage("no data", gone("data"), "there are submissions, but no file gold.*"),
        TreeBreakage("a team twice", moved(f"{_SEVERAL}/fair", f"{_SEVERAL}/good"), "a second submission named good"),
        TreeBreakage("another pair in a folder", edit(_SENT_21.format("en-de", "good"),
                     lambda old: old.replace("en-de", "en-cs")), "LP 'en-cs' in a folder named en-de"),
        TreeBreakage("a pair without a gold", edit(_SENT_21.format("multilingual", "fair"),
                     lambda old: old + "en-ja\tmodel\t0\t.5\n")),
        TreeBreakage("a stray file", put("submissions/task1_da/en-de/x.txt", b"x"), "a file among the fold"),
        TreeBreakage("a gold with a line less", edit(_GOLD_21.format("en-de"), lambda old: old[old.index("\n") + 1 :]),
                     "is not in the gold"),
        TreeBreakage("no archive", put("data/test21_goldlabels/en-ja-test21.tar.gz", b"x"), "cannot be unpacked"),
        TreeBreakage("a pointer for an archive", put("data/test21_goldlabels/zero-shot/en-ja-test21.tar.gz",
                     b"version https://git-lfs.github.com/spec/v1\n"), "cannot be unpacked"),
    ],
    "qe_sentence-wmt23": [
        *_of_lists("qe_sentence-wmt23", "T1s", "is missing in"),
        TreeBreakage("another segment in the list", edit("gold_labels/hallucinations_idx.tsv",
                     lambda old: old.replace("\t2", "\t3")), "segment 2 of en-de is not in the list of hallucinations"),
    ],
    "word_columns_2020-wmt23": [
        *_of_lists("word_columns_2020-wmt23", "T1w", "is missing in"),
        TreeBreakage("another word", edit("submissions/task1_word_level/fair/predictions.txt",
                     lambda old: old.replace("W0", "x", 1)), "word 'x', "),
    ],
    "spans_2023-wmt23": _of_lists("spans_2023-wmt23", "T2", "is missing in"),
    "wmt25_challenge_sets-cloned": [
        TreeBreakage("no scores", gone("4-to_return"), "no folder 4-to_return is here"),
        TreeBreakage("a set that is not there", moved("4-to_return/mslc-a", "4-to_return/mslc-z")),
        TreeBreakage("a segment twice", edit(_ONE, lambda old: old + old.splitlines()[-1] + "\n"), "is scored twice"),
        TreeBreakage("a score less", edit(_ONE, lambda old: old.rstrip("\n").rpartition("\n")[0]), "is missing"),
        TreeBreakage("another header", edit(_ONE, lambda old: old.replace("overall", "score", 1)), "other columns"),
        TreeBreakage("a pointer", put(_ONE, b"version https://git-lfs.github.com/spec/v1\n"), "a pointer of Git LFS"),
        TreeBreakage("a metric in two slots", put("4-to_return/mslc-a/primary/one.tsv",
                     f"{_NINE}d\t1\tja\tzh_CN\tchallenge_mslc-a\thyp-1\tnews\tNaN\t1\n".encode()), "has scores of"),
        TreeBreakage("a header alone", put("4-to_return/mslc-a/primary/new.tsv", _NINE.encode())),
        TreeBreakage("a summary", put("4-to_return/summary.tsv", b"x")),
    ],
    "mslc-cloned": [
        TreeBreakage("no scores", gone("data/metric-scores"), "no folder metric-scores is here"),
        TreeBreakage("no mapping", gone("data/mapping"), "there is no such file"),
        TreeBreakage("no documents", gone("data/documents"), "there is no such file"),
        TreeBreakage("another system", edit(_SEG, lambda old: old.replace("00020", "00021", 1)), "is not in the map"),
        TreeBreakage("a line less", edit(_SEG, lambda old: old.rstrip("\n").rpartition("\n")[0]), "the documents have"),
        TreeBreakage("a line more", edit(_SEG, lambda old: old + "news\t00030\t1\n"), "7 scores of system 00030"),
        TreeBreakage("two columns", edit(_SEG, lambda old: old.replace("news\t", "")), "2 columns instead of 3"),
        TreeBreakage("no number", edit(_SEG, lambda old: old.replace("0.", "x", 1)), "is not a number"),
        TreeBreakage("system outputs", put("data/system-outputs/en-de/00010.txt", b"x\n")),
    ],
    "wmt25_mslc_b-cloned": [
        TreeBreakage("no scores of mslc-a", gone("4-to_return/mslc-a"), "no scores on mslc-a"),
        TreeBreakage("no scores of mslc-b", gone("4-to_return/mslc-b"), "no scores of mslc-b are here"),
        TreeBreakage("a segment less", edit(_OF_B, lambda old: old.rstrip("\n").rpartition("\n")[0]), "other segments"),
        TreeBreakage("a segment twice", edit(_OF_B, lambda old: old + old.splitlines()[-1] + "\n"), "is scored twice"),
        TreeBreakage("another system", edit(_OF_B, lambda old: old.replace("hyp-1", "hyp-2", 1)), "other segments or"),
        TreeBreakage("another header", edit(_OF_B, lambda old: old.replace("overall", "score", 1)), "other columns"),
        TreeBreakage("a score less in mslc-a", edit("4-to_return/mslc-a/baseline/one.tsv",
                     lambda old: old.rstrip("\n").rpartition("\n")[0]), "has no score of segment 6 of hyp-3"),
    ],
    "wmt25_equal_pairs-cloned": [
        TreeBreakage("no scores", gone("4-to_return/gambit-gender"), "no scores of metrics are here"),
        TreeBreakage("other sets too", put("4-to_return/other/primary/new.tsv", _NINE.encode())),
        TreeBreakage("a third system", edit(_EQUAL, lambda old: old.replace("hyp-2", "hyp-3", 1)), "has 3 systems"),
        TreeBreakage("a score less", edit(_EQUAL, lambda old: old.rstrip("\n").rpartition("\n")[0]), "has no score of"),
        TreeBreakage("no number", edit(_EQUAL, lambda old: old.replace("0.", "x", 1)), "is not a number"),
    ],
    "aces": [
        TreeBreakage("no table", moved("aces.tsv", "aces.csv"), "no table NAME.tsv is here"),
        TreeBreakage("no phenomena", edit("aces.tsv", lambda old: old.replace("phenomena", "kind", 1)), "phenomena"),
        TreeBreakage("one column of a metric", edit("aces.tsv", lambda old: old.replace("one-bad", "x", 1)), "one"),
        TreeBreakage("no score", edit("aces.tsv", lambda old: old[: old.rindex("\t") + 1] + "\n"), "aces.tsv"),
        TreeBreakage("no number", edit("aces.tsv", lambda old: old[: old.rindex("\t") + 1] + "x\n"), "aces.tsv"),
        TreeBreakage("no name", edit("aces.tsv", lambda old: old.replace("omission", " ", 1)), "no phenomenon"),
        TreeBreakage("half of the last line", edit("aces.tsv", lambda old: old[: old.rindex("\t")]), "aces.tsv"),
        TreeBreakage("a readme", put("README.md", b"read me\n")),
    ],
}  # fmt: skip
