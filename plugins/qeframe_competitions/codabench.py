"""The bundle of a competition on Codabench: its settings, pages, scoring program and gold, as one zip archive."""

import shlex
import struct
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.competitions import Profile, Registry
from qeframe.plugin.readers import Reader
from qeframe_competitions.prepare import Prepared
from qeframe_competitions.settings import PROFILE_FILE, SETTINGS_FILE, Competition, ScoreColumn
from qeframe_competitions.wheels import dependencies_of, given_wheels, installed_wheel, own_distributions, zip_bytes

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
    missing = "A submission that lacks a segment gets no score."
    if profile.missing == "score_as_worst":
        missing = "A segment without an answer gets the worst one."
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
        *(f"| {_text(c.title)} | {_text(c.metric)} | {'higher' if c.higher_is_better else 'lower'} |" for c in shown),
        "",
        f"Scores are rounded to {competition.precision} decimals. {missing}",
        "",
    ]
    if profile.source:
        lines += [f"Source of the rules: {_text(profile.source)}.", ""]
    return "\n".join(lines)


def _text(text: str) -> str:
    """Return a text without markup: the platform shows Markdown with HTML in it."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in " ".join(text.split()))


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"


_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def yaml_text(values: Mapping[str, Any]) -> str:
    """Return a mapping as YAML. Texts are in quotes, so that none is taken for a number, a truth value or a comment.

    Keys are plain words; lists and mappings are not empty.
    """
    return "\n".join(_lines(values)) + "\n"


def _lines(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(item, (Mapping, list)):
                yield f"{key}:"
                yield from (f"  {line}" for line in _lines(item))
            else:
                yield f"{key}: {_scalar(item)}"
        return
    for item in value:
        first, *others = _lines(item) if isinstance(item, Mapping) else [_scalar(item)]
        yield f"- {first}"
        yield from (f"  {line}" for line in others)


def _scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, int):
        return str(value)
    return '"' + "".join(map(_character, value)) + '"'


def _character(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable():
        return char
    return f"\\U{ord(char):08x}" if ord(char) > 0xFFFF else f"\\u{ord(char):04x}"


_SIZE, _BARS = 128, ((20, 64), (52, 34), (84, 50))
"""The edge of the picture, and the left edge and the top of each bar, in pixels."""
_WHITE, _BLUE = b"\xff\xff\xff", b"\x2b\x5c\x9e"


def default_logo() -> bytes:
    """Return a picture in PNG: a leaderboard of three bars. Its bytes are the same with every version of zlib."""
    rows = b"".join(b"\0" + b"".join(_pixel(x, y) for x in range(_SIZE)) for y in range(_SIZE))
    header = struct.pack(">IIBBBBB", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)


def _pixel(x: int, y: int) -> bytes:
    return _BLUE if y < _SIZE - 16 and any(left <= x < left + 24 and y >= top for left, top in _BARS) else _WHITE


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


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
    """What the organizers choose about the platform."""

    description: str = ""
    image: str = IMAGE  # the image of Docker in which the scoring program runs
    phase: str = "Evaluation"
    start: datetime | None = None  # of the phase, in UTC; None: open at once
    end: datetime | None = None  # None: it stays open
    max_submissions: int = 100  # for each participant
    max_per_day: int = 5
    time_limit: int = 600  # seconds for one submission
    rule: SubmissionRule = "Force_Last"
    every_column: bool = False  # whether the leaderboard also has the secondary metrics in each task
    contact: str = ""  # the address of the organizers
    approve: bool = False  # whether everybody may take part without an approval
    logo: bytes = b""  # a picture in PNG or JPEG; empty: a drawing
    terms: str = ""  # in Markdown

    def __attrs_post_init__(self) -> None:
        if self.start and self.end and self.end <= self.start:
            raise DataError(f"the phase ends at {self.end}, before it starts", remedy="give a later --end")


def wheel_files(registry: Registry, *, inside: bool, wheels: Path | None = None) -> dict[str, bytes]:
    """Return the wheels of a scoring program by their names.

    Dependencies are made into wheels too if they are `inside`; otherwise the image must have them. `wheels` is a folder
    with wheels of them, in place of those that are installed.
    """
    ours = own_distributions(registry)
    packed = dict(map(installed_wheel, ours))
    if wheels is not None:
        return packed | given_wheels(wheels, own=ours, needed=dependencies_of(ours))
    return packed | (dict(map(installed_wheel, dependencies_of(ours))) if inside else {})


def codabench_bundle(prepared: Prepared, options: Options, wheels: Mapping[str, bytes]) -> bytes:
    """Return the bundle as a zip archive: equal bytes for equal files and options."""
    return zip_bytes(bundle_files(prepared, options, wheels))


def bundle_files(prepared: Prepared, options: Options, wheels: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the bundle by their paths."""
    competition, profile = prepared.competition, prepared.profile
    every = options.every_column or len(competition.tasks) == 1
    columns = [column for column in competition.columns if every or column.primary or not column.task]
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
