"""What a scoring program is told: columns, places of files, and rules."""

import pytest

from qeframe.api.read import choose_profile
from qeframe.core.aggregation import Aggregation
from qeframe.core.errors import DataError, QeframeError
from qeframe.core.reader import Reader
from qeframe.core.resolve import resolve
from qeframe_competitions.settings import (
    PROFILE_FILE,
    SETTINGS_FILE,
    Competition,
    Layout,
    ScoreColumn,
    competition_rules,
    find_layout,
    is_of_one,
    place,
    read_competition,
    reference_files,
    rules_of_one,
    score_columns,
    submission_format,
)
from tests.plugins.qeframe_competitions.small_files import write


def columns(registry, tasks, *settings, profile="wmt22_qe_sentence_da"):
    return score_columns(resolve(choose_profile(profile, settings, registry), registry), tasks)


def test_one_task_has_its_metrics_alone(registry):
    found = columns(registry, ["en-de"])
    assert [(c.key, c.title, c.task, c.primary) for c in found] == [
        ("spearman", "spearman", "", True),
        ("pearson", "pearson", "", False),
        ("mae", "mae", "", False),
        ("rmse", "rmse", "", False),
    ]
    assert [c.higher_is_better for c in found] == [True, True, False, False]


def test_several_tasks_have_the_scores_over_all_first(registry):
    found = columns(registry, ["en-de", "en-cs"])
    assert [c.key for c in found[:4]] == ["spearman", "pearson", "mae", "rmse"]
    assert [c.key for c in found[4:6]] == ["en_de_spearman", "en_de_pearson"]
    assert (found[-1].key, found[-1].title, found[-1].task) == ("en_cs_rmse", "en-cs rmse", "en-cs")


def test_an_average_rank_is_no_score_of_one_submission(registry):
    found = columns(registry, ["en-de", "en-cs"], "across=average_rank")
    assert {c.task for c in found} == {"en-de", "en-cs"}


def test_which_aggregations_are_of_one_submission(registry):
    rules = {a.name: is_of_one(a) for a in registry.all(Aggregation) if a.name in {"mean", "average_rank", "weighted"}}
    assert rules == {"mean": True, "weighted": True, "average_rank": False}


@pytest.mark.parametrize("tasks", [["en-de", "en_de", "EN DE"], ["<b>", "&", "ü"]])
def test_keys_differ_and_are_plain(registry, tasks):
    keys = [c.key for c in columns(registry, tasks)]
    assert len(set(keys)) == len(keys)
    assert all(key.replace("_", "a").isascii() and key.replace("_", "a").isalnum() for key in keys)


def reader(registry, name):
    return registry.get(Reader, name)


def test_folders_of_tasks(registry, sentence_gold):
    layout = find_layout(reader(registry, "qe_sentence"), sentence_gold)
    assert layout == Layout(("en-cs", "en-de"))
    assert list(reference_files(layout, sentence_gold)) == ["en-cs/gold.da", "en-de/gold.da"]


def test_one_task_has_the_name_of_its_folder(registry, sentence_gold, monkeypatch):
    monkeypatch.chdir(sentence_gold / "en-de")
    layout = find_layout(reader(registry, "qe_sentence"), sentence_gold.parent / "gold" / "en-de" / ".")
    assert layout == Layout(("en-de",))


def test_a_folder_that_tasks_share(registry, metric_gold):
    layout = find_layout(reader(registry, "mtme"), metric_gold)
    assert layout == Layout(shared="metric-scores")
    assert sorted(reference_files(layout, metric_gold)) == [
        "human-scores/en-de.da.seg.score",
        "human-scores/en-de.mqm.seg.score",
    ]


def test_hidden_files_and_submissions_stay_outside(registry, word_gold):
    write(word_gold, {"en-de/.DS_Store": "x", "en-de/more/submissions/deep.txt": "kept"})
    layout = find_layout(reader(registry, "word_columns_2020"), word_gold)
    assert sorted(reference_files(layout, word_gold)) == [
        "en-de/gold.tags",
        "en-de/more/submissions/deep.txt",
        "en-de/mt_tok",
    ]


def test_a_reader_that_reads_no_submission_alone(registry):
    with pytest.raises(DataError, match="'graham_table' reads no file of one submission; choose a profile"):
        submission_format(reader(registry, "graham_table"))


def test_no_gold(registry, tmp_path):
    with pytest.raises(DataError, match="neither a gold file nor folders of tasks"):
        find_layout(reader(registry, "qe_sentence"), tmp_path)


def test_names_of_authors_say_nothing(tmp_path):
    write(tmp_path, {"a.jsonl": "1", "b.<b>": "2", "c." + "x" * 40: "3"})
    root = tmp_path / "root"
    for source, made in (("a.jsonl", "submission.jsonl"), ("b.<b>", "submission.txt")):
        assert place(Layout(("t",)), {"t": tmp_path / source}, root) == {root / "t" / "submissions" / made: "t"}
    (long,) = place(Layout(("t",)), {"t": tmp_path / ("c." + "x" * 40)}, root)
    assert len(long.name) == len("submission") + 12
    (shared,) = place(Layout(shared="scores"), {"en-de/m.score": tmp_path / "a.jsonl"}, root)
    assert shared == root / "scores" / "en-de" / "m.score"
    assert shared.read_text() == "1"


SETTINGS = Competition(
    title="Ä <b>",
    profile="wmt22_qe_word",
    changed=("missing=drop_for_all",),
    layout=Layout(("en-de",)),
    tasks=("en-de",),
    tried=True,
    columns=(ScoreColumn(key="mcc", metric="mcc", primary=True),),
    hidden=True,
    inputs=("en-de",),
)


def test_round_trip(tmp_path):
    (tmp_path / SETTINGS_FILE).write_text(SETTINGS.to_json(), encoding="utf-8")
    assert read_competition(tmp_path) == SETTINGS


@pytest.mark.parametrize("text", [None, "{", "{}", "[]", '{"columns": 1}'])
def test_settings_that_cannot_be_read(tmp_path, text):
    if text is not None:
        (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(QeframeError, match=r"competition\.json beside the scoring program cannot be read"):
        read_competition(tmp_path)


def test_rules_of_one(registry, tmp_path):
    rules = competition_rules(SETTINGS, tmp_path, registry)
    assert (rules.name, rules.test, rules.interval, rules.missing) == ("wmt22_qe_word", "", "", "error")
    assert (rules.columns, rules.computed, rules.baselines) == ((), (), ())
    worst = rules_of_one(choose_profile("wmt22_qe_word", ["missing=score_as_worst"], registry))
    assert worst.missing == "score_as_worst"


def test_a_profile_of_the_organizers(registry, tmp_path):
    import attrs

    (tmp_path / PROFILE_FILE).write_text('extends = "wmt22_qe_word"\ntitle = "Ours"\nsecondary = []\n')
    rules = competition_rules(attrs.evolve(SETTINGS, profile=PROFILE_FILE, changed=()), tmp_path, registry)
    assert (rules.title, rules.metrics) == ("Ours", ("mcc",))


def test_a_profile_with_parts(registry):
    with pytest.raises(DataError, match="the overall score of 'wmt23_metrics' depends on the other submissions"):
        rules_of_one(choose_profile("wmt23_metrics", (), registry))
