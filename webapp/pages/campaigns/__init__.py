"""Campaigns.

campaigns      the list, and a campaign with its runs
wizard         made step by step
content_form   the form of its content
review         the review and the send button
report         the results of a campaign or of one run, also as a file
runs           runs, live
"""
