"""The tables of an audit that is made by hand."""

import attrs

from qeframe.gaming.search import Searched
from qeframe.gaming.tables.audits import (
    attack_table,
    audit_summary,
    audit_tables,
    claims_table,
    counterexample_lines,
    gain_tables,
    groups_by_attacks,
    placed_metrics,
)
from qeframe.gaming.tables.finds import finds_table, recipe_lines
from qeframe.gaming.winner import Gain, Gains
from qeframe.report.layouts.terminal import as_text


def rows(table):
    return [line.split() for line in as_text(table).splitlines()]


def test_metrics_with_the_same_attacks_are_a_group(audit):
    assert [[m.metric for m in group] for group in groups_by_attacks(audit)] == [["weak", "safe"], ["other"]]


def test_the_summary_has_the_safest_first_with_a_verdict_and_the_undefined_last(audit):
    worst = attrs.evolve(audit.metrics[0].attacks[0], summary="Tags every token BAD")
    weak = attrs.evolve(audit.metrics[0], attacks=(worst, *audit.metrics[0].attacks[1:]))
    audit = attrs.evolve(audit, metrics=(weak, *audit.metrics[1:]))
    found = rows(audit_summary(audit))
    assert found[2] == ["place", "metric", "verdict", "gaming", "low", "high", "best", "attack", "kind", "golds"]
    assert found[4] == ["1", "safe", "resists", "0.00", "0.000", "0.010"]
    assert " ".join(found[5]) == "2 weak can be gamed 0.30* 0.280 0.320 all_bad (rate=.5) blind 1"
    assert found[6] == ["other", "n/a", "n/a", "n/a"]
    assert "all_bad: Tags every token BAD" in as_text(audit_summary(audit))
    text = as_text(audit_summary(audit))
    assert "tags: 1000 lines" in text
    assert "seed 7" in text


def test_matrices_emphasize_what_counts(audit):
    first, second = audit_tables(audit)
    found = rows(first)
    assert found[2] == ["metric", "gaming", "all_bad", "(b)", "shift", "(c)", "most", "(i)"]
    assert found[4] == ["weak", "0.30*", "0.30*", "0.01", "0.60"], "an informed attack does not count"
    assert rows(second)[4] == ["other", "n/a", "n/a"]


def test_ranks_have_a_table_of_their_own(audit):
    ranked = tuple(attrs.evolve(each, rank=n) for n, each in enumerate(audit.metrics[0].attacks, 1))
    audited = attrs.evolve(audit, metrics=(attrs.evolve(audit.metrics[0], attacks=ranked),))
    _, ranks = audit_tables(audited)
    assert rows(ranks)[4] == ["weak", "1*", "2", "3"]
    assert "rank" in rows(audit_summary(audited))[2]
    assert "rank" in rows(attack_table(audited.metrics[0]))[2]


def test_attacks_on_one_metric_are_sorted_by_what_counts(audit):
    table = attack_table(audit.metrics[0])
    assert table.title == "weak: gaming index 0.300, 95 % interval 0.280 to 0.320"
    assert [row[0] for row in rows(table)[4:7]] == ["all_bad", "shift", "most"]
    index = [column.title for column in table.columns].index("index")
    assert table.rows[0][index].text == "0.300", "the index has the decimals of the title"
    assert "gaming: the gaming index" in as_text(table)
    assert "undefined" not in as_text(table)
    part = attrs.evolve(audit.metrics[0].attacks[0], undefined=0.25)
    assert "25%" in as_text(attack_table(attrs.evolve(audit.metrics[0], attacks=(part,))))
    assert attack_table(audit.metrics[2]).title == "other: gaming index n/a"


def test_verdicts_on_claims(audit):
    found = rows(claims_table(audit))
    assert found[2] == ["metric", "constant_proof"]
    assert found[4:7] == [["weak", "BROKEN*"], ["safe", "kept"], ["other"]]


def test_claims_that_were_not_searched_are_not_shown_as_tried(audit):
    untried = {"claim": "constant_proof", "claimed": True, "holds": None, "tries": 0, "exact": False}
    metrics = (attrs.evolve(audit.metrics[1], claims=(untried,)), audit.metrics[2])
    table = claims_table(attrs.evolve(audit, metrics=metrics))
    assert table.title == "Claims, not searched for counterexamples"
    assert table.notes == ("claimed: the metric claims it, not tried",)
    tried = claims_table(audit)
    assert tried.title == "Claims"
    assert tried.notes[0] == "kept: claimed, no counterexample was found"


def test_counterexamples_are_one_line_without_what_the_sentence_has(audit):
    assert counterexample_lines(audit.metrics[0]) == ["weak is not constant_proof (CLAIMED): 0.3 > 0 [n 3]. So."]
    assert counterexample_lines(audit.metrics[1]) == []


def test_metrics_whose_intervals_overlap_are_not_ranked(audit):
    def made(name, low, high, **more):
        return attrs.evolve(audit.metrics[0], metric=name, gaming_index=(low + high) / 2, low=low, high=high, **more)

    metrics = (made("d", 0.0, 0.1), made("b", 0.3, 0.5), made("a", 0.2, 0.35), made("c", 0.09, 0.12))
    unknown = made("e", 0.8, 0.9, determined=False)
    placed = placed_metrics(attrs.evolve(audit, metrics=(*metrics, unknown)))
    assert [(place, m.metric) for place, m in placed] == [
        ("1-2", "c"), ("1-2", "d"), ("3-4", "a"), ("3-4", "b"), ("", "e"),
    ]  # fmt: skip
    verdicts = rows(audit_summary(attrs.evolve(audit, metrics=metrics)))[4:8]
    assert [" ".join(row[2:5]).rstrip("*.0123456789 ") for row in verdicts] == [
        "can be gamed",
        "unsure",
        *["can be gamed"] * 2,
    ]
    text = as_text(audit_summary(attrs.evolve(audit, metrics=(unknown,))))
    assert "n.d." in text
    assert "not determined" in text


def gain(submission, attack, value, task="en-de"):
    return Gain(
        metric="acc", task=task, submission=submission, attack=attack, setting="rate=.5", score=0.5,
        attacked=0.5 + value, gain=value, error=0.01, index=2 * value, rank=2, attacked_rank=1,
    )  # fmt: skip


def test_a_table_for_each_metric_and_task():
    made = [gain("A", "add", 0.05), gain("A", "mix", 0.001), gain("B", "add", -0.02), gain("B", "mix", 0.0)]
    gains = Gains(gold={"sets": {"en-de": "10 segments"}, "seed": 3}, gains=(*made, gain("A", "add", 0.03, "he-en")))
    first, second = map(as_text, gain_tables(gains))
    rows = [line.split() for line in first.splitlines()]
    assert rows[0] == ["acc", "on", "en-de"]
    assert [
        "A", "0.500", "2", "0.050*", "0.010", "0.100", "rate=.5", "1", "0.001", "0.010", "0.002", "rate=.5", "1",
    ] in rows  # fmt: skip
    assert [
        "B", "0.500", "2", "-0.020", "0.010", "-0.040", "rate=.5", "1", "0.000", "0.010", "0.000", "rate=.5", "1",
    ] in rows  # fmt: skip
    assert "seed 3" in first
    assert "en-de: 10 segments" in first
    assert "acc on he-en" in second


def searched(audit):
    metric = audit.metrics[0]
    find = attrs.evolve(metric.attacks[0], low=0.5, high=0.6, index=0.55)
    names = {
        "new(x=1)": find,
        "small(x=2)": attrs.evolve(find, low=0.01, index=0.02),
        "none(x=3)": attrs.evolve(find, low=0),
    }
    finds = tuple(attrs.evolve(each, attack=name) for name, each in names.items())
    spaces = [Searched(metric=metric.metric, space=name, found=name, tried=9, size=20) for name in names]
    spaces.append(Searched(metric=metric.metric, space="impossible", found="", tried=0, size=5))
    return attrs.evolve(
        audit,
        metrics=(
            attrs.evolve(
                metric, attacks=(attrs.evolve(metric.attacks[0], high=0.32),), finds=finds, searched=tuple(spaces)
            ),
        ),
    )


def test_verdicts(audit):
    text = as_text(finds_table(searched(audit)))
    verdicts = {words[1]: " ".join(words[-2:]) for line in text.splitlines() if (words := line.split())[:1] == ["weak"]}
    assert verdicts["new(x=1)"].endswith("new")
    assert verdicts["small(x=2)"].endswith("gains")
    assert verdicts["none(x=3)"] == "nothing found"
    assert verdicts["impossible"] == "this gold"
    assert "9 of 20" in text


def test_recipes_are_commands_of_finds_that_gain(audit):
    lines = recipe_lines(searched(audit), "wmt22_qe_word word/en-cs")
    assert len(lines) == 2
    assert lines[0].startswith("qeframe audit wmt22_qe_word word/en-cs weak --attack 'new(x=1)' --no-claims --seed")
