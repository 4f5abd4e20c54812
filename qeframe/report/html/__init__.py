"""Pages of HTML: one file each, with its style and script inside, that loads nothing else.

`evaluation_page` makes the page of a run, and `tables_page` that of any other command. `facts` holds what a page shows
beside ``evaluation.json``. The pictures are drawn here directly: a figure of `qeframe.report.figures` takes a hundred
times as long and as many bytes, and its texts are outlines that no screen reader reads.
"""
