"""Campaigns.

campaigns      adding, changing, copying, deleting
inputs         the body of a campaign
overview       the list, and what a campaign is made of
review         everything to know before a send: recipients, accounts, forecast
review_checks  what a review finds wrong
forecast       when it will be done
content        what its mail says: the template, with the campaign's own subject, preview text and link parameters
tracked_links  rewrites the links of what is sent, where clicks are counted
preview        what its mail looks like
send           starts a run
run_rows       creates a run's rows in the background; those that wait for the next day
runs           runs, their audiences and their counts
run_progress   how far a run is
run_report     a run in detail
report         the results of a campaign or of one run: outcomes, opens, clicks, links, providers, bounces
report_csv     the same as a CSV file
timeline       when the emails were sent, in minutes, hours or days
bounce_limits  how many of a run's emails may bounce later
totals         recipients over all runs
stop           halting and resuming
scheduling     sets a campaign's next run
scheduler      starts runs that are due
recurrence     when a schedule fires; schedules in words
"""
