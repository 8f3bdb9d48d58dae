"""Meks & Mercs on a company's roster and on a result slip: one line per unit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from systems.figures import MINUS
from systems.legality import join_words
from systems.meks_and_mercs.build.datasheet import Datasheet, SupportCard
from systems.meks_and_mercs.build.hand import HAND
from systems.meks_and_mercs.catalogue import CATALOGUE
from systems.paper.blocks import RosterLine, RosterPilot, slip_words
from systems.paper.words import NO_BOXES, pluralize
from systems.roster import PilotCard

SLIP_WORDS = slip_words(HAND, hits=max(frame.hits for frame in CATALOGUE.chassis.values()))


def roster_line(sheet: Datasheet | SupportCard) -> RosterLine:
    if isinstance(sheet, SupportCard):
        return RosterLine(name=sheet.name, design="support unit")
    pilot = sheet.pilot
    return RosterLine(
        name=sheet.name,
        design=_design(sheet),
        points=sheet.points,
        pilot=RosterPilot(
            name=pilot.name,
            level=pilot.level_name,
            skills=_skills(skill.name for skill in pilot.skills),
            record=_pilot_record(pilot.kills, pilot.games),
        )
        if pilot
        else None,
        notes=(_skills(skill.name for skill in pilot.skills) or NO_BOXES) if pilot else "",
        damage=_damage(sheet),
    )


def roster_pilot(pilot: PilotCard) -> RosterPilot:
    return RosterPilot(
        name=pilot.full_name,
        level=CATALOGUE.levels[pilot.experience].name,
        skills=_skills(CATALOGUE.skills[slug].name for slug in pilot.skills),
        record=_pilot_record(pilot.kills, pilot.games),
    )


def _design(sheet: Datasheet) -> str:
    named = sheet.design_name.casefold() != sheet.name.casefold()
    return ", ".join(filter(None, (sheet.design_name if named else "", sheet.size_name)))


def _skills(names: Iterable[str]) -> str:
    return ", ".join(names)


def _pilot_record(kills: int, games: int) -> str:
    """Return kills and games, empty if there are none."""
    if not kills and not games:
        return ""
    return f"{pluralize(kills, 'kill')}, {pluralize(games, 'game')}"


def _damage(sheet: Datasheet) -> str:
    track = sheet.track
    parts = []
    if sheet.hits_left < sheet.hits:
        parts.append(f"{sheet.hits_left} of {sheet.hits} Hits left")
    lost = [line.name for line in sheet.weapons if line.is_lost]
    lost += [line.name for line in sheet.systems if line.is_lost]
    if lost:
        parts.append(f"{_with_counts(lost)} lost")
    if track.legs:
        parts.append(f"legs {MINUS}{track.legs}")
    told = ((track.wounded, "pilot wounded"), (track.computers, "computers"), (track.dug_in, "dug in"))
    parts += [word for holds, word in told if holds]
    return "; ".join(parts)


def _with_counts(names: Sequence[str]) -> str:
    counts = {name: names.count(name) for name in names}
    return join_words([f"{count} × {name}" if count > 1 else name for name, count in counts.items()])
