"""Later bounces and complaints, read from the mailboxes that they come back to.

matching  the mail log that a report is about
effects   what a report changes
breaker   halts a run that bounces too often
reading   reads due mailboxes
settings  a mailbox is tried before it is read
reports   the reports that were read
"""
