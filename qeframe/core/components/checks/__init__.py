"""What a component returns is checked once, where it enters the framework.

`work` runs a function of a component and names the component in every failure, warning and printed line. One module for
each class of components checks what it returns. The core calls components through these functions, never by themselves.
A new check belongs into the module of its class; the message comes from `qeframe.core.resampling.return_checks`.
"""
