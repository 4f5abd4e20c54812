"""The gaming audit: attacks on metrics, the index of each attack, and claims that are tried.

`audit` is the study, `attacking` tries the attacks on one metric, `measurement` measures one attack on one gold,
`index` has the results. Attacks are components of plugins; claims and their laws belong to `qeframe.testing`, which is
the package below; the answers and the generated gold of each kind of batch belong to `qeframe.kinds`.
"""
