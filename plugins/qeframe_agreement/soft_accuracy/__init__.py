"""Soft pairwise accuracy: the agreement of p-values, and its mean with acc_eq.

`statistic` has the metric, `p_values` the tests of systems inside it, `exchange` the p-values of mixed scores,
`combined` the official score of two levels. Below are `accuracy`, `exchanges` and `grids`.
"""
