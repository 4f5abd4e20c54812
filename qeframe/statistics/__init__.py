"""Formulas that an evaluation does without: correlations, power, and exchanges of any statistic of weights.

Plugins, studies and reports use them.
"""
