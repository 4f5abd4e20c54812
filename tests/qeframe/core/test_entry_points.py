"""What is known of plugins before any is imported."""

import qeframe
from qeframe.core.components.metric import Metric
from qeframe.core.entry_points import block_list


def test_the_block_list_is_read_from_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", " qeframe_scoring, qeframe_ties ,, qeframe_ties")
    assert block_list() == ("qeframe_scoring", "qeframe_ties")
    assert qeframe.load().blocked == ("qeframe_scoring", "qeframe_ties")
    assert "mae" not in qeframe.load().names(Metric)
    assert qeframe.load(block=[]).blocked == ()
    monkeypatch.delenv("QEFRAME_BLOCK")
    assert block_list() == ()


def test_a_block_list_given_as_text_does_not_look_at_the_environment(monkeypatch):
    monkeypatch.setenv("QEFRAME_BLOCK", "x")
    assert block_list("") == ()
    assert block_list("b,a c") == ("a", "b", "c")
