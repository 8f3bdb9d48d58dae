"""What a changed result of one match would change in its season: tables and cup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from campaigns.cups.changes import compare_cups
from campaigns.models import SeasonPairing
from campaigns.seasons.selectors import current_cup, entrants_of, pairings_of, players_table, teams_tables
from campaigns.seasons.table import PairingFacts, pairing_status
from campaigns.standings.table import TableRow
from systems.words import pluralize


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonChanges:
    """Sentences about the changes, and reasons for later matches that would have other players (by match)."""

    sentences: tuple[str, ...] = ()
    flags: Mapping[int, str] = field(default_factory=dict)


def season_changes(match: int, state: str, outcome: str) -> SeasonChanges:
    """Return the changes if that match ends like this. Six queries at most; one if it is in no season."""
    rows = SeasonPairing.objects.filter(match=match).select_related("round__season")
    pairing = rows.first()
    if pairing is None:
        return SeasonChanges()
    season = pairing.round.season
    entrants, before = entrants_of(season), pairings_of(season)
    stands = pairing_status(PairingFacts(pairing.state, True, None, pairing.one_attacks, state, outcome, None))
    after = [
        each._replace(state=stands.state, outcome=stands.outcome, refusing=stands.refusing)
        if each.id == pairing.pk
        else each
        for each in before
    ]
    sentences = _describe_moved(*(players_table(season, entrants, each) for each in (before, after)))
    if pairing.tie_id is not None:
        sentences += _describe_moved(*teams_tables(season, (before, after)))
    cups = [current_cup(season, entrants, each) for each in (before, after)]
    flags: dict[int, str] = {}
    if cups[0] is not None and cups[1] is not None:
        found = compare_cups(cups[0], cups[1])
        sentences += found.sentences
        matches = dict(SeasonPairing.objects.filter(pk__in=list(found.flags)).values_list("pk", "match"))
        flags = {pk: text for at, text in found.flags.items() if (pk := matches.get(at)) is not None}
    return SeasonChanges(sentences=tuple(sentences), flags=flags)


def _describe_moved(before: Sequence[TableRow], after: Sequence[TableRow]) -> list[str]:
    """Return a sentence for each row that differs in the second table."""
    was = {row.entrant: row for row in before}
    found = []
    for row in after:
        old = was[row.entrant]
        if (old.points, old.place) != (row.points, row.place):
            now = f"place {row.place} with {pluralize(row.points, 'points')}"
            found.append(f"{row.name}: {now}, not {old.place} with {old.points}.")
    return found
