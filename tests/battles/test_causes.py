"""The cause of a unit's loss: in the report, on the battle's page, in the ledger and in the service record."""

import re

import pytest
from django.urls import reverse

from battles.replay.zone_frames import map_replay
from battles.services.battles import battle_queue
from battles.tasks import battle_resolve
from rosters.ledger.projection import describe_entry, plain
from systems import battle_rules
from systems.engine.events import Event
from systems.ledger import Subject
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import resolve
from tests.systems.meks_and_mercs.battle.games import game

FACTS = {"lost": True, "by": "THOR", "cause": "reactor explosion, critical hit by THOR", "battle": "the Gates"}


@pytest.mark.rule("MM-056", "MM-057", "MM-061", "MM-065", "MM-081", "MM-089")
@pytest.mark.parametrize(
    ("how", "by", "expected"),
    [
        (1, "d1", "WASP A1 is destroyed: no Hits left, the last taken by WASP D1."),
        (1, "+mines", "WASP A1 is destroyed: no Hits left, the last taken by a mine."),
        (1, "+off-board", "WASP A1 is destroyed: no Hits left, the last taken by fire from off the board."),
        (2, "d1", "WASP A1 is destroyed: reactor explosion, critical hit by WASP D1."),
        (2, "+mines", "WASP A1 is destroyed: reactor explosion, critical hit by a mine."),
        (3, None, "WASP A1 is destroyed: no Hits left, burnt by its own heat."),
        (4, None, "WASP A1 is destroyed: it broke under its losses."),
        (5, "d1", "WASP A1 is destroyed: aboard its transport, destroyed by WASP D1."),
    ],
)
def test_each_cause_has_its_words(how, by, expected):
    units = [{"design": "wasp", "pilot": {"experience": "regular"}}]
    setup = game("breach", attackers=units, defenders=units)
    event = Event(1, "damage", "unit-destroyed", "MM-053", unit="a1", result={"by": by, "how": how})
    assert battle_rules("meks-and-mercs").narrator(setup)(event) == expected


def test_report_and_result_name_the_same_cause():
    system = battle_rules("meks-and-mercs")
    setup = game("breach", support=(("roll",), ("minefield",)))
    names, seen = system.unit_names(setup), set()
    for seed in range(60):
        record = resolve(setup, seed)
        report = report_text(record)
        for fate in record.outcome["units"]:
            killer = fate["killed_by"] or ""
            if fate["lost"] and "+" not in fate["key"] and not killer.startswith(("a+", "d+")):
                seen.add((fate["lost_by"], fate["killed_by"] == "+mines"))
                assert f"{names[fate['key']]} is destroyed: {system.cause_of_loss(setup, fate)}." in report
    assert seen >= {("hits", False), ("explosion", False)}


def test_mech_campaign_names_the_unit_of_the_last_damage():
    system = battle_rules("mech-campaign")
    setup = system.example()
    fates = [fate for seed in range(5) for fate in resolve(setup, seed).outcome["units"] if fate["lost"]]
    assert fates
    for fate in fates:
        assert (
            system.cause_of_loss(setup, fate) == f"4 damage, the last by {system.unit_names(setup)[fate['killed_by']]}"
        )


def test_ledger_and_service_record_name_the_cause():
    unit, pilot = Subject(1, "WASP"), Subject(2, "Ada")
    sentences = [
        plain(describe_entry("destroyed", FACTS, unit, None)),
        plain(describe_entry("fought", FACTS, unit, pilot)),
    ]
    assert sentences == [
        "WASP was destroyed (reactor explosion, critical hit by THOR) in “the Gates”",
        "Ada fought in WASP and lost it (reactor explosion, critical hit by THOR) in “the Gates”",
    ]
    older = {name: FACTS[name] for name in ("lost", "by", "battle")}
    assert plain(describe_entry("destroyed", older, unit, None)) == "WASP was destroyed by THOR in “the Gates”"


def test_map_replay_names_cause_and_support_units():
    system = battle_rules("meks-and-mercs")
    setup = game("breach", support=(("roll",), ("roll",)))
    causes = []
    for seed in range(40):
        record = resolve(setup, seed)
        replay = map_replay(record, [line for view in rounds_of(record) for step in view.steps for line in step.lines])
        assert replay is not None
        sentences = [sentence for frame in replay.frames for sentence in frame.says]
        brought = system.brought(setup, record.events)
        for fate in record.outcome["units"]:
            if fate["lost"] and fate["key"] in system.unit_names(setup) and "+" not in fate["key"]:
                cause = system.cause_of_loss(setup, fate, brought)
                assert "Support unit" not in cause
                assert any(f"is destroyed: {cause}" in sentence for sentence in sentences), (seed, fate["key"])
                causes.append(fate["killed_by"] in brought)
    assert True in causes


def test_replay_reads_each_cause_of_loss_once(monkeypatch):
    setup = game("breach", support=(("roll",), ("roll",)))
    record = resolve(setup, 3)
    system, asked = battle_rules("meks-and-mercs"), []
    cause_of_loss = system.cause_of_loss
    monkeypatch.setattr(
        system,
        "cause_of_loss",
        lambda given, fate, names: asked.append(fate["key"]) or cause_of_loss(given, fate, names),
    )
    map_replay(record, [line for view in rounds_of(record) for step in view.steps for line in step.lines])
    lost = sorted(unit["key"] for unit in record.outcome["units"] if unit["lost"])
    assert lost
    assert sorted(asked) == lost


@pytest.fixture
def no_jobs(monkeypatch):
    monkeypatch.setattr(battle_resolve, "delay", lambda *message: None)


@pytest.mark.django_db
@pytest.mark.usefixtures("no_jobs")
def test_battle_page_names_support_units(client):
    setup = game("breach", support=(("roll",), ("roll",)))
    system = battle_rules("meks-and-mercs")
    seed, causes = next(found for seed in range(100) if (found := (seed, killed_by_support(system, setup, seed)))[1])
    battle = battle_queue(setup=setup_json(setup), seed=seed, visitor="v")
    battle_resolve(battle.pk)
    page = client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    became = page.partition('id="became"')[2].partition("</div>\n</section>")[0]
    assert "Support unit" not in re.sub(r"<[^>]+>", " ", became)
    assert all(cause in became for cause in causes)


def killed_by_support(system, setup, seed):
    """Return the causes of loss of all units that support units destroyed."""
    record = resolve(setup, seed)
    brought = system.brought(setup, record.events)
    own = {unit.key for side in setup.sides for unit in side.units}
    return [
        system.cause_of_loss(setup, fate, brought)
        for fate in record.outcome["units"]
        if fate["lost"] and fate["killed_by"] in brought and fate["key"] in own
    ]


@pytest.mark.django_db
@pytest.mark.usefixtures("no_jobs")
@pytest.mark.parametrize(
    ("slug", "expected", "unsaid"),
    [
        ("meks-and-mercs", ("Kills", "destroyed"), ("eliminated", "retreated")),
        ("mech-campaign", ("Units eliminated", "eliminated"), ("Kills", "destroyed", "withdrew")),
    ],
)
def test_battle_page_uses_its_games_words_for_fates(client, slug, expected, unsaid):
    setup = battle_rules(slug).example()
    battle = battle_queue(setup=setup_json(setup), seed=3, visitor="v")
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    assert any(fate["lost"] for fate in battle.result["units"])
    assert read_setup(battle.setup).system == slug
    page = client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    became = re.sub(r"<[^>]+>", "|", page.partition('id="became"')[2].partition("</div>\n</section>")[0])
    assert all(f"|{word}|" in became for word in expected)
    assert not any(word in became for word in unsaid)
