"""The Kendall family: tau over judgments by a tie policy, tau-b and tau-c on grids.

`cells` counts the nine cells of judgments, `concordance` counts the pairs of a grid, `taus` has the metrics tau-b and
tau-c. Accuracies of pairs are in `accuracy`. Below are `exchanges` and `grids`.
"""
