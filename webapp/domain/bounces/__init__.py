"""Later bounces and complaints, read from mailboxes.

matching  finds the mail log of a report
effects   applies a report
breaker   halts runs that bounce too often
reading   reads due mailboxes
settings  tests and saves a mailbox
reports   lists the reports that were read
"""
