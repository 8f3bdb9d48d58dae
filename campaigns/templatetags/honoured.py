"""Medals as drawn, and the honours of companies, units and pilots, for pages that know nothing of campaigns."""

from __future__ import annotations

from django import template
from django.contrib.auth.models import AnonymousUser
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns.fame.biography import Sentence
from campaigns.fame.chronicle import Holder, Kind
from campaigns.fame.medals import Award, Honour, Medal
from campaigns.fame.selectors import Honours, company_honours, pilot_biography
from rosters.selectors import CompanySheet, PilotRow
from rosters.templatetags.addresses import leads_to

register = template.Library()

# Each kind of holder has its own shape, in a field of 32 by 44 whose lower part fits a device of 32 by 32.
RIBBON = '<path class="medal__ribbon" d="M11 1h10v11l-5 3-5-3z"/>'
DISC = f'{RIBBON}<circle class="medal__face" cx="16" cy="28" r="14"/>'
SHAPES = {
    "pilot": DISC,
    "crew": DISC,
    "company": '<path class="medal__ribbon" d="M5 6h22v5H5z"/><path class="medal__face" d="M3 13h26v14c0 8-7 13-13 16C10'
    ' 40 3 35 3 27z"/>',
    "unit": '<path class="medal__ribbon" d="M14 4h4v10h-4z"/><path class="medal__face" d="M9 14h14l7 7v14l-7 7H9l-7-7V21z"/>',
}


@register.simple_tag
def medal_badge(medal: Medal) -> SafeString:
    """Return the medal, drawn; its name is shown beside it."""
    return format_html(
        '<svg class="medal" viewBox="0 0 32 44" width="32" height="44" aria-hidden="true" focusable="false">{}'
        '<path class="medal__device" transform="translate(0 12)" d="{}"/></svg>',
        mark_safe(SHAPES[medal.of]),
        medal.art,
    )


@register.simple_tag(takes_context=True)
def honours_of(context: Context, company: int) -> Honours:
    """Return the honours of the company, its units and pilots, from clubs and campaigns that the reader may see."""
    reader = getattr(context.get("request"), "user", AnonymousUser())
    return company_honours(company, reader)


@register.simple_tag
def worn_by(honours: Honours, kind: Kind, pk: int) -> tuple[Honour, ...]:
    """Return the medals of one of them."""
    return honours.of(kind, pk)


@register.simple_tag
def life_of(company: CompanySheet, pilot: PilotRow, honours: Honours) -> tuple[Sentence, ...]:
    """Return the pilot's biography, in sentences."""
    return pilot_biography(company, pilot, honours)


@register.simple_tag
def bearer(who: Holder) -> SafeString | str:
    """Return the holder's name, linked to its page if that is public; a pilot or unit with its company."""
    if who.kind == "company":
        return _link(who, who.company)
    own = _link(who, who.company, who.id)
    return format_html('{} <span class="muted small">{}</span>', own, who.company_name)


@register.simple_tag
def award_told(award: Award, is_named: bool = False) -> SafeString:
    """Return who got the medal and for what; also which medal, unless that is shown already."""
    named = format_html(" <b>{}</b>,", award.medal.name) if is_named else ""
    return format_html("{}:{} {}", bearer(award.to), named, award.cause)


def _link(who: Holder, *arguments: int) -> SafeString | str:
    return format_html('<a href="{}">{}</a>', leads_to(who.route, *arguments), who.name) if who.is_public else who.name
