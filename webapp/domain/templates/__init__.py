"""Templates.

templates  saved mails with merge tags
content    a template as content to be sent
preview    what a reader gets
"""
