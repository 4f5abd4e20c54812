"""Remedies are followed by a program that reads the printed message: the result is right, or refused again.

The remedies are collected from the sources. One that names a setting with its value and has no entry here fails the
test, as does an entry whose remedy is gone. One that names a parameter without a value names one that there is; those
that name an option are followed in `test_option_remedies`. One that says to remove a line, or to keep one of several,
is followed on broken files of all small tasks.
"""

import ast
import inspect
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import click
import pytest
from attrs import evolve, frozen

from qeframe.cli.app import app
from qeframe.core.calls import Parametric
from qeframe.core.reader import Reader
from tests.fuzz.breakages import JUDGMENTS, Breakage, breakages_of
from tests.fuzz.detection_tasks import DETECTION_TASKS
from tests.fuzz.json_tasks import JSON_TASKS
from tests.fuzz.rating_tasks import RATING_TASKS
from tests.fuzz.small_tasks import SMALL_TASKS, SmallTask
from tests.fuzz.test_broken_input import lay_out
from tests.fuzz.verdicts import Outcome, outcome_of

ROOT = Path(__file__).parents[2]
TASKS: Mapping[str, SmallTask] = {**SMALL_TASKS, **DETECTION_TASKS, **RATING_TASKS, **JSON_TASKS}
Edit = Callable[[str], str]

_SETTING = re.compile(r"(?<!<seg )\b[a-z_]+\+?=\S|set \{\}")
"""A setting with its value: what is printed can be applied without a choice of one's own."""
_PRINTED = re.compile(r"(leave out )?([a-z_]+)(\+?=)(\{[^}]*\}|\[[^\]]*\]|[\w.]+(?:\([^)]*\))?)")


@cache
def remedies() -> dict[str, str]:
    """Return every remedy in the sources, with ``{}`` for what is filled in, and the first place of each."""
    found: dict[str, str] = {}
    folders = [file.parent for file in (ROOT / "qeframe/__init__.py", *ROOT.glob("plugins/*/__init__.py"))]
    for path in sorted(path for folder in folders for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword | ast.Assign) and {"remedy", "setting"} & {*_names(node)}:
                for text in _texts(node.value):
                    found.setdefault(text, f"{path.relative_to(ROOT)}:{node.value.lineno}")
    return found


def _names(node: ast.keyword | ast.Assign) -> list[str]:
    return [node.arg or ""] if isinstance(node, ast.keyword) else [getattr(each, "id", "") for each in node.targets]


def _texts(value: ast.expr) -> list[str]:
    """Return the texts that an expression may be."""
    if isinstance(value, ast.Constant):
        return [value.value] if isinstance(value.value, str) and value.value else []
    if isinstance(value, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in value.values)]
    if isinstance(value, ast.IfExp):
        return [*_texts(value.body), *_texts(value.orelse)]
    if isinstance(value, ast.Call):
        return [text for argument in value.args for text in _texts(argument)]
    if isinstance(value, ast.BinOp):
        return ["".join(each) for each in [(a, b) for a in _texts(value.left) for b in _texts(value.right)]]
    return []


@frozen(kw_only=True)
class Case:
    """A broken input whose message prints a remedy.

    Parameters
    ----------
    task : str
        A small task.
    reader : str
        The reader of the broken run, if it is another one than that of the task.
    settings : sequence of str
        Further rules of the broken run.
    edits : mapping of str to callable
        How the text of a file is broken; of one that is not there from an empty text.
    right : mapping of str to callable
        How the files look from which the right numbers come, by the reader of the task; by default as they were.
    by : sequence of str
        Rules of the right run; None: of the broken one, since the setting is a matter of what is asked for.
    only : str
        The printed setting that is applied; by default each, one after the other.
    """

    task: str
    reader: str = ""
    settings: Sequence[str] = ()
    edits: Mapping[str, Edit] = {}
    right: Mapping[str, Edit] = {}
    by: Sequence[str] = ()
    only: str = ""


def without_lines(count: int) -> Edit:
    return lambda text: "".join(text.splitlines(keepends=True)[count:])


def without_line(line: int) -> Edit:
    return lambda text: "".join(text.splitlines(keepends=True)[: line - 1] + text.splitlines(keepends=True)[line:])


def replaced(old: str, new: str) -> Edit:
    return lambda text: text.replace(old, new, 1)


def content_of(task: str, file: str) -> Edit:
    return lambda _: TASKS[task].files[file]


def added_line(line: int, change: Edit = str) -> Edit:
    """Add a line again at the end, changed."""
    return lambda text: text + change(text.splitlines(keepends=True)[line - 1])


GOOD, FAIR, GOLD = "submissions/good.txt", "submissions/fair.txt", "gold.txt"


def both(edit: Edit) -> dict[str, Edit]:
    return {GOOD: edit, FAIR: edit}


def metric(of: str, *, broken: str, right: str, task: str = "qe_detection") -> Case:
    return Case(task=task, settings=(f"primary={of}({broken})",), by=(f"primary={of}({right})",))


_IDS = both(without_line(2)) | {GOLD: without_line(2)}
_MQM = "human-scores/en-de.mqm.seg.score"
MADE_OF_PARTS = "{} or {} to go on without it"
"""The remedy for missing units, whose parts are what the user writes: an option, an argument or a rule."""

CASES: Mapping[str, Sequence[Case]] = {
    "set header_lines={} in the reader {}": [
        Case(task="qe_sentence", edits=both(without_lines(2))),
        Case(task="qe_sentence", reader="qe_sentence(gold_missing=0.205)", edits=both(without_lines(2)),
             by=("reader=qe_sentence(gold_missing=0.205)",)),
    ],
    "set {} in the reader {}": [
        Case(task="word_columns_2020", reader="word_columns_2020(compare=no)", edits=both(without_lines(3)))
    ],
    "use reader={}": [
        Case(task="tag_lines", reader="word_columns_2015"),
        Case(task="word_columns_2015", reader="tag_lines"),
    ],
    "set repeated=add in the reader": [
        Case(task="mqm_ratings-table", edits={"ratings.tsv": added_line(2)},
             right={"ratings.tsv": added_line(2, replaced("Die", "die"))})
    ],
    "set points=weights in the reader": [Case(task="mqm_ratings-table", reader="mqm_ratings(points=stated)")],
    "choose one, gold={}": [
        Case(task="mtme", settings=("primaries=all",),
             edits={"human-scores/en-de.other.seg.score": content_of("mtme", _MQM)}, by=("primaries=all",))
    ],
    "Give references={{}=": [
        Case(task="mtme", reader='mtme(references={en-de="refZ"})', settings=("primaries=all",), by=("primaries=all",))
    ],
    "set primaries=all, or name them in primaries": [Case(task="mtme", settings=("primaries=[nothing]",))],
    "leave out units, or set level=sys": [
        Case(task="mtme-systems", reader="mtme(units=systems)", by=("reader=mtme(level=sys, units=systems)",))
    ],
    'set published=["task1_da"] in the reader': [Case(task="qe_sentence", reader="qe_sentence(track=multilingual)")],
    "mark characters of the text, or set beyond=clip in the reader": [
        Case(task="spans_2023", edits={GOOD: replaced("4 6", "4 99")}, right={GOOD: replaced("4 6", "4 9")})
    ],
    "mark the translation of the gold, or set compare=no in the reader": [
        Case(task="spans_2023", edits={GOOD: replaced("Haus", "haus")})
    ],
    "give spans of an error that do not overlap, or set overlapping=drop in the reader": [
        Case(task="document_annotations", edits={GOOD: replaced("0 0\t1 9\t3 2", "0 0\t1 2\t3 2")},
             right={GOOD: without_line(2)})
    ],
    "change least_score, or set one_class=keep in the reader": [
        Case(task="wmt26_error_free-esa", settings=("least_score=101",),
             by=("reader=wmt26_error_free(least_score=101, one_class=keep)",))
    ],
    "or set scale=any in the reader": [
        Case(
            task="wmt26_scores-esa",
            edits={
                "submissions/one.jsonl": lambda text: re.sub(r"(task2_pred.*?: )(\d+)", r"\g<1>1\g<2>0", text, count=1)
            },
            right={
                "submissions/one.jsonl": lambda text: re.sub(r"(task2_pred.*?: )(\d+)", r"\g<1>1\g<2>0", text, count=1)
            },
            by=("reader=wmt26_scores(scale=any)",),
        )
    ],
    "set compare=case_insensitive or compare=no in the reader": [
        Case(task="word_columns_2015", edits={GOOD: replaced("Haus", "haus")}),
        Case(task="word_columns_2015", edits={GOOD: replaced("Haus", "Maus")}),
    ],
    "set layout=words_and_gaps, or leave stream out": [Case(task="tag_lines-gaps", reader="tag_lines(stream=words)")],
    "give the tags of the gaps too, or set layout=words": [
        Case(task="tag_lines", reader="tag_lines(layout=words_and_gaps)"),
        Case(task="tag_lines", reader="tag_lines(layout=words_and_gaps, stream=words)"),
    ],
    "set stream={} in the reader": [Case(task="word_columns_2020", reader="word_columns_2020(stream=gaps)")],
    "leave out positive=low": [
        Case(task="qe_detection-classes", reader="qe_detection(header_lines=2, answers=classes, positive=low)")
    ],
    "leave out segments=ids or gold_positive": [
        Case(task="qe_detection", reader="qe_detection(segments=ids, gold_positive=1)")
    ],
    "set bins=10": [metric("ece", broken="bins=0", right="bins=10")],
    "set folds=2": [metric("detection_f1", broken="folds=1", right="folds=2")],
    "set precision=0.9": [metric("recall_at_precision", broken="precision=0", right="precision=0.9")],
    "set k=0.1 or k=100": [
        evolve(metric("recall_at_k", broken="k=0", right=value), only=value) for value in ("k=0.1", "k=100")
    ],
    MADE_OF_PARTS: [
        Case(task="qe_plain-ids", edits={GOOD: without_line(2)}, right=_IDS, only="missing=drop_for_all"),
        Case(task="qe_plain-ids", edits={GOOD: without_line(2)},
             right={GOOD: lambda text: re.sub(r"(?m)^2 .*", "2 0.797", text)}, only="missing=score_as_worst"),
        Case(task="qe_plain-ids", edits={GOOD: lambda text: text + "9 0.5\n"}),
        Case(task="spans_2023", edits={GOOD: without_line(5)},
             right={GOOD: without_line(5), GOLD: without_line(3), FAIR: without_line(5)}),
    ],
    "or set computed=[]": [Case(task="rankings", settings=('computed=["wer"]',), by=())],
}  # fmt: skip
"""By what identifies a remedy: cases whose broken run prints it."""

ELSEWHERE: Mapping[str, str] = {
    "decisions are 0 or 1: threshold=0.5": "a number that is not finite, which no profile can state",
    "give order with replicate=official only": "a parameter to take out or to join by another, of the caller's choice",
    "matching=greedy": "an exponent below 1 has one meaning only, tested where GTM is",
    "no reference is set for": "scores with two references: tested where mtme files are read",
    "frame.drop(columns={})": "an argument of Python, tested with data frames",
    "leave the system out for all": "an argument of Python, tested with data frames",
    "scheme=equal": "weights of sections that are not in the file: tested where preferences are",
    "outliers+=[{}]": "tested where outliers are left out",
    "outliers=keep in the reader": "a language pair whose systems are all outliers: tested where outliers are",
    "mark characters of the text, or set beyond='clip'": "an argument of Python, tested with the spans of Python",
    "or, for edits alone, --set": "a submission without scores: followed where corrections are read",
    "use the reader of '{}' for all": "a table of several profiles, tested with the command sensitivity",
    "set one, such as --set test=jackknife": "an option, followed in test_option_remedies",
    "give interval=": "an argument of Python",
    "name one: task=": "an argument of a figure",
    "give the task with its data: task=": "an argument of a figure",
    "write wins=trueskill(runs=10)": "a parameter of the model, whatever the files: tested where TrueSkill is",
    "set {}={}": "a parameter of the model, whatever the files: tested where TrueSkill is",
    "set draw_rate=0.25": "a parameter of the model, whatever the files: tested where TrueSkill is",
    "set share=0.1": "a parameter of the metric, whatever the files: tested where tails are",
    "name a file, or set files=": "a folder without tables: files by a pattern are tested where such tables are read",
    "name it: --set gold=": "a table of one's own, followed in test_option_remedies",
    "name it: --set system=": "a table of one's own, followed in test_option_remedies",
    "name them: --set submissions=": "a table of one's own, followed in test_option_remedies",
    "or name the ids: --set unit=": "a system that comes back, tested where such tables are read",
    "set names=[unit, score], one name": "files without names of columns, tested where such tables are read",
    'or set no_error=[""] in the reader': "an empty severity, followed where ratings are read",
    "known_weaknesses={ATTACK: INDEX}": "what an author declares in Python",
}
"""Remedies with a value that no broken file of a small task leads to, and why they change no number of a run."""


def command(case: Case, reader: str, settings: Sequence[str]) -> list[str]:
    task = TASKS[case.task]
    if not task.profile:
        return ["ratings", reader, f"t/{next(iter(task.files))}", "--json"]
    rules = {rule.partition("=")[0]: rule for rule in (*task.settings, *settings)}
    rules = {"reader": f"reader={reader}", **rules}
    return ["run", task.profile, "t", "--json", *(part for rule in rules.values() for part in ("--set", rule))]


def ran(case: Case, edits: Mapping[str, Edit], reader: str, settings: Sequence[str]) -> Outcome:
    shutil.rmtree("t", ignore_errors=True)
    for name in {*TASKS[case.task].files, *edits}:
        path = Path("t", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = TASKS[case.task].files.get(name, "")
        path.write_text(edits[name](text) if name in edits else text, encoding="utf-8")
    return outcome_of(command(case, reader, settings))


def with_parameter(call: str, name: str, value: str | None) -> str:
    """Return a call with a parameter set, or taken out."""
    head, _, rest = call.partition("(")
    old = re.findall(r"([a-z_]+=(?:\{[^}]*\}|\[[^\]]*\]|[^,\[{]+))(?:, |$)", rest.removesuffix(")"))
    kept = [each for each in old if each.partition("=")[0] != name]
    parameters = [*kept, *([] if value is None else [f"{name}={value}"])]
    return f"{head}({', '.join(parameters)})" if parameters else head


def applications(case: Case, message: str) -> dict[str, tuple[str, list[str]]]:
    """Return each printed setting with the reader and the settings of the run that follows it."""
    reader, settings = case.reader or TASKS[case.task].reader, list(case.settings)
    found: dict[str, tuple[str, list[str]]] = {}
    for out, name, _, value in _PRINTED.findall(message.partition("; ")[2]):
        primary = next((each for each in settings if each.startswith("primary=") and f"({name}=" in each), "")
        if name == "reader":
            found[f"{name}={value}"] = value, settings
        elif primary:
            changed = [with_parameter(each, name, value) if each == primary else each for each in settings]
            found[f"{name}={value}"] = reader, changed
        elif name in {"missing", "computed"}:
            others = [each for each in settings if not each.startswith(f"{name}=")]
            found[f"{name}={value}"] = reader, [*others, f"{name}={value}"]
        else:
            others = [each for each in settings if not each.startswith(f"{name}=")]
            found[f"{name}={value}"] = with_parameter(reader, name, None if out else value), others
    return {setting: how for setting, how in found.items() if not case.only or setting == case.only}


def test_every_remedy_that_names_a_setting_is_followed_here():
    named = {text: place for text, place in remedies().items() if _SETTING.search(text)}
    lacking = [
        f"{place}: {text}" for text, place in named.items() if not any(each in text for each in (*CASES, *ELSEWHERE))
    ]
    assert lacking == [], "give the remedy a case, or the reason why it needs none"
    gone = [each for each in (*CASES, *ELSEWHERE) if not any(each in text for text in remedies())]
    assert gone == [MADE_OF_PARTS], "take the entry out"


def test_options_and_parameters_in_remedies_exist(registry):
    found = remedies()
    options = set(_options(app))
    parameters = {name for entry in registry.tables[Reader].values() for name in _parameters(entry.component)}
    for text, place in found.items():
        for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", text):
            assert option in options, f"{place}: {text}"
        for name in re.findall(r"\bset ([a-z_]+)[^;]* in the reader", text):
            assert name in parameters, f"{place}: {text}"


def _options(command: click.Command) -> Iterator[str]:
    """Yield the options of a command and of all commands below it."""
    for parameter in command.params:
        yield from (*parameter.opts, *parameter.secondary_opts)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            yield from _options(below) if below else ()


def _parameters(reader: Reader | Parametric[Reader]) -> Sequence[str]:
    return list(inspect.signature(reader.build).parameters) if isinstance(reader, Parametric) else []


@pytest.mark.parametrize(("remedy", "case"), [(remedy, case) for remedy, cases in CASES.items() for case in cases])
def test_a_remedy_that_is_followed_is_right_or_refused(remedy, case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reader = TASKS[case.task].reader
    broken = ran(case, case.edits, case.reader or reader, case.settings)
    assert broken.status == 2, broken
    assert re.search(re.escape(remedy).replace(re.escape("{}"), ".*"), broken.err), broken.err
    followed = applications(case, broken.err)
    assert followed, broken.err
    outcomes = {setting: ran(case, case.edits, *how) for setting, how in followed.items()}
    by = {rule.partition("=")[0]: rule for rule in case.by}
    right = ran(case, case.right, by.pop("reader", f"reader={reader}").removeprefix("reader="), list(by.values()))
    assert right.status == 0, right
    for setting, outcome in outcomes.items():
        assert outcome.status in {0, 2}, (setting, outcome)
        if outcome.status == 0:
            assert outcome.numbers == right.numbers, setting
        else:
            assert outcome.err.startswith("qeframe: "), setting


_AT = re.compile(r"qeframe: t/(.+?):(\d+): ")
_TAKE_OUT = re.compile(r"remove it|remove the line|keep one|keep them once|take it out")
_REPEATED = re.compile(r"lines (\d+) to (\d+) repeat")


def taken_out(message: str) -> str:
    """Take out the line that a message names, or the lines that repeat others; return the file."""
    found = _AT.match(message)
    assert found
    path, line = Path("t", found[1]), int(found[2])
    repeated = _REPEATED.search(message)
    last = int(repeated[2]) if repeated else line
    lines = path.read_text("utf-8", "replace").split("\n")
    path.write_text("\n".join(lines[: line - 1] + lines[last:]), encoding="utf-8")
    return found[1]


def follow_removals(task: SmallTask, breakages: Sequence[Breakage], write: Callable[[], None]) -> dict[str, list[str]]:
    """Follow the advice to take out a line, on broken files of a task; return the breakages by what came of it."""
    write()
    usual = outcome_of(task.command("t"))
    came: dict[str, list[str]] = {"right": [], "refused": [], "another task": [], "other numbers": []}
    for breakage in breakages:
        write()
        breakage.apply(Path("t"))
        broken = outcome_of(task.command("t"))
        at, remedy = _AT.match(broken.err), broken.err.partition("; ")[2]
        if broken.status != 2 or not at or not _TAKE_OUT.search(remedy) or "byte-order mark" in broken.err:
            continue
        file = taken_out(broken.err)
        outcome = outcome_of(task.command("t"))
        told = f"{task.name} | {breakage.name}: {broken.err.strip()} [{file}] -> {(outcome.out or outcome.err)[:80]}"
        same = outcome.status == 0 and outcome.numbers == usual.numbers
        another = JUDGMENTS.search(file) or task.reader.startswith("document_annotations")
        what = "right" if same else "refused" if outcome.status == 2 else "another task" if another else "other numbers"
        came[what].append(told)
    return came


@pytest.mark.matrix
@pytest.mark.parametrize("name", [*SMALL_TASKS, *DETECTION_TASKS, *RATING_TASKS])
def test_a_line_that_is_taken_out_as_advised(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QEFRAME_PIPE_SECONDS", "1")
    task = TASKS[name]
    assert follow_removals(task, breakages_of(task), lambda: lay_out(task))["other numbers"] == []
