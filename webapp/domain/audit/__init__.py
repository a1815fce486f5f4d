"""The audit log.

audit   records who did what
search  searches entries
"""
