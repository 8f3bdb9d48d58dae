"""The cost of changing a machine that a company owns (HX-182)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from systems.hex_core.catalogue import CATALOGUE
from systems.hex_core.options import BY_THE_BOOK, Options
from systems.legality import BillLine, Check

from .legality import check_machine, problem_of
from .spec import ROYROY, MachineSpec


def check_refit(before: MachineSpec, after: MachineSpec, options: Options = BY_THE_BOOK) -> Check:
    """Check and price a refit: additions cost their list price, removals refund half of it, rounded down.

    Core type and traits can't change.
    """
    problems = [*check_machine(after, options).problems]
    if before.core != after.core:
        problems.append(
            problem_of("refit-core", "A refit keeps the core type; buy another unit for another one.", "core")
        )
    if Counter(before.traits) != Counter(after.traits):
        message = "A refit keeps the traits: they are the pilot's, and come with his rank."
        problems.append(problem_of("refit-traits", message, "traits"))
    bill = tuple(_refit_bill(before, after))
    return Check(sum(line.points for line in bill), tuple(problems), (), bill)


def _refit_bill(before: MachineSpec, after: MachineSpec) -> Iterator[BillLine]:
    for each, was, now in zip(CATALOGUE.reductions.values(), before.srm, after.srm, strict=True):
        prices = (0, each.one, each.two)
        if was != now:
            steps = (min(max(count, 0), 2) for count in (was, now))
            old, new = (prices[count] for count in steps)
            yield _refit_line(f"{CATALOGUE.stats[each.stat].short}: {now} steps for {was}", new - old)
    if before.core == after.core:
        for area, was, now in zip(before.areas, before.armour, after.armour, strict=True):
            if was != now:
                yield _refit_line(f"{area.name}: armour {now} for {was}", now - was)
    old_parts, new_parts = Counter(_priced_parts(before)), Counter(_priced_parts(after))
    for (name, price), count in (new_parts - old_parts).items():
        yield BillLine(f"{name}{_count_suffix(count)}", price * count)
    for (name, price), count in (old_parts - new_parts).items():
        yield BillLine(f"{name}{_count_suffix(count)} taken off", -(price // 2) * count)


def _priced_parts(spec: MachineSpec) -> Iterator[tuple[str, int]]:
    """Yield everything on it with its own price; its place doesn't matter."""
    yield from ((armed.kind.tagged, armed.kind.cost) for armed in spec.weapons)
    yield from ((held.kind.name, held.kind.cost) for held in spec.shields)
    yield from ((CATALOGUE.drones[slug].name, CATALOGUE.drones[slug].cost) for slug in spec.drones)
    yield from [(ROYROY.name, ROYROY.cost)] * spec.royroy
    yield from ((CATALOGUE.systems[slug].name, CATALOGUE.systems[slug].cost) for slug in spec.systems)
    yield from ((CATALOGUE.mods[slug].name, CATALOGUE.mods[slug].cost) for slug in spec.mods)


def _refit_line(label: str, price: int) -> BillLine:
    """Return a line with an increase in price in full, or with half of a reduction."""
    return BillLine(label, price if price > 0 else -(-price // 2))


def _count_suffix(count: int) -> str:
    return f" ×{count}" if count > 1 else ""
