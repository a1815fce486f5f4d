#!/bin/sh
# Copies the database, the pictures and the consent log into a folder for each day of the week: docs/backups.md.
set -eu
umask 077
folder=/var/backups/pennypost/$(date +%a)
mkdir -p "$folder"
cd "$folder"
runuser -u postgres -- pg_dump -Fc pennypost > pennypost.dump.part
mv pennypost.dump.part pennypost.dump
cd /var/lib/pennypost
mkdir -p media
tar -cf "$folder/media.tar" media
if [ -f consent.log ]; then cp consent.log "$folder/consent.log"; fi
