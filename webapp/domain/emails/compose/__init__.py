"""Mail whose outcomes are in the answer to its request.

inputs   fields and their rules
compose  resolves a request, adds rows that are sent like others, and waits for their outcomes
"""
