#!/bin/sh
# Stands in for systemctl in a root without systemd: puts a unit's process in the background, as its user and with its
# environment; the user runs nothing else.
stop() {
    while ids=$(find /proc -maxdepth 1 -user pennypost -name "[0-9]*" -printf "%f "); [ -n "$ids" ]; do
        kill $ids 2>/dev/null
        sleep 1
    done
}
start() {
    install -d -m 700 -o pennypost -g pennypost /var/lib/pennypost
    cd /
    for unit in ${*:-pennypost-migrate pennypost-web pennypost-worker pennypost-sandbox}; do
        file=/etc/systemd/system/$unit.service
        common=/etc/systemd/system/pennypost-.service.d/common.conf
        more=$(sed -n 's/^Environment=//p' $file)
        run="set -a; ${more:-true}; . /etc/pennypost/env; exec $(sed -n 's/^ExecStart=//p' $file)"
        : > /var/log/$unit.log
        case $unit in
            *migrate) runuser -u "$(sed -n 's/^User=//p' $common)" -- sh -c "$run" || exit 1;;
            *) runuser -u "$(sed -n 's/^User=//p' $common)" -- sh -c "$run" >> /var/log/$unit.log 2>&1 &;;
        esac
    done
}
case "$*" in
    *caddy*)
        (echo "{"; echo local_certs; echo "}"; cat /etc/caddy/Caddyfile) > /tmp/Caddyfile
        caddy reload --config /tmp/Caddyfile --adapter caddyfile > /var/log/caddy.log 2>&1 && exit
        exec caddy start --config /tmp/Caddyfile --adapter caddyfile > /var/log/caddy.log 2>&1;;
    enable*web2) start pennypost-web2;;
    enable*|start*) start;;
    stop*) stop;;
    restart*) stop; start;;
esac
