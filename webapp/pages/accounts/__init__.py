"""Sending accounts.

accounts      adding, testing, changing, pausing, deleting
google        to Google's consent page and back
smtp_presets  settings of common providers
"""
