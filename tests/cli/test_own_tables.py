"""Data sets in layouts that no shared task has, from the command to the page."""

import json
import random
from pathlib import Path

import polars
import pytest

SYSTEMS, METRICS = ("ONLINE-A", "GPT-4", "Team X, v2"), {"COMET-22": 0.05, "BLEURT": 1, "chrF": 6}
PAIRS = ("en-de", "ja-zh", "cs-uk")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def lines(rows, mark="\t"):
    return "".join(mark.join(map(str, row)) + "\n" for row in rows)


def noisy(chosen, value, spread):
    return round(value + chosen.gauss(0, spread), 3)


def wide_table():
    """Write a wide CSV of three language pairs, with quotes, commas and names of columns that have blanks."""
    chosen = random.Random(1)
    rows = [("Language Pair", "System", "Doc-ID", "Segment ID", "Source", "Human", *METRICS)]
    for pair in PAIRS:
        for system in SYSTEMS:
            for i in range(12):
                gold = round(chosen.gauss(0, 1), 3)
                text = f'"A ""quoted"" text, no. {i}"'
                answers = [noisy(chosen, gold, spread) for spread in METRICS.values()]
                rows.append((pair, f'"{system}"', f"news.{i // 4}", i, text, gold, *answers))
    Path("wide.csv").write_text(lines(rows, ","))
    return ["metrics", "wide.csv"], ["COMET-22", "BLEURT", "chrF"], PAIRS


def long_table():
    """Write a long Parquet file with ids that are texts, in no order, and names of its own."""
    chosen = random.Random(2)
    golds = {(pair, f"doc_{d}#par{i}"): chosen.random() for pair in PAIRS[:2] for d in range(4) for i in range(6)}
    rows = [
        (*key, rater, noisy(chosen, gold, spread))
        for key, gold in golds.items()
        for rater, spread in (("Expert MQM", 0), ("qe-large", 0.2), ("qe-small", 0.5))
    ]
    chosen.shuffle(rows)
    polars.DataFrame(rows, schema=["direction", "item", "rater", "value"], orient="row").write_parquet("long.parquet")
    columns = ("pair=direction", "unit=item", "submission=rater", "score=value", "gold=Expert MQM")
    return ["qe", "long.parquet", *set_to(columns)], ["qe-large", "qe-small"], PAIRS[:2]


def flat_files():
    """Write a file for each submission and language pair, whose lines are the segments, beside another file."""
    chosen = random.Random(3)
    Path("flat").mkdir()
    for pair in PAIRS[:2]:
        gold = [chosen.random() for _ in range(30)]
        for name, spread in (("gold", 0), ("ours", 0.1), ("theirs", 0.4)):
            Path(f"flat/{name}.{pair}.scores").write_text(lines([(noisy(chosen, value, spread),) for value in gold]))
    Path("flat/README.md").write_text("Not a table.\n")
    return ["qe", "flat", *set_to(["files={submission}.{pair}.scores"])], ["ours", "theirs"], PAIRS[:2]


def json_lines():
    """Write objects, one a line, of which some have null in the place of a score."""
    chosen, rows = random.Random(4), []
    for i in range(40):
        gold = chosen.random()
        answers = {"A": None if i in (5, 9) else noisy(chosen, gold, 0.1), "B": noisy(chosen, gold, 0.5)}
        rows.append({"uid": f"seg-{i}", "source": "x y z", "da": None if i == 3 else 100 * gold, **answers})
    Path("objects.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return ["qe", "objects.jsonl", *set_to(["unit=uid", "gold=da", "missing=drop_for_all"])], ["A", "B"], ("objects",)


def set_to(settings):
    return [word for setting in settings for word in ("--set", setting)]


@pytest.mark.parametrize("make", [wide_table, long_table, flat_files, json_lines])
def test_from_the_command_to_the_page(qeframe_command, make):
    arguments, ranked, tasks = make()
    outcome = qeframe_command("run", *arguments, "--set", "test=", "--out", "out", "--quiet")
    assert (outcome.status, outcome.err) == (0, "")
    result = json.loads(Path("out/evaluation.json").read_text())
    assert [each["name"] for each in sorted(result["submissions"], key=lambda each: each["rank"])] == ranked
    assert {name.partition(" ")[0] for name in result["tasks"]} == set(tasks)
    page = Path("out/report.html").read_text()
    assert all(name in page for name in (*ranked, *tasks))


def test_what_was_left_out_is_counted(qeframe_command):
    arguments, _, _ = json_lines()
    result = json.loads(qeframe_command("run", *arguments, "--set", "test=", "--json", "--quiet").out)
    assert [(note["what"], note["count"]) for note in result["dropped"]][:2] == [("unit", 1), ("unit", 2)]
    flat, _, _ = flat_files()
    dropped = json.loads(qeframe_command("run", *flat, "--set", "test=", "--json", "--quiet").out)["dropped"]
    assert [(note["what"], note["count"]) for note in dropped if "README.md" in note["reason"]] == [("file", 1)]


def test_a_long_table_without_known_names_says_what_to_name(refused):
    long_table()
    told = refused("run", "qe", "long.parquet")
    assert "no column is the gold: the columns are direction, item, rater, value; name it: --set gold=COLUMN" in told
    assert "--set submission=COLUMN and --set score=COLUMN too" in told
