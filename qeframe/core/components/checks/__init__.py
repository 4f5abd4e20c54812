"""Plugins are held to their word: what a component returns is checked once, where it enters the framework.

`work` runs a function of a component: it names the component in every failure, and what it prints. One module for each
class of components checks what it returns. The core calls components through these functions, never by themselves.
A new check belongs into the module of its class; the message comes from `qeframe.core.resampling.return_checks`.
"""
