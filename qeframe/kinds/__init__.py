"""What the framework needs of each kind of batch: one module for each kind, and the plain files of all.

`qeframe.core.batches` has the classes. This package has a `BatchKind` for each: its plain file, the answers that the laws
and the audit try, its generated gold, and its fixed inputs. A new kind is one such module and one entry in
`qeframe.kinds.registered`, or one call of `register_kind` in a plugin. Laws and attacks do not belong here. Hypothesis
is imported only when a strategy is called. The packages below are `qeframe.core.tasks` and `qeframe.core.resampling`.
"""
