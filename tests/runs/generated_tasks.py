"""A small task for each registered profile, in the layout of its reader."""

from pathlib import Path

from qeframe.core.calls import Call, Parametric, parse_call
from qeframe.core.profile import Profile
from qeframe.core.reader import ExampleRequest
from qeframe.core.registry import Registry
from qeframe.core.significance import SignificanceTest
from tests.plugins.qeframe_wmt.examples.by_reader import write_example

__all__ = ["generate", "quick_settings"]

FEW = 20
"""Draws: enough to run every step, too few for a publication."""


def generate(profile: Profile, registry: Registry, folder: Path, *, seed: int = 1) -> Path:
    """Write a task with two language pairs, ties and the profile's baselines; return the path to read."""
    names = ("Aster", "Birch", "Cedar") if any("reader" in part for part in profile.parts) else ()
    request = ExampleRequest(seed=seed, pairs=2, baselines=profile.baselines, best=profile.best, names=names)
    path = write_example(profile, registry, folder, request)
    assert path is not None, f"reader of {profile.name} generates no task: give it an example"
    return path


def quick_settings(profile: Profile, registry: Registry) -> list[str]:
    """Return settings by which a test and an interval that draw at random draw few times.

    Parts that are averaged need equal numbers of draws, and some state their own test: such a profile is not tested.
    """
    if profile.overall == "mean" and any("test" in part for part in profile.parts):
        return ["--set", "test="]
    given = {"test": profile.test, "interval": profile.interval}
    return [
        part for key, text in given.items() if (few := _few_draws(text, registry)) for part in ("--set", f"{key}={few}")
    ]


def _few_draws(text: str, registry: Registry) -> str:
    """Return a test with few draws; empty if it draws nothing."""
    if text in {"", "default"}:
        return ""
    call = parse_call(text)
    component = registry.entry(SignificanceTest, call.name).component
    if not (isinstance(component, Parametric) and "draws" in component.parameters):
        return ""
    return str(Call(call.name, {**call.parameters, "draws": FEW}))
