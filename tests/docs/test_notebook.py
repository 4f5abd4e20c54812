"""The how-to that is a notebook: its cells show what is stored, and become Markdown with it."""

import base64
import io
import json
import os
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to" / "evaluate-in-a-notebook.ipynb"


@pytest.fixture(scope="module")
def runner(extensions):
    return extensions("notebook_cells")


@pytest.fixture(scope="module")
def cells(runner):
    return runner.cells_of(PAGE.read_text(encoding="utf-8"))


def of(cells, beginning):
    (outputs,) = [cell.outputs for cell in cells if cell.source.startswith(beginning)]
    return outputs


def test_the_stored_outputs_say_what_the_page_says(cells):
    kinds = [output.kind for cell in cells for output in cell.outputs]
    assert (kinds.count("png"), kinds.count("text")) == (2, 3)
    (table,) = of(cells, "submissions = [")
    assert table.content.index("Aster") < table.content.index("Birch") < table.content.index("Dune")
    (intervals,) = of(cells, "gold, birch")
    (alone, of_documents) = ([float(x) for x in line.split()[::2]] for line in intervals.content.splitlines())
    assert alone[0] == of_documents[0]
    (scores,) = of(cells, "shuffled")
    in_order, other_order = map(float, scores.content.split())
    assert in_order == other_order
    (refused,) = of(cells, "try:")
    assert refused.content.startswith("the index of the gold has the label 300, that of submission")


@pytest.mark.slow
@pytest.mark.newest  # other versions of pandas and matplotlib show frames and figures with other details
def test_the_cells_show_what_is_stored(runner, cells):
    """QEFRAME_SNAPSHOTS=write stores the outputs anew."""
    if os.environ.get("QEFRAME_SNAPSHOTS") == "write":
        PAGE.write_text(runner.with_outputs(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
        return
    for cell, outputs in runner.run_cells(cells):
        assert [output.kind for output in outputs] == [output.kind for output in cell.outputs], cell.source
        for shown, stored in zip(outputs, cell.outputs, strict=True):
            if shown.kind == "png":
                drawn, picture = pixels(shown.content), pixels(stored.content)
                assert drawn.shape == picture.shape
                assert abs(drawn - picture).mean() < 0.01, cell.source
            else:
                assert shown.content == stored.content, cell.source


def pixels(content):
    return pytest.importorskip("matplotlib.image").imread(io.BytesIO(base64.b64decode(content)), format="png")


def test_pictures_have_words(cells):
    assert all(cell.alt for cell in cells if "plot(" in cell.source and cell.kind == "code")


def test_links_of_the_notebook_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).exists(), target


def test_cells_become_markdown_with_their_stored_outputs(runner):
    codes = {
        "x = 3\nprint('a```b')\nx": "",
        "class Bold:\n    def _repr_html_(self): return '<b>x</b>'\nBold()": "",
        "class Picture:\n    def _repr_png_(self): return b'p'\nPicture()": 'say "p"',
        "y = x + 1; None": "",
    }
    cells = [{"cell_type": "markdown", "source": ["# A title"], "metadata": {}}]
    cells += [{"cell_type": "code", "source": [code], "metadata": {"alt": alt}} for code, alt in codes.items()]
    stored = runner.with_outputs(json.dumps({"cells": cells}))
    assert runner.with_outputs(stored) == stored
    text = runner.markdown_of(runner.cells_of(stored))
    assert text.startswith("# A title\n\n````python\nx = 3\nprint('a```b')\nx\n````\n\n")
    assert "````text\na```b\n````\n\n````text\n3\n````\n" in text
    assert '````{raw} html\n<div class="output">\n<b>x</b>\n</div>\n````' in text
    assert '<img src="data:image/png;base64,cA==" alt="say &quot;p&quot;">' in text
    assert text.endswith("````python\ny = x + 1; None\n````\n")


def test_a_failing_cell_is_named(runner):
    with pytest.raises(ZeroDivisionError) as raised:
        list(runner.run_cells([runner.Cell("code", "1"), runner.Cell("code", "1 / 0")]))
    assert raised.traceback[-1].path == "cell 2" or "cell 2" in str(raised.traceback[-1].path)
