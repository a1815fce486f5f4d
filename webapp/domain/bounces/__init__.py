"""Later bounces and complaints, read from the mailboxes that they come back to.

matching  the mail log that a report is about
effects   what a report changes
reading   reads due mailboxes
settings  a mailbox is tried before it is read
reports   the reports that were read
"""
