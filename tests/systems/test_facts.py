"""Facts of a battle: rules note what the game's rows name, and a row is enough to record, describe and draw an event."""

import ast
import importlib
import inspect

import pytest

from systems import BATTLES, battle_rules
from systems.battle_display import Situation, UnitView
from systems.engine.dice import Log, note
from systems.engine.events import MARKS, Event, EventWords, Fact, Facts, alters, part, pluralize, shows, then, when
from tests.toy.battle import ToyBattles

SYSTEMS = [*(battle_rules(slug) for slug in BATTLES), ToyBattles()]


def notes_of(system):
    """Yield kind and fields of every note in a game's rules."""
    state = importlib.import_module(system.records)
    for module in system.rules:
        tree = ast.parse(inspect.getsource(importlib.import_module(module)))
        parts = {
            node.targets[0].id: getattr(state, node.value.func.attr)._fields
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("c.") and isinstance(node.value, ast.Call)
        }  # fmt: skip
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "note":
                kind = node.args[1]
                assert isinstance(kind, ast.Constant), f"{module}, line {node.lineno}: a note names its kind"
                named = {word.arg for word in node.keywords}
                yield kind.value, named.union(*(fields_of(each, parts, module) for each in node.args[2:]))


def fields_of(part, parts, module):
    """Return the fields of a part of a note: an earlier record, or a function's annotated result."""
    if isinstance(part, ast.Call):
        return inspect.get_annotations(getattr(importlib.import_module(module), part.func.id), eval_str=True)[
            "return"
        ]._fields
    return parts[part.id]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_rules_note_exactly_the_fields_of_rows(system):
    noted = {}
    for kind, fields in notes_of(system):
        assert fields <= set(system.facts[kind].names), f"{kind}: {fields}"
        noted.setdefault(kind, set()).update(fields)
    assert noted == {kind: set(fact.names) for kind, fact in system.facts.items()}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.slug)
def test_every_row_has_valid_step_and_flags(system):
    for fact in system.facts.values():
        assert fact.step in system.steps
        assert not fact.decided or fact.decided in fact.flags
        assert set(fact.modifiers) | set(fact.rules) <= set(fact.names)
        assert set(fact.words) <= {*fact.names, "last"}
        assert fact.mark in ("", *MARKS)
        assert not fact.when or (fact.mark and fact.when in fact.names)


@pytest.mark.parametrize("slug", BATTLES)
def test_every_game_marks_its_kills(slug):
    assert "kill" in {fact.mark for fact in battle_rules(slug).facts.values()}


def test_event_is_marked_when_its_field_is_set():
    boom = Fact("boom", "X-001", "end", "unit hot?", "Boom.", mark="heat", when="hot")
    assert boom.mark_of(boom.event(1, {"unit": 0, "hot": 1}, ["a1"])) == "heat"
    assert boom.mark_of(boom.event(1, {"unit": 0}, ["a1"])) == ""
    plain = Fact("plain", "X-001", "end", "unit", "Plain.")
    assert plain.mark_of(plain.event(1, {"unit": 0}, ["a1"])) == ""


def aimed(event: EventWords) -> str:
    return f"{event['unit']} aims, {event['cover']:wall}."


ROWS = Facts(
    Fact("began", "X-001", "start", "number", "Round {number}."),
    Fact(
        "fired", "X-002", "fight", "unit target face1 face2 skill kills hit?",
        "{unit} fires at {target}: {sum}, {kills:kill}, {hit}.",
        words={"hit": ("a miss", "a hit")}, modifiers={"skill": ("skill", "X-003")}, rules={"face2": "X-004"},
        decided="hit", effect=when("hit", then(shows("target", hits=part("kills")), shows(kills=7))),
    ),
    Fact("aimed", "X-005", "fight", "unit cover", aimed, look="move"),
    Fact(
        "fled", "X-006", "end", "side by", "{side} flees from {by}.",
        effect=alters(lambda unit, event: UnitView(unit.key, unit.name, unit.side, "", 0, 9), "side"),
    ),
)  # fmt: skip
KEYS, NAMES, SIDES = ("a1", "b1"), {"a1": "Wasp", "b1": "Viper"}, ("Red", "Blue")


def events_of(*noted: tuple[str, dict[str, int]]):
    log: Log = []
    for kind, fields in noted:
        note(log, kind, **fields)
    return ROWS.events(log, KEYS, "began")


def test_note_becomes_event_of_its_round():
    (began, fired) = events_of(
        ("began", {"number": 3}), ("fired", {"unit": 0, "target": 1, "face1": 4, "skill": -1, "hit": 1})
    )
    assert began.round == fired.round == 3
    assert fired.to_json() == {
        "round": 3,
        "step": "fight",
        "kind": "fired",
        "rule": "X-002",
        "unit": "a1",
        "target": "b1",
        "faces": [4],
        "modifiers": [{"name": "skill", "value": -1, "rule": "X-003"}],
        "result": {"kills": 0, "hit": True},
    }


def test_field_missing_in_row_is_refused():
    with pytest.raises(ValueError, match="a note of aimed names unit range, its row unit cover"):
        events_of(("aimed", {"unit": 0, "range": 2}))


def test_row_takes_all_dice_of_a_throw():
    rows = Facts(Fact("thrown", "X-007", "fight", "unit faces kills", "{unit} throws."))
    (event,) = rows.events([("thrown", {"unit": 0, "face1": 6, "face2": 1, "face3": 6, "kills": 2})], KEYS, "began")
    assert (event.faces, event.result) == ((6, 1, 6), {"kills": 2})
    with pytest.raises(ValueError, match="a note of thrown names face1 luck"):
        rows.events([("thrown", {"face1": 6, "luck": 1})], KEYS, "began")


def test_extra_part_changes_rule():
    again = events_of(("fired", {"unit": 0, "target": 1, "face1": 1, "face2": 6}))[0]
    assert (again.rule, again.faces) == ("X-004", (1, 6))


@pytest.mark.parametrize(
    ("kind", "fields", "sentence", "look"),
    [
        ("began", {"number": 2}, "Round 2.", ""),
        (
            "fired", {"unit": 0, "target": 1, "face1": 3, "skill": 2, "kills": 1, "hit": 1},
            "Wasp fires at Viper: 5, 1 kill, a hit.", "hit",
        ),
        ("fired", {"unit": 1, "face1": 3, "target": -1}, "Viper fires at : 3, 0 kills, a miss.", "miss"),
        ("aimed", {"unit": 0, "cover": 2}, "Wasp aims, 2 walls.", "move"),
        ("fled", {"side": 1, "by": 0}, "Blue flees from Wasp.", ""),
    ],
)  # fmt: skip
def test_row_describes_its_event_and_look(kind, fields, sentence, look):
    event = events_of((kind, fields))[0]
    assert ROWS.sentence(event, {}, NAMES, SIDES) == sentence
    assert ROWS[kind].look_of(event) == look


@pytest.mark.parametrize(
    ("count", "word", "expected"),
    [
        (1, "die", "1 die"),
        (2, "effective die", "2 effective dice"),
        (0, "kill", "0 kills"),
        (3, "enemy", "3 enemies"),
        (2, "hex", "2 hexes"),
        (1, "SM point", "1 SM point"),
    ],
)
def test_nouns_agree_with_their_number(count, word, expected):
    assert pluralize(count, word) == expected


VERBS = [
    ("moves from zone 4 to zone 5.", "move from zone 4 to zone 5."),
    ("is found.", "are found."),
    ("has given itself away.", "have given itself away."),
    ("misses its mark.", "miss their mark."),
    ("carries on.", "carry on."),
    ("goes first.", "go first."),
    ("and Wasp make contact.", "and Wasp make contact."),
]


@pytest.mark.parametrize(("one", "several"), VERBS)
def test_verbs_agree_with_a_name_of_several_people(one, several):
    rows = Facts(Fact("did", "X-008", "fight", "unit by", f"{{unit}} {one}"), several=("Commandos",))
    event = rows.events([("did", {"unit": 0, "by": 1})], KEYS, "began")[0]
    assert rows.sentence(event, {}, {"a1": "Commandos D+2"}, SIDES) == f"Commandos D+2 {several}"
    assert rows.sentence(event, {}, {"a1": "Wasp"}, SIDES) == f"Wasp {one}"


def test_effects_change_unit_target_or_side():
    start = Situation((UnitView("a1", "Wasp", 0, "light", 3, 3), UnitView("b1", "Viper", 1, "light", 3, 3)))
    fired = {"unit": 0, "target": 1, "face1": 5, "kills": 2, "hit": 1}
    after = ROWS.follow(start, events_of(("fired", fired))[0])
    assert [(unit.hits, unit.kills) for unit in after.units] == [(3, 7), (2, 0)]
    assert ROWS.follow(start, events_of(("fired", fired | {"hit": 0}))[0]) is start
    assert ROWS.follow(start, events_of(("aimed", {"unit": 0}))[0]) is start
    fled = ROWS.follow(start, events_of(("fled", {"side": 1, "by": 0}))[0])
    assert [unit.max_hits for unit in fled.units] == [3, 9]


@pytest.mark.parametrize(
    ("says", "told"), [("{by} hits {unit}.", "Commandos hit Wasp."), ("{unit} is hit.", "Wasp is hit.")]
)
def test_units_named_in_the_plural_act_in_the_plural(says, told):
    facts = Facts(Fact("unit-hit", "MM-001", "zones", "unit by", says), several=("Commandos",))
    hit = Event(1, "zones", "unit-hit", "MM-001", "d1", result={"by": "a1"})
    assert facts.sentence(hit, {}, {"a1": "Commandos", "d1": "Wasp"}, ("Attacker", "Defender")) == told
