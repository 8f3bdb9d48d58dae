"""The aftermath in the ledger: experience, wounds, income, and undoing all of it."""

import pytest

from battles.choices import published_forces
from battles.services.battles import battle_queue, battle_take_back_effects, battle_write_effects
from battles.services.results import battle_log_result
from battles.services.setups import SideChoice, UnitChoice, company_choices, setup_document
from battles.tasks import battle_resolve
from campaigns.results import aftermath as services
from rosters.documents.snapshots import fielded
from rosters.ledger.projection import describe_entry, plain
from rosters.ledger.records import company_record, differences
from rosters.models import LedgerEntry
from rosters.services import (
    RefusedError,
    company_create,
    pilot_assign,
    pilot_hire,
    pilot_learn,
    undo_last_act,
    unit_buy,
    unit_repair,
)
from systems import SEASONS
from systems.engine.dice import ScriptedDice
from systems.report_fields import UnitFate
from tests.battles.builders import company, company_battle, player

pytestmark = pytest.mark.django_db
RIVALS = published_forces("meks-and-mercs")["first-contract"]


@pytest.fixture
def dice(monkeypatch):
    """Script the aftermath's dice, and check that all of them are rolled."""
    scripts = []

    def script_dice(*faces):
        script = ScriptedDice(faces)
        scripts.append(script)
        monkeypatch.setattr(services, "SeededDice", lambda seed: script)
        return script

    yield script_dice
    assert not any(script.faces for script in scripts), "some scripted dice were not rolled"


def a_company_of(*designs, level="regular"):
    """A company of these Meks with a pilot of this level in each."""
    own = company(player(), *designs)
    if level != "regular":
        for unit in own.units.all():
            fresh = pilot_hire(company=own, by=own.owner, name=f"{level} {unit.pk}", experience=level)
            pilot_assign(company=own, by=own.owner, unit=unit, pilot=fresh)
    return own


def log_game(own, winner="Blue", *, enemy="wasp", options=None, units=None, **what):
    """Log a game by hand; `what` is the fate of the first Mek."""
    setup, forces = company_battle(own, enemy=enemy)
    setup["options"] = options or {}
    first = next(iter(forces[0].units))
    fates = {first: UnitFate(**what), **(units or {})}
    return battle_log_result(
        setup=setup,
        forces=forces,
        units=fates,
        winner={"own": own.name, None: None}.get(winner, winner),
        actor=own.owner,
    )


def pilot_of(own, at=0):
    """Return the record of the pilot at this place of the roster, present or former."""
    return list(company_record(own).pilots.values())[at]


def kinds(battle):
    return list(LedgerEntry.objects.filter(cause_ref=str(battle.key)).order_by("pk").values_list("kind", flat=True))


@pytest.mark.rule("MM-100", "MM-101", "MM-S02", "MM-S04")
def test_green_pilot_is_promoted_and_earns_a_skill(dice):
    own = a_company_of("wasp", level="green")
    dice(5)
    battle = log_game(own)
    green = pilot_of(own, 1)
    assert (green.experience, green.games, green.pending) == ("regular", 1, ("accuracy",))
    assert kinds(battle) == ["fought", "promoted", "skill-rolled", "game"]
    rolled = LedgerEntry.objects.get(kind="skill-rolled")
    assert (rolled.facts["face"], rolled.facts["needed"]) == (5, 5)
    assert rolled.facts["seed"] == str(services.dice_seed(battle))
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S03")
def test_injured_pilot_misses_one_game(dice):
    own = a_company_of("wasp", "draken")
    wasp, draken = own.units.order_by("pk")
    hurt = wasp.pilot
    dice(2, 1, 1)
    log_game(own, hits_lost=2, destroyed=True)
    assert pilot_of(own).status == "wounded"
    draken_pilot = own.units.get(pk=draken.pk).pilot
    pilot_assign(company=own, by=own.owner, unit=draken, pilot=hurt)
    with pytest.raises(RefusedError, match="Pilot 1 is wounded and misses the next game"):
        fielded(own, [draken.pk])
    pilot_assign(company=own, by=own.owner, unit=draken, pilot=draken_pilot)
    dice(1)
    battle = log_game(own)
    assert "recovered" in kinds(battle)
    assert pilot_of(own).status == "active"
    pilot_assign(company=own, by=own.owner, unit=draken, pilot=hurt)
    assert fielded(own, [draken.pk])
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S03", "MM-S04")
def test_killed_pilot_keeps_kills_and_games(dice):
    own = a_company_of("wasp")
    dice(1)
    battle = log_game(own, hits_lost=2, destroyed=True, kills=1, units={"b1": UnitFate(hits_lost=2, destroyed=True)})
    dead = pilot_of(own)
    assert (dead.status, dead.kills, dead.games) == ("dead", 1, 1)
    assert kinds(battle) == ["fought", "kill", "destroyed", "assigned", "died", "game"]
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S03")
@pytest.mark.parametrize(("exploded", "status"), [(True, "dead"), (False, "wounded")])
def test_exploded_reactor_worsens_the_pilots_fate(dice, exploded, status):
    own = a_company_of("wasp")
    dice(*((3,) if exploded else (3, 1)))
    log_game(own, hits_lost=2, destroyed=True, exploded=exploded)
    assert pilot_of(own).status == status


def test_reactor_explodes_only_with_its_mek():
    with pytest.raises(RefusedError, match="can't explode"):
        log_game(a_company_of("wasp"), exploded=True)


@pytest.mark.rule("MM-S03")
def test_wounded_pilot_of_a_surviving_mek_recovers(dice):
    own = a_company_of("draken")
    dice(1)
    log_game(own, hits_lost=1, wounded=True)
    assert (pilot_of(own).wounds, pilot_of(own).status) == (1, "active")
    assert fielded(own, [own.units.get().pk])


@pytest.mark.rule("MM-S05")
@pytest.mark.parametrize("winner", ["own", "Blue", None])
def test_withdrawn_mek_survives_any_result(dice, winner):
    own = a_company_of("draken")
    dice(1)
    log_game(own, winner, hits_lost=1, withdrew=True)
    assert own.units.get().status == "ready"
    assert pilot_of(own).games == 1


@pytest.mark.rule("MM-S08", "MM-S01")
@pytest.mark.parametrize(
    ("winner", "income", "season_points", "result"),
    [("own", 12, 3, "won"), (None, 9, 1, "drawn"), ("Blue", 6, 0, "lost")],
)
def test_game_pays_income_and_season_points(dice, winner, income, season_points, result):
    own = a_company_of("draken")
    before = company_record(own).balance
    dice(1)
    battle = log_game(own, winner)
    record = company_record(own)
    assert record.balance == before + income
    assert (getattr(record, result), record.season_points) == (1, season_points)
    game = LedgerEntry.objects.get(cause_ref=str(battle.key), kind="game")
    assert (game.points, game.facts["result"]) == (income, result)


@pytest.mark.rule("MM-S12")
def test_game_entry_has_the_season_table_figures(dice):
    own = a_company_of("draken", "wasp")
    dice(4, 1, 1)
    units = {"b1": UnitFate(hits_lost=5, destroyed=True)}
    battle = log_game(own, "own", enemy="thor", hits_lost=4, destroyed=True, kills=1, units=units)
    facts = LedgerEntry.objects.get(cause_ref=str(battle.key), kind="game").facts
    assert (facts["destroyed"], facts["lost"], facts["destroyed_points"]) == (1, 1, 28)


@pytest.mark.rule("MM-S06")
def test_fresh_build_game_repairs_meks_and_pays_nothing(dice):
    own = a_company_of("draken", "wasp")
    before = company_record(own).balance
    dice(1, 1)
    log_game(
        own,
        "own",
        options={"season-mode": "fresh-build"},
        hits_lost=4,
        destroyed=True,
        units={f"u{own.units.last().pk}": UnitFate(hits_lost=1)},
    )
    assert {unit.status for unit in own.units.all()} == {"ready"}
    assert [unit.condition for unit in own.units.all()] == [{}, {}]
    record = company_record(own)
    assert (record.balance, record.season_points) == (before, 3)
    assert pilot_of(own).status == "dead", "the pilots are the same ones from game to game"
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S09")
def test_damage_stays_until_repair_and_destroyed_meks_are_gone(dice):
    own = a_company_of("draken", "wasp")
    draken, wasp = own.units.order_by("pk")
    dice(4, 1, 1)
    log_game(own, hits_lost=2, units={f"u{wasp.pk}": UnitFate(hits_lost=2, destroyed=True)})
    (unit,) = fielded(own, [draken.pk])
    assert unit.condition == {"hits": 2}
    assert unit_repair(company=own, by=own.owner, unit=draken) == 2
    (unit,) = fielded(own, [draken.pk])
    assert unit.condition == {}
    with pytest.raises(RefusedError, match="is destroyed"):
        fielded(own, [wasp.pk])


@pytest.mark.rule("MM-S13", "MM-S02")
def test_fates_are_rolled_before_skills_in_roster_order(dice):
    own = a_company_of("draken", "wasp")
    script = dice(5, 2, 6)
    wasp = own.units.last()
    battle = log_game(own, units={f"u{wasp.pk}": UnitFate(hits_lost=2, destroyed=True)})
    assert script.rolled == [5, 2, 6]
    entries = LedgerEntry.objects.filter(cause_ref=str(battle.key), facts__has_key="face").order_by("pk")
    faces = [(entry.kind, entry.pilot.name, entry.facts["face"]) for entry in entries]
    assert faces == [("unhurt", "Pilot 2", 5), ("skill-rolled", "Pilot 1", 2), ("skill-rolled", "Pilot 2", 6)]
    booked = kinds(battle)
    assert booked.index("destroyed") < booked.index("unhurt") < booked.index("skill-rolled") < booked.index("game")


@pytest.mark.rule("MM-S13")
def test_two_companies_share_the_dice_side_by_side(dice):
    one, other = a_company_of("wasp"), company(player(), "wasp", name="Second")
    sides = [
        SideChoice(name=each.name, doctrine="cautious", units=company_choices(each), company=each)
        for each in (one, other)
    ]
    setup, forces = setup_document(system="meks-and-mercs", terrain="plain", sides=sides)
    dice(6, 1)
    battle_log_result(setup=setup, forces=forces, units={}, winner="Second", actor=one.owner)
    assert pilot_of(one).pending == ("accuracy",)
    assert pilot_of(other).pending == ()
    assert company_record(one).lost == company_record(other).won == 1


@pytest.mark.rule("MM-101", "MM-103")
def test_chosen_skill_is_used_in_the_next_battle(dice):
    own = a_company_of("wasp")
    dice(5)
    log_game(own)
    pilot = own.pilots.get()
    pilot_learn(company=own, by=own.owner, pilot=pilot, skill="hawkeye")
    assert (pilot_of(own).skills, pilot_of(own).pending) == (("hawkeye",), ())
    (unit,) = fielded(own, [own.units.get().pk])
    assert unit.skills == ("hawkeye",)
    with pytest.raises(RefusedError, match="no skill to choose"):
        pilot_learn(company=own, by=own.owner, pilot=pilot, skill="spoof")
    undo_last_act(company=own, by=own.owner)
    assert (pilot_of(own).skills, pilot_of(own).pending) == ((), ("accuracy",))


@pytest.mark.rule("MM-101")
@pytest.mark.parametrize(("skill", "reason"), [("flying", "no skill"), ("accuracy", "already has Accuracy")])
def test_unknown_or_repeated_skill_is_refused(dice, skill, reason):
    own = a_company_of("wasp")
    pilot = own.pilots.get()
    dice(5)
    log_game(own)
    pilot_learn(company=own, by=own.owner, pilot=pilot, skill="accuracy")
    dice(1)
    log_game(own)  # with one skill, the second is certain
    with pytest.raises(RefusedError, match=reason):
        pilot_learn(company=own, by=own.owner, pilot=pilot, skill=skill)


@pytest.mark.rule("MM-S11")
def test_unchosen_skill_becomes_the_default(dice):
    own = a_company_of("wasp")
    dice(5)
    log_game(own)
    dice(1)
    battle = log_game(own)
    pilot = pilot_of(own)
    assert pilot.skills == ("accuracy",)
    assert pilot.pending == ("pinpoint-attack",)  # the second skill is certain, as the first counts as known
    gained = LedgerEntry.objects.get(cause_ref=str(battle.key), kind="skill-gained")
    assert gained.facts["unasked"]
    assert list(differences(own)) == []


def test_undone_battle_rolls_the_same_dice_again():
    own = a_company_of("draken", "wasp", level="green")
    before = company_record(own)
    wasp = own.units.last()
    battle = log_game(
        own,
        kills=1,
        units={f"u{wasp.pk}": UnitFate(hits_lost=2, destroyed=True), "b1": UnitFate(hits_lost=2, destroyed=True)},
    )
    faces = [entry.facts.get("face") for entry in LedgerEntry.objects.filter(cause_ref=str(battle.key)).order_by("pk")]
    once = company_record(own)
    battle_take_back_effects(battle=battle, actor=own.owner)
    assert company_record(own) == before
    assert list(differences(own)) == []
    battle_write_effects(battle=battle, actor=own.owner)
    again = LedgerEntry.objects.filter(cause_ref=str(battle.key), reversed_by=None, reverses=None).order_by("pk")
    assert [entry.facts.get("face") for entry in again if entry.cause == "result"] == faces
    assert company_record(own).balance == once.balance
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S05", "MM-S03")
@pytest.mark.parametrize("seed", range(6))
def test_simulated_battle_rolls_fates_only_for_lost_meks(seed):
    own = a_company_of("draken", "wasp")
    setup, forces = company_battle(own, enemy="thor")
    battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=seed)
    battle_resolve(battle.pk)
    battle_write_effects(battle=battle, actor=own.owner)
    entries = LedgerEntry.objects.filter(cause_ref=str(battle.key))
    lost = entries.filter(kind="destroyed").count()
    assert entries.filter(kind__in=["unhurt", "wounded", "died"], facts__has_key="face").count() == lost
    assert entries.filter(kind="game").count() == 1
    assert list(differences(own)) == []


def test_retired_pilot_gets_the_game_but_no_dice(dice):
    from rosters.services import pilot_retire

    own = a_company_of("wasp")
    setup, forces = company_battle(own)
    battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=1)
    battle_resolve(battle.pk)
    pilot_retire(company=own, by=own.owner, pilot=own.pilots.get())
    dice()
    battle_write_effects(battle=battle, actor=own.owner)
    assert (pilot_of(own).status, pilot_of(own).games) == ("retired", 1)
    assert list(differences(own)) == []


def test_aftermath_dice_depend_only_on_the_battle():
    own = a_company_of("wasp")
    one, other = log_game(own), log_game(own)
    assert services.dice_seed(one) == services.dice_seed(one) != services.dice_seed(other)
    assert 0 <= services.dice_seed(one) < 2**64


def test_side_without_a_company_has_no_entry():
    own = a_company_of("wasp")
    battle = log_game(own)
    assert {entry.company_id for entry in LedgerEntry.objects.filter(cause_ref=str(battle.key))} == {own.pk}


# --- loans ------------------------------------------------------------------------------------------------------------


def a_poor_company(designs=()):
    """A company without points whose Meks are sold or were never bought."""
    from tests.builders import a_company

    own = a_company(player("poor"), points=9)
    for design in designs:
        unit_buy(company=own, by=own.owner, published=design)
    return own


@pytest.mark.rule("MM-S10")
def test_house_lends_a_crewed_wasp_repaid_from_income(dice):
    own = a_poor_company()
    first = unit_buy(company=own, by=own.owner, published="wasp")
    pilot_assign(company=own, by=own.owner, unit=first, pilot=pilot_hire(company=own, by=own.owner, name="Ada"))
    dice(4, 1)
    log_game(own, hits_lost=2, destroyed=True)  # 6 points of income, and no Mek left
    (lent,) = services.take_loan(company=own, by=own.owner)
    record = company_record(own)
    assert (record.balance, record.debt, lent.design_name) == (6, 9, "WASP")
    assert record.pilots[lent.pilot_id].experience == "green"
    assert record.units[lent.pk].paid == 0, "a lent Mek brings nothing when sold"
    dice(1)
    log_game(own, "Blue")
    assert (company_record(own).balance, company_record(own).debt) == (6, 3)
    dice(1)
    log_game(own, "own")
    assert (company_record(own).balance, company_record(own).debt) == (6 + 12 - 3, 0)
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S10")
@pytest.mark.parametrize("designs", [(), ("wasp",)])
def test_house_lends_nothing_to_a_company_with_means(designs):
    own = a_poor_company(designs)
    with pytest.raises(RefusedError, match="so it can't borrow"):
        services.take_loan(company=own, by=own.owner)


@pytest.mark.rule("MM-S07")
def test_rich_uncle_pays_the_bank_and_is_logged(dice, monkeypatch):
    own = a_company_of("draken")
    before = company_record(own).balance
    monkeypatch.setattr(
        type(SEASONS["meks-and-mercs"]), "gifts", lambda self, support: 1
    )  # zone battles have no support
    dice(1, 4)
    battle = log_game(own)
    game = LedgerEntry.objects.get(cause_ref=str(battle.key), kind="game")
    assert (game.points, game.facts["gifts"]) == (6 + 4, [4])
    assert company_record(own).balance == before + 10
    assert list(differences(own)) == []


@pytest.mark.rule("MM-087", "MM-S07")
@pytest.mark.parametrize(("rolled", "gifts"), [({}, [4]), ({"rich-uncle": [6]}, [])])
def test_rich_uncle_pays_only_once(monkeypatch, rolled, gifts):
    monkeypatch.setattr(services, "SeededDice", lambda seed: ScriptedDice([4] * 40))
    own = a_company_of("draken")
    setup, forces = company_battle(own)
    setup |= {"scenario": "breach", "terrain": "printed"}
    setup["sides"][0] |= {"support": ["rich-uncle"], "rolled": rolled}
    battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=1)
    battle_resolve(battle.pk)
    battle_write_effects(battle=battle, actor=own.owner)
    assert LedgerEntry.objects.get(cause_ref=str(battle.key), kind="game").facts.get("gifts", []) == gifts
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S07")
def test_standing_company_starts_with_60_points():
    own = company_create(owner=player(), system="meks-and-mercs", name="New Dogs")
    assert company_record(own).balance == 60
    unit_buy(company=own, by=own.owner, published="wasp")
    pilot_hire(company=own, by=own.owner, name="Ada", experience="regular")
    assert company_record(own).balance == 60 - 9 - 5


@pytest.mark.parametrize("start", [0, 100])
def test_season_of_battles_agrees_with_its_ledger_and_undo(start):
    own = a_company_of("draken", "wasp", "viper", level="green")
    records, battles = [company_record(own)], []
    for seed in range(start, start + 6):
        if not own.units.filter(status="ready", pilot__status="active").exists():
            break
        setup, forces = company_battle(own, enemy="wasp")
        battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=seed)
        battle_resolve(battle.pk)
        battle_write_effects(battle=battle, actor=own.owner)
        assert list(differences(own)) == []
        battles.append(battle)
        records.append(company_record(own))
    assert len(battles) > 1, "too few games"
    assert records[-1].won + records[-1].drawn + records[-1].lost == len(battles)
    for battle, record in zip(reversed(battles), reversed(records[:-1]), strict=True):
        battle_take_back_effects(battle=battle, actor=own.owner)
        assert company_record(own) == record
        assert list(differences(own)) == []


STANDING = {"season-mode": "standing-company"}


def log_game_with_support(own, rolled, used, **what):
    """Log a game of Opening Shots by hand, with the company's rolled and used support."""
    sides = [
        SideChoice(name=own.name, doctrine="aggressive", units=company_choices(own), company=own, support=rolled),
        SideChoice(
            name="Blue",
            doctrine="cautious",
            units=[UnitChoice(design=unit.design, pilot=unit.pilot) for unit in RIVALS.units],
        ),
    ]
    setup, forces = setup_document(
        system="meks-and-mercs", scenario="opening-shots", terrain="printed", sides=sides, options=STANDING
    )
    first = next(iter(forces[0].units))
    return battle_log_result(
        setup=setup,
        forces=forces,
        units={first: UnitFate(**what)},
        winner="Blue",
        actor=own.owner,
        support_used=(used, []),
    )


@pytest.mark.rule("MM-S07", "MM-087")
def test_used_rich_uncle_pays_the_bank_and_is_logged(monkeypatch):
    own = a_company_of("viper", "wasp", "wasp")
    battle = log_game_with_support(own, ["rich-uncle"], ["rich-uncle"])
    game = LedgerEntry.objects.get(kind="game", cause_ref=str(battle.key))
    assert len(game.facts["gifts"]) == 1
    assert game.points == game.facts["income"] + game.facts["gifts"][0]
    assert game.facts["support"] == ["Rich Uncle"]
    assert "support used: Rich Uncle" in plain(describe_entry("game", game.facts, None, None))


@pytest.mark.rule("MM-014")
def test_unused_support_pays_nothing():
    battle = log_game_with_support(a_company_of("viper", "wasp", "wasp"), ["rich-uncle"], [])
    game = LedgerEntry.objects.get(kind="game", cause_ref=str(battle.key))
    assert not game.facts["gifts"]
    assert "support" not in game.facts


@pytest.mark.rule("MM-S03")
@pytest.mark.parametrize(("fate", "kind"), [("unhurt", "unhurt"), ("injured", "wounded"), ("killed", "died")])
def test_fate_rolled_at_the_table_is_not_rolled_again(dice, fate, kind):
    own = a_company_of("draken", level="green")
    script = dice(*([1] if fate != "killed" else []))  # the skill die of a surviving pilot
    battle = log_game(own, hits_lost=4, destroyed=True, fate=fate)
    entry = LedgerEntry.objects.get(kind=kind, cause_ref=str(battle.key))
    assert entry.facts["face"] == 0
    assert "rolled at the table" in plain(describe_entry(kind, entry.facts, None, None))
    assert len(script.rolled) == (fate != "killed")
    battle_take_back_effects(battle=battle, actor=own.owner)
    assert list(differences(own)) == []


@pytest.mark.rule("MM-S07", "MM-087")
def test_rich_uncle_rolled_in_battle_pays_the_bank():
    own = a_company_of("viper", "wasp", "wasp")
    rivals = [UnitChoice(design=unit.design, pilot=unit.pilot) for unit in RIVALS.units]
    sides = [
        SideChoice(name=own.name, doctrine="aggressive", units=company_choices(own), company=own, support=["roll"]),
        SideChoice(name="Blue", doctrine="cautious", units=rivals),
    ]
    setup, forces = setup_document(
        system="meks-and-mercs", scenario="opening-shots", terrain="printed", sides=sides, options=STANDING
    )
    battle = battle_queue(setup=setup, forces=forces, actor=own.owner, seed=27)  # the first two dice are 3 and 6
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert battle.result["support"] == [["rich-uncle"], []]
    battle_write_effects(battle=battle, actor=own.owner)
    assert len(LedgerEntry.objects.get(kind="game", cause_ref=str(battle.key)).facts["gifts"]) == 1
