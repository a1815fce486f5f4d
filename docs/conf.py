"""The site that `make docs` builds from these pages."""

project = "Pennypost"
extensions = ["myst_parser"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Pennypost"
html_favicon = "../static/favicon.svg"
html_copy_source = False
html_show_sphinx = False
