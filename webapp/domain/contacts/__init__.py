"""Contacts.

contacts         adding, changing, deleting, one or many by their ids
fields           a contact's fields changed, and the choices among them
inputs           the body of a contact
search           pages of contacts
bulk             all that a search finds, changed in batches
upsert           many at once, by their addresses
columns          what columns of a table mean
address_cells    addresses in the cells of a table
consent_columns  columns that say who has left
file_names       names of files that say that everyone has left
known_exports    such columns in the files of known tools
status_words     words that say who has left, in many languages
consent_reader   the statuses of a table's rows, and questions about them
export           as a CSV file
bounced          an address that is tried again
unsubscribe      the signed link of every campaign mail (RFC 8058)
consent          the log of what people chose, beside the database
"""
