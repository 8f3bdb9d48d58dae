"""Properties that every battle of every game has."""

import contextlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from systems import BATTLES
from systems.documents import DocumentError
from systems.engine.events import Event
from systems.meks_and_mercs.battle import ai, ai_fire
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.analysis import report_text, rounds_of
from systems.simulation.records import read_record, resolve, verify
from tests.battles.record_ends import final_situation, missing_from_report
from tests.example_shares import share
from tests.systems.any_battle import any_battle, seeds
from tests.systems.meks_and_mercs.any_battle import setups

ONE_LINE = r"\A[^\n]+\Z"
every_system = pytest.mark.parametrize("slug", BATTLES)


def same_seed_gives_same_record(record):
    assert resolve(read_setup(setup_json(record.setup)), record.seed).text() == record.text()
    assert verify(record.text()) is None


def events_lead_to_the_outcome(record):
    views = {view.key: view for view in final_situation(record).units}
    for unit in record.outcome["units"]:
        view = views[unit["key"]]
        folded = {
            "lost": view.destroyed,
            "withdrew": view.withdrew,
            "hits": view.hits if view.chassis != "commandos" else unit["hits"],
            "wounded": view.wounded,
            "kills": view.kills,
            **view.kept,
        }
        if hasattr(view, "infantry_kills"):
            folded["infantry_kills_taken"] = view.infantry_kills
        if "specials" in unit:
            folded["specials"] = view.specials
        if "stand" in unit:
            folded["stand"] = "table" if view.stand else view.place
        assert folded == {name: tuple(unit[name]) if "_lost" in name else unit[name] for name in folded}


def events_survive_json(record):
    assert tuple(Event.from_json(event.to_json()) for event in record.events) == record.events
    read = read_record(record.text())
    assert (read.events, read.text(), read.digest) == (record.events, record.text(), record.digest)


def no_count_is_negative(record):
    die = any_battle(record.setup.system).die
    for event in record.events:
        for name in ("hits", "heat", "rating", "total", "kills", "legs", "taken"):
            assert int(event.result.get(name) or 0) >= 0, event
        assert all(1 <= face <= die for face in event.faces), event
    assert all(unit["hits"] >= 0 for unit in record.outcome["units"])


def battle_ends_with_a_reason(record):
    outcome = record.outcome
    assert 0 <= outcome["rounds"] <= any_battle(record.setup.system).most_rounds
    assert outcome["draw"] is (outcome["winner"] is None)
    assert outcome["winner"] in {None, *(side.name for side in record.setup.sides)}
    assert outcome["reason"]


def no_unit_acts_after_leaving(record):
    put, gone = any_battle(record.setup.system), set[str | None]()
    for event in record.events:
        assert not (event.kind in put.acts and event.unit in gone), event
        assert not (event.kind in put.attacks and event.target in gone), event
        if event.kind in put.gone:
            gone.add(event.unit)


def events_have_sentences_and_rounds_have_steps(record):
    rounds = rounds_of(record)
    lines = [line for view in rounds for step in view.steps for line in step.lines]
    assert [line.number for line in lines] == list(range(1, len(record.events) + 1))
    assert all(line.sentence and line.sentence[0].isupper() or "'" in line.sentence for line in lines)
    assert record.digest in report_text(record)


def report_has_every_event_not_in_its_titles(record):
    assert missing_from_report(record) == []


ONE_OF_MANY = re.compile(
    r"(?<![\w.,+-])1 (?:\w+ )?(?:actions|dice|enemies|hexes|hits|kills|levels|markers|points|rounds|squads|turns|units)\b",
    re.IGNORECASE,
)
COMMANDOS_DOES = re.compile(r"Commandos(?: [AD]\w*)? (?:\w+s|is|has)\b")


def nouns_and_verbs_agree(record):
    for line in report_text(record).splitlines():
        assert not ONE_OF_MANY.search(line), line
        assert not COMMANDOS_DOES.search(line), line


PROPERTIES = [
    same_seed_gives_same_record,
    events_lead_to_the_outcome,
    events_survive_json,
    no_count_is_negative,
    battle_ends_with_a_reason,
    no_unit_acts_after_leaving,
    events_have_sentences_and_rounds_have_steps,
    report_has_every_event_not_in_its_titles,
    nouns_and_verbs_agree,
]


@share(3, 300)
@every_system
def test_every_battle_has_all_properties(slug, examples):
    """Simulate each battle once and check all properties on it."""

    @settings(max_examples=examples)
    @given(setup=any_battle(slug).setups, seed=seeds)
    def hold(setup, seed):
        record = resolve(setup, seed)
        for holds in PROPERTIES:
            holds(record)

    hold()


@share(12, 60)
def test_only_side_standing_wins_zone_battle(examples):
    @settings(max_examples=examples)
    @given(setup=setups(), seed=seeds)
    def is_won_by_the_last_side(setup, seed):
        outcome = resolve(setup, seed).outcome
        standing = {
            unit["side"]
            for unit, key in zip(outcome["units"], [u for side in setup.sides for u in side.units], strict=True)
            if not unit["lost"] and not unit["withdrew"] and key.design != "commandos"
        }
        assert outcome["winner"] in (standing if len(standing) == 1 else {None})

    is_won_by_the_last_side()


@share(10, 60)
def test_cached_evaluations_equal_fresh_ones(examples):
    kept = ai.fire_worth, ai_fire.weigh_target

    def fire_worth(s, i, e, band):
        s.sights[i * len(s.units) + e].stamp = -1
        return kept[0](s, i, e, band)

    def weigh_target(s, i, e, *rest):
        for band in range(3):
            s.salvos[(i * len(s.units) + e) * 3 + band].stamp = -1
        return kept[1](s, i, e, *rest)

    @settings(max_examples=examples)
    @given(setup=setups(), seed=seeds)
    def is_the_same(setup, seed):
        record = resolve(setup, seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ai, "fire_worth", fire_worth)
            patch.setattr(ai_fire, "fire_worth", fire_worth)
            patch.setattr(ai_fire, "weigh_target", weigh_target)
            afresh = resolve(setup, seed)
        assert afresh.lines() == record.lines()

    is_the_same()


junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=20,
)


@share(100, 300)
def test_junk_setup_is_refused(examples):
    @settings(max_examples=examples)
    @given(data=st.one_of(junk, st.binary(max_size=60), st.text(max_size=60)))
    def is_refused(data):
        with pytest.raises(DocumentError, match=ONE_LINE):
            read_setup(data)

    is_refused()


@share(12, 300)
@every_system
def test_setup_with_junk_field_is_read_or_refused(slug, examples):
    @settings(max_examples=examples)
    @given(data=st.data(), setup=any_battle(slug).setups)
    def is_read_or_refused(data, setup):
        body = setup_json(setup)
        part = body
        while True:
            keys = list(part) if isinstance(part, dict) else list(range(len(part)))
            key = data.draw(st.sampled_from(keys))
            below = part[key]
            if not isinstance(below, dict | list | tuple) or not below or data.draw(st.booleans()):
                part[key] = data.draw(junk)
                break
            if isinstance(below, tuple):
                below = part[key] = list(below)
            part = below
        with contextlib.suppress(DocumentError):
            read_setup(body)

    is_read_or_refused()
