# SPDX-License-Identifier: GPL-2.0-or-later
"""Sphinx's configuration of the site; `prepare` makes its pages."""
import os
import sys

sys.dont_write_bytecode = True
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
from tapc_lexer import TapcLexer

project = html_title = "tapc"
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"
templates_path = [os.path.join(here, "templates")]
html_static_path = [os.path.join(here, "static")]
html_css_files = ["site.css"]
html_show_copyright = html_show_sphinx = html_copy_source = html_show_sourcelink = html_use_index = False
pygments_style, pygments_dark_style = "friendly", "monokai"
highlight_language = "text"
smartquotes = False	# they would change --options
# a line of a shell or of output may not be one of its language
suppress_warnings = ["misc.highlighting_failure"]


def without_generator(app, page, template, context, tree):
	"""The generator's own tags name another site."""
	context["metatags"] = ""


def setup(app):
	app.add_lexer("tapc", TapcLexer)
	app.connect("html-page-context", without_generator)
	return {"parallel_read_safe": True, "parallel_write_safe": True}
