"""How the events of a battle look: which dice made it, and what kind of line it is. Display only."""

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from rosters.templatetags.face import die
from systems.engine.events import Event

register = template.Library()

VERDICTS = ("hit", "saved", "success", "critical", "broke", "exploded")  # flags of a result that a roll decided
HIT = {"hit-taken", "kills-taken"}
MOVES = {"contact-made", "movement-rolled", "contact-broken", "band-changed", "terrain-doubled"}
HEAT = {"heat-rolled", "heat-used", "overheat-taken"}
CRITICALS = {
    "critical-rolled",
    "pilot-wounded",
    "leg-damaged",
    "weapon-destroyed",
    "computers-damaged",
    "system-lost",
    "unit-destroyed",
}


def verdict(event: Event) -> bool | None:
    """Whether the roll of the event succeeded; None if nothing was tried."""
    for flag in VERDICTS:
        value = event.result.get(flag)
        if isinstance(value, bool):
            return value
    return None


@register.filter
def event_class(event: Event) -> str:
    """The class of the line."""
    made = verdict(event)
    if event.kind in CRITICALS or (event.kind in ("critical-checked", "reactor-rolled") and made):
        return "is-crit"
    if event.kind == "save-rolled":
        return "is-save" if made else "is-hit"
    if event.kind in MOVES:
        return "is-move"
    if event.kind in HEAT:
        return "is-heat"
    if event.kind in HIT or made:
        return "is-hit"
    return "is-miss" if made is False else ""


@register.simple_tag
def event_dice(event: Event) -> SafeString:
    """The dice of an event; the last one decided, a die before it in a re-roll was given up."""
    made, last = verdict(event), len(event.faces) - 1
    rerolled = made is not None and last > 0
    return format_html_join(
        "",
        "{}",
        (
            (die(face, (made if at == last else None) if rerolled or at == last else None),)
            for at, face in enumerate(event.faces)
        ),
    )


@register.filter
def signed(value: int) -> str:
    """+1, −2."""
    return f"+{value}" if value > 0 else f"−{-value}" if value < 0 else "0"
