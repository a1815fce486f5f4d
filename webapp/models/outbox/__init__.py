"""The outbox: the hot SQL statements over mail_logs, for both databases.

`mail_logs` is the queue. A worker claims rows under a lease, extends it while it works and settles each row with its
outcome; rows with expired leases are claimed again. Every statement names the status it expects and changes nothing if
it comes too late. Leases and due times use the database's clock.
"""
