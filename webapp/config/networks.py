"""Reads networks and addresses of servers."""

import ipaddress
from urllib.parse import urlsplit

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

DNS_PORT = 53


def parse_dns_servers(text: str) -> tuple[tuple[str, int], ...]:
    servers = list[tuple[str, int]]()
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            parts = urlsplit(f"//[{part}]" if part.count(":") > 1 and "[" not in part else f"//{part}")
            servers.append((str(ipaddress.ip_address(parts.hostname or "")), parts.port or DNS_PORT))
        except ValueError:
            raise ValueError("must be addresses, with ports or not, like 192.0.2.53,[2001:db8::53]:5353") from None
    return tuple(servers)


def parse_private_hosts(text: str) -> bool | tuple[Network, ...]:
    if text in ("0", "1"):
        return text == "1"
    try:
        return parse_networks(text)
    except ValueError:
        raise ValueError("must be 0, 1, or networks separated by commas, like 10.0.0.0/8,192.168.1.0/24") from None


def parse_networks(text: str) -> tuple[Network, ...]:
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("must be networks separated by commas, like 10.0.0.0/8,192.168.1.0/24") from None
