"""Results in a notebook and as text: short, whole, escaped, accessible."""

import math
from html.parser import HTMLParser

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import Comparisons, ComparisonsByMetric, Result
from qeframe.core.display import find_view
from qeframe.report import Cell, Column, Table

HOSTILE = "<img src=x onerror=alert(1)>&\"'\u202e"


class Reader(HTMLParser):
    """Collects the elements of a fragment, and checks that they are closed in order."""

    def __init__(self):
        super().__init__()
        self.seen, self.open = [], []

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))
        if tag != "wbr":  # a place to break a line has no end
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    @classmethod
    def of(cls, html):
        reader = cls()
        reader.feed(html)
        reader.close()
        assert reader.open == []
        return reader.seen


def table_of(rows, columns=2, **more):
    titles = tuple(Column(f"c{i}", key=not i) for i in range(columns))
    cells = tuple(tuple(Cell(f"{row}.{i}") for i in range(columns)) for row in range(rows))
    return Table(title="T", columns=titles, rows=cells, **more)


@pytest.fixture
def compared(pair):
    pairs = [pair(f"s{i:02d}", f"s{j:02d}", 0.001 if i == 0 else 0.5) for i in range(7) for j in range(i + 1, 7)]
    return Comparisons(pairs, metric="pearson", alpha=0.05, correction="holm")


def test_an_evaluation_in_one_line(evaluation, over_tasks):
    assert repr(evaluation) == "<Evaluation by made_up: 3 submissions, first first (pearson 0.750)>"
    assert repr(over_tasks).startswith("<Evaluation by made_up: 3 submissions on 3 tasks, first a (pearson 0.500)")


def test_an_evaluation_without_a_score_or_without_submissions(evaluation_of, scored):
    undefined = evaluation_of([scored("a", 1, {"pearson": math.nan})])
    assert repr(undefined) == "<Evaluation by made_up: 1 submission>"
    assert "a" in str(undefined)
    assert repr(evaluation_of([])) == "<Evaluation by made_up: 0 submissions>"
    Reader.of(evaluation_of([])._repr_html_())
    Reader.of(evaluation_of([]).whole().html)


def test_a_short_evaluation_has_ranks_scores_and_the_first_warnings(evaluation):
    warned = attrs.evolve(evaluation, warnings=("one", "two", "three"))
    text = str(warned)
    assert text.startswith("A made-up task\n")
    assert "warning: one\nwarning: two\n" in text
    assert "Not shown: 1 warning, 2 notes. whole() shows all." in text
    assert "Not shown: 2 notes. whole() shows all." in str(evaluation)
    assert warned.signature.text not in text
    assert warned.signature.text in str(warned.whole())
    assert "comparisons" in str(warned.whole())
    assert "three" in str(warned.whole())


def test_a_short_evaluation_explains_its_signs(over_tasks):
    text = str(over_tasks)
    assert "pearson in each task" in text
    assert "≀ better than the value above" in text or "~ better than the value above" in text
    assert over_tasks.signature.text not in text


def test_many_tasks_are_left_out_before_the_scores_over_all_tasks(evaluation_of, scored):
    tasks = {f"t{i:02d}": {} for i in range(8)}
    whole = Result(value=0.5, tasks={name: Result(value=0.5) for name in tasks})
    made = evaluation_of([scored("a", 1, {"pearson": whole, "mae": 0.25})], tasks=tasks)
    shown = [text for tag, text in _headings(made._repr_html_())]
    assert shown == ["rank", "submission", "pearson ↑", *(f"t{i:02d}" for i in range(6)), "mae ↓"]
    assert "Not shown: 2 columns" in str(made)
    assert "t07" in made.whole().html


def _headings(html):
    class Headings(HTMLParser):
        found, inside = [], False

        def handle_starttag(self, tag, attributes):
            self.inside = tag == "th" and dict(attributes).get("scope") == "col"

        def handle_data(self, data):
            if self.inside and data.strip():
                self.found.append(("th", data.strip()))

        def handle_endtag(self, tag):
            self.inside = False

    reader = Headings()
    reader.found = []
    reader.feed(html)
    return reader.found


def test_a_result_is_a_table_of_its_value_and_its_interval():
    one = Result(value=0.5, low=0.25, high=0.75, details={"undefined_draws": 3, "slices": {"a": 1}})
    assert repr(one).startswith("Result(value=0.5, low=0.25")
    assert [text for _, text in _headings(one._repr_html_())] == ["value", "low", "high"]
    assert "undefined_draws: 3" in str(one)
    assert "slices" not in str(one.whole())
    assert [text for _, text in _headings(Result(value=math.nan)._repr_html_())] == ["value"]
    several = Result(value=0.5, tasks={"de-en": one, "en-de": Result(value=0.5)})
    assert [text for _, text in _headings(several._repr_html_())] == ["task", "value", "low", "high"]
    assert "en-de" in str(several)


def test_comparisons_are_short_or_whole(compared):
    assert repr(compared) == "<Comparisons under pearson: 21 pairs of 7 submissions, 6 significant>"
    short, whole = str(compared), str(compared.whole())
    assert short.count("0.5000") == 2 * 4
    assert "Not shown: 11 rows. whole() shows all." in short
    assert whole.count("0.5000") == 2 * 15
    assert "Not shown" not in whole
    assert "significant at alpha = 0.05, correction holm" in short
    assert str(Comparisons()).startswith("Comparisons")


def test_several_metrics_are_one_table_each(compared):
    other = Comparisons(compared[:2], metric="mae", correction="holm")
    both = ComparisonsByMetric([compared, other])
    assert repr(both) == (
        "<Comparisons under 2 metrics: pearson: 21 pairs of 7 submissions, 6 significant; "
        "mae: 2 pairs of 3 submissions, 2 significant>"
    )
    assert [tag for tag, _ in Reader.of(both._repr_html_())].count("table") == 2
    assert str(ComparisonsByMetric()) == ""


def test_an_audit(audit):
    assert repr(audit) == "<Audit of 3 metrics: 4 attacks, most gamed weak (0.30)>"
    assert "1 counterexample to claims: whole() shows them." in str(audit)
    whole = str(audit.whole())
    assert "Claims" in whole
    assert "weak is not constant_proof (CLAIMED)" in whole
    assert "weak: gaming index 0.300" in str(attrs.evolve(audit, metrics=audit.metrics[:1]).whole())
    assert repr(attrs.evolve(audit, metrics=())) == "<Audit of 0 metrics: 0 attacks>"


def test_tables_of_many_rows_and_columns():
    table = table_of(30, 15, notes=("one", "two", "three"))
    assert repr(table) == "<Table T: 30 rows, 15 columns>"
    assert "Not shown: 20 rows, 5 columns, 1 note. whole() shows all." in str(table)
    assert "29.14" in str(table.whole())
    small = table_of(2)
    assert str(small) == str(small.whole())


@pytest.mark.parametrize("whole", [False, True])
def test_names_are_escaped_and_shown_as_they_are(evaluation_of, scored, pair, audit, whole):
    submissions = [scored(HOSTILE, 1, {"pearson": 0.5}), scored("b", 2, {"pearson": 0.25})]
    pairs = [pair(HOSTILE, "b", 0.01, metric="pearson")]
    results = [
        evaluation_of(submissions, pairs, title=HOSTILE, warnings=(HOSTILE,)),
        Comparisons(pairs, metric=HOSTILE, correction=HOSTILE),
        attrs.evolve(audit, metrics=(attrs.evolve(audit.metrics[0], metric=HOSTILE),), notes=(HOSTILE,)),
        Table(title=HOSTILE, columns=(Column(HOSTILE),), rows=((Cell(HOSTILE),),), notes=(HOSTILE,)),
    ]
    for result in results:
        found = find_view(type(result)).view(result, whole)
        elements = Reader.of(found.html)
        assert {tag for tag, _ in elements}.isdisjoint({"img", "script"})
        assert not any(name.startswith("on") for _, attributes in elements for name in attributes)
        assert "&lt;img" in found.html
        for text in (found.html, found.text, repr(result)):
            assert "\u202e" not in text
        assert "\n" not in repr(result)


def test_headings_have_a_scope_and_tables_a_caption(evaluation, audit, compared):
    for result in (evaluation, audit, compared):
        elements = Reader.of(result._repr_html_())
        tags = [tag for tag, _ in elements]
        assert tags.count("caption") == tags.count("table") == 1
        assert {attributes["scope"] for tag, attributes in elements if tag == "th"} == {"col", "row"}
        assert all("id" not in attributes for _, attributes in elements), "several outputs are on one page"


def test_a_fragment_brings_no_color_of_its_own(evaluation):
    style = evaluation._repr_html_().partition("<style>")[2].partition("</style>")[0]
    assert "#" not in style
    assert "rgb" not in style.replace("srgb", "")
    assert "currentColor" in style
    rules = [rule.strip() for rule in style.partition("*/")[2].split("}") if rule.strip()]
    assert all(selector.strip().startswith(".qeframe") for rule in rules for selector in [rule.partition("{")[0]])


def test_a_real_result_is_short_in_every_form(task_of):
    rng = np.random.default_rng(0)
    gold = rng.normal(size=50)
    task = task_of({f"system {i}": gold + rng.normal(scale=1 + i / 9, size=50) for i in range(30)}, gold)
    evaluation = qeframe.evaluate("qe_sentence", task, settings=["secondary=['mae']"])
    assert len(repr(evaluation)) < 120
    assert len(str(evaluation)) < 2000
    assert len(evaluation._repr_html_()) < 10_000
    assert len(repr(evaluation.signature)) < 300


@pytest.mark.needs_program("chromium")
@pytest.mark.slow
def test_light_and_dark_notebooks_are_readable_and_accessible(evaluation, audit, compared, tmp_path):
    from tests.browser import browser

    shown = "".join(result._repr_html_() for result in (evaluation, audit, compared))
    for ground, ink in (("#fff", "#111"), ("#111", "#eee")):
        page = tmp_path / "page.html"
        style = f"body {{ background: {ground}; color: {ink} }}"
        head = f'<!doctype html><html lang="en"><title>T</title><style>{style}</style>'
        page.write_text(f"{head}<main><h1>T</h1>{shown}</main></html>", encoding="utf-8")
        with browser() as opened:
            opened.open(page)
            assert opened.complaints() == []
            assert opened.requests() == []
            assert opened.violations() == []
