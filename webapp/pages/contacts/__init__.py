"""Contacts and imports.

contacts        finding, adding, changing
search          its text and conditions, as an address has them
bulk            what is done to the ticked ones, or to all that a search finds
imports         a file, its columns, a dry run, questions, the import
import_columns  the form of its columns
"""
