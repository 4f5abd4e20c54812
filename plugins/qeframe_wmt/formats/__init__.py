"""Formats that several readers share: header lines, columns by tabs, columns with names, and the layouts of all years.

Nothing here knows a task or a year alone. The readers, one package above, use these modules; below is `qeframe.plugin`.
"""
