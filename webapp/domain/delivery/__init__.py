"""The engine: from a due row to its outcome.

dispatcher        claims messages of every due account, and sends them
claim_backoff     accounts that had nothing to claim are asked less often
load_messages     claimed rows become messages, a batch at a time
account_queue     an account's messages and connections in this process
deliver           a message becomes an outcome
email_builder     a transactional email as bytes
campaign_builder  a campaign's mail as bytes
campaign_content  a campaign's content, compiled once
providers         SMTP or the Gmail API
retry_policy      what becomes of a row after an attempt
account_breaker   what outcomes do to an account
run_breaker       halts a run that is refused again and again
lease_keeper      keeps leases alive
live_state        fresh state of accounts and runs
outcome_writer    writes outcomes in batches
recovery          takes back rows of dead workers
login_test        signs in because a person asked
"""
