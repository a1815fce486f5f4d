"""Sending accounts.

accounts       adding, changing, deleting
inputs         the body of an account
validation     settings that go together
changes        what the audit log says of a change
credentials    secrets, sealed to their row
google_tokens  access tokens of Google accounts
"""
