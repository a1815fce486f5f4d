"""The installation as a whole.

suspension       nothing is sent until an operator resumes it
restore          a database from a backup sends nothing twice
retention        deletes what plans no longer keep
totals           the numbers of rows that triggers keep
secret_rotation  sealed columns under another key
workers          heartbeats
untrusted_proxy  a proxy that the settings do not name
"""
