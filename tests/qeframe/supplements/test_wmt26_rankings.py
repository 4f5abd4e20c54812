"""The rankings of the human evaluation of 2026, against the official programs on made campaigns."""

import json
from functools import cache
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.report.html.panel_scores import scores_of_panels
from qeframe.report.tables.wmt26_rankings import wmt26_tables

GOLDEN = Path(__file__).parents[2] / "plugins/qeframe_wmt/readers/wmt26/golden"
ANNOTATIONS = GOLDEN / "01-annotations.json"
EXPECTED = json.loads((GOLDEN / "01-expected.json").read_text("utf-8"))
CAMPAIGNS = [name for name, lines in EXPECTED["lines"].items() if lines]
SEEDS = 200

pytestmark = pytest.mark.filterwarnings("ignore::qeframe.errors.ResultWarning")


@cache
def evaluated(*settings):
    return qeframe.evaluate("wmt26_systems", ANNOTATIONS, settings=settings)


def rankings(*settings):
    return evaluated(*settings).supplements["wmt26_rankings"]


def rows_of(campaign, *settings):
    return rankings(*settings)["pairs"][campaign.removesuffix(" v3").replace("---", "-")]


def expected_of(campaign):
    return EXPECTED["02b_on_filtered"][campaign]


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_systems_means_and_items(campaign):
    found, expected = rows_of(campaign), expected_of(campaign)["systems"]
    assert [(row["system"], row["items"]) for row in found] == [(each["system"], each["items"]) for each in expected]
    assert [row["mean"] for row in found] == pytest.approx([each["mean"] for each in expected], rel=1e-14)


def near(share):
    """Return what is near a share of 200 seeds, if the found one is of as many."""
    # an event that was seen never, or always, can still have a small chance of the other
    chance = min(max(share, 2 / SEEDS), 1 - 2 / SEEDS)
    return pytest.approx(share, abs=4 * sqrt(2 * chance * (1 - chance) / SEEDS))


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_borders_and_ranges_over_seeds(campaign):
    for row, expected in zip(rows_of(campaign, f"border_seeds={SEEDS}"), expected_of(campaign)["systems"], strict=True):
        shares = expected["bootstrap_040f2c4"]
        assert row["cluster_share"] == near(shares["cluster_border_after_share"]), row
        assert row["neighbor_share"] == near(shares["neighbor_border_after_share"]), row
        for ends, share in shares["rank_range_shares"].items():  # the three most frequent ones
            assert row["range_shares"].get(ends, 0) == near(share), (row, ends)


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_the_borders_of_the_fixed_seed_are_possible_ones(campaign):
    for row, expected in zip(rows_of(campaign), expected_of(campaign)["systems"], strict=True):
        share = expected["bootstrap_040f2c4"]["cluster_border_after_share"]
        assert row["border"] == "cluster" or share < 1
        assert row["border"] != "cluster" or share > 0
        assert "cluster_share" not in row


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_the_rule_of_july(campaign):
    pair = campaign.removesuffix(" v3").replace("---", "-")
    found = qeframe.evaluate("wmt26_systems_pair", ANNOTATIONS, settings=[f"pair={pair}"]).submissions
    borders = [one.cluster != other.cluster for one, other in pairwise(found)]
    expected = [each["t_test_1fa5211"] == "yes_cluster" for each in expected_of(campaign)["systems"][:-1]]
    assert borders == expected


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ((), EXPECTED["02b_on_filtered"]["global_order"]),
        (("least_probability=0",), EXPECTED["global_order_unfiltered"]),
    ],
)
def test_the_global_order(settings, expected):
    found = rankings(*settings)["global_order"]
    assert {row["system"]: row["share_better"] for row in found} == pytest.approx(expected)
    assert [row["share_better"] for row in found] == sorted(expected.values())
    overall = {each.name: each.scores["mean_rating"].value for each in evaluated(*settings).submissions}
    assert overall == pytest.approx(expected)


@pytest.mark.parametrize("campaign", CAMPAIGNS)
def test_the_best_system_by_domain(campaign):
    found = rankings()["domains"][campaign.removesuffix(" v3").replace("---", "-")]
    expected = expected_of(campaign)["domains_040f2c4_best_system"]
    assert {("Avg." if name == "average" else name.capitalize()): mean for name, mean in found.items()} == (
        pytest.approx(expected)
    )


def test_who_is_left_out_is_in_the_result():
    reasons = [each.reason for each in evaluated().dropped]
    assert "a probability below 0.75: user-deu-4 (0.5663)" in reasons
    assert any("without the filter" in warning for warning in evaluated().warnings)


def test_the_valid_borders_are_fewer():
    for campaign in CAMPAIGNS:
        valid = sum(row["valid_border"] == "cluster" for row in rows_of(campaign))
        assert valid <= sum(row["border"] == "cluster" for row in rows_of(campaign))


def test_a_test_without_seeds_of_its_own_has_no_shares():
    with pytest.raises(DataError, match="leave border_seeds at 0"):
        rankings("test=jackknife", "sided=two", "border_seeds=5")


def columns_of(table):
    """Return the texts of a table by the name of their column."""
    names = [column.title for column in table.columns]
    return dict(zip(names, ([cell.text for cell in cells] for cells in zip(*table.rows, strict=True)), strict=True))


@pytest.mark.parametrize("settings", [(), ("border_seeds=3",)])
def test_the_tables_show_what_the_record_holds(settings):
    evaluation, record = evaluated(*settings), rankings(*settings)
    order, domains, *pairs = wmt26_tables(evaluation)
    assert columns_of(order)["system"] == [row["system"] for row in record["global_order"]]
    assert columns_of(order)["share better"] == [f"{row['share_better']:.4f}" for row in record["global_order"]]
    assert [table.title for table in pairs] == [f"{pair}: ranking of systems" for pair in record["pairs"]]
    for table, rows in zip(pairs, record["pairs"].values(), strict=True):
        shown = columns_of(table)
        assert shown["mean"] == [f"{row['mean']:.2f}" for row in rows]
        assert shown["border below"] == [row["border"] for row in rows]
        assert ("cluster, of seeds" in shown) == bool(settings)
        assert any("the share of 3 seeds" in note for note in table.notes) == bool(settings)
    shown = columns_of(domains)
    easiest = max(record["domains"], key=lambda pair: record["domains"][pair]["average"])
    assert shown["language pair"][0] == easiest
    for name, value in record["domains"][easiest].items():
        assert shown[name][0] == f"{value:.2f}"


def test_the_panel_of_all_language_pairs_says_what_its_numbers_are():
    whole, *pairs = scores_of_panels(evaluated())
    assert (whole.metric, whole.higher_is_better) == ("share_better of mean rating", False)
    assert {(panel.metric, panel.higher_is_better) for panel in pairs} == {("mean rating", True)}
