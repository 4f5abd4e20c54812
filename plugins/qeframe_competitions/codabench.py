"""The bundle of a competition on Codabench: its settings, pages, scoring program and gold, as one zip archive."""

import struct
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal

import attrs
from attrs import frozen

from qeframe.plugin import DataError
from qeframe.plugin.competitions import Registry, profile_to_toml
from qeframe_competitions.kit_check import EXAMPLE
from qeframe_competitions.pages import KIT, evaluation_page, overview_page, submission_page
from qeframe_competitions.prepare import Prepared
from qeframe_competitions.scoring import INPUTS
from qeframe_competitions.settings import PROFILE_FILE, SETTINGS_FILE, ScoreColumn
from qeframe_competitions.wheels import dependencies_of, given_wheels, installed_wheel, own_distributions, zip_bytes

DEFAULT_TERMS = """# Terms

By taking part you agree that the organizers may publish the scores of your submissions, with the name of your team.
Hand in answers that your own system made, without knowledge of the gold.
"""


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
    rows = b""
    for y in range(_SIZE):
        bars = [left for left, top in _BARS if top <= y < _SIZE - 16]
        colors = (_BLUE if any(left <= x < left + 24 for left in bars) else _WHITE for x in range(_SIZE))
        rows += b"\0" + b"".join(colors)
    header = struct.pack(">IIBBBBB", _SIZE, _SIZE, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 0)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )


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

    @property
    def dates(self) -> dict[str, str]:
        """When and how often participants may hand in, in words."""
        limits = f"{self.max_per_day} a day, {self.max_submissions} in all"
        dates = {"start": _time(self.start, "at once"), "end": _time(self.end, "none is set"), "submissions": limits}
        return {f"{self.phase}: {what}": when for what, when in dates.items()}


def _time(time: datetime | None, otherwise: str) -> str:
    return otherwise if time is None else f"{time:%Y-%m-%d %H:%M} UTC"


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
    competition = prepared.competition
    every = options.every_column or len(competition.tasks) == 1
    columns = [column for column in competition.columns if every or column.primary or not column.task]
    logo = options.logo or default_logo()
    image = "logo.png" if logo.startswith(b"\x89PNG") else "logo.jpg"
    settings = yaml_text(_settings(prepared, options, columns, image))
    texts = {
        "competition.yaml": settings,
        "pages/overview.md": overview_page(prepared, options.description, options.dates),
        "pages/submission.md": submission_page(prepared),
        "pages/evaluation.md": evaluation_page(prepared, columns),
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
        **{f"{KIT}/{name}": content for name, content in _starting_kit(prepared, wheels).items()},
    }


def _starting_kit(prepared: Prepared, wheels: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return what participants download: qeframe, the rules, the public input, and a submission that is accepted."""
    chosen, example = prepared.ranked_by.profile, prepared.example
    told = attrs.evolve(prepared.competition, profile=PROFILE_FILE, changed=(), pseudo_gold="", inputs=())
    kit = {PROFILE_FILE: profile_to_toml(chosen, version("qeframe")).encode(), SETTINGS_FILE: told.to_json().encode()}
    kit |= {name: content for name, content in wheels.items() if name.partition("-")[0] in prepared.distributions}
    for name, content in prepared.beside.items():
        if name.startswith(f"{INPUTS}/"):
            kit[name.replace(INPUTS, "input", 1)] = content
    if example is not None and example.of_task and example.complete:
        kit |= {f"{EXAMPLE}/{name}": content for name, content in example.files.items()}
    return kit


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
                "starting_kit": KIT,
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
