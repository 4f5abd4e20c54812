"""The bundle of a competition on Codabench: settings, pages, scoring program, gold and starting kit."""

import math
import sys
import warnings
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import attrs
from attrs import frozen

from qeframe.plugin import CapabilityError, DataError
from qeframe.plugin.calls import QeframeError
from qeframe.plugin.readers import Reader, gold_folders, visible
from qeframe.plugin.results import ResolvedProfile, choose_profile, evaluate, load, profile_to_toml, resolve
from qeframe_codabench.example import Example, generated, replaced_answers
from qeframe_codabench.packages import dependencies_of, files_of, own_distributions, wheel_of
from qeframe_codabench.pages import pages
from qeframe_codabench.scoring import (
    PROFILE,
    SETTINGS,
    SUBMISSIONS,
    Competition,
    RefusedError,
    ScoreColumn,
    Scored,
    UnusableReferenceError,
    score,
)

PYTHON = f"{sys.version_info[0]}.{sys.version_info[1]}"
IMAGE = f"python:{PYTHON}-slim"
"""The image of Docker that is named by default: Python as it runs here, for which the packages are."""
_COMMAND = "python3 /app/program/score.py /app/input/ /app/output/"
_OF_ONE = ("interval=", "test=", "columns=[]", "computed=[]", "baselines=[]")
"""Settings by which one submission is scored: nothing is compared."""
_TERMS = """# Terms

By taking part you agree that the organizers may publish the scores of your submissions, with the name of your team.
Hand in answers that your own system made, without knowledge of the gold.
"""


@frozen(kw_only=True)
class Prepared:
    """A competition that was tried, and its files."""

    competition: Competition
    rules: ResolvedProfile  # of the organizers, by which all submissions are compared in the end
    reader: Reader
    profile: bytes  # the rules of one submission, as TOML
    reference: Mapping[str, bytes]  # the files of the gold
    inputs: Mapping[str, bytes]  # the public input
    left_out: tuple[str, ...]  # files beside the gold that name submissions
    trial: str  # the submission beside the gold that was scored
    scored: Scored
    example: Example | None = None

    @property
    def shown(self) -> list[ScoreColumn]:
        """The columns of the leaderboard: scores over all tasks, and the primary metric in each."""
        primary, columns = self.scored.evaluation.primary, self.scored.columns
        return [c for c in columns if not math.isnan(c.value) and (c.metric == primary or not c.task)]


def prepare(profile: str, gold: Path, *, changed: Sequence[str] = (), like: Path | None = None, **of: Any) -> Prepared:
    """Read the gold of a competition, and score a submission beside it by the scoring program.

    The profile is a registered name, or the path of a TOML file, `changed` are rules as ``KEY=VALUE``. `gold` is what
    ``qeframe run`` reads. Submissions do not enter the bundle. `like` is the public input of the task, a file or a
    folder, and `of` are settings of the `Competition`.

    A unit that a submission lacks is an error where the profile would leave it out for all: an author could leave out
    what is difficult.
    """
    registry = load()
    rules = resolve(choose_profile(profile, changed, registry), registry)
    reader, chosen = rules.reader, rules.profile
    if chosen.parts:
        what = f"the overall score of '{chosen.name}' depends on the other submissions, a platform scores each alone"
        raise DataError(what, remedy="make a bundle of a profile without parts, such as that of one level")
    if reader is None or reader.submission is None:
        what = f"the reader '{reader.name if reader else ''}' reads no file of one submission"
        raise DataError(what, remedy="choose a profile whose tasks have files of gold and files of submissions")
    missing = ["missing=error"] if chosen.missing == "drop_for_all" else []
    of_one = choose_profile(profile, [*changed, *_OF_ONE, *missing], registry)
    form = reader.submission
    reference, folders = _reference(gold, form.folder, form.gold)
    left_out = tuple(name for name in sorted(reference) if PurePosixPath(name).name in form.naming)
    reference = {name: content for name, content in reference.items() if name not in left_out}
    public = [] if like is None else visible(like) if like.is_dir() else [like]
    inputs = {path.name: path.read_bytes() for path in public if path.is_file()}
    golds = [reference[n] for n in reference if form.folder or Path(n).name.startswith(form.gold or "gold")]
    if like is not None and any(content in golds for content in inputs.values()):
        raise DataError("this is the gold of a task", path=like, remedy="give the public input to --like")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        together = evaluate(of_one, gold, skip_invalid=True)
    own_scale = rules.across.higher_is_better is None  # an average rank has a direction of its own
    competition = Competition(title=of.pop("title", "") or chosen.title or chosen.name, shared=form.folder,
                              folders=folders, over_tasks=own_scale, **of)  # fmt: skip
    rules_of_one = profile_to_toml(of_one, version("qeframe")).encode()
    refused: QeframeError = DataError(
        "no submission is beside the gold", path=gold,
        remedy=f"put a baseline into the folder {form.folder or SUBMISSIONS}: it does not enter the bundle",
    )  # fmt: skip
    names = [each.name for each in together.submissions if each.kind != "human" and each.name in together.files]
    for name in sorted(names, key=lambda name: name not in chosen.baselines):
        handed_in = _as_handed_in(competition, gold, together.files[name])
        if form.folder:
            competition = attrs.evolve(competition, folders=sorted({path.rpartition("/")[0] for path in handed_in}))
        try:
            scored = _try(competition, rules_of_one, reference, handed_in)
        except (RefusedError, UnusableReferenceError) as error:
            refused = CapabilityError(f"the submission '{name}': {error}")
            continue
        tasks = tuple(dict.fromkeys(column.task for column in scored.columns if column.task)) or tuple(together.tasks)
        prepared = Prepared(
            competition=attrs.evolve(competition, tasks=tasks), rules=rules, reader=reader, profile=rules_of_one,
            reference=reference, inputs=inputs, left_out=left_out, trial=name, scored=scored,
        )  # fmt: skip
        return attrs.evolve(prepared, example=_example(prepared, handed_in))
    if together.left_out:
        evaluate(of_one, gold)  # which lists the mistakes of all
    raise refused


def _reference(root: Path, shared: str, gold: str) -> tuple[dict[str, bytes], list[str]]:
    """Return the visible files of a gold by their paths in a bundle, without submissions, and the folders of tasks."""
    if shared:
        return _below(root, "", shared), []
    tasks = gold_folders(root, gold=gold)
    names = [folder.resolve().name for folder in tasks]
    found = [_below(folder, f"{name}/", SUBMISSIONS) for folder, name in zip(tasks, names, strict=True)]
    return {path: content for of_task in found for path, content in of_task.items()}, names


def _below(folder: Path, prefix: str, without: str) -> dict[str, bytes]:
    below: dict[str, bytes] = {}
    for entry in visible(folder):
        if entry.is_dir() and entry.name != without:
            below |= _below(entry, f"{prefix}{entry.name}/", "")
        elif not entry.is_dir():
            below[prefix + entry.name] = entry.read_bytes()
    return below


def _as_handed_in(competition: Competition, gold: Path, paths: Sequence[str]) -> dict[str, bytes]:
    """Return the files of a submission beside the gold as its author would hand them in."""
    if competition.shared:
        return {str(PurePosixPath(path).relative_to(competition.shared)): (gold / path).read_bytes() for path in paths}
    placed = {path: (gold.resolve() / path).parts[: -len(PurePosixPath(path).parts)] for path in paths}
    named = {path: [*placed[path], *PurePosixPath(path).parts] for path in paths}
    return {f"{parts[-3]}{PurePosixPath(path).suffix}": (gold / path).read_bytes() for path, parts in named.items()}


def _try(
    competition: Competition, rules: bytes, reference: Mapping[str, bytes], handed_in: Mapping[str, bytes]
) -> Scored:
    with TemporaryDirectory() as folder:
        program, ref, res = (Path(folder).resolve() / part for part in ("program", "ref", "res"))
        for root, contents in ((program, {PROFILE: rules}), (ref, reference), (res, handed_in)):
            for name, content in contents.items():
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_bytes(content)
        return score(competition, program, ref, res)


def _example(tried: Prepared, handed_in: Mapping[str, bytes]) -> Example | None:
    """Return a submission with the units of the task and no real answer, which is accepted; else a generated one."""
    form = tried.reader.submission
    if form is not None and form.lines is not None:
        try:
            example = replaced_answers(handed_in, form.lines, tried.trial)
            _try(tried.competition, tried.profile, tried.reference, example.files)
        except QeframeError:
            pass
        else:
            return example
    return generated(tried.reader)


@frozen(kw_only=True)
class Options:
    """What the organizers choose about the platform."""

    image: str = IMAGE  # the image of Docker in which the scoring program runs
    start: datetime | None = None  # of the phase, in UTC; None: open at once
    end: datetime | None = None  # None: it stays open
    max_submissions: int = 100  # for each participant
    max_per_day: int = 5
    time_limit: int = 600  # seconds for one submission
    logo: bytes = b""  # a picture in PNG; empty: a drawing
    terms: str = _TERMS  # in Markdown

    def __attrs_post_init__(self) -> None:
        if self.start and self.end and self.end <= self.start:
            raise DataError(f"the phase ends at {self.end}, before it starts", remedy="give a later --end")


def packages(given: Path | None, *, inside: bool) -> dict[str, bytes]:
    """Return the packages of a scoring program: qeframe with its plugins, and unless the image has them all it needs.

    `given` is a folder with the dependencies, in place of those that are installed.
    """
    own = own_distributions()
    found = {path: content for name in own for path, content in files_of(name).items()}
    if given is not None:
        return _below(given, "", "") | found
    needed = dependencies_of(own) if inside else []
    return found | {path: content for name in needed for path, content in files_of(name).items()}


def bundle_files(prepared: Prepared, options: Options, packed: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the bundle by their paths."""
    kit = dict[str, bytes]()
    if packed:
        kit = dict(wheel_of(name) for name in own_distributions() if name != "qeframe-codabench")
    kit |= {PROFILE: prepared.profile, **{f"input/{name}": content for name, content in prepared.inputs.items()}}
    if prepared.example is not None and prepared.example.of_task:
        kit |= {f"example/{name}": content for name, content in prepared.example.files.items()}
    beside = files(__package__)
    texts = {
        **pages(prepared, options),
        "pages/terms.md": options.terms,
        "scoring_program/metadata.yaml": f'command: "{_COMMAND}"\n',
        f"scoring_program/{SETTINGS}": prepared.competition.to_json(),
        "scoring_program/score.py": beside.joinpath("templates/score.py.txt").read_text(encoding="utf-8"),
    }
    return {
        **{path: text.encode() for path, text in texts.items()},
        "logo.png": options.logo or beside.joinpath("logo.png").read_bytes(),
        f"scoring_program/{PROFILE}": prepared.profile,
        **{f"scoring_program/packages/{name}": content for name, content in packed.items()},
        **{f"reference_data/{name}": content for name, content in prepared.reference.items()},
        **{f"starting_kit/{name}": content for name, content in kit.items()},
    }
