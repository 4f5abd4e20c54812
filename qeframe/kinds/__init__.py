"""Kinds of batch: a folder for each, with its class (`batch`) and what the other packages need to know of it (`kind`).

A `BatchKind` says what the plain file of a kind is, which answers the laws and the audit try, what its generated gold
and its fixed inputs are. A new kind is one such folder and one entry in `qeframe.kinds.hooks`. Laws and attacks do not
belong here. Hypothesis is imported only when a strategy is called. `qeframe.core` and `qeframe.data` are below.
"""
