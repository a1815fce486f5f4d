"""Imports of contacts from CSV files.

imports     what people do with one
files       uploads in chunks
csv_reader  reads CSV, a part at a time
worker      imports a batch of rows in each transaction
undo        takes an import back; forgets what nobody can undo any more
"""
