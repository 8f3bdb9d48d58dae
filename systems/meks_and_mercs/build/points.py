"""The cost of a Mek and of a company, as bills whose lines add up."""

from collections import Counter
from functools import lru_cache

from systems.legality import BillLine
from systems.meks_and_mercs.catalogue.types import PublishedMek, Weapon
from systems.meks_and_mercs.options import BY_THE_BOOK, Options

from .spec import MekSpec


def purchases(weapon: Weapon, count: int) -> int:
    """Return the number of purchases for `count` weapons; CIWS come in pairs. MM-008."""
    return -(-count // weapon.pack)


def mek_bill(spec: MekSpec, options: Options) -> tuple[BillLine, ...]:
    """Return chassis, weapons and systems of a Mek, and the house rule that changes the sum. MM-002, MM-007."""
    lines = [BillLine(f"{spec.frame.name} chassis", spec.frame.points)]
    for slug, count in Counter(spec.weapons).items():
        weapon = spec.catalogue.weapons[slug]
        bought = purchases(weapon, count)
        label = f"{weapon.name} (pair)" if weapon.pack == 2 else weapon.name
        lines.append(BillLine(_times(label, bought), weapon.points * bought))
    for slug, count in Counter(spec.systems).items():
        system = spec.catalogue.systems[slug]
        lines.append(BillLine(_times(system.name, count), system.points_on(spec.frame) * count))
    published = published_as(spec)
    if published and published.printed_points_option and options.is_set(published.printed_points_option):
        difference = published.printed_points - sum(line.points for line in lines)
        lines.append(BillLine(f"House rule: {published.name} at its printed points", difference))
    return tuple(lines)


def mek_points(spec: MekSpec, options: Options = BY_THE_BOOK) -> int:
    """Return the points to field a Mek."""
    return sum(line.points for line in mek_bill(spec, options))


@lru_cache(maxsize=4096)
def published_as(spec: MekSpec) -> PublishedMek | None:
    """Return the published Mek with the same parts, in any order."""
    for mek in spec.catalogue.published.values():
        if mek.chassis == spec.chassis and all(
            Counter(theirs) == Counter(ours)
            for theirs, ours in ((mek.weapons, spec.weapons), (mek.systems, spec.systems))
        ):
            return mek
    return None


def _times(label: str, count: int) -> str:
    return label if count == 1 else f"{count} × {label}"
