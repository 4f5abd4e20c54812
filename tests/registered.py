"""The registry of all installed plugins and the profiles in it, each found once for all tests of a process."""

from functools import cache

import qeframe
from qeframe.core.profile import Profile

__all__ = ["PROFILES", "REGISTRY", "profile_named"]

REGISTRY = qeframe.load()
PROFILES = sorted(REGISTRY.profiles)


@cache
def profile_named(name: str) -> Profile:
    """Return a registered profile, which takes milliseconds to find."""
    return qeframe.find_profile(name, REGISTRY)
