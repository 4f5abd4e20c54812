"""The public pages of a competition: what is asked, how a submission is made, how it is scored.

A participant has these pages and the starting kit alone. They are Markdown; formulas are between dollar signs in code,
where Markdown leaves them as they are and the platform draws them.
"""

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence

import attrs

from qeframe.plugin import Metric
from qeframe.plugin.results import ResolvedProfile
from qeframe_competitions.example import NAME, Example
from qeframe_competitions.kit_check import EXAMPLE
from qeframe_competitions.prepare import Prepared
from qeframe_competitions.settings import PROFILE_FILE, ScoreColumn, submission_format

KIT = "starting_kit"


def overview_page(prepared: Prepared, description: str, dates: Mapping[str, str]) -> str:
    """Return the first page: what is asked, on which data, when. `dates` are the times and limits, by what they are."""
    competition, profile = prepared.competition, prepared.profile
    lines = [f"# {_text(competition.title)}", ""]
    lines += [_text(description), ""] if description else []
    lines += [*_what_is_asked(prepared), *_data(prepared), "## Dates and limits", "", "| what | when, how much |"]
    lines += ["|---|---|", *(f"| {_text(what)} | {_text(when)} |" for what, when in dates.items()), ""]
    if profile.gold:
        has_direction = "best" in attrs.fields_dict(prepared.reader.kind)
        better = f" A {profile.best} value is good." if has_direction else ""
        lines += ["## The gold", "", f"{_text(profile.gold)}.{better}", ""]
    lines += ["The page *Submission* says how answers are handed in, *Evaluation* how they are scored.", ""]
    return "\n".join(lines)


def _what_is_asked(prepared: Prepared) -> Iterator[str]:
    """Yield what a submission holds for each unit, in the words of the format."""
    form = submission_format(prepared.reader).lines
    unit = next((units.unit for units in prepared.tasks.values()), "unit")
    yield from ("## What is asked", "")
    if form is None:
        yield from (f"Answers to every {unit} of all tasks below, as files of this format: {_said(prepared)}.", "")
        return
    yield from (f"For every {unit} of all tasks below, your system gives:", "")
    *others, last = form.answers
    yield from (f"* `{name}`, which {form.columns[name]};" for name in others)
    yield f"* `{last}`, which {form.columns[last]}."
    yield ""


def _said(prepared: Prepared) -> str:
    """Return what the reader says of its files, without the folders of the organizers."""
    return _text(prepared.reader.summary.removeprefix("folders of a task, ").removeprefix("header lines, then "))


def _data(prepared: Prepared) -> Iterator[str]:
    """Yield the tasks with the numbers of their units."""
    tasks = prepared.competition.tasks
    yield from ("## Data", "", "| task | how many | numbered |", "|---|---|---|")
    for task in tasks:
        units = prepared.tasks.get(task)
        count = f"{units.count:,} {units.unit}{'' if units.count == 1 else 's'}" if units else "as published"
        yield f"| {_code(task)} | {count} | {_text(units.numbered) if units else ''} |"
    yield ""
    if len(tasks) > 1:
        yield from ("A submission answers all of them.", "")
    if prepared.competition.inputs:
        yield from (f"The input is in the starting kit, in the folder `{KIT}/input`.", "")


def submission_page(prepared: Prepared) -> str:
    """Return the page that says what is in the zip archive of a submission, with an example of its lines."""
    competition = prepared.competition
    lines = ["# How to make a submission", "", *_archive(prepared), *_format(prepared), *_missing(prepared)]
    whole = prepared.example is not None and prepared.example.of_task and prepared.example.complete
    first = next(iter(prepared.example.files)) if prepared.example is not None else ""
    command = "qeframe bundle validate . SUBMISSION.zip" if whole else f"qeframe validate {PROFILE_FILE} FILE"
    lines += [
        "## Check it before you hand it in",
        "",
        f"The starting kit has qeframe, which needs Python 3.11 or later, and the rules of the task, `{PROFILE_FILE}`. "
        f"qeframe checks {'an archive' if whole else 'a file'} by them as the platform does. In the folder of the kit:",
        "",
        "```sh",
        "pip install *.whl",
        command,
        "```",
        "",
        *([f"One file alone: `qeframe validate {PROFILE_FILE} FILE --like {EXAMPLE}/{first}`.", ""] if whole else []),
        "A submission that lacks a task, or has a mistake, gets no score. The log and the details page then have one "
        "line that says what to do. Links in the archive are refused. "
        f"All files together have {competition.largest} MiB at the most.",
        "",
    ]
    return "\n".join(lines)


def _archive(prepared: Prepared) -> Iterator[str]:
    """Yield which files the zip archive has."""
    folders, shared = prepared.competition.layout.folders, prepared.competition.layout.shared
    yield from ("Hand in a zip archive.", "")
    if shared:
        yield (
            f"It has the files that would be in the folder {_code(shared)} of the task, under the same names, "
            "with the scores of one metric:"
        )
        example = prepared.example
        names = list(example.files) if example is not None and example.of_task else []
        yield from ("", *(f"* {_code(name)}" for name in names), "")
        if names:
            yield from (f"Put the name of your metric in the place of `{NAME}`.", "")
    elif len(folders) == 1:
        yield from ("It has one file, of any name.", "")
    else:
        order = dict.fromkeys([*prepared.competition.tasks, *folders])
        names = [f"{folder}.txt" for folder in order if folder in folders]
        yield from ("It has one file for each task:", "", *(f"* {_code(name)}" for name in names), "")
        yield from ("```sh", shlex.join(["zip", "submission.zip", *names]), "```", "")


def _format(prepared: Prepared) -> Iterator[str]:
    """Yield what the lines of a file hold, and real lines of a submission to this task."""
    form, example = submission_format(prepared.reader).lines, prepared.example
    yield from ("## The lines of a file", "")
    if form is None:
        yield from (f"Format: {_said(prepared)}.", "")
    else:
        separator = "a tab" if form.separator == "\t" else "a blank"
        if form.header:
            yield from (f"The first {len(form.header)} lines are numbers about your system:", "")
            yield from (f"{nth}. {what}, such as `{shown}`" for nth, (shown, what) in enumerate(form.header, 1))
            yield ""
        single = len(form.columns) == 1
        yield (
            f"{'Every other' if form.header else 'Every'} line has "
            + (
                f"cells with {separator} between them:"
                if single
                else f"{len(form.columns)} columns, {separator} between:"
            )
        )
        yield from ("", *(f"* `{name}` {words}." for name, words in form.columns.items()), "")
    if example is not None:
        yield from _example_lines(example, len(form.header) if form else 0)


_MOST_EXAMPLES = 3


def _example_lines(example: Example, header: int) -> Iterator[str]:
    """Yield the first lines of the files of an example, and how many there are."""
    where = "the first task" if len(example.files) == 1 else "the first tasks"
    if not example.of_task:
        yield from ("A file of another task, generated, has these lines; names and numbers of yours are others:", "")
    elif example.complete:
        yield (
            f"These are lines for {where}. The answers mean nothing; all else is as it must be. The starting kit has "
            f"the whole submission in `{KIT}/example`: it is accepted as it is. Put your answers into it, and the name "
            f"of your system in the place of `{NAME}`."
        )
        yield ""
    else:
        yield from (f"These are lines for {where}, of a baseline of the organizers:", "")
    for name in list(example.files)[:_MOST_EXAMPLES]:
        lines, count = example.excerpt(name, header)
        yield from (f"{_code(name)}, {count:,} lines in all:", "", "```text", *lines, "```", "")


def _missing(prepared: Prepared) -> Iterator[str]:
    """Yield what happens where an answer is missing, and what is no answer."""
    form = submission_format(prepared.reader).lines
    unit = next((units.unit for units in prepared.tasks.values()), "unit")
    yield from ("## Answers that are missing", "")
    if prepared.profile.missing == "score_as_worst":
        yield f"A {unit} without an answer gets the worst answer: leave its lines out."
    else:
        yield f"Every {unit} needs an answer. A submission that lacks one gets no score."
    if form is not None:
        yield (
            f"Write {form.missing} for it."
            if form.missing
            else "There is no sign for a missing answer: an empty cell, `NaN` and `None` are mistakes."
        )
    yield (
        "Nothing may be answered twice. If the score is a correlation, answers that are all the same have none, and "
        "the submission is refused."
    )
    yield ""


def evaluation_page(prepared: Prepared, shown: Sequence[ScoreColumn]) -> str:
    """Return the page that says how submissions are scored, over which tasks, and how they are ranked in the end."""
    competition, profile = prepared.competition, prepared.profile
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
        "| column | metric | better |",
        "|---|---|---|",
        *(f"| {_text(c.title)} | {_text(c.metric)} | {'higher' if c.higher_is_better else 'lower'} |" for c in shown),
        "",
        f"The first column ranks submissions. Scores are rounded to {competition.precision} decimals.",
        "",
    ]
    names = list(dict.fromkeys(column.metric for column in shown))
    metrics = [metric for metric in prepared.ranked_by.metrics if metric.name in names]
    lines += ["## Metrics", "", *(line for metric in metrics for line in _metric(metric))]
    lines += [*_over_tasks(prepared), *_final_ranking(prepared.ranked_by)]
    if profile.source:
        lines += [f"Source of the rules: {_text(profile.source)}.", ""]
    return "\n".join(lines)


def _metric(metric: Metric) -> Iterator[str]:
    """Yield what a metric measures, with its formula."""
    yield from (f"### {_text(metric.name)}", "", f"{_text(metric.summary)}.", "")
    for line in metric.formula.splitlines():
        if line.strip():
            yield from (f"`$${line.strip()}$$`", "")
    if metric.symbols:
        parts = re.split(r"(\$[^$]+\$|`[^`]+`)", metric.symbols)
        yield from ("".join(f"`{p.strip('`')}`" if p[:1] in ("$", "`") else _text(p, strip=False) for p in parts), "")
    low, high = metric.bounds
    better = "higher" if metric.higher_is_better else "lower"
    ends = f", from {low:g} to {high:g}" if abs(low) < float("inf") and abs(high) < float("inf") else ""
    yield from (f"{better.capitalize()} is better{ends}.", "")


def _over_tasks(prepared: Prepared) -> Iterator[str]:
    """Yield how the scores of tasks become one, with the weight of each."""
    tasks, rules = prepared.competition.tasks, prepared.ranked_by
    if len(tasks) < 2:
        return
    yield from ("## Over all tasks", "")
    if prepared.competition.columns[0].task:
        yield from ("The platform shows the score in each task. In the end they are joined by this rule:", "")
    yield from (f"{_text(rules.across.summary)}.", "")
    shares = prepared.scored.shares if prepared.scored is not None else {}
    stated = rules.profile.weights
    weights = {task: shares.get(task, stated.get(task)) for task in tasks}
    if all(weight is not None for weight in weights.values()):
        yield from ("| task | weight |", "|---|---|")
        yield from (f"| {_code(task)} | {weight:.4g} |" for task, weight in weights.items())
        yield ""


def _final_ranking(rules: ResolvedProfile) -> Iterator[str]:
    """Yield how the organizers compare and rank submissions in the end, which the platform does not."""
    profile = rules.profile
    yield from ("## The final ranking", "")
    yield (
        "The platform scores each submission by itself. It tests nothing, and the order of its leaderboard is that of "
        "the scores alone."
    )
    if rules.test is None:
        yield from ("The final ranking follows the scores of the first column; differences are not tested.", "")
        return
    yield from (
        "In the end the organizers compare all submissions with each other, by these rules:",
        "",
        "* test, which says how often chance alone makes such a difference between two equally good submissions: "
        f"{_text(rules.test.summary)} ({_code(rules.test.name)}"
        f"{f', {profile.sided}-sided' if profile.sided else ''})",
        "* correction, since among many pairs some differ by chance: "
        f"{_text(rules.correction.summary)} ({_code(rules.correction.name)})",
        f"* a difference is significant if its corrected p is {'below' if profile.strict else 'at most'} "
        f"{profile.alpha:g}",
        f"* ranking: {_text(rules.ranking.summary)} ({_code(rules.ranking.name)})",
        "",
    )


def _text(text: str, *, strip: bool = True) -> str:
    """Return a text without markup: the platform shows Markdown with HTML in it."""
    plain = " ".join(text.split()) if strip else text
    return "".join(f"\\{char}" if char in "\\`*_[]<>#|" else char for char in plain)


def _code(text: str) -> str:
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"
