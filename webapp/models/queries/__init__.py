"""Queries that are more than a lookup, one file per question.

keyset_search     a page of a long table in ID order
mail_log_search   mail logs
latest_mail_logs  the mail logs that changed last
email_search      transactional emails
listed_emails     transactional emails with their recipients
picture_uses      where a picture's address is used
request_search    API requests
event_log         records events and their webhook deliveries
event_search      events
webhook_outbox    webhook deliveries and their attempts
account_health    the columns of an account's circuit breaker and throttling
backed_up_files   pictures in a backup
mail_hits         saves and counts opens and clicks
campaign_report   outcomes, delivery times, opens and clicks of a campaign
suppressed        an organization's suppressed addresses
missing_values    contacts of an audience that lack a value
segment_filter    filters of dynamic segments in SQL
"""
