from random import Random

import numpy as np

from qeframe.kinds.spans.kind import KIND


def test_fixed_submissions_share_the_gold():
    batches = KIND.fixed_submissions(Random(1), 6)
    golds = [KIND.plain(batch)["gold"] for batch in batches]
    assert len(batches) == 3
    assert golds[0] == golds[1] == golds[2]


def test_every_constant_is_an_answer_to_the_same_units():
    batch = KIND.fixed_submissions(Random(1), 4)[0]
    for answers in KIND.constants(batch):
        assert len(KIND.with_answers(batch, answers)) == len(batch)


def test_the_gold_is_a_perfect_answer():
    batch = KIND.fixed_submissions(Random(2), 4)[0]
    plain = KIND.plain(KIND.audit.perfect(batch))
    assert plain["gold"] == plain["predicted"]
    assert len(KIND.audit.generate(np.random.default_rng(1)).batch) > 100
