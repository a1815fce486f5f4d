#!/bin/sh
# Copies the database, the images and the consent log into a folder for each day of the week: docs/backups.md.
set -eu
umask 077
folder=/var/backups/pennypost/$(date +%a)
data=/var/lib/pennypost
mkdir -p "$folder"
cd /
runuser -u postgres -- pg_dump -Fc pennypost > "$folder/pennypost.dump.part"
mv "$folder/pennypost.dump.part" "$folder/pennypost.dump"
if [ -d $data/media ]; then tar -cf "$folder/media.tar" -C $data media; fi
if [ -f $data/consent.log ]; then cp $data/consent.log "$folder/consent.log"; fi
