"""What shows the results of each class: the place of the class, and that of its `ResultView`.

Places are names, since a view is imported when a result is shown, and that of an audit lies above this package.
"""

VIEWS = {
    "qeframe.core.result:Evaluation": "qeframe.report.views:EVALUATION",
    "qeframe.core.result:Result": "qeframe.report.views:RESULT",
    "qeframe.api.arrays.comparisons:Comparisons": "qeframe.report.views:COMPARISONS",
    "qeframe.api.arrays.comparisons:ComparisonsByMetric": "qeframe.report.views:COMPARISONS_BY_METRIC",
    "qeframe.report.layouts.table:Table": "qeframe.report.views:TABLE",
    "qeframe.gaming.audit:Audit": "qeframe.gaming.views:AUDIT",
}
