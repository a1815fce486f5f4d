"""Imports of contacts from CSV files.

imports     what people do with one
files       uploads in chunks
csv_reader  reads CSV, a part at a time
rows        rows as contacts
worker      imports a batch in each transaction
undo        takes an import back
cleanup     removes what nobody can undo any more
"""
