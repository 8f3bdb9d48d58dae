"""The small maps in a list of scenarios."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from rosters import pieces
from rosters.scenarios.selectors import ScenarioCard
from systems import roster_rules

register = template.Library()


@register.simple_tag
def scenario_map(card: ScenarioCard) -> SafeString:
    """Return the map of a scenario; empty where its game has none. A player's own is rendered again after a change."""

    def context() -> dict[str, object]:
        return {"map": roster_rules(card.system).scenario_map(card.sheet), "name": card.name}

    return pieces.render_fragment("rosters/_small_map.html", card.system, card.value, card.name, card.changed_at, context=context)
