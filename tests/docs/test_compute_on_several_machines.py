"""The Python of the how-to on several workers."""

import subprocess
import sys

import pytest

from tests.docs.test_readme import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "compute-on-several-machines.md"


def test_the_python_of_the_page_runs_and_gives_the_result_of_one_thread(run_python):
    code = blocks(PAGE, "python")[0]
    compared = 'print(evaluation.to_json() == qeframe.evaluate("qe_sentence", tasks).to_json())'
    assert run_python(f"{code}\n{compared}\n").splitlines()[-1] == "True"


@pytest.mark.slow
def test_chunks_are_scored_on_a_cluster(tmp_path):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    (tmp_path / "corpus").mkdir()
    for start in (0, 50):
        ids = list(range(start, start + 50))
        answers = {"good": [n % 7 + n % 2 / 9 for n in ids], "poor": [n % 3 for n in ids]}
        table = pyarrow.table({"id": ids, "gold": [n % 7 for n in ids], **answers})
        parquet.write_table(table, tmp_path / "corpus" / f"{start}.parquet", row_group_size=20)
    (tmp_path / "page.py").write_text(blocks(PAGE, "python")[1])
    ran = subprocess.run([sys.executable, "page.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in ran.stdout.splitlines()] == ["good", "poor", "good"]
