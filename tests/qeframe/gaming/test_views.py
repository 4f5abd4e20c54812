"""An audit shows itself in a line, as tables, as a data frame and as a figure."""


def test_an_audit_in_a_line_and_as_tables(audit):
    assert repr(audit).startswith("<Audit of 3 metrics: ")
    assert str(audit).startswith("Gaming audit")
    assert len(str(audit.whole())) > len(str(audit))


def test_an_audit_as_a_data_frame(audit):
    frame = audit.to_frame("pandas")
    assert list(frame.columns)[:3] == ["metric", "searched", "attack"]
    assert len(frame) == sum(len(metric.attacks) + len(metric.finds) for metric in audit.metrics)


def test_an_audit_as_a_figure(audit):
    assert audit.plot().axes
