"""Templates.

templates  saved mails with merge tags
lists      templates as lists show them, and their users
content    a template as content to be sent
preview    what a reader gets
"""
