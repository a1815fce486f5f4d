"""The engine: from a due row to its outcome.

dispatcher        claims messages of every account that has some due, into its queue
claim_backoff     accounts that had nothing to claim are asked less often
load_messages     claimed rows become messages, a batch at a time
message           a claimed message, and the transaction that it becomes
email_builder     a transactional email as bytes
campaign_builder  a campaign's or a compose's mail as bytes
campaign_content  a content, compiled once per account
account_queue     an account's messages and connections in this process
connection        the loop that sends one message after another over a connection
providers         SMTP or the Gmail API
settle            an attempt's meaning for rows, account and contacts
retry_policy      the rules by which a row is retried, waits or fails
account_breaker   outcomes put an account to rest, break it, throttle or heal it
run_breaker       halts a run that is refused again and again
lease_keeper      keeps leases alive
live_state        fresh state of accounts and runs
outcome_writer    writes outcomes in batches
recovery          takes back rows of dead workers
login_test        signs in because a person asked
"""
