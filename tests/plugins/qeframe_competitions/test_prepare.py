"""A competition made ready, and tried."""

import math

import pytest

import qeframe
from qeframe.api.read import choose_profile
from qeframe.core.errors import CapabilityError, DataError
from qeframe.core.profile_files import find_profile
from qeframe.core.reader import ExampleRequest, Reader
from qeframe.data.validate import check_defined
from qeframe_competitions.prepare import prepare
from qeframe_competitions.settings import PROFILE_FILE, Layout
from tests.fuzz.small_tasks import SMALL_TASKS
from tests.plugins.qeframe_competitions.small_files import MQM, SENTENCE, WORD, scores, write
from tests.plugins.qeframe_wmt.examples.by_reader import with_example

WITHOUT = {
    "reads no file of one submission": {
        "graham_table",
        "document_annotations",
        "assessed_texts",
        "human_scores",
        "table",
    },
    "no submission is beside the gold": {"rankings-texts", "decided_pairs-texts"},
}
PLAIN_GOLD = {"qe_plain", "qe_four_columns", "qe_four_columns-ranks", "qe_sentence", "tag_lines", "word_columns_2015",
              "word_columns_2020", "mtme", "mtme-selection", "mtme-systems"}  # fmt: skip
"""Small tasks whose gold can be replaced by a pseudo-gold."""


def test_a_gold_with_submissions(registry, sentence_gold):
    prepared = prepare(SENTENCE, sentence_gold, registry)
    assert set(prepared.reference) == {"en-de/gold.da", "en-cs/gold.da"}
    assert prepared.competition.tasks == ("en-cs", "en-de")
    assert prepared.competition.layout == Layout(("en-cs", "en-de"))
    assert (prepared.trial, prepared.competition.tried, prepared.beside) == ("baseline", True, {})
    assert prepared.scored is not None
    assert set(prepared.scored.scores) == {column.key for column in prepared.competition.columns}


def test_the_first_submission_that_is_accepted_is_tried(registry, sentence_gold):
    write(sentence_gold, {"en-de/submissions/baseline.txt": scores("en-de", [1, 2, 3])})
    assert prepare(SENTENCE, sentence_gold, registry).trial == "team"
    write(sentence_gold, {"en-cs/submissions/team.txt": scores("en-cs", [1, 2, 3])})
    with pytest.raises(DataError, match=r"the submission 'baseline': en-de\.txt: segment 3 of the task is"):
        prepare(SENTENCE, sentence_gold, registry)


def test_a_gold_alone_is_read(registry, sentence_gold, tmp_path):
    columns = write(tmp_path / "mine", {"gold.tsv": "lp\tsegment\tscore\n", "notes.csv": "a,b\n"})
    with pytest.raises(DataError, match=r"mine/gold\.tsv:1: 3 columns, where a plain file has one") as caught:
        prepare("qe_sentence", columns, registry)
    assert caught.value.path == columns / "gold.tsv"
    sound = prepare("qe_sentence", write(tmp_path / "sound", {"gold.txt": "1\n2\n"}), registry)
    assert (sound.gold_read, sound.competition.tried, sound.scored) == (True, False, None)
    assert set(sound.reference) == {"sound/gold.txt"}


@pytest.mark.parametrize("pseudo", ["", "team"])
def test_a_gold_of_another_name(registry, tmp_path, pseudo):
    folder = write(tmp_path, {"expected.tsv": "1\n2\n4\n", "submissions/team.txt": "1\n3\n2\n"})
    prepared = prepare(
        "qe_sentence", folder, registry, changed=['reader=qe_plain(gold="expected.tsv")'], pseudo_gold=pseudo
    )
    (name,) = prepared.reference
    assert name == f"{tmp_path.name}/expected.tsv"
    assert (prepared.reference[name] == b"1\n2\n4\n") == (not pseudo)
    assert (prepared.trial, prepared.gold_read) == ("team", True)


def test_a_gold_of_another_name_alone(registry, tmp_path):
    settings = ['reader=qe_plain(gold="expected.tsv")']
    assert prepare("qe_sentence", write(tmp_path, {"expected.tsv": "1\n2\n"}), registry, changed=settings).gold_read
    with pytest.raises(DataError, match=r"a task is a folder with one file expected\.tsv"):
        prepare("qe_sentence", write(tmp_path / "other", {"gold.txt": "1\n2\n"}), registry, changed=settings)


def test_a_gold_whose_submissions_have_another_format_is_not_read_alone(registry, tmp_path):
    assert not prepare(SENTENCE, write(tmp_path / "en-de", {"gold.da": "no number\n"}), registry).gold_read


def test_a_profile_of_the_organizers_goes_with_the_program(registry, word_gold, tmp_path):
    own = tmp_path / "ours.toml"
    own.write_text('extends = "wmt22_qe_word"\ntitle = "Ours"\n')
    prepared = prepare(str(own), word_gold, registry)
    assert set(prepared.beside) == {PROFILE_FILE}
    assert choose_profile(_written(tmp_path, prepared), (), registry).rules == choose_profile(own, (), registry).rules
    assert (prepared.competition.profile, prepared.competition.title) == (PROFILE_FILE, "Ours")
    assert prepared.trial == "baseline"


def _written(folder, prepared):
    (folder / "resolved.toml").write_bytes(prepared.beside[PROFILE_FILE])
    return folder / "resolved.toml"


def test_a_profile_that_extends_a_file_is_written_whole(registry, word_gold, tmp_path):
    (tmp_path / "base.toml").write_text('extends = "wmt22_qe_word"\ntitle = "Ours"\nprimary = "f1_bad"\n')
    (tmp_path / "ours.toml").write_text('extends = "base.toml"\nmissing = "error"\n')
    prepared = prepare(str(tmp_path / "ours.toml"), word_gold, registry, changed=["secondary=[]"])
    assert (prepared.competition.title, prepared.competition.changed) == ("Ours", ())
    (tmp_path / "base.toml").unlink()
    assert choose_profile(_written(tmp_path, prepared), (), registry).metrics == ("f1_bad",)
    assert [column.metric for column in prepared.competition.columns] == ["f1_bad"]


def test_a_shared_folder_needs_a_submission(registry, metric_gold):
    import shutil

    shutil.rmtree(metric_gold / "metric-scores")
    with pytest.raises(DataError, match="no submission is beside the gold; put one into the folder metric-scores"):
        prepare("wmt23_metrics_segment", metric_gold, registry, changed=MQM)


@pytest.mark.parametrize(
    ("profile", "made_of"),
    [("wmt22_qe_sentence", r"a folder for each task with its gold"), ("wmt20_metrics_segment", "a folder scores")],
)
def test_a_layout_without_a_place_for_submissions_is_refused(registry, tmp_path, profile, made_of):
    """Files that lie as their repository was published are read, and cannot be bundled."""
    reader = with_example(registry.get(Reader, find_profile(profile, registry).reader), registry)
    path = reader.write_example(tmp_path, ExampleRequest(pairs=2))
    with pytest.raises(CapabilityError, match=f"as a repository was published.*a bundle is made of {made_of}"):
        prepare(profile, path, registry)


def test_a_file_that_names_submissions_stays_out_of_the_bundle(registry, tmp_path):
    path = registry.get(Reader, find_profile("wmt26_task3", registry).reader).write_example(tmp_path / "task")
    prepared = prepare("wmt26_task3", path, registry)
    assert prepared.left_out == ("task/thresholds.jsonl",)
    assert set(prepared.reference) == {"task/gold.json", "task/input.jsonl"}
    assert prepared.scored is not None


def test_files_of_other_levels_are_not_tried(registry, metric_gold):
    write(metric_gold, {"metric-scores/en-de/M-src.domain.score": "news\tA\t1\n"})
    prepared = prepare("wmt23_metrics_segment", metric_gold, registry, changed=MQM)
    assert (prepared.trial, prepared.competition.tasks) == ("M-src", ("en-de",))


def test_the_public_input(registry, sentence_gold, word_gold, metric_gold, tmp_path):
    like = write(tmp_path / "like", {"en-de.src": "a\nb\nc\nd\n", "en-cs.src": "a\nb\nc\nd\n"})
    prepared = prepare(SENTENCE, sentence_gold, registry, like=like)
    assert set(prepared.beside) == {"inputs/en-de.txt", "inputs/en-cs.txt"}
    one = prepare(WORD, word_gold, registry, like=word_gold / "en-de/submissions/team.txt")
    assert set(one.beside) == {"inputs/en-de.txt"}
    with pytest.raises(DataError, match=r"en-cs\.txt:5: segment 1 is not in inputs/en-cs\.txt \(and 2 more\)"):
        prepare(SENTENCE, sentence_gold, registry, like=write(tmp_path / "short", {"en-de": "a\n", "en-cs": "a\n"}))
    with pytest.raises(DataError, match="submissions in the folder metric-scores are not compared with an input"):
        prepare("wmt23_metrics_segment", metric_gold, registry, changed=MQM, like=like)


def test_pairs_in_one_file(registry, tmp_path):
    from qeframe.cli.shared.demo_files import write_demo

    write_demo("wmt26_task1", tmp_path / "task", seed=1)
    prepared = prepare("wmt26_task1", tmp_path / "task", registry)
    assert prepared.competition.layout.folders == ("task",)
    assert len(prepared.competition.tasks) == 3


def check_example(prepared, task):
    """Where the format describes its lines, the example is a whole submission that was accepted."""
    example, form = prepared.example, prepared.reader.submission.lines
    if form is None:
        assert example is None or not (example.of_task and example.complete)
        return
    assert example is not None
    assert (example.of_task, example.complete) == (True, True), task.name
    assert len({len(answers) for answers in form.answers.values()}) == 1
    assert all(name in form.columns for name in (*form.answers, *form.author))


@pytest.mark.parametrize("task", SMALL_TASKS.values(), ids=lambda task: task.name)
def test_every_reader(registry, tmp_path, task):
    """The trial has the scores of an evaluation; a submission as its own gold has a perfect one, or is refused."""
    gold = write(tmp_path / "task", dict(task.files))
    changed = [f"reader={task.reader}", *task.settings]
    refusals = [why for why, names in WITHOUT.items() if task.name in names or task.name.partition("-")[0] in names]
    if refusals:
        with pytest.raises(DataError, match=refusals[0]):
            prepare(task.profile, gold, registry, changed=changed)
        return
    prepared = prepare(task.profile, gold, registry, changed=changed)
    for name in {part.answers.name for part in prepared.scored.parts}:  # what has a score is not refused
        parts = [part for part in prepared.scored.parts if part.answers.name == name]
        check_defined(prepared.reader, prepared.ranked_by.metrics[0], parts)
    evaluation = qeframe.evaluate(task.profile, gold, settings=changed, registry=registry)
    (expected,) = [each for each in evaluation.submissions if each.name == prepared.trial]
    assert prepared.scored is not None
    check_example(prepared, task)
    for column in prepared.competition.columns:
        value = expected.scores[column.metric].value
        assert prepared.scored.scores.get(column.key, math.nan) == pytest.approx(value, abs=1e-12, nan_ok=True)
    if task.name not in PLAIN_GOLD:
        with pytest.raises(DataError, match="a pseudo-gold cannot be written"):
            prepare(task.profile, gold, registry, changed=changed, pseudo_gold=prepared.trial)
        return
    own = prepare(task.profile, gold, registry, changed=changed, pseudo_gold=prepared.trial)
    assert own.scored is not None
    assert own.trial == prepared.trial
    assert set(own.reference) <= set(prepared.reference)
    assert own.reference != prepared.reference
