"""Pages of tables."""

from qeframe.report.html.tables_page import PageFigure, tables_page
from qeframe.report.layouts.table import Cell, Column, Table

EVIL = "<img src=x onerror=alert(1)>"


def table(title="T", rows=2):
    columns = (Column("name", "left", key=True), Column("", "center"), Column(EVIL))
    cells = tuple((Cell(f"row {i}"), Cell("•"), Cell("0.5", strong=True)) for i in range(rows))
    return Table(title=title, columns=columns, rows=cells, notes=(EVIL,), strong_means="best")


def test_a_page_has_a_section_for_each_table():
    text = tables_page("Title", [table("One"), table("Two", 20)], introduction="Words.", command="qeframe x")
    assert "<h1>Title</h1>" in text
    assert text.count("<h2>One</h2>") == text.count("<h2>Two</h2>") == 1
    assert text.count('<input type="search"') == 1
    assert text.count('<th scope="row"') == 22
    assert "<strong>0.5</strong>" in text
    assert "<strong>Bold</strong>: best" in text
    assert "qeframe x" in text


def test_texts_of_tables_are_escaped():
    text = tables_page(EVIL, [table(EVIL)], notes=[EVIL], listed=[EVIL], warnings=[EVIL], command=EVIL)
    assert "<img" not in text
    assert "&lt;img" in text


def test_figures_are_images_with_a_text_and_run_nothing():
    evil = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    text = tables_page("T", [], figures=[PageFigure(evil, "A map of <all>")])
    assert 'alt="A map of &lt;all&gt;"' in text
    assert "data:image/svg+xml;base64," in text
    assert "alert" not in text
