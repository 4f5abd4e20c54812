"""Tags of words from the repository of 2022."""

from pathlib import Path

import pytest

import qeframe
from qeframe.core.components.parametric import Parametric
from qeframe_wmt import word_columns_2020

READER = Parametric(word_columns_2020)
GOLD = "r/test_data-gold_labels/task1_word-level/en-cs"
SUBMITTED = "r/official_submissions/task1_word-level"


def rows(*tags, pair="en-cs"):
    return "".join(
        f"{pair}\tmodel\tMT\t{i}\t{k}\t{word}\t{tag}\n"
        for i, sentence in enumerate(tags)
        for k, (word, tag) in enumerate(zip(["a", "b", "<EOS>"], sentence.split(), strict=True))
    )


TAGS = ("OK BAD OK", "OK OK BAD")
A = f"{SUBMITTED}/en-cs/Team A  - 2 submission/predictions.txt"
FILES = {
    f"{GOLD}/test.2022.en-cs.tags": "\n".join(TAGS) + "\n",
    f"{GOLD}/test2022.mt_tok": "a b <EOS>\na b <EOS>\n",
    A: "300\n20\n1\n" + rows(*TAGS),
    f"{SUBMITTED}/en-cs/B - 1 submission/predictions.txt": "100\n20\n1\n" + rows("OK OK OK", "OK OK BAD"),
    f"{SUBMITTED}/multilingual/.DS_Store": "x",
}


def read(**parameters):
    return READER(published="task1_word-level", **parameters).read(Path("r"), "low")


def test_pairs(tree):
    tree(FILES)
    (reading,) = read()
    assert (reading.name, [each.name for each in reading.submissions]) == ("en-cs", ["B", "A"])
    assert reading.submissions[1].stated == {"disk_footprint": 300, "parameters": 20, "ensemble_size": 1}
    assert [put.path.rpartition("/")[2] for put in reading.inputs][-1] == "test2022.mt_tok"


def test_the_average_rank(tree):
    tree(FILES)
    found = qeframe.evaluate("wmt22_qe_word", "r", settings=("test=", "interval="))
    ranks = {each.name: each.scores["average_rank"].value for each in found.submissions}
    assert ranks == {"A": pytest.approx((1 + 1 + 1 + 2 + 1.5) / 5), "B": pytest.approx((2 + 2 + 2 + 1 + 1.5) / 5)}
    assert found.metrics[-1] == "average_rank"
    assert not found.higher_is_better["average_rank"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (A, "1\n1\n1\n" + rows(*TAGS, pair="en-ja"), f"{A}:4: LP 'en-ja' in a folder named en-cs"),
        (A, "1\n1\n1\n" + rows(*TAGS).replace("\tb\t", "\tc\t", 1), f"{A}:5: word 'c', but 'b' expected"),
        (A, "1\n1\n1\n" + rows(*TAGS).replace("BAD", "FINE", 1), f"{A}:5: unknown tag 'FINE'"),
        (A, "1\n1\n1\n" + rows(*TAGS).replace("\t1\tb", "\t7\tb", 1), f"{A}:5: word index 7 in sentence 0"),
        (A, rows(*TAGS), f"{A}:1: "),
        (f"{GOLD}/test2022.mt_tok", "a b <EOS>\n", f"{GOLD}/test2022.mt_tok:1: 1 line for 2 sentences"),
        (f"{GOLD}/test.2022.en-cs.tags", "OK OK\nOK OK BAD\n", f"{GOLD}/test2022.mt_tok:1: 3 tokens, 2 expected"),
    ],
)
def test_broken_files(tree, refusal, name, text, message):
    tree({**FILES, name: text})
    assert refusal(READER(published="task1_word-level"), "r").startswith(message)


def test_nothing_that_can_be_scored(tree, refusal):
    tree({name: text for name, text in FILES.items() if name.startswith(GOLD)})
    Path(SUBMITTED).mkdir(parents=True)
    message = "r: no language pair of task1_word-level has gold and submissions"
    assert refusal(READER(published="task1_word-level"), "r").startswith(message)
