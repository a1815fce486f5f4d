"""The home page.

home         today's mail, what is running, the first steps
alerts       what needs a person
daily_chart  mail per day
"""
