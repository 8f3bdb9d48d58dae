"""Games that were played on paper: the lists a judge enters if neither side has submitted one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from campaigns.locks import side_enrolment
from campaigns.models import Match, MatchState, RoundState
from campaigns.musters.forces import autoplay_list, list_as_played, match_document
from campaigns.musters.purchase import buys_units_per_match
from campaigns.policy import Reader, sides_of
from campaigns.results.report import MatchReport
from rosters.documents.snapshots import force_rows, ready_units
from rosters.models import Pilot, Unit
from rosters.services import RefusedError
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.setups import Setup


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitChoice:
    """A unit that may have played, and whether it is on the list now."""

    id: int
    name: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperLists:
    """The lists of a match as a judge would enter it; no set-up if units are bought for each match."""

    setup: Setup | None
    pilots: Mapping[str, str]  # by key of the unit
    choices: tuple[tuple[UnitChoice, ...], ...]  # of attacker and defender

    @property
    def chosen(self) -> str:
        """Return the units of both lists as text; the form sends it to say which units its grid shows."""
        return chosen_text([[each.id for each in side if each.is_chosen] for side in self.choices])


def chosen_text(sides: Sequence[Sequence[int]]) -> str:
    return "|".join(",".join(map(str, sorted(units))) for units in sides)


def can_enter_on_paper(match: Match, by: Reader) -> bool:
    """Return whether this judge may enter the match although neither side has submitted a list."""
    return (
        match.setup is None
        and match.defender is not None
        and match.state in MatchState.undecided()
        and match.round.state == RoundState.OPEN
        and not any(not force.fell for force in match.sealed.all())
        and not sides_of(by, match)
    )


def paper_lists(match: Match, chosen: Mapping[int, Sequence[int]] | None = None) -> PaperLists:
    """Return the units that Muster picks for both sides, or the chosen ones. Raises RefusedError if they can't meet."""
    if buys_units_per_match(match.round.campaign):
        return PaperLists(setup=None, pilots={}, choices=())
    sides = []
    for side in (0, 1):
        units = (chosen or {}).get(side)
        force = list_as_played(match, side, units) if units else autoplay_list(match, side)
        sides.append((_side_name(match, side), side_enrolment(match, side), force))
    try:
        setup = read_setup(match_document(match, sides))
    except DocumentError as error:
        raise RefusedError("forces", f"These lists can't meet: {error.reason}") from None
    rows: dict[str, int | None] = {}
    choices = []
    for _, enrolment, force in sides:
        rows |= {key: row["pilot"] for key, row in force_rows(enrolment.company, force["units"]).items()}
        ready = ready_units(enrolment.company)
        names = dict(Unit.objects.filter(pk__in=ready).values_list("pk", "name"))
        choices.append(tuple(UnitChoice(id=pk, name=names[pk], is_chosen=pk in force["units"]) for pk in ready))
    names = dict(Pilot.objects.filter(pk__in=[pk for pk in rows.values() if pk]).values_list("pk", "name"))
    pilots = {key: names.get(pk or 0, "") for key, pk in rows.items()}
    return PaperLists(setup=setup, pilots=pilots, choices=tuple(choices))


def units_in_report(match: Match, report: MatchReport) -> dict[int, list[int]]:
    """Return the units of each side that a report names: those that played."""
    keys = [int(found[1]) for key in report.units if (found := re.fullmatch(r"u([0-9]{1,9})", key))]
    owners = dict(Unit.objects.filter(pk__in=keys).values_list("pk", "company"))
    companies = [side_enrolment(match, side).company_id for side in (0, 1)]
    return {side: [pk for pk in keys if owners.get(pk) == company] for side, company in enumerate(companies)}


def _side_name(match: Match, side: int) -> str:
    """Return the name of a side in the set-up, the same as if the lists were revealed."""
    names = [side_enrolment(match, at).company.name for at in (0, 1)]
    return f"{names[1][:57]} II" if side == 1 and names[0] == names[1] else names[side]
