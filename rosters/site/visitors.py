"""Visitors without an account: their addresses, marks that distinguish them, hourly limits."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

NOWHERE = "0.0.0.0"  # for a server that listens on a Unix socket


def client_address(request: HttpRequest) -> str:
    """Return the client's address as the outermost of our own proxies saw it.

    Each proxy appends the address of its client to X-Forwarded-For. Any address before these may be forged by the
    client. If a request has passed fewer proxies than configured, it has bypassed them, and the address of its
    connection is returned.
    """
    hops = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if 0 < settings.PROXIES <= len(hops) and (address := _plain(hops[-settings.PROXIES])):
        return address
    return _plain(request.META.get("REMOTE_ADDR", "")) or NOWHERE


def client_network(request: HttpRequest) -> str:
    """Return the IPv4 address, or the /64 network of the IPv6 address, because one client can use all of it."""
    return _network(client_address(request), 32, 64)


def shortened(address: str) -> str:
    """Return only the network of the address: its owner can recognise it, but it doesn't identify a machine."""
    return _network(address, 24, 48)


def _network(address: str, bits: int, bits_of_six: int) -> str:
    parsed = ipaddress.ip_address(address)
    prefix = bits_of_six if parsed.version == 6 else bits
    network = ipaddress.ip_network((parsed, prefix), strict=False)
    return str(network.network_address) if prefix == parsed.max_prefixlen else str(network)


def _plain(written: str) -> str:
    """Return the IP address in "203.0.113.9", "203.0.113.9:4711" or "[2001:db8::1]:4711"; "" if there is none."""
    text = written.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        parsed = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(getattr(parsed, "ipv4_mapped", None) or parsed)


def visitor_mark(request: HttpRequest) -> str:
    """Return a keyed hash of the visitor's address."""
    address = client_network(request)
    return hmac.new(settings.SECRET_KEY.encode(), f"visitor {address}".encode(), hashlib.sha256).hexdigest()[:32]


HOUR = timedelta(hours=1)
WAIT_FOR_ONE, WAIT_FOR_OTHERS = 5, 60  # seconds after which a client should try again while workers are busy


def wait_until_gone(last: datetime) -> int:
    """Return the seconds until the moment `last` is an hour ago; at least 1."""
    return max(1, math.ceil((last + HOUR - timezone.now()).total_seconds()))


def in_minutes(wait: int) -> str:
    """Return the seconds as a text like `in 12 minutes`."""
    minutes = math.ceil(wait / 60)
    return "in a minute" if minutes == 1 else f"in {minutes} minutes"
