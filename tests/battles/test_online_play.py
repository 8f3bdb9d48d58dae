"""Battles that a person plays on the pages, from the first question to the record."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection
from django.urls import reverse

from battles.models import Battle, SoloBattle
from battles.odds.curves import curve_ask
from battles.services.battles import battle_queue
from battles.solo.services import solo_answer, solo_leave, solo_standing, solo_start, solo_take_back, solo_take_over
from battles.tasks import battle_resolve
from rosters.services import RefusedError
from systems import BATTLES, battle_rules
from systems.reading import read_setup
from systems.setups import setup_json
from systems.simulation.records import read_record, resolve, verify
from tests.battles.builders import company, company_battle, duel, player
from tests.battles.test_pages import quick_data
from tests.example_shares import in_every_run
from tests.systems.meks_and_mercs.battle.games import document as map_document

pytestmark = pytest.mark.django_db


def start_solo(sides=(0,), **more):
    return solo_start(sides=sides, **({"setup": duel(), "actor": player()} | more))


def play_out(solo, answers=None):
    """Play a battle to its end with the AI's answers, but sometimes with the last option."""
    for at in range(500):
        row = SoloBattle.objects.filter(pk=solo.pk).first()
        if row is None:
            return Battle.objects.get(key=solo.key)
        question = solo_standing(row).question
        value = question.answers[-1].value if answers == "last" and at % 3 == 0 else None
        assert solo_answer(solo=row, version=row.version, value=value)
    raise AssertionError("the battle does not end")


def test_played_battle_has_a_verified_record():
    battle = play_out(start_solo(), answers="last")
    text = battle.record.text
    assert verify(text) is None
    hand = read_record(text).hand
    assert hand is not None
    assert hand.answers
    assert battle.dice.revealed_at is not None


def test_answers_of_the_ai_give_the_ais_battle():
    record = read_record(play_out(start_solo()).record.text)
    again = resolve(record.setup, record.seed)
    assert record.events == again.events
    assert record.outcome == again.outcome


def test_ai_can_play_the_rest():
    solo = start_solo()
    assert solo_leave(solo=solo, version=0)
    text = Battle.objects.get(key=solo.key).record.text
    assert verify(text) is None
    assert read_record(text).hand.rest


def test_two_presses_at_once_answer_once():
    solo = start_solo()
    assert solo_answer(solo=solo, version=0, value=None)
    assert not solo_answer(solo=solo, version=0, value=None)
    row = SoloBattle.objects.filter(pk=solo.pk).first()
    assert row is None or len(row.answers) == 1


def test_illegal_answer_is_refused():
    with pytest.raises(RefusedError, match="choice isn’t allowed"):
        solo_answer(solo=start_solo(), version=0, value=(77,))


def test_forged_answer_in_a_record_is_refused():
    lines = play_out(start_solo()).record.text.splitlines()
    header = json.loads(lines[0])
    header["hand"]["answers"][0] = [77]
    with pytest.raises(ValueError, match="is no legal answer to: "):
        verify("\n".join([json.dumps(header), *lines[1:]]))


def test_forged_seed_of_fair_dice_is_found():
    lines = play_out(start_solo()).record.text.splitlines()
    header = json.loads(lines[0])
    header["seed"] += 1
    found = verify("\n".join([json.dumps(header), *lines[1:]]))
    assert found is not None
    assert found.reason == "the seed does not follow from these dice"


def test_answer_is_undone_only_before_dice_fall():
    solo = start_solo(sides=(0, 1))
    with pytest.raises(RefusedError, match="dice have been rolled since"):
        solo_take_back(solo=solo, version=0)
    for _ in range(100):
        row = SoloBattle.objects.get(pk=solo.pk)
        if solo_standing(row).may_take_back:
            break
        solo_answer(solo=row, version=row.version, value=None)
    before = row.answers
    assert solo_take_back(solo=row, version=row.version)
    assert SoloBattle.objects.get(pk=solo.pk).answers == before[:-1]


def recorded(rounds=4, setup=None, forces=()):
    """Return a battle of that many rounds, simulated by a worker."""
    setup = setup or duel("draken", "draken")
    seed = next(seed for seed in range(99) if resolve(read_setup(setup), seed).outcome["rounds"] >= rounds)
    battle = battle_queue(setup=setup, forces=forces, seed=seed, actor=player())
    battle_resolve(battle.pk)
    return Battle.objects.get(pk=battle.pk)


def test_recorded_battle_continues_from_a_round_on_other_dice():
    source = recorded()
    battle = play_out(solo_take_over(battle=source, after=2, sides=(1,), actor=player()), answers="last")
    text = battle.record.text
    assert verify(text) is None
    old, new = read_record(source.record.text), read_record(text)
    assert new.hand.after == 2
    assert new.hand.seed != old.seed
    past_events = [event for event in old.events if event.round <= 2]
    assert list(new.events[: len(past_events)]) == past_events


def test_forged_fork_is_found():
    source = recorded()
    lines = play_out(solo_take_over(battle=source, after=2, sides=(1,), actor=player())).record.text.splitlines()
    header = json.loads(lines[0])
    header["hand"]["seed"] += 1
    assert verify("\n".join([json.dumps(header), *lines[1:]])).reason == "the seed does not follow from these dice"


@pytest.mark.parametrize("after", [0, 99])
def test_bad_round_cannot_be_continued(after):
    with pytest.raises(RefusedError, match="Choose a round"):
        solo_take_over(battle=recorded(), after=after, sides=(0,), actor=player())


def test_recorded_battle_continues_mid_round_on_other_dice():
    source = recorded(2)
    old = read_record(source.record.text)
    at = len(old.events) * 2 // 3
    text = play_out(solo_take_over(battle=source, events=at, sides=(1,), actor=player()), answers="last").record.text
    assert verify(text) is None
    new = read_record(text)
    assert (new.hand.after, new.hand.events, new.seed) == (0, at, old.seed)
    assert new.hand.seed not in (None, old.seed)
    assert new.events[:at] == old.events[:at]
    assert text.splitlines()[1 : at + 1] == source.record.text.splitlines()[1 : at + 1]


def test_first_question_follows_the_kept_events():
    setup = duel("draken", "draken")
    for side in setup["sides"]:  # one against one, it could end before the first question
        side["units"] = [{**side["units"][0], "key": f"{side['units'][0]['key']}{number}"} for number in range(4)]
    source = recorded(2, setup)
    solo = solo_take_over(battle=source, events=7, sides=(0, 1), actor=player())
    standing = solo_standing(SoloBattle.objects.get(pk=solo.pk))
    assert len(standing.log) >= standing.seen == 7


@pytest.mark.parametrize("change", [{"events": 10**5}, {"after": 1}, {"events": 0}])
def test_forged_event_number_is_refused(change):
    source = recorded(2)
    lines = play_out(solo_take_over(battle=source, events=9, sides=(1,), actor=player())).record.text.splitlines()
    header = json.loads(lines[0])
    header["hand"] |= change
    with pytest.raises(ValueError, match=r"line 1.hand\.(events|seed|answers)"):
        verify("\n".join([json.dumps(header), *lines[1:]]) + "\n")


def test_bad_event_number_cannot_be_continued():
    source = recorded(2)
    end = len(read_record(source.record.text).events)
    for events in (end, end + 1):
        with pytest.raises(RefusedError, match=f"this battle has {end} events"):
            solo_take_over(battle=source, events=events, sides=(0,), actor=player())


def test_record_continued_after_a_round_keeps_its_format():
    text = play_out(solo_take_over(battle=recorded(), after=2, sides=(1,), actor=player())).record.text
    assert set(json.loads(text.splitlines()[0])["hand"]) == {"sides", "after", "seed", "answers", "rest", "dice"}


def test_battle_page_continues_at_its_step(client):
    source = recorded(2)
    url = reverse("battles:solo-take-over", args=[source.key])
    page = client.get(reverse("battles:battle", args=[source.key]) + "?step=3").content.decode()
    assert 'href="#take-over"' in page
    (step,) = re.findall(r'name="step" value="(\d+)"', page)
    answer = client.post(url, {"step": step, "side": "b"})
    assert SoloBattle.objects.get().events > 0
    assert "Since your last choice" in client.get(answer["Location"]).content.decode()


@pytest.mark.parametrize(
    ("step", "reason"), [(1, "Nothing has happened yet at this step."), (9999, "The battle is over at this step.")]
)
def test_first_and_last_step_cannot_be_continued(client, step, reason):
    source = recorded(2)
    answer = client.post(reverse("battles:solo-take-over", args=[source.key]), {"step": step, "side": "a"}, follow=True)
    assert answer.redirect_chain[-1][0].endswith(f"/?step={step}")
    assert reason in answer.content.decode()
    assert not SoloBattle.objects.exists()


def test_played_battle_cannot_be_continued_at_a_step(client):
    battle = play_out(start_solo())
    url = reverse("battles:solo-take-over", args=[battle.key])
    assert 'name="step"' not in client.get(reverse("battles:battle", args=[battle.key])).content.decode()
    answer = client.post(url, {"step": "3", "side": "a"}, follow=True)
    assert "Start a new one" in answer.content.decode()


def test_visitor_plays_from_the_form_to_the_end(client):
    answer = client.post("/battles/new/", quick_data(**{"do": "hand", "hand": "a"}))
    url = answer["Location"]
    for _ in range(500):
        page = client.get(url)
        if page.status_code == 302:
            break
        html = page.content.decode()
        assert "Since your last choice" in html
        version = re.search(r'name="version" value="(\d+)"', html)[1]
        client.post(f"{url}answer/", {"version": version, "do": "doctrine"})
    over = client.get(page["Location"])
    assert "Played online" in over.content.decode()
    assert verify(Battle.objects.get().record.text) is None


def test_htmx_gets_the_next_question_then_the_battle(client):
    url = client.post("/battles/new/", quick_data(**{"do": "hand", "hand": "both"}))["Location"]
    htmx = {"HTTP_HX_REQUEST": "true"}
    part = client.post(f"{url}answer/", {"version": "0", "do": "doctrine"}, **htmx).content.decode()
    assert part.lstrip().startswith('<div class="hand"')
    again = client.post(f"{url}answer/", {"version": "0", "do": "doctrine"}, **htmx).content.decode()
    assert "You already answered that" in again
    assert (
        "choice isn’t allowed"
        in client.post(f"{url}answer/", {"version": "1", "answer": "8 8"}, **htmx).content.decode()
    )
    end = client.post(f"{url}answer/", {"version": "1", "do": "rest"}, **htmx)
    assert end["HX-Redirect"].startswith("/battles/")


def test_played_battle_with_a_chosen_seed_is_refused(client):
    answer = client.post("/battles/new/", quick_data(**{"do": "hand", "hand": "a", "f-seed": "7"}))
    assert answer.status_code == 422
    assert "Leave the seed blank" in answer.content.decode()


def test_recorded_battle_is_taken_over_from_its_page(client):
    client.force_login(player())
    source = recorded()
    page = client.get(reverse("battles:battle", args=[source.key])).content.decode()
    assert "Take over from here" in page
    answer = client.post(reverse("battles:solo-take-over", args=[source.key]), {"after": "2", "side": "b"})
    assert "Round 3" in client.get(answer["Location"]).content.decode()


def symbols(html):
    return re.findall(r'<symbol id="u-\d+"[^>]*>', html)


def test_stage_draws_unit_names_and_company_colours(client):
    own = company(player(), "draken")
    setup, forces = company_battle(own, enemy="thor")
    client.force_login(player())
    html = client.get(reverse("battles:solo", args=[start_solo(setup=setup, forces=forces).key])).content.decode()
    mine, theirs = symbols(html)
    assert f'fill="{own.colour}"' in mine
    assert "fill=" not in theirs
    assert html.count('class="chit__art"') == 2
    for name in (own.units.get().name, "THOR"):
        assert re.search(rf'<text class="(?:label|chit__name)[^>]*>\s*{name}', html), name


def test_battle_that_is_taken_over_keeps_company_colours(client):
    own = company(player(), "draken")
    setup, forces = company_battle(own, enemy="draken")
    battle = recorded(setup=setup, forces=forces)
    solo = solo_take_over(battle=battle, after=1, sides=(1,), actor=player())
    client.force_login(player())
    mine, theirs = symbols(client.get(reverse("battles:solo", args=[solo.key])).content.decode())
    assert (f'fill="{own.colour}"' in mine, "fill=" in theirs) == (True, False)


def test_battle_in_progress_is_hidden_from_others(client):
    solo = start_solo()
    assert client.get(reverse("battles:solo", args=[solo.key])).status_code == 404
    assert (
        client.post(reverse("battles:solo-answer", args=[solo.key]), {"do": "doctrine", "version": "0"}).status_code
        == 404
    )


def test_list_names_waiting_battles(client):
    client.force_login(player())
    assert "in progress" not in client.get(reverse("battles:battles")).content.decode()
    solo = start_solo()
    assert str(solo.key) in client.get(reverse("battles:battles")).content.decode()


def test_played_battle_has_no_curve():
    battle = play_out(start_solo())
    with pytest.raises(RefusedError, match="played online have no win chance curve"):
        curve_ask(battle=battle, actor=player())


@pytest.mark.parametrize(
    "system",
    in_every_run(
        ("meks-and-mercs", "hex-core"),
        [slug for slug, rules in BATTLES.items() if rules.in_hand is not None],
        pytest.mark.slow,
    ),
)
def test_every_game_is_played_from_its_pages(client, system):
    client.force_login(kim := player())
    solo = solo_start(setup=setup_json(battle_rules(system).example()), sides=(0, 1), actor=kim)
    url = reverse("battles:solo", args=[solo.key])
    for _ in range(6):
        page = client.get(url)
        if page.status_code == 302:  # the battle was short
            break
        html = page.content.decode()
        assert 'class="map__svg' in html
        values = re.findall(r'name="answer"\s+value="([^"]+)"', html)
        version = re.search(r'name="version" value="(\d+)"', html)[1]
        client.post(f"{url}answer/", {"version": version, "answer": values[len(values) // 2]})
    else:
        row = SoloBattle.objects.get(pk=solo.pk)
        client.post(f"{url}answer/", {"version": row.version, "do": "rest"})
    text = Battle.objects.get(key=solo.key).record.text
    assert verify(text) is None


@pytest.mark.slow
@pytest.mark.parametrize("system", [slug for slug, rules in BATTLES.items() if rules.in_hand is not None])
def test_page_query_count_does_not_grow_with_answers(client, system, django_assert_max_num_queries):
    client.force_login(kim := player())
    solo = solo_start(setup=setup_json(battle_rules(system).example()), sides=(0,), actor=kim)
    url = reverse("battles:solo", args=[solo.key])
    for _ in range(3):
        with django_assert_max_num_queries(8):
            client.get(url)
        row = SoloBattle.objects.filter(pk=solo.pk).first()
        if row is None:
            break
        solo_answer(solo=row, version=row.version, value=None)


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor == "sqlite", reason="SQLite has one writer")
def test_parallel_answers_count_once():
    solo = start_solo(sides=(0, 1))
    start = Barrier(2)

    def press(_at):
        try:
            start.wait()
            return solo_answer(solo=solo, version=0, value=None)
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(press, range(2))) == [False, True]
    row = SoloBattle.objects.filter(pk=solo.pk).first()
    assert row is None or (row.version, len(row.answers)) == (1, 1)


def test_map_game_continues_after_its_third_turn():
    setup = read_setup(map_document("hot-gates"))
    seed = next(seed for seed in range(99) if resolve(setup, seed).outcome["rounds"] >= 4)
    source = battle_queue(setup=map_document("hot-gates"), seed=seed, actor=player())
    battle_resolve(source.pk)
    source.refresh_from_db()
    solo = solo_take_over(battle=source, after=3, sides=(1,), actor=player())
    for _ in range(10):
        row = SoloBattle.objects.filter(pk=solo.pk).first()
        if row is None:
            break
        solo_answer(solo=row, version=row.version, value=solo_standing(row).question.answers[0].value)
    else:
        solo_leave(solo=row, version=row.version + 1)
    text = Battle.objects.get(key=solo.key).record.text
    assert verify(text) is None
    old, new = read_record(source.record.text), read_record(text)
    past_events = [event for event in old.events if event.round <= 3]
    assert list(new.events[: len(past_events)]) == past_events


def test_map_game_is_played_by_both_sides():
    setup = map_document("hot-gates")
    solo = solo_start(setup=setup, sides=(0, 1), actor=player())
    for _ in range(40):
        row = SoloBattle.objects.filter(pk=solo.pk).first()
        if row is None:
            break
        question = solo_standing(row).question
        solo_answer(solo=row, version=row.version, value=question.answers[-1].value)
    else:
        solo_leave(solo=row, version=row.version + 1)
    text = Battle.objects.get(key=solo.key).record.text
    assert verify(text) is None
