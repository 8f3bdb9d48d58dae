"""A match on paper, as far as its reader may see the lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from django.utils import timezone
from django.utils.formats import date_format

from battles.paper import owner_of, setup_packet
from battles.services.results import outcome_choices
from campaigns import policy
from campaigns.army_lists.purchases import buys_units_per_match
from campaigns.house_rules import round_house_rules
from campaigns.matches.selectors import SUBMITTED_LISTS
from campaigns.models import Match
from rosters.appearance.emblems import emblem_of
from rosters.documents.snapshots import ready_units
from rosters.models import Company
from rosters.paper.sources import Packet, PacketSide, PacketUnit, unit_document
from rosters.selectors import company_sheet
from systems import roster_rules
from systems.reading import stored_setup

Link = Callable[[Company, int], str]


def match_packet(match: Match, reader: policy.Reader, *, url: str, link: Link) -> Packet:
    """Return the match's packet.

    Before the lists are revealed it has only the reader's own. `url` leads to the report form.
    """
    assert match.defender is not None
    round_ = match.round
    kicker = f"{round_.campaign.name} · {round_} · table {match.number}"
    deadline = ""
    if round_.deadline:
        deadline = date_format(timezone.localtime(round_.deadline), "j F Y, H:i")
    companies = [match.attacker.company, match.defender.company]
    if match.setup is not None:
        refs = match.forces
        owners = [owner_of(company, refs[at], reader, link) for at, company in enumerate(companies)]
        setup = stored_setup(match.setup)
        return setup_packet(setup, owners, title=str(match)[:120], url=url, kicker=kicker, deadline=deadline)
    own = policy.sides_of(reader, match)
    sides = [_closed_side(match, at, company, link, is_own=at in own) for at, company in enumerate(companies)]
    name, spec = _scenario(match)
    return Packet(
        system=round_.campaign.system,
        title=str(match)[:120],
        sides=(sides[0], sides[1]),
        kicker=kicker,
        scenario_name=name,
        scenario=spec,
        terrain=match.terrain,
        deadline=deadline,
        url=url,
        outcomes=tuple(label for _, label in outcome_choices([side.name for side in sides])),
        options=round_house_rules(round_),
    )


def describe_omissions(match: Match, reader: policy.Reader) -> str:
    """Return what the packet leaves out, and why; empty if nothing."""
    own = policy.sides_of(reader, match)
    if match.setup is not None or len(own) == 2:
        return ""
    if not own:
        return "The forces are not open yet: their cards and rosters can be printed when they are."
    return "The forces are not open yet: your opponent's cards and roster can be printed when they are."


def _closed_side(match: Match, at: int, company: Company, link: Link, *, is_own: bool) -> PacketSide:
    """Return the side without its units. The reader's own side has those they submitted, or all they could field."""
    bare = PacketSide(
        name=company.name,
        player=str(company.owner)[:60],
        colour=company.colour,
        emblem=emblem_of(company.emblem, company.name).code,
    )
    if not is_own:
        return bare
    if buys_units_per_match(match.round.campaign):
        return bare  # units bought for the match can be printed once they are bought
    sealed = next(
        (force for force in SUBMITTED_LISTS.rows(match=match.pk) if force.side == at and not force.fell), None
    )
    chosen = sealed.document["units"] if sealed else ready_units(company)
    sheet = company_sheet(company)
    units = [unit for pk in chosen if (unit := sheet.unit(pk)) and unit.is_ready]
    documents = (
        PacketUnit(
            document=unit_document(
                sheet,
                unit,
                link=lambda unit=None, pilot=None: link(company, unit) if unit else "",
                options=round_house_rules(match.round),
            ),
            points=unit.points,
            hits=unit.hits_left,
        )
        for unit in units
    )
    return replace(bare, units=tuple(documents))


def _scenario(match: Match) -> tuple[str, Mapping[str, object] | None]:
    rules = roster_rules(match.round.campaign.system, match.round.campaign.catalogue_release)
    if isinstance(match.scenario, Mapping):
        return str(match.scenario["name"]), match.scenario["spec"]
    published = rules.scenarios.get(match.scenario)
    return (published.name, rules.scenario_json(published.spec)) if published else (match.scenario_name, None)
