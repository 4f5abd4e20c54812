"""Tests on grids of segments and systems."""
