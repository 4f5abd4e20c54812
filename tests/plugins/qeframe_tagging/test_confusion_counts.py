"""What the token metrics tell beside the score."""

from qeframe.kinds.tags.batch import Tags
from qeframe_tagging import mcc
from qeframe_tagging.confusion_counts import confusion_details


def test_counts_precision_and_recall():
    batch = Tags.from_plain([["OK", "BAD", "BAD"], ["OK"]], [["OK", "OK", "BAD"], ["BAD"]])
    told = confusion_details(batch)
    assert told["confusion"] == {"OK": {"OK": 1, "BAD": 1}, "BAD": {"OK": 1, "BAD": 1}}
    assert told["precision"] == {"OK": 0.5, "BAD": 0.5}
    assert told["recall"] == {"OK": 0.5, "BAD": 0.5}
    assert mcc.details is confusion_details


def test_a_class_without_tokens_has_zero_shares():
    told = confusion_details(Tags.from_plain([["OK", "OK"]], [["OK", "OK"]]))
    assert told["precision"]["BAD"] == told["recall"]["BAD"] == 0.0
