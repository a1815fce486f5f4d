"""One message leaving: its bytes (`message`), the way to a server (`guard`, `dial`, `smtp`, `pool`), the `outcomes`.

Knows no database and no HTTP; every answer is a value of `outcomes`, one per recipient.
"""
