"""Parts of campaigns' tables, rendered without a template each, and the campaigns of a company."""

from __future__ import annotations

from urllib.parse import quote

from django import template
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from campaigns import policy
from campaigns.dice import DiceSheet
from campaigns.models import Campaign, Enrolment, EnrolmentState
from campaigns.planning.selectors import FixtureSide
from campaigns.territories.drawing import Spot
from rosters.appearance.emblems import drawn_paths, emblem_of, emblem_placed
from rosters.database.queries import PreparedQuery
from rosters.models import Player
from rosters.templatetags.drawings import emblem
from rosters.templatetags.links import leads_to
from systems.emblems import TINCTURES
from systems.emblems.shields import FRAME

register = template.Library()

INK = "#20231a"  # on paper


@register.simple_tag
def swatch(colour: str) -> SafeString:
    """Return the swatch of a company's colour."""
    return format_html(
        '<svg class="swatch" width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">'
        '<rect width="14" height="14" fill="{}"></rect></svg>\n',
        colour,
    )


@register.simple_tag
def land_emblem(spot: Spot) -> SafeString | str:
    """Return the emblem of a territory's holder, placed on the map."""
    if not spot.place.holder or not spot.emblem_at:
        return ""
    worn = emblem_of(spot.place.emblem, spot.place.holder_name)
    return emblem_placed(worn, *spot.emblem_at, spot.emblem_wide)


@register.simple_tag
def land_emblem_printed(spot: Spot) -> SafeString | str:
    """Return the same emblem for print, where no style sheet applies."""
    if not spot.place.holder or not spot.emblem_at:
        return ""
    worn = emblem_of(spot.place.emblem, spot.place.holder_name)
    x, y = spot.emblem_at
    return mark_safe(
        f'<g transform="translate({x} {y}) scale({spot.emblem_wide / FRAME:.4f})" stroke="{INK}" stroke-linejoin="round">'
        f"{drawn_paths(worn, 0, lambda letter: TINCTURES[letter].paint)}</g>"
    )


@register.simple_tag
def movement(moved: int) -> SafeString | str:
    """Return the number of places that a company has gained or lost."""
    if not moved:
        return ""
    word, sign, way = ("up", "▲", "up") if moved > 0 else ("down", "▼", "down")
    return format_html(
        '<span class="move move--{}"><span aria-hidden="true">{}</span><span class="vh">{} </span>{}</span>',
        way,
        sign,
        word,
        abs(moved),
    )


@register.simple_tag
def company_link(company: int, name: str, *, is_open: bool) -> SafeString | str:
    """Return a company's name, linked to its page if the reader may open it."""
    return format_html('<a href="{}">{}</a>', leads_to("rosters:company", company), name) if is_open else name


@register.simple_tag
def fixture_side(side: FixtureSide) -> SafeString:
    """Return one side of a match: emblem, company, player; the winner is bold."""
    name = company_link(side.company, side.name, is_open=side.is_open)
    if side.has_won:
        name = format_html("<b>{}</b>", name)
    yours = mark_safe(' <span class="tag">yours</span>') if side.is_yours else ""
    return format_html(
        '{} {}{} <span class="muted small">{}</span>\n', emblem(side.emblem, side.name), name, yours, side.player
    )


@register.simple_block_tag(takes_context=True)
def match_head(context: Context, content: str, title: str) -> SafeString:
    """Return the header of a page about a match: which one, the title, and the lead."""
    lead = content.strip()
    return format_html(
        '<header class="page-head"><p class="page-head__kicker">{} · {} · {}</p><h1>{}</h1>{}</header>',
        context["campaign"].name,
        context["match"].round,
        context["match"],
        title,
        format_html('<p class="page-head__lead">{}</p>', lead) if lead else "",
    )


@register.simple_tag
def dice_command(sheet: DiceSheet) -> SafeString:
    """Return the shell command with which anybody can calculate the battle's seed from the secret and the words."""
    words = format_html_join("", ' "{}"', ((text or "…",) for _, text in sheet.words))
    lines = mark_safe(r"\n%s" * len(sheet.words))
    return format_html(
        r"""printf 'muster-dice/1\n%s\n%s{}' "$SECRET" battle{} | sha256sum | cut -c1-16""", lines, words
    )


@register.simple_tag
def dice_check_url(sheet: DiceSheet) -> str:
    """Return the page that checks a roll, filled in with everything known about these dice."""
    page = leads_to("campaigns:dice_check")
    if not sheet.secret:
        return page
    purpose = (sheet.uses[0].purpose if sheet.uses else "") or "battle"
    words = "".join(f"{quote(text)}%0A" for _, text in sheet.words)
    return f"{page}?secret={sheet.secret}&commitment={sheet.commitment}&purpose={purpose}&words={words}"


@register.simple_tag(takes_context=True)
def campaigns_of(context: Context, company: int) -> list[Enrolment]:
    """Return the company's asked or accepted enrolments in campaigns that the reader may see, newest first."""
    reader = getattr(context.get("request"), "user", AnonymousUser())
    if isinstance(reader, Player):
        return OF_A_PLAYER.rows(company=company, reader=reader.pk)
    return OF_A_VISITOR.rows(company=company)


def _seen(company: int, reader: int | None) -> QuerySet[Enrolment]:
    seen = Campaign.objects.filter(policy.campaigns_visible_to(reader)).values("pk")
    rows = Enrolment.objects.filter(
        company=company, state__in=EnrolmentState.in_play(), campaign__in=seen
    ).select_related("campaign")
    return rows.order_by("-campaign")


OF_A_PLAYER = PreparedQuery(_seen, company=int, reader=int)
OF_A_VISITOR = PreparedQuery(lambda company: _seen(company, None), company=int)
