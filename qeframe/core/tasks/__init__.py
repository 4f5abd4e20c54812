"""Tasks: from what a reader returns to gold and submissions that are aligned unit by unit.

Here are lines of text files, what a reader returns (`Reading`), and its alignment into a `Task`. What readers of
several formats share is in `qeframe.data`; the formats themselves are in plugins. What a unit may be is defined one
package below, in `qeframe.core.batches`.
"""
