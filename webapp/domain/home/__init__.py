"""The home page.

home         today's mail, what needs a person, what is running, the first steps
daily_chart  mail per day
"""
