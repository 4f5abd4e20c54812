"""The test suite of the General Text Matcher 1.4: every segment and document score of its cases."""

import re
from pathlib import Path

import numpy as np
import pytest

from qeframe.core.statistic import Additive, by_group
from qeframe.data.sgml import read_marked
from qeframe.data.text_lines import read_text_lines
from qeframe.kinds.texts.batch import Texts
from qeframe_gtm.measures import f_of_sizes, gtm_f, precision_of_sizes, recall_of_sizes

CASES = [f"test{number:02}" for number in range(60)]
SCORE = re.compile(r"(sampledoc-\d+) (?:(\d+) )?([\d.E-]+)")
QUANTITY = re.compile(r"\s+(?:total |document |segment )?(.+?) = ([\d.E-]+)")
COLUMNS = {
    "(maximum matching)^(1/exponent)": lambda sums: sums[..., 0],
    "length of test segment": lambda sums: sums[..., 1],
    "length of test segments": lambda sums: sums[..., 1],
    "mean length of reference segments": lambda sums: sums[..., 2],
    "precision": precision_of_sizes,
    "recall": recall_of_sizes,
    "f-measure": f_of_sizes,
}


class Options:
    """What a line of options asks for: later ones win, the first file is the candidate."""

    def __init__(self, words):
        self.exponent, self.segments, self.documents, self.verbose, self.files = 1.0, False, True, False, []
        words = iter(words)
        for word in words:
            match word:
                case "-e":
                    self.exponent = float(next(words))
                case "+s" | "--scoresegs" | "-s" | "--noscoresegs":
                    self.segments = word in ("+s", "--scoresegs")
                case "+d" | "--scoredocs" | "-d" | "--noscoredocs":
                    self.documents = word in ("+d", "--scoredocs")
                case "-v":
                    self.verbose = True
                case _:
                    self.files.append(word)


@pytest.fixture(scope="module")
def suite(shared_data):
    folder = shared_data("gtm-1.4")
    lines = (folder / "options.txt").read_text(encoding="utf-8").splitlines()
    return folder, {name: Options(words) for name, *words in map(str.split, lines)}


def sums_of(folder: Path, options: Options):
    """Return the size and lengths of each segment and document, by document and number of the segment."""
    candidate, *references = (read_marked(read_text_lines(folder / name)) for name in options.files)
    assert all(reference.sizes == candidate.sizes for reference in references)
    batch = Texts.from_plain(list(map(list, zip(*(of.texts for of in references), strict=True))), candidate.texts)
    rows = gtm_f(exponent=options.exponent).bind(batch).rows
    names, document = np.unique(candidate.documents, return_inverse=True)
    number = [candidate.documents[: i + 1].count(name) for i, name in enumerate(candidate.documents)]
    segments = {(name, nth): row for name, nth, row in zip(candidate.documents, number, rows, strict=True)}
    whole = by_group(Additive(rows, f_of_sizes), document, len(names), "document").rows
    return segments, dict(zip(names.tolist(), whole, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_every_score(suite, name):
    folder, cases = suite
    options = cases[name]
    segments, documents = sums_of(folder, options)
    seen = {"segments": 0, "documents": 0, "quantities": 0}
    row = None
    for line in (folder / "expected" / f"{name}.out").read_text(encoding="utf-8").splitlines():
        if found := SCORE.fullmatch(line):
            document, number, value = found.groups()
            row = segments[document, int(number)] if number else documents[document]
            assert f_of_sizes(row) == pytest.approx(float(value), abs=1e-9), line
            seen["segments" if number else "documents"] += 1
        elif row is not None and (found := QUANTITY.fullmatch(line)) and found[1] in COLUMNS:
            assert COLUMNS[found[1]](row) == pytest.approx(float(found[2]), abs=1e-9), line
            seen["quantities"] += 1
    assert seen["segments"] == (len(segments) if options.segments else 0)
    assert seen["documents"] == (len(documents) if options.documents else 0)
    assert seen["quantities"] == (6 * (seen["segments"] + seen["documents"]) if options.verbose else 0)


def test_how_many_scores_there_are(suite):
    """None is passed over: the suite covers one to six references, exponents up to 9.9 and one below 1."""
    _, cases = suite
    assert list(cases) == CASES
    assert sum(options.segments for options in cases.values()) == 25
    assert sum(options.documents for options in cases.values()) == 42
    assert {len(options.files) - 1 for options in cases.values()} >= {1, 2, 3, 4, 5}
    assert sum(options.exponent < 1 for options in cases.values()) == 1
