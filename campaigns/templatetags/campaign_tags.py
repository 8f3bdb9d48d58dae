"""Parts of campaigns' tables, rendered without a template each; ratings, statistics, medals; a company's campaigns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django import template
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from campaigns import policy
from campaigns.dice import DiceSheet
from campaigns.hall_of_fame.medals import Award, Holder, Honour, Kind, Medal
from campaigns.hall_of_fame.records import Sentence
from campaigns.hall_of_fame.selectors import Honours, company_honours, pilot_biography
from campaigns.models import Campaign, Enrolment, EnrolmentState
from campaigns.planning.selectors import FixtureSide
from campaigns.results.aftermath import SkillChoice, skill_choices
from campaigns.statistics.balance import ResidualRow
from campaigns.statistics.glicko import START_RATING
from campaigns.statistics.ratings import RatingRow
from campaigns.statistics.tables import Cell
from campaigns.territories.drawing import Spot
from rosters.appearance.emblems import drawn_paths, emblem_of, emblem_placed
from rosters.database.queries import PreparedQuery
from rosters.entries.units_and_pilots import SkillRolled
from rosters.ledger.selectors import LedgerRow
from rosters.models import Player
from rosters.selectors import CompanySheet, PilotRow
from rosters.templatetags.drawings import emblem
from rosters.templatetags.links import leads_to
from systems.emblems import TINCTURES
from systems.emblems.shields import FRAME

register = template.Library()


@register.simple_tag
def signed(change: float) -> str:
    """Format a change in whole points, with its sign."""
    whole = round(change)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


@register.simple_tag
def twice(deviation: float, places: int = 0) -> str:
    """Format half the width of the 95% interval."""
    return f"{deviation * 1.96:.{places}f}"


@register.simple_tag
def interval_bar(cell: Cell) -> SafeString:
    """Return a share from 0 to 1 as a bar: a line as wide as its interval, a dot, and a tick at the odds."""
    tick = (
        format_html('<path class="interval__odds" d="M{} 2v16"/>', round(200 * cell.expected, 1))
        if cell.expected is not None
        else ""
    )
    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M100 7v6M200 6v8"/>'
        '<path class="interval__range" d="M{} 10H{}"/>{}<circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        round(200 * cell.low, 1),
        round(200 * cell.high, 1),
        tick,
        round(200 * cell.share, 1),
    )


@register.simple_tag
def residual_bar(line: ResidualRow) -> SafeString:
    """Return a residual from -100 to 100 percent as a bar: a line as wide as its interval, a dot, and a tick at zero."""
    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M200 6v8"/><path class="interval__range" d="M{} 10H{}"/>'
        '<path class="interval__odds" d="M100 2v16"/><circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        *(round(100 + 100 * value, 1) for value in (line.low, line.high, line.residual)),
    )


@register.simple_tag
def rating_bar(row: RatingRow, scale: tuple[float, float]) -> SafeString:
    """Return a rating on its list's scale: a line as wide as its interval, a dot, and a tick at the starting rating."""
    low, high = scale

    def across(rating: float) -> float:
        return round(200 * (rating - low) / (high - low), 1)

    return format_html(
        '<svg class="interval" viewBox="-4 0 208 20" width="208" height="20" aria-hidden="true" focusable="false">'
        '<path class="interval__scale" d="M0 10h200M0 6v8M200 6v8"/><path class="interval__range" d="M{} 10H{}"/>'
        '<path class="interval__odds" d="M{} 2v16"/><circle class="interval__dot" cx="{}" cy="10" r="4"/></svg>',
        *map(across, (row.low, row.high, START_RATING, row.rating)),
    )


@register.filter
def signed_percent(share: float) -> str:
    """Format a difference of shares in whole percent, with its sign."""
    whole = round(share * 100)
    return f"+{whole}%" if whole > 0 else f"−{-whole}%" if whole < 0 else "0%"


@register.filter
def whole_percent(share: float) -> str:
    """Format a share in whole percent."""
    return f"{share * 100:.0f}%"


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
    """Return the medals of one holder."""
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
def award_summary(award: Award, is_named: bool = False) -> SafeString:
    """Return who got the medal and for what; also which medal, unless that is shown already."""
    named = format_html(" <b>{}</b>,", award.medal.name) if is_named else ""
    return format_html("{}:{} {}", bearer(award.to), named, award.cause)


def _link(who: Holder, *arguments: int) -> SafeString | str:
    return format_html('<a href="{}">{}</a>', leads_to(who.route, *arguments), who.name) if who.is_public else who.name


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
    lead = mark_safe(content.strip())  # rendered already; strip() forgets that
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotSkillChoice:
    """The skills that a pilot can choose from, in groups with a title."""

    groups: tuple[tuple[str, tuple[SkillChoice, ...]], ...]
    default: str  # name of the skill that the pilot gets without a choice
    rolled: str  # the ledger's line about the roll; empty if there was none


@register.simple_tag
def skill_choice(company: CompanySheet, pilot: PilotRow, ledger: Sequence[LedgerRow]) -> PilotSkillChoice | None:
    """Return the skills that a pilot has to choose from. `ledger` has the pilot's entries, newest first."""
    choices = skill_choices(company, pilot)
    if not choices:
        return None
    rolls = [line.text for line in ledger if line.kind == SkillRolled.slug and not line.is_reversed]
    title = f"Useful in {pilot.seat.name}" if pilot.seat else "Skills"
    return PilotSkillChoice(
        groups=(
            (title, tuple(each for each in choices if each.fits)),
            ("Others", tuple(each for each in choices if not each.fits)),
        ),
        default=next((each.name for each in choices if each.is_default), choices[0].name),
        rolled=rolls[0] if rolls else "",
    )


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
