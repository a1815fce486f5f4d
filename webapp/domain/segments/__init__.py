"""Segments, and the Google Sheets that they follow."""
