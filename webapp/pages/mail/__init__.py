"""Mail logs and emails.

mail_logs  a row per recipient
emails     what programs handed in
filters    what people search for
views      a mail opened, and files to save
frame      a mail in a sandboxed frame
"""
