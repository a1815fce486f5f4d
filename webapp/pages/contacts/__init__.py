"""Contacts and imports.

contacts     finding, adding, changing
bulk         what is done to the ticked ones
imports      a file, its columns, a dry run, the import
"""
