"""The ways to use a task: each is a few commands on the task of one profile, with what must hold of their outputs.

What cannot be done is said by the program: a way that it refuses for want of a capability, or that the registry has no
component for, raises `NotApplicableError` with the reason.
"""

import io
import json
import os
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cached_property
from pathlib import Path
from typing import Any, TextIO
from unittest.mock import patch

from attrs import define, field, frozen
from markupsafe import escape

from qeframe.cli import main
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.metric import Attack, Metric
from qeframe.core.profile import Profile
from qeframe.core.profile_files import find_profile
from qeframe.core.reader import Reader
from qeframe.core.registry import Registry
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.judgments.batch import Judgments
from qeframe.kinds.plain_files import parse_plain_sides
from qeframe.kinds.registered import kind_of
from qeframe.testing.laws.any_component import image
from tests.runs.agreement import contents, disagreements
from tests.runs.generated_tasks import generate, quick_settings
from tests.runs.shown_tables import shows
from tests.schema import check_schema

__all__ = ["WAYS", "Case", "NotApplicableError", "Way"]

UNFORESEEN = ("raised in module", "Traceback", "unforeseen", "Errno", " failed in ")


class NotApplicableError(Exception):
    """What a task cannot be used for, in the words of the program."""


@define
class Case:
    """A profile, its generated task in the current folder, and the first result."""

    name: str
    registry: Registry
    quick: bool
    runs: int = field(default=0, init=False)

    @cached_property
    def profile(self) -> Profile:
        return find_profile(self.name, self.registry)

    @cached_property
    def reader(self) -> Reader:
        return self.registry.get(Reader, self.profile.reader)

    @cached_property
    def metric(self) -> Metric:
        """The primary metric, which the overall score of a task set is not."""
        if self.profile.parts:
            raise NotApplicableError("the profile is a task set")
        return self.registry.get(Metric, self.profile.primary)

    @cached_property
    def tested(self) -> bool:
        """Whether the profile has a test, with the settings of this case."""
        return bool(self.profile.test) and "test=" not in self.settings

    @property
    def ranks_depend_on_draws(self) -> bool:
        """Whether the overall score is made of the clusters of tests that draw at random."""
        return bool(self.profile.parts) and self.profile.overall == "cluster_ranks"

    @cached_property
    def path(self) -> Path:
        return generate(self.profile, self.registry, Path("task"))

    @cached_property
    def settings(self) -> list[str]:
        return quick_settings(self.profile, self.registry) if self.quick else []

    @cached_property
    def task(self) -> list[str]:
        """The profile, the path and the settings of most commands."""
        return [self.name, str(self.path), *self.settings]

    @cached_property
    def printed(self) -> str:
        """What the first run printed; its result is in ``out``."""
        return self.start("run", *self.task, "--out", "out")

    @cached_property
    def result(self) -> dict[str, bytes]:
        assert self.printed
        return contents(Path("out"))

    @cached_property
    def evaluation(self) -> dict[str, Any]:
        read: dict[str, Any] = json.loads(self.result["evaluation.json"])
        return read

    def start(self, *words: object, status: int = 0) -> str:
        """Run a command in this process; it must end as promised. Return what it printed."""
        out, err = io.StringIO(), io.StringIO()
        return self._ended(words, out, err, status)

    def start_on_terminal(self, *words: object) -> str:
        """Run a command whose standard error is a pseudo-terminal, so that it shows its progress there, at once."""
        out, (ours, theirs) = io.StringIO(), os.openpty()
        reading = threading.Thread(target=_read_all, args=(ours,))
        reading.start()
        with os.fdopen(theirs, "w") as terminal, patch("qeframe.api.progress._DELAY", -1.0):
            printed = self._ended(words, out, terminal, 0)
        reading.join()
        os.close(ours)
        return printed

    def _ended(self, words: Sequence[object], out: io.StringIO, err: TextIO, status: int) -> str:
        self.runs += 1
        ended: SystemExit | None = None
        with redirect_stdout(out), redirect_stderr(err):
            try:
                main(list(map(str, words)))
            except SystemExit as stop:
                ended = stop
        said = err.getvalue() if isinstance(err, io.StringIO) else ""
        if ended is not None and isinstance(ended.__context__, CapabilityError):
            assert ended.code == 2
            assert said.strip(), words
            raise NotApplicableError(said.strip().splitlines()[-1])
        assert (int(ended.code or 0) if ended else 0) == status, f"{' '.join(map(str, words))}: {said}"
        assert not any(word in said for word in UNFORESEEN), said
        return out.getvalue()


def _read_all(descriptor: int) -> None:
    try:
        while os.read(descriptor, 1 << 16):
            pass
    except OSError:  # the other end is closed
        pass


def same_but_for_the_command(one: Mapping[str, bytes], other: Mapping[str, bytes]) -> None:
    """Check that two results are equal, but for the command that made each, which their pages tell."""
    assert set(one) == set(other)
    facts = [json.loads(result["report.json"]) for result in (one, other)]
    commands = [each.pop("command") for each in facts]
    assert all(commands)
    assert all(each["rules"] for each in facts)
    assert facts[0] == facts[1], "report.json"
    pages = [
        result["report.html"].decode().replace(str(escape(command)), "COMMAND")
        for result, command in zip((one, other), commands, strict=True)
    ]
    assert all("COMMAND" in page for page in pages)
    assert pages[0] == pages[1], "report.html"
    for name in sorted(set(one) - {"report.html", "report.json", ".qeframe.json"}):
        assert one[name] == other[name], name


# --- run ------------------------------------------------------------------------------------------------------------


def run_out(case: Case) -> None:
    """All outputs of a run agree."""
    assert disagreements(case.printed, Path("out"), bool(case.profile.parts)) == []


def run_terminal(case: Case) -> None:
    """Without --out the terminal shows the same."""
    assert case.start("run", *case.task) == case.printed


def run_json(case: Case) -> None:
    """``--json`` prints the file."""
    assert case.start("run", *case.task, "--json").encode() == case.result["evaluation.json"]


def run_on_terminal(case: Case) -> None:
    """Progress changes nothing."""
    assert case.start_on_terminal("run", *case.task, "--out", "shown") == case.printed
    same_but_for_the_command(case.result, contents(Path("shown")))


def run_with_everything(case: Case) -> None:
    """All supplements at once leave the scores as they are; all files are made again with all of them."""
    words = ["--explain", "--detectable", "--influence", "2", "--figures", "svg"]
    words += ["--equivalence", "0.05"] if case.tested else []
    case.start("run", *case.task, *words, "--out", "more")
    more = contents(Path("more"))
    assert set(case.result) <= set(more)
    assert {
        name for name in more if name not in case.result and not name.endswith((".svg", ".md", ".tex", ".tsv"))
    } == set()
    evaluation = json.loads(more["evaluation.json"])
    assert _plain_scores(evaluation) == _plain_scores(case.evaluation)
    case.start("report", "more", "--html", "more.html")
    assert Path("more.html").read_bytes() == more["report.html"]
    for name in ("leaderboard.md", "scores.tsv", "report.html"):
        Path("more", name).unlink()
    case.start("report", "more")
    assert contents(Path("more")) == more
    check_schema(evaluation)


def _plain_scores(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    return {
        each["name"]: (each["rank"], {metric: score["value"] for metric, score in each["scores"].items()})
        for each in evaluation["submissions"]
        if each["kind"] != "attack"
    }


def run_with_each(option: str, *value: str) -> Callable[[Case], None]:
    """Return the way with one option: the scores stay."""

    def way(case: Case) -> None:
        found = json.loads(case.start("run", *case.task, option, *value, "--json"))
        assert _plain_scores(found) == _plain_scores(case.evaluation)

    return way


def run_with_equivalence(case: Case) -> None:
    """Pairs are also tested for equivalence; the scores stay."""
    if not case.tested:
        raise NotApplicableError("no test")
    run_with_each("--equivalence", "0.05")(case)


def run_with_attacks(case: Case) -> None:
    """Attacks enter and change no score of a submission; all outputs agree with them too."""
    printed = case.start("run", *case.task, "--with-attacks", "--out", "attacked")
    assert disagreements(printed, Path("attacked"), bool(case.profile.parts)) == []
    found = json.loads(Path("attacked/evaluation.json").read_text())
    check_schema(found)
    values = {name: scores for name, (_, scores) in _plain_scores(found).items()}
    assert values == {name: scores for name, (_, scores) in _plain_scores(case.evaluation).items()}


def run_with_entered(case: Case) -> None:
    """A copy of a submission, entered alone, has its score and changes nothing of the others; the page shows it."""
    case.start("run", *case.task, "--enter", f"copy={_copies(case)}", "--out", "entered")
    found = json.loads(Path("entered/evaluation.json").read_text())
    check_schema(found)
    ranked = [each for each in found["submissions"] if each["kind"] != "entered"]
    assert ranked == case.evaluation["submissions"]
    assert found["comparisons"] == case.evaluation["comparisons"]
    assert [each["name"] for each in found["entered"]] == ["copy"]
    (copy,) = (_of_tasks(each, found["primary"]) for each in found["submissions"] if each["kind"] == "entered")
    assert copy in [_of_tasks(each, found["primary"]) for each in ranked]  # an average rank is among other submissions
    assert "→" not in Path("entered/leaderboard.tex").read_text()
    case.start("report", "entered", "--html", "entered.html")
    assert Path("entered.html").read_bytes() == Path("entered/report.html").read_bytes()


def _of_tasks(submission: Mapping[str, Any], primary: str) -> dict[str, Any]:
    """Return the score of a submission in each task, or over its only one."""
    whole = submission["scores"][primary]
    values = {task: score["value"] for task, score in (whole["tasks"] or {"": whole}).items()}
    return {task: value if value is None else round(value, 9) for task, value in values.items()}


def _copies(case: Case) -> Path:
    """Copy the files of one submission to all tasks, named after their tasks."""
    files, form = submissions(case), case.reader.submission
    if levels := level_folders(case):
        (name, *_) = sorted({file.stem for file in files})
        for file in (each for each in files if each.stem == name):
            level, task, *_ = file.relative_to(case.path).parts
            copy = Path("copies", level, f"{task}{file.suffix}")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(file.read_bytes())
        assert {path.name for path in Path("copies").iterdir()} == levels
        return Path("copies")
    if form is None or (form.folder and form.enter is None):
        raise NotApplicableError("the name of a metric is in its file")
    published = not form.folder and "official_submissions" in files[0].parts

    def place(file: Path) -> Path:
        return file.parent.parent if published else file.parent

    folders = {place(file): place(file).name for file in files}
    if not (form.folder or published):
        folders = {folder: folder.parent.name for folder in folders}
    if len(folders) == 1 and not form.folder:
        return files[0]

    def base(file: Path) -> str:
        return file.parent.name if published else file.name.rpartition("-")[0] if form.folder else file.stem

    everywhere = set.intersection(*({base(file) for file in files if place(file) == folder} for folder in folders))
    for file in (each for each in files if base(each) == min(everywhere)):
        task = folders[place(file)]
        copy = Path("copies", task, file.name) if form.folder else Path("copies", f"{task}{file.suffix}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(file.read_bytes().replace(min(everywhere).encode(), b"copy"))  # some files state the name
    return Path("copies")


def level_folders(case: Case) -> set[str]:
    """Return the folders of parts that have readers of their own."""
    return {part["folder"] for part in case.profile.parts if "folder" in part}


def levels(case: Case) -> None:
    """A file of one level is broken: it is named, its team stands apart, and the rules of the result repeat it."""
    if not level_folders(case):
        raise NotApplicableError("the profile reads one level")
    shutil.copytree(case.path, "broken")
    (file, *_) = [Path("broken", each.relative_to(case.path)) for each in submissions(case)]
    file.write_bytes(file.read_bytes() + b"x\n")
    assert f"  {file}:" in case.start("validate", case.name, "broken", status=1)
    case.start("run", case.name, "broken", *case.settings, "--skip-invalid", "--out", "skipped", status=1)
    found = json.loads(Path("skipped/evaluation.json").read_text())
    check_schema(found)
    (left_out,) = found["left_out"]
    assert left_out["files"] == [file.relative_to("broken").as_posix()]
    (apart,) = [each for each in found["submissions"] if each.get("absent")]
    assert (apart["name"], len(apart["absent"])) == (file.stem, 1)
    case.start("run", "skipped/rules.toml", "broken", "--skip-invalid", "--out", "again", status=1)
    same_but_for_the_command(contents(Path("skipped")), contents(Path("again")))
    case.start("trace", "skipped", file.stem)


def processes(case: Case) -> None:
    """Two processes compute what one does."""
    case.start("run", *case.task, "--workers", "2", "--executor", "processes", "--out", "two")
    same_but_for_the_command(case.result, contents(Path("two")))


# --- results ----------------------------------------------------------------------------------------------------------


def report(case: Case) -> None:
    """The page is made again as it was."""
    before = case.result
    case.start("report", "out", "--html", "again.html")
    assert Path("again.html").read_bytes() == before["report.html"]
    case.start("report", "out")
    assert contents(Path("out")) == before


def diff(case: Case) -> None:
    """Nothing changed from a result to itself; another seed changes no score."""
    assert case.result
    case.start("run", *case.task, "--seed", "2", "--out", "seed2")
    for other in ("out", "seed2"):
        case.start("diff", "out", other)
        case.start("diff", "out", other, "--out", f"diff-{other}")
        changes = json.loads(case.start("diff", "out", other, "--json"))
        if other == "out" or not case.ranks_depend_on_draws:
            for score in (score for each in changes["submissions"] for score in each["scores"]):
                assert score["old"]["value"] == score["new"]["value"]


# --- the same task otherwise ------------------------------------------------------------------------------------------


RETURNING = ("wmt26_scores", "wmt26_spans", "wmt26_error_free")
"""Readers that write the answers to challenge sets for their authors, which are no task: they have no gold."""


def export(case: Case) -> None:
    """What a reader writes has the same scores when it reads it again."""
    writing = [reader for reader in case.registry.all(Reader) if reader.write and reader.name not in RETURNING]
    fitting = [each.name for each in writing if issubclass(case.reader.kind, each.writes or (each.kind,))]
    if case.profile.parts:
        raise NotApplicableError("parts read their own selections of the original")
    readings = case.reader.read(case.path, case.profile.best)
    if not fitting or not all(reading.systems for reading in readings):
        raise NotApplicableError(f"no reader writes {case.reader.kind.__name__}")
    if issubclass(case.reader.kind, Judgments) and not all(reading.translations for reading in readings):
        raise NotApplicableError("comparisons without scores of translations have no layout of scores")
    for name in fitting:
        case.start("export", *case.task, "--format", name, "--out", f"exported-{name}")
        assert contents(Path(f"exported-{name}"))
        if not issubclass(case.registry.get(Reader, name).kind, case.reader.kind):
            continue  # scores of translations are read again as grids
        level = "seg" if any(".seg." in file for file in contents(Path(f"exported-{name}"))) else "sys"
        level = "sys" if case.profile.level == "system" else level
        own = [] if case.reader.name.partition("(")[0] == name else ["--set", f"reader={name}(level={level})"]
        settings = [*case.settings, *own, "--set", "computed=[]"]
        again = _values(json.loads(case.start("run", case.name, f"exported-{name}", *settings, "--json")))
        names = {
            each: each if each in again else f"{each}-{_reference_of(each, again)}" for each in _values(case.evaluation)
        }
        assert {each: again[names[each]] for each in names} == _values(case.evaluation)


def _reference_of(name: str, written: Mapping[str, Any]) -> str:
    """Return the reference in the name of a file of a metric's scores."""
    return next(each.rpartition("-")[2] for each in written if each.rpartition("-")[0] == name)


def _values(evaluation: Mapping[str, Any]) -> dict[str, Any]:
    primary = evaluation["primary"]
    values = {each["name"]: each["scores"][primary]["value"] for each in evaluation["submissions"]}
    return {name: value if value is None else round(value, 9) for name, value in values.items()}


def submissions(case: Case) -> list[Path]:
    """Return the files that are submissions: all files of the task that the submission format reads."""
    form = case.reader.submission
    if form is None:
        raise NotApplicableError(f"reader {case.reader.name} has no submission format")
    folders = {form.folder, "submissions", "official_submissions"} - {""}
    return [
        p for p in sorted(case.path.rglob("*")) if p.is_file() and folders.intersection(p.relative_to(case.path).parts)
    ]


def validate(case: Case) -> None:
    """Each submission is valid."""
    files = submissions(case)
    for file in files:
        if ".sys." not in file.name or case.profile.level == "system":
            try:
                case.start("validate", case.name, file)
            except AssertionError as error:  # a submission to an earlier task takes part, with scores made from it
                if "choose the profile of the task" not in str(error):
                    raise


def audit(case: Case) -> None:
    """An attack of each manner is measured; what all of them reach is recorded in tests/components.json."""
    if kind_of(case.metric.kind).audit is None:
        raise NotApplicableError(f"{case.metric.kind.__name__} have no gold side")
    fitting = [each for each in case.registry.all(Attack) if each.changes_all_of(case.metric.kind)]
    of_manners = {each.manner: each.name for each in reversed(fitting)}
    attacks = [word for name in of_manners.values() for word in ("--attack", name)]
    words = ["audit", case.name, case.path, "--no-claims", str(case.metric), *attacks]
    case.start(*words, "--out", "audited")
    assert {"audit.json", "audit.md", "report.html"} <= set(contents(Path("audited")))
    check_schema(json.loads(Path("audited/audit.json").read_text()), "audit")


def power(case: Case) -> None:
    if case.ranks_depend_on_draws:
        raise NotApplicableError("the score is a mean of cluster ranks, which has no standard error")
    case.start("power", *case.task, "--draws", "20", "--out", "powered")
    assert {"power.json"} <= set(contents(Path("powered")))


def sensitivity(case: Case) -> None:
    """A profile that extends another and changes one rule is compared with it; both have the scores of the run."""
    Path("other.toml").write_text(f'extends = "{case.name}"\ntitle = "Another level"\nalpha = 0.01\n', encoding="utf-8")
    words = ["sensitivity", case.path, "--profiles", f"{case.name},other.toml", *case.settings]
    case.start(*words, "--out", "sensitive")
    found = json.loads(case.start(*words, "--json"))
    assert str(found)


def distinguish(case: Case) -> None:
    """Each metric has a row, in the table and in the JSON; the table of attacks is made too."""
    assert case.metric
    printed = case.start("distinguish", *case.task, "--draws", "50", "--out", "distinguished")
    study = json.loads(Path("distinguished/distinguish.json").read_text())
    check_schema(study, "distinguish")
    assert len(study["metrics"]) == len(case.profile.metrics)
    assert all(row["metric"] in printed for row in study["metrics"])
    case.start("distinguish", *case.task, "--by-attacks", "--metric", case.metric, "--draws", "1000")


def plain_files(case: Case) -> None:
    """Files that are plain have the scores of the run by ``score`` and ``compare``."""
    folder = next((path.parent for path in sorted(case.path.rglob("gold.*"))), None) if case.path.is_dir() else None
    if folder is None:
        raise NotApplicableError("no folder with a gold")
    gold, files = next(folder.glob("gold.*")), sorted((folder / "submissions").iterdir())
    try:
        plain_gold, _ = parse_plain_sides(
            case.metric.kind, read_text_lines(gold), [read_text_lines(files[0])], names=["a"]
        )
    except DataError as error:
        raise NotApplicableError(f"not plain files: {error}") from None
    readings = case.reader.read(case.path, case.profile.best)
    if image(plain_gold.values) != image(next(r.gold.values for r in readings if r.name == folder.name)):
        raise NotApplicableError("the reader takes something else from the files, such as every second tag")
    table = case.start("score", case.metric, gold, *files)
    for submission in case.evaluation["submissions"]:
        score = submission["scores"][case.evaluation["primary"]]["tasks"].get(folder.name)
        printed = dict(line.split() for line in table.splitlines())
        assert score is None or shows(printed[submission["name"]], score["value"])
    case.start("compare", case.metric, gold, *files, "--test", "bootstrap(draws=50)")


@frozen
class Way:
    """A way to use a task: the commands that it covers, and what it does."""

    commands: tuple[str, ...]
    go: Callable[[Case], None]


WAYS: Mapping[str, Way] = {
    "out": Way(("run",), run_out),
    "report": Way(("report",), report),
    "terminal": Way(("run",), run_terminal),
    "json": Way(("run",), run_json),
    "progress": Way(("run",), run_on_terminal),
    "everything": Way(("run", "report"), run_with_everything),
    "explain": Way(("run",), run_with_each("--explain")),
    "detectable": Way(("run",), run_with_each("--detectable")),
    "influence": Way(("run",), run_with_each("--influence", "3")),
    "equivalence": Way(("run",), run_with_equivalence),
    "attacks": Way(("run",), run_with_attacks),
    "entered": Way(("run",), run_with_entered),
    "levels": Way(("run", "validate", "trace"), levels),
    "processes": Way(("run",), processes),
    "diff": Way(("diff",), diff),
    "export": Way(("export",), export),
    "validate": Way(("validate",), validate),
    "audit": Way(("audit",), audit),
    "power": Way(("power",), power),
    "sensitivity": Way(("sensitivity",), sensitivity),
    "distinguish": Way(("distinguish",), distinguish),
    "plain files": Way(("compare", "score"), plain_files),
}
