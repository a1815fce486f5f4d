"""Merge tags: Liquid with bounds on time and output.

rendering      texts and contents with their values filled in, or their faults
budget         bounds of a rendering, and the threads that run it
liquid         the environment of python-liquid
lexer          text and tags, in linear time
parser         the variables of a template
filters        the filters that are allowed
dates          dates as Liquid reads and writes them
masking        tags replaced with words while something else is compiled
html_escaping  values escaped by their position in html
fast_path      simple templates, rendered without the library
"""
