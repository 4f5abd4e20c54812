"""What an evaluation has on request: explanations, equivalence of pairs, detectable differences, influential units.

All but slices follow from the leave-one-out scores of the jackknife. A module has the frozen values that a result holds
and the function that computes them from a `Comparable`.
"""
