"""The rows of lists of battles, thirty to a page: rendered without a template node for every word.

The markup is the same as a template's; a test renders the same battles with both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from battles.models import Battle
from battles.selectors.listing import battle_end, first_unit_spec
from rosters.bodies import chit_svg
from rosters.jobs import JobStatus
from rosters.livery.emblems import emblem_of, emblem_svg
from rosters.models import Visibility
from rosters.site.drawing import escape_markup
from rosters.templatetags.addresses import leads_to
from systems.words import pluralize

register = template.Library()
MARK_WORDS = {"kill": "kills", "critical": "criticals"}


@register.simple_tag
def battle_rows(battles: Iterable[Battle], one_game: object = "") -> SafeString:
    """Return a row for each battle of a list from `with_list_columns`; without the game column if all are of one game."""
    return mark_safe("".join(_battle_row(battle, bool(one_game)) for battle in battles))  # all its parts are escaped


def _battle_row(battle: Battle, is_one_game: bool) -> str:
    tags = ' <span class="tag">at the table</span>' if battle.fought_by_hand else ""
    if battle.options:  # type: ignore[attr-defined]
        tags += ' <span class="tag" title="Fought by house rules">house rules</span>'
    if battle.visibility != Visibility.PUBLIC:
        tags += f' <span class="tag">{escape_markup(battle.get_visibility_display())}</span>'
    end = battle_end(battle)
    by = f' <span class="muted">by {escape_markup(battle.asked_by)}</span>' if battle.asked_by else ""
    at = timezone.localtime(battle.queued_at)
    marks = "".join(_mark(mark, number) for mark, number in (("kill", battle.kills), ("critical", battle.criticals)))
    game = "" if is_one_game else f'    <td data-label="Game">{escape_markup(battle.get_system_display())}</td>\n'
    return (
        f'<tr class="leads">\n    <th scope="row"><a class="leads__to" href="{leads_to("battles:battle", battle.key)}">'
        f"{escape_markup(battle.title)}</a>{tags}</th>\n"
        f"{game}"
        f'    <td class="table__named" data-label="Outcome">{_outcome(battle, end)}</td>\n'
        f'    <td data-label="Marks">{marks or "–"}</td>\n'
        f'    <td class="num" data-label="Rounds or turns">{end.get("rounds") or "–"}</td>\n'
        f'    <td data-label="When"><time datetime="{at.isoformat()}">{escape_markup(naturaltime(battle.queued_at))}</time>{by}</td>\n  </tr>'
    )


def _mark(mark: str, number: int | None) -> str:
    """Return the sign of something that happened in a battle, and how often; empty if it didn't, or wasn't counted."""
    return f'<span class="marked">{_sign(mark)} {pluralize(number, MARK_WORDS[mark])}</span> ' if number else ""


@cache
def _sign(mark: str) -> str:
    return render_to_string("battles/_mark.html", {"mark": mark}).strip()


def _outcome(battle: Battle, end: Mapping[str, object]) -> str:
    if battle.status != JobStatus.DONE:
        return f'<span class="muted">{escape_markup(battle.get_status_display())}</span>'
    return "Draw" if end.get("draw") else f"{_winner_drawn(battle, end)}{escape_markup(end.get('winner', ''))}"


def _winner_drawn(battle: Battle, end: Mapping[str, object]) -> str:
    """Return the emblem of the company that won, else the side's first unit; empty if neither can be shown."""
    company = getattr(battle, "won_by", None)
    if company:
        return emblem_svg(emblem_of(company["emblem"], company["name"]))
    spec = first_unit_spec(battle, end.get("winner"))
    return chit_svg(battle.system, spec) if spec else ""
