"""Later bounces and complaints: reads a mailbox, changes nothing in it, and says what its reports mean.

imap            reads new messages by IMAP
gmail           reads new messages by the Gmail API
imap_session    one conversation with an IMAP server
imap_client     the library, with bounds on what a server may send
mailbox         a login, the result of a reading, and why there is none
parse           the verdicts in a message
mime_parts      takes a message apart, within bounds
classification  the judgement of a refusal, also in the SMTP dialogue: a table of rules
wordings        the wordings of servers that the rules look for
wordings_abroad  the same in other languages than English
prose           reports that are written for people
"""
