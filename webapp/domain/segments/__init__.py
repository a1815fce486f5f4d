"""Segments, and the Google Sheets that they follow.

segments           audiences and their members
filters            conditions of dynamic segments, read and checked
google_sheet       which sheet a segment follows, and reading it
google_sheet_sync  the workers' part: every hour, or now
"""
