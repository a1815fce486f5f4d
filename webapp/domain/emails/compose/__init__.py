"""Mail whose outcomes are in the answer to its request.

inputs   fields and their rules
draft    a request with its account, content and recipients
compose  rows that are sent like others, and the wait for their outcomes
"""
