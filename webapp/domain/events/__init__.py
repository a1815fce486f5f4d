"""Events: what happened to emails, contacts, campaigns, accounts and suppressions.

record   contacts as events carry them
events   a list of events and their data
"""
