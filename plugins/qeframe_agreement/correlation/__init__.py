"""Pearson's and Spearman's correlation of segment scores on grids, and correlations without their sign.

The formulas are in the core (`pearson_of_moments` and others in `qeframe.plugin`); correlations of systems are in
`systems`. Below are `systems`, `exchanges` and `grids`.
"""
