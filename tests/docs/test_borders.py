"""The rates of false borders, of power and of warnings on the pages are what is stored."""

import json
import re
from pathlib import Path

import numpy as np
from laws import find_law

from tests.docs.studies import loaded_study

DOCS = Path(__file__).parents[2] / "docs"


def test_the_table_is_what_is_stored(tmp_path):
    study = loaded_study("borders")
    page = study.PAGE.read_text(encoding="utf-8")
    (tmp_path / "page.md").write_text(page, encoding="utf-8")
    stored = json.loads(study.STORED.read_text(encoding="utf-8"))
    study.write(stored["rows"], tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text(encoding="utf-8") == page


def test_the_power_that_is_said_is_what_is_stored():
    stored = json.loads(loaded_study("power_and_warnings").STORED.read_text(encoding="utf-8"))["power"]["rows"]
    found = {row["test"]: row["found"] for row in stored if (row["law"], row["units"]) == ("zeros_60", 200)}
    both, jackknife, exchange = (f"{share:.3f}"[1:] for share in found.values())
    assert list(found) == ["default", "jackknife, romano_wolf", "exchange, max_t"]
    words = f"the default finds {both} of true differences, `jackknife` with `romano_wolf` {jackknife}, and `exchange` "
    words += f"with `max_t` {exchange};"
    assert words in " ".join((DOCS / "reference" / "calibration.md").read_text(encoding="utf-8").split())


def test_warnings_of_unlike_laws_keep_their_targets_and_what_the_pages_say():
    stored = json.loads(loaded_study("power_and_warnings").STORED.read_text(encoding="utf-8"))["warnings"]["rows"]
    shares = {(row["law"], row["units"]): row["warned"] / row["runs"] for row in stored}
    one = {row["warned"] / row["runs"] for row in stored if row["laws"] == "one"}
    assert max(one) <= 0.1
    assert shares["alternating_t3", 200] >= 0.42
    assert shares["alternating_t3", 500] >= 0.84
    few, some, most = (f"{shares['alternating_t3', units] + 1e-9:.2f}"[1:] for units in (100, 200, 500))
    worst = f"{max(one):.2f}"[1:]
    for page, words in {
        "explanation/significance.md": f"in {few} of such data sets with 100 units, in {some} with 200, and in {most} "
        f"with 500. Where all errors follow one law it comes in at most {worst}",
        "reference/calibration.md": f"of {few} of data sets with 100 units, {some} with 200, {most} with 500, "
        f"and of {worst}",
    }.items():
        assert words in " ".join((DOCS / page).read_text(encoding="utf-8").split())


def test_what_is_said_of_few_units_is_what_is_stored():
    stored = json.loads(loaded_study("power_and_warnings").STORED.read_text(encoding="utf-8"))
    page = (DOCS / "explanation" / "significance.md").read_text(encoding="utf-8")
    told = {row["law"]: [] for row in stored["sides"]["rows"]}
    for row in stored["sides"]["rows"]:
        told[row["law"]].append(row["warned"] / row["runs"])
    normal = max(told.pop("normal"))
    words = f"up to {normal:.2f} of pairs of equal submissions under the law `normal`, up to "
    words += f"{max(map(max, told.values())):.2f} under `zeros_60`, `zeros_90`, `heteroscedastic_t3` and `gross_errors`"
    assert words.replace("0.", ".") in " ".join(page.split())
    table = re.findall(
        r"^\| `(\w+)` \| (.*) \| (.*) \|$", page.partition("| law | `pearson` | `mae` |")[2], re.MULTILINE
    )
    cells = {("pearson", law): of for law, of, _ in table[:6]} | {("mae", law): of for law, _, of in table[:6] if of}
    marks = {}
    for row in stored["marks"]["rows"]:
        marks.setdefault((row["metric"], row["law"]), []).append(f"{row['marked'] / row['scores'] + 1e-9:.2f}"[1:])
    assert {key: ", ".join(shares) for key, shares in marks.items()} == cells


def test_a_false_border_separates_equal_submissions():
    study = loaded_study("borders")
    assert study.is_split([1, 1, 1, 2, 2, 2, 2, 2, 2, 2], groups=1)
    assert not study.is_split([1] * 5 + [2] * 5, groups=2)
    assert study.is_split([1] * 4 + [2] * 6, groups=2)
    task = study.drawn(find_law("normal"), 2, 400, 0)
    gold = next(iter(task.batches.values())).gold
    r = [np.corrcoef(gold, batch.predicted)[0, 1] for batch in task.batches.values()]
    assert min(r[:5]) > max(r[5:])


def test_levels_of_submissions_differ_in_quality_and_not_in_law():
    study = loaded_study("power_and_warnings")
    task = study.drawn(find_law("normal"), 2000, 0)
    gold = next(iter(task.batches.values())).gold
    r = [np.corrcoef(gold, batch.predicted)[0, 1] for batch in task.batches.values()]
    assert min(r[:2]) > max(r[2:4]) > max(r[4:6]) > max(r[6:])
    assert [study.level(f"s{nth}") for nth in (0, 1, 2, 7)] == [0, 0, 1, 3]
