"""Forks: what if the sides of a battle had fought on with other AI styles."""

import dataclasses
import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Fork
from battles.odds.forks import ForkRow, fork_ask, round_of_step, setup_with_styles
from battles.selectors.records import replayed
from battles.services.battles import battle_queue
from battles.services.retention import clear_battles
from battles.tasks import battle_resolve, forecast_fork
from rosters.services import RefusedError
from rosters.site.retention import Clearing
from systems import BATTLES, battle_rules
from systems.documents import DocumentError
from systems.reading import read_setup
from systems.simulation.analysis import course_of
from tests.battles.builders import duel, player
from tests.systems.meks_and_mercs.battle.test_autoplay_orders import document as of_a_map


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep jobs in their rows until a test runs them."""
    for task in (battle_resolve, forecast_fork):
        monkeypatch.setattr(task, "delay", lambda *message: None)


def finished_battle(seed: int = 4, **arguments: Any) -> Battle:
    battle = battle_queue(setup=duel(), seed=seed, **{"visitor": "v", **arguments})
    battle_resolve(battle.pk)
    battle.refresh_from_db()
    return battle


def calculated_fork(row: Fork) -> Fork:
    while not row.is_over:
        forecast_fork(row.pk, str(row.lease) if row.lease else None)
        row.refresh_from_db()
    assert row.status == "done", row.failure
    return row


def others(battle: Battle) -> list[str]:
    """Return the battle's AI styles, with a different one for the attacker."""
    setup = read_setup(battle.setup)
    known = battle_rules(battle.system).doctrines
    return [next(slug for slug in known if slug != setup.sides[0].doctrine), setup.sides[1].doctrine]


@pytest.mark.parametrize("system", BATTLES)
def test_other_styles_change_no_unit_before_the_first_die(system):
    """So other styles can be applied to a battle in progress without moving any unit."""
    rules = battle_rules(system)
    setup = rules.example()
    turned = setup_with_styles(setup, [side.doctrine for side in reversed(setup.sides)])
    parts = zip(rules.prepare(setup), rules.prepare(turned), strict=True)
    changed = set()
    for one, other in parts:
        rows, found = ([each] if dataclasses.is_dataclass(each) else each for each in (one, other))
        for row, becomes in zip(rows, found, strict=True):
            names = [field.name for field in dataclasses.fields(row)]
            changed |= {(type(row).__name__, name) for name in names if getattr(row, name) != getattr(becomes, name)}
    assert changed
    assert {record for record, _ in changed} <= {"Side", "Battle"}
    places = {"x", "y", "zone", "facing", "hits", "heat"}
    assert not {name for _, name in changed} & places


def changed_by_turning(system, document):
    """Return what other AI styles change in a battle's last round: in the record and in the state."""
    taken, doctrines = course_of(read_setup(document), 3), battle_rules(system).doctrines
    number = len(taken.stands) - 1
    for pair in itertools.product(doctrines, repeat=2):
        found = taken.turned(number, setup_with_styles(taken.setup, pair)).state
        changed = set()
        for part, becomes in zip(taken.stands[number].state, found, strict=True):
            rows, after = ([each] if dataclasses.is_dataclass(each) else each for each in (part, becomes))
            for row, now in zip(rows, after, strict=True):
                names = [field.name for field in dataclasses.fields(row)]
                changed |= {(type(row).__name__, name) for name in names if getattr(row, name) != getattr(now, name)}
        yield changed, found


@pytest.mark.parametrize("scenario", ["zone-battle", "opening-shots", "hot-gates", "citadel"])
def test_other_styles_move_and_repair_no_unit_mid_battle(scenario):
    """An AI style of Meks & Mercs places its units before the first roll.

    It also keeps fire plans from round to round.
    """
    document = duel() if scenario == "zone-battle" else of_a_map(scenario)
    for changed, state in changed_by_turning("meks-and-mercs", document):
        differences = {(record, name) for record, name in changed if record not in ("Side", "Battle")}
        assert differences <= {("Unit", "order"), ("Unit", "goal"), ("Salvo", "stamp")}
        assert {salvo.stamp for salvo in state.salvos} == {-1}


@pytest.mark.parametrize("system", BATTLES)
def test_fork_starts_where_the_curve_has_the_round(system):
    setup = battle_rules(system).example()
    taken = course_of(setup, 3)
    number = min(2, len(taken.stands) - 1)
    place = taken.stands[number].events
    same = taken.otherwise(number, setup, 5, 0, 20)
    assert same.before == same.after == taken.tally(place, 5, 0, 20)


@pytest.mark.parametrize("system", BATTLES)
def test_fork_is_the_same_in_plain_and_compiled_rules(system):
    setup = battle_rules(system).example()
    other = setup_with_styles(setup, [side.doctrine for side in reversed(setup.sides)])
    taken = course_of(setup, 3)
    number = min(2, len(taken.stands) - 1)
    compiled = taken.otherwise(number, other, 5, 0, 20)
    assert compiled == taken.otherwise(number, other, 5, 0, 20, compiled=False)


def test_fork_from_round_one_matches_the_odds():
    setup = read_setup(duel())
    other = setup_with_styles(setup, [side.doctrine for side in reversed(setup.sides)])
    from_battle, straight = course_of(setup, 1).otherwise(1, other, 5, 0, 4_000).after, course_of(other, 1)
    whole = straight.tally(0, 5, 0, 4_000)
    assert abs(from_battle.battle["attacker_wins"] - whole.battle["attacker_wins"]) < 250


def test_missing_round_is_refused():
    taken = course_of(read_setup(duel()), 1)
    with pytest.raises(ValueError, match="rounds 1 to"):
        taken.otherwise(len(taken.stands), taken.setup, 1, 0, 1)


@pytest.mark.django_db
def test_fork_is_simulated_once_and_matches_the_curve():
    battle = finished_battle()
    row, is_new = fork_ask(battle=battle, round=1, doctrines=others(battle), battles=400, visitor="v")
    again, is_new_again = fork_ask(battle=battle, round=1, doctrines=others(battle), battles=400, actor=player())
    assert (row.pk, is_new, is_new_again) == (again.pk, True, False)
    line = ForkRow(calculated_fork(row))
    taken = course_of(read_setup(battle.setup), int(battle.seed))
    assert line.comparison.before == taken.tally(taken.stands[1].events, 0, 0, 400)
    assert line.comparison.after != line.comparison.before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"round": 99}, "one of the battle's"),
        ({"doctrines": ["aggressive"]}, "one for each side"),
        ({"doctrines": ["aggressive", "brave"]}, "brave"),
        ({"doctrines": None}, "Change at least one"),
        ({"battles": 0}, "1 or more"),
    ],
)
def test_question_without_answer_is_refused(given, reason):
    battle = finished_battle()
    question = {"round": 1, "doctrines": others(battle), **given}
    if question["doctrines"] is None:
        question["doctrines"] = [side.doctrine for side in read_setup(battle.setup).sides]
    with pytest.raises((RefusedError, DocumentError), match=reason):
        fork_ask(battle=battle, visitor="v", **question)
    assert not Fork.objects.exists()


@pytest.mark.django_db
def test_battle_of_older_rules_cannot_fork(client):
    battle = finished_battle()
    Battle.objects.filter(pk=battle.pk).update(rules_version=battle_rules(battle.system).rules_version - 1)
    page = client.get(reverse("battles:fork-create", args=[battle.key])).content.decode()
    assert "earlier rules" in page
    assert ">Simulate</button>" not in page


@pytest.mark.django_db
def test_stage_links_to_the_question_and_page_answers(client):
    battle = finished_battle()
    page = reverse("battles:fork-create", args=[battle.key])
    stage = client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    assert f'href="{page}?step=1"' in stage
    replay = replayed(battle)
    assert replay is not None
    assert replay.board is not None
    last = max(replay.board.steps_of_lines.values())
    assert round_of_step(replay, last) == replay.rounds[-1].number
    assert round_of_step(replay, 1) == 1
    assert f'<option value="{replay.rounds[-1].number}" selected' in client.get(f"{page}?step={last}").content.decode()
    question = {"round": "1", "a": others(battle)[0], "b": others(battle)[1], "seed": "0"}
    setup = read_setup(battle.setup)
    same = {**question, "a": setup.sides[0].doctrine}
    assert client.post(page, same).status_code == 422
    sent = client.post(page, question)
    row = Fork.objects.get()
    answer = reverse("battles:explore", args=[row.key])
    assert sent.headers["Location"] == answer
    assert reverse("battles:fork-progress", args=[row.key]) in client.get(answer).content.decode()
    calculated_fork(row)
    html = client.get(answer).content.decode()
    assert "Original" in html
    assert "95% interval" in html


@pytest.mark.django_db
def test_fork_of_a_private_battle_is_hidden(client):
    kim = player()
    battle = finished_battle(visitor="", actor=kim, visibility="private")
    row, _ = fork_ask(battle=battle, round=1, doctrines=others(battle), battles=50, actor=kim)
    for url in (reverse("battles:explore", args=[row.key]), reverse("api-fork", args=[row.key])):
        assert client.get(url).status_code == 404
    client.force_login(kim)
    assert client.get(reverse("battles:explore", args=[row.key])).status_code == 200


@pytest.mark.django_db
def test_api_gives_the_same_fork_as_the_page(client):
    kim = player()
    client.force_login(kim)
    battle = finished_battle()
    url = reverse("api-battle-forks", args=[battle.key])
    body = {"round": 1, "doctrines": others(battle), "battles": 200, "seed": 7}
    answer = client.post(url, body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    row = calculated_fork(Fork.objects.get())
    data = client.get(reverse("api-fork", args=[row.key])).json()
    line = ForkRow(row)
    assert (data["status"], data["battles_done"], data["seed"]) == ("done", 200, "7")
    assert [each["before"] for each in data["chances"]] == [round(was.share, 6) for _, _, was, _, _ in line.chances]
    refused = client.post(url, {**body, "round": 99}, content_type="application/json")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["field"] == "round"


@pytest.mark.django_db
def test_visitors_old_battle_is_deleted_with_its_forks(settings):
    settings.KEEP_VISITORS_DAYS = 30
    battle = finished_battle()
    fork, _ = fork_ask(battle=battle, round=1, doctrines=others(battle), battles=50, visitor="v")
    Battle.objects.filter(pk=battle.pk).update(ended_at=timezone.now() - timedelta(days=31))
    assert clear_battles(Clearing(now=timezone.now())) == 1
    assert not Battle.objects.filter(pk=battle.pk).exists()
    assert not Fork.objects.filter(pk=fork.pk).exists()


def test_styles_of_both_sides_change():
    setup = read_setup(duel())
    for pair in itertools.product(battle_rules(setup.system).doctrines, repeat=2):
        assert tuple(side.doctrine for side in setup_with_styles(setup, pair).sides) == pair
