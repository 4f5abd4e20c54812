"""Corrected translations, and the scores that a quality metric gives before and after."""
