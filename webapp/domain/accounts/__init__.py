"""Sending accounts.

accounts       adds, changes and deletes accounts
inputs         the body of an account
validation     settings that depend on each other
selection      accounts that can send
holds          why accounts send nothing right now
credentials    secrets, sealed to their row, and the servers that may get them
google_tokens  access tokens of Google accounts
"""
