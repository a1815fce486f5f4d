"""Events: what happened to emails, contacts, campaigns, accounts and suppressions.

events   a list of events, with the data of what they are about
"""
