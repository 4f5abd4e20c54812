"""The Python of the how-to on several workers."""

from tests.docs.test_readme import ROOT, blocks

PAGE = ROOT / "docs" / "how-to" / "compute-on-several-machines.md"


def test_the_python_of_the_page_runs_and_gives_the_result_of_one_thread(run_python):
    code = "\n".join(blocks(PAGE, "python"))
    compared = 'print(evaluation.to_json() == qeframe.evaluate("qe_sentence", tasks).to_json())'
    assert run_python(f"{code}\n{compared}\n").splitlines()[-1] == "True"
