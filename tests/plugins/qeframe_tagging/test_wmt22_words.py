"""Real submissions of WMT22 word level: the values of the independent recomputation."""

import numpy as np
import pytest

import qeframe
from qeframe.kinds.tags.batch import Tags

SUBMISSIONS = ("NJUQE", "papago", "IST-Unbabel", "HW-TSC", "OrganizersBaselines")
EXPECTED = {
    "mcc": (0.351904, 0.318627, 0.302745, 0.273894, 0.182414),
    "seqcor": (0.418099, 0.358856, 0.373685, 0.330412, 0.345179),
    "f1_bad": (0.350920, 0.335664, 0.317160, 0.292162, 0.212766),
    "f1_ok": (0.980334, 0.960024, 0.955656, 0.954207, 0.969490),
}


def tags_of(path):
    """Read the seven columns as they are; the reader of the shared task has tests of its own."""
    sentences = {}
    for line in path.read_text(encoding="utf-8").splitlines()[3:]:
        columns = line.split("\t")
        sentences.setdefault(int(columns[3]), []).append(columns[6])
    return [sentences[number] for number in sorted(sentences)]


@pytest.fixture(scope="module")
def batches(shared_data):
    folder = shared_data("wmt22-qe/word/en-de")
    gold = [line.split() for line in (folder / "gold.tags").read_text(encoding="utf-8").splitlines()]
    return {name: Tags.from_plain(gold, tags_of(folder / "submissions" / f"{name}.txt")) for name in SUBMISSIONS}


def test_size(batches):
    assert {(len(batch), len(batch.gold.values)) for batch in batches.values()} == {(511, 13_857)}


@pytest.mark.parametrize("name", EXPECTED)
def test_scores(batches, named, name):
    found = [qeframe.score(named(name), batch, None) for batch in batches.values()]
    assert np.round(found, 6).tolist() == list(EXPECTED[name])


@pytest.mark.parametrize("name", ["seqcor", "phrase_f1_mult(reading=symmetric)"])
def test_everybody_is_compared_by_randomization(batches, named, name):
    found = qeframe.compare(named(name), None, batches, test="randomization(draws=200)", correction="bonferroni")
    assert len(found) == 10
    assert all(comparison.difference >= 0 for comparison in found)
