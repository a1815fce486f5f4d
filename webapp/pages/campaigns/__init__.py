"""Campaigns.

campaigns      the list, and a campaign with its runs
wizard         made step by step
schedule_form  the form of a schedule
review         the review and the send button
runs           runs, live
"""
