"""Tasks: from files to gold and submissions that are aligned unit by unit.

Here are the functions that read lines, columns, tags, texts and SGML, the layout of a task's folder, what a reader
returns (`Reading`), and its alignment into a `Task`. The formats of single shared tasks do not belong here: plugins
read them. What a unit may be is defined one package below, in `qeframe.core.batches`.
"""
