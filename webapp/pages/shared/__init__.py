"""Helpers of several pages.

search       search forms, whose state is in the URL
event_feed   events as sentences
filters      numbers and times, for templates
charts       bar charts
role_labels  roles in words
"""
