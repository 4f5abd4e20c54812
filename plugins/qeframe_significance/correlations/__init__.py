"""Tests of two correlations with the same gold, which assume that all values are normal.

`williams_formula` has Williams' t, `dependent_correlations` the z tests of Steiger, of Meng, Rosenthal and Rubin, and
of Hittner, May and Silver. `by_normal_theory` has all of them as components.
"""
