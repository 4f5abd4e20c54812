"""Kinds of aligned data: n units with a gold side and the side of one submission.

`Scores`, `Values`, `Tags`, `Spans`, `Judgments`, `Grid` and `Texts` are the kinds; `Batch` is their root, and `Ragged`,
`Tokens` and `PairedSystems` are what they are made of. No metric and no file format belongs here: readers are in
`qeframe.core.tasks`, statistics of a batch in `qeframe.core.resampling`. Only `qeframe.core.errors` is below this package.
"""
