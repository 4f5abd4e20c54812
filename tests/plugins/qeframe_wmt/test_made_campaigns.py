"""Made campaigns with planted damage, from the files to the results of the ranking and of all three tasks."""

import json
from collections import Counter
from pathlib import Path

import pytest

import qeframe
from qeframe.core.reader import Reader
from qeframe.data.validate import validate_submission
from tests.outcome import outcome_of
from tests.plugins.qeframe_wmt.made_campaigns import DAMAGE, write

pytestmark = pytest.mark.filterwarnings("ignore::qeframe.errors.ResultWarning")

GERMAN, ICELANDIC, JAPANESE = "eng_Latn-deu_Latn", "eng_Latn-isl_Latn", "eng_Latn-jpn_Latn"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    write(folder, pairs=3, items=180, systems=6, submissions=2)
    return folder


def left_out(evaluation):
    """Return how much was left out, by task, what it is, and the reason without names."""
    return Counter({(each.task, each.what, each.reason.partition(":")[0]): each.count for each in evaluation.dropped})


def test_the_damage_is_found(made):
    found = qeframe.evaluate("wmt26_systems", made / "annotations.json")
    rankings = found.supplements["wmt26_rankings"]
    clicks = next(each for each in found.dropped if each.task == GERMAN and "probability" in each.reason)
    assert "user11" in clicks.reason
    assert left_out(found)[ICELANDIC, "screen", "before a reset"] > 0
    assert {row["system"]: row["language_pairs"] for row in rankings["global_order"]}["System 05"] == 2
    assert rankings["global_order"][0]["system"] == "Human (postediting)"
    assert "System 05" not in [row["system"] for row in rankings["pairs"][ICELANDIC]]
    assert any(each.reason == "no screen with scores" for each in found.dropped)


def test_a_system_that_lacks_a_language_pair_has_a_place(capsys, made):
    printed = outcome_of(capsys, "run", "wmt26_systems", made / "annotations.json").out
    assert " (6)  System 05 " in printed
    assert "every system counts in its language pairs; in the leaderboard only those count that lack none" in printed


def test_an_order_that_is_not_tested_has_no_valid_winners(made):
    found = qeframe.evaluate("wmt26_systems", made / "annotations.json")
    assert found.valid_rules is None
    assert all("valid_border" in row for row in found.supplements["wmt26_rankings"]["pairs"][GERMAN])


@pytest.mark.parametrize("profile", ["wmt26_task1", "wmt26_task2", "wmt26_task3", "wmt26_tasks"])
def test_the_better_metric_is_first(made, profile):
    found = qeframe.evaluate(profile, made, settings=["test=", "interval="])
    assert [each.name for each in found.submissions] == ["metric1", "metric2"]
    assert any(each.reason.startswith("no gold, in metric1") for each in found.dropped)
    assert left_out(found)["all", "item", "of challenge sets, left to their authors, in metric1"] == 8
    assert not [warning for warning in found.warnings if "order of the means" in warning]


@pytest.mark.parametrize("task", [1, 2, 3])
def test_submissions_are_valid_for_the_input(made, task):
    registry = qeframe.load()
    reader = registry.get(Reader, qeframe.choose_profile(f"wmt26_task{task}", registry=registry).reader)
    parts = validate_submission(reader, made / "submissions" / "metric1.jsonl", made / "input.jsonl")
    assert [each.part for each in parts] == [GERMAN, ICELANDIC, JAPANESE, "en-de_DE"]
    assert sum(len(each.answers.ids) for each in parts) == 60 * 6 + 60 * 5 + 60 * 6 + 8 * 2


def planted(folder):
    """Return what was planted, as it is in the file alone: counts of what must be left out, systems and emoji."""
    campaigns = json.loads((folder / "annotations.json").read_text("utf-8"))
    before_reset = Counter()
    for name, screens in campaigns.items():
        at = next((number for number, screen in enumerate(screens) if screen["annotation"] == "__RESET__"), 0)
        before_reset[pair_of(name)] = sum(screen["user_id"] == screens[at]["user_id"] for screen in screens[:at])
    return {
        "before_reset": +before_reset,
        "empty": [pair_of(name) for name, screens in campaigns.items() if not screens],
        "systems": {
            pair_of(name): {system for screen in screens for shown in screen.get("item", ()) for system in shown["tgt"]}
            for name, screens in campaigns.items()
            if screens
        },
        "emoji": "\N{GRINNING FACE}" in (folder / "annotations.json").read_text("utf-8"),
    }


def pair_of(campaign):
    return campaign.removesuffix(" v3").replace("---", "-")


def run(capsys, profile, path, *options):
    """Run a profile to its page, and return the record of the evaluation, and the page."""
    outcome = outcome_of(capsys, "run", profile, path, "--out", "out", "--quiet", *options)
    assert outcome.status == 0, outcome.err
    record = json.loads(Path("out/evaluation.json").read_text("utf-8"))
    return record, Path("out/report.html").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [*DAMAGE, ""])
def test_what_was_planted_is_found_and_said(capsys, tmp_path, monkeypatch, damage):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "t", pairs=4, items=600, systems=8, damage=[damage])
    truth = planted(tmp_path / "t")
    record, page = run(capsys, "wmt26_systems", "t/annotations.json")
    counted = {(each["task"], each["reason"].partition(":")[0]): each for each in record["dropped"]}
    resets = {task: each["count"] for (task, why), each in counted.items() if why == "before a reset"}
    assert resets == truth["before_reset"]
    assert bool(resets) == (damage == "reset")
    assert ("before a reset: user0 (" in page) == (damage == "reset")
    excluded = counted.get((GERMAN, "a probability below 0.75"), {"reason": ""})["reason"]
    assert ("user11 (0.5" in excluded) == (damage == "clicks")
    assert ("user11 (0.5" in page) == (damage == "clicks")
    rankings = record["supplements"]["wmt26_rankings"]
    ranked = {pair: {row["system"] for row in rows} for pair, rows in rankings["pairs"].items()}
    assert ranked == truth["systems"]
    assert (len(ranked[ICELANDIC]) == 7) == (damage == "missing-system")
    empty = [task for (task, why), _ in counted.items() if why == "no screen with scores"]
    assert empty == truth["empty"] == (["eng_Latn-sme_Latn"] if damage == "empty-campaign" else [])
    assert ("no screen with scores" in page) == (damage == "empty-campaign")
    assert truth["emoji"] == (damage == "emoji")
    for task in (1, 2, 3):
        record, page = run(capsys, f"wmt26_task{task}", "t", "--set", "test=", "--set", "interval=")
        assert [each["name"] for each in record["submissions"]] == ["metric1", "metric2"]
        assert "of challenge sets, left to their authors, in metric1" in page


@pytest.mark.slow
def test_emoji_leave_the_spans_where_they_are(tmp_path):
    """The scores of equal predictions are the same: with emoji, offsets of the gold count them twice."""
    found = {}
    for damage in ("", "emoji"):
        folder = tmp_path / (damage or "none")
        write(folder, pairs=1, items=600, systems=8, submissions=1, damage=[damage])
        perfect(folder)
        found[damage] = qeframe.evaluate("wmt26_task1", folder, settings=["test=", "interval=", "least_probability=0"])
    for of_damage in found.values():
        assert of_damage.submissions[0].scores["span_f1"].value == 1


def perfect(folder):
    """Replace the predictions by all marks of the annotators, in code points."""
    screens = next(iter(json.loads((folder / "annotations.json").read_text("utf-8")).values()))
    marks, faults = {}, {}
    for screen in screens:
        for shown, of_item in zip(screen["item"], screen["annotation"], strict=True):
            for system, given in of_item.items():
                text, place = shown["tgt"][system], (shown["item_id"], system)
                for mark in given["error_spans"]:
                    units = text.encode("utf-16-le")
                    if mark["start_i"] * 2 >= len(units):
                        faults[place] = mark["severity"]
                        continue
                    start = len(units[: mark["start_i"] * 2].decode("utf-16-le"))
                    end = len(units[: (mark["end_i"] + 1) * 2].decode("utf-16-le"))
                    marks.setdefault(place, {})[start, end, mark["severity"]] = None
    file = folder / "submissions" / "metric1.jsonl"
    lines = []
    for line in map(json.loads, file.read_text("utf-8").splitlines()):
        item = line["item_id"].split("_###_", 3)[3]
        for system in line["task1_pred"]:
            errors = [
                {"start": start, "end": end, "severity": severity, "category": None}
                for start, end, severity in marks.get((item, system), ())
            ]
            fault = faults.get((item, system))
            line["task1_pred"][system] = {"errors": errors, "omission": fault, "instruction_fault": None}
        lines.append(json.dumps({"item_id": line["item_id"], "task1_pred": line["task1_pred"]}) + "\n")
    file.write_text("".join(lines), "utf-8")
