"""Merge tags: Liquid, bounded.

merge_tags     parses and renders
validation     says in words what is wrong with a template
rendering      content with its values filled in
budget         what a rendering may cost, and where it runs
liquid         the environment of python-liquid
lexer          text and tags, in linear time
parser         the variables of a template
filters        the filters that are allowed
dates          dates as Liquid reads and writes them
html_escaping  values escaped by where they stand
fast_path      templates without logic, cut once
"""
