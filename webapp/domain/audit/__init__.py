"""The audit log.

audit  records who did what, and lists it
"""
