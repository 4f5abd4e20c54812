"""Tables of one's own: wide and long, of every form of file, are the same task; a mistake has its file and line."""

import json
import re
from pathlib import Path

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import qeframe
from qeframe.core.errors import DataError, SubmissionsError
from tests.outcome import failure

PAIRS, SYSTEMS, METRICS = ("en-de", "zh-en"), "ABC", ("comet", "bleu")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def grid_rows():
    rng = np.random.default_rng(1)
    return [
        (pair, system, f"d{i // 2}", f"s{i}", *rng.random(3).round(3).tolist(), 'a "quote", and a comma')
        for pair in PAIRS
        for system in SYSTEMS
        for i in range(5)
    ]


def wide(separator=","):
    def cell(value):
        text = str(value)
        return '"{}"'.format(text.replace('"', '""')) if separator == "," and "," in text else text

    header = separator.join(("lp", "system", "doc", "seg", "human", *METRICS, "source"))
    return "\n".join([header, *(separator.join(map(cell, row)) for row in grid_rows()), ""])


def frame():
    names = ("lp", "system", "doc", "seg", "human", *METRICS)
    return polars.DataFrame([row[:-1] for row in grid_rows()], schema=names, orient="row")


def long():
    index = ["lp", "system", "doc", "seg"]
    return frame().unpivot(index=index, on=["human", *METRICS], variable_name="metric", value_name="score")


def content(tasks):
    """Return gold, answers, groups and systems of every task."""
    return {
        task.name: (
            task.systems,
            dict(task.groups),
            {s.name: (b.gold.tolist(), b.predicted.tolist()) for s, b in task.batches.items()},
        )
        for task in tasks
    }


def read(text_or_frame, name, profile="metrics", settings=()):
    path = Path(name)
    if isinstance(text_or_frame, str):
        path.write_text(text_or_frame)
    elif text_or_frame is not None:
        text_or_frame.write_parquet(path) if path.suffix == ".parquet" else path.write_text(
            text_or_frame.write_csv(separator="\t")
        )
    return qeframe.read_tasks(qeframe.choose_profile(profile, settings), name)


def test_human_scores_that_count_errors_are_turned():
    """Metrics are better when higher, whatever the human scores are."""
    turned = frame().with_columns(-polars.col("human"))
    high, low = read(frame(), "high.tsv"), read(turned, "low.tsv", settings=["best=low"])
    assert content(low) == content(high)


def test_scores_that_are_better_when_lower_are_negated():
    turned = frame().with_columns(-polars.col("bleu"))
    unpivoted = turned.unpivot(
        index=["lp", "system", "doc", "seg"], on=["human", *METRICS], variable_name="metric", value_name="score"
    )
    plain = content(read(frame(), "high.tsv"))
    for name, table in {"wide.tsv": turned, "long.parquet": unpivoted}.items():
        assert content(read(table, name, settings=["lower=bleu"])) == plain
    roles = {"gold": "human", "unit": "seg", "system": "system", "task": "lp", "groups": "doc", "submissions": METRICS}
    tasks = qeframe.tasks_from_frame(turned, lower=["bleu"], **roles)
    assert content(tasks) == plain
    unread = failure(DataError, lambda: qeframe.evaluate("metrics", tasks))
    assert unread.startswith("en-de was not read with level=sys, as pairwise_accuracy asks; give the path of the files")
    tags = polars.DataFrame({"gold": ["OK BAD"], "A": ["OK OK"]})
    message = "answers of 'A' are no numbers; leave it out of lower="
    assert (
        failure(DataError, lambda: read(tags, "t.parquet", "wmt20_qe_word", ["reader=table(holds=tags,lower=[A])"]))
        == message
    )


def test_translations_without_a_human_score_are_counted():
    """Those whose cell is empty, and those whose row is not there; a segment without any is a line of its own."""
    empty = {("en-de", "A", "s1"), *(("zh-en", system, "s4") for system in SYSTEMS)}
    rows = [
        (*row[:4], None if (*row[:2], row[3]) in empty else row[4], *row[5:])
        for row in frame().rows()
        if (*row[:2], row[3]) != ("en-de", "B", "s2")
    ]
    tasks = read(polars.DataFrame(rows, schema=frame().columns, orient="row"), "t.tsv")
    found = {(entry.task, entry.what): (entry.count, entry.reason) for task in tasks for entry in task.dropped}
    assert found == {("en-de", "translation"): (2, "no gold score"), ("zh-en", "unit"): (1, "no gold score")}


def json_lines(table):
    return "".join(json.dumps(row) + "\n" for row in table.to_dicts())


FORMS = {
    "wide by commas": lambda: read(wide(), "t.csv"),
    "wide by tabs": lambda: read(wide("\t"), "t.tsv"),
    "wide Parquet": lambda: read(frame(), "t.parquet"),
    "wide JSON": lambda: read(json_lines(frame()), "t.jsonl"),
    "long by tabs": lambda: read(long(), "t.tsv"),
    "long Parquet": lambda: read(long(), "t.parquet"),
    "long JSON": lambda: read(json_lines(long()), "t.jsonl"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_one_table_is_the_same_task(form):
    rows = grid_rows()
    found = content(FORMS[form]())
    assert list(found) == list(PAIRS)
    for pair, (systems, groups, sides) in found.items():
        assert systems == tuple(SYSTEMS)
        assert groups == {"doc": ("d0", "d0", "d1", "d1", "d2")}
        of_pair = np.array([row[4:7] for row in rows if row[0] == pair]).reshape(3, 5, 3)
        assert sides == {
            name: (of_pair[:, :, 0].T.tolist(), of_pair[:, :, nth].T.tolist()) for nth, name in enumerate(METRICS, 1)
        }


def test_what_was_found_is_said_once_and_not_where_all_is_named():
    evaluation = qeframe.evaluate("metrics", read(wide(), "t.csv") and "t.csv", settings=["test=", "interval="])
    said = [text for text in evaluation.warnings if "by the names" in text]
    assert said == [
        "en-de: t.csv, by the names of its columns: unit is 'seg'; document is 'doc'; system is 'system'; pair is "
        "'lp'; gold is 'human'; submissions are comet, bleu; not used: source (another: --set gold=COLUMN)"
    ]
    named = ["unit=seg", "document=doc", "system=system", "pair=lp", "gold=human", "submissions=comet,bleu"]
    quiet = qeframe.evaluate("metrics", "t.csv", settings=[*named, "test=", "interval="])
    assert not [text for text in quiet.warnings if "by the names" in text]
    assert [(s.name, s.rank) for s in quiet.submissions] == [("comet", 1), ("bleu", 2)]
    of_rows = qeframe.evaluate("qe", "t.csv", settings=["test=", "interval="]).warnings
    assert any("unit is 'seg/system'" in text and "the profile metrics keeps the systems" in text for text in of_rows)


def test_any_column_is_the_gold():
    tasks = read(wide(), "t.csv", settings=["gold=comet", "ignored=bleu"])
    assert [s.name for s in tasks[0].batches] == ["human"]


def test_missing_scores_are_a_policy():
    text = "id,gold,A,B\nx,1,.5,.4\ny,,.6,.1\nz,2,None,.2\nw,4,.1,NaN\nv,5,.3,.9\nu,6,.5,.7\n"
    assert failure(DataError, lambda: read(text, "t.csv", "qe")).startswith(
        "t.csv: segment z is missing in A: 4 of 5 segments are there"
    )
    (task,) = read(text, "t.csv", "qe", ["missing=drop_for_all"])
    assert [(note.what, note.count) for note in task.dropped[:2]] == [("unit", 1), ("unit", 2)]
    assert [task.names[int(unit)] for unit in next(iter(task.batches.values())).ids] == ["x", "v", "u"]
    with pytest.raises(SubmissionsError) as raised:
        read(text, "t.csv", "qe", ["absent=[]", "missing=drop_for_all"])
    assert str(raised.value).splitlines() == [
        "t.csv: 3 mistakes",
        "  t.csv:3: the gold '' is not a number; every line needs a number",
        "  t.csv:4: the A 'None' is not a number; every line needs a number",
        "  t.csv:5: the B NaN (a missing value); every unit needs a finite number",
    ]


def test_files_by_pattern_and_what_is_passed_over():
    Path("f").mkdir()
    for pair in PAIRS:
        for nth, name in enumerate(("gold", "A", "B")):
            Path(f"f/{name}.{pair}.txt").write_text("".join(f"{(i * (nth + 2)) % 7}\n" for i in range(5)))
    Path("f/notes.md").write_text("x\n")
    tasks = read(None, "f", "qe", ["files={submission}.{pair}.txt"])
    assert {t.name: [s.name for s in t.batches] for t in tasks} == {pair: ["A", "B"] for pair in PAIRS}
    batches = {s.name: b for s, b in tasks[0].batches.items()}
    assert batches["A"].gold.tolist() == [0, 2, 4, 6, 1]
    assert batches["B"].predicted.tolist() == [0, 4, 1, 5, 2]
    note = "their names are not like {submission}.{pair}.txt: notes.md"
    assert [n.reason for n in tasks[0].dropped if n.what == "file"] == [note]
    assert "no file has a name like {pair}.csv; it has A.en-de.txt" in failure(
        DataError, lambda: read(None, "f", "qe", ["files={pair}.csv"])
    )


def test_lines_of_a_system_are_its_segments_unless_it_comes_back():
    Path("f").mkdir()
    lines = [f"{system} {value}" for system in "XY" for value in (1, 2, 3)]
    for name in ("human", "m"):
        Path(f"f/{name}.txt").write_text("\n".join(lines) + "\n")
    settings = ["files={submission}.txt", "names=system,score"]
    task = read(None, "f", settings=settings)[0]
    assert next(iter(task.batches.values())).gold.tolist() == [[1, 1], [2, 2], [3, 3]]
    Path("f/m.txt").write_text("\n".join([*lines[:2], *lines[3:], lines[2]]) + "\n")
    assert failure(DataError, lambda: read(None, "f", settings=settings)).startswith(
        "f/m.txt:6: X m comes back after others: its lines would be further units"
    )


def test_files_without_ids_have_as_many_lines_and_are_files():
    Path("f").mkdir()
    for name in ("gold", "A", "B"):
        Path(f"f/{name}.txt").write_text("1\n2\n4\n")
    Path("f/B.txt").write_text("1\n2\n4\n3\n")
    by_name = ["files={submission}.txt", "missing=drop_for_all"]
    assert failure(DataError, lambda: read(None, "f", "qe", by_name)) == (
        "f/B.txt:4: B has 4 lines, A 3; give each as many, or name the ids: --set unit=COLUMN"
    )
    Path("f/B.txt").write_text("1.x\n2\n4\n")
    assert failure(DataError, lambda: read(None, "f", "qe", by_name)).startswith(
        "f/B.txt:1: the columns are 1.x, submission, those of most files score, submission; write"
    )
    Path("f/B.txt").unlink()
    Path("f/B.txt").mkdir()
    assert failure(DataError, lambda: read(None, "f", "qe", by_name)).startswith("f/B.txt: this is a folder")


def test_ids_of_several_columns_and_tables_of_a_folder():
    Path("f").mkdir()
    for pair in PAIRS:
        Path(f"f/{pair}.csv").write_text("doc;seg;human;A;B\na;1;.1;.2;.3\na;2;.5;.4;.2\nb;1;.7;.9;.1\nb;2;.2;.1;.5\n")
    Path("f/README.md").write_text("x\n")
    tasks = read(None, "f", "qe", ["unit=doc,seg"])
    assert [task.name for task in tasks] == list(PAIRS)
    assert list(tasks[0].names.values()) == ["a/1", "a/2", "b/1", "b/2"]
    assert tasks[0].groups == {"doc": ("a", "a", "b", "b")}
    assert [n.reason for n in tasks[1].dropped if n.what == "file"] == ["no tables: README.md"]
    assert "unit 1 has 2 rows" in failure(DataError, lambda: read(None, "f", "qe"))


def test_tags_are_columns_too():
    text = "id,gold,A\nx,OK BAD,OK OK\ny,BAD,BAD\nz,OK OK,OK BAD\n"
    (task,) = read(text, "t.csv", "qe_word", ["reader=table(holds=tags)"])
    (batch,) = task.batches.values()
    assert batch.predicted.values.tolist() == [0, 0, 1, 0, 1]
    wrong = text.replace("z,OK OK,OK BAD", "z,OK OK,OK")
    assert failure(DataError, lambda: read(wrong, "t.csv", "qe_word", ["reader=table(holds=tags)"])).startswith(
        "t.csv:4: 1 tag in sentence z, the gold has 2"
    )


def test_a_threshold_makes_tags_of_probabilities():
    Path("t/submissions").mkdir(parents=True)
    Path("t/gold.tags").write_text("OK OK BAD\nBAD OK\n")
    Path("t/submissions/p.txt").write_text("0.1 0.2 0.9\n0.5 0.7\n")
    with pytest.raises(DataError, match=r"p\.txt:1: unknown tag '0\.1'.*--set threshold=\.5"):
        read(None, "t", "qe_word")
    (task,) = read(None, "t", "qe_word", ["threshold=.5"])
    (batch,) = task.batches.values()
    assert (batch.gold.values.tolist(), batch.predicted.values.tolist()) == ([0, 0, 1, 1, 0], [0, 0, 1, 1, 1])


def test_documents_are_known_by_their_names():
    Path("en-fr/submissions").mkdir(parents=True)
    Path("en-fr/gold.txt").write_text("doc1 90\ndoc2 10\ndoc-3/b 50\n")
    Path("en-fr/submissions/A.txt").write_text("doc-3/b 40\ndoc1 80\ndoc2 20\n")
    for profile in ("wmt19_qe_document", "wmt20_qe_document"):
        (task,) = read(None, "en-fr", profile)
        (batch,) = task.batches.values()
        assert (batch.gold.tolist(), batch.predicted.tolist()) == ([90, 10, 50], [80, 20, 40])
        assert [task.names[int(unit)] for unit in batch.ids] == ["doc1", "doc2", "doc-3/b"]


def test_folders_of_known_layouts_are_read_as_such():
    Path("t/submissions").mkdir(parents=True)
    Path("t/gold.txt").write_text("1\n2\n4\n3\n")
    Path("t/submissions/A.txt").write_text("1\n2\n3\n4\n")
    (task,) = read(None, "t", "qe")
    assert [s.name for s in task.batches] == ["A"]
    for kind, name in (("human", "en-de.mqm"), ("metric", "en-de/m-src")):
        path = Path(f"m/{kind}-scores/{name}.seg.score")
        path.parent.mkdir(parents=True)
        path.write_text("".join(f"{s}\t{v}\n" for s, values in (("X", "123"), ("Y", "212")) for v in values))
    tasks = read(None, "m")
    assert {s.name for task in tasks for s in task.batches} == {"m-src"}
    refused = failure(DataError, lambda: read(None, "m", settings=["lower=m-src"]))
    assert refused == "m: 'lower' is for tables, and this folder is none; negate the scores"


GOOD = "seg,system,human,A,B\n" + "".join(f"{i},{s},{i + 1},{i * 2},{-i}\n" for s in "XY" for i in range(4))


@pytest.mark.parametrize(
    ("change", "settings", "said"),
    [
        (
            ("human,", "people,"),
            [],
            "t.csv: no column is the gold: the columns are seg, system, people, A, B; name it: ",
        ),
        (("A,B", "gold,B"), [], "t.csv: 2 columns may be the gold: gold, human; name it: --set gold=gold"),
        (("system,", "mt,"), [], "t.csv: no column names the translation systems"),
        (("A,B", "A,A"), [], "t.csv:1: two columns are named 'A'; give every column"),
        (("1,X,2,2,-1", "1,X,2,two,-1"), [], "t.csv:3: the A 'two' is not a number"),
        (("1,X,2,2,-1", "1,X,2,inf,-1"), [], "t.csv:3: the A is an infinite value ('inf')"),
        (("1,X,2,2,-1", "1,X,2,2"), [], "t.csv:3: 4 columns instead of 5 columns by commas"),
        (("1,X,2,2,-1", '1,"X,2,2,-1'), [], "t.csv:3: quotes that do not fit"),
        (("1,X,2,2,-1", "0,X,2,2,-1"), [], "t.csv:3: the gold scores of unit 0 of system X differ"),
        (("1,X,2,2,-1", ",X,2,2,-1"), [], "t.csv:3: the seg is empty; give every row a label"),
        (("1,X,2,2,-1", ""), [], "t.csv:3: an empty line instead of 5 columns"),
        ((GOOD, "seg,system,human,A,B\n"), [], "t.csv:1: there is no row"),
        (("1,X,2,2,-1", "1,\ufeffX,2,2,-1"), [], "t.csv:3: a byte-order mark (U+FEFF) in the system; remove it"),
        (
            (GOOD, "1\n2\n"),
            ["header=7"],
            "t.csv:2: '2' names no columns; begin the table with the names of its columns",
        ),
        ((GOOD, "1\n2\n"), [], "t.csv:1: '1' names no columns; begin the table with the names of its columns"),
        (("A,B", "A,B"), ["pair=lp"], "t.csv: has no column 'lp'; its columns are seg, system, human, A, B"),
        (("A,B", "A,B"), ["submissions=C"], "t.csv: has no column 'C'"),
        (("A,B", "A,B"), ["lower=C"], "t.csv: has no submission 'C'; known: A, B"),
        (("A,B", "A,B"), ["ignored=C"], "t.csv: has no column 'C' that could be ignored; its columns are seg, system"),
        (("A,B", "A,B"), ["ignored=A,B"], "t.csv: no column is a submission"),
        (
            (GOOD, "seg,system,metric,score\n0,X,gold,1\n1,X,gold,2\n"),
            ["submission=metric"],
            "t.csv: 'gold' is the only name in the column 'metric'; add rows of a submission",
        ),
    ],
)
def test_mistakes_are_named_with_file_line_and_remedy(change, settings, said):
    assert failure(DataError, lambda: read(GOOD.replace(*change), "t.csv", settings=settings)).startswith(said)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.jsonl", '{"a": 1}\n{"a": {"b": 1}}\n', "t.jsonl:2: the a is no single value"),
        ("t.jsonl", '{"a": 1}\n{"a": [1]}\n', "t.jsonl:2: the a is no single value"),
        ("t.jsonl", '{"a": 1}\n{"a": []}\n', "t.jsonl:2: the a is no single value"),
        ("t.jsonl", '{"a": 1}\n[]\n', "t.jsonl:2: not an object of JSON"),
        ("t.jsonl", '{"a": 1}\n{"a": \n', "t.jsonl:2: not JSON"),
        ("t.jsonl", '{"a": 1}\n{"b": 1, "a": 1, "a": 2}\n', "t.jsonl:2: two values of 'a'; give each key once"),
        ("t.parquet", "no parquet", "t.parquet: cannot be read as Parquet"),
    ],
)
def test_files_that_are_no_tables(name, content, said):
    assert failure(DataError, lambda: read(content, name, "qe")).startswith(said)


BROKEN_ROWS = {
    "text": lambda row, mark: row.rpartition(mark)[0] + f"{mark}two",
    "infinite": lambda row, mark: row.rpartition(mark)[0] + f"{mark}inf",
    "large": lambda row, mark: row.rpartition(mark)[0] + f"{mark}1e999",
    "short": lambda row, mark: row.rpartition(mark)[0],
    "long": lambda row, mark: f"{row}{mark}7",
    "empty": lambda row, mark: "",
    "no id": lambda row, mark: mark + row.partition(mark)[2],
}
"""By what is wrong in a row of a table, what makes it wrong."""
WIDE = [("segment", "human", "A", "B"), *((f"s{i}", f".1{i}", f".{i}5", f".{i}7") for i in range(15))]
LONG = [("segment", "metric", "score"), *((f"s{i}", name, f".{i}1") for name in ("human", "A", "B") for i in range(5))]


@pytest.mark.parametrize("mark", ["\t", ",", ";"])
@pytest.mark.parametrize("rows", [WIDE, LONG], ids=["wide", "long"])
@given(planted=st.dictionaries(st.integers(1, 14), st.sampled_from(sorted(BROKEN_ROWS)), min_size=1, max_size=6))
def test_all_mistakes_are_listed_and_nothing_else(rows, mark, planted):
    lines = [*map(mark.join, rows)]
    for row, kind in planted.items():
        lines[row] = BROKEN_ROWS[kind](lines[row], mark)
    Path("t.txt").write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError) as raised:
        qeframe.read_tasks("qe", "t.txt")
    first, *more = str(raised.value).splitlines()
    listed = more or [first]
    named = [int(re.search(r"t\.txt:(\d+): ", line)[1]) - 1 for line in listed]
    assert set(named) <= set(planted)
    alike = [int(count) for line in listed for count in re.findall(r"\(and (\d+) more", line)]
    assert len(named) + sum(alike) == len(planted), listed


def test_what_is_listed_has_a_bound_and_is_counted():
    rows = [f"s{i},.1,{'x' * (i + 1)}" for i in range(30)] + [f"s{i},.{i},.{i}" for i in range(30, 50)] + ["s50,y"] * 3
    with pytest.raises(SubmissionsError) as raised:
        read("\n".join(["segment,human,A", *rows]) + "\n", "t.csv", "qe")
    first, *listed = str(raised.value).splitlines()
    assert first == "t.csv: 33 mistakes, of which the first 20 sorts"
    assert [line.partition(": the A 'x")[0] for line in listed] == [f"  t.csv:{line}" for line in range(2, 22)]


def test_mistakes_of_several_files_are_listed_with_their_files():
    Path("f").mkdir()
    for name, text in (("gold", "1\nx\n3\n"), ("A", "2\n2\n0,5\n"), ("B", "1 2 3\n1\n2\n")):
        Path(f"f/{name}.txt").write_text(text)
    with pytest.raises(DataError, match=r"^f/B\.txt:1: 3 columns without names"):
        read(None, "f", "qe", ["files={submission}.txt"])
    Path("f/B.txt").unlink()
    with pytest.raises(SubmissionsError) as raised:
        read(None, "f", "qe", ["files={submission}.txt"])
    assert str(raised.value).splitlines() == [
        "f: 2 mistakes",
        "  f/A.txt:3: the score '0,5' is not a number; write decimals with a point, as in 0.25",
        "  f/gold.txt:2: the score 'x' is not a number; every line needs a number",
    ]
