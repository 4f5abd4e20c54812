"""Decided pairs of translations."""

from pathlib import Path

from qeframe.core.task import Dropped
from qeframe.data.align import align
from qeframe.data.translations import read_texts
from qeframe_wmt import decided_pairs

PAIRS = "2\tfr-en\tsys2\tfr-en\tsys1\n1\tfr-en\tsys1\tfr-en\tsys3\n2\tfr-en\tsys2\tfr-en\tsys1\n"
NAMES = "year\tlp\tsys\tsystem_output_file\tmatching_lines\tlines\n" + "".join(
    f"14\tfr-en\tsys{n}\tnewstest2014.{name}.fr-en\t1\t2\n" for n, name in enumerate(("kit.3", "onlineA.0", "x.y"), 1)
)
SGML = '<refset>\n<doc docid="any">\n<seg id="1"> {0} &quot;one&quot; </seg>\n<seg id="2">{0} two</seg>\n</doc>\n'
TEXTS = {f"t/fr-en/fr-en.{name}.sgm": SGML.format(name) for name in ("ref", "sys1", "sys2", "sys3")}


def read(path="t", **parameters):
    return decided_pairs(**parameters).read(Path(path), "high")


def test_pairs_and_texts(tree):
    tree({"t/fr-en/decided_pairs.tsv": PAIRS, "t/system_names.tsv": NAMES, **TEXTS})
    (reading,) = read()
    assert (reading.gold.values[:, 0].tolist(), reading.groups) == ([1, 1, 1], {"segment": ["2", "1", "2"]})
    assert reading.counts == {"systems": 3, "segments": 2, "decided": 3, "tied": 0}
    assert [put.path for put in reading.inputs] == ["system_names.tsv", "fr-en/decided_pairs.tsv"]
    assert list(reading.texts.systems) == ["onlineA.0", "kit.3", "x.y"]
    texts = read_texts(reading.texts)
    assert texts.systems["kit.3"] == ['sys1 "one"', "sys1 two"]
    assert texts.references == [['ref "one"', "ref two"]]
    assert align(reading).units == 3


def test_one_language_pair_alone_with_scores(tree):
    scores = "".join(
        f"M fr-en newstest2014 {s} {n} {v}\n" for v, s in enumerate(("kit.3", "onlineA.0", "x.y")) for n in (1, 2)
    )
    tree({"t/fr-en/decided_pairs.tsv": PAIRS, "t/system_names.tsv": NAMES, "t/fr-en/scores/m": scores})
    (reading,) = read("t/fr-en")
    assert reading.texts is None
    assert reading.submissions[0].values.tolist() == [[1, 0], [0, 2], [1, 0]]


def test_scores_of_systems(tree):
    scores = "".join(f"M fr-en newstest2014 {s} {v}\n" for v, s in enumerate(("kit.3", "onlineA.0", "x.y")))
    tree({"t/fr-en/decided_pairs.tsv": PAIRS, "t/system_names.tsv": NAMES, "t/scores/m.sys.scr": scores, **TEXTS})
    (reading,) = read(level="sys")
    assert reading.submissions[0].values.tolist() == [[1, 0], [0, 2], [1, 0]]
    assert reading.texts.whole
    assert not read()[0].texts.whole


def test_scores_of_another_language_pair_or_level_are_counted(tree):
    tree({"t/fr-en/decided_pairs.tsv": PAIRS, "t/scores/m": "M de-en t A 1 2\n", "t/scores/n.sys.scr": "not read\n"})
    (reading,) = read()
    unjudged = Dropped("de-en", "submission", 1, "no judgments: M")
    assert reading.dropped == (unjudged, Dropped("fr-en", "file", 1, "no segment scores: n.sys.scr"))


def test_wmt14(shared_data):
    readings = read(shared_data("wmt14-metrics"))
    assert {each.name: (each.counts["decided"], each.counts["systems"]) for each in readings} == {
        "cs-en": (15_732, 5),
        "fr-en": (19_620, 8),
    }
    for reading in readings:
        texts = read_texts(reading.texts)
        assert {len(texts.references[0]), *map(len, texts.systems.values())} == {3003}
