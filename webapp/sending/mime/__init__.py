"""Messages as bytes (RFC 5322, MIME).

message       a message: its template once per content, each recipient's values between
headers       header fields, encoded and folded
entities      bodies and attachments
preencoded    text parts of which only the values are encoded for each message
html_text     the text part for an html body
html_reader   reads html for it
line_endings  CRLF and dot-stuffing
"""
