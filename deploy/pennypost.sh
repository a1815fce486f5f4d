#!/bin/sh
# The pennypost command with the settings of the services, as their user: docs/production.md installs it.
cd /var/lib/pennypost || exit 1
exec setpriv --reuid pennypost --regid pennypost --init-groups sh -c 'set -a; . /etc/pennypost/env; exec /opt/pennypost/.venv/bin/pennypost "$@"' pennypost "$@"
