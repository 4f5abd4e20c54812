"""Readers of WMT shared-task files, and the rules of each shared task as profiles."""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable

from qeframe import hookimpl
from qeframe.components import Family, Reader
from qeframe_wmt.four_columns import qe_four_columns
from qeframe_wmt.graham import graham_table
from qeframe_wmt.plain import qe_plain
from qeframe_wmt.sentence import qe_sentence

__all__ = ["graham_table", "qe_four_columns", "qe_plain", "qe_sentence", "qeframe_profiles", "qeframe_readers"]


@hookimpl
def qeframe_readers() -> Sequence[Reader | Family[Reader]]:
    """Bring the readers."""
    return [Family(graham_table), Family(qe_four_columns), qe_plain, Family(qe_sentence)]


@hookimpl
def qeframe_profiles() -> Mapping[str, Traversable]:
    """Bring the profiles, named by their files."""
    folder = files(__name__).joinpath("profiles")
    return {file.name.removesuffix(".toml"): file for file in folder.iterdir() if file.name.endswith(".toml")}
