"""`Assembler`: the evaluation of profiles that one table of metrics and aggregations does not describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen

from qeframe.core.components.component import Component, as_names


def _nothing_wrong(*_: object) -> list[str]:
    return []


@frozen(kw_only=True, repr=False)
class Assembler(Component):
    """How tasks are evaluated by a profile that asks for it with a key of its own, such as the task sets of `parts`.

    Such a profile has no primary metric: its `primary` is "overall", the score that the assembler makes. A profile can
    ask for one assembler.

    Parameters
    ----------
    key : str
        The key of a profile that asks for the assembler. It is no key of all profiles, and no other assembler has it.
        What the file states there is in `Profile.tables`; but `parts`, a key of all profiles, is in `Profile.parts`.
    replaces : tuple of str
        The keys that have no effect where the profile asks for the assembler. A profile that states one of them is
        refused; what it extends may state it.
    wrong : callable
        From the table of a file or of a setting, any keys, to the mistakes in it, each ``"KEY: what is wrong"``.
    incompatible : callable
        From a `Profile` without such mistakes, the `Registry` and whether files are read, to the mistakes in its rules.
        It is also called for profiles that do not ask for the assembler.
    rules : callable
        From a `Profile` that asks for it to one `PartRule` for each part: the metrics, tests and readers that it names.
    evaluate : callable
        From a `ResolvedProfile`, the tasks and an `EvaluationRequest` to the `Evaluation`.
    with_parameter : callable, optional
        From a `Profile`, the name of a parameter, its value and the `Registry` to the profile with this value in all
        metrics that have the parameter. None: settings cannot change parameters of metrics.
    """

    key: str
    replaces: tuple[str, ...] = field(default=(), converter=as_names)
    wrong: Callable[[Mapping[str, Any]], Sequence[str]] = _nothing_wrong
    incompatible: Callable[[Any, Any, bool], Sequence[str]] = _nothing_wrong
    rules: Callable[[Any], Sequence[Any]] = _nothing_wrong
    evaluate: Callable[[Any, Sequence[Any], Any], Any]
    with_parameter: Callable[[Any, str, Any, Any], Any] | None = None

    def asked_for(self, rules: Mapping[str, Any]) -> bool:
        """Return whether rules, by key, ask for the assembler; an empty list does not."""
        return rules.get(self.key, ()) not in ((), [])
