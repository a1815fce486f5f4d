"""Campaigns.

campaigns      the list, and a campaign with its runs
wizard         made step by step
content_form   the form of its content
review         the review and the send button
runs           runs, live
"""
