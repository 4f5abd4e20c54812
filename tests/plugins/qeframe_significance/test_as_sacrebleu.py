"""The tests of sacrebleu, against sacrebleu."""

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF
from sacrebleu.significance import PairedTest

import qeframe
from qeframe.core.errors import CapabilityError, DataError

WORDS = np.array(["the", "a", "of", "in", "house", "green", "runs", "sees", "slowly", "and", "cat", "dog", "fish"])
PEERS = {"bleu": lambda: BLEU(), "chrf": lambda: CHRF()}


def texts(units, seed):
    """Return references and three systems that err more and more."""
    rng = np.random.default_rng(seed)
    references = [rng.choice(WORDS, size=size) for size in rng.integers(4, 15, units)]
    systems = {}
    for name, rate in (("a", 0.28), ("b", 0.3), ("c", 0.36)):
        changed = [np.where(rng.random(len(r)) < rate, rng.choice(WORDS, size=len(r)), r) for r in references]
        systems[name] = [" ".join(words) for words in changed]
    return [" ".join(words) for words in references], systems


def of_sacrebleu(metric, references, systems, test, draws):
    """Return p by pair, and the mean and half-width by system of the bootstrap."""
    found, spreads = {}, {}
    names = list(systems)
    for nth, baseline in enumerate(names[:-1]):
        order = [baseline, *names[nth + 1 :]]
        paired = PairedTest(
            [(name, systems[name]) for name in order], {"m": PEERS[metric]()}, [references], test, n_samples=draws
        )
        _, scores = paired()
        results = next(values for key, values in scores.items() if key != "System")
        for name, result in zip(order, results, strict=True):
            spreads[name] = (result.mean, result.ci)
            if name != baseline:
                found[frozenset((baseline, name))] = result.p_value
    return found, spreads


@pytest.mark.parametrize("metric", PEERS)
@pytest.mark.parametrize("seed", [1, 2])
def test_p_and_intervals_are_those_of_sacrebleu(metric, seed):
    references, systems = texts(40, seed)
    for test, rule, draws in (("bs", "bootstrap", 130), ("ar", "randomization", 130)):
        expected, spreads = of_sacrebleu(metric, references, systems, test, draws)
        name = f"{rule}(draws={draws}, replicate=sacrebleu)"
        compared = qeframe.compare(metric, references, systems, test=name, correction="none")
        found = {frozenset((pair.a, pair.b)): pair.p for pair in compared}
        assert found == pytest.approx(expected, abs=1e-12)
        assert len(set(expected.values())) > 1
        if rule == "bootstrap":
            for system, (mean, half) in spreads.items():
                of = qeframe.score(metric, references, systems[system], interval=name)
                assert ((of.low + of.high) / 2, (of.high - of.low) / 2) == pytest.approx((mean, half), abs=1e-4)


def test_blocks_of_draws_are_those_of_one_call(monkeypatch):
    from qeframe_significance import as_sacrebleu

    masks = np.random.default_rng(12345).integers(2, size=(700, 37), dtype=bool)
    assert np.array_equal(np.concatenate(list(as_sacrebleu._masks(700, 37))), masks)


def test_rules_that_sacrebleu_does_not_have_are_refused():
    gold, systems = texts(12, 3)
    for rule in ("bootstrap(replicate=sacrebleu, p=koehn)", "randomization(replicate=sacrebleu, studentize=true)"):
        with pytest.raises(DataError, match="leave"):
            qeframe.compare("bleu", gold, systems, test=rule)


def test_several_tasks_are_refused():
    from qeframe_significance import as_sacrebleu

    class Two:
        sizes = (3, 4)

    with pytest.raises(CapabilityError, match="tests one task"):
        as_sacrebleu.drawn_scores(Two(), 10)
