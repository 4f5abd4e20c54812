"""Task sets: parts of several metrics, levels and selections, scored and tested as a whole.

`plan` finds the parts of a profile in the tasks that were read, `parts` binds their metrics. `exchanges_of_parts`
collects the differences of all exchanges. `overall` is what significance tests are given for the overall score.
`assembly` makes an `Evaluation` of them. The modules below are those of `qeframe.core.evaluation`.
"""
