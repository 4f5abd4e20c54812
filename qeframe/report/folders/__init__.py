"""The folder of a result: held by one run, replaced as a whole, and never emptied of files that no run wrote.

`manifest` says which files are a result's, and `result_folder` keeps two runs apart and puts one folder in the place of
another. The package below is `qeframe.core.errors`.
"""
