"""The audit log.

audit  records actions and lists them
"""
