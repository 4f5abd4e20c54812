"""Small valid tasks in the trees of repositories as published, and ways to break what only such trees have."""

import gzip
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from tests.fuzz.small_tasks import SmallTask

__all__ = ["PUBLISHED", "PUBLISHED_BREAKAGES", "TreeBreakage", "edit", "gone", "moved", "of_qe", "put"]

_SEGMENTS = 6
_SYSTEMS = ("alpha", "beta", "Human-A.0")


@frozen
class TreeBreakage:
    """One way in which a tree is broken, and what a refusal says.

    Parameters
    ----------
    name : str
    apply : callable of Path
        Breaks the tree in a folder.
    says : str
        A part of the message; empty if the numbers must stay what they are.
    """

    name: str
    apply: Callable[[Path], None]
    says: str = ""


def _rows(*rows: tuple[object, ...], separator: str = "\t") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def _score(seed: int, i: int) -> float:
    return (seed * 37 + i * 53) % 100 / 100


def _wmt20_segments() -> SmallTask:
    assessed = [
        (system, f"doc{i // 3}::{i}", 97 * (n + 1) * (i + 3) % 101, 0.1 * i, 1, i)
        for n, system in enumerate(_SYSTEMS)
        for i in range(_SEGMENTS)
    ]

    def scores(metric: str, seed: int) -> str:
        return _rows(
            *(
                (metric, pair, "newstest2020", refset, system, f"doc{i // 3}", i, _score(seed + n, i))
                for pair in ("cs-en", "de-en")
                for refset in ("newstest2020", "newstestB2020")
                for n, system in enumerate(_SYSTEMS)
                for i in range(_SEGMENTS)
            )
        )

    header = ("SYS", "SEGID", "RAW.SCR", "Z.SCR", "N", "SID")
    files = {
        "manual-evaluation/DA/metrics-ad-seg-scores-cs-en.csv": _rows(header, *assessed, separator=" "),
        "final-metric-scores/baselines/one.seg.score.gz": scores("one", 1),
        "final-metric-scores/submissions/two.seg.score.gz": scores("two", 5) + scores("three", 9),
    }
    return SmallTask("wmt20_darr", "wmt20_metrics_segment", files, ("test=",), label="published")


def _wmt20_systems() -> SmallTask:
    systems = (*_SYSTEMS, "gamma", "zlabs-nlp.1149")
    assessed = [(50 + 7 * n, 0.3 * n, 9, system, 12) for n, system in enumerate(systems)]

    def scores(metric: str, seed: int) -> str:
        return _rows(
            *(
                (metric, pair, "newstest2020", refset, system, _score(seed, n))
                for pair in ("cs-en", "de-en")
                for refset in ("newstest2020", "newstestB2020")
                for n, system in enumerate(systems)
            )
        )

    header = ("RAW.SCR", "Z.SCR", "N", "SYS", "N.ALL")
    files = {
        "manual-evaluation/DA/metrics-ad-sys-scores-cs-en.csv": _rows(header, *assessed, separator=" "),
        "final-metric-scores/baselines/one.sys.score.gz": scores("one", 1),
        "final-metric-scores/submissions/two.sys.score.gz": scores("two", 5) + scores("three", 9),
    }
    return SmallTask("wmt20_systems", "wmt20_metrics_system", files, label="published")


_GOLDS, _SENT = "test_data-gold_labels", "official_submissions"


def _qe_scores(track: str) -> SmallTask:
    def answers(seed: int, *pairs: str) -> str:
        rows = [(pair, "model", i, _score(seed, i)) for pair in pairs for i in range(_SEGMENTS)]
        return "1000\n20\n1\n" + _rows(*rows)

    def submitted(folder: str, *pairs: str) -> dict[str, str]:
        return {
            f"{_SENT}/task1_da/{folder}/Team good  - 1 submission/predictions.txt": answers(2, *pairs),
            f"{_SENT}/task1_da/{folder}/fair - 3 submission/predictions.txt": answers(7, *pairs),
        }

    golds = {
        f"{_GOLDS}/task1_da/{pair}/test.2022.{pair}.da_score": _rows(*((_score(seed, i),) for i in range(_SEGMENTS)))
        for seed, pair in ((3, "en-cs"), (4, "ps-en"))
    }
    pairs = submitted(track, "ps-en", "en-cs") if track else submitted("en-cs", "en-cs") | submitted("ps-en", "ps-en")
    with_track = f", track={track}" if track else ""
    reader = f'qe_sentence(published=["task1_da"]{with_track})'
    label = f"published-{track}" if track else "published"
    return SmallTask(reader, "wmt22_qe_sentence_da", golds | pairs, ("test=", "baselines=[]"), label=label)


def _qe_words() -> SmallTask:
    words = ("Haus", "geht", "<EOS>")

    def tags(seed: int) -> list[list[str]]:
        return [["BAD" if (seed * 5 + i * 3 + k) % 4 == 0 else "OK" for k in range(3)] for i in range(_SEGMENTS)]

    def answers(seed: int) -> str:
        rows = [
            ("en-cs", "model", "MT", i, k, words[k], tag)
            for i, sentence in enumerate(tags(seed))
            for k, tag in enumerate(sentence)
        ]
        return f"{1000 * seed}\n20\n1\n" + _rows(*rows)

    folder = f"{_GOLDS}/task1_word-level/en-cs"
    files = {
        f"{folder}/test.2022.en-cs.tags": _rows(*map(tuple, tags(1)), separator=" "),
        f"{folder}/test.2022.mt_tok": _rows(*[words] * _SEGMENTS, separator=" "),
        f"{_SENT}/task1_word-level/en-cs/Team good  - 1 submission/predictions.txt": answers(2),
        f"{_SENT}/task1_word-level/en-cs/fair - 3 submission/predictions.txt": answers(3),
    }
    reader = 'word_columns_2020(published="task1_word-level")'
    return SmallTask(reader, "wmt22_qe_word", files, ("test=", "baselines=[]"), label="published")


PUBLISHED: Mapping[str, SmallTask] = {
    task.name: task
    for task in (_wmt20_segments(), _wmt20_systems(), _qe_scores(""), _qe_scores("multilingual"), _qe_words())
}

_DA = "manual-evaluation/DA"
_METRICS = "final-metric-scores"


def edit(file: str, edit: Callable[[str], str]) -> Callable[[Path], None]:
    """Return a breakage that changes the text of a file."""

    def apply(folder: Path) -> None:
        path = folder / file
        path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")

    return apply


def put(file: str, content: bytes) -> Callable[[Path], None]:
    """Return a breakage that writes a file."""

    def apply(folder: Path) -> None:
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)

    return apply


def gone(name: str) -> Callable[[Path], None]:
    """Return a breakage that removes a file or a folder."""
    return lambda folder: shutil.rmtree(folder / name) if (folder / name).is_dir() else (folder / name).unlink()


def moved(name: str, new: str) -> Callable[[Path], None]:
    """Return a breakage that renames a file or a folder."""
    return lambda folder: (folder / name).rename(folder / new)


def _of_wmt20(level: str) -> list[TreeBreakage]:
    assessed = f"{_DA}/metrics-ad-{level}-scores-cs-en.csv"
    one = f"{_METRICS}/baselines/one.{level}.score.gz"
    two = f"{_METRICS}/submissions/two.{level}.score.gz"
    segment = "\tdoc0\t1" if level == "seg" else ""
    line = f"one\tcs-en\tnewstest2020\tnewstest2020\talpha{segment}\t0.5\n"
    bomb = gzip.compress(line.encode() * (3 * 2**20 // len(line)))
    return [
        TreeBreakage("no assessments", gone(assessed), "no assessments of"),
        TreeBreakage("no folder of assessments", gone("manual-evaluation"), "there is no such folder"),
        TreeBreakage("a file instead of manual-evaluation", _file_instead("manual-evaluation"), "a folder is expected"),
        TreeBreakage("a file instead of scores", _file_instead(_METRICS), "a folder is expected"),
        TreeBreakage("the other header", edit(assessed, lambda old: "SYS " + old), "the first line is not the header"),
        TreeBreakage("packed scores", _packed(one)),
        TreeBreakage("packed scores cut off", _packed(one, cut=9), "cannot be unpacked (gzip): it is cut off"),
        TreeBreakage("a gz bomb", put(one, bomb), "is too large: the bound is 1 MiB"),
        TreeBreakage("gz in gz", _packed_twice(one), "the file is compressed (gzip)"),
        TreeBreakage("not gz", put(one, b"PK\x03\x04" + bytes(30)), "a binary file"),
        TreeBreakage("a metric in two files", edit(two, lambda old: old + line), "one has scores of cs-en in"),
        TreeBreakage("a score twice", edit(one, lambda old: old + line), "is scored twice, first on line"),
        TreeBreakage("another test set", edit(one, _other_test_set), "keep one TESTSET"),
        TreeBreakage("a system without scores", edit(one, lambda old: old.replace("alpha", "omega")), "no score of"),
        TreeBreakage("blanks for tabs", edit(two, lambda old: old.replace("\t", " ")), "columns by tabs"),
        TreeBreakage("no metric", edit(one, lambda old: old.replace("one\t", "\t", 1)), "every line needs a METRIC"),
        TreeBreakage("scores of another pair", edit(one, lambda old: old + line.replace("cs-en", "xx-yy"))),
        TreeBreakage("scores with another reference", edit(one, lambda old: old + line.replace("0\tn", "0\tX"))),
        TreeBreakage("another folder of scores", put(f"{_METRICS}/subm_other/x.{level}.score.gz", b"x")),
        TreeBreakage("a hidden file", put(f"{_METRICS}/baselines/.DS_Store", b"\0\1")),
        TreeBreakage("scores of documents", put(f"{_METRICS}/baselines/one.doc.score.gz", b"x")),
        TreeBreakage("other assessments", put(f"{_DA}/ad-{level}-scores-cs-en.csv", b"x")),
    ]


def _file_instead(name: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        shutil.rmtree(folder / name)
        (folder / name).write_text("1\n", encoding="utf-8")

    return apply


def _packed(file: str, cut: int = 0) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        packed = gzip.compress((folder / file).read_bytes())
        (folder / file).write_bytes(packed[: len(packed) - cut])

    return apply


def _packed_twice(file: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / file).write_bytes(gzip.compress(gzip.compress((folder / file).read_bytes())))

    return apply


def _other_test_set(text: str) -> str:
    return text + text.splitlines()[0].replace("\tnewstest2020\t", "\ttestsuites2020\t", 1) + "\n"


def of_qe(task: str, ending: str, track: str, *, golds: str = "") -> list[TreeBreakage]:
    """Return ways to break the tree of a task; `golds` is the folder of its gold, if it has another name."""
    folder, golds = f"{_SENT}/{task}/{track or 'en-cs'}", f"{_GOLDS}/{golds or task}"
    good, gold = f"{folder}/Team good  - 1 submission", f"{golds}/en-cs/test.2022.en-cs.{ending}"
    file = f"{good}/predictions.txt"
    fewer = " has " if "word" in task else "is missing in"
    cases = [
        TreeBreakage("no tree of golds", gone(_GOLDS), "a repository as published has"),
        TreeBreakage("no tree of submissions", gone(_SENT), "a repository as published has"),
        TreeBreakage("no such task", moved(golds, f"{_GOLDS}/task9"), "no folder of the task"),
        TreeBreakage("a pair without gold", gone(gold), "0 files of gold"),
        TreeBreakage("a file instead of a gold", _file_instead(f"{golds}/en-cs"), "a folder is expected"),
        TreeBreakage("two golds of a pair", put(f"{golds}/en-cs/again.{ending}", b"1\n"), "2 files of gold"),
        TreeBreakage("no predictions.txt", moved(file, f"{good}/prediction.txt"), "did you mean 'prediction.txt'?"),
        TreeBreakage("a file among submissions", put(f"{folder}/x.txt", b"x"), "a file among the folders of"),
        TreeBreakage("a team twice", put(f"{folder}/good - 9 submission/predictions.txt", b"x"), "a second"),
        TreeBreakage("a header line less", edit(file, lambda old: old[old.index("\n") + 1 :]), "2 header lines"),
        TreeBreakage("a header line more", edit(file, lambda old: "1\n" + old), "4 header lines of one"),
        TreeBreakage("a wordy header", edit(file, lambda old: "my best system\n" + old.partition("\n")[2]), "not a h"),
        TreeBreakage("half of the lines", edit(file, lambda old: old[: len(old) // 2].rsplit("\n", 1)[0]), fewer),
        TreeBreakage("hidden files", put(f"{good}/.DS_Store", b"\0\1")),
        TreeBreakage("a stray file beside", put(f"{good}/notes.pdf", b"\0\1")),
        TreeBreakage("a readme", put(f"{_GOLDS}/README.md", b"read me\n")),
        TreeBreakage("no final line end", edit(file, lambda old: old.rstrip("\n"))),
        TreeBreakage("a folder without a submission", lambda root: (root / folder / "new - 1 submission").mkdir(),
                     "no predictions.txt is here"),
        TreeBreakage("a FIFO as predictions", _fifo(file), "this is a pipe, a file is expected"),
    ]  # fmt: skip
    if not track:
        other = edit(file, lambda old: old.replace("en-cs", "en-ja"))
        cases.append(TreeBreakage("another pair", other, "LP 'en-ja' in a folder named en-cs"))
        cases.append(TreeBreakage("another track", put(f"{_SENT}/{task}/multilingual/A - 1 submission/predictions.txt",
                                                        b"x")))  # fmt: skip
    else:
        cases.append(TreeBreakage("no such track", moved(folder, f"{_SENT}/{task}/multi"), "no track 'multilingual'"))
        cases.append(TreeBreakage("a pair more", edit(file, lambda old: old + "xx-yy\tmodel\t0\t0.5\n")))
    return cases


def _fifo(file: str) -> Callable[[Path], None]:
    def apply(folder: Path) -> None:
        (folder / file).unlink()
        os.mkfifo(folder / file)

    return apply


PUBLISHED_BREAKAGES: Mapping[str, list[TreeBreakage]] = {
    "wmt20_darr-published": _of_wmt20("seg"),
    "wmt20_systems-published": _of_wmt20("sys"),
    "qe_sentence-published": of_qe("task1_da", "da_score", ""),
    "qe_sentence-published-multilingual": of_qe("task1_da", "da_score", "multilingual"),
    "word_columns_2020-published": of_qe("task1_word-level", "tags", ""),
}
