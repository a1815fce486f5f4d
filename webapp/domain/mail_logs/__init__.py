"""Mail logs: a row per recipient.

mail_logs    reading rows, and their content as it was rendered
search       searching them
events       what happened to a row
export       as a CSV file
of_contact   of one contact
raw_message  a row's message as it goes over the wire
"""
