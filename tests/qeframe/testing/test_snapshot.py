import attrs
import pytest

import qeframe
from qeframe.core.errors import DataError
from qeframe.testing.snapshot import changes, lock, read_lock, write_lock

REGISTRY = qeframe.load()
PLUGINS = ["qeframe_ties"]


@pytest.fixture(scope="module")
def locked():
    return lock(REGISTRY, plugins=PLUGINS)


def test_nothing_changes_by_itself(locked, tmp_path):
    write_lock(locked, tmp_path / "lock.json")
    assert changes(read_lock(tmp_path / "lock.json"), REGISTRY, plugins=PLUGINS) == []


def test_a_changed_number_is_told_with_its_smallest_input(locked):
    old = locked["tie policy wmt13"]
    other = attrs.evolve(old, values={**old.values, "<<": "2"})
    (change,) = changes({**locked, "tie policy wmt13": other}, REGISTRY, plugins=PLUGINS)
    assert (change.component, change.kind, change.broken) == ("tie policy wmt13", "changed", True)
    assert change.what.startswith("on << 2 became 1 (recorded of qeframe ")
    assert change.input == {"human": "<", "metric": "<"}


def test_what_is_gone_is_broken_and_what_is_new_is_not(locked):
    recorded = {name: record for name, record in locked.items() if name != "tie policy wmt14"}
    recorded["tie policy wmt99"] = locked["tie policy wmt14"]
    found = {change.component: (change.kind, change.broken) for change in changes(recorded, REGISTRY, plugins=PLUGINS)}
    assert found == {"tie policy wmt14": ("new", False), "tie policy wmt99": ("gone", True)}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "it is not JSON"),
        ("{}", "is no lock file of format 1"),
        ('{"format": 1, "components": {"x": {}}}', "its components are not as written"),
    ],
)
def test_other_files_are_refused(tmp_path, text, what):
    path = tmp_path / "lock.json"
    path.write_text(text)
    with pytest.raises(DataError, match=what):
        read_lock(path)


def test_files_that_cannot_be_read_or_written(tmp_path, locked):
    with pytest.raises(DataError, match="cannot be read"):
        read_lock(tmp_path / "none.json")
    with pytest.raises(DataError, match="cannot be written"):
        write_lock(locked, tmp_path / "none" / "lock.json")
