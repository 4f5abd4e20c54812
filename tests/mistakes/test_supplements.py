"""A supplement that a distribution brings: on the command line, on the page, in files; and what is refused by name."""

import json

import pytest

from tests.mistakes.mistake import ORIGIN, RUN

SUPPLEMENT = """
@attrs.frozen(kw_only=True)
class Margins:
    # By submission, its distance from the best score.
    margins: dict[str, float]
    least: float

def margins(*, least: float = 0.0) -> Supplement:
    '''Return how far each submission is from the best.'''

    def of_evaluation(given):
        scores = given.contest.oriented
        found = dict(zip(given.submissions, map(float, scores.max() - scores), strict=True))
        return Margins(margins={name: far for name, far in found.items() if far >= least}, least=least)

    def tables(value, evaluation):
        names = [each.name for each in evaluation.submissions if each.name in value.margins]
        columns = [
            (Column("submission", "left", key=True), [Cell(name) for name in names]),
            (Column("margin"), [Cell(format_number(value.margins[name], 3)) for name in names]),
        ]
        return [Table.from_columns("margins of the submissions", columns)]

    return Supplement(
        name="margins", summary="Margins", of_evaluation=of_evaluation, value=Margins, tables=tables
    )

def verdicts(contest, significant, rules):
    return [{"clear": bool(each)} for each in significant]

@hookimpl
def qeframe_supplements():
    return [
        Parametric(margins),
        Supplement(name="clear", summary="Whether a pair is clear", of_pairs=verdicts),
        Supplement(name="sizes", summary="Sizes", of_scores=lambda scores: [{"size": len(scores.ids)}] * 3),
    ]
"""
ASKED = ("--supplement", "margins(least=0.001)", "--supplement", "sizes")


def test_it_is_in_the_terminal_the_page_the_files_and_read_back(meet, tmp_path):
    shown = meet(SUPPLEMENT, *RUN, *ASKED, "--out", "out", "--quiet")
    assert (shown.status, shown.err) == (0, "")
    assert "margins of the submissions" in shown.out
    assert "size" in shown.out
    out = tmp_path / "out"
    assert "margins of the submissions" in (out / "report.html").read_text()
    assert "| submission" in (out / "margins.md").read_text()
    record = json.loads((out / "evaluation.json").read_text())
    assert record["supplements"]["margins"]["least"] == 0.001
    (out / "margins.md").unlink()
    again = meet(SUPPLEMENT, "report", "out", "--quiet")
    assert (again.status, again.err) == (0, "")
    assert "margins of the submissions" in (out / "report.html").read_text()


def test_without_its_plugin_a_result_says_so(meet, tmp_path, monkeypatch):
    meet(SUPPLEMENT, *RUN, *ASKED, "--out", "out", "--quiet")
    monkeypatch.setenv("QEFRAME_BLOCK", "faulty")
    page = tmp_path / "page.html"
    assert meet(SUPPLEMENT, "report", "out", "--html", str(page), "--quiet").status == 0
    assert "no plugin that is in use brings this supplement" in page.read_text()
    refused = meet(SUPPLEMENT, *RUN, *ASKED)
    assert refused.status == 2
    assert "unknown supplement 'margins'" in refused.err
    assert "(blocked: faulty)" in refused.err


def test_values_of_pairs_are_in_the_json(meet):
    tested = [*RUN[:3], "--set", "test=randomization", "--set", "interval="]
    record = json.loads(meet(SUPPLEMENT, *tested, "--supplement", "clear", "--json", "--quiet").out)
    assert {pair["supplements"]["clear"]["clear"] for pair in record["comparisons"]} <= {True, False}
    assert all(pair["equivalence"] is None for pair in record["comparisons"])
    untested = meet(SUPPLEMENT, *RUN, "--supplement", "clear")
    assert (untested.status, untested.out) == (2, "")
    assert untested.err.startswith("qeframe: clear needs a significance test; ")


def test_it_is_listed(meet):
    assert "margins(least=" in meet(SUPPLEMENT, "plugins").out


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (
            """
@hookimpl
def qeframe_supplements():
    return [Supplement(name="influence", summary="", of_evaluation=lambda given: 1)]
""",
            "the supplement 'influence' is brought twice: by plugin 'qeframe_supplements' of distribution 'qeframe ",
        ),
        (
            """
@hookimpl
def qeframe_supplements():
    return [Supplement(name="broken", summary="", of_evaluation=lambda given: 1 / 0)]
""",
            f"supplement 'broken' {ORIGIN} failed in of_evaluation: ZeroDivisionError: division by zero; ",
        ),
        (
            """
@hookimpl
def qeframe_supplements():
    return [Supplement(name="broken", summary="", of_evaluation=lambda given: 1, tables=lambda value, e: 1)]
""",
            f"supplement 'broken' {ORIGIN}: tables returned int 1, expected a sequence of Table",
        ),
        (
            """
@hookimpl
def qeframe_supplements():
    return [Supplement(name="broken", summary="")]
""",
            "plugin 'faulty' of distribution 'faulty-dist 6.6' failed in hook qeframe_supplements: DataError: "
            "supplement 'broken' has one of of_pairs, of_scores and of_evaluation, not none; ",
        ),
    ],
)
def test_what_is_wrong_is_refused_by_name(meet, source, line):
    outcome = meet(source, *RUN, "--supplement", "broken", "--quiet")
    assert outcome.status == 2
    assert outcome.err.startswith(f"qeframe: {line}")
    assert outcome.err.count("\n") == 1


def test_a_metric_that_fails_in_a_supplement_is_named_itself(meet):
    source = (
        SUPPLEMENT
        + """
class Fragile(Statistic):
    def __call__(self, weights):
        if (weights == 0).any():
            raise ArithmeticError("no unit may be left out")
        return weights.mean(axis=-1)

@hookimpl
def qeframe_metrics():
    return faulty(bind=Fragile)
"""
    )
    for option in ("--explain", "--influence=3"):
        outcome = meet(source, *RUN, "--set", "primary=faulty", option, "--quiet")
        assert outcome.status == 2
        assert f"metric 'faulty' {ORIGIN} failed in score: ArithmeticError" in outcome.err
