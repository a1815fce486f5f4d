"""The addresses that an organization sends nothing to, in any way; webapp/models/queries/suppressed.py looks them up.

inputs        addresses and domains from outside
suppressions  the list: shown, added to, removed from
csv_import    entries from a file
file_reasons  why they are on the lists of other services
export        the list as a CSV file
"""
