"""Send one POST to an address that a stranger has given: never to our own network, and for a few seconds at most.

The name is resolved once, every address it resolves to is checked, and the connection goes to a checked one: a name
that resolves to another machine a moment later changes nothing. Redirects aren't followed, and proxies of the
environment aren't used.
"""

from __future__ import annotations

import ipaddress
import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPException
from urllib.parse import SplitResult, urlsplit

from django.conf import settings
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.util import Timeout

DNS_TIMEOUT, CONNECT_TIMEOUT, READ_TIMEOUT, TOTAL_TIMEOUT = (
    4.0,
    3.0,
    5.0,
    10.0,
)  # seconds, the total without DNS; a lease is longer
MAX_ANSWER_BYTES = 500  # bytes of a response that are read, for the log
NON_PUBLIC_NETWORKS = (
    ipaddress.ip_network("64:ff9b::/96"),  # NAT64: an IPv4 address within
    ipaddress.ip_network("64:ff9b:1::/48"),  # the same, local to a network
    ipaddress.ip_network("::/96"),  # IPv4 addresses in an old notation
    ipaddress.ip_network("fec0::/10"),  # formerly site-local
    ipaddress.ip_network("3fff::/20"),  # examples in documentation; Python 3.11 takes them for global
)


class ForbiddenAddressError(ValueError):
    """Raised for an address that nothing may be sent to; the text says why."""


@dataclass(frozen=True, slots=True)
class WebhookResponse:
    """A response; `status` None: there was none, and `text` has the reason."""

    status: int | None
    text: str
    ms: int

    @property
    def is_taken(self) -> bool:
        return self.status is not None and 200 <= self.status < 300


def parse_webhook_url(url: str) -> SplitResult:
    """Return the parts of an address that something could be sent to; it isn't resolved yet."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ForbiddenAddressError("Enter a valid address.") from None
    inside = settings.WEBHOOKS_INSIDE
    if parts.scheme not in (("https", "http") if inside else ("https",)):
        raise ForbiddenAddressError("The address must start with https://.")
    if not parts.hostname or parts.username is not None or parts.password is not None or "\\" in url:
        raise ForbiddenAddressError("The address needs a host, and no username or password.")
    if any(character.isspace() or not character.isprintable() for character in url) or not url.isascii():
        raise ForbiddenAddressError("The address can only contain ASCII characters, without spaces.")
    if port not in (None, 443) and not inside:
        raise ForbiddenAddressError("The address must use port 443.")
    if not inside and _is_internal_name(parts.hostname):
        raise ForbiddenAddressError("This address is on a private network. Use a public one.")
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str]) -> WebhookResponse:
    """Send the body and return the response. Raises ForbiddenAddressError if nothing may be sent there."""
    parts = parse_webhook_url(url)
    assert parts.hostname
    begun = time.perf_counter()
    try:
        address = _resolve_public_address(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))
        status, body_text = _exchange(parts, address, body, headers)
    except (OSError, HTTPError, HTTPException, ValueError) as error:
        if isinstance(error, ForbiddenAddressError):
            raise
        return WebhookResponse(None, _reason(error), _elapsed_ms(begun))
    return WebhookResponse(status, body_text, _elapsed_ms(begun))


def _resolve_public_address(host: str, port: int) -> tuple[str, int]:
    """Return the first address of the host, if all of its addresses are public."""
    found = _resolve(host, port)
    if not found:
        raise OSError("no address found")
    if not settings.WEBHOOKS_INSIDE and not all(_is_public_address(each) for each in found):
        raise ForbiddenAddressError("This address is on a private network. Use a public one.")
    return found[0], port


def _resolve(host: str, port: int) -> list[str]:
    """Return all addresses of the name. The resolver has no timeout, so its thread is abandoned if it is late."""
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def look_up() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(row[4][0]) for row in rows])
        except Exception as error:  # any error is raised again by the waiting thread
            answers.put(error)

    threading.Thread(target=look_up, name="look-up", daemon=True).start()
    try:
        found = answers.get(timeout=DNS_TIMEOUT)
    except queue.Empty:
        raise TimeoutError("looking up the host timed out") from None
    if isinstance(found, Exception):
        raise found
    return found


def _is_public_address(text: str) -> bool:
    """Return whether the address is public, and any address embedded in it."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        within = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if any(within) or any(address in network for network in NON_PUBLIC_NETWORKS):
            return False
    return address.is_global and not address.is_multicast


def _is_internal_name(host: str) -> bool:
    """Return whether a name or number is visibly inside a network, without resolving it."""
    try:
        return not _is_public_address(host)
    except ValueError:
        return host == "localhost" or "." not in host or host.endswith((".localhost", ".local", ".internal"))


class _Cutoff:
    """The connection to the receiver. It can be cut at any time, no matter what holds its socket by then.

    urllib3 gives the socket away with the head of a response, and TLS wraps it: a second handle on it stays here.
    """

    def __init__(self) -> None:
        self._handle: socket.socket | None = None
        self._lock = threading.Lock()
        self._is_cut = False

    def hold(self, sock: socket.socket) -> socket.socket:
        with self._lock:
            self._handle = sock.dup()
            is_late = self._is_cut
        if is_late:
            self.cut()
        return sock

    def cut(self) -> None:
        """Shut the socket down in both directions."""
        with self._lock:
            self._is_cut = True
            if self._handle is None:
                return
            try:
                self._handle.shutdown(socket.SHUT_RDWR)
            except OSError:
                return

    def let_go(self) -> None:
        with self._lock:
            if self._handle is not None:
                self._handle.close()
                self._handle = None


class _Plain(HTTPConnection):
    line: _Cutoff

    def _new_conn(self) -> socket.socket:
        return self.line.hold(super()._new_conn())


class _Secure(HTTPSConnection):
    line: _Cutoff

    def _new_conn(self) -> socket.socket:
        return self.line.hold(super()._new_conn())


def _exchange(parts: SplitResult, address: tuple[str, int], body: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
    """Return the status and the response's text. A response counts once its head has come; the rest is for the log."""
    line = _Cutoff()
    connection = _connection(parts, address)
    connection.line = line
    watch = threading.Timer(TOTAL_TIMEOUT, line.cut)  # cuts off a server that answers one byte a second
    watch.daemon = True
    watch.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body=body, headers={"Host": parts.netloc, **headers}, preload_content=False)
        connection.timeout = READ_TIMEOUT  # set on the socket before the response is read
        answer = connection.getresponse()
        received = b""
        with suppress(OSError, HTTPError, HTTPException, ValueError):  # keep what came before the connection broke
            while len(received) < MAX_ANSWER_BYTES and (
                piece := answer.read1(MAX_ANSWER_BYTES - len(received), decode_content=False)
            ):
                received += piece
        answer.close()
        return answer.status, received.decode("utf-8", "replace").replace("\x00", "").strip()
    finally:
        watch.cancel()
        line.let_go()
        connection.close()


def _connection(parts: SplitResult, address: tuple[str, int]) -> _Plain | _Secure:
    """Return a connection to exactly that machine; its certificate must match the host name."""
    timeout = Timeout(connect=CONNECT_TIMEOUT)
    host, port = address
    if parts.scheme == "http":
        return _Plain(host, port, timeout=timeout.connect_timeout)
    return _Secure(
        host,
        port,
        timeout=timeout.connect_timeout,
        ssl_context=ssl.create_default_context(),
        server_hostname=parts.hostname,
        assert_hostname=parts.hostname,
    )


def _elapsed_ms(begun: float) -> int:
    return round((time.perf_counter() - begun) * 1000)


def _reason(error: Exception) -> str:
    """Describe in a few words why there was no response, without the library's internals."""
    if isinstance(error, socket.gaierror):
        return "The host wasn't found."
    if isinstance(error, TimeoutError) or "timed out" in str(error):
        return "No response in time."
    if isinstance(error, ConnectionRefusedError) or "refused" in str(error):
        return "The connection was refused."
    if isinstance(error, ssl.SSLError) or "certificate" in str(error).casefold():
        return "The certificate is invalid."
    return "The connection was lost."
