"""Sends one message: its bytes (`mime`), the connection to a server (`smtp`) or to Google, and the `outcomes`.

Knows no database and serves no HTTP; every answer is a value of `outcomes`, one per recipient. `reports` reads the
bounces and complaints that come back later.
"""
