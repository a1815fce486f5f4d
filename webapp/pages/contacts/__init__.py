"""Contacts and imports.

contacts     finding, adding, changing
form         the form of a contact
bulk         what is done to the ticked ones
imports      a file, its columns, a dry run, the import
import_form  the form of the columns
"""
