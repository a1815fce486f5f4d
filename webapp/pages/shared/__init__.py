"""What several pages need.

search          what is searched for, in the address
filters         numbers and times, for templates
charts          bar charts
qr_code         QR codes
role_labels     roles in words
user_agents     browsers in words
throttles       bounded numbers of attempts
template_cache  compiled templates on the disk
"""
