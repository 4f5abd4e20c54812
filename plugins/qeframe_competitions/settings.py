"""What a scoring program is told: the file ``competition.json`` beside it, and the rules that hold there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.calls import QeframeError
from qeframe.plugin.competitions import Profile, Registry
from qeframe.plugin.results import canonical_json, choose_profile
from qeframe_competitions.columns import ScoreColumn
from qeframe_competitions.layout import Layout

SETTINGS_FILE = "competition.json"
PROFILE_FILE = "profile.toml"
"""The name that a profile of the organizers has beside the scoring program."""


@frozen(kw_only=True)
class Competition:
    """The settings of a scoring program.

    Parameters
    ----------
    title : str
    profile : str
        A registered name, or `PROFILE_FILE`.
    changed : tuple of str
        Rules that were changed, ``KEY=VALUE`` each.
    layout : Layout
    tasks : tuple of str
        What a submission must answer, all of it.
    tried : bool
        Whether the gold was read with a submission when the bundle was made, so that `tasks` are the names of its
        tasks. Otherwise they are the names of their folders.
    columns : tuple of ScoreColumn
        All scores that are computed.
    precision : int
        Scores are rounded to so many decimals before they leave the program.
    hidden : bool
        Whether participants see no scores.
    pseudo_gold : str
        The submission whose answers take the place of the gold. Empty: none does.
    inputs : tuple of str
        Tasks whose public input is beside the scoring program, in the folder ``inputs``.
    largest : int
        The bound on the size of a submission, in MiB.
    """

    title: str
    profile: str
    changed: tuple[str, ...] = ()
    layout: Layout
    tasks: tuple[str, ...]
    tried: bool
    columns: tuple[ScoreColumn, ...]
    precision: int = 4
    hidden: bool = False
    pseudo_gold: str = ""
    inputs: tuple[str, ...] = ()
    largest: int = 100

    def to_json(self) -> str:
        """Return the text of ``competition.json``."""
        return canonical_json(self)

    @classmethod
    def from_json(cls, text: str) -> Competition:
        """Return the settings in a text of `to_json`."""
        values: dict[str, Any] = json.loads(text)
        lists = {key: tuple(value) for key, value in values.items() if isinstance(value, list)}
        columns = tuple(ScoreColumn(**column) for column in values["columns"])
        layout = Layout(**{**values["layout"], "folders": tuple(values["layout"]["folders"])})
        return cls(**{**values, **lists, "columns": columns, "layout": layout})


def read_competition(program: Path) -> Competition:
    """Read the settings in the folder of a scoring program.

    Raises
    ------
    QeframeError
        If they are not there, or cannot be read.
    """
    try:
        return Competition.from_json((program / SETTINGS_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{SETTINGS_FILE} beside the scoring program cannot be read: {type(error).__name__}"
        raise QeframeError(f"{what}; make the bundle again") from error


def competition_rules(competition: Competition, program: Path, registry: Registry) -> Profile:
    """Return the rules by which one submission is scored.

    Nothing is compared, so that intervals, tests and metrics of the organizers are not computed.
    """
    own = competition.profile == PROFILE_FILE
    profile = choose_profile(str(program / PROFILE_FILE) if own else competition.profile, competition.changed, registry)
    return rules_of_one(profile)


def rules_of_one(profile: Profile) -> Profile:
    """Return the rules of a profile for a single submission.

    A unit that a submission lacks is an error where the profile would leave it out for all: an author could leave out
    what is difficult.

    Raises
    ------
    DataError
        If the profile has parts, whose overall score depends on other submissions.
    """
    if profile.is_assembled:
        what = f"the overall score of '{profile.name}' depends on the other submissions, a platform scores each alone"
        raise DataError(what, remedy="make a bundle of a profile without parts, such as that of one level")
    missing = "error" if profile.missing == "drop_for_all" else profile.missing
    return attrs.evolve(
        profile, interval="", test="", columns=(), computed=(), baselines=(), missing=missing, own=frozenset()
    )
