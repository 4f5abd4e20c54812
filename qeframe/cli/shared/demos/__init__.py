"""The generated tasks of `qeframe demo`: their files, from a seed.

How a generated task is evaluated belongs to `qeframe.cli.commands.demo`.
"""
