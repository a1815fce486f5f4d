"""Campaigns.

campaigns      adds, changes, copies and deletes campaigns
inputs         the body of a campaign
overview       the list, and the parts of a campaign
review         recipients, accounts and forecast before a send
review_checks  problems that a review reports
forecast       when a send will be done
content        the email: the template with the campaign's own subject, preview text and link parameters
tracked_links  rewrites links to count clicks
preview        the email as a contact sees it
send           starts a run
run_rows       creates a run's rows in the background
runs           runs, their audiences and counts
run_progress   the progress of a run
run_report     a run in detail
report         results of a campaign or run: outcomes, opens, clicks, links, providers, bounces
report_csv     the report as a CSV file
timeline       sent emails by minute, hour or day
bounce_limits  limits of later bounces and complaints
totals         recipients over all runs
stop           halts and resumes runs
scheduling     computes a campaign's next run
scheduler      starts due runs
recurrence     occurrences of a schedule, and schedules in words
"""
