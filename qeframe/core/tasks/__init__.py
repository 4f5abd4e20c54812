"""Tasks: what a reader returns (`Reading`), and gold and submissions that are aligned unit by unit (`Task`).

The alignment, and what readers of several formats share, are in `qeframe.data`; the formats themselves are in plugins.
What a unit may be is defined one package below, in `qeframe.core.batches`.
"""
