"""The cost of changing the options of a Warmech that a company owns (BS-C06)."""

from __future__ import annotations

from systems.blazing_steel.catalogue import CATALOGUE
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.legality import BillLine, Check, Problem

from .legality import check_warmech
from .spec import OPTIONS, SLOTS, WarmechSpec, slot_name

REFIT_PRICE = CATALOGUE.limits["refit-points"].value


def check_refit(before: WarmechSpec, after: WarmechSpec, options: Options = BY_THE_BOOK) -> Check:
    """Return the points and problems of a refit from `before` to `after`.

    An option added or exchanged costs 1, a removed one brings nothing; chassis and locomotion stay. Making a magazine serve
    another weapon is free.
    """
    problems = [*check_warmech(after, options).problems]
    for field, name in (("chassis", "chassis"), ("locomotion", "locomotion")):
        if getattr(before, field) != getattr(after, field):
            message = f"A refit keeps the {name}; buy another Warmech for another one."
            refusal = CATALOGUE.refusals["refit-changes-frame"]
            problems.append(Problem(refusal.rule, message, field, refusal.slug))
    bill = tuple(
        BillLine(
            f"{slot_name(after.frame, slot, options)}: {_describe_change(before.option(slot), after.option(slot))}",
            _option_price(after, slot),
        )
        for slot in SLOTS
        if before.option(slot) != after.option(slot)
    )
    return Check(sum(line.points for line in bill), tuple(problems), (), bill)


def _option_price(after: WarmechSpec, slot: str) -> int:
    return REFIT_PRICE if after.option(slot) else 0


def _describe_change(before: str, after: str) -> str:
    if not after:
        return f"{OPTIONS[before].name} removed"
    return f"{OPTIONS[after].name} for the {OPTIONS[before].name}" if before else OPTIONS[after].name
