"""The folder of a result: held by one run, replaced in one step, and never emptied of files that no run wrote.

`manifest` says which files are a result's, `lock` keeps two runs apart, and `result_folder` joins them and puts one
folder in the place of another. The package below is `qeframe.core.errors`.
"""
