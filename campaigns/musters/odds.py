"""The odds of a match, published before it is played; the site asks for them itself, past any visitor's limit."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from django.db.models import QuerySet

from battles.models import ASKED_BY_SITE, Forecast
from battles.selectors.luck import MIN_BATTLES_FOR_LUCK
from battles.services.forecasts import forecast_ask
from campaigns.models import AbsentRule, Match
from rosters.services import RefusedError
from systems.documents import DocumentError

ODDS_RUNS = 20_000  # enough for a half width of 0.7 points


def publishes_odds(match: Match) -> bool:
    """Return whether its campaign has the odds of its matches calculated, whatever happens to unreported ones."""
    return match.round.campaign.counts_odds


def odds_publish(match: Match, setup: Mapping[str, object], *, by_named_styles: bool = False) -> None:
    """Ask for the odds of a match, or note why it has none. The set-up has no orders, since odds would give them away.

    Each side fights in the AI style that gives it its best chance: people play as they like, and naming a weaker style
    must not change the odds. `by_named_styles`: the AI has played the match, by the styles named.
    """
    if not publishes_odds(match):
        odds_remove(match)
        return
    try:
        match.forecast, _ = _request_odds(setup, by_named_styles=by_named_styles)
    except (RefusedError, DocumentError) as error:
        odds_remove(match, error.reason)
        return
    match.no_odds = ""
    match.save(update_fields=["forecast", "no_odds"])


def odds_prepare(match: Match, setup: Mapping[str, object]) -> None:
    """Ask for the odds that a match has if nobody reports it and the AI plays it by the styles named."""
    if publishes_odds(match) and match.round.campaign.absent_rule == AbsentRule.ORDERS:
        with suppress(RefusedError, DocumentError):
            _request_odds(setup, by_named_styles=True)


def _request_odds(setup: Mapping[str, object], *, by_named_styles: bool) -> tuple[Forecast, bool]:
    return forecast_ask(setup=setup, runs=ODDS_RUNS, visitor=ASKED_BY_SITE, best_styles=not by_named_styles)


def odds_store(matches: QuerySet[Match]) -> None:
    """Store the calculated odds with the matches: ratings are calculated from them for good."""
    rows = matches.filter(odds__isnull=True, setup__isnull=False, forecast__runs_done__gte=MIN_BATTLES_FOR_LUCK)
    for match in rows.select_related("forecast"):
        assert match.forecast is not None
        battle = match.forecast.counts["battle"]
        match.odds = {
            "runs": match.forecast.runs_done,
            "attacker_wins": battle["attacker_wins"],
            "defender_wins": battle["defender_wins"],
            "margins": match.forecast.counts.get("margins", {}),
        }
        match.save(update_fields=["odds"])


def odds_remove(match: Match, reason: str = "") -> None:
    """Remove the odds of a match: those calculated from what both sides could field aren't those of their lists.

    `reason`: what its page says instead, if its campaign has odds calculated.
    """
    said = reason[:300] if publishes_odds(match) else ""
    if match.forecast_id is not None or match.no_odds != said:
        match.forecast, match.no_odds = None, said
        match.save(update_fields=["forecast", "no_odds"])
