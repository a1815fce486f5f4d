"""Later bounces and complaints: reads a mailbox, changes nothing in it, and says what its reports mean.

parse           the verdicts in a message
mime_parts      takes a message apart, within bounds
classification  the type of a bounce by its status
prose           reports that are written for people
"""
