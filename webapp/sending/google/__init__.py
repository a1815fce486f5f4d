"""Google: the Gmail API, spreadsheets and the tokens for both."""
