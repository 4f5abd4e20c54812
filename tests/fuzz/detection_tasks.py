"""Small valid tasks with a gold of two classes, their trees as published, and broken plain files."""

import random
from collections.abc import Mapping

from tests.fuzz.published_trees import TreeBreakage, edit, gone, moved, of_qe, put
from tests.fuzz.small_tasks import SEED, SmallTask

__all__ = ["DETECTION_TASKS", "DETECTION_TREES", "PLAIN_FILES", "TREE_BREAKAGES"]

_UNITS = 8
_CLASSES = ("OK", "BAD", "OK", "OK", "BAD", "OK", "BAD", "OK")
_TAGS = ("OK BAD OK", "BAD OK", "OK OK BAD", "OK BAD", "BAD BAD OK", "OK BAD OK", "OK BAD", "BAD OK OK")
_FEW = ("test=randomization(draws=100)", "interval=bootstrap(draws=100)", "baselines=[]")


def _number(*key: object) -> float:
    return random.Random(f"{SEED} {key}").randrange(100, 900) / 1000


def _lines(*rows: tuple[object, ...], separator: str = "\t") -> str:
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def _folder(gold: str, good: str, fair: str) -> dict[str, str]:
    return {"gold.txt": gold, "submissions/good.txt": good, "submissions/fair.txt": fair}


def _scores(name: str) -> str:
    rows = [("en-de", name, i, _number(name, i)) for i in range(_UNITS)]
    return "1000\n2000\n1\n" + _lines(*rows)


def _classes(name: str) -> str:
    rows = [("en-de", name, i, "ERR" if _number(name, i) > 0.5 else "NOT") for i in range(_UNITS)]
    return "1000\n2000\n" + _lines(*rows)


def _tokens(name: str) -> str:
    return "".join(
        " ".join(str(_number(name, i, k)) for k in range(len(tags.split()))) + "\n" for i, tags in enumerate(_TAGS)
    )


def _sentences(name: str) -> str:
    return _lines(*((_number(name, i),) for i in range(_UNITS)))


_GOLD_CLASSES, _GOLD_TAGS = _lines(*((each,) for each in _CLASSES)), _lines(*((each,) for each in _TAGS))

_SMALL = (
    SmallTask(
        "qe_detection", "wmt22_qe_critical_constrained", _folder(_GOLD_CLASSES, _scores("good"), _scores("fair")), _FEW
    ),
    SmallTask("qe_detection(header_lines=2, answers=classes)", "wmt21_qe_critical",
              _folder(_GOLD_CLASSES, _classes("good"), _classes("fair")), _FEW, label="classes"),
    SmallTask("explained_words", "wmt22_qe_explainable", _folder(_GOLD_TAGS, _tokens("good"), _tokens("fair")), _FEW),
    SmallTask("explained_sentences", "wmt22_qe_explainable_sentence",
              _folder(_sentences("gold"), _sentences("good"), _sentences("fair")), _FEW),
)  # fmt: skip
DETECTION_TASKS: Mapping[str, SmallTask] = {task.name: task for task in _SMALL}

_GOLDS, _SENT = "test_data-gold_labels", "official_submissions"
_TEAMS = {"good": "Team good  - 1 submission", "fair": "fair - 3 submission"}


def _published_classes() -> SmallTask:
    files = {f"{_GOLDS}/task3_ced/en-cs/test.2022.en-cs.label": _GOLD_CLASSES}
    for name, folder in _TEAMS.items():
        path = f"{_SENT}/task3_ced/constrained/en-cs/{folder}/predictions.txt"
        files[path] = _scores(name).replace("en-de", "en-cs")
    reader = 'qe_detection(positive=low, published="task3_ced", leaderboard=constrained)'
    return SmallTask(reader, "wmt22_qe_critical_constrained", files, ("test=", "baselines=[]"), label="published")


def _published_words() -> SmallTask:
    files = {f"{_GOLDS}/task1_word-level/en-cs/test.2022.en-cs.tags": _GOLD_TAGS}
    for name, folder in _TEAMS.items():
        files[f"{_SENT}/task2_explainQE/en-cs/{folder}/target.submission"] = _tokens(name)
    reader = 'explained_words(published="task2_explainQE")'
    return SmallTask(reader, "wmt22_qe_explainable", files, ("test=", "baselines=[]"), label="published")


DETECTION_TREES: Mapping[str, SmallTask] = {task.name: task for task in (_published_classes(), _published_words())}


def _of_classes() -> list[TreeBreakage]:
    board = f"{_SENT}/task3_ced/constrained"
    gold = f"{_GOLDS}/task3_ced/en-cs/test.2022.en-cs.label"
    file = f"{board}/en-cs/{_TEAMS['good']}/predictions.txt"
    other = f"{_SENT}/task3_ced/unconstrained/en-cs/A - 1 submission/predictions.txt"
    return [
        *(each for each in of_qe("task3_ced/constrained", "label", "", golds="task3_ced") if "track" not in each.name),
        TreeBreakage("no such leaderboard", moved(board, f"{_SENT}/task3_ced/open"), "no folder of the task"),
        TreeBreakage("another leaderboard", put(other, b"x")),
        TreeBreakage("a class that is none", edit(gold, lambda old: old.replace("BAD", "WORSE")), "not the name"),
        TreeBreakage("a number for a class", edit(gold, lambda old: old.replace("BAD", "0.5", 1)), "not the name"),
        TreeBreakage("two classes on a line", edit(gold, lambda old: old.replace("BAD", "OK BAD", 1)), "2 columns"),
        TreeBreakage("an empty line of gold", edit(gold, lambda old: old.replace("BAD", "", 1)), "column"),
        TreeBreakage("a class more", edit(gold, lambda old: old + "OK\n"), "is missing in"),
        TreeBreakage("a class less", edit(gold, lambda old: old[: old.rindex("OK")]), "is not in the gold"),
        TreeBreakage("an empty gold", edit(gold, lambda old: ""), "empty"),
        TreeBreakage("a class as an answer", edit(file, lambda old: _last_cell(old, "BAD")), "'BAD' is not a number"),
        TreeBreakage("NaN as an answer", edit(file, lambda old: _last_cell(old, "nan")), "NaN"),
        TreeBreakage("an infinite answer", edit(file, lambda old: _last_cell(old, "inf")), "an infinite value"),
        TreeBreakage("a decimal comma", edit(file, lambda old: _last_cell(old, "0,5")), "decimals with a point"),
        TreeBreakage("a segment twice", edit(file, lambda old: old + old.splitlines()[-1] + "\n"), "occurs twice"),
        TreeBreakage("blanks for tabs", edit(file, lambda old: old.replace("\t", " ")), "no line has columns by tabs"),
        TreeBreakage("two methods", edit(file, lambda old: old.replace("good", "else", 1)), "METHOD"),
        TreeBreakage("gold in lower case", edit(gold, str.lower)),
        TreeBreakage("gold as in 2021", edit(gold, lambda old: old.replace("OK", "NOT").replace("BAD", "ERR"))),
    ]  # fmt: skip


def _last_cell(text: str, value: str) -> str:
    return text.rstrip("\n").rpartition("\t")[0] + f"\t{value}\n"


def _of_words() -> list[TreeBreakage]:
    folder = f"{_SENT}/task2_explainQE/en-cs"
    gold, file = f"{_GOLDS}/task1_word-level/en-cs/test.2022.en-cs.tags", f"{folder}/{_TEAMS['good']}/target.submission"

    def first(value: str) -> object:
        return edit(file, lambda old: value + old[old.index(" ") :])

    values = {
        "a word": ("x", "'x' is not a number"),
        "NaN": ("nan", "NaN"),
        "infinity": ("-inf", "an infinite value"),
        "a comma": ("0,5", "decimals with a point"),
        "too large a number": ("1e300", "too large"),
        "a tag": ("BAD", "'BAD' is not a number"),
        "an underscore": ("1_0", "is not a number"),
        "other digits": ("\u0665", "is not a number"),
        "a percentage": ("50%", "is not a number"),
        "a number more": ("0.1 0.2", "4 numbers in sentence"),
        "None": ("None", "'None' is not a number"),
        "hexadecimal digits": ("0x1F", "is not a number"),
    }
    cases = [TreeBreakage(name, first(value), says) for name, (value, says) in values.items()]  # type: ignore[arg-type]
    return [
        *cases,
        TreeBreakage("no tree of golds", gone(_GOLDS), "a repository as published has"),
        TreeBreakage("no tree of submissions", gone(_SENT), "a repository as published has"),
        TreeBreakage("no such task", moved(f"{_SENT}/task2_explainQE", f"{_SENT}/task9"), "no folder of the task"),
        TreeBreakage("no gold of words", moved(f"{_GOLDS}/task1_word-level", f"{_GOLDS}/task9"), "no folder of"),
        TreeBreakage("a pair without gold", gone(gold), "0 files of gold"),
        TreeBreakage("two golds", put(f"{_GOLDS}/task1_word-level/en-cs/again.tags", b"OK\n"), "2 files of gold"),
        TreeBreakage("no file of words", moved(file, file.replace("target", "targets")), "did you mean"),
        TreeBreakage("only scores of sentences", moved(file, file.replace("target", "sentence")), "no target.sub"),
        TreeBreakage("a team twice", put(f"{folder}/good - 9 submission/target.submission", b"x"), "a second"),
        TreeBreakage("a file among submissions", put(f"{folder}/x.txt", b"x"), "a file among the folders of"),
        TreeBreakage("another pair only", moved(folder, folder.replace("en-cs", "en-ja")), "no language pair of"),
        TreeBreakage("a line more", edit(file, lambda old: old + "0.5\n"), "9 lines of numbers, the gold has 8"),
        TreeBreakage("a line less", edit(file, lambda old: old[: old[:-1].rindex("\n") + 1]), "7 lines of numbers"),
        TreeBreakage("an empty line", edit(file, lambda old: "\n" + old), "9 lines of numbers"),
        TreeBreakage("an empty sentence", edit(file, lambda old: old[old.index("\n") :]), "0 numbers in sentence"),
        TreeBreakage("a number less", edit(file, lambda old: old[old.index(" ") + 1 :]), "2 numbers in sentence"),
        TreeBreakage("an empty file", put(file, b""), "empty"),
        TreeBreakage("bytes that are no text", put(file, b"\xff\xfe0.5\n"), ""),
        TreeBreakage("a binary file", put(file, b"PK\x03\x04" + bytes(30)), "a binary file"),
        TreeBreakage("a header line", edit(file, lambda old: "1000\n" + old), "9 lines of numbers"),
        TreeBreakage("an unknown tag of gold", edit(gold, lambda old: old.replace("BAD", "WORSE", 1)), "unknown tag"),
        TreeBreakage("a tag more in the gold", edit(gold, lambda old: "OK " + old), "3 numbers in sentence"),
        TreeBreakage("blanks at the end", edit(file, lambda old: old.replace("\n", " \n"))),
        TreeBreakage("tabs for blanks", edit(file, lambda old: old.replace(" ", "\t"))),
        TreeBreakage("no final line end", edit(file, lambda old: old.rstrip("\n"))),
        TreeBreakage("Windows line ends", edit(file, lambda old: old.replace("\n", "\r\n"))),
        TreeBreakage("hidden files", put(f"{folder}/{_TEAMS['good']}/.DS_Store", b"\0\1")),
        TreeBreakage("scores of source words", put(f"{folder}/{_TEAMS['good']}/source.submission", b"x")),
    ]  # fmt: skip


TREE_BREAKAGES: Mapping[str, list[TreeBreakage]] = {
    "qe_detection-published": _of_classes(),
    "explained_words-published": [each for each in _of_words() if each.name != "bytes that are no text"],
}

_BAD_NUMBERS = {
    "nan": "NaN", "inf": "an infinite value", "-Infinity": "an infinite value", "1e300": "too large", "0,5": "decimals",
    "x": "is not a number", "1_0": "is not a number", "\u0665": "is not a number", "0x1": "is not a number",
    "--1": "is not a number", "1.2.3": "is not a number", "50%": "is not a number", "None": "is not a number",
    "\u22121": "is not a number", "true": "is not a number", "1e": "is not a number", "bad!": "is not a number",
}  # fmt: skip

_NO_CLASSES = ("2", "-1", "0.5", "1e-9")

PLAIN_FILES: Mapping[str, list[tuple[str, str, str, str]]] = {
    "auroc": [
        *((f"answer {value}", "0\n1\n0\n", f"0.5\n{value}\n1\n", says) for value, says in _BAD_NUMBERS.items()),
        *((f"gold {value}", f"0\n{value}\n1\n", "0.5\n0.1\n1\n", "a:2: ") for value in _BAD_NUMBERS),
        *((f"gold {value}", f"0\n{value}\n1\n", "1\n2\n3\n", "neither 0 nor 1") for value in _NO_CLASSES),
        ("a class that is none", "OK\nWORSE\n", "1\n2\n", "is not a number"),
        ("classes and numbers", "OK\n0.5\n", "1\n2\n", "is not a number"),
        ("a line more", "OK\nBAD\n", "1\n2\n3\n", "3 lines, the gold has 2"),
        ("a line less", "OK\nBAD\nOK\n", "1\n2\n", "2 lines, the gold has 3"),
        ("three columns", "0 1 0\n1 0 1\n", "1 2 3\n2 3 4\n", "3 columns"),
        ("ids on one side", "0 1\n1 0\n", "1\n2\n", "ids"),
        ("an id twice", "0 1\n0 0\n", "0 1\n1 2\n", "occurs twice"),
        ("an empty file", "", "1\n", "empty"),
        ("an empty line", "0\n\n1\n", "1\n2\n3\n", "a:2"),
    ],
    "token_auroc": [
        *((f"answer {value}", "OK BAD\nOK\n", f"1 2\n{value}\n", says) for value, says in _BAD_NUMBERS.items()),
        *((f"gold {value}", f"0 1\n{value} 1\n", "1 2\n1 2\n", "a:2: ") for value in _BAD_NUMBERS),
        ("gold 2", "0 1\n2 1\n", "1 2\n1 2\n", "is no tag of the gold"),
        ("an unknown tag", "OK BAD\nWORSE\n", "1 2\n1\n", "a:2: unknown tag"),
        ("tags as answers", "OK BAD\n", "WORSE BAD\n", "is not a number"),
        ("a number more", "OK BAD\n", "1 2 3\n", "3 numbers in sentence"),
        ("a number less", "OK BAD\n", "1\n", "1 number in sentence"),
        ("a sentence more", "OK BAD\n", "1 2\n3\n", "2 lines of numbers, the gold has 1"),
        ("a sentence less", "OK BAD\nOK\n", "1 2\n", "1 line of numbers, the gold has 2"),
        ("an empty sentence", "OK BAD\nOK\n", "\n1\n", "0 numbers in sentence"),
    ],
}  # fmt: skip
"""By metric: the name of a case, the gold's file, the submission's file, and what the refusal says."""
