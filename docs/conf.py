"""How Sphinx builds the documentation: ``sphinx-build -W -n --keep-going docs docs/_build``. No network is needed."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

from qeframe import __version__

project = "qeframe"
author = "The qeframe developers"
release = version = __version__
html_title = f"qeframe {release}"

extensions = [
    "attribute_docstrings",
    "attrs_signatures",
    "generated_reference",
    "myst_parser",
    "notebook_pages",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
source_suffix = {".md": "markdown"}
smartquotes_action = "D"  # two hyphens become a dash; options, which begin with two, are in code
exclude_patterns = ["_build", "_extensions"]
default_role = "code"  # docstrings write names between single back quotes

# the pages of other projects are on the network
nitpick_ignore_regex = [("py:class", r"(numpy|collections)\..*"), ("py:exc", r"unittest\..*")]

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
suppress_warnings = ["myst.strikethrough"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings state types, shapes and units
autodoc_preserve_defaults = True
napoleon_google_docstring = False
napoleon_use_param = False
napoleon_use_rtype = False

html_theme = "furo"
html_show_sphinx = False
html_copy_source = False
html_show_copyright = False
html_static_path = ["_static"]
html_extra_path = [
    "../qeframe/report/result_files/evaluation.schema.json",
    "../qeframe/gaming/audit.schema.json",
    "../qeframe/studies/distinguish.schema.json",
]
html_css_files = ["tables.css"]
html_js_files = ["accessible.js"]
