#!/bin/sh
# The pennypost command with the settings of the services, as their user: docs/production.md installs it.
# Drivers look for certificates in the home directory, which setpriv leaves as it is.
cd /var/lib/pennypost || exit 1
export HOME=/var/lib/pennypost
exec setpriv --reuid pennypost --regid pennypost --init-groups sh -c 'set -a; . /etc/pennypost/env; exec /opt/pennypost/.venv/bin/pennypost "$@"' pennypost "$@"
