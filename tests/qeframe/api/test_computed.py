"""Metrics on the texts of a task: where their scores are, at both levels, and what goes wrong."""

from pathlib import Path

import attrs
import numpy as np
import pytest

import qeframe
from qeframe import Submission, align, choose_profile, enter_attacks, read_tasks
from qeframe.api import computed
from qeframe.api.computed import add_computed_metrics
from qeframe.core.metric import Attack
from qeframe.data.reading import Reading, TextFiles, UnitValues
from qeframe.plugin import DataError, Grid, Judgments, Metric, additive

TEXTS = {
    "ref": "the cat sat\non the mat\nin the sun\n",
    "A": "the cat sat\non a mat\nin sun\n",
    "B": "a dog sat\non the mat\n\n",
    "C": "the cat\nmat the on\nin the sun all day\n",
}


@pytest.fixture
def files(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def reading(files: Path, *, kind=Judgments, submissions=(), whole=False) -> Reading:
    segments, sides = np.array([3, 1, 1, 2]), np.array([[0, 1], [2, 0], [0, 2], [1, 2]])
    judged = kind is Judgments
    return Reading(
        name="cs-en",
        kind=kind,
        gold=UnitValues(name="gold", ids=np.arange(4), values=np.array([1, -1, 0, 1]) if judged else np.ones((4, 3))),
        submissions=submissions,
        texts=TextFiles(
            pair="cs-en", systems={name: files / name for name in "ABC"}, references=(files / "ref",),
            segments=segments, left_right=sides if judged else None, root=files, whole=whole,
        ),
        may_be_unanswered=True,
    )  # fmt: skip


def length(batch) -> np.ndarray:
    return np.array([[1.0, len(text.split())] for text in batch.predicted]).reshape(-1, 2)


def words(name="words", **more) -> Metric:
    """The mean number of words of the candidates."""
    bind = additive(columns=("n", "words"), extract=length, score=lambda sums: sums[..., 1] / sums[..., 0])
    return Metric(name=name, summary="", kind=qeframe.kinds.texts.batch.Texts, bind=bind, **more)


def test_scores_stand_where_the_judgments_are(files):
    given = UnitValues(name="M", ids=np.arange(4), values=np.zeros((4, 2)))
    found = add_computed_metrics(reading(files, submissions=(given,)), [words()])
    assert [side.name for side in found.submissions] == ["M", "words"]
    assert found.submissions[1].values.tolist() == [[2, 0], [2, 3], [3, 2], [3, 3]]
    assert [put.path for put in found.inputs] == ["ref", "A", "B", "C"]
    assert found.versions == {}
    task = align(found, baselines=["words"])
    assert list(task.batches) == [Submission("M"), Submission("words", "baseline")]


def test_a_grid_has_all_systems_and_lower_is_turned(files):
    found = add_computed_metrics(reading(files, kind=Grid), [words(higher_is_better=False)])
    expected = [[-2, 0, -5], [-3, -3, -2], [-3, -3, -2], [-3, -3, -3]]
    assert found.submissions[0].values.tolist() == expected


def test_at_system_level_a_system_has_the_score_of_all_its_translations(files, registry):
    names = ["bleu", "wer"]
    found = add_computed_metrics(reading(files, whole=True), [registry.get(Metric, name) for name in names])
    texts = {name: (TEXTS[name].removesuffix("\n")).split("\n") for name in TEXTS}
    for name, side, sign in zip(names, found.submissions, (1, -1), strict=True):
        of = [sign * qeframe.score(name, texts["ref"], texts[system]) for system in "ABC"]
        assert side.values.tolist() == [[of[0], of[1]], [of[2], of[0]], [of[0], of[2]], [of[1], of[2]]]


@pytest.mark.parametrize("block", [1, 2, 100])
def test_blocks_do_not_matter(files, registry, block, monkeypatch):
    metrics = [registry.get(Metric, name) for name in ("sentence_bleu", "chrf", "ter", "wer", "nist")]
    expected = add_computed_metrics(reading(files), metrics)
    monkeypatch.setattr(computed, "_BLOCK", block)
    found = add_computed_metrics(reading(files), metrics)
    for one, other in zip(found.submissions, expected.submissions, strict=True):
        np.testing.assert_array_equal(one.values, other.values)
    scores = {side.name: side.values for side in found.submissions}
    truth, of_a, of_b = (TEXTS[name].splitlines()[2:] for name in ("ref", "A", "B"))
    for name in ("sentence_bleu", "chrf"):
        assert scores[name][0].tolist() == [qeframe.score(name, truth, of) for of in (of_a, of_b)]
    assert scores["wer"][0].tolist() == [-qeframe.score("wer", truth, of) for of in (of_a, of_b)]


def test_versions_are_told(files, registry):
    metrics = [registry.get(Metric, name) for name in ("sentence_bleu", "wer")]
    found = align(add_computed_metrics(reading(files), metrics))
    assert list(found.versions) == ["sentence_bleu"]
    assert found.versions["sentence_bleu"].startswith(
        "sacrebleu nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:"
    )
    result = qeframe.evaluate("wmt12_metrics_segment", found)
    assert result.signature.versions["sentence_bleu"] == found.versions["sentence_bleu"]


def test_nothing_to_compute(files):
    plain = reading(files)
    assert add_computed_metrics(plain, []) is plain


def test_an_undefined_score(files):
    def broken(batch):
        return np.where(length(batch) == 0, np.nan, length(batch))

    bind = additive(columns=("n", "words"), extract=broken, score=lambda sums: sums[..., 1] / sums[..., 0])
    metric = Metric(name="m", summary="", kind=qeframe.kinds.texts.batch.Texts, bind=bind)
    with pytest.raises(
        DataError, match=r"m has no score for a translation of segment 3 of cs-en; remove m from the rule 'comp"
    ):
        add_computed_metrics(reading(files), [metric])


def test_without_the_extra_a_line_names_the_command(files, registry, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sacrebleu.metrics", None)
    with pytest.raises(DataError, match=r'BLEU is computed by sacrebleu, .*; run: pip install "qeframe\[mt\]"$'):
        add_computed_metrics(reading(files), [registry.get(Metric, "sentence_bleu")])
    assert add_computed_metrics(reading(files), [registry.get(Metric, "wer")]).versions == {}


def test_a_name_that_is_taken(files):
    taken = UnitValues(name="words", ids=np.arange(4), values=np.zeros((4, 2)), path="scores/words")
    with pytest.raises(DataError, match="two submissions are named 'words', the other is scores/words; rename one"):
        align(add_computed_metrics(reading(files, submissions=(taken,)), [words()]))


def test_attacks_leave_tasks_without_submissions_alone(files, registry):
    task = align(reading(files))
    assert enter_attacks([task], registry.all(Attack)) == [task]


def test_a_profile_computes_what_it_lists(registry, tmp_path):
    header = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Id,system2Id,system1rank,system2rank\n"
    rows = [f"Czech,English,{n},d,{n},j,A,B,1,{n}\n" for n in (1, 2, 3)] + ["English,German,1,d,1,j,A,B,1,2\n"]
    (tmp_path / "rankings.csv").write_text(header + "".join(rows))
    (tmp_path / "text" / "cs-en").mkdir(parents=True)
    for name in "AB":
        (tmp_path / "text" / "cs-en" / name).write_text(TEXTS[name])
    (tmp_path / "text" / "t-ref.en").write_text(TEXTS["ref"])
    rules = choose_profile("wmt12_metrics_segment", ['computed=["chrf", "per", "chrf"]'], registry)
    czech, german = read_tasks(rules, tmp_path, registry)
    assert list(czech.batches) == [Submission("chrf", "baseline"), Submission("per", "baseline")]
    assert german.batches == {}
    result = qeframe.evaluate(rules, [czech, german])
    assert [s.name for s in result.submissions] == ["chrf", "per"]


def test_scores_that_are_known_are_not_computed_again(files):
    counted = []

    def counting(name):
        bind = words().bind
        return attrs.evolve(words(name), bind=lambda batch: counted.append(name) or bind(batch))

    given, known = reading(files), {}
    first = add_computed_metrics(given, [counting("a"), counting("b")], scores=known)
    again = add_computed_metrics(given, [counting("b"), counting("c")], scores=known)
    assert sorted(set(counted)) == ["a", "b", "c"]
    assert counted.count("b") == counted.count("a") == counted.count("c")
    assert [side.name for side in again.submissions] == ["b", "c"]
    np.testing.assert_array_equal(again.submissions[0].values, first.submissions[1].values)
