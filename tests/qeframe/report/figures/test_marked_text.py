"""The picture of spans: bars above and below the text, at the places of their characters."""

from xml.etree import ElementTree

import numpy as np

from qeframe.kinds.spans import Spans
from qeframe.report.figures.marked_text import marks_svg
from qeframe.report.figures.style import BLUE, GOLD
from qeframe.report.tables.marked_text import marked_text

SPACE = "{http://www.w3.org/2000/svg}"


def picture(gold, predicted, text, **declared):
    batch = Spans.from_plain([gold], [predicted], text=[text], **declared)
    return ElementTree.fromstring(marks_svg([("a <title>", marked_text(batch, 0, "ours & theirs"))]))


def bars(svg, color):
    return [
        each
        for each in svg.iter(f"{SPACE}rect")
        if each.get("fill") == color and each.find(f"{SPACE}title") is not None
    ]


def test_bars_are_above_and_below_their_characters():
    svg = picture([(1, 3, "minor")], [(1, 3, "critical", "style")], "abcd")
    (above,), (below,) = bars(svg, BLUE), bars(svg, GOLD)
    letters = {each.text: each for each in svg.iter(f"{SPACE}text")}
    assert float(above.get("x")) == float(below.get("x")) == float(letters["b"].get("x")) + 0.5
    assert float(above.get("y")) < float(letters["b"].get("y")) < float(below.get("y"))
    assert float(above.get("height")) < float(below.get("height"))
    assert below.get("stroke") is not None
    assert above.get("stroke") is None
    assert below.find(f"{SPACE}title").text == "1-3 critical style"
    assert {"a <title>", "below: ours & theirs"} <= letters.keys()


def test_a_long_text_is_cut_at_a_blank():
    svg = picture([(80, 100, "major")], [(3, 3, "minor")], "word " * 30)
    first, second = bars(svg, BLUE)
    assert float(first.get("y")) < float(second.get("y"))
    assert float(second.get("x")) == 16.5
    assert len([each for each in svg.iter(f"{SPACE}polygon") if each.find(f"{SPACE}title") is not None]) == 1


def test_an_empty_and_an_unknown_text():
    assert not bars(picture([(0, 0, "minor")], [], ""), BLUE)
    assert len(bars(picture([(0, 2, "minor")], [], 4, omission=(["minor"], [None])), BLUE)) == 1
    assert marks_svg([]).startswith(b"<?xml")


def test_marks_of_combined_characters_stay_together():
    svg = picture([(0, 2, "minor")], [], "e\u0301a")
    assert "e\u0301" in [each.text for each in svg.iter(f"{SPACE}text")]
    assert np.isclose(float(bars(svg, BLUE)[0].get("width")), 8)


def test_the_legend_explains_what_is_drawn_and_nothing_else():
    def legend(svg):
        return {each.text for each in svg.iter(f"{SPACE}text")} & {"minor", "major", "critical", "empty span"}

    assert legend(picture([(1, 3, "minor")], [(1, 3, "minor")], "abcd")) == {"minor"}
    assert legend(picture([(1, 3, "major")], [(2, 2, "minor")], "abcd")) == {"major", "empty span"}
    assert legend(picture([(1, 3, "critical")], [], "abcd")) == {"critical"}


def test_a_long_title_has_lines_that_fit():
    title = "en-de_CH, segment doc-1#2: " + ", ".join(f"metric_with_a_name_{n} 0.123" for n in range(8))
    batch = Spans.from_plain([[(0, 1, "minor")]], [[]], text=["ab"])
    svg = ElementTree.fromstring(marks_svg([(title, marked_text(batch, 0, "ours"))]))
    lines = [each.text for each in svg.iter(f"{SPACE}text") if each.get("font-weight") == "bold"]
    assert " ".join(lines) == title
    assert len(lines) == 3
    width = float(svg.get("width"))
    assert all(16 + 13 * 0.61 * len(line) <= width for line in lines), "0.61: the width of a letter to its height"
