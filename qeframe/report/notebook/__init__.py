"""What a notebook shows of a result: a table, a data frame, a figure.

`qeframe.shown` asks, this package answers: `views` makes short and whole tables as HTML and as text, `frames` makes
data frames of records, `plots` chooses figures. The packages below are `qeframe.report.html` and
`qeframe.report.figures`.
"""

from qeframe.report.notebook.frames import frame
from qeframe.report.notebook.plots import figure
from qeframe.report.notebook.views import line, view

__all__ = ["figure", "frame", "line", "view"]
