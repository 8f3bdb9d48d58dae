"""Rows of a company's page and of its ledger, rendered without template nodes, which would be slower.

The markup is the same as that of an equivalent template; a test compares both.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Literal

from django import template
from django.forms import BoundField
from django.template.defaultfilters import capfirst, slugify
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from rosters.designs.selectors import DesignCard
from rosters.entries.company import Game
from rosters.forms import SeatsForm
from rosters.ledger.selectors import LedgerRow
from rosters.models import Design
from rosters.selectors import CompanySheet, PilotRow, UnitRow
from rosters.site.rendering import escape_markup
from rosters.templatetags.components import hit_boxes, unit_counter
from rosters.templatetags.form_fields import hidden_fields
from rosters.templatetags.links import leads_to
from rosters.unit_cache import DrawingSize, Reading, chit_svg, unit_drawing, unit_svg
from systems import roster_rules
from systems.ledger import SentencePart
from systems.legality import Check
from systems.roster import AnyRoster
from systems.text import pluralize

register = template.Library()
LOCK_SIGN = (
    '<svg class="held__sign" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M4 7V5a4 4 0 0 1 8 0v2M3 7h10'
    'v7H3z" fill="none" stroke="currentColor" stroke-width="1.5"/></svg>'
)
NIL = ' class="table__nil"'  # for an empty cell
DETAILED = 16  # max number of units whose counters are shown with all details
BUYS = 'hx-boost="true" hx-push-url="false" hx-target="#main" hx-select="#main" hx-swap="outerHTML show:none"'


@register.simple_tag
def unit_counters(company: CompanySheet, key_query: str = "") -> SafeString:
    """Return a list item for each unit: its counter, with a link to its page."""
    size: DrawingSize = "row" if len(company.units) <= DETAILED else "chit"

    def counter(unit: UnitRow) -> str:
        made = unit_drawing(company.system, unit.spec, unit.condition)
        picture = unit_svg(made, size, colour=company.colour, css="counter__art")
        return unit_counter(
            unit.name, unit.size, left=unit.armor, right=unit.points, callsign=_callsign(unit), picture=picture
        )

    items = "".join(
        f'<li><a class="force__link" href="{_of_unit(company, unit.id)}{escape_markup(key_query)}">{counter(unit)}</a></li>'
        for unit in company.units
    )
    return mark_safe(items)  # all its parts are escaped


@register.simple_tag(takes_context=True)
def unit_rows(
    context: template.Context,
    company: CompanySheet,
    is_own: bool,
    key_query: str = "",
    seats: SeatsForm | Literal[""] | None = None,
) -> SafeString:
    """Return the table rows of all units. With `seats`, rows have the form with which the owner can assign a pilot."""
    rules = roster_rules(company.system, company.catalogue_release)
    key, hits = escape_markup(key_query), escape_markup(capfirst(rules.words.hits))
    free = _seat_forms(context, company, seats) if seats else {}
    return mark_safe(
        "".join(_unit(unit, company, rules, is_own, key, hits, free.get(unit.id, "")) for unit in company.units)
    )


def _seat_forms(context: template.Context, company: CompanySheet, seats: SeatsForm) -> Mapping[int, str]:
    """Return the forms that assign pilots, by unit.

    Their fields are numbered from the top of the page: after one is submitted, the focus is on the next unit's field.
    """
    if not seats.pilots:
        return {}
    to = escape_markup(leads_to("rosters:pilots_assign", company.id))
    return {
        int(pk): f'<form class="seat" method="post" action="{to}" {BUYS}>{hidden_fields(context)}'
        f"{_seat_choice(seats[pk], at)}"
        f'<button class="button button--small" id="seat-{at}-take">Assign<span class="vh"> to {escape_markup(unit.name)}</span>'
        "</button></form>\n"
        for at, (pk, unit) in enumerate(seats.units.items(), start=1)
    }


def _seat_choice(field: BoundField, at: int) -> str:
    attrs: dict[str, str | bool] = {"id": f"seat-{at}", "aria-label": f"Pilot of {field.label}", "data-enter": True}
    return str(field.as_widget(attrs=attrs))


def _unit(unit: UnitRow, company: CompanySheet, rules: AnyRoster, is_own: bool, key: str, hits: str, seat: str) -> str:
    if seat:
        pilot = seat
    elif unit.pilot:
        pilot = f'<a href="{_of_pilot(company, unit.pilot.id)}{key}">{escape_markup(unit.pilot.name)}</a>'
    else:
        pilot = '<span class="tag tag--bad">nobody</span>' if unit.is_unmanned else "–"
    wide = ' class="table__full"' if seat else "" if unit.pilot or unit.is_unmanned else NIL
    manned = f'<td{wide} data-label="Pilot">{pilot}</td>' if rules.hire_points else ""
    problem = " is-problem" if unit.problems or unit.is_unmanned else ""
    warning = f"repair {unit.repair} pt" if unit.repair else escape_markup(unit.resting)
    tag = f' <span class="tag tag--warn">{warning}</span>' if warning else ""
    return (
        f'<tr class="leads{problem}">'
        f'<th scope="row">{_chit_of(unit, company)}<a class="leads__to" href="{_of_unit(company, unit.id)}{key}">'
        f"{escape_markup(unit.name)}</a>{_hold_tag(unit, is_own)}</th>"
        f'<td data-label="Design">{escape_markup(unit.design_name)}{_loadout(unit)}</td><td data-label="Kind">{escape_markup(unit.size_name)}</td>'
        f'<td data-label="{hits}">{hit_boxes(unit.hits_left, unit.hits, label=rules.words.boxes)}{tag}</td>'
        f"{manned}{_count('Games', unit.games)}{_count('Kills', unit.kills)}"
        f'<td class="num table__lead" data-label="Points">{unit.points}</td></tr>'
    )


@register.simple_tag
def pilot_rows(company: CompanySheet, rules: AnyRoster, is_own: bool, key_query: str = "") -> SafeString:
    """Return the table rows of all pilots."""
    key = escape_markup(key_query)
    return mark_safe("".join(_pilot(pilot, company, rules, is_own, key) for pilot in company.pilots))


def _pilot(pilot: PilotRow, company: CompanySheet, rules: AnyRoster, is_own: bool, key: str) -> str:
    wounded = ' <span class="tag tag--bad">wounded, misses a game</span>' if pilot.status == "wounded" else ""
    points = f'<td class="num" data-label="Experience">{pilot.points}</td>' if rules.counts_experience else ""
    skills = ""
    if rules.skill_names:
        known = escape_markup(", ".join(pilot.skill_names))
        skills = f'<td{"" if known else NIL} data-label="Skills">{known or "–"}</td>'
    seat = (
        f'<a href="{_of_unit(company, pilot.seat.id)}{key}">{escape_markup(pilot.seat.name)}</a>' if pilot.seat else "–"
    )
    return (
        f'<tr class="leads"><th scope="row"><a class="leads__to" href="{_of_pilot(company, pilot.id)}{key}">'
        f"{escape_markup(pilot.full_name)}</a>{wounded}"
        f'{_hold_tag(pilot, is_own)}</th><td class="table__lead" data-label="Level">{escape_markup(pilot.level_name)}</td>'
        f"{points}{skills}"
        f'<td{"" if pilot.seat else NIL} data-label="Unit">{seat}</td>'
        f"{_count('Kills', pilot.kills)}{_count('Games', pilot.games)}</tr>"
    )


def _loadout(unit: UnitRow) -> str:
    return f' <small class="loadout">{escape_markup(unit.loadout)}</small>' if unit.loadout else ""


def _count(label: str, number: int) -> str:
    """Return a table cell with a number; phones hide it if it is 0."""
    return f'<td class="num{"" if number else " table__nil"}" data-label="{label}">{number}</td>'


@register.simple_tag(takes_context=True)
def hangar_rows(
    context: template.Context,
    company: CompanySheet,
    published: Iterable[DesignCard],
    own: Iterable[tuple[Design, Reading, str]],
) -> SafeString:
    """Return a table row for each design that is for sale, with a form to buy it."""

    def row(
        url: str, name: str, tag: str, kind: str, loadout: str, points: int, what: str, spec: Mapping[str, object]
    ) -> str:
        lacks = points > company.balance
        why = (
            f' disabled title="Costs {points}; you have {escape_markup(pluralize(company.balance, company.money))}"'
            if lacks
            else ""
        )
        return (
            f'<tr class="leads"><th scope="row">{_chit(company.system, spec)}'
            f'<a class="leads__to" href="{escape_markup(url)}">{escape_markup(name)}</a>{tag}</th>'
            f'<td data-label="Kind">{escape_markup(kind)}</td><td data-label="Loadout">{escape_markup(loadout)}</td>'
            f'<td class="num table__lead" data-label="Points">{points}</td>'
            f'<td class="table__act" data-label="Buy"><form method="post" action="{buys}" {BUYS}>'
            f'{hidden_fields(context)}<input type="hidden" name="what" value="{escape_markup(what)}">'
            f'<button class="button button--small" id="buy-{slugify(what)}"{why}>'
            f'Buy<span class="vh"> {escape_markup(name)}</span></button></form>\n</td></tr>'
        )

    rules = roster_rules(company.system, company.catalogue_release)

    def price(check: Check, read: Callable[[], object]) -> int:
        """Return the current price; after its first game, a company may pay other prices than at its founding."""
        if not company.games:
            return check.points
        new = rules.replacement(spec := read())
        return check.points if new is spec else rules.check_design(new).points

    buys = escape_markup(leads_to("rosters:unit_buy", company.id))
    theirs = "".join(
        row(
            leads_to("rosters:design_published", card.system, card.key),
            card.name,
            "",
            ", ".join([card.sheet.size_name, *(f"{label} {value}" for label, value in card.sheet.columns if value)]),
            card.loadout,
            price(card.check, partial(_published_spec, rules, card.key)),
            f"published:{card.key}",
            card.spec,
        )
        for card in published
    )
    yours = "".join(
        row(
            leads_to("rosters:design", design.pk),
            design.name,
            ' <span class="tag">yours</span>',
            kind,
            read.loadout,
            price(read.check, partial(_own_spec, rules, design)),
            f"own:{design.pk}",
            design.spec,
        )
        for design, read, kind in own
    )
    return mark_safe(f"{theirs}\n{yours}")  # all its parts are escaped


def _published_spec(rules: AnyRoster, key: str) -> object:
    return rules.published[key].spec


def _own_spec(rules: AnyRoster, design: Design) -> object:
    return rules.parse_spec(design.spec)


def _chit_of(unit: UnitRow, company: CompanySheet) -> str:
    """Return the unit's small picture; empty on a long page, where only the counters above show pictures."""
    return _chit(company.system, unit.spec, unit.condition) if len(company.units) <= DETAILED else ""


def _chit(system: str, spec: Mapping[str, object], condition: Mapping[str, object] = {}) -> str:
    """Return the small picture of a unit that is shown beside its name."""
    return str(chit_svg(system, spec, condition))


def _hold_tag(row: UnitRow | PilotRow, is_own: bool) -> str:
    if not row.hold_reason or not is_own:
        return ""
    reason = escape_markup(row.hold_reason)
    return (
        f' <span class="tag held" title="{escape_markup(capfirst(row.hold_reason))}">{LOCK_SIGN} locked<span class="vh">: {reason}</span>'
        "</span>\n"
    )


def _callsign(unit: UnitRow) -> str:
    return unit.pilot.callsign if unit.pilot else ""


def _of_unit(company: CompanySheet, unit: int) -> str:
    return escape_markup(leads_to("rosters:unit", company.id, unit))


def _of_pilot(company: CompanySheet, pilot: int) -> str:
    return escape_markup(leads_to("rosters:pilot", company.id, pilot))


FOLDED = 3  # if one game has at least so many entries, all except the game's own entry are collapsed
MONTHS = ("", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@register.simple_tag
def ledger_entries(
    rows: Iterable[LedgerRow], company: int, key_query: str = "", is_short: bool | str = False
) -> SafeString:
    """Return list items for ledger entries; those of one game share an item. With `is_short`, leave out the bills."""
    drawn = partial(_entry, company=company, key_query=escape_markup(key_query), is_short=bool(is_short))
    items: list[str] = []
    for _, entries in groupby(rows, key=attrgetter("act")):
        act = list(entries)
        game = next((row for row in act if row.kind == Game.slug), None)
        if game is None or len(act) < FOLDED:
            items += map(drawn, act)
        else:
            rest = "".join(drawn(row) for row in act if row is not game)
            items.append(drawn(replace(game, balance=act[0].balance), rest=rest, count=len(act) - 1))
    return mark_safe("".join(items))  # all its parts are escaped


def _entry(row: LedgerRow, *, company: int, key_query: str, is_short: bool, rest: str = "", count: int = 0) -> str:
    at = timezone.localtime(row.at)
    text = "".join(_part(part, company, key_query) for part in row.parts)
    by = "· as imported" if row.is_claimed else f"by {escape_markup(row.by)}" if row.by else ""
    cause = f" {_cause(row.cause_ref, row.match)}" if row.cause_ref else _ruling(row.ruled)
    amount = f"+{row.points}" if row.points > 0 else str(row.points or "")
    if rest:
        rest = f'<details class="ledger__rest"><summary>{count} more entries from this game</summary><ol class="ledger">{rest}</ol></details>'
    balance = f'<span class="ledger__balance num">{row.balance}</span>' if row.balance is not None else ""
    return (
        f'<li class="ledger__entry{" is-reversed" if row.is_reversed else ""}" id="entry-{row.id}">'
        f'<time class="ledger__when" datetime="{at.isoformat()}">{at.day} {MONTHS[at.month]} {at.year} {at:%H:%M}</time>'
        f'<div class="ledger__what">{text} <span class="muted">{by}{cause}{" · taken back" if row.is_reversed else ""}</span>'
        f'{"" if is_short else _bill(row)}</div><span class="ledger__amount num">{amount}</span>{balance}{rest}</li>\n'
    )


def _part(part: SentencePart, company: int, key_query: str) -> str:
    if not (part.unit or part.pilot):
        return escape_markup(part.text)
    url = leads_to("rosters:unit", company, part.unit) if part.unit else leads_to("rosters:pilot", company, part.pilot)
    return f'<a href="{escape_markup(url)}{key_query}">{escape_markup(part.text)}</a>'


def _cause(ref: str, match: str) -> str:
    """Return the markup for an entry's cause; `match` is the key of the match whose ruling wrote the entry."""
    what, route, key = ("match", "campaigns:match", match) if match else ("battle", "battles:battle", ref)
    url = _by_key(route, key)
    return f'<a href="{escape_markup(url)}">the {what}</a>\n' if url else f"{what} {escape_markup(key)}\n"


def _ruling(ruled: tuple[int, int] | None) -> str:
    """Return a link to the ruling that wrote an entry; empty if no ruling did."""
    return f' <a href="{escape_markup(leads_to("campaigns:ruling", *ruled))}">the ruling</a>' if ruled else ""


def _by_key(route: str, key: str) -> str:
    """Return the URL of the route with this key; empty if the key is invalid."""
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
    return f'<details class="ledger__bill small"><summary>Points</summary><ul class="bill">{lines}</ul></details>'
