"""The checked cases of texts, from plain lists; the scores that 2000 lines of WMT15 and WMT16 were given."""

import numpy as np
import pytest

import qeframe
from qeframe.core.metric import segment_scores
from qeframe.kinds.texts.batch import Texts
from qeframe_gtm.matching import Blocks

MEASURES = {"precision": "gtm_precision", "recall": "gtm_recall", "f": "gtm_f"}


def test_every_number_of_every_case(cases_of):
    cases = cases_of("gtm")
    assert len(cases) == 16
    seen = 0
    for case in cases:
        candidates, references = zip(*case["input"]["pairs"], strict=True)
        strings = [" ".join(words) for words in candidates], [[" ".join(r) for r in rs] for rs in references]
        for name, expected in case["expected"]["value"].items():
            if name == "greedy_runs":
                continue
            exponent, matching = float(name.split()[0].removeprefix("e=")), "exact" if "exact" in name else "greedy"
            for key, measure in MEASURES.items():
                call = f"{measure}(exponent={exponent}, matching={matching})"
                wanted = pytest.approx(expected[key], abs=1e-12)
                assert qeframe.score(call, list(references), list(candidates)) == wanted, (case["id"], name)
                assert qeframe.score(call, strings[1], strings[0]) == wanted, (case["id"], name)
                seen += 1
    assert seen == 384


def test_the_runs_of_every_case_with_one_reference(cases_of):
    """Beginnings in the candidate and the reference, and lengths, in the order in which they are taken."""
    seen = 0
    for case in cases_of("gtm"):
        candidates, references = zip(*case["input"]["pairs"], strict=True)
        if any(len(of) > 1 for of in references):
            continue
        blocks = Blocks()(Texts.from_plain(list(references), list(candidates))).astype(int).tolist()
        for segment, wanted in enumerate(case["expected"]["value"]["greedy_runs"]):
            own = [tuple(block[1:]) for block in blocks if block[0] == segment]
            assert sorted(own, key=lambda b: (-b[2], -b[0], -b[1])) == list(map(tuple, wanted)), case["id"]
            seen += 1
    assert seen == 15


@pytest.fixture(scope="module")
def folder(shared_data):
    return shared_data("gtm-wmt16")


@pytest.fixture(scope="module")
def batch(folder):
    """The files were made from lower-cased texts with candidate and reference exchanged."""
    said, known = (
        (folder / f"{name}.tok").read_text(encoding="utf-8").splitlines() for name in ("reference", "candidate")
    )
    return Texts.from_plain(known, said)


@pytest.mark.parametrize("exponent", [1, 2, 3])
def test_every_line(folder, batch, named, exponent):
    wanted = np.loadtxt(folder / f"gtm-e{exponent}.scores")
    scores = segment_scores(named(f"gtm_f(exponent={exponent}, lowercase=true)"), batch)
    assert scores.shape == (2000,)
    np.testing.assert_allclose(scores, wanted, rtol=0, atol=1e-9)
