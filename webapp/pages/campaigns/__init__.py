"""Campaigns.

campaigns      the list, and a campaign with its runs
wizard         made step by step
review         the review and the send button
runs           runs, live
"""
