"""Transactional emails.

inputs           the body of a send
batch_inputs     the body of a batch
accept           commits emails to be sent
resolve_content  finds templates and fills them in
choose_account   the account that sends an email
build_rows       an email as rows: content, files, recipients
emails           reading emails
search           searching them
cancel           cancelling
export           as a CSV file
send_test        test mails of accounts, templates and campaigns
compose/         mail that is delivered within its request
"""
