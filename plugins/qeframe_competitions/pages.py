"""The pages of a competition, in Markdown: what is asked for, how a submission is made, and how it is scored."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from qeframe.plugin.competitions import Profile
from qeframe.plugin.readers import Reader
from qeframe_competitions.columns import ScoreColumn
from qeframe_competitions.settings import PROFILE_FILE, Competition

DEFAULT_TERMS = """# Terms

By taking part you agree that the organizers may publish the scores of your submissions, with the name of your team.
Hand in answers that your own system made, without knowledge of the gold.
"""


def overview_page(competition: Competition, profile: Profile, description: str) -> str:
    """Return the first page: what the task is, and what it is scored in."""
    lines = [f"# {_text(competition.title)}", "", _text(description or profile.title or profile.name), ""]
    lines += ["A submission answers all of these:", "", *(f"* {_code(task)}" for task in competition.tasks), ""]
    if profile.gold:
        lines += [f"The gold: {_text(profile.gold)}.", ""]
    return "\n".join(lines)


def submission_page(competition: Competition, reader: Reader) -> str:
    """Return the page that says what is in the zip archive of a submission."""
    folders, shared = competition.layout.folders, competition.layout.shared
    lines = ["# How to make a submission", "", "Hand in a zip archive.", ""]
    if shared:
        lines += [
            f"It has the files that would be in the folder {_code(shared)} of the task, under the same names, "
            "with the scores of one metric.",
            "",
        ]
    elif len(folders) == 1:
        lines += ["It has one file, of any name.", ""]
    else:
        lines += ["It has one file for each task:", "", *(f"* {_code(f'{folder}.txt')}" for folder in folders), ""]
    lines += [f"Format: {_text(reader.summary)}.", ""]
    name = PROFILE_FILE if competition.profile == PROFILE_FILE else competition.profile
    given = [word for change in competition.changed for word in ("--set", change)]
    command = shlex.join(["qeframe", "validate", name, "FILE", *given])
    lines += ["Check a file before you hand it in:", "", "```sh", command, "```", ""]
    lines += [
        "A submission that lacks a task, or has a mistake, gets no score. The log and the details page then have one "
        "line that says what to do. Links in the archive are refused. "
        f"All files together have {competition.largest} MiB at the most.",
        "",
    ]
    return "\n".join(lines)


def evaluation_page(competition: Competition, profile: Profile, shown: Sequence[ScoreColumn]) -> str:
    """Return the page that says how submissions are scored: the columns, the rules and where they come from."""
    lines = ["# How submissions are scored", ""]
    if competition.pseudo_gold:
        lines += [
            "The leaderboard does **not** show agreement with the gold. It shows agreement with the answers of another "
            "submission: that a submission is read and scored, not how good it is.",
            "",
        ]
    if competition.hidden:
        lines += ["Scores are not shown in this phase.", ""]
    lines += [
        f"Metrics and rules are those of the profile {_code(profile.name)} of qeframe: {_text(profile.title)}.",
        "",
        "| column | metric | better |",
        "|---|---|---|",
        *(f"| {_cell(c.title)} | {_cell(c.metric)} | {'higher' if c.higher_is_better else 'lower'} |" for c in shown),
        "",
        f"Scores are rounded to {competition.precision} decimals. {_missing(profile)}",
        "",
    ]
    if profile.source:
        lines += [f"Source of the rules: {_text(profile.source)}.", ""]
    return "\n".join(lines)


def _missing(profile: Profile) -> str:
    if profile.missing == "score_as_worst":
        return "A segment without an answer gets the worst one."
    return "A submission that lacks a segment gets no score."


def _text(text: str) -> str:
    """Return a text without markup: the platform shows Markdown with HTML in it."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in " ".join(text.split()))


def _cell(text: str) -> str:
    return _text(text)


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"
