"""Translation systems that are ranked by annotations, and by automatic metrics."""

import json
from pathlib import Path

import numpy as np
import pytest

import qeframe
from qeframe_aggregations.aggregations import autorank
from qeframe_wmt.readers.metrics.translation_systems import automatic_scores, human_scores

FIRST = "A\t80\nA\tNone\nA\t60\nB\t70\nB\tNone\nB\tNone\n"
SECOND = "B\t50\nB\tNone\nB\t40\nA\tNone\nA\tNone\nA\t90\n"
FILES = {
    "en-de.h1.seg.score": FIRST,
    "en-de.h2.seg.score": SECOND,
    "documents/en-de.docs": "news d1\nnews d1\nspeech d2\n",
}


def answers(reader, path="."):
    return {
        task.name: {each.name: each.values.tolist() for each in task.submissions}
        for task in reader.read(Path(path), "high")
    }


def near(values):
    return pytest.approx(values, nan_ok=True)


@pytest.mark.parametrize("folder", ["", "human-scores/"])
def test_each_annotation_is_a_unit(tree, folder):
    tree({(name if "/" in name else folder + name): text for name, text in FILES.items()})
    (task,) = human_scores().read(Path(), "high")
    nan = np.nan
    assert {each.name: each.values.tolist() for each in task.submissions} == {
        "A": near([80, nan, 60, 90]),
        "B": near([70, 50, nan, 40]),
    }
    assert list(task.gold.names.values()) == ["1 h1", "1 h2", "3 h1", "3 h2"]
    assert task.groups["segment"] == ["1", "1", "3", "3"]
    assert task.groups["domain"] == ["news", "news", "speech", "speech"]
    assert [(each.count, each.what, each.reason) for each in task.dropped] == [(1, "segment", "not annotated")]


def test_means_of_segments_and_domains(tree):
    tree(FILES)
    assert answers(human_scores(annotations="mean")) == {"en-de": {"A": [80, 75], "B": [60, 40]}}
    assert answers(human_scores(annotations="mean", tasks="domain")) == {
        "en-de news": {"A": [80], "B": [60]},
        "en-de speech": {"A": [75], "B": [40]},
    }
    assert answers(human_scores(names=("h2",), references=("B",))) == {"en-de": {"A": [90]}}


def test_the_published_file_of_a_campaign(tree):
    texts = {"A": "x", "B": "y"}
    high, low, other = ({"score": score, "errors": []} for score in (80, 70, 50))
    lines = [
        {"doc_id": f"en-de_#_news_#_d_#_{n}", "src_text": "s", "tgt_text": texts, "scores": {"A": of_a, "B": of_a[:1]}}
        for n, of_a in enumerate([[high, low], [other]])
    ]
    tree({"humeval.jsonl": "".join(json.dumps(line) + "\n" for line in lines)})
    assert answers(human_scores(), "humeval.jsonl") == {"en-de": {"A": [80, 70, 50], "B": near([80, np.nan, 50])}}
    assert answers(human_scores(tasks="domain", annotations="mean"), "humeval.jsonl") == {
        "en-de news": {"A": [75, 50], "B": [80, 50]}
    }


OF_2025 = """
GPT4-5shot 1-4 90.702899 1|refA 1-4 90.374396 1|ONLINE-B 1-4 89.601449 1|ONLINE-W 1-4 89.384058 1
ONLINE-A 5-7 87.869565 2|ONLINE-Y 5-7 87.743961 2|ONLINE-M 5-7 87.130435 2|ONLINE-G 8-8 85.618357 3
Lan-BridgeMT 9-10 83.958937 3|ZengHuiMT 8-10 83.731884 3|NLLB_MBR_BLEU 11-12 72.210145 4|NLLB_Greedy 11-12 71.512077 4
AIRC 13-13 68.067633 5
"""


def ranked(found):
    return {each.name: (each.rank_range, each.scores["mean_rating"].value, each.cluster) for each in found.submissions}


def p_of(found, metric="p"):
    return {(each.a, each.b): getattr(each, metric) for each in found.comparisons}


def test_the_table_of_2025(shared_data):
    found = qeframe.evaluate("wmt25_human", shared_data("esa-2023"))
    rows = [row.split() for row in OF_2025.strip().replace("\n", "|").split("|")]
    expected = {
        name: (tuple(map(int, ends.split("-"))), pytest.approx(float(mean), abs=5e-7), int(cluster))
        for name, ends, mean, cluster in rows
    }
    assert ranked(found) == expected
    p = p_of(found)
    assert p["GPT4-5shot", "refA"] == pytest.approx(0.141255, abs=1e-6)
    assert p["ONLINE-W", "ONLINE-A"] == pytest.approx(0.000930384, abs=5e-10)
    assert p["ONLINE-M", "ONLINE-G"] == pytest.approx(0.0244826, abs=5e-8)
    assert p["ONLINE-G", "Lan-BridgeMT"] == pytest.approx(0.0249010, abs=5e-8)
    assert p["ONLINE-G", "ZengHuiMT"] == pytest.approx(0.0668099, abs=5e-8)
    assert p["NLLB_Greedy", "AIRC"] == pytest.approx(0.00750373, abs=5e-9)


def borders(found):
    return [
        each.rank
        for each, below in zip(found.submissions, found.submissions[1:], strict=False)
        if each.cluster != below.cluster
    ]


def test_the_mark_of_neighbors_of_2025(shared_data):
    found = qeframe.evaluate("wmt25_human", shared_data("esa-2023"), settings=["ranking=separated(by=adjacent)"])
    assert borders(found) == [4, 7, 8, 10, 12]


def test_the_table_of_2026(shared_data):
    found = qeframe.evaluate("wmt26_human", shared_data("esa-2023"))
    assert borders(found) == [10]
    assert {name: mean for name, (_, mean, _) in ranked(found).items()}["AIRC"] == pytest.approx(68.067633, abs=5e-7)
    p = p_of(found)
    assert p["ONLINE-W", "ONLINE-A"] == pytest.approx(0.0863302, abs=5e-8)
    assert p["NLLB_Greedy", "AIRC"] == pytest.approx(0.113872, abs=5e-7)
    by_neighbors = qeframe.evaluate("wmt26_human", shared_data("esa-2023"), settings=["ranking=separated(by=adjacent)"])
    assert borders(by_neighbors) == [10]


def test_domains_are_combined_as_in_2024(tree):
    rng = np.random.default_rng(1)
    scores = {name: rng.normal(mean, 8, 40).round(3) for name, mean in (("A", 80), ("B", 74), ("C", 73.5))}
    tree(
        {
            "en-hi.esa.seg.score": "".join(f"{name}\t{value:g}\n" for name, of in scores.items() for value in of),
            "documents/en-hi.docs": "news d\n" * 10 + "speech e\n" * 30,
        }
    )
    found = qeframe.evaluate("wmt24_human", ".")
    macro = {name: (of[:10].mean() + of[10:].mean()) / 2 for name, of in scores.items()}
    assert {name: value for name, (_, value, _) in ranked(found).items()} == pytest.approx(macro)
    from scipy import stats

    for (a, b), p in ((pair, p) for pair, p in p_of(found).items()):
        by_domain = [stats.wilcoxon(scores[a][part], scores[b][part]).pvalue for part in (slice(10), slice(10, 40))]
        whole = [each for each in found.comparisons if (each.a, each.b, each.task) == (a, b, "")]
        assert whole[0].p == pytest.approx(stats.combine_pvalues(by_domain, method="stouffer").pvalue, rel=1e-6), p


def line(document, pair="en-is_IS", **scores):
    return {"language_pair": pair, "domain": "news", "document_id": document, "metric_scores": scores}


def lines(*documents):
    return "".join(json.dumps(each) + "\n" for each in documents)


SCORED = {
    "A.jsonl": lines(line("d1", K=[0.5, 0.7], X=[-3, -1]), line("d2", K=[0.9], X=[-2])),
    "B.jsonl": lines(line("d1", K=[0.1, 0.2], X=[-1, -1]), line("d2", K=[0.3], X=[-1]), line("d1", "en-ar_EG", K=[1])),
    "C.jsonl": lines(line("d1", K=[0.4, 0.4])),
}


def test_each_metric_is_a_task(tree):
    tree(SCORED)
    tasks = automatic_scores(pair="en-is_IS").read(Path(), "high")
    assert [task.name for task in tasks] == ["K", "X"]
    answers = {each.name: each.values.tolist() for each in tasks[0].submissions}
    assert answers == {"A": [0.5, 0.7, 0.9], "B": [0.1, 0.2, 0.3], "C": pytest.approx([0.4, 0.4, np.nan], nan_ok=True)}
    assert list(tasks[0].gold.names.values()) == ["d1/1", "d1/2", "d2/1"]
    assert [each.name for each in tasks[1].submissions] == ["A", "B"]
    (other,) = automatic_scores(pair="en-ar_EG").read(Path(), "high")
    assert [each.name for each in other.submissions] == ["B"]


@pytest.mark.parametrize("scaling", ["interquantile", "range"])
def test_autorank_from_the_files(tree, scaling):
    tree({**SCORED, "C.jsonl": lines(line("d1", K=[0.4, 0.4], X=[-2.5, -2.5]))})
    rule = f"autorank(scaling={scaling})"
    found = qeframe.evaluate("wmt25_autorank", ".", settings=["pair=en-is_IS", f"across={rule}"])
    means = np.array([[0.7, -2], [0.2, -1], [0.4, -2.5]])
    expected = autorank(scaling=scaling).aggregate(means, np.ones(2), True)
    shown = {each.name: each.scores["mean_rating"].value for each in found.submissions}
    assert shown == pytest.approx(dict(zip("ABC", expected, strict=True)))
    assert list(shown) == sorted(shown, key=shown.__getitem__)


def test_null_scores_are_left_out_of_the_mean_of_their_system_and_counted(tree):
    tree({**SCORED, "C.jsonl": lines(line("d1", K=[0.4, None], X=[-2, -2]), line("d2", K=[None], X=[-2]))})
    found = qeframe.evaluate("wmt25_autorank", ".", settings=["pair=en-is_IS"])
    of_c = next(each for each in found.submissions if each.name == "C")
    assert of_c.scores["mean_rating"].tasks["K"].value == pytest.approx(0.4)
    assert [(note.task, note.count, note.reason) for note in found.dropped if note.what == "score"] == [
        ("K", 2, "null, left out of the mean of its system: C")
    ]
