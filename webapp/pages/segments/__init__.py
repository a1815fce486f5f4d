"""Segments.

segments      audiences and their members
choices       the segments that a form offers
google_sheet  the sheet that a segment follows
"""
