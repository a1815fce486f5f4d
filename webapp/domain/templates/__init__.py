"""Templates.

templates  saved mails with merge tags, their lists, and who uses them
content    a template as content to be sent
preview    what a reader gets
"""
