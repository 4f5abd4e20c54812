"""Values that the caller gives, in place of the files of a task: lists, arrays, columns of data frames, batches.

`scoring` scores one submission, with an interval if it is asked for. `comparing` compares several under one metric or
more, and corrects what belongs together; `comparisons` holds the result. Nothing is read or written. The module below
is `qeframe.core.comparison`.
"""
