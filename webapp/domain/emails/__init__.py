"""Transactional emails.

inputs           the body of a send, and of a batch
attachments      its files
accept           commits emails to be sent: content, files, a row per recipient
resolve_content  finds templates and fills them in
tracked          links and a pixel whose hits are counted
choose_account   the account that sends an email
emails           reading, searching and cancelling emails
retry            one failed recipient, once more
export           as a CSV file
send_test        test mails of accounts, templates and campaigns
compose/         mail that is delivered within its request
"""
