"""Profiles over a small registry."""

from types import ModuleType

import pytest

from qeframe.core.components.loading.loader import load
from qeframe.core.profiles.load import profile_from_toml
from qeframe.core.profiles.schema import Profile
from tests.qeframe.core.profiles.small_registry import components, hook


@pytest.fixture
def build(tmp_path, registry):
    """Build a registry of the small components and of profiles with the given texts."""

    def from_texts(**texts: str):
        files = {name: tmp_path / f"{name}.toml" for name in texts}
        for name, text in texts.items():
            files[name].write_text(text, encoding="utf-8")
        profiles = ModuleType("profiles")
        profiles.qeframe_profiles = hook("qeframe_profiles", files)
        everything = [p.origin.plugin for p in registry.plugins]
        return load(extra={"components": components(), "profiles": profiles}, block=everything)

    return from_texts


@pytest.fixture
def read(build):
    """Read a profile from a text, beside registered ones."""

    def from_text(text: str, **texts: str) -> Profile:
        return profile_from_toml(text, "own.toml", "own", build(**texts))

    return from_text
