"""The history of clubs after a player has left: complete, but without their names."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.core.mail import send_mail
from django.core.management import call_command
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone

from battles.models import Battle, Record, SealedDice
from battles.services.dice import dice_proof
from campaigns.activity_log import log_activity
from campaigns.army_lists.services import list_submit
from campaigns.clubs.invitations import join_request_accept, join_request_create
from campaigns.models import ActivityLogEntry, Gazette, GazettePrint, Match, RoundClose, WebhookDelivery
from campaigns.notifications.event_types import WEBHOOK_EVENTS
from campaigns.rounds.closing import round_close, round_close_work
from campaigns.tasks import print_gazette
from campaigns.webhooks.services import webhook_create
from rosters.admin import PlayerAdmin
from rosters.models import Company, IdempotentResponse, LedgerEntry, Player, PrintJob
from rosters.services import player_change
from rosters.site import mails as outbox
from systems.simulation.records import verify
from tests.builders import a_company, a_player
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_mustered_company, a_round, an_enrolment
from tests.campaigns.gazettes import close_round, forfeit_match
from tests.leaving.builders import ADDRESS, DISPLAY_NAME, NAME, a_leaver, a_world_with, end_account, names_in
from tests.permissions.routes import address, ask, client_of, table
from tests.permissions.world import ROLES

pytestmark = pytest.mark.django_db

READERS = tuple(role for role in ROLES if role != "attacker")
CLUB_PAGES = re.compile("club|campaign|match|companies|gazette|friendl|dice|battles|clubs|join")


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def player():
    return a_leaver()


@pytest.fixture
def campaign():
    """Return a running campaign of a club with an organiser."""
    return a_campaign(a_club(a_player("ann")))


def keeps_address(route: str) -> bool:
    """Return whether the page's address stays; one with the account's name in it doesn't."""
    return route.startswith("campaigns:") and route != "campaigns:player_rating"


def play_forfeit(campaign: Any, player: Player, opponent: Player | None = None) -> Match:
    """Return a match that the player's company won by forfeit, in a closed round with its gazette."""
    other = an_enrolment(campaign, a_mustered_company(opponent) if opponent else None)
    own = an_enrolment(campaign, a_mustered_company(player, name="Axes"))
    match = forfeit_match(a_match(a_round(campaign), own, other))
    close_round(match.round)
    return match


def paths(world: Any) -> dict[str, str]:
    """Return the pages and API responses of clubs, campaigns and companies: route by path."""
    rows = [row for row in table() if "GET" in row.expected]
    found = {address(row.route, world.cases[row.case]): row.route for row in rows}
    return {path: route for path, route in found.items() if CLUB_PAGES.search(path)}


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize(
    ("role", "step"), [("organiser", 4), *(pytest.param(role, 1, marks=pytest.mark.proof) for role in READERS)]
)
def test_club_pages_stay_but_no_longer_name_the_player(player, role, step):
    """Every `step`-th page is read."""
    world = a_world_with(player)
    client, routes = client_of(world, role), dict(sorted(paths(world).items())[::step])
    before = {path: ask(client, "GET", path) for path, route in routes.items() if keeps_address(route)}
    named = [path for path, (_, body) in before.items() if names_in(body)]
    end_account(player)
    wrong = [] if named else ["no page named the player before"]
    for path, route in routes.items():
        answer, body = ask(client, "GET", path)
        old_status = before[path][0].status_code if path in before else 200
        if answer.status_code >= 500 or (path in before and old_status != answer.status_code):
            wrong.append(f"{route}, {path}: {old_status} before, {answer.status_code} now")
        if route != "campaigns:player_rating" and (
            found := names_in(body)
        ):  # a 404 page repeats the name in the address
            wrong.append(f"{route}, {path}, shows {found}")
    assert not wrong, "\n".join(wrong)


def test_no_row_names_the_player_and_ledgers_and_results_stay(player):
    a_world_with(player)
    kept = Company.objects.filter(enrolments__isnull=False)
    ledger = list(LedgerEntry.objects.filter(company__in=kept).order_by("pk").values())
    matches = list(Match.objects.order_by("pk").values("pk", "state", "outcome", "setup", "forces", "battle"))
    end_account(player)
    assert list(LedgerEntry.objects.filter(company__in=kept).order_by("pk").values()) == ledger
    assert list(Match.objects.order_by("pk").values("pk", "state", "outcome", "setup", "forces", "battle")) == matches
    call_command("reconcile")
    found = []
    for model in apps.get_models():
        for row in model._base_manager.all():
            for field in model._meta.concrete_fields:
                if words := names_in(str(getattr(row, field.attname))):
                    found.append(f"{model.__name__} {row.pk}, {field.name}: {words}")
    assert not found, "\n".join(found)


def test_records_stay_unchanged_and_dice_can_be_checked(player, campaign):
    campaign.absent_rule = "orders"
    campaign.save()
    own = an_enrolment(campaign, a_mustered_company(player, name="Axes"), orders={"doctrine": "cautious"})
    match = a_match(a_round(campaign), own, an_enrolment(campaign, orders={"doctrine": "cautious"}))
    units = list(own.company.units.values_list("pk", flat=True))
    list_submit(match=match, side=0, units=units, doctrine="cautious", by=player, words="owl")
    match.round.deadline = timezone.now()
    match.round.save()
    assert round_close_work(job=RoundClose.claim(round_close(round_=match.round, by=None).pk))
    record = Record.objects.get()
    before = (bytes(record.lines), record.digest)
    end_account(player)
    record.refresh_from_db()
    assert (bytes(record.lines), record.digest) == before
    assert verify(record.text) is None
    proof = dice_proof(Battle.objects.select_related("dice").get(record=record))
    assert (proof.words, proof.holds) == (("owl",), True)


def test_words_in_shared_dice_stay_under_the_new_name(player, campaign):
    """The seed depends on the words and their order, not on the players' names."""
    own = an_enrolment(campaign, a_mustered_company(player))
    match = a_match(a_round(campaign), own)
    SealedDice.objects.filter(pk=match.dice.pk).update(asked_by=player, words=[["Ann", "wren"], [DISPLAY_NAME, "owl"]])
    end_account(player)
    match.dice.refresh_from_db()
    assert match.dice.words == [["Ann", "wren"], ["Player who left", "owl"]]


# --- names in texts ---------------------------------------------------------------------------------------------------


def test_history_shows_the_chosen_name(player, campaign, client):
    match = play_forfeit(campaign, player)
    end_account(player, "The old fox")
    page = client.get(reverse("campaigns:match", args=[match.key])).content.decode()
    assert "The old fox" in page
    (gazette,) = Gazette.objects.all()
    assert gazette.content["results"][0]["attacker"]["player"] == "The old fox"
    assert {line["player"] for line in gazette.content["standings"] if line["name"] == "Axes"} == {"The old fox"}


def test_gazette_prints_are_drawn_again(player, campaign, files, django_capture_on_commit_callbacks):
    play_forfeit(campaign, player)
    job = GazettePrint.objects.get(paper="a4")
    print_gazette(job.pk)
    job.refresh_from_db()
    with django_capture_on_commit_callbacks(execute=True):
        end_account(player)
    assert not (files / job.file_name).exists()
    assert sorted(GazettePrint.objects.values_list("paper", "status")) == [("a4", "queued"), ("letter", "queued")]
    assert not GazettePrint.objects.filter(pk=job.pk).exists()


def test_former_display_names_are_replaced_too(player, campaign):
    player_change(player=player, name_shown="Wolff the Bold", time_zone="", paper="a4")
    player.refresh_from_db()
    play_forfeit(campaign, player)
    log_activity(club=campaign.club, text="Wolff the Bold joined as player", by=player)
    player_change(player=player, name_shown="Tom", time_zone="", paper="a4")
    player.refresh_from_db()
    end_account(player)
    assert "Player who left joined as player" in set(ActivityLogEntry.objects.values_list("text", flat=True))
    assert "Wolff the Bold" not in json.dumps(Gazette.objects.get().content)


def test_names_from_before_an_operators_change_are_replaced_too(player, campaign):
    entry = log_activity(club=campaign.club, text=f"{DISPLAY_NAME} ({NAME}) joined as player", by=player)
    player.username, player.name_shown = "tw", "T. W."
    PlayerAdmin(Player, admin.site).save_model(HttpRequest(), player, None, change=True)
    end_account(player)
    entry.refresh_from_db()
    assert entry.text == "Player who left (Player who left) joined as player"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ann removed Tom", "ann removed Player who left"),
        ("ann let Tom's company in", "ann let Player who left's company in"),
        ("Tom’s, Tom-Tom and (Tom)", "Player who left’s, Player who left-Player who left and (Player who left)"),
        ("Tommy joined, and Tom Major", "Tommy joined, and Tom Major"),
        ("Tom Tom Club was accepted", "Tom Tom Club was accepted"),
        (f"write to {ADDRESS.upper()}", "write to Player who left"),
        ("tom joined", "tom joined"),
    ],
)
def test_only_the_players_name_is_replaced_in_texts_of_others(campaign, text, expected):
    """It stays in longer words, and in names of other players and of companies."""
    player = a_leaver()
    player.name_shown = "Tom"
    player.save()
    other = a_member(campaign.club)
    other.name_shown = "Tom Major"
    other.save()
    an_enrolment(campaign, a_mustered_company(player))
    a_company(other, name="Tom Tom Club")
    entry = log_activity(club=campaign.club, text=text, by=other)
    end_account(player)
    entry.refresh_from_db()
    assert entry.text == expected


def test_match_no_longer_names_the_player_in_its_reasons(player, campaign):
    match = play_forfeit(campaign, player)
    Match.objects.filter(pk=match.pk).update(refusal=f"{NAME} is ill", flag=f"{NAME} can't field a list")
    end_account(player)
    match.refresh_from_db()
    assert (match.refusal, match.flag) == ("Player who left is ill", "Player who left can't field a list")


def test_acts_of_a_namesake_keep_their_name(player, campaign):
    namesake = a_member(campaign.club)
    Player.objects.filter(pk=namesake.pk).update(name_shown=DISPLAY_NAME)
    an_enrolment(campaign, a_mustered_company(player))
    own = log_activity(club=campaign.club, text=f"{DISPLAY_NAME} joined as player", by=player)
    others = log_activity(club=campaign.club, text=f"{DISPLAY_NAME} asked to join", by=namesake)
    end_account(player)
    own.refresh_from_db()
    others.refresh_from_db()
    assert (own.text, others.text) == ("Player who left joined as player", f"{DISPLAY_NAME} asked to join")


def test_display_name_can_be_kept_in_the_history(player, campaign):
    an_enrolment(campaign, a_mustered_company(player))
    entry = log_activity(club=campaign.club, text=f"{DISPLAY_NAME} ({NAME}) joined", by=player)
    left = end_account(player, DISPLAY_NAME)
    entry.refresh_from_db()
    assert (entry.text, str(left), left.username) == (
        f"{DISPLAY_NAME} ({DISPLAY_NAME}) joined",
        DISPLAY_NAME,
        f"left-{left.pk}",
    )


def test_prints_of_others_no_longer_name_the_player(player, campaign, files, django_capture_on_commit_callbacks):
    company = an_enrolment(campaign, a_mustered_company(player, name="Axes")).company
    item = {"what": "slip", "match": "x", "player": DISPLAY_NAME}
    job = PrintJob.objects.create(
        asked_by=a_player(), company=company, title="Slips", status="done", file="prints/x.pdf", previews=0,
        content={"muster": "print/1", "items": [item, {"text": DISPLAY_NAME, "player": "Ann"}]},
    )  # fmt: skip
    (files / "prints").mkdir()
    (files / "prints" / "x.pdf").write_bytes(b"%PDF")
    with django_capture_on_commit_callbacks(execute=True):
        end_account(player)
    job.refresh_from_db()
    assert job.content["items"] == [{**item, "player": "Player who left"}, {"text": DISPLAY_NAME, "player": "Ann"}]
    assert (job.file.name, list((files / "prints").glob("*.pdf"))) == ("", [])


@pytest.mark.parametrize("kind", ["json", "discord"])
def test_webhook_deliveries_no_longer_name_the_player(player, campaign, kind):
    Player.objects.filter(pk=player.pk).update(name_shown="Tomasz_W*lff")
    player.refresh_from_db()
    organiser = campaign.club.memberships.get(role="organiser").player
    webhook_create(club=campaign.club, by=organiser, kind=kind, url="https://hook.example/x", occasions=WEBHOOK_EVENTS)
    for member in (player, a_player("tom")):
        join_request_accept(request=join_request_create(club=campaign.club, by=member), by=organiser)
    WebhookDelivery.objects.update(answers=[{"at": "", "status": 500, "said": f"who is {player}?", "ms": 1}])
    others, own = WebhookDelivery.objects.order_by("-pk")
    assert "lff has joined" in own.body
    end_account(player, "A_nother")
    left = WebhookDelivery.objects.get(pk=own.pk)
    content = json.loads(left.body)
    assert "lff" not in left.body
    assert (content.get("text") or content["content"]).endswith(("A_nother has joined.", "A\\_nother has joined."))
    assert left.answers[0]["said"] == "who is A_nother?"
    assert WebhookDelivery.objects.get(pk=others.pk).body == others.body


def test_stored_responses_no_longer_name_the_player(player):
    text = json.dumps({"owner": DISPLAY_NAME, "who": "Zoë Żak", "mail": ADDRESS})
    row = IdempotentResponse.objects.create(digest="d" * 64, asked="", status=200, answer=text)
    end_account(player)
    row.refresh_from_db()
    assert json.loads(row.answer) == {"owner": "Player who left", "who": "Zoë Żak", "mail": "Player who left"}


def test_mails_in_the_local_outbox_are_deleted(player, settings, tmp_path, django_capture_on_commit_callbacks):
    settings.EMAIL_LOCAL_OUTBOX = True
    settings.EMAIL_FILE_PATH = tmp_path / "outbox"
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    send_mail("For the player", "x", None, [ADDRESS])
    send_mail("For Ann", "x", None, ["ann@example.com"])
    with django_capture_on_commit_callbacks(execute=True):
        end_account(player)
    assert [mail.subject for mail in outbox.read_outbox()] == ["For Ann"]


def test_other_mails_of_an_outbox_file_stay(settings, tmp_path):
    settings.EMAIL_LOCAL_OUTBOX, settings.EMAIL_FILE_PATH = True, tmp_path
    mails = (f"Subject: {at}\nTo: {to}\n\nx\n" for at, to in enumerate((ADDRESS, "ann@example.com", ADDRESS.upper())))
    (tmp_path / "a.log").write_bytes(b"".join(mail.encode() + outbox.SEPARATOR for mail in mails))
    outbox.delete_mails_to([ADDRESS])
    assert [mail.subject for mail in outbox.read_outbox()] == ["1"]
