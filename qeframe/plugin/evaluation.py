"""Evaluations of another shape: assemblers."""

from qeframe.core.components.assembler import Assembler

__all__ = ["Assembler"]
