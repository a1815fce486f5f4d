"""Plan limits.

plans   the table of plans, which an operator's file may change
limits  counts what a plan limits, in the transaction that uses it
usage   what an organization has used, for its page
"""
