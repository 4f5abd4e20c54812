"""A competition made ready: the gold read and copied, its settings, and a submission scored to try it all."""

import os
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import islice
from pathlib import Path, PurePosixPath

import attrs
from attrs import frozen

from qeframe.plugin import CapabilityError, DataError
from qeframe.plugin.calls import QeframeError
from qeframe.plugin.commands import LeavingOut
from qeframe.plugin.competitions import Profile, Registry, profile_to_toml, read_submission, temporary_folder
from qeframe.plugin.readers import Reader, Reading, has_folder, visible
from qeframe.plugin.results import ResolvedProfile, choose_profile, read_readings, resolve
from qeframe_competitions.example import Example, generated, replaced_answers
from qeframe_competitions.pseudo_gold import with_pseudo_gold
from qeframe_competitions.scoring import INPUTS, RefusedError, Scored, UnusableReferenceError, score_submission
from qeframe_competitions.settings import (
    PROFILE_FILE,
    SUBMISSIONS,
    Competition,
    Layout,
    find_layout,
    place,
    reference_files,
    rules_of_one,
    score_columns,
    submission_format,
    write_files,
)
from qeframe_competitions.submission_files import file_of_each, read_handed_in
from qeframe_competitions.wheels import own_distributions

_MOST_TRIALS = 5  # so many submissions beside the gold are tried, until one is accepted


@frozen
class Units:
    """The units of a task: how many, of what, and how they are numbered."""

    count: int
    unit: str
    numbered: str


@frozen(kw_only=True)
class Prepared:
    """A competition, and the files that its scoring program needs."""

    competition: Competition
    profile: Profile  # the rules of one submission
    reader: Reader
    reference: Mapping[str, bytes]  # the files of the gold, or of the pseudo-gold
    beside: Mapping[str, bytes]  # files of the organizers beside the scoring program
    left_out: tuple[str, ...] = ()  # files beside the gold that name submissions: they do not enter the bundle
    tasks: Mapping[str, Units]  # what a submission answers in each task; those that were not read are not there
    distributions: frozenset[str]  # of qeframe and its plugins, as wheels are named
    ranked_by: ResolvedProfile  # the rules of the organizers, by which all submissions are compared
    trial: str = ""  # the submission beside the gold that was scored; empty: there is none
    scored: Scored | None = None
    example: Example | None = None

    @property
    def gold_read(self) -> bool:
        """Whether the gold was read, with submissions or alone."""
        return bool(self.tasks)


def prepare(
    profile: str,
    gold: Path,
    registry: Registry,
    *,
    changed: Sequence[str] = (),
    title: str = "",
    precision: int = 4,
    hidden: bool = False,
    pseudo_gold: str = "",
    like: Path | None = None,
    largest: int = 100,
    leaving: LeavingOut | None = None,
) -> Prepared:
    """Read the gold of a competition and try its scoring program.

    The profile is a registered name, or the path of a TOML file, `changed` are rules as ``KEY=VALUE``. `gold` is what
    `qeframe run` reads, with submissions beside it or without. Submissions do not enter the bundle; one of them is
    scored to try it. `pseudo_gold` is the one whose answers take the place of the gold. `like` is the public input of
    the task: a folder with a file for each task, as a submission has them; or the file itself. `leaving` says which
    submissions are not read.
    """
    is_file = profile.endswith(".toml")
    chosen = choose_profile(profile, changed, registry)
    rules = rules_of_one(chosen)
    resolved = resolve(rules, registry)
    reader = resolved.reader
    assert reader is not None
    try:
        layout = find_layout(reader, gold)
        readings, choice = list[Reading](), None
        if _has_submissions(layout, gold):
            readings, choice = (leaving or LeavingOut()).readings(rules, gold, registry)
        if not readings and (layout.shared or pseudo_gold):
            what = "no submission is beside the gold"
            place = layout.shared or SUBMISSIONS
            remedy = f"put one into the folder {place}: it is read, and does not enter the bundle"
            raise DataError(what, path=gold, remedy=remedy)
    except DataError as error:
        _check_layout(rules, reader, gold, registry, error)
        raise
    names = tuple(reading.name for reading in readings) or layout.folders
    tasks = tuple(name for name in dict.fromkeys([*rules.task_order, *rules.weights, *names]) if name in names)
    beside_gold = reference_files(layout, gold)
    sources = {name: path for name, path in beside_gold.items() if path.name not in submission_format(reader).naming}
    reference = {name: path.read_bytes() for name, path in sources.items()}
    if pseudo_gold:
        reference = with_pseudo_gold(rules, reader, layout, sources, gold, readings, pseudo_gold, registry)
    inputs = _inputs(layout, like)
    _check_inputs(layout, inputs, sources)
    competition = Competition(
        title=title or rules.title or rules.name,
        profile=PROFILE_FILE if is_file else profile,
        changed=() if is_file else tuple(changed),
        layout=layout,
        tasks=tasks,
        tried=bool(readings),
        columns=tuple(score_columns(resolved, tasks)),
        precision=precision,
        hidden=hidden,
        pseudo_gold=pseudo_gold,
        inputs=tuple(inputs),
        largest=largest,
    )
    beside = {f"{INPUTS}/{name}.txt": path.read_bytes() for name, path in inputs.items()}
    beside |= {PROFILE_FILE: profile_to_toml(chosen, version("qeframe")).encode()} if is_file else {}
    prepared = Prepared(
        competition=competition,
        profile=rules,
        reader=reader,
        reference=reference,
        beside=beside,
        left_out=tuple(sorted(beside_gold.keys() - sources.keys())),
        tasks={reading.name: _units(reading) for reading in readings or _gold_alone(rules, layout, sources, registry)},
        distributions=frozenset(re.sub(r"[-_.]+", "_", name).lower() for name in own_distributions(registry)),
        ranked_by=resolve(chosen, registry),
    )
    aside = frozenset[Path]() if choice is None else choice.aside
    return _tried(prepared, gold, readings, registry, aside)


def _units(reading: Reading) -> Units:
    """Return what is asked for in a task: its units, whose gold is told by nothing here."""
    gold = reading.gold
    names = [gold.unit_name(unit) for unit in gold.ids.tolist()]
    numbers = [int(name) for name in names if name.isascii() and name.isdigit()]
    in_order = numbers == list(range(numbers[0], numbers[0] + len(names))) if numbers else False
    return Units(len(names), reading.kind.unit, f"{names[0]} to {names[-1]}" if in_order and names else "")


def _check_layout(rules: Profile, reader: Reader, gold: Path, registry: Registry, error: DataError) -> None:
    """Raise a `CapabilityError` if a gold without folders for submissions is read: files lie as they were published."""
    if error.path != gold:
        return
    try:
        readings = read_readings(rules, gold, registry)
    except QeframeError:
        return
    if not any(side.kind != "human" for reading in readings for side in reading.submissions):
        return
    form = submission_format(reader)
    needed = f"a folder for each task with its {form.gold or 'gold.*'}"
    if form.folder:
        needed = f"a folder {form.folder} for submissions"
    what = f"{gold}: its files lie as a repository was published, and a submission has no place in it"
    raise CapabilityError(f"{what}; a bundle is made of {needed}") from error


def _has_submissions(layout: Layout, gold: Path) -> bool:
    folders = [gold / layout.shared] if layout.shared else [task / SUBMISSIONS for task in layout.folders_in(gold)]
    return any(has_folder(folder) and bool(visible(folder)) for folder in folders)


def _gold_alone(rules: Profile, layout: Layout, sources: Mapping[str, Path], registry: Registry) -> Sequence[Reading]:
    """Read every gold with a copy of it as the only submission; return nothing if the reader does not take it.

    Readers read no gold without a submission. Where submissions have another format, the reader refuses the copy, and
    what it says of the gold is unknown. A mistake that it finds in a file of the gold is an error.
    """
    with temporary_folder() as folder:
        root = folder.resolve()
        write_files(root, {name: path.read_bytes() for name, path in sources.items()})
        golds = {PurePosixPath(name).parts[0]: root / name for name in sources if layout.is_gold(name)}
        place(layout, golds, root)
        try:
            return read_readings(rules, root, registry)
        except QeframeError as error:
            by_copy = {str(root / name): path for name, path in sources.items()}
            if isinstance(error, DataError) and str(error.path) in by_copy:
                what = error.what.replace(f"{root}{os.sep}", "")
                raise DataError(what, path=by_copy[str(error.path)], line=error.line, remedy=error.remedy) from error
            return ()


def _inputs(layout: Layout, like: Path | None) -> dict[str, Path]:
    """Return the public input of each task."""
    if like is None:
        return {}
    if layout.shared:
        what = f"submissions in the folder {layout.shared} are not compared with an input"
        raise DataError(what, path=like, remedy="leave out --like")
    if like.is_file() and len(layout.folders) == 1:
        return {layout.folders[0]: like}
    given = read_handed_in(like, known=layout.folders, largest=100)
    return {folder: given.files[name] for folder, name in file_of_each(given, layout.folders).items()}


def _check_inputs(layout: Layout, inputs: Mapping[str, Path], sources: Mapping[str, Path]) -> None:
    """Raise a `DataError` if a public input is the gold: it would go to a place where no gold is expected."""
    golds = [path.read_bytes() for name, path in sources.items() if layout.is_gold(name)]
    for path in inputs.values():
        if path.read_bytes() in golds:
            raise DataError("this is the gold of a task", path=path, remedy="give the public input to --like")


def _tried(
    prepared: Prepared, gold: Path, readings: Sequence[Reading], registry: Registry, aside: Collection[Path]
) -> Prepared:
    """Score the first submission beside the gold that is accepted; if there are some, one must be.

    The files in `aside` are left out.
    """
    refused: DataError | None = None
    for name, places in islice(_trials(prepared, gold, readings, aside), _MOST_TRIALS):
        files = {target: source.read_bytes() for target, source in places.items()}
        try:
            tried = attrs.evolve(prepared, trial=name, scored=_scored(prepared, files, registry))
        except (RefusedError, UnusableReferenceError) as error:
            cause = getattr(error.__cause__, "what", "")
            why = f"{error}: {cause}" if isinstance(error, UnusableReferenceError) and cause else str(error)
            refused = refused or DataError(f"the scoring program does not take the submission '{name}': {why}")
            continue
        return attrs.evolve(tried, example=_example(tried, files, registry))
    if refused:
        raise refused
    return attrs.evolve(prepared, example=generated(prepared.reader))


def _scored(prepared: Prepared, files: Mapping[str, bytes], registry: Registry) -> Scored:
    """Score the files of a submission as the scoring program does."""
    with temporary_folder() as folder:
        program, reference, submission = (folder.resolve() / part for part in ("program", "ref", "res"))
        for root, content in ((program, prepared.beside), (reference, prepared.reference), (submission, files)):
            root.mkdir()
            write_files(root, content)
        return score_submission(prepared.competition, program, reference, submission, registry)


def _example(tried: Prepared, files: Mapping[str, bytes], registry: Registry) -> Example | None:
    """Return a submission with the units of the task and no real answer; else a baseline, or a generated one."""
    lines = submission_format(tried.reader).lines
    if lines is not None:
        try:
            example = replaced_answers(files, lines, tried.trial)
            _scored(tried, example.files, registry)
        except QeframeError:
            pass
        else:
            return example
    if tried.trial in tried.ranked_by.profile.baselines:
        return Example(files=files, complete=False)
    return generated(tried.reader)


def _trials(
    prepared: Prepared, gold: Path, readings: Sequence[Reading], aside: Collection[Path]
) -> Iterator[tuple[str, dict[str, Path]]]:
    """Yield the submissions beside the gold that answer all tasks, with their files as an author would hand them in."""
    layout, reader = prepared.competition.layout, prepared.reader
    if not readings:
        return
    if layout.shared:
        below = reference_files(Layout(shared=SUBMISSIONS), gold / layout.shared)
        below = {place: path for place, path in below.items() if path not in aside}
        named = [{side.name for side in reading.submissions if side.kind != "human"} for reading in readings]
        baselines = prepared.ranked_by.profile.baselines
        for name in sorted(set.intersection(*named), key=lambda name: (name not in baselines, name)):
            of_metric = re.compile(rf"{re.escape(name)}[-.].*")
            files = {path: source for path, source in below.items() if of_metric.fullmatch(source.name)}
            yield name, {path: source for path, source in files.items() if _is_submission(reader, source)}
        return
    places = {folder.resolve().name: folder / SUBMISSIONS for folder in layout.folders_in(gold)}
    stems = [{path.stem: path for path in visible(place) if path not in aside} for place in places.values()]
    baselines = prepared.ranked_by.profile.baselines
    for name in sorted(set.intersection(*map(set, stems)), key=lambda name: (name not in baselines, name)):
        given = zip(places, (files[name] for files in stems), strict=True)
        yield name, {f"{folder}{path.suffix}": path for folder, path in given}


def _is_submission(reader: Reader, path: Path) -> bool:
    """Return whether a file has the format of a submission; scores of domains may be beside those of segments."""
    try:
        return bool(read_submission(reader, path, submission_format(reader).read))
    except DataError:
        return False
