"""Parts of the page."""

import base64
import hashlib
import json
import math
import re
from functools import reduce
from operator import getitem

import attrs
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

import qeframe
from qeframe import DataError, choose_profile
from qeframe.core.result import PartScore, Result, ScoredPart
from qeframe.core.task import Dropped
from qeframe.report.html.evaluation_page import _units, audit_notes, audit_scores, audit_sentence, evaluation_page
from qeframe.report.html.facts import PageFacts, page_facts
from qeframe.report.html.markup import breakable, decimal, element, embedded_json, picture, render, steps, ticks
from qeframe.report.html.panel_scores import heat_maps, scores_of_panels
from qeframe.report.html.panels import forest, shaded_table
from qeframe.report.html.significance_matrix import matrix
from qeframe.report.html.tables_page import PageFigure, tables_page
from qeframe.report.html.words import components_in_words, headings, terms_of_tests, words_for_the_best
from qeframe.report.layouts.table import Cell, Column, Table


# Facts of pages, kept as JSON.
def test_facts_read_back_byte_by_byte(evaluation, task):
    profile = choose_profile("wmt14_qe_task1_2", ["alpha=0.01"], qeframe.load())
    facts = page_facts([task], profile=profile, command="qeframe run 'a b'")
    assert PageFacts.from_json(facts.to_json()).to_json() == facts.to_json()
    assert set(facts.units) == {"en-de"}
    assert facts.rules["primary"]["certainty"] == "read"
    assert "Graham" in facts.rules["primary"]["source"]
    assert facts.rules["alpha"] == {"certainty": "chosen", "source": "changed for this run", "note": ""}


def test_readings_of_one_pair_are_kept_apart(evaluation, task):
    other = attrs.evolve(task, selection="level=sys")
    assert set(page_facts([task, other]).units) == {"en-de", "en-de (level=sys)"}


@pytest.mark.parametrize(
    ("of", "wrong"),
    [
        *(
            (("units", "en-de", key), {"x": 1})
            for key in ("unit", "count", "low", "gold", "submissions", "disagreements")
        ),
        (("units", "en-de", "disagreements", 0), {"unit": "1"}),
        (("units", "en-de", "disagreements", 0, "lowest"), ["A"]),
        (("units",), []),
        (("tasks",), [1]),
    ],
)
def test_facts_of_another_shape_are_refused(evaluation, task, of, wrong):
    facts = json.loads(page_facts([task]).to_json())
    *path, last = of
    reduce(getitem, path, facts)[last] = wrong
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(json.dumps(facts))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"command": "", "rules": {}, "units": {}, "other": 1}', "[" * 99999])
def test_other_json_is_refused(text):
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(text)


# Templates: what is escaped, and what a page may load and run.
EVIL = ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", '"', "&lt;"]


def page(**more):
    given = dict.fromkeys(("introduction", "command"), "")
    lists = dict.fromkeys(("tables", "figures", "notes", "warnings", "listed"), ())
    return render("tables.html.jinja", **{"title": "T", "version": "1", **given, **lists, **more})


@pytest.mark.parametrize("evil", EVIL)
def test_json_in_a_page_reads_back_and_ends_nothing(evil):
    text = embedded_json({evil: [evil]})
    assert json.loads(text) == {evil: [evil]}
    assert not set("<>&\u2028\u2029") & set(text)


def test_texts_are_escaped_in_every_place():
    evil = "<img src=x onerror=alert(1)>"
    text = page(title=evil, introduction=evil, notes=[evil], warnings=[evil], listed=[evil], command=evil)
    assert "<img" not in text
    assert text.count("&lt;img") == 7


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else():
    text = page()
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy.startswith("default-src &#39;none&#39;")
    hashes = set(re.findall(r"sha256-[\w+/=]+", policy))
    inside = re.findall(r"<(?:script|style)>(.*?)</(?:script|style)>", text, re.DOTALL)
    assert len(inside) == 3
    made = {"sha256-" + base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in inside}
    assert made == hashes


def test_a_page_names_no_other_file_or_server():
    text = page()
    assert not re.findall(r"https?:|//[a-z]|@import|url\(|src=", text)
    assert " style=" not in text
    assert not re.findall(r"\son\w+=", text)


def test_names_in_headings_break_after_underscores():
    assert breakable("a_b <c>") == Markup("a_<wbr>b &lt;c&gt;")
    assert breakable("OrganizersBaseline XCOMET") == Markup("Organizers<wbr>Baseline XCOMET")
    assert breakable("docWMT22CometKiwiDA") == Markup("docWMT22<wbr>Comet<wbr>KiwiDA")
    assert breakable("a\u202eb") == "a\\u202eb"


# The scores of panels.
def test_one_task_has_one_panel_with_everything(evaluation):
    (whole,) = scores_of_panels(evaluation)
    first, second, third = whole.rows
    assert (whole.name, whole.metric, whole.higher_is_better) == ("", "Pearson's r", True)
    assert (first.name, first.value, first.low, first.high, first.cluster) == ("first", 0.75, 0.5, 0.875, 1)
    assert (second.mark, second.ranks) == ("†", (2, 3))
    assert math.isnan(third.value)
    assert third.ranks is None


def test_each_task_has_its_own_order(over_tasks):
    whole, *tasks = scores_of_panels(over_tasks)
    assert [row.name for row in whole.rows] == ["a", "b", "c"]
    assert [one.name for one in tasks] == ["en-de", "de-en", "cs-en"]
    assert [row.name for row in tasks[0].rows] == ["c", "a", "b"]
    assert [row.name for row in tasks[1].rows] == ["a", "b"]
    assert tasks[2].rows == ()
    assert tasks[0].note == "systems 4, pairs 12,345"


def test_parts_have_their_own_metric_and_direction(evaluation_of, scored):
    scores = {"a": PartScore(value=0.5, rank=2, cluster=2), "b": PartScore(value=0.25, rank=1, cluster=1)}
    part = ScoredPart(
        name="en-de ter", metric="ter", pairs=("en-de",), level="system", weight=0.5, scale=(1.0, 0.0),
        higher_is_better=False, submissions=scores,
    )  # fmt: skip
    submissions = [scored("a", 1, {"overall": 0.5}), scored("b", 2, {"overall": 0.25})]
    made = evaluation_of(submissions, parts=(part,), primary="overall", metrics=("overall",))
    _, shown = scores_of_panels(made)
    assert [row.name for row in shown.rows] == ["b", "a"]
    assert shown.note == "weight 0.5; en-de; system; in the overall score scaled 1..0 → 0..1"
    assert not shown.higher_is_better


def test_the_head_counts_the_units_of_a_language_pair_once(evaluation_of, scored):
    """Parts of a task set read one language pair several times: as segments, and as one row of system scores."""
    part = ScoredPart(
        name="p", metric="m", pairs=("en-de",), level="system", weight=1.0, scale=(0.0, 1.0), higher_is_better=True,
        submissions={"a": PartScore(value=0.5, rank=1)},
    )  # fmt: skip
    made = evaluation_of([scored("a", 1, {"overall": 0.5})], parts=(part,), primary="overall", metrics=("overall",))
    readings = {"level=seg": 460, "level=sys": 460, "level=sys, units=systems": 1}
    units = {f"en-de ({which})": f"{number} x segment" for which, number in readings.items()}
    notes = (Dropped("en-de", "segment", 97, "no human scores"),)

    def counts(units, dropped=notes, **changed):
        signature = attrs.evolve(made.signature, units=units)
        return [*_units(attrs.evolve(made, signature=signature, dropped=dropped, **changed))]

    assert counts(units) == ["460 segments", "97 segments left out"]
    assert counts({**units, "he-en (level=seg)": "40 x segment"})[0] == "500 segments"
    assert counts({"en-de (level=sys, units=systems)": "1 x segment"}, ()) == ["1 segment"]
    other = (*notes, Dropped("en-de", "segment", 5, "not of the domain 'news'"))
    assert counts({**units, "en-de (domain=news)": "455 x segment"}, other) == ["up to 460 segments"]
    assert counts({"a": "3 x segment", "b": "4 x segment"}, other, parts=()) == ["7 segments", "102 segments left out"]


def test_scores_that_few_units_carry_have_their_sign(evaluation_of, scored):
    carried = Result(value=0.5, low=0.25, high=0.75, details={"few_units": {"units": 2, "share": 0.95}})
    score = Result(
        value=0.5, low=0.25, high=0.75, details=carried.details, tasks={"de": carried, "cs": Result(value=0.5)}
    )
    made = evaluation_of(
        [scored("a", 1, {"pearson": score})], tasks={"de": {}, "cs": {}}, shares={"de": 0.5, "cs": 0.5}
    )
    whole, german, czech = scores_of_panels(made)
    assert [panel.rows[0].sign for panel in (whole, german, czech)] == ["°", "°", ""]
    assert german.note == "weight 0.5, ° few units carry the score"
    assert czech.note == "weight 0.5"
    drawn = forest(whole)
    assert drawn is not None
    assert drawn["rows"][0]["interval"].endswith("0.750°")


# Heat maps on the page of a run: which results have one, its shades and its legend.
NAMES = ("addition", "omission", "nonsense", "copy", "names")


@pytest.fixture
def by_task(evaluation_of, scored):
    """Make an evaluation of two submissions from their scores in tasks, and a third without any."""

    def make(first, second, **more):
        submissions = [
            scored(name, rank, {"pearson": Result(value=0.5, tasks={t: Result(value=v) for t, v in values.items()})})
            for rank, (name, values) in enumerate([("a", first), ("b", second), ("c", {})], 1)
        ]
        return evaluation_of(submissions, tasks={name: {"unit": 9} for name in (*NAMES, "unscored")}, **more)

    return make


FIRST = dict(zip(NAMES, (0.0, 0.25, 0.5, 0.75, 1.0), strict=True))
SECOND = dict(zip(NAMES, (0.1, 0.2, 0.3, math.nan, 0.5), strict=True))


def shades(table):
    return ["".join(shade for _, shade in cells) for _, cells in table["rows"]]


def test_scores_by_task(by_task):
    (found,) = heat_maps(by_task(FIRST, SECOND))
    assert (found.by, found.metric, found.rows, found.columns) == ("task", "Pearson's r", NAMES, ("a", "b", "c"))
    assert found.without == 1
    table = shaded_table(found)
    assert shades(table) == ["00n", "11n", "21n", "3nn", "42n"]
    assert [text for text, _ in table["rows"][3][1]] == ["0.75", "n/a", "n/a"]
    assert table["legend"][0] == ("0", "0.00 to 0.20")
    assert table["legend"][-1] == ("4", "0.80 to 1.00")
    assert table["note"] == "without a score: 1 more task"


def test_where_lower_is_better_low_scores_are_dark(by_task):
    result = by_task(FIRST, SECOND, higher_is_better={"pearson": False}, higher_in_tasks={"pearson": False})
    table = shaded_table(heat_maps(result)[0])
    assert [row[0] for row in shades(table)] == ["4", "3", "2", "1", "0"]
    assert table["legend"][0] == ("0", "0.80 to 1.00")


def test_equal_scores_have_one_shade(by_task):
    table = shaded_table(heat_maps(by_task(dict.fromkeys(NAMES, 0.5), {}))[0])
    assert set(shades(table)) == {"2nn"}
    assert table["legend"] == [("2", "0.500")]


def test_sections_of_the_primary_metric(evaluation_of, scored):
    details = {"sections": FIRST, "subsets": FIRST | {"more": 0.4}, "confusion": {"a": [1, 2]}}
    submissions = [scored(name, 1, {"pearson": Result(value=0.5, details=details)}) for name in "ab"]
    assert [(one.by, len(one.rows)) for one in heat_maps(evaluation_of(submissions))] == [("section", 5), ("subset", 6)]
    assert heat_maps(evaluation_of(submissions[:1])) == []


def test_few_tasks_have_no_heat_map(by_task, over_tasks):
    assert heat_maps(over_tasks) == []
    few = {name: FIRST[name] for name in NAMES[:3]}
    assert heat_maps(by_task(few, few)) == []


def test_the_page_shows_it_once(by_task):
    page = evaluation_page(by_task({**FIRST, "<b>": 0.3}, SECOND))
    assert page.count('<table class="heat sortable">') == 1
    assert "Heat map by task" in page
    assert "&lt;b&gt;" in page


# Significance matrices.
def test_details_and_lists_say_what_the_comparisons_say(pair):
    pairs = [pair("a", "b", 0.0004), pair("a", "c", 0.02), pair("b", "c", 0.5)]
    found = matrix(pairs, ["a", "b", "c", "never compared"], 0.05, adjusted=True)
    assert found["data"]["names"] == ["a", "b", "c"]
    assert found["data"]["pairs"] == [
        [0, 1, "0.125", "0.0004", "0.0004", 1],
        [0, 2, "0.125", "0.0200", "0.0200", 1],
        [1, 2, "0.125", "0.5000", "0.5000", 0],
    ]
    assert (found["significant"], found["tested"]) == (2, 3)
    assert [one["text"] for one in found["legend"]] == [
        "adjusted p < 0.05", "adjusted p < 0.01", "adjusted p < 0.001", "not significant",
    ]  # fmt: skip


def test_a_difference_has_its_interval_and_its_scores(pair):
    known = pair("a", "b", 0.01, score_a=0.75, score_b=0.625, low=0.0625, high=0.1875, interval="jackknife")
    found = matrix([known], ["a", "b"], 0.05, adjusted=True)
    assert found["data"]["pairs"][0][2] == "0.125 (0.062 to 0.188) of 0.750 and 0.625"


def test_shades_and_dots_go_together(pair):
    found = matrix(
        [pair("a", "b", 0.0004), pair("a", "c", 0.02), pair("b", "c", 0.5)], ["a", "b", "c"], 0.05, adjusted=False
    )
    svg = found["svg"]
    assert set(re.findall(r'class="shade(\w)"', svg)) == {"1", "2", "4"}
    assert {shade: d.count("M") for d, shade in re.findall(r'd="([^"]*)" class="dots(\w)"', svg)} == {"4": 3, "2": 1}
    assert found["legend"][0]["text"] == "p < 0.05"


def test_pairs_that_were_not_tested_are_marked_with_their_reason(pair):
    untested = pair("a", "b", math.nan, difference=math.nan, reason="a constant")
    found = matrix([untested], ["a", "b"], 0.05, adjusted=True)
    assert found["tested"] == 0
    assert found["data"]["pairs"] == [[0, 1, "n/a", "n/a", "n/a", 0, "a constant"]]
    assert 'class="shaden"' in found["svg"]
    assert found["legend"][-1]["text"] == "not tested"


def test_names_are_escaped_and_long_ones_are_shortened(pair):
    evil = "<script>alert(1)</script>" * 9
    found = matrix([pair(evil, "b", 0.001)], [evil, "b"], 0.05, adjusted=True)
    assert "<script" not in found["svg"]
    assert "&lt;scr" in found["svg"]
    assert len(re.search(r'class="row">([^<]*)<', found["svg"])[1]) < 60


def test_large_matrices_are_small_and_without_comparisons_there_is_none(pair):
    assert matrix([], ["a"], 0.05, adjusted=True) is None
    names = [f"system{i}" for i in range(100)]
    pairs = [pair(a, b, 0.001) for i, a in enumerate(names) for b in names[i + 1 :]]
    found = matrix(pairs, names, 0.05, adjusted=True)
    assert len(found["svg"]) < 20_000
    assert found["data"]["cell"] == 6.0


# Elements of pictures: their escapes, coordinates and ticks.
def test_texts_and_attributes_are_escaped_and_elements_are_not():
    inner = element("b", "<i>")
    assert inner == "<b>&lt;i&gt;</b>"
    assert element("a", inner, "&", class_='x"y', aria_hidden="true", d=None) == (
        '<a class="x&#34;y" aria-hidden="true"><b>&lt;i&gt;</b>&amp;</a>'
    )
    assert isinstance(inner, Markup)


@pytest.mark.parametrize("value", ["\"<&>'", Markup('<"'), True, 3, -0.0, math.nan, np.float64(1.5), np.int64(2), ""])
def test_attributes_are_those_that_the_formatter_of_markup_writes(value):
    assert element("a", x_y=value) == Markup('<a x-y="{}"></a>').format(value)


def test_a_picture_has_a_title_and_a_role():
    assert picture("a < b", width=10, height=2.5) == (
        '<svg viewBox="0 0 10 2.5" role="img"><title>a &lt; b</title></svg>'
    )


@pytest.mark.parametrize(("value", "text"), [(3.0, "3"), (3.14, "3.1"), (-0.5, "-0.5"), (1e6, "1000000")])
def test_coordinates_have_one_decimal(value, text):
    assert decimal(value) == text


@given(st.floats(-1e6, 1e6).flatmap(lambda low: st.tuples(st.just(low), st.floats(1e-6, 1e6))), st.integers(2, 6))
def test_ticks_lie_in_the_range_and_are_few(ends, most):
    low, width = ends
    found = ticks(low, low + width, most)
    assert len(found) <= most
    slack = 1e-6 * width + 1e-9 * abs(low)
    assert all(low - slack <= tick <= low + width + slack for tick in found)


def test_ticks_are_round():
    assert ticks(-0.09, 0.65, 4) == [0.0, 0.2, 0.4, 0.6]
    assert ticks(0.0, 100.0) == [0.0, 50.0, 100.0]


def test_steps_go_from_base_to_base():
    assert steps([0, 5, 20], width=30, height=10, top=10) == "M0 10V10h10V5h10V0h10V10"


# Pages of tables.
EVIL_OF_TABLES_PAGE = "<img src=x onerror=alert(1)>"


def table(title="T", rows=2):
    columns = (Column("name", "left", key=True), Column("", "center"), Column(EVIL_OF_TABLES_PAGE))
    cells = tuple((Cell(f"row {i}"), Cell("•"), Cell("0.5", strong=True)) for i in range(rows))
    return Table(title=title, columns=columns, rows=cells, notes=(EVIL_OF_TABLES_PAGE,), strong_means="best")


def test_a_page_has_a_section_for_each_table():
    text = tables_page("Title", [table("One"), table("Two", 20)], introduction="Words.", command="qeframe x")
    assert "<h1>Title</h1>" in text
    assert text.count("<h2>One</h2>") == text.count("<h2>Two</h2>") == 1
    assert text.count('<input type="search"') == 1
    assert text.count('<th scope="row"') == 22
    assert "<strong>0.5</strong>" in text
    assert "<strong>Bold</strong>: best" in text
    assert "qeframe x" in text


def test_texts_of_tables_are_escaped():
    text = tables_page(
        EVIL_OF_TABLES_PAGE, [table(EVIL_OF_TABLES_PAGE)], notes=[EVIL_OF_TABLES_PAGE],
        listed=[EVIL_OF_TABLES_PAGE], warnings=[EVIL_OF_TABLES_PAGE], command=EVIL_OF_TABLES_PAGE,
    )  # fmt: skip
    assert "<img" not in text
    assert "&lt;img" in text


def test_figures_are_images_with_a_text_and_run_nothing():
    evil = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    text = tables_page("T", [], figures=[PageFigure(evil, "A map of <all>")])
    assert 'alt="A map of &lt;all&gt;"' in text
    assert "data:image/svg+xml;base64," in text
    assert "alert" not in text


# The section of a page on what the winner could have gained.
def attack(name, manner, gain, rank, setting=""):
    told = {"attack": name, "summary": f"what {name} does", "manner": manner, "setting": setting}
    return {**told, "score": 0.75 + gain, "gain": gain, "rank": rank}


def facts(*attacks, **more):
    known = {"metric": "pearson", "higher_is_better": True, "winner": "a", "score": 0.75, "of": 3, "second": "b"}
    return {**known, "lead": 0.015, "attacks": list(attacks), "failed": [], **more}


def test_one_sentence_says_who_leads_what_it_could_gain_and_how_far_no_model_gets():
    found = facts(attack("shrink", "cosmetic", 0.02, 1, "factor=.9"), attack("guess", "blind", -0.5, 4))
    assert audit_sentence(found) == (
        "a is first with Pearson's r 0.750, 0.015 better than b; by transforming its own answers it could have gained "
        "0.020 (shrink, factor=.9), more than its lead; the best answers without a model (guess) would have taken rank "
        "4 of 4."
    )
    little = audit_sentence(facts(attack("shrink", "cosmetic", 0.004, 1)))
    assert little.endswith("gained 0.004 (shrink), less than its lead.")
    nothing = audit_sentence(facts(attack("shrink", "cosmetic", 0.0001, 1), attack("round", "cosmetic", -0.1, 2)))
    assert nothing.endswith("no known transformation of its own answers would have gained anything (2 were tried).")
    assert audit_sentence(facts(second="", lead=None)) == "a is first with Pearson's r 0.750."


def test_the_picture_has_the_winner_the_second_and_the_best_attacks_in_order():
    many = [attack(f"no{n}", "blind", -0.1 * n, 3) for n in range(3, 10)]
    found = facts(attack("shrink", "cosmetic", 0.02, 1), *many, failed=["flat"])
    names = [(row.name, row.ranks) for row in audit_scores(found).rows]
    assert names[:4] == [("a after shrink", (1, 1)), ("a", (1, 1)), ("b", (2, 2)), ("no model: no3", (3, 3))]
    assert len(names) == 3 + 5
    notes = audit_notes(found)
    assert "not shown: 2 attacks with worse scores" in notes
    assert "without a defined score: flat" in notes
    assert audit_scores({**found, "higher_is_better": False}).rows[-1].name == "a after shrink"


def test_the_section_is_on_the_page_and_is_made_again_from_the_file(evaluation, task):
    known = page_facts([task], audit=facts(attack("<b>shrink", "cosmetic", 0.02, 1)))
    page = evaluation_page(evaluation, known)
    assert "Could the winner have gained without being better?" in page
    assert "a after &lt;b&gt;shrink" in page
    assert evaluation_page(evaluation, PageFacts.from_json(known.to_json())) == page
    without = attrs.evolve(known, audit={})
    assert "audit" not in json.loads(without.to_json())
    assert 'id="audit"' not in evaluation_page(evaluation, without)


def test_a_file_with_another_shape_is_refused(evaluation, task):
    values = json.loads(page_facts([task], audit=facts()).to_json())
    values["audit"]["lead"] = "much"
    with pytest.raises(DataError, match="facts of a page"):
        PageFacts.from_json(json.dumps(values))


# What a page says in words.
def test_headings_have_the_technical_name_and_the_meaning_in_a_tooltip(evaluation):
    words = headings(evaluation)
    assert words["rank set"].shown == "rank set"
    assert words["rank set"].tip.startswith("every rank")
    assert words["pearson ↑"].shown == "Pearson's r ↑"
    assert words["pearson ↑"].tip.startswith("pearson: Pearson's correlation")


def test_winners_name_their_rule(evaluation):
    ((word, names),) = words_for_the_best(evaluation)
    assert (word.shown, word.technical, names) == ("Official winner", "not_worse_than_best", ["first"])
    first, second, third = (attrs.evolve(each, rank_set=(1, 3), cluster=1) for each in evaluation.submissions)
    two = attrs.evolve(evaluation, submissions=(first, second, attrs.evolve(third, rank_set=(2, 3))))
    (_, best), (word, winners) = words_for_the_best(two)
    assert (word.shown, best, winners) == ("Official winners", ["first", "second"], ["first", "second", "third"])


def test_the_terms_of_tests_come_once_each(evaluation):
    terms = terms_of_tests(evaluation)
    assert [(term.shown, term.technical) for term in terms][:5] == [
        ("Pearson's r", "pearson"), ("p", ""), ("test", "williams"), ("adjusted p", "holm"),
        ("significantly better", ""),
    ]  # fmt: skip
    assert terms_of_tests(attrs.evolve(evaluation, comparisons=evaluation.comparisons * 2)) == terms
    assert terms_of_tests(attrs.evolve(evaluation, comparisons=())) == []


def test_names_that_no_plugin_brings_have_no_meaning(evaluation):
    rules = {**evaluation.signature.rules, "correction": "none", "ranking": "gone", "strict": False}
    other = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, rules=rules))
    assert words_for_the_best(other)[0][0].meaning == ""
    better = next(term for term in terms_of_tests(other) if term.shown == "significantly better")
    assert "p is at most 0.05; p is not adjusted" in better.meaning


def test_a_test_is_said_in_plain_words_and_its_null_hypothesis_in_the_tooltip(evaluation):
    (test,) = [term for term in terms_of_tests(evaluation) if term.shown == "test"]
    assert test.meaning.startswith("p compares the difference with how far it would vary")
    assert test.tip.startswith("williams: Williams' test")
    assert test.tip.endswith("; null hypothesis: equal scores")


def test_the_rules_say_what_each_component_computes(evaluation):
    notes = components_in_words(evaluation)
    assert [note.partition(":")[0] for note in notes] == ["pearson", "mae", "williams", "holm", "not_worse_than_best"]
    rules = {**evaluation.signature.rules, "correction": "none", "ranking": "gone"}
    other = attrs.evolve(evaluation, signature=attrs.evolve(evaluation.signature, rules=rules), metrics=("gone",))
    assert not any(note.startswith("gone") for note in components_in_words(other))
