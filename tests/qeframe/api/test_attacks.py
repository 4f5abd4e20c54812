"""Attacks from Python equal those of the command line; ranks of attacks, each entered alone."""

import json
import re

import attrs
import numpy as np
import pytest

import qeframe
from qeframe.api.attacks import enter_attacks
from qeframe.cli import main
from qeframe.core.components.component import Origin
from qeframe.core.errors import DataError
from qeframe.core.tasks.task import Submission, Task
from qeframe.extensions.attack import Attack
from qeframe.kinds.scores.batch import Scores

GOLD = [0.1, 0.5, 0.3, 0.9, 0.45, 0.2]


@pytest.fixture
def folder(tmp_path):
    sides = {
        "gold.txt": GOLD,
        "submissions/good.txt": [0.1, 0.4, 0.35, 0.8, 0.5, 0.3],
        "submissions/fair.txt": [0.3, 0.2, 0.4, 0.6, 0.5, 0.3],
    }
    for name, values in sides.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    return tmp_path


def test_attacks_from_python_are_those_of_the_command_line(folder, capsys, registry):
    main(["run", "qe_sentence", str(folder), "--with-attacks", "--json", "--seed", "3", "--quiet"])
    printed = capsys.readouterr().out
    assert qeframe.evaluate("qe_sentence", folder, attacks=True, seed=3).to_json() == printed
    names = [s["name"] for s in json.loads(printed)["submissions"] if s["kind"] == "attack"]
    assert names
    assert qeframe.evaluate("qe_sentence", folder, attacks=names, seed=3).to_json() == printed
    components = [registry.get(Attack, name) for name in names]
    assert qeframe.evaluate("qe_sentence", folder, attacks=components, seed=3).to_json() == printed


def made(values, name="given"):
    def answer(batch, rng):
        return attrs.evolve(batch, predicted=np.array(values, dtype=float))

    return Attack(name=name, summary="", kind=Scores, manner="blind", knowledge="nothing", answer=answer)


def test_each_attack_has_the_rank_that_it_takes_alone(folder):
    tasks = qeframe.read_tasks(qeframe.choose_profile("qe_sentence"), folder)
    both = qeframe.evaluate("qe_sentence", tasks, attacks=[made(GOLD, "best"), made(GOLD, "equal")])
    assert {s.name: s.rank for s in both.submissions} == {"best": 1, "equal": 1, "good": 1, "fair": 2}
    undefined = qeframe.evaluate("qe_sentence", tasks, attacks=[made([1] * 6, "flat")])
    assert {s.name: s.rank for s in undefined.submissions} == {"good": 1, "fair": 2, "flat": 3}


@pytest.mark.parametrize("name", ["given", "given (odd 1.0)"])
def test_a_submission_with_the_name_of_an_attack_is_refused(name):
    task = Task(name="t", batches={Submission(name): Scores.from_plain(GOLD, GOLD)})
    foreign = attrs.evolve(made(GOLD), origin=Origin("odd", "odd", "1.0"))
    with pytest.raises(DataError, match=re.escape(f"has the name of the attack '{name}'; give the submission another")):
        enter_attacks([task], [foreign])
