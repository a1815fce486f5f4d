"""Templates.

templates  saved mails with merge tags, and mails made of them
preview    what a reader gets
"""
