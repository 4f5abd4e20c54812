"""Broken profiles in TOML, options and settings: the arguments of a command, and what a refusal must name."""

import os
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import frozen

from tests.fuzz.small_tasks import SEED

__all__ = ["PLAIN_RULES", "BrokenCommand", "broken_options", "broken_profiles", "broken_settings"]

PLAIN_RULES = """\
extends = "qe_sentence"
title = "Ours"
year = 2026
level = "sentence"
gold = "any number"
best = "high"
reader = "qe_plain"
missing = "error"
baselines = []
primary = "pearson"
secondary = ["spearman"]
across = "mean"
test = "williams"
sided = "two"
correction = "holm"
alpha = 0.05
strict = true
ranking = "not_worse_than_best"
source = "us"

[provenance]
read = ["title"]

[provenance.best]
certainty = "chosen"
note = "ours"
"""
"""A profile of one's own that sets every key."""


@frozen
class BrokenCommand:
    """A command with something wrong in it.

    Parameters
    ----------
    name : str
        What is wrong.
    arguments : sequence of str
    named : sequence of str
        A refusal must name one of these.
    prepare : callable of Path, optional
        Writes the files that the command names, below the working folder.
    undetectable : str
        Why other numbers are right.
    must_be_refused : bool
        Whether equal numbers are wrong too.
    """

    name: str
    arguments: Sequence[str]
    named: Sequence[str]
    prepare: Callable[[Path], object] = lambda folder: None
    undetectable: str = ""
    must_be_refused: bool = False


_VALUES = {
    "a whole number": "5",
    "a negative number": "-1",
    "a number with a point": "1.5",
    "nan": "nan",
    "inf": "inf",
    "a huge number": "1" + "0" * 5000,
    "true": "true",
    "an empty text": '""',
    "an unknown text": '"no_such_name"',
    "a text of blanks": '" \\t "',
    "a text with NUL": '"a\\u0000b"',
    "a text with a BOM": '"\\uFEFFpearson"',
    "a text with ESC": '"\\u001b[31m"',
    "a text of several lines": '"""a\\nb"""',
    "a long text": '"' + "x" * 10_000 + '"',
    "a call that is not closed": '"f_beta(beta=2"',
    "a call with a wrong parameter": '"f_beta(gamma=2)"',
    "deep calls": '"' + "f(" * 2000 + '"',
    "an empty list": "[]",
    "a list of numbers": "[1, 2]",
    "a list in a list": '[["pearson"]]',
    "a list that repeats": '["pearson", "pearson"]',
    "a deep list": "[" * 3000 + "]" * 3000,
    "a table": "{a = 1}",
    "a date": "2026-01-01",
}
_KEYS = tuple(line.split(" =")[0] for line in PLAIN_RULES.splitlines() if " = " in line and not line.startswith("["))[
    :19
]
_ANOTHER_RULE = "another valid rule gives other numbers"


def _rules_with(key: str, value: str) -> str:
    lines = PLAIN_RULES.splitlines()
    return "\n".join(f"{key} = {value}" if line.startswith(f"{key} =") else line for line in lines) + "\n"


_TEXTS = {
    "empty": "",
    "an unknown key": 'colour = "red"\n' + PLAIN_RULES,
    "a misspelled key": PLAIN_RULES.replace("primary", "primery"),
    "a key twice": "alpha = 0.1\n" + PLAIN_RULES,
    "a key without a value": PLAIN_RULES.replace("= 0.05", "="),
    "a quote that is not closed": PLAIN_RULES.replace('"Ours"', '"Ours'),
    "a table that is not closed": PLAIN_RULES.replace("[provenance]", "[provenance"),
    "an unknown table": PLAIN_RULES + "[rules]\na = 1\n",
    "deep tables": PLAIN_RULES + "[" + ".".join("a" * 3000) + "]\nb = 1\n",
    "deep provenance": PLAIN_RULES + "[provenance." + ".".join("a" * 500) + "]\nb = 1\n",
    "provenance of an unknown key": PLAIN_RULES
    + '[provenance.colour]\ncertainty = "chosen"\n',  # codespell:ignore colour
    "an unknown certainty": PLAIN_RULES.replace('"chosen"', '"guessed"'),
    "a list of tables": PLAIN_RULES + '[[provenance.alpha]]\nnote = "x"\n',
    "provenance is a number": PLAIN_RULES.partition("[provenance]")[0] + "provenance = 5\n",
    "provenance is a list": PLAIN_RULES.partition("[provenance]")[0] + "provenance = [1]\n",
    "extends and provenance alone": 'extends = "qe_sentence"\nprovenance = 5\n',
    "extends an unknown profile": _rules_with("extends", '"no_such_profile"'),
    "extends a path": _rules_with("extends", '"./p.toml"'),
    "extends itself": _rules_with("extends", '"p"'),
    "extends nothing": PLAIN_RULES.replace('extends = "qe_sentence"\n', ""),
    "extends another kind": _rules_with("extends", '"wmt23_metrics_system"'),
    "a very long key": "k" * 100_000 + " = 1\n" + PLAIN_RULES,
    "a metric of another kind": _rules_with("primary", '"mcc"'),
    "the primary metric among the secondary ones": _rules_with("secondary", '["pearson"]'),
    "a test that the metric does not allow": _rules_with("test", '"sign"'),
    "draws that are negative": _rules_with("test", '"bootstrap(draws=-1)"'),
    "draws that are none": _rules_with("test", '"bootstrap(draws=0)"'),
    "draws that are no number": _rules_with("test", '"bootstrap(draws=many)"'),
    "JSON": '{"primary": "pearson"}',
    "full-width digits": PLAIN_RULES.replace("0.05", "０.０５"),
    "a baseline that is not here": _rules_with("baselines", '["nobody"]'),
    "NUL": PLAIN_RULES + "\0",
    "CR alone": PLAIN_RULES.replace("\n", "\r"),
}
_VALID_RULES = {"extends nothing", "extends another kind", "the primary metric among the secondary ones"}
"""Rules that are allowed, though they are odd."""
_BYTES = {
    "a BOM": b"\xef\xbb\xbf" + PLAIN_RULES.encode(),
    "not UTF-8": PLAIN_RULES.encode() + b"# \xff\n",
    "UTF-16": PLAIN_RULES.encode("utf-16"),
    "CRLF": PLAIN_RULES.replace("\n", "\r\n").encode(),
    "bytes at random": bytes(range(256)) * 8,
}


def broken_profiles() -> Iterator[BrokenCommand]:
    """Yield commands with a broken profile ``p.toml``."""
    command = ("run", "p.toml", "t", "--json")

    def of(name: str, content: bytes, named: Sequence[str] = (), undetectable: str = "") -> BrokenCommand:
        def write(folder: Path) -> None:
            (folder / "p.toml").write_bytes(content)

        refused = name == "a baseline that is not here"
        return BrokenCommand(f"profile: {name}", command, ("p.toml", *named), write, undetectable, refused)

    for what, value in _VALUES.items():
        for key in random.Random(f"{SEED} {what}").sample(_KEYS, 7):
            yield of(f"{key} is {what}", _rules_with(key, value).encode(), (key,), _ANOTHER_RULE)
    for name, text in _TEXTS.items():
        yield of(name, text.encode(), ("extends",), _ANOTHER_RULE if name in _VALID_RULES else "")
    for name, content in _BYTES.items():
        yield of(name, content)
    for at in range(0, len(PLAIN_RULES), 19):
        yield of(f"cut after {at} characters", PLAIN_RULES[:at].encode(), (), _ANOTHER_RULE)
    for at in range(4, len(PLAIN_RULES), 19):
        changed = PLAIN_RULES[:at] + "]" + PLAIN_RULES[at + 1 :]
        yield of(f"a bracket at character {at}", changed.encode(), _KEYS, _ANOTHER_RULE)
    for name, put in _ENTRIES.items():
        yield BrokenCommand(f"profile: {name}", command, ("p.toml",), lambda folder, put=put: put(folder / "p.toml"))


_ENTRIES: dict[str, Callable[[Path], object]] = {
    "missing": lambda path: None,
    "a folder": lambda path: path.mkdir(),
    "a dangling link": lambda path: path.symlink_to("nowhere"),
    "a looping link": lambda path: path.symlink_to(path.name),
    "a FIFO that nobody writes": lambda path: os.mkfifo(path),
}

_WRONG_SETTINGS = (
    "", "=", "alpha", "=5", " =5", "alpha=", "alpha=x", "alpha=0,05", "alpha=nan", "alpha=inf", "alpha=-1",
    "alpha=2", "alpha=０.０５", "alpha=0_1", "alpha=1e-400", "alpha=[0.05]", "alpha='0.05'",
    "alpha=0.05\nstrict=false", "alpha=0.05;1", "alfa=0.05", "\ufeffalpha=0.05", "alpha\u00a0=0.05", "ALPHA=0.05",
    "alpha =\u00a00.05", "alpha=0.05\x1b[31m", "primary=", "primary=persn", "primary=pearson()", "primary=pearson(",
    "primary=pearson)", "primary=pearson(a=1)", "primary=pearson spearman", "primary=[pearson, mae]", "primary=mcc",
    "primary=\ufeffpearson", "primary=pearson\u200b", "primary=" + "x" * 10_000, "primary=" + "f(" * 3000,
    "secondary=[", "secondary=]", "secondary=[[]]", "secondary=,", "secondary=spearman,,mae", "secondary=mae,mae",
    "secondary=pearson", "secondary=" + "[" * 3000, "secondary=5", "test=williams(x=1)", "test=bootstrap(draws=-1)",
    "test=bootstrap(draws=0)", "test=bootstrap(draws=1.5)", "test=bootstrap(draws=１００)",
    "test=bootstrap(draws=1_000)", "test=bootstrap(draws=nan)", "test=bootstrap(draws=)",
    "test=bootstrap(draws=100, draws=200)", "test=bootstrap(100)", "test=nothing", "test=5", "correction=none ",
    "correction=x", "sided=three", "sided=", "sided=1", "strict=maybe", "strict=1", "strict=True", "best=higher",
    "best=", "missing=ignore", "reader=", "reader=qe_plane", "reader=tag_lines",
    "reader=qe_sentence(header_lines=-1)", "reader=qe_sentence(header_lines=x)", "reader=mtme",
    "reader=rankings(level=doc)", "reader=wmt20_darr(threshold=nan)", "reader=wmt20_darr(threshold=-1)",
    "reader=qe_sentence(header_lines=10**9)", "reader=graham_table(score=5)",
    "baselines=nobody", "baselines=[5]", "baselines=good,nobody", "baselines=", "weights={nobody=1}",
    "weights={t=-1}", "weights={t=nan}", "weights={t=0}", "weights=5", "computed=chrf", "computed=nothing",
    "computed=[1]", "across=mean(", "across=x", "ranking=best", "ranking=5", "provenance=5", "extends=qe_word",
    "title=5", "year=soon", "level=", "name=x", "beta=2", "draws=10",
)  # fmt: skip
_VALID_SETTINGS = {
    **dict.fromkeys(("alpha=", "secondary=pearson", "secondary=mae,mae"), _ANOTHER_RULE),
    **dict.fromkeys(("primary=pearson()", "correction=none ", "test=bootstrap(draws=100, draws=200)"), _ANOTHER_RULE),
    **dict.fromkeys(("title=5", "level="), _ANOTHER_RULE),
    "test=bootstrap(draws=1_000)": "values are TOML, which allows an underscore between digits",
}
_UNMATCHED = {"baselines=nobody", "baselines=good,nobody", "weights={nobody=1}", "computed=chrf"}
"""Settings with a name that matches nothing in the task."""


def broken_settings() -> Iterator[BrokenCommand]:
    """Yield commands with a broken ``--set``."""
    for setting in _WRONG_SETTINGS:
        key = setting.partition("=")[0].strip("\ufeff\u00a0 ")
        shown = ascii(setting if len(setting) < 60 else f"{setting[:20]}...")
        named = [part for part in (key, "setting", "profile", "KEY=VALUE", "t:", "t/", "metric") if part]
        arguments = ("run", "qe_sentence", "t", "--json", "--set", setting)
        reason = _VALID_SETTINGS.get(setting, "")
        refused = setting in _UNMATCHED
        yield BrokenCommand(f"--set: {shown}", arguments, named, undetectable=reason, must_be_refused=refused)


_NO_COUNTS = (
    "", " ", "x", "-1", "1.5", "1e3", "0x10", "1_000", "１０", "٣", "²", "nan", "+ 1", "1 ", "\ufeff1", "1\u00a0",
    "9" * 5000,
)  # fmt: skip


def broken_options() -> Iterator[BrokenCommand]:
    """Yield commands with broken options and paths."""
    run = ("run", "qe_sentence", "t", "--json")
    for option in ("--seed", "--workers"):
        for text in (*_NO_COUNTS, *(("0",) if option == "--workers" else ())):
            shown = ascii(text if len(text) < 40 else text[:3] + "...")
            yield BrokenCommand(f"{option} {shown}", (*run, option, text), (option,))
    for option in ("--sed", "--seed", "--out", "--set", "--worker", "-x", "--json=yes", "--quiet=1", "--", "extra"):
        yield BrokenCommand(f"option {option}", (*run, option), (option, "--help"))
    for name, (path, put) in _PATHS.items():
        yield BrokenCommand(f"path: {name}", ("run", "qe_sentence", path, "--json"), (path[:200], "path"), put)
        if name not in {"missing", "long"}:
            yield BrokenCommand(f"--out: {name}", (*run, "--out", path), (path[:200], "path", "--out"), put)
        score = ("score", "pearson", "t/gold.txt", path, "--json")
        yield BrokenCommand(f"score: {name}", score, (path[:200], "path", "--help"), put)
    for command in ("rn", "", "RUN", "run\u200b", "--versoin"):
        yield BrokenCommand(f"command {command!a}", (command,), ("command", "option", "qeframe"))
    names = ("", "qe_sentense", "qe_sentence.toml", "\ufeffqe_sentence", "x" * 5000, "a/../b", "p\n", "p\x1b[31m", "t")
    for profile in names:
        shown = ascii(profile[:30])
        yield BrokenCommand(f"profile named {shown}", ("run", profile, "t", "--json"), ("profile", "t", profile[:200]))


def _in(name: str, put: Callable[[Path], object]) -> Callable[[Path], object]:
    return lambda folder: put(folder / name)


_PATHS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "empty": ("", lambda folder: None),
    "missing": ("nowhere", lambda folder: None),
    "below a file": ("t/gold.txt/x", lambda folder: None),
    "long": ("x" * 5000, lambda folder: None),
    "long parts": ("/".join(["x" * 300] * 3), lambda folder: None),
    "a dangling link": ("link", _in("link", lambda path: path.symlink_to("nowhere"))),
    "a looping link": ("link", _in("link", lambda path: path.symlink_to(path.name))),
    "a device": ("/dev/null", lambda folder: None),
    "a FIFO that nobody writes": ("pipe", _in("pipe", lambda path: os.mkfifo(path))),
}
