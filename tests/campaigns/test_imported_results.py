"""Results of before: read line by line, taken over all or none, and no ledger knows of them."""

from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Match
from campaigns.results.imported_table import MAX_LINES, decoded, read_imported
from campaigns.results.imports import results_import
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from tests.campaigns.builders import a_campaign, a_mustered_company, a_round, an_enrolment

HEAD = "date,round,attacker,defender,winner\n"
COMPANIES = {1: "Iron Hounds", 2: "Red Lances", 3: "Die Würfel"}
TODAY = date(2025, 6, 1)


def read(text, taken=()):
    return read_imported(text, COMPANIES, taken, TODAY)


def problems(line, taken=()):
    (read_line,) = read(HEAD + line, taken).lines
    return list(read_line.problems)


def test_a_table_is_read_with_its_columns_in_any_order():
    table = read(
        "Winner;Attacker Kills;Round;Defender;Attacker;Date\nred lances;3;2;Red Lances; iron  hounds ;14.3.2025\n"
    )
    (result,) = table.results
    assert table.is_clean
    assert (result.line, result.on, result.round) == (2, date(2025, 3, 14), 2)
    assert (result.attacker, result.defender, result.winner) == (1, 2, "defender")
    assert (result.attacker_kills, result.defender_kills) == (3, None)


@pytest.mark.parametrize("winner", ["draw", "Drawn", "TIE"])
def test_a_draw_is_a_draw(winner):
    assert read(f"{HEAD}2025-03-14,1,Iron Hounds,Die Würfel,{winner}").results[0].winner == "draw"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("soon,1,Iron Hounds,Red Lances,draw", "the date is not like 2025-03-14"),
        ("2025-06-02,1,Iron Hounds,Red Lances,draw", "still to come"),
        ("2025-03-14,0,Iron Hounds,Red Lances,draw", "the round is not a number from 1 to 999"),
        ("2025-03-14,²,Iron Hounds,Red Lances,draw", "the round is not a number"),
        ("2025-03-14,7,Iron Hounds,Red Lances,draw", "has a round 7 already"),
        ("2025-03-14,1,Nobody,Red Lances,draw", "is called 'Nobody' (attacker)"),
        ("2025-03-14,1,Iron Hounds,Iron Hounds,draw", "can't meet itself"),
        ("2025-03-14,1,Iron Hounds,Red Lances,Die Würfel", "the winner is neither"),
        ("2025-03-14,1,Iron Hounds,Red Lances", "the winner is neither"),
        ("", ""),
    ],
)
def test_what_is_wrong_with_a_line_is_said_of_the_line(line, problem):
    if not line:
        assert "no match under it" in read(HEAD).problem
        return
    (found,) = problems(line, taken=[7])
    assert problem in found


def test_a_line_with_several_mistakes_says_them_all():
    assert len(problems("soon,x,Nobody,Nobody else,me")) == 5


def test_the_same_match_twice_is_a_mistake_of_the_second_line():
    table = read(f"{HEAD}2025-03-14,1,Iron Hounds,Red Lances,draw\n2025-03-15,1,Red Lances,Iron Hounds,draw")
    assert [line.problems for line in table.lines] == [
        (),
        ("the same companies met in round 1 in line 2 already",),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "nothing to read"),
        ("\0", "nothing to read"),
        ("date,round\n1,2", "missing: attacker, defender, winner"),
        (f"{HEAD.strip()},mood\n", "No such column: mood"),
        (f"{HEAD.strip()},winner\n", "column winner is there twice"),
        (HEAD + "2025-03-14,1,Iron Hounds,Red Lances,draw\n" * (MAX_LINES + 1), "are the most at once"),
        (HEAD + "x" * 300_000, "longer than 256 KB"),
        (HEAD + '"' + "x" * 140_000, "can't be read as a table"),
    ],
)
def test_a_text_that_is_no_table_is_refused_as_a_whole(text, problem):
    assert problem in read(text).problem


def test_a_file_is_read_as_spreadsheets_write_it():
    assert decoded("\ufeffWürfel".encode()) == decoded("Würfel".encode("cp1252")) == "Würfel"


# --- taking over ------------------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(db):
    campaign = a_campaign()
    for name in COMPANIES.values():
        an_enrolment(campaign, a_mustered_company(name=name))
    return campaign


GOOD = f"""{HEAD.strip()},attacker kills,defender kills,scenario
2025-03-14,1,Iron Hounds,Red Lances,attacker,3,1,Breach
2025-03-15,1,Die Würfel,Red Lances,draw,,,
2025-04-02,2,Iron Hounds,Die Würfel,defender,0,2,
"""


def organiser(campaign):
    return campaign.club.memberships.get(role="organiser").player


def test_lines_become_closed_rounds_and_no_ledger_changes(campaign):
    before = LedgerEntry.objects.count()
    rounds = results_import(campaign=campaign, text=GOOD, by=organiser(campaign))
    assert [(each.number, each.state, each.matches.count()) for each in rounds] == [(1, "closed", 2), (2, "closed", 1)]
    first = Match.objects.get(round=rounds[0], number=1)
    assert (first.state, first.outcome, first.decided_by, first.battle) == ("confirmed", "attacker", "import", None)
    assert (first.scenario_name, first.past) == ("Breach", {"attacker_kills": 3, "defender_kills": 1})
    assert timezone.localdate(first.decided_at) == date(2025, 3, 14)
    assert LedgerEntry.objects.count() == before
    assert campaign.diary.get().text == "3 results of before taken over, in 2 rounds"


def test_one_wrong_line_and_nothing_is_taken_over(campaign):
    with pytest.raises(RefusedError, match="Line 5: no company of the campaign is called 'Nobody'"):
        results_import(campaign=campaign, text=f"{GOOD}2025-04-02,2,Nobody,Die Würfel,draw,,,", by=organiser(campaign))
    assert not campaign.rounds.exists()


def test_the_same_table_twice_is_refused(campaign):
    results_import(campaign=campaign, text=GOOD, by=organiser(campaign))
    with pytest.raises(RefusedError, match="has a round 1 already"):
        results_import(campaign=campaign, text=GOOD, by=organiser(campaign))


@pytest.mark.parametrize("state", ["draft", "finished"])
def test_nothing_is_taken_over_into_a_campaign_that_has_not_begun_or_is_over(campaign, state):
    campaign.state = state
    campaign.save()
    with pytest.raises(RefusedError, match="musters or runs"):
        results_import(campaign=campaign, text=GOOD, by=organiser(campaign))


def test_companies_not_accepted_are_not_known(campaign):
    campaign.enrolments.filter(company__name="Iron Hounds").update(state="withdrawn")
    with pytest.raises(RefusedError, match="'Iron Hounds'"):
        results_import(campaign=campaign, text=GOOD, by=organiser(campaign))


# --- the page ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(client, campaign):
    client.force_login(organiser(campaign))
    return reverse("campaigns:past_results", args=[campaign.pk])


def test_a_file_is_looked_at_then_taken_over(client, campaign, page):
    file = SimpleUploadedFile("past.csv", GOOD.encode("cp1252"))
    looked = client.post(page, {"file": file, "do": "look"})
    assert looked.status_code == 200
    assert "Take over 3 results" in looked.content.decode()
    assert not campaign.rounds.exists()
    taken = client.post(page, {"text": looked.context["text"], "do": "import"}, follow=True)
    assert "3 results taken over, in 2 closed rounds." in taken.content.decode()
    match = Match.objects.first()
    assert client.get(reverse("campaigns:match", args=[match.key])).status_code == 200


def test_wrong_lines_are_shown_and_nothing_can_be_taken_over(client, campaign, page):
    a_round(campaign)
    future = (timezone.now() + timedelta(days=3)).date()
    answer = client.post(page, {"text": f"{GOOD}{future},3,Iron Hounds,Die Würfel,draw,,,", "do": "look"})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "the campaign has a round 1 already" in text
    assert "the date is still to come" in text
    assert 'value="import"' not in text
    assert client.post(page, {"text": GOOD, "do": "import"}).status_code == 422
    assert campaign.rounds.count() == 1
