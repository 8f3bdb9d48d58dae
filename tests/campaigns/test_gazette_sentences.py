"""The sentences of a gazette, rule by rule, from its document alone."""

from uuid import UUID

import pytest

from campaigns.gazette.document import AceLine, GazetteDocument, PilotLine, Place, ResultLine, Side, TableLine
from campaigns.gazette.prose import story


def result(winner, loser, *, destroyed=(2, 1), look="won"):
    sides = [
        Side(name=name, player="-", colour="#000000", has_won=name == winner and look == "won")
        for name in (winner, loser)
    ]
    return ResultLine(
        match=UUID(int=1), table=1, attacker=sides[0], defender=sides[1], look=look, mark="★", word="-", how="-",
        scenario="-", territory="", destroyed=destroyed, battle=None,
    )  # fmt: skip


def line(place, name, *, won=0, drawn=0, lost=0, moved=0, points=None):
    return TableLine(
        place=place, moved=moved, name=name, player="-", colour="#000000", gained=0, played=won + drawn + lost, won=won,
        drawn=drawn, lost=lost, destroyed=0, units_lost=0, territories=0, is_in=True,
        points=3 * won + drawn if points is None else points,
    )  # fmt: skip


def place(number, name, holder="", *, taken=False):
    return Place(
        id=number, position=number, name=name, holder=number, holder_name=holder, colour="#000000", since=1, taken=taken
    )


def write_story(*, number=3, results=(), standings=(), places=(), pilots=(), ace=None):
    content = GazetteDocument(
        campaign="War", club="Club", round=number, closed_at=None, results=results, upset=None, pilots=pilots, ace=ace,
        units_lost=0, standings=standings, map_kind="none", places=places,
    )  # fmt: skip
    return story(content)


def test_uneventful_round_has_no_sentences():
    assert write_story(number=1, standings=(line(1, "Ants"), line(2, "Bees"))) == ()


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        (line(1, "Ants", won=2, moved=2), line(2, "Bees", won=1), "Ants takes the lead, up from place 3."),
        (line(1, "Ants", won=2), line(2, "Bees", won=2), "Ants keeps the lead, though Bees has as many points."),
        (line(1, "Ants", won=2), line(2, "Bees", won=1), "Ants stays ahead, 6 points to 3."),
    ],
)
def test_leader_is_named_from_the_second_round_on(first, second, sentence):
    assert write_story(standings=(first, second)) == (sentence,)
    assert write_story(number=1, standings=(first, second)) == ()


def test_name_that_ends_with_a_stop_gets_no_further_one():
    places = (place(1, "Ford", "Ants & Co.", taken=True), place(2, "Hill"))
    assert write_story(places=places) == ("Ford goes to Ants & Co.",)


def test_first_win_and_first_defeat_are_named():
    standings = (line(1, "Cats", won=9), line(2, "Ants", won=2, lost=1), line(3, "Bees", won=1, lost=2))
    sentences = write_story(results=(result("Bees", "Ants"),), standings=standings)
    assert "First win for Bees, in match number three." in sentences
    assert "Ants loses for the first time, after two wins in a row." in sentences


def test_streaks_of_three_are_named():
    sentences = write_story(
        results=(result("Ants", "Bees"),), standings=(line(1, "Ants", won=3), line(2, "Bees", lost=3))
    )
    assert "Ants has won all three matches." in sentences
    assert "Bees has lost all three, and badly wants the next one." in sentences
    sentences = write_story(
        results=(result("Ants", "Bees"),), standings=(line(1, "Ants", won=2), line(2, "Bees", lost=2))
    )
    assert not [sentence for sentence in sentences if "all" in sentence]


def test_moves_of_two_places_are_named():
    standings = (line(1, "Ants"), line(2, "Bees", moved=2), line(3, "Cats", moved=1), line(4, "Dogs", moved=-3))
    assert write_story(standings=standings) == (
        "Dogs drops three places to fourth.",
        "Bees climbs two places to second.",
    )


def test_territory_changes_and_the_largest_holder_are_named():
    places = (place(1, "Ford", "Ants", taken=True), place(2, "Hill", "Ants"), place(3, "Mill", "Bees"))
    assert write_story(places=places) == ("Ford goes to Ants.", "Ants now holds two of three territories.")


def test_win_without_losses_is_named():
    sentences = write_story(results=(result("Ants", "Bees", destroyed=(3, 0)),))
    assert sentences == ("Ants lost no units against Bees, who lost three.",)
    assert write_story(results=(result("Ants", "Bees", destroyed=(0, 3)),)) == ()


def test_best_pilot_comes_first_and_fallen_pilots_last():
    def pilot(name, what, text=""):
        return PilotLine(pilot=name, company="Ants", colour="#000000", what=what, told=text)

    pilots = (
        pilot("Cy", "killed"),
        pilot("Ann", "promoted", "promoted to Veteran"),
        pilot("Bo", "promoted", "promoted to Veteran"),
    )
    sentences = write_story(pilots=pilots, ace=AceLine(pilot="Ann", company="Ants", colour="#000000", kills=3))
    assert sentences == (
        "Pilot of the round: Ann of Ants, who took out three units.",
        "Ann and Bo of Ants were promoted to Veteran.",
        "Cy of Ants was killed.",
    )
