"""The laws of readers and profiles, each on one that keeps it and on one that breaks it."""

from pathlib import Path

import attrs
import numpy as np
import pytest

from qeframe import hookimpl
from qeframe.plugin import Batch, DataError, Scores
from qeframe.plugin.readers import Input, Reader, Reading, UnitValues, read_text_lines
from qeframe.testing.laws.checks import checks_of, components_of
from qeframe.testing.laws.reader_laws import ProfileFile
from tests.registered import REGISTRY

TABLE = "0.1 0.2\n0.5 0.4\n0.9 0.7\n"
PROFILE = """
title = "Ours"
level = "sentence"
gold = "direct assessment"
best = "high"
reader = "qe_plain"
primary = "spearman"
source = "the announcement"
"""


def read(path, best):
    file = read_text_lines(path)
    gold, good = np.array([line.split() for line in file.lines], dtype=np.float64).T
    ids = np.arange(len(gold))
    sides = UnitValues(name="gold", ids=ids, values=gold), UnitValues(name="good", ids=ids, values=good)
    inputs = (Input(path.name, file.sha256),)
    return [Reading(name=path.stem, kind=Scores, gold=sides[0], submissions=sides[1:], best=best, inputs=inputs)]


HONEST = Reader(name="two_columns", summary="", kind=Scores, read=read, example={"table.txt": TABLE})


def what_breaks(component) -> dict[str, str]:
    """Return what each law says that the component breaks."""
    searched = {check.law.name: check.search().found for check in checks_of(component)}
    return {law: found.what for law, found in searched.items() if found is not None}


def changed(**changes) -> Reader:
    """Return the reader with fields of its readings changed."""
    return attrs.evolve(HONEST, read=lambda path, best: [attrs.evolve(each, **changes) for each in read(path, best)])


def test_a_reader_that_keeps_its_laws_with_and_without_an_example():
    assert [check.law.name for check in checks_of(HONEST)] == ["kind", "absent", "example", "free_name"]
    assert what_breaks(HONEST) == {}
    bare = attrs.evolve(HONEST, example={})
    assert [check.law.name for check in checks_of(bare)] == ["kind", "absent", "free_name"]


def test_an_example_of_several_files_is_a_folder():
    def read_folder(path, best):
        (reading,) = read(path / "a" / "table.txt", best)
        return [attrs.evolve(reading, inputs=(Input("a/table.txt", ""),))]

    several = attrs.evolve(HONEST, read=read_folder, example={"a/table.txt": TABLE.encode()})
    assert what_breaks(several) == {}


def test_a_kind_that_nobody_knows():
    class Drawings(Batch):
        pass

    (what,) = what_breaks(attrs.evolve(HONEST, kind=Drawings, example={})).values()
    assert what.startswith("DataError: no plugin brings the kind of batches of Drawings")


@pytest.mark.parametrize(
    ("reader", "law", "what"),
    [
        (attrs.evolve(HONEST, read=lambda p, b: []), "absent", "a path that does not exist is read without an error"),
        (attrs.evolve(HONEST, read=lambda p, b: []), "example", "its example has no task"),
        (changed(inputs=()), "example", "task 'table' was read from no file: inputs are paths relative"),
        (changed(inputs=(Input("x", ""),)), "example", "task 'table' was read from 'x', which is not there"),
        (changed(kind=Batch), "example", "task 'table' is of Batch, the reader of Scores"),
        (changed(submissions=()), "example", "DataError: "),
        (changed(gold=None), "example", "PluginError: reader 'two_columns' (given): read returned None as a side of"),
    ],
)
def test_a_reader_that_breaks_a_law(reader, law, what):
    assert what_breaks(reader)[law].startswith(what)


def test_an_absent_path_must_be_named():
    def vague(path, best):
        raise DataError("nothing here")

    told = what_breaks(attrs.evolve(HONEST, read=vague, example={}))
    assert told == {"absent": "the error does not name the path that was given: nothing here"}


def test_another_error_for_an_absent_path():
    """Those of the system name the path, and are errors of the input."""
    assert "absent" not in what_breaks(attrs.evolve(HONEST, read=lambda path, best: path.read_text(), example={}))

    def wrong(path, best):
        raise LookupError(path)

    told = what_breaks(attrs.evolve(HONEST, read=wrong, example={}))
    assert told["absent"].startswith("PluginError: reader 'two_columns' (given) failed in read: LookupError")


def test_a_reader_that_reads_something_else_each_time():
    drawn = np.random.default_rng(0)

    def random(path, best):
        (reading,) = read(path, best)
        return [attrs.evolve(reading, gold=attrs.evolve(reading.gold, values=drawn.random(3)))]

    assert what_breaks(attrs.evolve(HONEST, read=random)) == {"example": "its example, read twice, has two results"}


def profile(folder: Path, text: str, name: str = "ours") -> ProfileFile:
    (folder / f"{name}.toml").write_text(text)
    return ProfileFile(name=name, summary="", file=folder / f"{name}.toml", registry=REGISTRY)


def test_a_profile_that_keeps_its_laws_says_where_its_rules_are_from(tmp_path):
    ours = profile(tmp_path, PROFILE)
    assert [check.law.name for check in checks_of(ours)] == ["resolves", "provenance", "free_name"]
    assert what_breaks(ours) == {}
    silent = PROFILE + 'alpha = 0.1\n[provenance.alpha]\ncertainty = "read"\nsource = ""\n'
    told = what_breaks(profile(tmp_path, silent.replace('source = "the announcement"\n', "")))
    assert told == {"provenance": "no source and no note for alpha; state one in 'source' or [provenance]"}


def test_a_profile_lists_all_its_mistakes(tmp_path):
    wrong = PROFILE.replace("spearman", "spearmen") + 'wihtin = "pooled"\nalpha = 7\n'
    told = what_breaks(profile(tmp_path, wrong))["resolves"]
    assert told.startswith("profile 'ours': alpha: must lie between 0 and 1, not 7; ")
    assert "primary: unknown metric 'spearmen'; did you mean 'spearman'" in told
    assert "wihtin: unknown key, did you mean 'within' or 'weights'?" in told  # codespell:ignore wihtin


def test_the_name_of_another_plugins_profile_is_not_free(tmp_path):
    told = what_breaks(profile(tmp_path, PROFILE, "wmt14_qe_task1_2"))["free_name"]
    assert told.startswith("the profile 'wmt14_qe_task1_2' is brought by plugin 'qeframe_wmt' of distribution 'qeframe")
    taken = attrs.evolve(HONEST, name="mtme")
    assert what_breaks(taken)["free_name"].startswith("the reader 'mtme' is brought by plugin 'qeframe_wmt' of")


def test_the_profiles_of_a_plugin_may_name_its_own_components(tmp_path):
    file = tmp_path / "ours.toml"
    file.write_text(PROFILE.replace("qe_plain", "two_columns"))

    class Plugin:
        @hookimpl
        def qeframe_readers(self):
            return [HONEST]

        @hookimpl
        def qeframe_profiles(self):
            return {"ours": file}

    reader, ours = components_of(Plugin())
    assert reader == HONEST
    assert what_breaks(ours) == {}
