"""Buy, sell, rename, repair and refit units, and assign their pilots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from unicodedata import normalize

from django.db import transaction

from rosters.entries.company import Renamed
from rosters.entries.units_and_pilots import Assigned, Bought, Refitted, Repaired, Retired, Sold, sale_price
from rosters.ledger.records import company_record
from rosters.models import Company, Design, Pilot, PilotStatus, Player, Unit, UnitStatus
from rosters.services.base import Act, clean_text, company_lock, free_name, own, read_spec, rules_of, spend
from rosters.site.exceptions import RefusedError
from rosters.unit_cache import seat_price
from systems.legality import join_words
from systems.roster import AnyRoster, CompanyMember, PilotSpec, RosterSystem
from systems.text import shorten_name

MAX_UNITS = 60  # ready units of a company


COUNT_BEFORE = re.compile(r"([0-9]{1,3})(?: *[x×] *| +)(\S.*)", re.IGNORECASE)  # "2x WASP", "2 WASP"
COUNT_AFTER = re.compile(r"(.*\S) +[x×] *([0-9]{1,3})", re.IGNORECASE)  # "WASP x2"
POINTS_BESIDE = re.compile(r"\s*\([0-9]+ *(?:points?|pts?)?\.?\)$", re.IGNORECASE)  # "WASP (25 points)"


@transaction.atomic
def unit_buy(
    *, company: Company, by: Player, published: str = "", design: Design | None = None, name: str = ""
) -> Unit:
    """Buy a unit of a published design (its slug) or of the player's own. RefusedError if illegal or too expensive."""
    design_name, spec = _chosen(company, by, published, design)
    return unit_buy_spec(company=company, by=by, design_name=design_name, spec=spec, name=name)


@transaction.atomic
def units_buy_list(*, company: Company, by: Player, text: str) -> list[Unit]:
    """Buy all units of a list like "2x WASP, VIPER", or none. The names are published designs or the player's own."""
    rules = rules_of(company)
    designs: dict[str, tuple[str, Design | None]] = {}
    for slug, model in rules.published.items():
        designs[_plain(slug)] = designs[_plain(model.name)] = (slug, None)
    for design in Design.objects.filter(author=by, system=company.system):
        designs.setdefault(_plain(design.name), ("", design))
    items = split_list(text)
    if not items:
        raise RefusedError("list", "List what to buy, for example: 2x WASP, VIPER.")
    wanted = []
    for item in items:
        known = ((count, name) for count, name in readings_of(item) if _plain(name) in designs)
        found = next(known, None)
        if found is None:
            name = list(readings_of(item))[-1][1]
            close = get_close_matches(_plain(name), designs, n=1)
            slug, own_design = designs[close[0]] if close else ("", None)
            meant = own_design.name if own_design else rules.published[slug].name if slug else ""
            did = f" Did you mean “{meant}”?" if meant else ""
            raise RefusedError("list", f"There's no design called “{name[:60]}”.{did} Nothing was bought.")
        wanted.append(found)
    if sum(count for count, _ in wanted) > MAX_UNITS:
        raise RefusedError("list", f"A company can have {MAX_UNITS} units at most. Sell one first.")
    bought = []
    for count, name in wanted:
        published, own_design = designs[_plain(name)]
        bought += [unit_buy(company=company, by=by, published=published, design=own_design) for _ in range(count)]
    return bought


def split_list(text: str) -> list[str]:
    """Split a list at commas, semicolons and line breaks."""
    items = (item.strip().lstrip("-*• ").strip() for item in re.split(r"[,;\r\n]+", text))
    return [item for item in items if item]


def readings_of(item: str) -> Iterator[tuple[int, str]]:
    """Yield what an item may mean as number and name, likeliest first: a design may be called "Lynx 2" or "3 Kings"."""
    yield 1, item
    plain = POINTS_BESIDE.sub("", item)
    if found := COUNT_BEFORE.fullmatch(plain):
        yield int(found[1]), found[2]
    elif found := COUNT_AFTER.fullmatch(plain):
        yield int(found[2]), found[1]
    elif plain != item:
        yield 1, plain


def _plain(name: str) -> str:
    return " ".join(normalize("NFC", name).replace("-", " ").casefold().split())


def _chosen(company: Company, by: Player, published: str, design: Design | None) -> tuple[str, object]:
    """Return name and spec of a published design (its slug) or of one of the player's own designs."""
    if bool(published) == (design is not None):
        raise RefusedError("design", "Choose either a published design or one of your own.")
    if design is not None:
        if design.author_id != by.pk:
            raise RefusedError("design", "This design isn't yours. Clone it first.")
        if design.system != company.system:
            raise RefusedError("design", f"{design.name} is for another game. Choose a design of this one.")
        return design.name, design.spec
    rules = rules_of(company)
    if published not in rules.published:
        raise RefusedError("published", f"There's no published design {ascii(published[:60])}.")
    model = rules.published[published]
    return model.name, rules.spec_json(model.spec)


@transaction.atomic
def unit_buy_spec(
    *,
    company: Company,
    by: Player,
    design_name: str,
    spec: object,
    name: str = "",
    on_loan: bool = False,
    lent: bool = False,
) -> Unit:
    """Buy a unit with this spec.

    A unit `on_loan` is paid from later income. A `lent` unit is free and leaves the company after one game.
    """
    locked = company_lock(company)
    rules = rules_of(locked)
    parsed = read_spec(rules, spec)
    if not (on_loan or lent) and company_record(locked).games:
        parsed = rules.replacement(parsed)
    check = rules.check_design(parsed)
    if check.problems:
        reasons = " ".join(f"{problem.message} ({problem.rule})" for problem in check.problems)
        raise RefusedError("design", f"{design_name} is illegal: {reasons}")
    refuse_retired(rules, parsed)
    taken = list(locked.units.filter(status=UnitStatus.READY).values_list("name", flat=True))
    if len(taken) >= MAX_UNITS:
        raise RefusedError("design", f"A company can have {MAX_UNITS} units at most. Sell one first.")
    wanted = clean_text("name", name, longest=60, may_be_empty=True)
    short_name = shorten_name(design_name, 60)
    is_free = on_loan or lent
    if not is_free:
        _refuse_past_the_limit(locked, rules, check.points, short_name)
        spend(locked, check.points, short_name)
    unit = Unit.objects.create(
        company=locked,
        name=wanted or free_name(short_name, taken),
        design_name=short_name,
        spec=rules.spec_json(parsed),
        position=len(taken),
    )
    facts = {
        "name": unit.name,
        "design": unit.design_name,
        "spec": unit.spec,
        "bill": [[line.label, line.points] for line in check.bill],
        "release": rules.catalogue_release,
    }
    if on_loan:
        facts["loan"] = check.points
    if lent:
        facts["lent"] = True
    Act(locked, by).write(Bought, unit=unit, points=0 if is_free else -check.points, facts=facts)
    return unit


def refuse_retired(rules: AnyRoster, spec: object, before: Sequence[str] = ()) -> None:
    """Refuse parts that this version of the catalogue no longer offers, unless the unit had them `before`."""
    if refusal := describe_retired_parts(rules, spec, before):
        raise RefusedError("design", refusal)


def describe_retired_parts(rules: AnyRoster, spec: object, before: Sequence[str] = ()) -> str:
    """Return a sentence about the parts that are no longer offered; empty if all are."""
    gone = [name for name in rules.retired_in(spec) if name not in before]
    if not gone:
        return ""
    are = "is" if len(gone) == 1 else "are"
    kept = "companies keep what they have, but nobody can buy more."
    return f"{join_words(gone)} {are} retired in catalogue version {rules.catalogue_release}: {kept}"


def _refuse_past_the_limit(company: Company, rules: AnyRoster, points: int, name: str) -> None:
    """Refuse a unit that exceeds the roster limit; the units' points include their current pilots."""
    record = company_record(company)
    limit = rules.roster_limit(record.granted, record.games)
    if limit is None:
        return
    kept = [unit for unit in record.units.values() if unit.status == UnitStatus.READY and not unit.lent]
    crews = {pk: PilotSpec(pilot.experience) for pk, pilot in record.pilots.items()}
    members = [
        CompanyMember(unit.name, read_spec(rules, unit.spec), None if unit.pilot is None else crews[unit.pilot])
        for unit in kept
    ]
    worth = rules.check_company("", members).points
    if worth + points > limit:
        raise RefusedError(
            "design",
            f"{name} costs {points} points, and your roster is at {worth} of {limit}{rules.cite('limit')}. "
            "Sell a unit first.",
        )


def unit_price(rules: RosterSystem[object, object], spec: object) -> int:
    """Return the unit's current price in points."""
    return rules.check_design(read_spec(rules, spec)).points


@transaction.atomic
def unit_sell(*, company: Company, by: Player, unit: Unit) -> int:
    """Sell the unit; return the points paid for it."""
    locked, unit = _lock_ready_unit(company, unit)
    bought = company_record(locked).units[unit.pk]
    price = sale_price(bought.paid, bought.games)
    act = Act(locked, by)
    name = unit.pilot if bought.games and _is_own_pilot(rules_of(locked), unit) else None
    empty_seat(act, unit)
    if name is not None:
        off_the_roll(act, name)
    unit.status = UnitStatus.SOLD
    unit.save(update_fields=["status"])
    act.write(Sold, unit=unit, points=price, facts={"paid": bought.paid, "games": bought.games})
    return price


@transaction.atomic
def unit_rename(*, company: Company, by: Player, unit: Unit, name: str) -> Unit:
    """Rename the unit."""
    locked, unit = _lock_ready_unit(company, unit)
    new = clean_text("name", name, longest=60)
    if new != unit.name:
        Act(locked, by).write(Renamed, unit=unit, facts={"from": unit.name, "to": new})
        unit.name = new
        unit.save(update_fields=["name"])
    return unit


@transaction.atomic
def unit_repair(*, company: Company, by: Player, unit: Unit) -> int:
    """Repair the unit completely; return the cost in points. MM-S09."""
    locked, unit = _lock_ready_unit(company, unit)
    rules = rules_of(locked)
    bill = rules.repair_bill(read_spec(rules, unit.spec), unit.condition)
    if not bill:
        raise RefusedError("unit", f"{unit.name} isn't damaged.")
    price = sum(line.points for line in bill)
    spend(locked, price, f"The repair of {unit.name}")
    old, unit.condition = unit.condition, {}
    unit.save(update_fields=["condition"])
    facts = {"from": old, "to": {}, "bill": [[line.label, line.points] for line in bill]}
    Act(locked, by).write(Repaired, unit=unit, points=-price, facts=facts)
    return price


@transaction.atomic
def unit_refit(*, company: Company, by: Player, unit: Unit, published: str = "", design: Design | None = None) -> int:
    """Refit the unit to that design; return the cost in points. The game's rules decide price and allowed changes."""
    locked, unit = _lock_ready_unit(company, unit)
    rules = rules_of(locked)
    design_name, spec = _chosen(locked, by, published, design)
    parsed = read_spec(rules, spec)
    check = rules.check_refit(read_spec(rules, unit.spec), parsed)
    if check is None:
        raise RefusedError("unit", f"{rules.unit_words[1]} can't be refitted in {rules.name}.")
    if check.problems:
        reasons = " ".join(f"{problem.message} ({problem.rule})" for problem in check.problems)
        raise RefusedError("design", f"{unit.name} can't become a {design_name}: {reasons}")
    if rules.spec_json(parsed) == unit.spec:
        raise RefusedError("design", f"{unit.name} is already built like that.")
    if company_record(locked).units[unit.pk].lent:
        raise RefusedError("unit", f"{unit.name} is on loan, so it can't be refitted.")
    refuse_retired(rules, parsed, rules.retired_in(read_spec(rules, unit.spec)))
    spend(locked, check.points, f"The refit of {unit.name}")
    facts = {
        "from": unit.spec,
        "to": rules.spec_json(parsed),
        "design": shorten_name(design_name, 60),
        "bill": [[line.label, line.points] for line in check.bill],
        "release": rules.catalogue_release,
    }
    unit.spec, unit.design_name = facts["to"], facts["design"]
    unit.save(update_fields=["spec", "design_name"])
    Act(locked, by).write(Refitted, unit=unit, points=-check.points, facts=facts)
    return check.points


@transaction.atomic
def pilot_assign(*, company: Company, by: Player, unit: Unit, pilot: Pilot | None) -> int:
    """Assign the pilot to the unit; return the cost in points.

    If the pilot had a unit before, the two pilots change places.
    """
    locked, unit = _lock_ready_unit(company, unit)
    if pilot is not None:
        _may_sit(locked, unit, pilot)
    if unit.pilot_id == (pilot.pk if pilot else None):
        return 0
    _refuse_parting(locked, unit, pilot)
    return _swap(Act(locked, by), unit, pilot)


@transaction.atomic
def pilots_assign(*, company: Company, by: Player, seats: Sequence[tuple[Unit, Pilot]]) -> int:
    """Assign each of these free pilots to an empty unit, all in one act; return the cost in points."""
    act = Act(company_lock(company), by)
    return sum(seat_in(act, unit, pilot) for unit, pilot in seats)


def seat_in(act: Act, unit: Unit, pilot: Pilot) -> int:
    """Assign a free pilot to an empty unit, as part of another act; return the cost in points."""
    locked, unit = _lock_ready_unit(act.company, unit)
    _may_sit(locked, unit, pilot)
    _refuse_parting(locked, unit, pilot)
    if unit.pilot is not None:
        raise RefusedError("unit", f"{unit.pilot} now pilots {unit.name}. Choose another unit, or none.")
    elsewhere = Unit.objects.filter(pilot=pilot).first()
    if elsewhere is not None:
        raise RefusedError("pilot", f"{pilot} now pilots {elsewhere.name}. Choose another pilot.")
    return _swap(act, unit, pilot)


def _may_sit(company: Company, unit: Unit, pilot: Pilot) -> None:
    own(company, pilot, "pilot")
    pilot.refresh_from_db()
    if pilot.status not in (PilotStatus.ACTIVE, PilotStatus.WOUNDED):
        raise RefusedError("pilot", f"{pilot.name} is {pilot.get_status_display().lower()}.")
    rules = rules_of(company)
    if not rules.needs_pilot(unit.spec):
        raise RefusedError("pilot", f"{unit.name} takes no pilot{rules.cite('no-pilot')}.")


def empty_seat(act: Act, unit: Unit) -> None:
    """Remove the unit's pilot, as part of another act."""
    if unit.pilot_id:
        _swap(act, unit, None)


def off_the_roll(act: Act, pilot: Pilot) -> None:
    """Retire a pilot who has no unit any more, as part of another act."""
    pilot.status = PilotStatus.RETIRED
    pilot.save(update_fields=["status"])
    act.write(Retired, pilot=pilot)


def refuse_leaving(company: Company, pilot: Pilot) -> None:
    """Refuse if pilot and unit are the same fighter and have played; then the unit must be sold instead."""
    rules, unit = rules_of(company), Unit.objects.filter(pilot=pilot).first()
    if unit is not None and _is_own_pilot(rules, unit) and company_record(company).units[unit.pk].games:
        message = f"{pilot.name} is {unit.name} itself: sell the unit instead{rules.cite('own-pilot')}."
        raise RefusedError("pilot", message)


def _is_own_pilot(rules: AnyRoster, unit: Unit) -> bool:
    return rules.is_own_pilot(read_spec(rules, unit.spec))


def _refuse_parting(company: Company, unit: Unit, pilot: Pilot | None) -> None:
    """Refuse some changes of pilots in games where a unit and its pilot are the same fighter.

    It is raised if the unit has played, or if the new pilot has played in another unit or is lent by the house.
    """
    rules = rules_of(company)
    seats = [each for each in _seats(unit, pilot) if _is_own_pilot(rules, each[0])]
    if not seats:
        return
    record, cited = company_record(company), rules.cite("own-pilot")
    for seat, old, new in seats:
        if old is not None and record.units[seat.pk].games:
            message = f"{seat.name} is its own pilot: nobody else can pilot it, and {old.name} can't pilot another unit{cited}."
            raise RefusedError("pilot", message)
        if new is not None and (record.pilots[new.pk].games or record.pilots[new.pk].lent):
            done = "is on loan" if record.pilots[new.pk].lent else "has fought in another unit"
            message = f"{new.name} {done}, and {seat.name} is its own pilot{cited}. Hire a new name for it."
            raise RefusedError("pilot", message)


def _seats(unit: Unit, pilot: Pilot | None) -> list[tuple[Unit, Pilot | None, Pilot | None]]:
    """Return each unit whose pilot changes, with its old and its new pilot."""
    other = Unit.objects.filter(pilot=pilot).exclude(pk=unit.pk).first() if pilot else None
    return [(unit, unit.pilot, pilot), *([(other, pilot, unit.pilot)] if other else [])]


def _swap(act: Act, unit: Unit, pilot: Pilot | None) -> int:
    rules, record, paid = rules_of(act.company), company_record(act.company), 0
    seats = _seats(unit, pilot)
    Unit.objects.filter(pk__in=[seat.pk for seat, _, _ in seats]).update(
        pilot=None
    )  # a pilot may have only one unit, so first clear all
    for seat, old, new in seats:
        seat.pilot = new
        seat.save(update_fields=["pilot"])
        facts = {"from": old.name if old else None, "to": new.name if new else None}
        if price := seat_price(rules, record.units[seat.pk], record.pilots[new.pk].experience if new else None):
            spend(act.company, price, f"{seat.name} with {new}")
        act.write(Assigned, unit=seat, pilot=new, points=-price, facts=facts)
        paid += price
    return paid


def _lock_ready_unit(company: Company, unit: Unit) -> tuple[Company, Unit]:
    """Lock and return company and unit as they are now. RefusedError unless the unit is ready."""
    locked = company_lock(company)
    own(locked, unit, "unit")
    unit = Unit.objects.select_related("pilot").get(pk=unit.pk)
    if unit.status != UnitStatus.READY:
        raise RefusedError("unit", f"{unit.name} is {_GONE[unit.status]}.")
    return locked, unit


_GONE: Mapping[str, str] = {"destroyed": "destroyed", "sold": "already sold", "undone": "no longer in the company"}
