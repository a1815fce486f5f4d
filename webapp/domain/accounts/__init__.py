"""Sending accounts.

accounts       adding, changing, deleting
inputs         the body of an account
validation     settings that go together
credentials    secrets, sealed to their row
google_tokens  access tokens of Google accounts
"""
