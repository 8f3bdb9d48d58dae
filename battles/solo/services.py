"""Online battles: started, resumed from a record, answered, and saved as battles at their end."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from battles import hooks
from battles.models import Battle, Record, SealedDice, SoloBattle
from battles.odds.curves import resume_refusal
from battles.selectors.records import replayed
from battles.services import limits
from battles.services.battles import battle_row, battle_title
from battles.services.dice import dice_open, dice_secret, dice_take, dice_use
from battles.services.setups import SideForce, check_forces
from rosters.jobs import JobStatus
from rosters.models import Player, Visibility
from rosters.services import RefusedError
from systems import battle_rules
from systems.battle_display import used_support
from systems.engine.choices import MAX_ANSWERS, Value
from systems.reading import read_setup, stored_setup
from systems.setups import SIDE_LETTERS, Setup, setup_json
from systems.simulation.analysis import count_marks, support_of
from systems.simulation.records import HandBattle, HeaderDice, HeaderHand, play_by_hand, resolve

SIDES = {"a": (0,), "b": (1,), "both": (0, 1)}  # sides that people play, by value in the form
MAX_OPEN = 40  # unfinished battles per asker, started within the hour


@transaction.atomic
def solo_start(
    *,
    setup: bytes | str | Mapping[str, object],
    sides: Sequence[int],
    forces: Sequence[SideForce | None] = (),
    actor: Player | None = None,
    visitor: str = "",
    visibility: str = Visibility.LINK,
    words: str = "",
    dice: str = "",
) -> SoloBattle:
    """Start a battle from its set-up, on the asker's provably fair dice. It is practice for its companies."""
    document = read_setup(setup)
    check_forces(setup=document, forces=forces, actor=actor)
    liveries = {letter: force.company.colour for letter, force in zip(SIDE_LETTERS, forces, strict=False) if force}
    return _begin(document, sides, actor, visitor, visibility, words, dice, liveries=liveries)


@transaction.atomic
def solo_take_over(
    *,
    battle: Battle,
    sides: Sequence[int],
    after: int = 0,
    events: int = 0,
    actor: Player | None = None,
    visitor: str = "",
) -> SoloBattle:
    """Resume a recorded battle after a number of rounds, turns or events; the rest uses new dice."""
    if refusal := take_over_refusal(battle):
        raise RefusedError("battle", refusal)
    replay = replayed(battle)
    assert replay is not None
    record = replay.record
    rounds = max((each.number for each in replay.rounds), default=0)
    if events and not 1 <= events < len(record.events):
        raise RefusedError("events", f"Choose a moment before the end: this battle has {len(record.events)} events.")
    if not events and not 1 <= after < rounds:
        raise RefusedError("after", f"Choose a round after the first: this battle has {rounds}.")
    taken = {
        "after": 0 if events else after,
        "events": events,
        "seed": str(record.seed),
        "seed_dice": record.dice.model_dump(mode="json") if record.dice else None,
        "liveries": {
            SIDE_LETTERS[side.position]: side.company.colour
            for side in battle.sides.select_related("company")
            if side.company
        },
    }
    visibility = Visibility.LINK if actor is None else battle.visibility
    return _begin(record.setup, sides, actor, visitor, visibility, "", "", **taken)


def take_over_refusal(battle: Battle) -> str:
    """Return why nobody can take over a battle, in a sentence; empty if somebody can."""
    return resume_refusal(battle, "You can’t take over a battle that was played online. Start a new one.")


def _begin(
    setup: Setup, sides: Sequence[int], actor: Player | None, visitor: str, visibility: str, words: str, dice: str,
    **taken: object,
) -> SoloBattle:  # fmt: skip
    if battle_rules(setup.system).in_hand is None:
        raise RefusedError("system", "You can’t play this game online yet.")
    if not sides or not set(sides) <= {0, 1}:
        raise RefusedError("sides", "Choose your side.")
    if actor is None and visibility == Visibility.PRIVATE:
        raise RefusedError("visibility", "Sign in to make a battle private.")
    limits.check_battle_limit(actor=actor, visitor=visitor)
    asker = {"asked_by": actor, "asked_from": "" if actor else visitor}
    if SoloBattle.objects.filter(**asker, created_at__gte=timezone.now() - timedelta(hours=1)).count() >= MAX_OPEN:
        raise RefusedError("battle", "You have too many open battles. Finish one first.")
    sealed = dice_take(actor=actor, visitor=visitor, words=words, commitment=dice)
    dice_use(dice=sealed, purpose="battle")
    solo = SoloBattle.objects.create(
        system=setup.system,
        title=battle_title(setup),
        setup=setup_json(setup),
        rules_version=battle_rules(setup.system).rules_version,
        visibility=visibility,
        sides=sorted(set(sides)),
        dice=sealed,
        **asker,
        **taken,
    )
    solo_finish(solo=solo)
    return solo


def solo_hand(solo: SoloBattle) -> tuple[Setup, int, HeaderDice | None, HeaderHand]:
    """Return the battle as in the header of its future record. The secret must not leave the server before the end."""
    sealed = SealedDice.objects.get(pk=solo.dice_id)
    own = HeaderDice(
        commitment=sealed.commitment,
        purpose="battle",
        words=tuple(text for _, text in sealed.words),
        secret=dice_secret(sealed),
    )
    answers = tuple(tuple(each) for each in solo.answers)
    hand = HeaderHand(sides=tuple(solo.sides), answers=answers)
    setup = stored_setup(solo.setup)
    if not solo.after and not solo.events:
        return setup, own.seed, own, hand
    hand = hand.model_copy(update={"after": solo.after, "events": solo.events, "seed": own.seed, "dice": own})
    before = HeaderDice.model_validate(solo.seed_dice) if solo.seed_dice else None
    return setup, int(solo.seed), before, hand


def solo_standing(solo: SoloBattle) -> HandBattle:
    """Return the state of the battle. Raises RefusedError if the current rules can't continue it."""
    if solo.rules_version != battle_rules(solo.system).rules_version:
        raise RefusedError("battle", "You can’t continue this battle: the rules have changed since it began.")
    setup, seed, _, hand = solo_hand(solo)
    return play_by_hand(setup, seed, hand)


@transaction.atomic
def solo_answer(*, solo: SoloBattle, version: int, value: Value | None) -> bool:
    """Answer the question of that version; None takes the AI's answer. Return False if it was answered meanwhile."""
    locked = _locked(solo, version)
    if locked is None:
        return False
    question = solo_standing(locked).question
    if question is None:
        return False
    if len(locked.answers) >= MAX_ANSWERS:
        raise RefusedError("answer", "This battle has reached its limit of choices. Let the AI finish it.")
    given = question.doctrine if value is None else value
    if all(given != each.value for each in question.answers):
        raise RefusedError("answer", f"That choice isn’t allowed here: {question.words}")
    locked.answers = [*locked.answers, list(given)]
    _saved(locked)
    return True


@transaction.atomic
def solo_take_back(*, solo: SoloBattle, version: int) -> bool:
    """Undo the last answer, if no dice have fallen since. Return False if something else was done meanwhile."""
    locked = _locked(solo, version)
    if locked is None:
        return False
    if not solo_standing(locked).may_take_back:
        raise RefusedError("answer", "You can’t undo this: dice have been rolled since.")
    locked.answers = locked.answers[:-1]
    _saved(locked)
    return True


@transaction.atomic
def solo_leave(*, solo: SoloBattle, version: int) -> bool:
    """Leave the rest of the battle to the AI."""
    locked = _locked(solo, version)
    if locked is None:
        return False
    solo_standing(locked)
    solo_finish(solo=locked, rest=True)
    return True


def _locked(solo: SoloBattle, version: int) -> SoloBattle | None:
    return SoloBattle.objects.select_for_update(no_key=True).filter(pk=solo.pk, version=version).first()


def _saved(solo: SoloBattle) -> None:
    solo.version += 1
    solo.save(update_fields=["answers", "version", "touched_at"])
    solo_finish(solo=solo)


def solo_finish(*, solo: SoloBattle, rest: bool = False) -> Battle | None:
    """Save the battle once no question is left; with `rest` the AI answers the remaining ones."""
    if not rest and solo_standing(solo).question is not None:
        return None
    setup, seed, dice, hand = solo_hand(solo)
    record = resolve(setup, seed, dice, hand.model_copy(update={"rest": rest}))
    result = dict(record.outcome)
    if support := support_of(record):
        result["support"] = used_support(support)
    marks = count_marks(record)
    battle = battle_row(
        setup=setup, forces=(), actor=solo.asked_by, visitor=solo.asked_from, visibility=solo.visibility,
        key=solo.key, status=JobStatus.DONE, result=result, ended_at=timezone.now(), seed=str(seed),
        dice=None if solo.after or solo.events else solo.dice,
    )  # fmt: skip
    Battle.objects.filter(pk=battle.pk).update(kills=marks["kill"], criticals=marks["critical"])
    Record.objects.create(battle=battle, lines=zlib.compress(record.text().encode(), 9), digest=record.digest)
    for finish in hooks.battle_finished:
        finish(Battle.objects.get(pk=battle.pk))
    dice_open(dice=solo.dice)
    SoloBattle.objects.filter(pk=solo.pk).delete()
    return battle
