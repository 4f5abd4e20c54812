"""A submission of the user's own: read like the others, entered alone, and nobody else's rank changes."""

import attrs
import numpy as np
import pandas
import pytest

import qeframe
from qeframe import DataError, Submission
from qeframe.api.entered.entering import Entering
from tests.outcome import failure

UNITS = 40


@pytest.fixture
def gold():
    return np.random.default_rng(1).normal(size=UNITS)


@pytest.fixture
def mine(gold):
    return gold + np.random.default_rng(9).normal(size=UNITS)


@pytest.fixture
def folder(tmp_path, gold):
    drawn = np.random.default_rng(2)
    (tmp_path / "en-de" / "submissions").mkdir(parents=True)
    (tmp_path / "en-de" / "gold.txt").write_text("".join(f"{value:.12f}\n" for value in gold))
    for number in range(1, 6):
        values = gold + drawn.normal(size=UNITS) * number / 2
        head = "".join(f"en-de\tS{number}\t{i}\t{value:.12f}\n" for i, value in enumerate(values))
        (tmp_path / "en-de" / "submissions" / f"S{number}.tsv").write_text("1\n2\n3\n" + head)
    return tmp_path / "en-de"


def submitted(path, values, pair="en-de", skip=()):
    rows = "".join(f"{pair}\tm\t{i}\t{value:.12f}\n" for i, value in enumerate(values) if i not in skip)
    path.write_text("1\n2\n3\n" + rows)
    return path


PROFILE = "wmt22_qe_sentence"


def test_nothing_of_the_others_changes(folder, mine, tmp_path):
    plain = qeframe.evaluate(PROFILE, folder)
    entered = qeframe.evaluate(PROFILE, folder, enter={"mine": submitted(tmp_path / "mine.tsv", mine)})
    assert [each for each in entered.submissions if each.kind != "entered"] == list(plain.submissions)
    assert entered.comparisons == plain.comparisons
    assert entered.signature.inputs != plain.signature.inputs
    (own,) = entered.entered
    assert (own.name, own.of) == ("mine", 5)
    assert {one.a if one.b == "mine" else one.b for one in own.comparisons} == {f"S{n}" for n in range(1, 6)}


def test_its_p_are_those_of_a_submission_and_its_family_has_its_pairs_alone(folder, mine, tmp_path):
    """The slow way: it is one of the submissions; p before the correction are the same, Holm is over its pairs."""
    file = submitted(tmp_path / "mine.tsv", mine)
    settings = ["test=jackknife", "sided=two", "correction=holm"]
    (own,) = qeframe.evaluate(PROFILE, folder, settings=settings, enter={"mine": file}).entered
    (folder / "submissions" / "mine.tsv").write_bytes(file.read_bytes())
    together = qeframe.evaluate(PROFILE, folder, settings=settings)
    wanted = {(one.a, one.b): one.p for one in together.comparisons if "mine" in (one.a, one.b)}
    assert {(one.a, one.b): one.p for one in own.comparisons} == wanted
    in_order = sorted(own.comparisons, key=lambda one: one.p)
    holm = np.maximum.accumulate([(5 - i) * one.p for i, one in enumerate(in_order)])
    assert [one.p_adjusted for one in in_order] == pytest.approx(np.minimum(1, holm))
    assert own.rank == next(each.rank for each in together.submissions if each.name == "mine")
    better = sum(one.significant and one.b == "mine" for one in own.comparisons)
    worse = sum(one.significant and one.a == "mine" for one in own.comparisons)
    assert own.rank_set == (1 + better, 6 - worse)


def test_answers_in_the_order_of_the_units_are_the_file(folder, mine, tmp_path):
    mine = np.round(mine, 12)
    of_file = qeframe.evaluate(PROFILE, folder, enter={"mine": submitted(tmp_path / "mine.tsv", mine)})
    of_array = qeframe.evaluate(PROFILE, folder, enter={"mine": mine})
    tasks = qeframe.read_tasks(qeframe.choose_profile(PROFILE), folder)
    of_task = qeframe.evaluate(PROFILE, tasks, enter={"mine": mine})
    assert of_file.entered == of_array.entered == of_task.entered
    assert of_array.entered == qeframe.evaluate(PROFILE, folder, enter={"mine": pandas.Series(mine)}).entered


def test_two_are_entered_each_alone(folder, mine, gold):
    both = qeframe.evaluate(PROFILE, folder, enter={"mine": mine, "perfect": gold})
    assert both.entered[0] == qeframe.evaluate(PROFILE, folder, enter={"mine": mine}).entered[0]
    assert both.entered[1].rank == 1


def test_a_folder_with_a_file_for_each_task(folder, mine, gold, tmp_path):
    other = folder.parent / "en-cs"
    (other / "submissions").mkdir(parents=True)
    (other / "gold.txt").write_bytes((folder / "gold.txt").read_bytes())
    for file in (folder / "submissions").iterdir():
        (other / "submissions" / file.name).write_text(file.read_text().replace("en-de", "en-cs"))
    given = tmp_path / "given"
    given.mkdir()
    submitted(given / "en-de.tsv", mine)
    submitted(given / "en-cs.tsv", gold, "en-cs")
    (own,) = qeframe.evaluate(PROFILE, _both(folder, tmp_path), enter={"mine": given}).entered
    assert {one.task for one in own.comparisons} >= {"en-de", "en-cs"}
    (given / "en-cs.tsv").rename(given / "en-fr.tsv")
    for one_of_two in (given / "en-de.tsv", given):
        found = qeframe.evaluate(PROFILE, _both(folder, tmp_path), enter={"mine": one_of_two})
        (scored,) = [each for each in found.submissions if each.kind == "entered"]
        assert (scored.absent, list(scored.scores["pearson"].tasks)) == (("en-cs",), ["en-de"])
        assert {one.task for one in found.entered[0].comparisons} == {"en-de"}
    (given / "en-de.tsv").unlink()
    with pytest.raises(DataError, match=r"no task of .* is named 'en-fr'"):
        qeframe.evaluate(PROFILE, _both(folder, tmp_path), enter={"mine": given})


def _both(folder, tmp_path):
    root = tmp_path / "both"
    if not root.exists():
        root.mkdir()
        for pair in ("en-de", "en-cs"):
            (folder.parent / pair).rename(root / pair)
    return root


def test_a_unit_that_it_lacks_is_an_error_also_where_others_drop_units(folder, mine, tmp_path):
    file = submitted(tmp_path / "mine.tsv", mine, skip={7})
    with pytest.raises(DataError, match=r"mine.tsv: segment 7 is missing in mine: 39 of 40"):
        qeframe.evaluate(PROFILE, folder, settings=["missing=drop_for_all"], enter={"mine": file})
    filled = qeframe.evaluate(PROFILE, folder, settings=["missing=score_as_worst"], enter={"mine": file})
    assert "missing in mine, scored as worst" in [each.reason for each in filled.dropped]
    assert filled.submissions != ()


def test_units_that_others_drop_are_left_out_of_it_too(folder, mine, tmp_path):
    text = (folder / "submissions" / "S3.tsv").read_text().splitlines(keepends=True)
    (folder / "submissions" / "S3.tsv").write_text("".join(text[:-2]))
    settings = ["missing=drop_for_all"]
    plain = qeframe.evaluate(PROFILE, folder, settings=settings)
    entered = qeframe.evaluate(PROFILE, folder, settings=settings, enter={"mine": mine})
    assert [each for each in entered.submissions if each.kind != "entered"] == list(plain.submissions)
    score = next(each for each in entered.submissions if each.name == "mine").scores["pearson"].value
    gold = np.loadtxt(folder / "gold.txt")[:-2]
    assert score == pytest.approx(np.corrcoef(gold, mine[:-2])[0, 1])


def test_answers_to_units_that_the_gold_lacks_are_counted(folder, mine, tmp_path):
    file = submitted(tmp_path / "mine.tsv", [*mine, 1.0])
    entered = qeframe.evaluate(PROFILE, folder, enter={"mine": file})
    assert "extra in mine, not in the gold" in [each.reason for each in entered.dropped]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("S2", "file", "a submission of task 'en-de' has the name 'S2'; enter it under another name"),
        ("mine", "none.tsv", "none.tsv: there is no such file or folder; check the path of what is entered"),
        ("mine", [1.0, 2.0], "'mine' has 2 answers, task 'en-de' has 40 units; give one for each unit in the order"),
        ("mine", 1.0, "'mine' is a value of type float; give a file, a folder with a file TASK.* for each task"),
        ("mine", ["a"] * 40, "the answers of 'mine' cannot be used"),
        ("a/b", "file", "'a/b' cannot be the name of a file"),
        ("mine", pandas.DataFrame({"score": [1.0]}), "'mine' has 1 answer, task 'en-de' has 40 units"),
        ("mine", pandas.DataFrame({"a": [1.0], "b": [2.0]}), "'mine' is a data frame; give one of its columns: a, b"),
    ],
)
def test_what_cannot_be_entered(folder, mine, tmp_path, name, value, message):
    file = submitted(tmp_path / "mine.tsv", mine)
    with pytest.raises(DataError) as caught:
        qeframe.evaluate(PROFILE, folder, enter={name: file if isinstance(value, str) and value == "file" else value})
    assert str(caught.value).startswith(message)


def test_what_cannot_be_entered_in_a_task(folder, mine, tmp_path):
    tasks = qeframe.read_tasks(qeframe.choose_profile(PROFILE), folder)
    with pytest.raises(DataError, match="'mine' is a file, and tasks were read before; give evaluate the path"):
        qeframe.evaluate(PROFILE, tasks, enter={"mine": submitted(tmp_path / "mine.tsv", mine)})
    assert "has the name 'S1'" in failure(DataError, qeframe.evaluate, PROFILE, tasks, enter={"S1": mine})
    with pytest.raises(DataError, match="no task has a submission beside 'mine'"):
        Entering.of({"mine": mine}, qeframe.load()).in_tasks([attrs.evolve(tasks[0], batches={})])
    (task,) = Entering.of({"mine": {"en-de": mine}}, qeframe.load()).in_tasks(tasks)
    assert Submission("mine", "entered") in task.batches
    with pytest.raises(DataError, match="'mine' has answers to en-fr, the tasks are en-de; name the tasks in a column"):
        qeframe.evaluate(PROFILE, tasks, enter={"mine": {"en-fr": mine}})


def test_several_tasks_need_the_name_of_each(folder, mine, gold):
    (task,) = qeframe.read_tasks(qeframe.choose_profile(PROFILE), folder)
    tasks = [task, attrs.evolve(task, name="en-cs"), attrs.evolve(task, name="en-cs-out")]
    with pytest.raises(DataError, match="'mine' does not say to which of 3 tasks it belongs: en-de, en-cs, en-cs-out"):
        qeframe.evaluate(PROFILE, tasks, enter={"mine": mine})
    frame = pandas.DataFrame({"lp": ["en-de"] * UNITS + ["en-cs"] * UNITS + ["ro-en"] * UNITS})
    frame = frame.assign(segment=[*range(UNITS)] * 3, score=[*mine, *gold, *mine])
    found = qeframe.evaluate(PROFILE, tasks, settings=["test="], enter={"mine": frame.sample(frac=1, random_state=2)})
    (scored,) = [each for each in found.submissions if each.kind == "entered"]
    values = {name: score.value for name, score in scored.scores["pearson"].tasks.items()}
    wanted = {"en-de": np.corrcoef(mine, gold)[0, 1], "en-cs": 1.0, "en-cs-out": 1.0}
    assert values == pytest.approx(wanted)
    assert "of mine, which no task has: ro-en" in [each.reason for each in found.dropped]


def test_the_signature_has_the_values(folder, mine):
    first, again, other = (
        qeframe.evaluate(PROFILE, folder, settings=["test="], enter={"mine": of}) for of in (mine, mine, mine + 1)
    )
    assert first.signature == again.signature != other.signature
    assert first.files["mine"] == ("mine (values)",)


def test_an_error_names_the_file_that_the_user_gave_and_its_line(folder, mine, tmp_path):
    file = submitted(tmp_path / "mine.tsv", mine)
    file.write_text(file.read_text().replace("\t3\t", "\tx\t"))
    assert failure(DataError, qeframe.evaluate, PROFILE, folder, enter={"mine": file}).startswith(f"{file}:7: ")
