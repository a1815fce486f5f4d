"""Contacts.

contacts         adding, changing, deleting, one or many by their ids
inputs           the body of a contact
search           pages of contacts
bulk             all that a search finds, changed in batches
upsert           many at once, by their addresses
columns          what columns of a table mean
consent_columns  columns that say who has left
export           as a CSV file
unsubscribe      the signed link of every campaign mail (RFC 8058)
consent          the log of who left, beside the database
"""
