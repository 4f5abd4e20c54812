"""What is in a bundle: settings, pages, reference data, and a submission that was tried."""

import json
import re
import runpy
from datetime import datetime
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from qeframe_codabench.bundle import IMAGE, Options, bundle_files, prepare
from qeframe_codabench.example import Example, replaced_answers
from qeframe_codabench.pages import _quoted
from qeframe_codabench.scoring import Competition
from small_files import MQM, SENTENCE, WORD, lay_out, scores, write

import qeframe
from qeframe.plugin import CapabilityError, DataError
from qeframe.plugin.readers import ExampleRequest, LineFormat, Reader

SMALL_TASKS = runpy.run_path(str(Path(__file__).parents[3] / "tests/fuzz/small_tasks.py"))["SMALL_TASKS"]
WITHOUT = {
    "graham_table",
    "document_annotations",
    "assessed_texts",
    "human_scores",
    "table",
    "rankings",
    "decided_pairs",
}
"""Readers of small tasks in which a submission has no place."""


@pytest.fixture
def prepared(sentence_gold):
    return prepare(SENTENCE, sentence_gold, title="Our <b>task</b>", changed=["best=high"])


def settings_of(files):
    return yaml.safe_load(files["competition.yaml"])


def page(files, name) -> str:
    return files[f"pages/{name}.md"].decode()


def test_the_settings_name_files_that_are_there(prepared):
    files = bundle_files(prepared, Options(), {})
    settings = settings_of(files)
    assert settings["version"] == 2
    assert {settings["image"], settings["terms"], *(page["file"] for page in settings["pages"])} <= set(files)
    (task,) = settings["tasks"]
    inside = {"metadata.yaml", "score.py", "competition.json", "profile.toml"}
    assert {f"{task['scoring_program']}/{name}" for name in inside} <= set(files)
    assert {name for name in files if name.startswith(task["reference_data"])} == {
        "reference_data/en-de/gold.da",
        "reference_data/en-cs/gold.da",
    }
    command = yaml.safe_load(files["scoring_program/metadata.yaml"])["command"]
    assert command == "python3 /app/program/score.py /app/input/ /app/output/"
    assert not [name for name in files if "submissions" in name]
    kit = {name for name in files if name.startswith("starting_kit/")}
    assert kit == {f"starting_kit/{name}" for name in ("profile.toml", "example/en-cs.txt", "example/en-de.txt")}
    assert settings["docker_image"] == IMAGE
    assert settings["show_detailed_results_in_leaderboard"] is False
    assert files["logo.png"].startswith(b"\x89PNG")
    assert Competition(**json.loads(files["scoring_program/competition.json"])) == prepared.competition


def test_columns_are_keys_of_the_scores(prepared):
    (board,) = settings_of(bundle_files(prepared, Options(), {}))["leaderboards"]
    keys = [column["key"] for column in board["columns"]]
    assert keys == ["spearman", "pearson", "mae", "rmse", "en_cs_spearman", "en_de_spearman"]
    assert [column["index"] for column in board["columns"]] == list(range(6))
    assert {c["key"]: c["sorting"] for c in board["columns"]}["mae"] == "asc"
    assert {c["key"]: c["sorting"] for c in board["columns"]}["spearman"] == "desc"
    assert set(keys) <= {column.key for column in prepared.scored.columns}


def test_an_average_rank_is_no_score_of_one_submission(sentence_gold):
    made = prepare(SENTENCE, sentence_gold, changed=["across=average_rank"])
    assert {column.task for column in made.scored.columns} == {"en-de", "en-cs"}
    assert "In the end they are joined by this rule" in page(bundle_files(made, Options(), {}), "evaluation")


@pytest.mark.parametrize("names", [["en-de", "en_de", "EN DE"], ["<b>", "&", "ü"]])
def test_keys_differ_and_are_plain(tmp_path, names):
    for name in names:
        write(tmp_path / name, {"gold.txt": "1\n2\n4\n", "submissions/a.txt": "1\n2\n3\n"})
    keys = [column.key for column in prepare("qe_sentence", tmp_path).scored.columns]
    assert len(set(keys)) == len(keys)
    assert all(re.fullmatch("[a-z0-9_]+", key) for key in keys)


def test_limits_and_times(prepared):
    options = Options(start=datetime(2026, 7, 30, 12), end=datetime(2026, 8, 6), max_per_day=2, time_limit=60,
                      terms="# Ours", logo=b"\x89PNGx")  # fmt: skip
    files = bundle_files(prepared, options, {})
    (phase,) = settings_of(files)["phases"]
    assert (phase["start"], phase["end"]) == (datetime(2026, 7, 30, 12), datetime(2026, 8, 6))
    assert (phase["max_submissions_per_day"], phase["execution_time_limit"]) == (2, 60)
    assert (files["logo.png"], files["pages/terms.md"]) == (b"\x89PNGx", b"# Ours")
    assert "| start | 2026-07-30 12:00 UTC |" in page(files, "overview")
    assert "end" not in settings_of(bundle_files(prepared, Options(), {}))["phases"][0]
    with pytest.raises(DataError, match="before it starts"):
        Options(start=datetime(2026, 1, 2), end=datetime(2026, 1, 2))


def test_hidden_scores_are_hidden_everywhere(sentence_gold):
    files = bundle_files(prepare(SENTENCE, sentence_gold, hidden=True), Options(), {})
    (board,), (phase,) = settings_of(files)["leaderboards"], settings_of(files)["phases"]
    assert board["hidden"]
    assert all(column["hidden"] for column in board["columns"])
    assert phase["hide_score_output"]
    assert not phase["hide_output"]  # authors read the line about a mistake there
    assert "Scores are not shown in this phase." in page(files, "evaluation")


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=12))
def test_texts_stay_texts(text):
    assert yaml.safe_load(f"title: {_quoted(text)}\n") == {"title": text}


def test_the_first_submission_that_is_accepted_is_tried(sentence_gold):
    assert prepare(SENTENCE, sentence_gold).trial == "baseline"
    write(sentence_gold, {"en-de/submissions/baseline.txt": scores("en-de", [1, 2, 3])})
    assert prepare(SENTENCE, sentence_gold).trial == "team"
    write(sentence_gold, {"en-cs/submissions/team.txt": scores("en-cs", [1, 2, 3])})
    with pytest.raises(DataError, match="2 files of submissions cannot be used"):
        prepare(SENTENCE, sentence_gold)


def test_without_a_submission_nothing_is_made(tmp_path):
    with pytest.raises(DataError, match="there is a gold file, but no folder submissions"):
        prepare("qe_sentence", write(tmp_path / "gold", {"gold.txt": "1\n2\n"}))


def test_a_gold_of_another_name(tmp_path):
    folder = write(tmp_path, {"expected.tsv": "1\n2\n4\n", "submissions/team.txt": "1\n3\n2\n"})
    made = prepare("qe_sentence", folder, changed=['reader=qe_plain(gold="expected.tsv")'])
    assert made.reference == {f"{tmp_path.name}/expected.tsv": b"1\n2\n4\n"}


def test_hidden_files_and_submissions_stay_outside(word_gold):
    write(word_gold, {"en-de/.DS_Store": "x", "en-de/more/deep.txt": "kept", "notes.txt": "y"})
    assert sorted(prepare(WORD, word_gold).reference) == ["en-de/gold.tags", "en-de/more/deep.txt", "en-de/mt_tok"]


def test_a_folder_that_tasks_share(metric_gold):
    made = prepare("wmt23_metrics_segment", metric_gold, changed=MQM)
    assert sorted(made.reference) == ["human-scores/en-de.da.seg.score", "human-scores/en-de.mqm.seg.score"]
    text = page(bundle_files(made, Options(), {}), "submission")
    assert "in the folder `metric-scores`" in text
    assert "* `en-de/my_system-src.seg.score`" in text
    assert "```text\nA\t0.25\nA\t-0.5\nA\t1.125\nA\t0.25\n...\nC\t1.125\n```" in text


def test_a_file_that_names_submissions_stays_out_of_the_bundle(tmp_path):
    reader = qeframe.load().get(Reader, qeframe.choose_profile("wmt26_task3").reader)
    made = prepare("wmt26_task3", reader.write_example(tmp_path / "task", ExampleRequest()))
    assert made.left_out == ("task/thresholds.jsonl",)
    assert set(made.reference) == {"task/gold.json", "task/input.jsonl"}
    files = bundle_files(made, Options(), {})
    assert "A file of another task, generated, has these lines" in page(files, "submission")
    assert not any(name.startswith("starting_kit/example") for name in files)


def test_a_profile_of_the_organizers_is_written_whole(word_gold, tmp_path):
    (tmp_path / "base.toml").write_text('extends = "wmt22_qe_word"\ntitle = "Ours"\nprimary = "f1_bad"\n')
    (tmp_path / "ours.toml").write_text('extends = "base.toml"\nmissing = "error"\n')
    made = prepare(str(tmp_path / "ours.toml"), word_gold, changed=["secondary=[]"])
    (tmp_path / "base.toml").unlink()
    (tmp_path / "kit.toml").write_bytes(bundle_files(made, Options(), {})["starting_kit/profile.toml"])
    rules = qeframe.choose_profile(str(tmp_path / "kit.toml"))
    assert (rules.title, rules.metrics, rules.test) == ("Ours", ("f1_bad",), "")
    assert [column.metric for column in made.scored.columns] == ["f1_bad"]


def test_what_cannot_be_bundled(sentence_gold, tmp_path):
    with pytest.raises(DataError, match="the overall score of 'wmt23_metrics' depends on the other submissions"):
        prepare("wmt23_metrics", sentence_gold)
    with pytest.raises(DataError, match="the reader 'graham_table' reads no file of one submission"):
        prepare("wmt14_qe_task1_2", sentence_gold)
    with pytest.raises(DataError, match="neither a gold file nor folders of tasks are here"):
        prepare("qe_sentence", write(tmp_path / "none", {"x/a.txt": ""}))


def test_the_public_input(word_gold):
    files = bundle_files(prepare(WORD, word_gold, like=word_gold / "en-de/mt_tok"), Options(), {})
    assert files["starting_kit/input/mt_tok"] == (word_gold / "en-de/mt_tok").read_bytes()
    assert "in the folder `input`" in page(files, "overview")
    with pytest.raises(DataError, match="this is the gold of a task"):
        prepare(WORD, word_gold, like=word_gold / "en-de/gold.tags")


def test_overview(prepared):
    text = page(bundle_files(prepared, Options(max_per_day=2), {}), "overview")
    assert text.startswith("# Our \\<b\\>task\\</b\\>\n")
    assert "For every segment of all tasks below, your system gives:\n\n* `SCORE`, which is your score" in text
    assert "* `en-cs`\n* `en-de`\n\nA submission answers all of them." in text
    assert "| submissions | 2 a day, 100 in all |" in text
    assert "A high value is good." in text


def test_submission(prepared):
    text = page(bundle_files(prepared, Options(), {}), "submission")
    assert "* `en-cs.txt`\n* `en-de.txt`" in text
    assert "1. the size of the model on disk, in bytes, such as `2280011066`" in text
    assert "* `SEG` is the number of the segment: its line in the source text, from 0." in text
    assert "`en-cs.txt`, 7 lines in all:\n\n```text\n2280011066\n" in text
    assert "an empty cell, `NaN` and `None` are mistakes" in text
    assert "more than 2,000 files, and more than 100 MiB." in text
    assert "```sh\npip install *.whl\nqeframe validate profile.toml FILE --like example/en-cs.txt\n```" in text


def test_a_single_task_and_the_worst_answer(sentence_gold):
    made = prepare(SENTENCE, sentence_gold / "en-de", changed=["missing=score_as_worst"])
    text = page(bundle_files(made, Options(), {}), "submission")
    assert "It has one file, of any name." in text
    assert "one without an answer gets the worst answer" in text


def test_evaluation(prepared, sentence_gold):
    text = page(bundle_files(prepared, Options(), {}), "evaluation")
    assert "| spearman | spearman | higher |\n| pearson | pearson | higher |\n| mae | mae | lower |" in text
    assert "`$$\\frac{1}{n} \\sum_{i=1}^{n} \\left| x_i - y_i \\right|$$`" in text
    assert "`$x_i$` is the prediction for unit `$i$`" in text
    assert "| `en-cs` | 0.5 |\n| `en-de` | 0.5 |" in text
    assert "two equally good submissions: Williams' test of two correlations with the same gold" in text
    assert "* a difference is significant if its corrected p is at most 0.05" in text
    assert "* ranking: Winners: the best by score and all that it does not significantly outperform" in text
    untested = prepare(SENTENCE, sentence_gold, changed=["test="])
    assert "differences are not tested" in page(bundle_files(untested, Options(), {}), "evaluation")


def test_stated_weights(sentence_gold):
    changed = ["across=weighted", "weights={en-cs=3,en-de=1}", "reader=qe_sentence", "baselines=[]"]
    files = bundle_files(prepare("qe_sentence", sentence_gold, changed=changed), Options(), {})
    assert "| `en-cs` | 0.75 |\n| `en-de` | 0.25 |" in page(files, "evaluation")


def test_the_example_has_no_answer_of_a_real_submission_and_is_valid(sentence_gold, tmp_path, qeframe_command):
    for pair in ("en-de", "en-cs"):
        (sentence_gold / pair / "submissions/baseline.txt").unlink()
        (sentence_gold / pair / "submissions/team.txt").rename(sentence_gold / pair / "submissions/secret.txt")
        text = (sentence_gold / pair / "submissions/secret.txt").read_text().replace("model", "secret")
        (sentence_gold / pair / "submissions/secret.txt").write_text(text)
    made = prepare(SENTENCE, sentence_gold)
    files = bundle_files(made, Options(), {})
    lay_out(made, tmp_path)
    of_public = [content for name, content in files.items() if name.startswith(("pages/", "starting_kit/"))]
    assert not any(b"secret" in content for content in of_public)
    kit = tmp_path / "kit"
    like = ("--like", kit / "example/en-de.txt")
    checked = qeframe_command("validate", kit / "profile.toml", kit / "example/en-de.txt", *like)
    assert (checked.returncode, checked.stderr) == (0, "")
    write(tmp_path, {"short.txt": scores("en-de", [1, 2, 3])})
    assert qeframe_command("validate", kit / "profile.toml", tmp_path / "short.txt", *like).returncode == 2


def test_the_example_of_words_keeps_the_words(word_gold):
    files = bundle_files(prepare(WORD, word_gold), Options(), {})
    assert "value is good" not in page(files, "overview"), "tags have no direction"
    example = files["starting_kit/example/en-de.txt"].decode()
    assert example.splitlines()[3:5] == ["en-de\tmy_system\tmt\t0\t0\tw0\tOK", "en-de\tmy_system\tmt\t0\t1\tw1\tBAD"]


LINES = LineFormat(
    columns={"SYSTEM": "", "SEGMENT": "", "SCORE": ""}, answers={"SCORE": ("0.25", "-0.5")}, author=("SYSTEM",)
)


def test_answers_and_the_name_are_replaced():
    made = replaced_answers({"en-de/team-src.tsv": b"team\t1\t.9\nteam\t2\t.8\nteam\t3\t.7\n"}, LINES, "team")
    assert made.files == {"en-de/my_system-src.tsv": b"my_system\t1\t0.25\nmy_system\t2\t-0.5\nmy_system\t3\t0.25\n"}
    with pytest.raises(DataError, match="4 columns, 3 are described"):
        replaced_answers({"x": b"a\tb\tc\td\n"}, LINES, "a")


def test_an_excerpt_has_the_first_lines_and_the_last():
    example = Example({"x": "".join(f"{number}\n" for number in range(9)).encode()}, of_task=True)
    assert example.excerpt("x", 1) == (["0", "1", "2", "3", "4", "...", "8"], 9)
    assert example.excerpt("x", 4) == ([str(number) for number in range(9)], 9)


NO_PLACE = ("reads no file of one submission", "neither a gold file nor folders of tasks", "no submission is beside")


@pytest.mark.parametrize("task", SMALL_TASKS.values(), ids=lambda task: task.name)
def test_every_reader(tmp_path, task):
    """The scoring program gives the scores of an evaluation of all; a layout without a place for one is refused."""
    gold = write(tmp_path / "task", dict(task.files))
    changed = [f"reader={task.reader}", *task.settings]
    try:
        made = prepare(task.profile, gold, changed=changed)
    except (CapabilityError, DataError) as error:
        assert any(reason in str(error) for reason in NO_PLACE), error  # noqa: PT017
        assert task.name.partition("-")[0] in WITHOUT
        return
    evaluation = qeframe.evaluate(task.profile, gold, settings=changed)
    (expected,) = [each.scores for each in evaluation.submissions if each.name == made.trial]
    for column in made.scored.columns:
        result = expected[column.metric]
        value = result.tasks[column.task].value if column.task else result.value
        assert column.value == pytest.approx(value, abs=1e-12, nan_ok=True)
    form = made.reader.submission.lines
    if form is not None:
        assert made.example.of_task, "the example was not accepted"
        assert all(name in form.columns for name in (*form.answers, *form.author))


def test_equal_files_give_equal_bytes(word_gold):
    assert len({str(bundle_files(prepare(WORD, word_gold), Options(), {"q.py": b"1"})) for _ in range(2)}) == 1
