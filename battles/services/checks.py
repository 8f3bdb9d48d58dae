"""Checks of records: a worker simulates the battle again and compares it line by line."""

import zlib
from dataclasses import asdict

from django.db import transaction

from battles.models import Battle, Record, RecordCheck
from battles.services import limits
from rosters.models import Player
from rosters.services import RefusedError
from rosters.site.job_runs import wake
from systems import battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.resolve import MAX_RECORD_BYTES, OtherRulesError, read_header, verify

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
    """Simulate the battle again; store whether it is the same or the first line that differs, and its dice."""
    text = check.text
    try:
        difference, dice = verify(text), read_header(text).dice
    except OtherRulesError as error:
        if check.fail(f"This battle {error.reason}."):
            RecordCheck.objects.filter(pk=check.pk).update(lines=b"")
        return
    except DocumentError as error:
        if check.fail(f"It can’t be checked here: {error.path} {error.reason}."):
            RecordCheck.objects.filter(pk=check.pk).update(lines=b"")
        return
    found = asdict(difference) if difference else {}
    for name in ("expected", "found"):
        if name in found:
            found[name] = str(found[name])[:MAX_LINE_LENGTH]
    sealed = dice.model_dump(mode="json") if dice else None
    check.finish(verdict={"same": difference is None, "difference": found or None, "dice": sealed}, lines=b"")
