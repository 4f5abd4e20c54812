"""The numbers of docs/how-to/reproduce-turian-2003.md."""

import re
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe.core.metric import Metric, segment_scores
from qeframe.core.reader import Reader
from qeframe.kinds.texts.batch import Texts
from qeframe.studies import correlate_task
from qeframe_gtm.matching import Blocks, matching_sizes

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "reproduce-turian-2003.md"


def rows_of(heading):
    """Return the table below a heading of the page: numbers by the name in the first column."""
    part = PAGE.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `?([^|`]+?)`? \| (.+) \|$", part, flags=re.MULTILINE)
    return {name: cells.split(" | ") for name, cells in rows}


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


@pytest.fixture(scope="module")
def estonian(shared_data):
    folder = shared_data("mlqe-pe-multiref")
    references = list(zip(lines(folder / "ref-1.en"), lines(folder / "ref-2.en"), strict=True))
    candidates = lines(folder / "mt.en")
    batches = {n: Texts.from_plain([list(of[:n]) for of in references], candidates) for n in (1, 2)}
    return np.loadtxt(folder / "DA-z.scores"), batches


def test_the_grid_of_the_page(capsys):
    from qeframe.cli import main

    main(["grid", "--text", "D A B C D X B F G", "A B C D E B F G"])
    assert f"```\n{capsys.readouterr().out}```" in PAGE.read_text(encoding="utf-8")


def test_the_python_of_the_page(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    exec(code)
    size = np.sqrt(2**2 + 1**2) + np.sqrt(2)
    assert float(capsys.readouterr().out) == pytest.approx(2 * size / (6 + 3.5 + 2))


@pytest.mark.slow
def test_a_second_reference_and_williams(estonian, registry):
    human, batches = estonian
    table = rows_of("A second reference")
    del table["metric"]
    scores = {
        (name, n): segment_scores(registry.get(Metric, name), batch) for name in table for n, batch in batches.items()
    }
    for (name, n), values in scores.items():
        assert qeframe.score("pearson", human, values) == pytest.approx(float(table[name][n - 1]), abs=0.0005), name
    submissions = {f"{name}/{n}": values for (name, n), values in scores.items()}
    pairs = qeframe.compare("pearson", human, submissions, test="williams")
    assert len(pairs) == 28
    adjusted = {frozenset((pair.a, pair.b)): pair.p_adjusted for pair in pairs}
    others = [name for name in table if name != "chrf"]
    assert max(adjusted[frozenset((f"{name}/1", f"{name}/2"))] for name in table) == pytest.approx(0.0156, abs=5e-5)
    assert max(adjusted[frozenset((f"chrf/{n}", f"{name}/{n}"))] for name in others for n in (1, 2)) < 0.02
    for n in (1, 2):
        for a, b in ((0, 1), (0, 2), (1, 2)):
            assert adjusted[frozenset((f"{others[a]}/{n}", f"{others[b]}/{n}"))] > 0.5


def test_greedy_against_exact_on_real_segments(estonian, shared_data):
    files = (shared_data("gtm-wmt16") / f"{name}.tok" for name in ("reference", "candidate"))
    said, known = ([line.lower() for line in lines(file)] for file in files)
    for batch, smaller, worst in ((Texts.from_plain(known, said), 3, 0.967), (estonian[1][2], 3, 0.933)):
        greedy, exact = (matching_sizes(blocks(batch), len(batch), 2.0) for blocks in (Blocks(), Blocks(2.0, 10_000)))
        ratio = greedy[exact > 0] / exact[exact > 0]
        assert (ratio < 1 - 1e-12).sum() == smaller
        assert ratio.min() == pytest.approx(worst, abs=0.0005)


@pytest.fixture(scope="module")
def czech(shared_data, registry):
    readings = registry.get(Reader, "rankings").read(shared_data("wmt12-metrics"), "high")
    return next(reading for reading in readings if reading.name == "cs-en")


@pytest.mark.slow
def test_agreement_with_judges(czech, registry):
    table = {name: [float(cell) for cell in cells] for name, cells in rows_of("How long must a text be?").items()}
    sizes = [int(size) for size in table.pop("n")]
    names = list(table)[:-1]
    exponents, rest = names[:2], names[2:]
    curves = correlate_task(czech, [registry.get(Metric, name) for name in exponents], sizes)
    for curve in curves:
        assert curve.mean == pytest.approx(table[curve.name], abs=0.0005), curve.name
    assert curves[0].undefined[0] == pytest.approx(0.021, abs=0.0005)
    some = [1, 20]
    for curve in correlate_task(czech, [registry.get(Metric, name) for name in rest], some):
        assert curve.mean == pytest.approx([table[curve.name][sizes.index(n)] for n in some], abs=0.0005), curve.name


def test_single_translations_between_judges(czech):
    (looks,) = czech.assessments
    z, (first, second) = looks.standardized(), looks.pairs()
    both = np.isfinite(z[first]) & np.isfinite(z[second])
    one, other = z[first][both], z[second][both]
    r = np.corrcoef(np.concatenate([one, other]), np.concatenate([other, one]))[0, 1]
    assert (len(one), r) == (1821, pytest.approx(0.381, abs=0.0005))
