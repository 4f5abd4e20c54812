"""From files to tasks: alignment by id, and what readers of several formats share.

That is folders of tasks, SGML, translations, language pairs, names of places.
"""
