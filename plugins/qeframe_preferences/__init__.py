"""Judges of pairs of answers: how often they are right, whether the order of the answers changes their decision."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe.plugin import Metric, Parametric, hookimpl
from qeframe.plugin.readers import Reader
from qeframe_preferences.decision_metrics import (
    judgebench_accuracy,
    position_bias,
    preference_accuracy,
    preference_bias,
    swap_consistency,
)
from qeframe_preferences.kappa import preference_kappa
from qeframe_preferences.preference_lines import preferences_jsonl
from qeframe_preferences.sections import section_accuracy, section_tau

__all__ = [
    "judgebench_accuracy",
    "position_bias",
    "preference_accuracy",
    "preference_bias",
    "preference_kappa",
    "preferences_jsonl",
    "qeframe_metrics",
    "qeframe_profiles",
    "qeframe_readers",
    "section_accuracy",
    "section_tau",
    "swap_consistency",
]


@hookimpl
def qeframe_metrics() -> Sequence[Metric | Parametric[Metric]]:
    """Bring the metrics on pairwise preferences."""
    with_parameters = (preference_accuracy, preference_bias, preference_kappa, section_accuracy, section_tau)
    return [judgebench_accuracy, position_bias, swap_consistency, *(Parametric(build) for build in with_parameters)]


@hookimpl
def qeframe_readers() -> Sequence[Reader | Parametric[Reader]]:
    """Bring the reader of JSON lines."""
    return [Parametric(preferences_jsonl)]


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the profiles, each under the name of its file."""
    profiles = [file for file in files(__name__).joinpath("profiles").iterdir() if file.name.endswith(".toml")]
    return {file.name.removesuffix(".toml"): file for file in profiles}
