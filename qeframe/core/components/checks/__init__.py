"""What a component returns is checked on every call, where it enters the framework.

`work` runs a function of a component and names the component in every failure, warning and printed line. Shapes and
ranges are in one table, `qeframe.core.returned`. The core calls components through the functions here, never by
themselves.
"""
