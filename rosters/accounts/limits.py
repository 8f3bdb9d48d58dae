"""Limits on wrong attempts, counted in the cache that all processes share.

Strangers can't lock a player out: wrong attempts at an account slow down only the addresses they come from. From an
address without wrong attempts, the right password is always accepted (docs/decisions/0021-doors.md).
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from redis.exceptions import RedisError

from rosters.models import Player, SignIn, SignInOutcome
from rosters.site.visitors import client_address, client_network, shortened

APP = "rosters.accounts"
LONGEST_WAIT = 60  # seconds, for limits that don't report a wait; all of them are per minute
FROM_ADDRESS = "wrong_from_address"
FOR_ACCOUNT = "wrong_for_account"
PAIR = "wrong_for_account_from_address"
PAIR_WATCHED = "wrong_for_watched_account_from_address"
FACTOR_GUESSED = "wrong_second_factor"
TOKEN = "wrong_token"
CODE = "wrong_code"
GUEST = "wrong_guest_link"
INVITATION_MAIL = "invitation_mail"
INVITED_ADDRESS = "invited_address"
MAX_MAILS = 20  # invitations of one organiser a day
RATES = {
    FROM_ADDRESS: "10/m/key,60/h/key",  # at any account
    FOR_ACCOUNT: "30/h/key",  # from any address; then the account is watched
    PAIR: "5/300s/key",
    PAIR_WATCHED: "1/300s/key",
    FACTOR_GUESSED: "100/h/key",  # from any address; a code has six digits, and three codes are valid at a time
    TOKEN: "30/m/key",
    CODE: "10/m/key,60/h/key",  # the code of a table that waits for its other side
    GUEST: "10/m/key,60/h/key",
    INVITATION_MAIL: f"{MAX_MAILS}/d/key",  # of one organiser, to addresses that nobody has confirmed
    INVITED_ADDRESS: "1/d/key",  # to one address, from all organisers together
}


class TooManyAttemptsError(Exception):
    """Raised after too many wrong attempts; `wait` is the seconds until the next attempt can succeed."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"wait {wait} s")
        self.wait = wait


def too_many(request: HttpRequest, wait: int = LONGEST_WAIT) -> HttpResponse:
    """Return a 429 page that says what to do, and when to try again."""
    minutes = -(-wait // 60)
    answer = render(request, "429.html", {"minutes": minutes}, status=429)
    answer["Retry-After"] = str(wait)
    return answer


@dataclass
class Try:
    """An attempt; it counts as wrong unless it is given back."""

    usages: list[RateLimitUsage] = field(default_factory=list)

    def give_back(self) -> None:
        for usage in self.usages:
            usage.rollback()


def account_key(player: Player) -> str:
    """Return the key that attempts count against; the same whether the account was named by username or address."""
    return f"player {player.pk}"


def account_keys(players: Sequence[Player], login: str) -> list[str]:
    """Return the keys of all accounts that the login may mean; if there are none, a key of the typed text."""
    return [account_key(player) for player in players] or [f"login {login.lower()}"]


def count_password_attempt(request: HttpRequest, accounts: Sequence[str]) -> Try:
    """Count an attempt before the password is checked, so that simultaneous ones count, too; TooManyAttemptsError."""
    address = client_network(request)
    found = Try()
    try:
        found.usages.append(_take(request, FROM_ADDRESS, address))
        for account in accounts:
            pair = f"{account} {address}"
            found.usages.append(_take(request, PAIR, pair))
            if is_watched(request, account):
                found.usages.append(_take(request, PAIR_WATCHED, pair))
    except TooManyAttemptsError:
        found.give_back()
        raise
    return found


def password_wrong(request: HttpRequest, accounts: Sequence[str]) -> None:
    """Count a wrong password against the accounts, whatever address it came from."""
    for account in accounts:
        _consume(request, FOR_ACCOUNT, account)


def count_factor_attempt(request: HttpRequest, player: Player) -> Try:
    """Count an attempt at the second factor, after the right password; TooManyAttemptsError.

    Codes are short, so guesses from many addresses are stopped, too: after too many, only networks from which the
    player has signed in before may try.
    """
    account = _factor_key(player)
    found = count_password_attempt(request, [account])
    if _consume(request, FACTOR_GUESSED, account, dry_run=True) is None and not _is_known_network(request, player):
        found.give_back()
        raise TooManyAttemptsError(_wait(request, FACTOR_GUESSED, account))
    return found


def factor_wrong(request: HttpRequest, player: Player) -> None:
    """Count a wrong code against the account, whatever address it came from."""
    password_wrong(request, [_factor_key(player)])
    _consume(request, FACTOR_GUESSED, _factor_key(player))


def is_watched(request: HttpRequest, account: str) -> bool:
    """Return whether the account has had too many wrong passwords, from any number of addresses."""
    return _consume(request, FOR_ACCOUNT, account, dry_run=True) is None


def forgive(request: HttpRequest, account: str) -> None:
    """Reset the limits of this address for an account whose owner has proven themselves in another way."""
    for action in (PAIR, PAIR_WATCHED):
        ratelimit.clear(request, app=APP, action=action, config=RATES, key=f"{account} {client_network(request)}")


def wrong_token(request: HttpRequest) -> int:
    """Count a wrong token; return the seconds to wait after too many, else 0. Also 0 while Redis is unavailable."""
    address = client_network(request)
    try:
        return 0 if _consume(request, TOKEN, address) else _wait(request, TOKEN, address)
    except RedisError:
        return 0


def count_code_attempt(request: HttpRequest) -> Try:
    """Count an attempt before a short code is looked up, so that simultaneous ones count, too; TooManyAttemptsError."""
    return Try([_take(request, CODE, client_network(request))])


def count_guest_attempt(request: HttpRequest) -> Try:
    """Count an attempt at a guest's link in the same way; TooManyAttemptsError."""
    return Try([_take(request, GUEST, client_network(request))])


def count_invitation_mails(request: HttpRequest, player: Player, addresses: Sequence[str]) -> Try:
    """Count mails that invite others before they are sent; TooManyAttemptsError, and then none of them counts."""
    found = Try()
    try:
        for address in addresses:
            found.usages.append(_take(request, INVITED_ADDRESS, address.casefold()))
            found.usages.append(_take(request, INVITATION_MAIL, account_key(player)))
    except TooManyAttemptsError:
        found.give_back()
        raise
    return found


def _factor_key(player: Player) -> str:
    return f"second factor of {account_key(player)}"


def _is_known_network(request: HttpRequest, player: Player) -> bool:
    address = shortened(client_address(request))
    return SignIn.objects.filter(player=player, outcome=SignInOutcome.OK, address=address).exists()


def _take(request: HttpRequest, action: str, key: str) -> RateLimitUsage:
    usage = _consume(request, action, key)
    if usage is None:
        raise TooManyAttemptsError(_wait(request, action, key))
    return usage


def _consume(request: HttpRequest, action: str, key: str, *, dry_run: bool = False) -> RateLimitUsage | None:
    usage: RateLimitUsage | None = ratelimit.consume(
        request, app=APP, action=action, config=RATES, key=key, dry_run=dry_run, limit_get=True
    )
    return usage


def _wait(request: HttpRequest, action: str, key: str) -> int:
    """Return the seconds until the oldest attempt within an exceeded rate expires."""
    longest, now = 1, time.time()
    for rate in ratelimit.get_rates(app=APP, action=action, config=RATES):
        history = cache.get(ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key), [])
        if len(history) >= rate.amount:
            longest = max(longest, math.ceil(history[-1] + rate.duration - now))
    return longest
