"""The engine: from a due row to its outcome.

dispatcher        claims messages of every account that has some due, into its queue
load_messages     claimed rows as messages, a batch at a time
message           a claimed message and its SMTP transaction
email_builder     a transactional email as bytes
campaign_builder  a campaign's or a compose's mail as bytes
campaign_content  a content, compiled once per account
return_path       the tag of a return path, and what is done where a server wants none
account_queue     an account's messages and connections in this process
connection        the loop that sends one message after another over a connection
providers         SMTP or the Gmail API
settle            the outcome of an attempt, for rows and account
retry_policy      the rules by which a row is retried, waits or fails
account_breaker   an account backs off, breaks, throttles and heals
run_breaker       a run that is refused again and again is halted
lease_keeper      leases, extended while this process lives
live_state        fresh state of accounts and runs
outcome_writer    outcomes, written in batches
hard_bounces      suppresses addresses that servers say do not exist
recovery          rows of dead workers and of past days
login_test        a sign-in because a person asked, or settings wait for it
"""
