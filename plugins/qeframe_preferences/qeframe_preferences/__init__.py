"""Judges of pairs of answers: how often they are right, whether the order of the answers changes their decision."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe.plugin import hookimpl
from qeframe.plugin.calls import lazy_names, places

_DECISIONS = ["judgebench_accuracy", "position_bias", "preference_kappa", "swap_consistency"]
_METRICS = {"decision_metrics": _DECISIONS, "sections": ["section_accuracy"]}
_READERS = {"preference_lines": ["preferences_jsonl"]}
__getattr__, _names = lazy_names(__name__, _METRICS | _READERS)
__all__ = [*_names(), "qeframe_metrics", "qeframe_profiles", "qeframe_readers"]


@hookimpl
def qeframe_metrics() -> Sequence[str]:
    """Bring the metrics on pairwise preferences."""
    return places(__name__, _METRICS)


@hookimpl
def qeframe_readers() -> Sequence[str]:
    """Bring the reader of JSON lines."""
    return places(__name__, _READERS)


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Return the profiles, each under the name of its file."""
    profiles = [file for file in files(__name__).joinpath("profiles").iterdir() if file.name.endswith(".toml")]
    return {file.name.removesuffix(".toml"): file for file in profiles}
