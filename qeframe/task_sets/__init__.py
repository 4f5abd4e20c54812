"""Task sets: parts of several metrics, levels and selections, scored and tested as a whole.

`plan` finds the parts of a profile in the tasks that were read, `parts` makes a contest of each. `overall` is the
contest of the overall scores, their sum. `assembly` makes an `Evaluation` of them. The modules below are those of
`qeframe.core.evaluation`.
"""
