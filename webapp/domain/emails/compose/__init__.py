"""Mail whose outcome is in the answer to the request that hands it in.

inputs   fields and their rules
draft    account, content and recipients that a request names
compose  its rows go the way of all mail, and it waits for their outcomes
"""
