"""The media library: pictures that an organization puts into its emails.

picture   makes an upload fit for emails; a script that is run as a process of its own
convert   runs it within bounds of time and memory
media     the library: shown, added to, deleted from
files     the stored files, which several organizations may name
uses      the templates and emails that show a picture
backup    pictures in a backup's file, and back into the storage
"""
