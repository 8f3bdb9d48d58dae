"""The entries of a ledger, fifty on a page: rendered without template nodes, for speed.

The markup is the same as that of an equivalent template; a test compares both.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter

from django import template
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from rosters.entries.games import Game
from rosters.ledger.selectors import LedgerRow
from rosters.site.drawing import escape_markup
from rosters.templatetags.addresses import leads_to
from systems.ledger import Part

register = template.Library()
FOLDED = 3  # from this many entries of one game on, all except the game's own are collapsed
MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@register.simple_tag
def ledger_entries(
    rows: Iterable[LedgerRow], company: int, key_query: str = "", is_short: bool | str = False
) -> SafeString:
    """Return a list item for each entry, and one for all entries of a game; without the bills if `is_short`."""
    drawn = partial(_entry, company=company, key_query=escape_markup(key_query), is_short=bool(is_short))
    said: list[str] = []
    for _, entries in groupby(rows, key=attrgetter("act")):
        act = list(entries)
        game = next((row for row in act if row.kind == Game.slug), None)
        if game is None or len(act) < FOLDED:
            said += map(drawn, act)
        else:
            rest = "".join(drawn(row) for row in act if row is not game)
            said.append(drawn(replace(game, balance=act[0].balance), rest=rest, count=len(act) - 1))
    return mark_safe("".join(said))  # all its parts are escaped


def _entry(row: LedgerRow, *, company: int, key_query: str, is_short: bool, rest: str = "", count: int = 0) -> str:
    at = timezone.localtime(row.at)
    said = "".join(_part(part, company, key_query) for part in row.parts)
    by = "· as it came here" if row.is_claimed else f"by {escape_markup(row.by)}" if row.by else ""
    cause = f" {_cause(row.cause_ref, row.match)}" if row.cause_ref else _ruling(row.ruled)
    amount = f"+{row.points}" if row.points > 0 else str(row.points or "")
    if rest:
        rest = f'<details class="ledger__rest"><summary>{count} more entries of this game</summary><ol class="ledger">{rest}</ol></details>'
    balance = f'<span class="ledger__balance num">{row.balance}</span>' if row.balance is not None else ""
    return (
        f'<li class="ledger__entry{" is-reversed" if row.is_reversed else ""}" id="entry-{row.id}">'
        f'<time class="ledger__when" datetime="{at.isoformat()}">{at.day} {MONTHS[at.month]} {at.year} {at:%H:%M}</time>'
        f'<div class="ledger__what">{said} <span class="muted">{by}{cause}{" · taken back" if row.is_reversed else ""}</span>'
        f'{"" if is_short else _bill(row)}</div><span class="ledger__amount num">{amount}</span>{balance}{rest}</li>\n'
    )


def _part(part: Part, company: int, key_query: str) -> str:
    if not (part.unit or part.pilot):
        return escape_markup(part.text)
    url = leads_to("rosters:unit", company, part.unit) if part.unit else leads_to("rosters:pilot", company, part.pilot)
    return f'<a href="{escape_markup(url)}{key_query}">{escape_markup(part.text)}</a>'


def _cause(ref: str, match: str) -> str:
    """Return the cause of an entry; `match` is the key of the match whose ruling wrote it."""
    what, route, key = ("match", "campaigns:match", match) if match else ("battle", "battles:battle", ref)
    url = _by_key(route, key)
    return f'<a href="{escape_markup(url)}">the {what}</a>\n' if url else f"{what} {escape_markup(key)}\n"


def _ruling(ruled: tuple[int, int] | None) -> str:
    """Return a link to the ruling that wrote an entry, if there is one."""
    return f' <a href="{escape_markup(leads_to("campaigns:ruling", *ruled))}">the ruling</a>' if ruled else ""


def _by_key(route: str, key: str) -> str:
    """Return the URL for that key; empty if the key is invalid."""
    try:
        found = uuid.UUID(key)
    except ValueError:
        return ""
    return leads_to(route, found) if str(found) == key else ""


def _bill(row: LedgerRow) -> str:
    if not row.bill:
        return ""
    lines = "".join(
        f'<li><span>{escape_markup(line.label)}</span><span class="num">{line.points}</span></li>' for line in row.bill
    )
    return f'<details class="ledger__bill small"><summary>Bill</summary><ul class="bill">{lines}</ul></details>'
