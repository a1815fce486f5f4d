"""Sending accounts.

accounts      adding, testing, changing, pausing, deleting
bounces       the mailbox that bounces are read from
google        to Google's consent page and back
smtp_presets  settings of common providers
"""
