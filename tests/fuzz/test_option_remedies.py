"""Remedies that name an option of the command line are followed: the result is right, or refused again.

The remedies are collected from the sources, as in `test_remedies`. One that has neither a case nor a reason here fails
the test, as does an entry whose remedy is gone.
"""

import json
import re
import shlex
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from tests.fuzz.test_remedies import TASKS, remedies
from tests.fuzz.verdicts import Outcome, outcome_of
from tests.written import write_files

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
Change = Callable[[list[str], str], list[str]]
"""From the arguments of a command, and what it printed, to the arguments of the command that follows the remedy."""


def adding(*more: str) -> Change:
    return lambda arguments, _: [*arguments, *more]


def without(option: str, values: int) -> Change:
    def change(arguments: list[str], _: str) -> list[str]:
        at = arguments.index(option)
        return arguments[:at] + arguments[at + 1 + values :]

    return change


def replacing(option: str, *values: str) -> Change:
    """Give an option other values."""
    return lambda arguments, said: [*without(option, len(values))(arguments, said), option, *values]


def printed(pattern: str, option: str = "") -> Change:
    """Set an option to what the message prints, or add the options that it prints."""

    def change(arguments: list[str], said: str) -> list[str]:
        found = re.search(pattern, said)
        assert found, said
        old = without(option, 1)(arguments, said) if option in arguments else arguments
        return [*old, option, found[1]] if option else [*old, *shlex.split(found[1])]

    return change


def files_of(task: str, folder: str = "t", **changed: str) -> dict[str, str]:
    return {
        f"{folder}/{name}": changed.get(name.split("/")[-1].split(".")[0], text)
        for name, text in TASKS[task].files.items()
    }


PLAIN = files_of("qe_plain")


@frozen
class Case:
    """A command whose message prints a remedy.

    Parameters
    ----------
    remedy : str
        What identifies the remedy.
    broken : str
    change : callable
        How the remedy is followed.
    files : mapping of str to str
    before : sequence of str or callable
        What precedes the broken command.
    after : sequence of str
        Commands after the one that follows the remedy, of which the last one prints the result.
    right : sequence of str
        Commands in a folder with the files alone, of which the last one prints the right result; none where the
        command that follows the remedy must be refused.
    result : callable
        What is compared, from what was printed.
    """

    remedy: str
    broken: str
    change: Change
    files: Mapping[str, str] = PLAIN
    before: Sequence[str | Callable[[], object]] = ()
    after: Sequence[str] = ()
    right: Sequence[str] = ()
    result: Callable[[str], Any] = json.loads


ROWS = "".join(f"{i},{s},{(3 * i) % 7},{(5 * i + len(s)) % 8},{(2 * i) % 5}\n" for s in ("X", "YY") for i in range(8))
TABLE = "run {} t.csv --set test= --set interval= --json --quiet"


def table_case(remedy: str, profile: str, header: str, setting: str, *, usual: str = "", broken: str = "") -> Case:
    """Follow a remedy on a table, whose result is that of a table with the usual names of columns."""
    command = TABLE.format(profile)
    return Case(
        remedy,
        f"{command} {broken}".strip(),
        adding("--set", setting),
        files={"t.csv": f"{header}\n{ROWS}", "right/t.csv": f"{usual or header}\n{ROWS}"},
        right=(command.replace("t.csv", "right/t.csv"),),
        result=lambda out: [next(iter(of["scores"].values()))["value"] for of in json.loads(out)["submissions"]],
    )


OTHER = files_of("qe_plain", "u", good=TASKS["qe_plain"].files["submissions/fair.txt"])
RUN = "run qe_sentence t --set reader=qe_plain --set test="
GATE = "--fail-if-worse-than 9 --json"
RANKINGS = files_of("rankings-texts")
GERMAN = {name.replace("cs-en", "de-en"): text for name, text in RANKINGS.items()}
BOTH = GERMAN | RANKINGS
BOTH["t/rankings.csv"] += RANKINGS["t/rankings.csv"].partition("\n")[2].replace("Czech", "German")
CORRELATE = "correlate t --metric wer --sizes 1,2 --draws 20 --json"
WORDS = {name: 20 * text for name, text in files_of("tag_lines").items()}
MORE_BAD = WORDS | {"t/submissions/good.txt": WORDS["t/submissions/fair.txt"]}
SAMPLING = "distinguish qe_word t --set reader=tag_lines --by-sampling --draws 20 --metric mcc --json"
SET = files_of("wmt26_scores-esa")
RUN_SET = f"run wmt26_task2 t --set 'reader={TASKS['wmt26_scores-esa'].reader}' --set least=2"
RATINGS = files_of("mqm_ratings-table")
RATE = f"ratings '{TASKS['mqm_ratings-table'].reader}' {next(iter(RATINGS))}"
LINES = {"a.txt": "a b\nc d\ne f\n", "r.txt": "a\nc x d\nf e\n", "a3.txt": "e f\n", "r3.txt": "f e\n"}


def judgments(out: str) -> Any:
    return sorted((each["submission"], each["loss"], each["worse"]) for each in json.loads(out)["judgments"])


def judgment_of_good(out: str) -> Any:
    return [each for each in judgments(out) if each[0] == "good"]


def scores(out: str) -> Any:
    return Outcome(0, out, "").numbers


def content(path: str) -> Callable[[str], Any]:
    """Return what compares files in place of what was printed: those of a folder or an archive, or one."""

    def read(_: str) -> Any:
        place = Path(path)
        if place.is_dir():
            return {each.relative_to(place): each.read_bytes() for each in place.rglob("*") if each.is_file()}
        if place.suffix != ".zip":
            return place.read_bytes()
        with zipfile.ZipFile(place) as archive:
            return {name: archive.read(name) for name in archive.namelist() if name.startswith("reference_data/")}

    return read


CASES: Sequence[Case] = [
    table_case("name it: --set gold={}", "qe", "id,system,gold,label,A", "gold=gold", usual="id,system,gold,B,A"),
    table_case("name it: --set gold=COLUMN", "qe", "id,system,people,B,A", "gold=people", usual="id,system,human,B,A"),
    table_case("name it: --set system=COLUMN", "metrics", "id,mt,gold,B,A", "system=mt", usual="id,system,gold,B,A"),
    table_case("name them: --set submissions=", "qe", "id,sys,gold,B,A", "submissions=B,A", broken="--set ignored=B,A"),
    Case("choose one by --task: {}", CORRELATE, printed(r"--task: (\S+),", "--task"), files=BOTH,
         right=[f"{CORRELATE} --task cs-en"]),
    Case(
        "add --fail-if-worse-than LOSS",
        "diff old new --submission good --json",
        adding("--fail-if-worse-than", "9"),
        files=PLAIN | OTHER,
        before=[f"{RUN} --out old", f"{RUN.replace(' t ', ' u ')} --out new"],
        right=[f"{RUN} --out old", f"{RUN.replace(' t ', ' u ')} --out new", f"diff old new {GATE}"],
        result=judgment_of_good,
    ),
    Case(
        "name its file: --profile FILE.toml",
        f"diff old old --data t t {GATE}",
        adding("--profile", "my.toml"),
        files=PLAIN | {"my.toml": 'extends = "qe_sentence"\ntitle = "Mine"\nreader = "qe_plain"\n'},
        before=["run my.toml t --out old"],
        right=["run qe_sentence t --set reader=qe_plain --out old", f"diff old old --data t t {GATE}"],
        result=judgments,
    ),
    Case("choose another by --segment", "grid a.txt r.txt --segment 9", replacing("--segment", "3"), files=LINES,
         right=["grid a3.txt r3.txt"], result=lambda out: out.partition("\n")[2]),
    Case("name another folder for --out", f"{RATE} --out made", replacing("--out", "other"), files=RATINGS,
         before=[f"{RATE} --out other", lambda: Path("other").rename("made")], right=[f"{RATE} --out other"],
         result=content("other")),
    Case("name another folder for --out", f"{RATE} --out {next(iter(RATINGS))}", replacing("--out", "other"),
         files=RATINGS, right=[f"{RATE} --out other"], result=content("other")),
    Case("name the folder that holds the data with --data", "reproduce --data t/gold.txt", replacing("--data", "t")),
    Case("name their folder with --data", "reproduce wmt12_metrics_pairs", adding("--data", "t")),
    Case("'qeframe fetch' lists the data; --data names a folder that holds them", "reproduce --data t/submissions",
         replacing("--data", "t")),
    *(
        Case(
            "leave --each or --interval out",
            "score mae t/gold.txt t/submissions/good.txt --interval jackknife --each unit --json",
            change,
            right=[f"score mae t/gold.txt t/submissions/good.txt {kept} --json"],
        )
        for change, kept in ((without("--each", 1), "--interval jackknife"), (without("--interval", 1), "--each unit"))
    ),
    Case("give SGML, or choose --each unit", "score wer r.txt a.txt --each document --json",
         printed("--each (unit)", "--each"), files=LINES, right=["score wer r.txt a.txt --each unit --json"]),
    Case(
        "write --profiles A,B",
        "sensitivity t --profiles qe_sentence --set reader=qe_plain --set test= --json",
        replacing("--profiles", "qe_sentence,wmt15_qe_sentence_scoring"),
        right=[f"{RUN} --json"],
        result=lambda out: {
            each["name"]: each.get("profiles", {"qe_sentence": each})["qe_sentence"]["rank"]
            for each in json.loads(out)["submissions"]
        },
    ),
    Case("name another --out", "new-plugin my-metric --out t", replacing("--out", "other"),
         right=["new-plugin my-metric --out other"], result=content("other")),
    Case("set one, such as --set test=jackknife", f"{RUN} --equivalence 0.1 --json",
         printed("such as (--set test=jackknife)"),
         right=[f"{RUN.replace('test=', 'test=jackknife')} --equivalence 0.1 --json"], result=scores),
    Case("write the page elsewhere by --html FILE, or copy {} with the other files", "report r",
         adding("--html", "page.html"), before=[f"{RUN} --out r", lambda: Path("r", ".qeframe.json").unlink()],
         right=[f"{RUN} --out r", "report r --html page.html"], result=content("page.html")),
    Case(
        "leave out --data: the intervals are then compared",
        f"diff old old --data t t {GATE}",
        without("--data", 2),  # systems without segments have no interval
        files=SET,
        before=[f"{RUN_SET} --out old"],
    ),
    Case("give --data OLD NEW, or results of profiles with intervals", f"diff old old {GATE}",
         adding("--data", "t", "t"), before=[f"{RUN} --set interval= --out old"],
         right=[f"{RUN} --out old", f"diff old old --data t t {GATE}"], result=judgments),
    Case("give a folder that 'qeframe run --out' wrote", "diff t r --json", lambda *_: ["diff", "r", "r", "--json"],
         before=[f"{RUN} --out r"], right=[f"{RUN} --out r", "diff r/evaluation.json r/evaluation.json --json"]),
    Case("ask for a higher --base", f"{SAMPLING} --of bad --base 1 --gap 1", replacing("--base", "40"),
         files=MORE_BAD, right=[f"{SAMPLING} --of bad --base 40 --gap 1"]),
    Case("ask for a higher --base", f"{SAMPLING} --of bad --base 1 --gap 1", replacing("--base", "40"), files=WORDS),
    Case("ask for a lower --base", f"{SAMPLING} --base 90 --gap 1", printed(r"--base, such as (\S+)", "--base"),
         files=WORDS, right=[f"{SAMPLING} --base 8.2 --gap 1"]),
]  # fmt: skip

ELSEWHERE: Mapping[str, str] = {
    "are read by 'qeframe run' and 'reproduce --data'": "a download: what is to be done is not a change of the command",
    "name another folder with --to": "a download: the folder has no part in what is read",
    "or use threads (--executor threads)": "a plugin that cannot be sent: tested where work is sent",
    "or, for edits alone, --set": "a submission without scores: followed where corrections are read",
    "use the reader of '{}' for all": "a table of several profiles, tested with the command sensitivity",
    "write --column 'PROFILE --set KEY=VALUE'": "what the option takes, tested with the command sensitivity",
    "no reference is set for": "scores with two references: the note is tested where mtme files are read",
    "give --level: {}": "a profile of several levels, tested where a level is chosen",
    "leave out --level": "a profile of one level, tested where a level is chosen",
    "or leave it out for all: --set 'outliers+=[{}]'": "a system without scores: tested where mtme files are entered",
    "or name the ids: --set unit=": "a system that comes back, tested where such tables are read",
    "leave out --audit": "a ranking without a winner: the section says nothing, tested where the audit of a winner is",
}
"""Remedies with an option that no command here prints, and why they change no number of a run."""


def told(command: str) -> str:
    outcome = outcome_of(shlex.split(command))
    assert outcome.status == 0, (command, outcome)
    return outcome.out


def laid_out(folder: Path, case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    write_files(folder, case.files)
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)


def test_every_remedy_that_names_an_option_is_followed_here():
    named = {text: place for text, place in remedies().items() if _OPTION.search(text)}
    listed = (*(case.remedy for case in CASES), *ELSEWHERE)
    lacking = [f"{place}: {text}" for text, place in named.items() if not any(remedy in text for remedy in listed)]
    assert lacking == [], "give the remedy a case, or the reason why it needs none"
    gone = [remedy for remedy in listed if not any(remedy in text for text in named)]
    assert gone == [], "take the entry out"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.remedy)
def test_an_option_that_is_given_as_advised(case, tmp_path, monkeypatch):
    laid_out(tmp_path / "right", case, monkeypatch)
    right = [told(command) for command in case.right]
    laid_out(tmp_path / "broken", case, monkeypatch)
    for step in case.before:
        step() if callable(step) else told(step)
    broken = outcome_of(shlex.split(case.broken))
    assert broken.status == 2, broken
    said = broken.err.strip().splitlines()[-1]
    assert re.search(re.escape(case.remedy).replace(re.escape("{}"), ".*"), said), said
    followed = outcome_of(case.change(shlex.split(case.broken), said))
    if not right:
        assert followed.status == 2, followed
        assert followed.err.startswith("qeframe: ")
        return
    assert followed.status == 0, followed
    assert case.result([followed.out, *(told(command) for command in case.after)][-1]) == case.result(right[-1])
