"""Evaluations of another shape: assemblers."""

from qeframe.components.assembler import Assembler

__all__ = ["Assembler"]
