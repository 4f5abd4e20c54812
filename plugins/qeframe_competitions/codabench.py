"""The bundle of a competition on Codabench: its settings, pages, scoring program and gold, as one zip archive."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.competitions import Registry
from qeframe_competitions.archive import zip_bytes
from qeframe_competitions.bar_picture import default_logo
from qeframe_competitions.columns import ScoreColumn
from qeframe_competitions.pages import DEFAULT_TERMS, evaluation_page, overview_page, submission_page
from qeframe_competitions.prepare import Prepared
from qeframe_competitions.settings import SETTINGS_FILE
from qeframe_competitions.wheels import dependencies_of, given_wheels, installed_wheel, own_distributions
from qeframe_competitions.yaml_text import yaml_text

IMAGE = f"python:{sys.version_info[0]}.{sys.version_info[1]}-slim"
"""The image that is named by default: Python as it runs here, to which wheels for it can be given."""

SubmissionRule = Literal[
    "Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"
]
RULES: tuple[SubmissionRule, ...] = (
    "Add", "Add_And_Delete", "Add_And_Delete_Multiple", "Force_Last", "Force_Latest_Multiple", "Force_Best"
)  # fmt: skip
"""What a platform does with a new submission on the leaderboard."""

_AT_ONCE = datetime(2000, 1, 1)
_COMMAND = "python3 /app/program/score.py /app/input/ /app/output/"


@frozen(kw_only=True)
class Options:
    """What the organizers choose about the platform.

    Parameters
    ----------
    description : str
    image : str
        The image of Docker in which the scoring program runs.
    phase : str
    start, end : datetime, optional
        Of the phase, in UTC. Without a start it is open at once, without an end it stays open.
    max_submissions, max_per_day : int
        For each participant.
    time_limit : int
        Seconds for one submission.
    rule : str
        One of `RULES`.
    every_column : bool
        Whether the leaderboard also has the secondary metrics in each task.
    contact : str
        The address of the organizers.
    approve : bool
        Whether everybody may take part without an approval.
    logo : bytes
        A picture in PNG or JPEG; by default a drawing.
    terms : str
        The terms of participation in Markdown.
    """

    description: str = ""
    image: str = IMAGE
    phase: str = "Evaluation"
    start: datetime | None = None
    end: datetime | None = None
    max_submissions: int = 100
    max_per_day: int = 5
    time_limit: int = 600
    rule: SubmissionRule = "Force_Last"
    every_column: bool = False
    contact: str = ""
    approve: bool = False
    logo: bytes = b""
    terms: str = ""

    def __attrs_post_init__(self) -> None:
        if self.start and self.end and self.end <= self.start:
            raise DataError(f"the phase ends at {self.end}, before it starts", remedy="give a later --end")


def wheel_files(registry: Registry, *, inside: bool, wheels: Path | None = None) -> dict[str, bytes]:
    """Return the wheels of a scoring program by their names.

    Parameters
    ----------
    inside : bool
        Whether dependencies are made into wheels too. Otherwise the image must have them.
    wheels : Path, optional
        A folder with wheels of the dependencies, in place of those that are installed.

    Raises
    ------
    DataError
        If something is not installed, or cannot be made into a wheel for the platform.
    """
    own = own_distributions(registry)
    made = dict(map(installed_wheel, own))
    if wheels is not None:
        return made | given_wheels(wheels, own=own, needed=dependencies_of(own))
    return made | (dict(map(installed_wheel, dependencies_of(own))) if inside else {})


def codabench_bundle(prepared: Prepared, options: Options, wheels: Mapping[str, bytes]) -> bytes:
    """Return the bundle as a zip archive: equal bytes for equal files and options."""
    return zip_bytes(bundle_files(prepared, options, wheels))


def bundle_files(prepared: Prepared, options: Options, wheels: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the bundle by their paths."""
    competition, profile = prepared.competition, prepared.profile
    columns = [column for column in competition.columns if options.every_column or _is_shown(column, competition.tasks)]
    logo = options.logo or default_logo()
    image = "logo.png" if logo.startswith(b"\x89PNG") else "logo.jpg"
    settings = yaml_text(_settings(prepared, options, columns, image))
    texts = {
        "competition.yaml": settings,
        "pages/overview.md": overview_page(competition, profile, options.description),
        "pages/submission.md": submission_page(competition, prepared.reader),
        "pages/evaluation.md": evaluation_page(competition, profile, columns),
        "pages/terms.md": options.terms or DEFAULT_TERMS,
        "scoring_program/metadata.yaml": yaml_text({"command": _COMMAND}),
        f"scoring_program/{SETTINGS_FILE}": competition.to_json(),
        "scoring_program/score.py": files(__package__).joinpath("score.py.txt").read_text(encoding="utf-8"),
    }
    return {
        **{path: text.encode() for path, text in texts.items()},
        image: logo,
        **{f"scoring_program/{name}": content for name, content in prepared.beside.items()},
        **{f"scoring_program/wheels/{name}": content for name, content in wheels.items()},
        **{f"reference_data/{name}": content for name, content in prepared.reference.items()},
    }


def _is_shown(column: ScoreColumn, tasks: Sequence[str]) -> bool:
    return column.primary or not column.task or len(tasks) == 1


def _settings(prepared: Prepared, options: Options, columns: Sequence[ScoreColumn], image: str) -> dict[str, Any]:
    """Return the settings of the competition, in the words of the platform."""
    competition = prepared.competition
    given: dict[str, Any] = {"contact_email": options.contact} if options.contact else {}
    ends: dict[str, Any] = {"end": options.end} if options.end else {}
    return {
        "version": 2,
        "title": competition.title,
        "description": options.description or prepared.profile.title or competition.title,
        "image": image,
        "terms": "pages/terms.md",
        "docker_image": options.image,
        "registration_auto_approve": options.approve,
        "make_programs_available": False,
        "make_input_data_available": False,
        "enable_detailed_results": True,
        "show_detailed_results_in_submission_panel": True,
        "show_detailed_results_in_leaderboard": False,
        **given,
        "pages": [
            {"title": title, "file": f"pages/{title.lower()}.md"} for title in ("Overview", "Submission", "Evaluation")
        ],
        "tasks": [
            {
                "index": 0,
                "name": competition.title,
                "description": prepared.profile.title or competition.title,
                "scoring_program": "scoring_program",
                "reference_data": "reference_data",
            }
        ],
        "phases": [
            {
                "index": 0,
                "name": options.phase,
                "start": options.start or _AT_ONCE,
                **ends,
                "max_submissions": options.max_submissions,
                "max_submissions_per_day": options.max_per_day,
                "execution_time_limit": options.time_limit,
                "hide_output": False,
                "hide_score_output": competition.hidden,
                "accepts_only_result_submissions": True,
                "tasks": [0],
            }
        ],
        "leaderboards": [
            {
                "title": "Results",
                "key": "main",
                "submission_rule": options.rule,
                "hidden": competition.hidden,
                "columns": [
                    {
                        "title": column.title,
                        "key": column.key,
                        "index": index,
                        "sorting": "desc" if column.higher_is_better else "asc",
                        "precision": competition.precision,
                        "hidden": competition.hidden,
                    }
                    for index, column in enumerate(columns)
                ],
            }
        ],
    }
