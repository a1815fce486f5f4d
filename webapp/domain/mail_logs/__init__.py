"""Mail logs: a row per recipient.

mail_logs     reading rows, their content as it was rendered, and what happened to them
search        searching them
export        as a CSV file
browser_view  a campaign's email for its recipient's browser
raw_message   a row's message as it goes over the wire
"""
