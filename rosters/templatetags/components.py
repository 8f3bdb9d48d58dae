"""Tags for small parts of pages: counters, dice, bars, rule IDs, a note about missing workers, undo in a message.

Every drawing has a text alternative.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from django import template
from django.conf import settings
from django.contrib.messages.storage.base import Message
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify

from rosters.site.heartbeats import is_served
from rosters.site.mails import is_local
from rosters.site.rendering import escape_markup, silhouettes
from rosters.view_helpers import UNDO
from systems import roster_rules
from systems.artwork import code_of, silhouette
from systems.battle_display import boxes_of
from systems.rulebook import RuleRef
from systems.text import format_decimal, pluralize, round_half_up

register = template.Library()
register.filter("quantity", pluralize)
register.filter("decimal", format_decimal)

BANDS = ("Short", "Medium", "Long")
NOTHING = mark_safe("")
FEW_BOXES = 10  # boxes that fit on a line of a phone; if there are more, the number is shown instead
OF_A_UNIT = re.compile(r"members\[(\d+)\]\.(?!pilot$)")  # for other places, the sentence names the unit or pilot itself


def _when(condition: object, text: str, *args: object) -> SafeString:
    """Return the markup if the condition is true, else nothing."""
    return format_html(text, *args) if condition else NOTHING


@register.filter
def system_part(system: str, what: str) -> str:
    """Return the template or static file with which a game shows `what`; empty if it has none."""
    return roster_rules(system).parts.get(what, "")


@register.filter
def word(system: str, what: str) -> str:
    """Return a game's word for `what`, from `SystemWords`."""
    return str(getattr(roster_rules(system).words, what))


@register.filter
def credit(system: str) -> SafeString:
    """Return the credit that a game's licence requires on pages with its rules; empty if it requires none."""
    line = roster_rules(system).attribution if system else ""
    return _when(line, '<p class="credit small muted">{}</p>', line)


@register.filter
def rules_links(system: str) -> SafeString:
    """Return links to the rules page of a game and to the terms that it explains."""
    rules, url = roster_rules(system), reverse("rosters:rules", args=[system])
    links = [(url, f"Rules of {rules.name}"), *((f"{url}#{slugify(title)}", title) for title in rules.glossary)]
    return format_html('<p class="small no-print">{}</p>', format_html_join(" · ", '<a href="{}">{}</a>', links))


@register.filter
def rule_in_brackets(rule: str) -> str:
    """Return a space and the rule's ID in brackets; empty if there is no rule."""
    return f" ({rule})" if rule else ""


@register.filter
def which_unit(place: str) -> str:
    """Return which unit of a list has a problem, if the problem's sentence doesn't say so.

    `place` is the problem's path in the list, which is meant for programs.
    """
    found = OF_A_UNIT.match(place)
    return f"unit {int(found[1]) + 1}" if found else ""


@register.simple_tag
def unit_counter(
    name: str,
    size: str = "",
    *,
    side: str = "",
    callsign: str = "",
    state: str = "",
    state_label: str = "",
    left: object = "",
    right: object = "",
    small: bool = False,
    picture: SafeString = NOTHING,
) -> SafeString:
    """Return a unit as a counter: its picture or silhouette, a number in each lower corner, and its name below.

    `state_label` is the game's own word for the state, if it has one.
    """
    shape = silhouette(size)
    classes = "counter"
    if small:
        classes += " counter--small"
    if side in ("a", "b"):
        classes += f" side-{side}"
    if state in ("destroyed", "withdrew", "wounded"):
        classes += f" is-{state}"
    art = picture or (
        f'<svg class="counter__art" viewBox="0 0 64 64" focusable="false"><use href="{silhouettes()}'
        f'#{shape}"></use></svg>'
        if shape
        else ""
    )
    corners = "".join(
        f'<span class="counter__{corner}">{escape_markup(figure)}</span>'
        for corner, figure in (("left", left), ("right", right))
        if figure not in ("", None)
    )
    description = ", ".join(str(part) for part in (size.replace("-", " "), left, right) if part not in ("", None))
    named = escape_markup(name)
    if callsign:
        named += f' <span class="counter__callsign">“{escape_markup(callsign)}”</span>'
    if description:
        named += f'<span class="vh"> ({escape_markup(description)})</span>'
    if state:
        named += f' <span class="counter__state">{escape_markup(state_label or state)}</span>'
    return mark_safe(  # all its parts are escaped
        f'<span class="{classes}"><span class="counter__chip" aria-hidden="true">'
        f'<span class="counter__code">{code_of(size)}</span>{art}{corners}</span>'
        f'<span class="counter__name">{named}</span></span>'
    )


@register.simple_tag
def counter_of(unit: Any, side: str) -> SafeString:
    """Return a unit of a list as a counter with its armor and its points."""
    return unit_counter(
        unit.name,
        unit.size,
        side=side,
        state=unit.state,
        state_label=unit.state_label,
        left=unit.armor,
        right=unit.points,
    )


def _cells(filled: int, total: int, filled_class: str, other_class: str = "") -> SafeString:
    filled = max(0, min(filled, total))
    return mark_safe(f'<i class="{filled_class}"></i>' * filled + f'<i class="{other_class}"></i>' * (total - filled))


@register.simple_tag
def hit_boxes(left: int, total: int, *, label: str = "Hits") -> SafeString:
    """Return hit boxes: open boxes for the hits left, crossed boxes for the hits lost."""
    left = max(0, min(left, total))
    whole, boxes = boxes_of(left, total)
    cells = _cells(whole, boxes, "", "is-lost")
    many = " boxes--many" if boxes > FEW_BOXES else ""
    return mark_safe(  # all its parts are escaped
        f'<span class="boxes{many}"><span class="vh">{left} of {total} {escape_markup(label)} left</span>'
        f'<span class="boxes__row" aria-hidden="true">{cells}</span></span>'
    )


@register.simple_tag
def die(face: int, result: bool | None = None, *, sides: int = 6) -> SafeString:
    """Return one die. `result` is True for a success, False for a failure, and None if neither is meant."""
    state, word = {True: (" die--hit", " made"), False: (" die--miss", " failed")}.get(result, ("", ""))  # type: ignore[arg-type]
    if sides == 6 and 1 <= face <= 6:
        return format_html(
            '<span class="die{}" data-face="{}"><span class="vh">{}{} </span></span>', state, face, face, word
        )
    return format_html('<span class="die die--figure{}">{}<span class="vh">{} </span></span>', state, face, word)


@register.simple_tag
def dice(faces: Iterable[int], *, sides: int = 6) -> SafeString:
    """Return several dice without results, in the order in which they were rolled."""
    return format_html(
        '<span class="dice">{}</span>', format_html_join("", "{}", ((die(face, sides=sides),) for face in faces))
    )


@register.filter
def percent(share: float | Fraction | None) -> str:
    """Return the share as a text like 61.3%; 0.0% and 100.0 % only if it is exactly 0 or 1."""
    if share is None:
        return "–"
    if 0 < share < 0.0005:
        return "< 0.1%"
    if 0.9995 <= share < 1:
        return "> 99.9%"
    return f"{float(round_half_up(share * 100, 1)):.1f}%"


def _per_mille(share: float) -> int:
    return round(1000 * max(0.0, min(1.0, share)))


@register.simple_tag
def share_bar(low: float, share: float, high: float, *, label: str = "", side: str = "") -> SafeString:
    """Return a share between 0 and 1 as a bar, and its confidence interval as a bracket; both are also numbers."""
    left, at, right = _per_mille(low), _per_mille(share), _per_mille(high)
    return format_html(
        '<div class="share{}">{}<span class="share__value num">{}</span>'
        '<svg class="share__bar" viewBox="0 0 1000 28" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        '<rect class="bar__trough" x="0" y="12" width="1000" height="16"></rect><rect class="bar__fill" x="0" y="12" width="{}" height="16"></rect>'
        '<path class="bar__interval" d="M{} 5H{}M{} 1V9M{} 1V9"></path></svg>'
        '<span class="share__interval num"><span class="vh">95 percent interval </span>{} to {}</span></div>',
        f" side-{side}" if side in ("a", "b") else "",
        _when(label, '<span class="share__label">{}</span>', label),
        percent(share),
        at,
        left,
        right,
        left,
        right,
        percent(low),
        percent(high),
    )


@register.simple_tag
def split_bar(wins_a: float, draws: float, wins_b: float, *, label_a: str = "A", label_b: str = "B") -> SafeString:
    """Return a bar in three parts: wins of side a on the left, wins of side b on the right, draws between them."""
    total = wins_a + draws + wins_b
    a = round(1000 * wins_a / total) if total else 0
    b = round(1000 * wins_b / total) if total else 0
    return format_html(
        '<div class="split"><svg class="split__bar" viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true" focusable="false">'
        '<rect class="bar__trough" x="0" y="0" width="1000" height="24"></rect><rect class="split__a" x="0" y="0" width="{}" height="24"></rect>'
        '<rect class="split__b" x="{}" y="0" width="{}" height="24"></rect><path class="split__mid" d="M500 0V24"></path></svg>'
        '<ul class="split__key"><li><span class="side-mark side-a"></span>{} <b class="num">{}</b></li>'
        '<li>Draw <b class="num">{}</b></li><li><span class="side-mark side-b"></span>{} <b class="num">{}</b></li></ul></div>',
        a,
        1000 - b,
        b,
        label_a,
        percent(wins_a / total if total else None),
        percent(draws / total if total else None),
        label_b,
        percent(wins_b / total if total else None),
    )


@register.simple_tag
def progress(done: int, total: int, *, label: str = "Done") -> SafeString:
    """Return the progress of a job as a bar with two numbers; without a total, say that the job is waiting."""
    if not total:
        return format_html(
            '<div class="progress"><span class="progress__label">{}</span><progress aria-label="{}"></progress></div>',
            label,
            label,
        )
    return format_html(
        '<div class="progress"><span class="progress__label">{}</span><span class="progress__figures num">{} / {}</span>'
        '<progress max="{}" value="{}" aria-label="{}">{}%</progress></div>',
        label,
        f"{done:,}",
        f"{total:,}",
        total,
        done,
        label,
        100 * done // total,
    )


@register.simple_tag
def band_ladder(band: int | None, *, a: str = "", b: str = "", broken: bool = False) -> SafeString:
    """Return the distance between two opponents as a ladder of Short, Medium and Long with the range marked."""
    here = None if broken or band is None or not 0 <= band < len(BANDS) else band
    description = "contact broken" if broken else (BANDS[here] if here is not None else "not in contact")
    rungs = format_html_join(
        "",
        '<i class="{}">{}</i>',
        (
            ("is-here" if n == here else "is-between" if here is not None and n < here else "", name[0])
            for n, name in enumerate(BANDS)
        ),
    )
    return format_html(
        '<div class="ladder{}"><span class="ladder__a">{}</span><span class="ladder__rungs" aria-hidden="true">{}</span>'
        '<span class="ladder__b">{}</span><span class="ladder__label">{}</span></div>',
        " is-broken" if here is None else "",
        a,
        rungs,
        b,
        description,
    )


@register.simple_tag
def rule_chip(ref: RuleRef | str | None, *, url: str = "") -> SafeString:
    """Return a rule's ID, with its text to unfold if it is a RuleRef, and as a link if there is a URL."""
    if not ref:
        return NOTHING
    if isinstance(ref, str):
        if url:
            return format_html('<a class="rule__id" href="{}">{}</a>', url, ref)
        return format_html('<span class="rule__id">{}</span>', ref)
    return format_html(
        '<details class="rule"><summary class="rule__id">{}</summary>'
        '<div class="rule__text" tabindex="0" role="group" aria-label="Rule {}"><b>{}</b><p>{}</p>{}{}{}</div></details>',
        ref.id,
        ref.id,
        ref.title,
        ref.text,
        format_html('<p class="rule__source">{}</p>', ref.origin),
        format_html_join(
            "",
            '<p class="rule__ruling"><b>{}</b> {}</p>',
            ((ruling.heading, ruling.text) for ruling in ref.rulings),
        ),
        _when(url, '<p><a href="{}">Rule in full</a></p>', url),
    )


@register.simple_tag
def to_hit(numbers: Iterable[int | None]) -> SafeString:
    """Return the number that a weapon needs at Short, Medium and Long, or a dash if it is out of range there."""
    cells = format_html_join(
        "",
        '<span class="to-hit__cell{}"><span class="to-hit__band"><span aria-hidden="true">{}</span><span class="vh">{} </span></span>{}</span>',
        (
            ("" if number else " is-out", band[0], band, f"{number}+" if number else "–")
            for band, number in zip(BANDS, numbers, strict=False)
        ),
    )
    return format_html('<span class="to-hit num">{}</span>', cells)


@register.simple_tag
def points(number: int | None, unit: str = "points") -> SafeString:
    """Return the number with its unit, like 24 pt, in tabular figures; other currencies have their own word."""
    short = "pt" if unit == "points" else unit
    return format_html(
        '<span class="points num">{}<span class="points__unit"> {}</span></span>',
        "–" if number is None else number,
        short,
    )


@register.filter
def lookup(mapping: Mapping[str, object], key: str) -> object:
    """Return mapping[key], or the key itself if it is missing, which suits rule IDs and slugs."""
    try:
        return mapping[key]
    except (KeyError, TypeError, IndexError):
        return key


@register.simple_tag(takes_context=True)
def local_outbox_url(context: template.Context) -> str:
    """Return the URL of the outbox with the stored mails, if the user is on this machine; else empty."""
    request = context.get("request")
    return reverse("outbox") if settings.EMAIL_LOCAL_OUTBOX and request is not None and is_local(request) else ""


@register.simple_tag
def no_worker(queue: str) -> SafeString | str:
    """Return a note if no worker for this queue is running, else nothing. Makes one query."""
    if is_served(queue):
        return ""
    message = "The server is busy or restarting. This will start automatically."
    return format_html('<div class="note note--warn"><p>{}</p></div>', message)


class Undoable(NamedTuple):
    company: int
    act: str


@register.filter
def undoable(message: Message) -> Undoable | None:
    """Return the company and the act that can be undone in the message; None if there is none."""
    tag = message.extra_tags or ""
    if not tag.startswith(UNDO):
        return None
    company, _, act = tag.removeprefix(UNDO).partition("-")
    return Undoable(int(company), act)
