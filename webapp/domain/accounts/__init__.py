"""Sending accounts.

accounts       adding, changing, deleting
inputs         the body of an account
validation     settings that go together
selection      the accounts that can send
holds          why others send nothing right now
credentials    secrets, sealed to their row, and where they may be sent
google_tokens  access tokens of Google accounts
"""
