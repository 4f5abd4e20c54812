"""A `Table` as a value, the format of its numbers, and one module for each way to write it.

A layout escapes and aligns the texts of a table. What the texts are is decided in `qeframe.report.tables`, above. The
package below is `qeframe.core.errors`.
"""
