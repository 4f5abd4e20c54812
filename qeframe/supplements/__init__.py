"""What an evaluation has on request: explanations, equivalence of pairs, detectable differences, influential units.

All but slices follow from the leave-one-out scores of the jackknife. What they find is in
`qeframe.core.findings`, and their tables are in `qeframe.report.tables`. A profile can name
`wmt26_rankings`.
"""
