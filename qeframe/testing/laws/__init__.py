"""The laws of each class of components, the search for their counterexamples, checks and verdicts.

A module holds the laws of one class; `checks` runs them on a component, `qeframe.testing.verdicts` tries claims on a
metric. What the laws need of a kind of batch belongs to `qeframe.kinds`.
"""
