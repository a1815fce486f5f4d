"""The outbox: the hot SQL statements over mail_logs, for both databases.

`mail_logs` is the queue. A worker claims rows under a lease, extends it while it works and settles each row with its
outcome; rows with expired leases are claimed again. Every statement names the status it expects and changes nothing if
it comes too late. Leases and due times use the database's clock.

insert          new rows
due             due accounts, emails and rows of runs
claims          leases due messages of an account to a worker
daily_quota     accounts' recipients per day, and the rows deferred beyond their quota
leases          extends leases of live workers and reclaims those of dead ones
settlements     saves the outcomes of claimed rows
failures        fails rows without another try
transitions     changes statuses and records mail events
emails          cancels or waits for the rows of one email or compose
stored_emails   reads many emails at once
audience        who gets a run's mail, in SQL
audience_counts  counts recipients, and members who get nothing by reason
run_rows        creates the rows of a run in batches
runs            counts, halts, resumes, defers and completes runs
restore         unsent mail in a restored database
day_statistics  counts by day
retention       deletes final rows beyond the plan's bounds
"""
