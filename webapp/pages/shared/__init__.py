"""Helpers of several pages.

search          search forms, whose state is in the URL
filters         numbers and times, for templates
charts          bar charts
qr_code         QR codes
role_labels     roles in words
user_agents     browsers in words
throttles       bounded numbers of attempts
template_cache  compiled templates on the disk
"""
