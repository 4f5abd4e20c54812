"""The command that correlates metrics with judges."""

import itertools
import json

import pytest

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{n}Number,system{n}Id" for n in range(1, 4)] + [f"system{n}rank" for n in range(1, 4)]
)
LOOKS = [(1, "ann", "1,2,3"), (1, "ben", "1,3,2"), (2, "ann", "2,1,3"), (3, "ben", "1,1,2"), (3, "cid", "1,2,-1")]
ROWS = "".join(f"Czech,English,{s},d,{s},{judge},1,A,2,B,3,C,{ranks}\n" for s, judge, ranks in LOOKS)
TEXTS = {"A": "a b c d\nx y\np q r\n", "B": "a b x\nx y z\np q\n", "C": "b a\nz\nq p r s\n"}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "text" / "cs-en").mkdir(parents=True)
    (tmp_path / "rankings.csv").write_text(HEADER + "\n" + ROWS)
    for number, text in enumerate(["a b c d\nx y z\np q r\n", "a b c\nx y\nr q p\n"], 1):
        (tmp_path / "text" / f"t-ref{number}.en").write_text(text)
    for name, text in TEXTS.items():
        (tmp_path / "text" / "cs-en" / name).write_text(text)
    return tmp_path


COMMON = ("--metric", "gtm_f", "--metric", "gtm_f(exponent=2)", "--sizes", "1,2,8", "--draws", "60")


def test_table_and_tests(qeframe_command, folder):
    done = qeframe_command("correlate", folder, *COMMON)
    assert (done.status, done.err) == (0, "")
    assert "cs-en: agreement with judges" in done.out
    assert "between judges: on segments that two judges saw; standard deviation" in done.out
    assert "rank: metrics on documents of 2 sentences" in done.out
    assert "gtm_f(exponent=2), 2 references" in done.out


def test_equal_seeds_give_equal_results(qeframe_command, folder):
    first, again, other = (qeframe_command("correlate", folder, *COMMON, "--json", "--seed", s).out for s in (1, 1, 2))
    assert first == again != other
    record = json.loads(first)
    assert [curve["name"] for curve in record["curves"]] == ["gtm_f", "gtm_f(exponent=2)", "between judges"]
    assert (record["sizes"], record["compared_at"], record["task"]) == ([1, 2, 8], 2, "cs-en")
    assert {pair["test"] for pair in record["comparisons"]["rank"]} == {"wilcoxon"}


def test_numbers_of_references_side_by_side(qeframe_command, folder):
    done = qeframe_command("correlate", folder, *COMMON, "--references", "2,1", "--json")
    assert [(curve["name"], curve["references"]) for curve in json.loads(done.out)["curves"]] == [
        ("gtm_f", 1), ("gtm_f(exponent=2)", 1), ("gtm_f", 2), ("gtm_f(exponent=2)", 2), ("between judges", 0),
    ]  # fmt: skip


def test_files(qeframe_command, folder, tmp_path):
    pytest.importorskip("matplotlib")
    done = qeframe_command("correlate", folder, *COMMON, "--out", tmp_path / "out")
    assert done.err == f"qeframe: 6 files written to {tmp_path / 'out'}\n"
    names = {path.name for path in (tmp_path / "out").iterdir()} - {".qeframe.json"}
    assert names == {
        "agreement.svg", "agreement.png", "judges.svg", "judges.png", "correlate.md", "correlate.json",
    }  # fmt: skip
    told = " ".join(qeframe_command("correlate", "--help").out.split())
    assert "Write correlate.json and correlate.md into this folder" in told


def test_the_judges_who_agree_least(qeframe_command, folder, tmp_path):
    pytest.importorskip("matplotlib")
    looks = itertools.product((1, 2, 3), (1, 2, 3), ("ann", "ben"))
    rows = [(s, judge, f"{s % 3 + 1},{s % 2 + 1},{k}") for s, k, judge in looks]
    text = "".join(f"Czech,English,{s},d,{s},{judge},1,A,2,B,3,C,{ranks}\n" for s, judge, ranks in rows)
    (folder / "rankings.csv").write_text(HEADER + "\n" + text)
    done = qeframe_command("correlate", folder, *COMMON, "--out", tmp_path / "out")
    assert "rank: the judges who agree least" in done.out
    assert (tmp_path / "out/judges-worst.svg").exists()
    (pair,) = json.loads((tmp_path / "out/correlate.json").read_text())["judges"]
    assert (pair["first"], pair["second"], pair["translations"]) == ("ann", "ben", 81)
