"""The page of a run, read as HTML."""

import re
from html.parser import HTMLParser

import attrs
import pytest

from qeframe.core.result import Result, ValidRules
from qeframe.core.task import Dropped, Input, LeftOut
from qeframe.report.html.evaluation_page import evaluation_page
from qeframe.report.html.facts import page_facts
from qeframe.report.html.tables_page import tables_page
from qeframe.report.layouts.table import Cell, Column, Table
from qeframe.report.tables.leaderboard import BEST, leaderboard

EVIL = "<img src=x onerror=alert(1)>"
_VOID = {"meta", "link", "input", "img", "br", "wbr"}


class Outline(HTMLParser):
    """Checks that elements are closed in order, and collects what tests ask for."""

    def __init__(self, text):
        super().__init__()
        self.open, self.ids, self.tags, self.targets = [], [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.ids += [given["id"]] if "id" in given else []
        self.targets += [given["href"][1:]] if given.get("href", "").startswith("#") else []
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def error(self, message):
        raise AssertionError(message)


def test_the_page_is_well_formed_and_its_links_lead_somewhere(evaluation, over_tasks, task):
    for made in (evaluation, over_tasks):
        outline = Outline(evaluation_page(made, page_facts([task])))
        assert len(outline.ids) == len(set(outline.ids))
        assert set(outline.targets) <= set(outline.ids)
        tags = [tag for tag, _ in outline.tags]
        assert tags.count("main") == tags.count("h1") == 1
        assert all("scope" in given for tag, given in outline.tags if tag == "th")
        assert tags.count("caption") == tags.count("table")


def test_everything_is_on_the_page(evaluation, task):
    made_from = {"versions": {"numpy": "7.7"}, "inputs": (Input("gold.txt", "abc123"),)}
    full = attrs.evolve(
        evaluation,
        warnings=("take care",),
        dropped=(Dropped("en-de", "segment", 3, "empty"),),
        signature=attrs.evolve(evaluation.signature, changed={"alpha": ".1"}, **made_from),
    )
    text = evaluation_page(full, page_facts([task], command="qeframe run p 'a b'"), figures=["a b.svg"])
    for said in ("take care", "empty", "7.7", "gold.txt", "abc123", "qeframe run p &#39;a b&#39;", full.signature.text):
        assert said in text
    assert 'href="a%20b.svg"' in text
    assert "not_worse_than_best" in text
    assert "<strong>0.05</strong>" in text


def test_the_head_counts_the_units_of_all_tasks_and_those_left_out(evaluation):
    notes = [("de", "unit", 40), ("fr", "unit", 19), ("de", "segment", 1), ("de", "answer", 7)]
    several = attrs.evolve(
        evaluation,
        tasks={"de": {"segment": 500}, "fr": {"segment": 521}},
        dropped=tuple(Dropped(task, what, count, "why") for task, what, count in notes),
        signature=attrs.evolve(evaluation.signature, units={"de": "500 x segment", "fr": "521 x segment"}),
    )
    assert "2 tasks, 1021 segments, 59 units left out, 1 segment left out. Rules:" in evaluation_page(several)
    one = attrs.evolve(evaluation.signature, units={"de": "1 x document"})
    assert "1 document. Rules:" in evaluation_page(attrs.evolve(evaluation, signature=one))


def test_the_tail_says_what_was_left_out_and_why(evaluation_of, scored):
    whole = scored("a", 1, {"pearson": 0.5})
    partial = attrs.evolve(scored("b", 2, {"pearson": 0.25}), absent=("de",))
    out = LeftOut(submission="c", files=("c.txt",), reason="late", by="exclude")
    made = attrs.evolve(evaluation_of([whole, partial], tasks={"de": {}, "fr": {}}), left_out=(out,))
    tail = evaluation_page(made).rpartition("<section")[2]
    assert tail.startswith(' id="dropped"')
    assert "left out by --exclude (late)" in tail
    assert "no submission in de" in tail
    assert "submissions that lack a task: last over all tasks" in tail
    assert 'id="dropped"' not in evaluation_page(evaluation_of([whole]))


def test_rules_that_decided_nothing_are_apart(evaluation):
    text = evaluation_page(evaluation)
    used, _, idle = text[text.index('id="rules"') :].partition("Rules that had nothing to decide here")
    assert "correction" in used
    rows = re.findall(r'<th scope="row"[^>]*><span>(\w+)', idle.partition("</section>")[0])
    assert set(rows) <= {
        "baselines", "overall", "exchanges", "across", "across_columns", "partial", "divide", "weights",
        "confidence",
    }  # fmt: skip


def test_rows_of_one_name_stay_together(evaluation):
    rows = [("a", "1"), ("a", "2"), ("b", "1"), ("", "2")]
    columns = [
        (Column("submission", "left", key=True), [Cell(name) for name, _ in rows]),
        (Column("unit"), [Cell(unit) for _, unit in rows]),
    ]
    page = tables_page("t", [Table.from_columns("t", columns)])
    assert [same == "same" for same in re.findall(r'<tr(?: class="(same)")?>\s*<th scope="row"', page)] == [
        False, True, False, True,
    ]  # fmt: skip


def test_equal_evaluations_give_equal_pages(evaluation, task):
    assert len({evaluation_page(evaluation, page_facts([task])) for _ in range(2)}) == 1


def test_names_are_texts_wherever_they_are(evaluation_of, scored, pair, task_of):
    submissions = [scored(EVIL, 1, {"pearson": 0.5}), scored("b" + EVIL, 2, {"pearson": 0.25})]
    made = evaluation_of(
        submissions, [pair(EVIL, "b" + EVIL, 0.001)], title=EVIL, profile=EVIL, warnings=(EVIL,),
        dropped=(Dropped(EVIL, EVIL, 1, EVIL),), tasks={EVIL: {EVIL: 3}},
    )  # fmt: skip
    task = task_of({EVIL: [1.0, 2], "b" + EVIL: [2.0, 1]}, [1.0, 2], EVIL)
    task = attrs.evolve(task, names={0: EVIL}, groups={EVIL: (EVIL, EVIL)})
    text = evaluation_page(made, page_facts([task], command=EVIL), figures=[EVIL])
    assert "img" not in {tag for tag, _ in Outline(text).tags}
    assert "onerror" not in {name for _, given in Outline(text).tags for name in given}
    assert "<img" not in text
    assert text.count("&lt;img src=x") > 10


def test_pages_of_many_tasks_leave_columns_to_the_panels(evaluation_of, scored):
    names = [f"t{i:02d}" for i in range(20)]
    whole = Result(value=0.5, tasks={name: Result(value=0.5) for name in names})
    made = evaluation_of([scored("a", 1, {"pearson": whole})], tasks={name: {"units": 3} for name in names})
    text = evaluation_page(made)
    assert "t07" not in text[text.index('id="leaderboard"') : text.index('id="results"')]
    assert len(re.findall('class="panel', text)) == 1 + 21
    assert "Index of 20 tasks" in text


def test_no_name_is_shown_as_another(evaluation_of, scored, pair, task_of):
    turned, broken = "\u202eevil\u202c", "bad\udcff"
    made = evaluation_of(
        [scored(turned, 1, {"pearson": 0.5}), scored(broken, 2, {"pearson": 0.25})], [pair(turned, broken, 0.001)]
    )
    text = evaluation_page(made, page_facts([task_of({turned: [1.0, 2], broken: [2.0, 1]}, [1.0, 2])]))
    assert text.encode("utf-8")
    assert "\u202e" not in text
    assert text.count(r"\u202eevil\u202c") > 5


@pytest.mark.parametrize("count", [0, 1])
def test_pages_of_nothing_are_pages(evaluation_of, scored, count):
    Outline(evaluation_page(evaluation_of([scored("a", 1, {"pearson": float("nan")})][:count])))


def test_the_page_says_who_may_be_best_and_who_is_an_official_winner(evaluation):
    first, second, third = evaluation.submissions
    sets = [attrs.evolve(first, rank_set=(1, 2)), attrs.evolve(second, rank_set=(1, 2)), third]
    text = evaluation_page(attrs.evolve(evaluation, submissions=tuple(sets)))
    legend = text[text.index('class="notes"') : text.index('id="results"')]
    assert f"{BEST} may be best: no one is significantly better (two-sided, p adjusted by holm, below 0.05" in legend
    assert "official winner: by the ranking rule not_worse_than_best of the task<" in legend
    header = text[text.index("<h1") : text.index("</header>")]
    assert ": first, second." in header
    assert "May be best" in header
    assert "Official winner<" in header
    assert f"; {BEST} may be best" in text


def test_one_sentence_says_why_official_winners_are_others(evaluation):
    sets = [attrs.evolve(each, rank_set=(1, 2)) for each in evaluation.submissions]
    valid = ValidRules(test="jackknife", sided="two", correction="holm")
    (note,) = [
        note
        for note in leaderboard(attrs.evolve(evaluation, submissions=tuple(sets), valid_rules=valid)).notes
        if note.startswith("official winner: ")
    ]
    test = evaluation.signature.rules["test"]
    assert f"the official test ({test}, " in note
    assert note.endswith("corrected by holm) also counts differences due to chance alone")


def test_official_winners_who_are_those_that_may_be_best_are_told_once(evaluation):
    first, second, third = evaluation.submissions
    text = evaluation_page(attrs.evolve(evaluation, submissions=(attrs.evolve(first, rank_set=(1, 1)), second, third)))
    assert "Official winner" not in text
    assert "official winners, by the ranking rule not_worse_than_best of the task: those marked •" in text
