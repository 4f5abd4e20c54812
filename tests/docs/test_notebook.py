"""The how-to that is a notebook: its cells run, show what the page says, and become Markdown."""

import base64
import json
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "how-to" / "evaluate-in-a-notebook.ipynb"


@pytest.fixture(scope="module")
def runner(extensions):
    return extensions("notebook_cells")


@pytest.fixture(scope="module")
def shown(runner):
    """Run the notebook; return what each cell shows, by the beginning of its source."""
    cells = runner.cells_of(PAGE.read_text(encoding="utf-8"))
    return {cell.source: outputs for cell, outputs in runner.run_cells(cells)}


def of(shown, beginning):
    (outputs,) = [outputs for source, outputs in shown.items() if source.startswith(beginning)]
    return outputs


@pytest.mark.slow
def test_every_cell_shows_what_the_page_says(shown):
    kinds = [output.kind for outputs in shown.values() for output in outputs]
    assert (kinds.count("png"), kinds.count("text")) == (2, 3)
    (table,) = of(shown, "submissions = [")
    assert table.content.index("Aster") < table.content.index("Birch") < table.content.index("Dune")
    (figure,) = of(shown, "evaluation.plot()")
    assert base64.b64decode(figure.content).startswith(b"\x89PNG")
    (intervals,) = of(shown, "gold, birch")
    (alone, of_documents) = ([float(x) for x in line.split()[::2]] for line in intervals.content.splitlines())
    assert alone[0] == of_documents[0]
    (scores,) = of(shown, "shuffled")
    in_order, other_order = map(float, scores.content.split())
    assert in_order == other_order
    (refused,) = of(shown, "try:")
    assert refused.content.startswith("the index of the gold has the label 300, that of submission")


def test_no_output_is_stored_and_pictures_have_words():
    notebook = json.loads(PAGE.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        if "plot(" in "".join(cell["source"]) and cell["cell_type"] == "code":
            assert cell["metadata"]["alt"]


def test_links_of_the_notebook_lead_somewhere():
    for target in re.findall(r"\]\(([^)#]+)\)", PAGE.read_text(encoding="utf-8")):
        assert (PAGE.parent / target).exists(), target


def test_cells_become_markdown(runner):
    cells = [
        runner.Cell("markdown", "# A title"),
        runner.Cell("code", "x = 3\nprint('a```b')\nx"),
        runner.Cell("code", "class Bold:\n    def _repr_html_(self): return '<b>x</b>'\nBold()"),
        runner.Cell("code", "class Picture:\n    def _repr_png_(self): return b'p'\nPicture()", 'say "p"'),
        runner.Cell("code", "y = x + 1; None"),
    ]
    text = runner.markdown_of(cells)
    assert text.startswith("# A title\n\n````python\nx = 3\nprint('a```b')\nx\n````\n\n")
    assert "````text\na```b\n````\n\n````text\n3\n````\n" in text
    assert '````{raw} html\n<div class="output">\n<b>x</b>\n</div>\n````' in text
    assert '<img src="data:image/png;base64,cA==" alt="say &quot;p&quot;">' in text
    assert text.endswith("````python\ny = x + 1; None\n````\n")


def test_a_failing_cell_is_named(runner):
    with pytest.raises(ZeroDivisionError) as raised:
        list(runner.run_cells([runner.Cell("code", "1"), runner.Cell("code", "1 / 0")]))
    assert raised.traceback[-1].path == "cell 2" or "cell 2" in str(raised.traceback[-1].path)
