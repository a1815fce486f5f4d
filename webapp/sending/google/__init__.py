"""Google: the Gmail API, spreadsheets and the tokens for both.

gmail   sends a message by the Gmail API
oauth   the token endpoint (RFC 6749)
sheets  reads the cells of a spreadsheet
"""
