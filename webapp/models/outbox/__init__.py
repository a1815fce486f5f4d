"""The outbox: the hot statements over mail_logs, in SQL, for both databases.

`mail_logs` is the queue. A worker claims rows under a lease, extends the lease while it works and settles each row with
its outcome; a row with an expired lease is claimed again. Every statement names the status it expects, and one that
comes too late changes nothing. Leases and due times go by the database's clock.

insert          new rows
due             accounts, emails and rows of runs that are due
claims          due messages of an account, leased by a worker
daily_quota     an account's recipients of a day, and the rows deferred beyond them
leases          extended by live workers, reclaimed from dead ones
settlements     outcomes of claimed rows
failures        rows that fail without another try
transitions     changes of statuses, with the mail events that record them
emails          rows of one email or compose: cancelled, or waited for
stored_emails   the parts of emails, read for many at once
audience        who gets a run's mail, in SQL
audience_counts  the recipients, and the members who get nothing, by reason
run_rows        rows of a run, created batch by batch
runs            rows of a run: counted, halted, resumed, deferred, completed
restore         unsent mail in a restored database
day_statistics  counts by day
retention       final rows, deleted beyond the plan's bounds
"""
