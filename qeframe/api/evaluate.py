"""Evaluate a shared task by the rules of a profile: choose them, read the files, enter attacks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any
from warnings import warn

import attrs

from qeframe.api.attacks import enter_attacks
from qeframe.api.entered.entering import Entering
from qeframe.api.entered.place import place_entered
from qeframe.api.read import as_tasks, check_answered, choose_profile, in_task_order, read_tasks
from qeframe.api.submissions import leave_out
from qeframe.assembly.evaluate import EvaluationRequest, evaluate_tasks
from qeframe.assembly.remarks_on_scores import FEWEST_GROUPS
from qeframe.core.display import canonical_json
from qeframe.core.draws import checked_seed
from qeframe.core.errors import DataError, ResultWarning
from qeframe.core.loader import load
from qeframe.core.metric import Attack
from qeframe.core.profile import Profile
from qeframe.core.profile_checks import make_supplements
from qeframe.core.registry import Registry
from qeframe.core.resolve import ResolvedProfile, resolve
from qeframe.core.result import Evaluation
from qeframe.core.runner import Runner
from qeframe.core.task import Dropped, LeftOut, Task
from qeframe.data.notices import on_answers
from qeframe.supplements.differences import detectable as detectable_with
from qeframe.supplements.differences import equivalence as equivalence_within
from qeframe.supplements.given import SupplementInput
from qeframe.supplements.influence import explain as explain_scores
from qeframe.supplements.influence import influence as influence_of_units

if TYPE_CHECKING:
    from concurrent.futures import Executor


def evaluate(
    profile: str | PathLike[str] | Profile,
    task: str | PathLike[str] | Task | Sequence[Task],
    *,
    settings: Sequence[str] = (),
    attacks: bool | Sequence[str | Attack] = (),
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool | float = False,
    influence: int = 0,
    seed: int = 0,
    registry: Registry | None = None,
    runner: Runner | None = None,
    exclude: Mapping[str, str] | Sequence[str] = (),
    skip_invalid: bool = False,
    enter: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
) -> Evaluation:
    """Evaluate all submissions of a shared task by the rules of a profile.

    Parameters
    ----------
    profile : str, path or Profile
        A registered name, the path of a TOML file, or a profile made by hand.
    task : path, Task, or sequence of Task
        A path with the files that the profile's reader expects; or tasks, read by `read_tasks` or made by hand. Several
        tasks (language pairs) are evaluated one by one and combined.
    settings : sequence of str
        Changed rules, ``KEY=VALUE`` each: see `change_profile`.
    attacks : bool or sequence of str or Attack
        Attacks to enter as submissions of the kind "attack": see `enter_attacks`. True enters all attacks of the
        registry.
    explain : bool
        Whether the details of primary scores have an explanation: the score in every slice, and the units that lower
        the score most. It can take longer than the scores themselves.
    equivalence : float, optional
        The smallest difference that matters. Every comparison then says whether the pair is equivalent.
    detectable : bool or float
        Whether the result has the smallest differences that could have been detected with a chance of .8, or with the
        chance that is given.
    influence : int
        How many units the result has that change the winner, and that move each score most; 0 for none.
    seed : int
        Equal seeds give equal evaluations, for any number of workers.
    registry : Registry, optional
        By default all installed plugins.
    runner : Runner, optional
        Instead of `executor`: an executor together with functions that are told of the progress.
    exclude : mapping of str to str, or sequence of str
        Submissions in the path that are left out, with the reasons; ``left_out`` of the result has them.
    skip_invalid : bool
        Whether files of submissions in the path that cannot be used are left out, too. By default they are an error,
        which lists all of them.
    enter : mapping of str to object, optional
        Submissions of your own, by name. Each is entered alone: it has a score, and the rank that it takes; the ranks,
        comparisons and clusters of all others stay as they are, and its comparisons with each of them are a family of
        their own. ``entered`` of the result says which place it takes. A value is a file or folder in the format of the
        task, for several tasks a folder with a file ``TASK.*`` for each; a table in a file or a data frame with the
        columns segment and score (for metrics system, segment and score, or segment and a column for each system), and
        pair for several tasks; a column with segments as index; or the answers to all units in the order of the task.
        Several tasks may have a mapping from their names. What has labels is put into order by them.
    executor : Executor, optional
        Where blocks of draws are computed: any `concurrent.futures.Executor`, such as threads, processes, or that of a
        dask cluster, ``Client.get_executor()``. It stays open. By default the thread of the caller.

    Returns
    -------
    Evaluation
        An attack among the submissions has a score, and the rank that it takes when it is entered alone. Attacks do not
        change the ranks, comparisons and clusters of other submissions.

    Raises
    ------
    UnknownNameError, ProfileError
        If there is no such profile, or its rules contradict each other.
    DataError, CapabilityError
        If a file or a value cannot be used, or the rules do not apply to the task; if `executor` and `runner` are both
        given.

    Warns
    -----
    ResultWarning
        For each of the `warnings` of the evaluation.

    Examples
    --------
    >>> import pandas
    >>> import qeframe
    >>> frame = pandas.DataFrame({"gold": [1, 2, 3, 4], "good": [1, 2, 3, 5], "poor": [2, 1, 4, 3]})
    >>> tasks = qeframe.tasks_from_frame(frame, submissions=["good", "poor"])
    >>> evaluation = qeframe.evaluate("qe_sentence", tasks, settings=["test=", "interval="])
    >>> [(submission.name, submission.rank) for submission in evaluation.submissions]
    [('good', 1), ('poor', 2)]
    """
    seed = checked_seed(seed)
    if executor is not None and runner is not None:
        raise DataError(
            "an executor and a runner are given", remedy="give the executor to the runner: Runner(executor)"
        )
    runner = runner or Runner(executor)
    loaded = registry or load()
    evaluation, _ = run_profile(
        profile,
        task,
        lambda _: nullcontext(runner),
        settings=settings,
        attacks=_attacks(attacks, loaded) if attacks else (),
        seed=seed,
        registry=loaded,
        exclude=exclude,
        skip_invalid=skip_invalid,
        enter=enter,
        explain=explain,
        equivalence=equivalence,
        detectable=detectable,
        influence=influence,
    )
    for text in evaluation.warnings:
        warn(text, ResultWarning, stacklevel=2)
    return evaluation


Stage = Callable[[str], AbstractContextManager[Runner]]
"""From what is done, "computing" or "drawing", to the context of the runner that does it."""


def run_profile(
    profile: str | PathLike[str] | Profile,
    task: str | PathLike[str] | Task | Sequence[Task],
    stage: Stage,
    *,
    settings: Sequence[str] = (),
    attacks: Sequence[Attack] = (),
    seed: int,
    registry: Registry,
    exclude: Mapping[str, str] | Sequence[str] = (),
    skip_invalid: bool = False,
    enter: Mapping[str, Any] | None = None,
    **options: Any,
) -> tuple[Evaluation, list[Task]]:
    """Evaluate the tasks in a path, or tasks, by a profile: what both `evaluate` and ``qeframe run`` call.

    `profile`, `task`, `settings`, `seed`, `exclude`, `skip_invalid`, `enter`: as in `evaluate`.
    `options`: what else is computed, as in `evaluate`.
    `stage`: metrics of texts are computed in the runner of "computing", and draws in that of "drawing".

    Returns the tasks that were evaluated too, with the attacks and what was entered.
    """
    chosen, leaving = choose_profile(profile, settings, registry), None
    asked = requested(chosen, **options)
    if isinstance(task, (str, PathLike)):
        resolved = resolve(chosen, registry)
        leaving = leave_out(resolved, task, exclude=exclude, skip_invalid=skip_invalid)
        with stage("computing") as runner:
            tasks = read_tasks(resolved, task, registry, runner=runner, chosen=leaving, enter=enter)
        check_answered(tasks, task)
    elif exclude or skip_invalid:
        raise DataError("submissions can be left out where files are read", remedy="give the path of the files")
    else:
        resolved = resolve(chosen, registry, reads=False)
        tasks = in_task_order(chosen, Entering.of(enter or {}, registry).in_tasks(as_tasks(task)))
    if attacks:
        tasks = enter_attacks(tasks, attacks, seed=seed)
    resolved = _resample_declared_groups(resolved, tasks)
    with stage("drawing") as runner:
        request = EvaluationRequest(seed=seed, registry=registry, runner=runner, on_answers=on_answers, **asked)
        evaluation = place_entered(evaluate_tasks(resolved, tasks, request), resolved, tasks, request)
    return evaluation if leaving is None else _add_left_out(evaluation, leaving.left_out), tasks


_NAMES = ("document", "doc")
"""Which grouping is taken where a task declares several."""


def _resample_declared_groups(resolved: ResolvedProfile, tasks: Sequence[Task]) -> ResolvedProfile:
    """Return a profile that resamples the groups that all tasks declare, where its rules are no task's and no user's.

    Each task has at least ten groups, and some have several units.
    """
    profile = resolved.profile
    if profile.year or profile.parts or profile.resample != "unit" or profile.set_by_user("resample") or not tasks:
        return resolved
    name = _grouping(tasks)
    if not name or any(len(set(task.groups[name])) < FEWEST_GROUPS for task in tasks):
        return resolved
    return attrs.evolve(resolved, profile=attrs.evolve(profile, resample=name))


def _grouping(tasks: Sequence[Task]) -> str:
    """Return the grouping into several units that all tasks have: the only one, or that of documents; else empty."""
    found = [
        name
        for name in tasks[0].groups
        if all(1 < len(set(task.groups.get(name, ()))) < len(task.groups.get(name, ())) for task in tasks)
    ]
    named = [name for name in _NAMES if name in found]
    return found[0] if len(found) == 1 else named[0] if named else ""


def _attacks(attacks: object, registry: Registry) -> list[Attack]:
    """Return the attacks that were asked for by name, by component, or all of them."""
    if attacks is True:
        return registry.all(Attack)
    if isinstance(attacks, str) or not isinstance(attacks, Iterable):
        raise DataError(f"attacks cannot be {attacks!r}", remedy="give True, or a list of names or of attacks")
    return [registry.get(Attack, attack) for attack in attacks]


def requested(
    profile: Profile,
    *,
    explain: bool = False,
    equivalence: float | None = None,
    detectable: bool | float = False,
    influence: int = 0,
) -> dict[str, Any]:
    """Return the fields of an `EvaluationRequest` that keywords of `evaluate` and the profile ask for.

    Raises UnknownNameError, DataError if the profile names what there is not, or a number is out of its range.
    """
    asked: dict[str, Callable[[SupplementInput], Any]] = {}
    if detectable is not False:
        asked["detectable"] = detectable_with(0.8 if detectable is True else float(detectable))
    if influence:
        if not isinstance(influence, Integral):
            raise DataError(f"the number of influential units must be a whole number, not {influence!r}")
        asked["influence"] = influence_of_units(int(influence))
    if functions := make_supplements(profile.supplements):
        asked["supplements"] = lambda given: {name: function(given) for name, function in functions.items()}
    return {
        "explain": explain_scores if explain else None,
        "equivalence": None if equivalence is None else equivalence_within(equivalence),
        "asked": asked,
    }


def _add_left_out(evaluation: Evaluation, left_out: Sequence[LeftOut]) -> Evaluation:
    """Return an evaluation that says who was left out; its signature has the number, and a digest of which files."""
    if not left_out:
        return evaluation
    which = canonical_json(sorted([exclusion.submission, *exclusion.files] for exclusion in left_out))
    digest = hashlib.sha256(which.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    counted = f"{len({exclusion.submission for exclusion in left_out})}:{digest}"
    signature = attrs.evolve(evaluation.signature, left_out=counted)
    dropped = tuple(_without_names(evaluation.dropped, {exclusion.submission for exclusion in left_out}))
    return attrs.evolve(evaluation, left_out=tuple(left_out), signature=signature, dropped=dropped)


def _without_names(dropped: Iterable[Dropped], names: Collection[str]) -> Iterator[Dropped]:
    """Yield what was dropped without the submissions that were left out: a reader sees no file of theirs."""
    for entry in dropped:
        reason, _, listed = entry.reason.rpartition(": ")
        all_names = listed.split(", ")
        kept = [name for name in all_names if name not in names]
        if entry.what not in ("submission", "baseline name") or len(all_names) != entry.count or kept == all_names:
            yield entry
        elif kept:
            yield attrs.evolve(entry, count=len(kept), reason=f"{reason}: {', '.join(kept)}")
