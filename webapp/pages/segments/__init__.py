"""Segments.

segments      audiences and their members
google_sheet  the sheet that a segment follows
"""
