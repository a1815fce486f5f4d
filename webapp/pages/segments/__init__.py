"""Segments.

segments      audiences and their members
filters       the form of a dynamic segment
conditions    its rows, and those of a search of contacts
filter_words  a filter in words
google_sheet  the sheet that a segment follows
"""
