"""Pairwise accuracy with ties within items (acc_eq), and the calibration of its threshold of ties.

`within_items` has the metric, `calibration` and `threshold_search` find the threshold, `held_thresholds` exchanges at
thresholds that do not change, `outcomes` counts where one metric is right and another one wrong. The accuracy of pairs
of systems by their means is in `systems`. Below are `exchanges` and `grids`.
"""
