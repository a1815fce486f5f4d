r"""Pennypost: one app, three doors, one outbox.

      app.py, cli.py                       wire everything
            |
   api/     |     pages/        jobs/      three doors, strangers to each other
      \     |      /             |
        http/                    |         what api and pages share at the edge
            \                    |
             +----- domain/ -----+         every rule of the service
                   /        \
              models/     sending/         rows            one message leaving
                   \        /
      addresses clock config crypto db errors file_locks logs queue redis

Imports point down, never sideways, never up; tests/test_architecture.py enforces it.
"""

__version__ = "0.1.0"
