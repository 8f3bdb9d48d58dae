"""Battles that a worker simulates: queue, simulate, write to ledgers, and check their records."""

import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from battles import hooks
from battles.hooks import Logged, practice_reason
from battles.models import Battle, BattleSide, Record, RecordCheck, SealedDice
from battles.selectors.battle import cause_of, companies_with_result
from battles.services import limits
from battles.services.dice import dice_open, dice_secret, dice_take, dice_use
from battles.services.setups import SideForce, check_forces
from rosters.jobs import JobStatus
from rosters.models import Player, Visibility
from rosters.policy import asked_by
from rosters.services import RefusedError, UnitResult, company_apply_result, company_reverse_result
from rosters.services.base import company_lock
from rosters.site.job_runs import wake
from systems import battle_rules, roster_rules
from systems.battle_display import used_support
from systems.documents import DocumentError
from systems.engine.events import Event
from systems.reading import read_setup, spec_of
from systems.setups import Setup, parse_seed, setup_hash, setup_json
from systems.simulation.analysis import count_marks, support_of
from systems.simulation.records import (
    MAX_RECORD_BYTES,
    HeaderDice,
    RulesVersionError,
    read_header,
    read_record,
    resolve,
    verify,
)
from systems.simulation.records import Record as FoughtRecord


@transaction.atomic
def battle_queue(
    *,
    setup: bytes | str | Mapping[str, object],
    seed: object = None,
    actor: Player | None = None,
    visitor: str = "",
    forces: Sequence[SideForce | None] = (),
    visibility: str = Visibility.PUBLIC,
    words: str = "",
    dice: str = "",
) -> Battle:
    """Create a battle with a fixed set-up, and queue it for a worker.

    Without a seed it uses the asker's own dice, with `words` added. `dice` is their hash, if the asker saw it.
    """
    document = read_setup(setup)
    chosen = seed is not None and seed != ""
    number = str(parse_seed(seed)) if chosen else ""
    check_forces(setup=document, forces=forces, actor=actor)
    if actor is None and visibility == Visibility.PRIVATE:
        raise RefusedError("visibility", "Sign in to make a battle private.")
    limits.check_battle_limit(actor=actor, visitor=visitor)
    taken = None if chosen else dice_take(actor=actor, visitor=visitor, words=words, commitment=dice)
    battle = battle_row(
        setup=document, forces=forces, actor=actor, visitor=visitor, visibility=visibility, seed=number,
        seed_chosen=chosen, dice=taken,
    )  # fmt: skip
    transaction.on_commit(lambda: wake("battles.tasks.battle_resolve", battle.pk))
    return battle


@transaction.atomic
def battle_try_again(*, battle: Battle, actor: Player | None, visitor: str = "") -> bool:
    """Queue a failed battle again, with the same forces and dice. Return False if it isn't a failed one."""
    if not asked_by(battle, actor, visitor):
        raise RefusedError("battle", "You can only retry battles that you started.")
    if battle.status != JobStatus.FAILED:
        return False
    limits.check_battle_limit(actor=actor, visitor=visitor)
    queued = battle.ask_again()
    if queued:
        transaction.on_commit(lambda: wake("battles.tasks.battle_resolve", battle.pk))
    return queued


def battle_row(
    *,
    setup: Setup,
    forces: Sequence[SideForce | None],
    actor: Player | None,
    visitor: str = "",
    visibility: str,
    **fields: object,
) -> Battle:
    """Create a battle and its sides, with rounds and kills if it has a result already."""
    if isinstance(result := fields.get("result"), Mapping):
        fields["rounds"] = result.get("rounds") or 0
        fields["kills"] = sum(bool(unit["lost"]) for unit in result["units"])
    battle = Battle.objects.create(
        system=setup.system,
        title=battle_title(setup),
        setup=setup_json(setup),
        setup_hash=setup_hash(setup),
        rules_version=battle_rules(setup.system).rules_version,
        visibility=visibility,
        asked_by=actor,
        asked_from="" if actor else visitor,
        **fields,
    )
    for position, side in enumerate(setup.sides):
        force = forces[position] if position < len(forces) else None
        BattleSide.objects.create(
            battle=battle,
            position=position,
            name=side.name,
            company=force.company if force else None,
            force={key: dict(ref) for key, ref in force.units.items()} if force else {},
        )
    return battle


def battle_title(setup: Setup) -> str:
    """Return a title: the two sides, and the terrain."""
    place = battle_rules(setup.system).place_title(setup)
    return f"{' against '.join(side.name for side in setup.sides)}, {place}"[:140]


def battle_cancel(*, battle: Battle, actor: Player | None, visitor: str = "") -> bool:
    """Cancel a battle that hasn't been simulated yet. Return False if it has already ended."""
    if not asked_by(battle, actor, visitor):
        raise RefusedError("battle", "You can only cancel battles that you started.")
    open_rows = Battle.objects.filter(pk=battle.pk, status__in=[JobStatus.QUEUED, JobStatus.RUNNING])
    return bool(open_rows.update(status=JobStatus.CALLED_OFF, lease=None, ended_at=timezone.now()))


def battle_simulate(*, battle: Battle, fought: FoughtRecord | None = None) -> bool:
    """Simulate a claimed battle and write its record, once; `fought` is the record if it exists already.

    Return False if the claim was lost meanwhile.
    """
    record = fought or _simulated_record(battle)
    with transaction.atomic():
        result = dict(record.outcome)
        if support := support_of(record):
            result["support"] = used_support(support)
        marks = count_marks(record)
        done = battle.finish(
            result=result,
            seed=str(record.seed),
            rules_version=record.rules_version,
            rounds=result.get("rounds") or 0,
            kills=marks["kill"],
            criticals=marks["critical"],
        )
        if done:
            Record.objects.create(battle=battle, lines=zlib.compress(record.text().encode(), 9), digest=record.digest)
            fought_now = Battle.objects.get(pk=battle.pk)
            for finish in hooks.battle_finished:
                finish(fought_now)
            if battle.dice is not None:
                dice_open(dice=battle.dice)
    return done


def _simulated_record(battle: Battle) -> FoughtRecord:
    setup = read_setup(battle.setup)
    return resolve_on_dice(setup, battle.dice) if battle.dice is not None else resolve(setup, int(battle.seed))


def resolve_on_dice(setup: Setup, dice: SealedDice) -> FoughtRecord:
    """Return the record of a battle on provably fair dice. Their seed is calculated here, and no row holds it before.

    Raises DiceKeyLostError.
    """
    dice_use(dice=dice, purpose="battle")
    used = SealedDice.objects.get(pk=dice.pk)
    words = tuple(text for _, text in used.words)
    named = HeaderDice(commitment=used.commitment, purpose="battle", words=words, secret=dice_secret(used))
    return resolve(setup, named.seed, named)


@transaction.atomic
def battle_write_effects(*, battle: Battle, actor: Player) -> int:
    """Write the result to the ledgers of the actor's companies in it; return the number of companies.

    A battle is practice until the player who asked for it decides that it counts. A result is in a ledger once, so
    deciding again changes nothing; after it is taken back, it can be written again. For companies with closed ledgers
    it stays practice. Refused if the ledgers of all of them are closed.
    """
    if battle.asked_by_id != actor.pk:
        raise RefusedError("battle", "You can only log battles that you started.")
    _refuse_claimed(battle)
    battle = Battle.objects.get(pk=battle.pk)
    if battle.status != JobStatus.DONE or battle.result is None:
        raise RefusedError("battle", "The battle isn't over yet.")
    sides = list(battle.sides.filter(company__owner=actor).select_related("company"))
    if not sides:
        raise RefusedError("battle", "None of your companies took part.")
    return len(sides_write_effects(battle=battle, sides=_sides_with_open_ledger(battle, sides), by=actor))


@transaction.atomic
def sides_write_effects(*, battle: Battle, sides: Sequence[BattleSide], by: Player | None) -> list[Logged]:
    """Write the result of a finished battle to the ledgers of these sides' companies; `by` None is the clock.

    Other apps write under the same acts (hook `aftermath_steps`), so that their entries are taken back too. Sides whose
    ledgers hold the result already are skipped, and missing from the return value. Refused if the ledger of any of the
    companies is closed to this battle.
    """
    rules = roster_rules(battle.system)
    logged = []
    for side in sorted(sides, key=lambda each: each.company_id or 0):  # companies are locked in one order everywhere
        assert side.company is not None
        company_lock(side.company, even_disbanded=True)  # first, because closing a ledger takes this lock too
        _sides_with_open_ledger(battle, [side])
        act, units = uuid.uuid4(), tuple(unit_results(battle, side))
        if company_apply_result(
            company=side.company,
            act=act,
            cause_ref=str(battle.key),
            cause=cause_of(battle),
            by=by,
            units=units,
            title=battle.title,
            keeps_units=rules.is_standing(battle.setup["options"]),
        ):
            logged.append(Logged(side=side, company=side.company, act=act, units=units))
    # the dice need the order of the sides
    logged.sort(key=lambda each: each.side.position)
    for step in hooks.aftermath_steps if logged else ():
        step(battle, by, logged)
    return logged


@transaction.atomic
def battle_take_back_effects(*, battle: Battle, actor: Player) -> int:
    """Reverse the entries of `battle_write_effects` for the actor's companies; return the number of companies.

    Refused once there are later entries.
    """
    if battle.asked_by_id != actor.pk:
        raise RefusedError("battle", "You can only undo results of battles that you started.")
    _refuse_claimed(battle)
    logged = companies_with_result(battle)
    own = battle.sides.filter(company__owner=actor).select_related("company").order_by("company")
    sides = [side for side in own if side.company_id in logged]
    if not sides:
        raise RefusedError("battle", "This result isn't in your ledger.")
    for side in sides:
        assert side.company is not None
        company_lock(side.company, even_disbanded=True)
    taken_back = _sides_with_open_ledger(battle, sides)
    for side in taken_back:
        assert side.company is not None
        company_reverse_result(company=side.company, cause_ref=str(battle.key), by=actor, cause=cause_of(battle))
    return len(taken_back)


def _refuse_claimed(battle: Battle) -> None:
    """Raise RefusedError if another app decides about the battle."""
    if reason := next((reason for claim in hooks.ledger_claims if (reason := claim(battle))), ""):
        raise RefusedError("battle", reason)


def _sides_with_open_ledger(battle: Battle, sides: Sequence[BattleSide]) -> list[BattleSide]:
    """Return the sides whose companies' ledgers are open to this battle; raises RefusedError if all are closed."""
    closed = {side.pk: practice_reason(side.company, battle) for side in sides if side.company is not None}
    found = [side for side in sides if not closed[side.pk]]
    refusal = next((each for each in closed.values() if each), None)
    if refusal is not None and not found:
        raise RefusedError("battle", refusal.reason)
    return found


def unit_results(battle: Battle, side: BattleSide) -> list[UnitResult]:
    """Return the results of a battle for the units of one side's company."""
    setup = read_setup(battle.setup)
    system = battle_rules(setup.system)
    ends = {unit["key"]: unit for unit in (battle.result or {})["units"]}
    keys = (key for end in ends.values() if end["lost"] for key in (end["key"], end["killed_by"] or ""))
    brought = system.brought(setup, _events(battle)) if any("+" in key for key in keys) else {}
    names = dict(system.unit_names(setup)) | dict(brought)
    units = {unit.key: unit for unit in setup.sides[side.position].units}
    is_wounded = any(ends[key]["wounded"] for key in side.force)
    wounders = system.wounders(setup, _events(battle)) if is_wounded else {}
    results = []
    for key, ref in side.force.items():
        end, fate = ends[key], system.hand.fate_of(ends[key])
        results.append(
            UnitResult(
                unit=ref["unit"],
                pilot=ref["pilot"],
                name=(units[key].name or names[key]) if ref["unit"] is None else "",
                spec=spec_of(setup, units[key].design) if ref["unit"] is None else {},
                fate=fate,
                note=system.hand.describe_fate(fate),
                recorded={**system.hand.recorded(fate), **system.deeds(setup, key, ends)},
                began=units[key].condition,
                after=system.condition_after(end),
                wounded_by=wounders.get(key, ""),
                killed_by=names.get(end["killed_by"] or "", ""),
                cause=system.cause_of_loss(setup, end, brought) if end["lost"] else "",
                victims=tuple(names[other["key"]] for other in ends.values() if other["killed_by"] == key),
            )
        )
    return results


def _events(battle: Battle) -> tuple[Event, ...]:
    """Return the battle's events; none for a battle reported from the table, which may not be saved yet."""
    record = None if battle.fought_by_hand else Record.objects.filter(battle=battle).first()
    return read_record(record.text).events if record else ()


MAX_LINE_LENGTH = 2_000  # characters


@transaction.atomic
def check_of_battle(*, battle: Battle, actor: Player | None = None, visitor: str = "") -> RecordCheck:
    """Queue a check of the record of a battle on this site."""
    record = Record.objects.filter(battle=battle).first()
    if record is None:
        raise RefusedError("battle", "This battle has no record to check.")
    return _ask_for_check(title=battle.title, text=record.text, battle=battle, actor=actor, visitor=visitor)


@transaction.atomic
def check_ask(*, data: bytes, actor: Player | None = None, visitor: str = "") -> RecordCheck:
    """Queue a check of an uploaded record; raises DocumentError if it isn't one."""
    if len(data) > MAX_RECORD_BYTES:
        raise DocumentError("document", f"larger than {MAX_RECORD_BYTES // 2**20} MiB")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise DocumentError("document", f"not UTF-8 text (byte {error.start})") from None
    setup = read_setup(read_header(text).setup)
    title = f"{setup.sides[0].name} against {setup.sides[1].name}, {battle_rules(setup.system).place_title(setup)}"
    return _ask_for_check(title=title, text=text, battle=None, actor=actor, visitor=visitor)


def _ask_for_check(*, title: str, text: str, battle: Battle | None, actor: Player | None, visitor: str) -> RecordCheck:
    limits.check_battle_limit(actor=actor, visitor=visitor)
    check = RecordCheck.objects.create(
        title=title[:140],
        battle=battle,
        lines=zlib.compress(text.encode()),
        asked_by=actor,
        asked_from="" if actor else visitor,
    )
    transaction.on_commit(lambda: wake("battles.tasks.battle_check", check.pk))
    return check


def check_work(*, check: RecordCheck) -> None:
    """Simulate the battle of a record again; save the first line that differs, if any, and its dice."""
    text = check.text
    try:
        difference, dice = verify(text), read_header(text).dice
    except RulesVersionError as error:
        if check.fail(f"This battle {error.reason}."):
            RecordCheck.objects.filter(pk=check.pk).update(lines=b"")
        return
    except DocumentError as error:
        if check.fail(f"This record can’t be checked: {error.path} {error.reason}."):
            RecordCheck.objects.filter(pk=check.pk).update(lines=b"")
        return
    found = asdict(difference) if difference else {}
    for name in ("expected", "found"):
        if name in found:
            found[name] = str(found[name])[:MAX_LINE_LENGTH]
    sealed = dice.model_dump(mode="json") if dice else None
    check.finish(verdict={"same": difference is None, "difference": found or None, "dice": sealed}, lines=b"")
