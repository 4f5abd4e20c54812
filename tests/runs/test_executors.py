"""Other executors write what one thread writes."""

import numpy as np
import pytest

from tests.fuzz.verdicts import outcome_of
from tests.runs.agreement import contents
from tests.runs.ways import same_but_for_the_command

RULES = ("--set", "test=permutation(draws=200)", "--set", "interval=bootstrap(draws=200)")
RUN = ("run", "qe_sentence", "t", *RULES, "--explain", "--detectable", "--influence", "2")


@pytest.fixture
def whole(tmp_path, write_task):
    """Write a task and the result of one run, and go to their folder."""
    rng = np.random.default_rng(3)
    for pair in ("en-de", "cs-en"):
        gold = rng.normal(size=30)
        answers = {f"s{n}": np.round(gold + (1 + n) * rng.normal(size=30), 4) for n in range(3)}
        write_task(f"t/{pair}", np.round(gold, 4), answers)
    outcome = outcome_of([*RUN, "--out", "whole", "--quiet", "--figures", "svg"], seconds=120)
    assert outcome.status == 0, outcome
    return contents(tmp_path / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("executor", ["processes", "threads"])
def test_an_executor_writes_what_one_thread_writes(executor, whole, tmp_path):
    options = ("--out", "other", "--quiet", "--figures", "svg", "--executor", executor, "--workers", "2")
    assert outcome_of([*RUN, *options], seconds=120).status == 0
    same_but_for_the_command(whole, contents(tmp_path / "other"))
