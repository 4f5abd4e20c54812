"""Names that match nothing: an error where the user set them, else counted."""

from pathlib import Path

import pytest

import qeframe
from qeframe import DataError, Profile

QUICK = ("test=", "interval=")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for pair in ("en-de", "ro-en"):
        (tmp_path / "all" / pair / "submissions").mkdir(parents=True)
        (tmp_path / "all" / pair / "gold").write_text("1\n2\n3\n")
        for name in ("a", "b"):
            (tmp_path / "all" / pair / "submissions" / name).write_text("1\n2\n4\n")


def test_a_baseline_that_qeframe_names_by_itself_need_not_be_there() -> None:
    assert qeframe.evaluate("qe_sentence", "all", settings=QUICK).dropped == ()


@pytest.mark.parametrize("path", ["all", "all/en-de"])
@pytest.mark.parametrize(
    ("setting", "text", "message"),
    [
        ("baselines=c", 'baselines = ["c"]', "baselines: 'c' is the name of no submission; known: a, b"),
        ("computed=chrf", 'computed = ["chrf"]', "computed: there are no texts from which chrf could be computed"),
        (
            'across=mean(exclude=["xx-yy"])',
            "across = 'mean(exclude=[\"xx-yy\"])'",
            "task 'xx-yy' is excluded, but there is no such task",
        ),
        ("weights={xx-yy=1}", "weights = {xx-yy = 1}", "task 'xx-yy' is given a weight, but there is no such task"),
    ],
)
def test_names_that_the_user_sets(path: str, setting: str, text: str, message: str) -> None:
    Path("own.toml").write_text(f'extends = "qe_sentence"\n{text}\n' + ('across = "weighted"\n' * ("weights" in text)))
    more = ("across=weighted",) if "weights" in setting else ()
    key = setting.partition("=")[0]
    for profile, settings in (("qe_sentence", (*QUICK, *more, setting)), ("own.toml", QUICK)):
        with pytest.raises(DataError) as caught:
            qeframe.evaluate(profile, path, settings=settings)
        where = path if key == "computed" else "own.toml" if profile == "own.toml" else ""
        assert str(caught.value).startswith(f"{where}: {message}" if where else message)


def test_an_exclusion_of_a_registered_profile_is_counted_unless_all_tasks_are_other_pairs() -> None:
    settings = (*QUICK, "reader=qe_plain")
    found = qeframe.evaluate("wmt20_qe_sentence", "all", settings=settings)
    assert not [note for note in found.dropped if note.what == "exclusion"]
    Path("all/en-de").rename("all/german")
    found = qeframe.evaluate("wmt20_qe_sentence", "all", settings=settings)
    note = ("exclusion", 1, "of task ru-en: named by the profile, there is no such task")
    assert note in [(note.what, note.count, note.reason) for note in found.dropped]


def test_who_set_a_rule() -> None:
    assert Profile(reader="r", primary="p").set_by_user("weights")
    registered = Profile(reader="r", primary="p", stated=frozenset({"weights"}))
    assert not registered.set_by_user("weights")
    assert Profile(reader="r", primary="p", stated=frozenset({"a"}), own=frozenset({"a"})).set_by_user("a")
    assert Profile(reader="r", primary="p", stated=frozenset({"a"}), changed={"a": "1"}).set_by_user("a")


def test_an_exclusion_with_an_asterisk() -> None:
    settings = (*QUICK, "reader=qe_plain", 'across=mean(exclude=["ro-*"])')
    found = qeframe.evaluate("qe_sentence", "all", settings=settings)
    alone = qeframe.evaluate("qe_sentence", "all/en-de", settings=(*QUICK, "reader=qe_plain"))
    primary = found.primary
    assert found.submissions[0].scores[primary].value == pytest.approx(alone.submissions[0].scores[primary].value)
    with pytest.raises(DataError, match=r"task 'xx-\*' is excluded, but there is no such task"):
        qeframe.evaluate("qe_sentence", "all", settings=(*QUICK, 'across=mean(exclude=["xx-*"])'))
