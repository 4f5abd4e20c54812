"""Submissions of the user's own among those of a task: each is entered alone, so that no rank of another one changes.

A file in the format of the task is read by the reader, as it reads those of participants (`entering`). Everything else,
a data frame, an array, a table in a file (`given`), is put to the units of a task by its labels (`answers`). `place`
says which place the submission takes.
"""
