"""Segments, and the Google Sheets that they follow.

segments             audiences and their members
google_sheet         which sheet a segment follows
google_sheet_reader  reads a sheet
google_sheet_sync    the workers' part: every hour, or now
"""
