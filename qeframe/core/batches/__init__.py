"""What every kind of aligned data has: n units with a gold side and the side of one submission.

`Batch` is the root of all kinds, `Ragged` holds rows of different lengths. The kinds themselves are in `qeframe.kinds`.
No metric and no file format belongs here. Only `qeframe.core.errors` is below this package.
"""
