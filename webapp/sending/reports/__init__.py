"""Later bounces and complaints: reads a mailbox without changing it, and interprets its reports.

imap            reads new messages by IMAP
gmail           reads new messages by the Gmail API
imap_session    one conversation with an IMAP server
imap_client     the library, with bounds on what a server may send
mailbox         the types of a mailbox and its messages
parse           the verdicts in a message
mime_parts      takes a message apart, within bounds
classification  judges refusals, also those in the SMTP dialogue, by a table of rules
wordings        the wordings of servers that the rules search for
wordings_abroad  the same in other languages than English
prose           reports written for people
"""
