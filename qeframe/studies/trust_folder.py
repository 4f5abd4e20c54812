"""The folder of a study of measures: a page with one picture, Markdown, LaTeX, JSON."""

from typing import Any

from qeframe.report.figures.style import available, images, styled
from qeframe.report.html.tables_page import PageFigure, tables_page
from qeframe.report.layouts.latex import as_latex
from qeframe.report.layouts.markdown import as_markdown
from qeframe.report.result_files.files import schema_in
from qeframe.studies.figures import trust_figure
from qeframe.studies.measures.values import Trust
from qeframe.studies.tables.trust import trust_tables

_TITLE = "Which measures can be trusted?"
_INTRODUCTION = """\
A ranking is as good as the measure behind it. A measure that can be trusted separates many pairs of submissions, ranks
them alike in both halves of the data, gives nothing to answers that need no model, and is tested by a test that finds
no more differences than it should where there are none.
"""
_PICTURE = """\
A line for each measure. Pairs separated: the share of all pairs that differ significantly; lighter: not determined.
Reliability: of the ranking, from two halves of the data. Gaming index: what the best attack gains, with its interval.
False claims: how often a test finds a difference between submissions that have none, against the share that is allowed.
"""


def trust_page(study: Trust, *, command: str = "") -> str:
    """Return a study as a page of HTML: the picture, if matplotlib is installed, and the tables."""
    figures = []
    if available():
        with styled():
            figures = [PageFigure(images(trust_figure(study), ["svg"])["svg"], " ".join(_PICTURE.split()))]
    introduction = " ".join(_INTRODUCTION.split())
    return tables_page(_TITLE, trust_tables(study), introduction=introduction, figures=figures, command=command)


def trust_files(study: Trust, *, command: str = "") -> dict[str, bytes]:
    """Return the files of a study by name: the page, its picture alone, the tables as Markdown and LaTeX, JSON."""
    tables = trust_tables(study)
    texts = {
        "report.html": trust_page(study, command=command),
        "trust.md": "\n".join(map(as_markdown, tables)),
        "trust.tex": "\n".join(map(as_latex, tables)),
        "trust.json": study.to_json(),
    }
    files = {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    if available():
        with styled():
            files |= {f"trust.{form}": content for form, content in images(trust_figure(study)).items()}
    return files


def trust_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) that every ``trust.json`` of this version keeps.

    Keys that it does not name are allowed, since a release may add some; its key ``format`` is the version of the rest.
    """
    return schema_in(__package__, "trust.schema.json")
