"""Statements that are more than a lookup, a file per question.

keyset_search     a page of a long table in the order of its ids
mail_log_search   mail logs
latest_mail_logs  the mail logs that changed last
email_search      transactional emails
listed_emails     transactional emails with their recipients
picture_uses      where the address of a picture stands
request_search    API requests
event_log         events, recorded with their deliveries to webhooks
event_search      events
webhook_outbox    deliveries to webhooks, and their attempts
account_health    the circuit breaker's columns of an account, and its reduced rate
backed_up_files   the files of pictures in a backup
mail_hits         opens and clicks, saved and counted
campaign_report   outcomes, delivery times, opens and clicks of a campaign's runs, counted
suppressed        addresses that an organization sends nothing to
missing_values    contacts of an audience that lack a value
segment_filter    filters of dynamic segments in SQL
"""
