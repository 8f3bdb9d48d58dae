"""The legality of Warmechs and forces, and the cost of changing the options of a company's Warmech (BS-C06)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from systems.blazing_steel.build.scenario import BOUNDS, parse_given, read_limits
from systems.blazing_steel.build.spec import MAGAZINE, OPTIONS, SLOTS, WEAPON_SLOTS, WarmechSpec, slot_name
from systems.blazing_steel.catalogue import CATALOGUE, Chassis
from systems.blazing_steel.options import BY_THE_BOOK, Options
from systems.documents import DocumentError
from systems.legality import BillLine, Check, Problem, pluralize
from systems.roster import CompanyMember
from systems.scenarios import SideLimits, force_wrong

FORCE_MIN = CATALOGUE.limits["force-min"].value
FORCE_MAX = CATALOGUE.limits["force-max"].value


def check_warmech(spec: WarmechSpec, options: Options = BY_THE_BOOK) -> Check:
    """Return the points and problems of a build. BS-001 to BS-007, BS-012, BS-015."""
    warnings = []
    if not spec.guns and not spec.melee_weapons:
        message = "It has no weapon. That's legal, and it strikes with one die."
        warnings.append(Problem("BS-015", message, ""))
    bill = warmech_bill(spec, options)
    points = sum(line.points for line in bill)
    notes = (f"{points_sum(spec)} points.",) if len(bill) > 1 else ()
    return Check(points, tuple(_problems(spec)), tuple(warnings), bill, notes)


def warmech_bill(spec: WarmechSpec, options: Options = BY_THE_BOOK) -> tuple[BillLine, ...]:
    """Return the cost of each part. BS-006, BS-013."""
    frame = BillLine(f"{spec.frame.name} chassis", spec.frame.points)
    fitted = (
        BillLine(f"{slot_name(spec.frame, slot.slug, options)}: {option.name}", option.points)
        for slot, option in spec.fitted()
    )
    return (frame, *fitted)


def points_sum(spec: WarmechSpec) -> str:
    """Return the sum in full: `6 + 4 = 10`."""
    options = spec.points - spec.frame.points
    return f"{spec.frame.points} + {options} = {spec.points}" if options else str(spec.points)


def _problems(spec: WarmechSpec) -> Iterator[Problem]:
    frame = spec.frame
    if spec.drive is None:
        message = f"Choose a locomotion: {_one_of([each.name for each in CATALOGUE.locomotion.values()])}."
        yield _problem("locomotion-missing", message, "locomotion")
    for slot in SLOTS:
        if slug := spec.option(slot):
            yield from _slot_problems(frame, slot, slug)
    fitted = sum(1 for _ in spec.fitted())
    if frame.option_cap is not None and fitted > frame.option_cap:
        message = f"A {frame.name} can have {pluralize(frame.option_cap, 'option')} at most, not {fitted}."
        yield _problem("option-cap", message, "options")
    yield from _magazine_problems(spec)


def _slot_problems(frame: Chassis, slot: str, slug: str) -> Iterator[Problem]:
    """Yield the problems with a slot's option. BS-003, BS-004."""
    option, where = OPTIONS[slug], CATALOGUE.slots[slot]
    if slot not in frame.slots:
        arms = sum(CATALOGUE.slots[each].letter == where.letter for each in frame.slots)
        has = pluralize(arms, f"hardpoint {where.letter}", f"hardpoints {where.letter}")
        message = f"A {frame.name} has {has}; there is no {slot} for the {option.name}."
        yield _problem("no-such-hardpoint", message, slot)
    is_peripheral = slug in CATALOGUE.peripherals
    if is_peripheral and where.mount is not None:
        message = f"{option.name}: a peripheral goes in p1, and {slot} takes weapons only."
        yield _problem("peripheral-on-weapon-hardpoint", message, slot)
    if not is_peripheral and where.mount is None:
        message = f"{option.name}: a weapon goes on an arm or in the core, and {slot} takes a peripheral only."
        yield _problem("weapon-on-peripheral-hardpoint", message, slot)


def _magazine_problems(spec: WarmechSpec) -> Iterator[Problem]:
    """Yield the problems with the Extended Magazine. BS-012."""
    served = spec.magazine_on
    if MAGAZINE not in (spec.option(slot) for slot in SLOTS):
        if served:
            message = f"{served} is chosen for an Extended Magazine, but there is none."
            yield _problem("magazine-without-one", message, "magazine_on")
        return
    if not served:
        message = "Choose a weapon with limited ammo for the Extended Magazine."
        yield _problem("magazine-needs-ammo-weapon", message, "magazine_on")
        return
    weapon = spec.weapon(served) if served in WEAPON_SLOTS else None
    if weapon is not None and weapon.ammo is not None:
        return
    if weapon is not None:
        found = f"the {weapon.name} in {served} has unlimited ammo (X)"
    elif spec.option(served):
        found = f"the {OPTIONS[spec.option(served)].name} in {served} doesn't shoot"
    else:
        found = f"{served} is empty"
    message = f"The Extended Magazine needs a weapon with limited ammo, but {found}."
    yield _problem("magazine-needs-ammo-weapon", message, "magazine_on")


def check_company(
    given: str | Mapping[str, object],
    members: Sequence[CompanyMember[WarmechSpec]],
    options: Options,
    side: str | None = None,
    extra_points: int = 0,
) -> Check:
    """Return points and problems of a force in a scenario, or of a company if there is none. BS-014, BS-C02."""
    checks = [check_warmech(member.spec, options) for member in members]
    problems = [each.moved(f"members[{at}]") for at, check in enumerate(checks) for each in check.problems]
    bill = tuple(BillLine(member.name, check.points) for member, check in zip(members, checks, strict=True))
    points = sum(line.points for line in bill)
    if given != "":
        problems += _scenario_problems(given)
        problems += _force_problems(len(members), points, side_limits(given, side, options), extra_points)
    return Check(points, tuple(problems), (), bill)


def force_size_problem(size: int) -> Problem | None:
    """Return the problem of a force of this size; None if it is allowed. BS-014."""
    if size < FORCE_MIN:
        return _problem("force-too-small", "A force needs at least one Warmech.", "members")
    if size > FORCE_MAX:
        return _problem("force-too-large", f"A force has {FORCE_MAX} Warmechs at most, not {size}.", "members")
    return None


def side_limits(given: str | Mapping[str, object], side: str | None, options: Options) -> SideLimits:
    """Return a side's limits; the scenario's override the house rule's. BS-C02."""
    limits = read_limits(given, side)
    return limits if limits.points_most else limits.model_copy(update={"points_most": options.points_limit})


def _force_problems(size: int, points: int, limits: SideLimits, extra_points: int) -> Iterator[Problem]:
    if problem := force_size_problem(size):
        yield problem
    yield from force_wrong(limits, size, points, BOUNDS, extra_points)
    limit = limits.points_most and limits.points_most + extra_points
    if limit and points > limit:
        message = f"The force is worth {points} points; the limit is {limit}."
        yield _problem("points-over-limit", message, "members")


def _scenario_problems(given: str | Mapping[str, object]) -> Iterator[Problem]:
    if isinstance(given, str):
        if given not in CATALOGUE.scenarios:
            yield Problem("BS-020", f"There's no scenario {ascii(given[:60])}.", "scenario")
        return
    try:
        parse_given(given)
    except DocumentError as error:
        yield Problem("BS-020", f"The scenario can't be read ({error.path}: {error.reason}).", "scenario")


def _one_of(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _problem(code: str, message: str, place: str) -> Problem:
    return Problem(CATALOGUE.refusals[code].rule, message, place, code)


REFIT_PRICE = CATALOGUE.limits["refit-points"].value


def check_refit(before: WarmechSpec, after: WarmechSpec, options: Options = BY_THE_BOOK) -> Check:
    """Return the points and problems of a refit from `before` to `after`.

    Adding or exchanging an option costs 1, removing one returns nothing; chassis and locomotion stay. Moving a magazine
    to another weapon is free.
    """
    problems = [*check_warmech(after, options).problems]
    for field, name in (("chassis", "chassis"), ("locomotion", "locomotion")):
        if getattr(before, field) != getattr(after, field):
            message = f"A refit can't change the {name}. Buy another Warmech instead."
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
