"""TER as the correction task of 2025 computes it: the post-edit is the reference, the original the candidate."""

import pytest

from qeframe.plugin import Texts
from qeframe_texts import ter

SEVEN, EIGHT = "a b c d e f g", "h i j k l m n o"


@pytest.mark.parametrize(
    ("original", "corrected", "percent"),
    [
        ([SEVEN, EIGHT], [SEVEN, EIGHT], 0),
        ([SEVEN, EIGHT], [SEVEN.replace("c", "x"), EIGHT], 100 / 15),
        ([SEVEN], ["p q r s t u v"], 100),
        (["今天天气很好"], ["今天天气真好"], 100),
        (["今天天气很好", "我们走吧"], ["今天天气真好", "我们走吧"], 50),
        ([SEVEN], [f"{SEVEN} {' '.join(f'w{n}' for n in range(93))}"], 99),
        ([SEVEN], ["a"], 600),
    ],
    ids=["identical", "one word", "all words", "a character", "a character of two", "appended", "cut"],
)
def test_edits_per_word_of_the_post_edit(original, corrected, percent):
    metric = ter()
    batch = Texts.from_plain(corrected, original)
    assert float(metric.bind(batch)([1.0] * len(original))) == pytest.approx(percent)
