"""Pages, paper, feed and calendar of the gazette: contents and access."""

import uuid
import xml.etree.ElementTree as ET
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pikepdf
import pytest
from django.core.files.storage import default_storage
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from campaigns.gazette.services import feed_key_renew, gazette_add_fixtures, gazette_new_edition
from campaigns.models import Gazette, GazettePrint, Membership
from campaigns.planning.services import round_set_deadline
from campaigns.tasks import print_gazette
from rosters.appearance.emblems import emblem_of, emblem_svg
from rosters.jobs import JobStatus
from rosters.models import Company
from rosters.printing import MissingPangoError
from tests.builders import a_player, a_token
from tests.campaigns.builders import a_campaign, a_club, a_match, a_member, a_round, an_enrolment
from tests.campaigns.gazettes import a_closed_round, close_round, confirm_result, enrol_companies
from tests.rosters.paper import pdf

pytestmark = pytest.mark.django_db
ROUTES = ("gazettes", "gazette", "gazette_pdf", "gazette_feed", "campaign_calendar")


def url(name, row):
    more = {"gazette": [row.number], "gazette_pdf": [row.number, "a4"]}.get(name, [])
    return reverse(f"campaigns:{name}", args=[row.campaign_id, *more])


def page(client, name, row, **query):
    return client.get(url(name, row), query).content.decode()


def draw_print(row, paper="a4"):
    job = GazettePrint.objects.filter(gazette__round=row, paper=paper).first()
    print_gazette(job.pk)
    job.refresh_from_db()
    return job


def prepare_page(name, row):
    """Draw the paper if needed, as nobody can see it before."""
    if name == "gazette_pdf":
        draw_print(row)


# --- access -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ROUTES)
def test_public_gazette_is_visible_to_everybody(client, name):
    row = a_closed_round()
    prepare_page(name, row)
    assert client.get(url(name, row)).status_code == 200


@pytest.mark.parametrize("hidden", ["campaign", "club"])
@pytest.mark.parametrize("name", ROUTES)
def test_private_gazette_is_visible_to_members_only(client, name, hidden):
    row = a_closed_round(**({"is_public": False} if hidden == "campaign" else {"club": a_club(is_public=False)}))
    prepare_page(name, row)
    assert client.get(url(name, row)).status_code == 404
    client.force_login(a_player())
    assert client.get(url(name, row)).status_code == 404
    client.force_login(a_member(row.campaign.club))
    assert client.get(url(name, row)).status_code == 200


@pytest.mark.parametrize("name", ["gazette_feed", "campaign_calendar"])
def test_feed_and_calendar_open_with_a_members_key(client, name):
    row = a_closed_round(is_public=False)
    member = a_member(row.campaign.club)
    membership = Membership.objects.get(player=member)

    def status(key):
        return client.get(url(name, row), {"key": str(key)}).status_code

    stranger = Membership.objects.create(club=a_club(name="Elsewhere"), player=member)
    assert [status(key) for key in (membership.feed_key, uuid.uuid4(), stranger.feed_key, "nonsense")] == [
        200, 404, 404, 404,
    ]  # fmt: skip
    old = membership.feed_key
    renewed = feed_key_renew(membership=membership)
    assert [status(old), status(renewed.feed_key)] == [404, 200]
    membership.delete()
    assert status(renewed.feed_key) == 404, "the key ends with the membership"


def test_feed_key_opens_no_page_and_no_draft(client):
    row = a_closed_round(is_public=False)
    membership = Membership.objects.get(player=a_member(row.campaign.club))
    key = {"key": str(membership.feed_key)}
    assert client.get(url("gazette", row), key).status_code == 404
    draft = a_campaign(row.campaign.club, state="draft", name="Plans")
    assert client.get(reverse("campaigns:campaign_calendar", args=[draft.pk]), key).status_code == 404


def test_member_finds_and_renews_the_feed_key(client):
    row = a_closed_round(is_public=False)
    member = a_member(row.campaign.club)
    client.force_login(member)
    before = str(Membership.objects.get(player=member).feed_key)
    assert page(client, "gazettes", row).count(before) >= 2
    assert client.post(reverse("campaigns:feed_key_new", args=[row.campaign_id])).status_code == 302
    assert before not in page(client, "gazettes", row)


def test_public_campaign_links_have_no_key(client):
    row = a_closed_round()
    client.force_login(a_member(row.campaign.club))
    assert "key=" not in page(client, "gazettes", row)
    client.logout()
    assert client.post(reverse("campaigns:feed_key_new", args=[row.campaign_id])).status_code == 302
    client.force_login(a_player())
    assert client.post(reverse("campaigns:feed_key_new", args=[row.campaign_id])).status_code == 403


# --- pages ------------------------------------------------------------------------------------------------------------


def test_front_page_shows_the_round(client):
    row = a_closed_round()
    text = page(client, "gazette", row)
    for words in ("Axes leads after round 1", "1 match decided", "Axes won", "Both reports agree."):
        assert words in text
    match = row.matches.get()
    assert reverse("campaigns:match", args=[match.key]) in text
    assert reverse("battles:battle", args=[match.battle.key]) in text
    assert "Results have changed" not in text


@pytest.mark.parametrize("number", [2, 7])
def test_open_or_missing_round_has_no_gazette(client, number):
    row = a_closed_round()
    a_round(row.campaign)
    at = reverse("campaigns:gazette", args=[row.campaign_id, number])
    assert client.get(at).status_code == 404


def correct_first_match(row):
    match = row.matches.get()
    match.outcome, match.decided_at = "defender", datetime.now(UTC)
    match.save()


def test_organiser_writes_a_new_edition_after_a_correction(client):
    organiser = a_player()
    row = a_closed_round(club=a_club(organiser))
    correct_first_match(row)
    text = page(client, "gazette", row)
    assert "Results have changed" in text
    assert "New edition" not in text
    client.force_login(organiser)
    assert "New edition" in page(client, "gazette", row)
    html = client.post(url("gazette", row), follow=True).content.decode()
    assert "Edition 2 is ready." in html
    assert "Bears won" in html
    assert "Results have changed" not in html
    assert "Axes won" in page(client, "gazette", row, edition="1")
    assert client.get(url("gazette", row), {"edition": "3"}).status_code == 404
    again = client.post(url("gazette", row), follow=True).content.decode()
    assert "Nothing has changed since edition 2." in again
    assert Gazette.objects.count() == 2


@pytest.mark.parametrize(("role", "status"), [("player", 403), ("arbiter", 403), (None, 302)])
def test_only_organisers_write_editions(client, role, status):
    row = a_closed_round()
    correct_first_match(row)
    if role:
        client.force_login(a_member(row.campaign.club, role))
    assert client.post(url("gazette", row)).status_code == status
    assert Gazette.objects.count() == 1


def test_names_are_escaped(client):
    row = a_closed_round()
    Company.objects.update(name="<b>&Co")
    row.campaign.name = "<i>War"
    row.campaign.save()
    gazette_new_edition(round_=row, by=a_player())
    for name in ("gazette", "gazettes"):
        text = page(client, name, row)
        assert "<b>&Co" not in text
        assert "<i>War" not in text


def test_list_shows_the_leaders_emblem_for_each_round(client):
    row = a_closed_round()
    first = Gazette.objects.get().content["standings"][0]
    text = page(client, "gazettes", row)
    assert text.count("issue__leader") == 1
    assert "Leader: Axes." in text
    assert str(emblem_svg(emblem_of(first["emblem"], "Axes"), "card")) in text


def test_list_shows_no_leader_without_standings(client):
    row = close_round(a_round(a_campaign()))
    gazette = Gazette.objects.get()
    for content in ({**gazette.content, "standings": []}, {}):
        Gazette.objects.update(content=content)
        assert "issue__leader" not in page(client, "gazettes", row)


@pytest.mark.slow
def test_queries_do_not_grow_with_matches(client, django_assert_max_num_queries):
    row = a_round(a_campaign())
    for _ in range(10):
        confirm_result(a_match(row), "attacker")
    close_round(row)
    following = a_round(row.campaign)
    for _ in range(10):
        a_match(following)
    gazette_add_fixtures(campaign=row.campaign)
    for name in ("gazettes", "gazette", "gazette_feed", "campaign_calendar"):
        with django_assert_max_num_queries(8):
            assert client.get(url(name, row)).status_code == 200


# --- paper ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "size"), [("a4", (210.0, 297.0)), ("letter", (215.9, 279.4))])
def test_paper_has_the_contents_of_the_page(paper, size):
    job = draw_print(a_closed_round(), paper)
    assert (job.status, job.failure, job.warning) == (JobStatus.DONE, "", "")
    path = Path(default_storage.path(job.file.name))
    assert set(pdf.page_sizes(path)) == {size}
    text = pdf.text(path)
    for words in (
        "Axes leads after round 1",
        "Axes won",
        "Both reports agree.",
        "Spring War, round 1"[:10],
        "1st edition",
    ):
        assert words.casefold() in text.casefold()
    assert all(embedded for _, embedded in pdf.fonts(path))


def test_paper_is_tagged_for_screen_readers():
    path = Path(default_storage.path(draw_print(a_closed_round()).file.name))
    with pikepdf.open(path) as opened:
        assert opened.Root.MarkInfo.Marked
        assert str(opened.Root.Lang) == "en"
        assert "/StructTreeRoot" in opened.Root
        assert opened.open_metadata()["pdfuaid:part"] == "1"


def test_pdf_link_shows_progress_then_the_file(client):
    row = a_closed_round()
    waiting = client.get(url("gazette_pdf", row))
    assert waiting.status_code == 202
    assert "Waiting to start" in waiting.content.decode()
    draw_print(row)
    done = client.get(url("gazette_pdf", row))
    assert done["Content-Type"] == "application/pdf"
    assert b"".join(done.streaming_content).startswith(b"%PDF")
    part = client.get(url("gazette_pdf", row), headers={"HX-Request": "true", "HX-Target": "job"})
    assert "Open the PDF, 1 page" in part.content.decode()
    assert client.get(reverse("campaigns:gazette_pdf", args=[row.campaign_id, 1, "a3"])).status_code == 404


def test_failed_print_shows_the_reason_and_can_be_repeated(client, monkeypatch):
    def missing(*args):
        raise MissingPangoError

    row = a_closed_round()
    monkeypatch.setattr("campaigns.gazette.services.gazette_pdf", missing)
    failed = draw_print(row)
    assert failed.status == JobStatus.FAILED
    answer = client.get(url("gazette_pdf", row))
    assert answer.status_code == 202
    assert "libpango-1.0-0" in answer.content.decode()
    assert "/login/" in client.post(url("gazette_pdf", row))["Location"], "printing again needs an account"
    client.force_login(a_player())
    for _ in range(2):
        assert client.post(url("gazette_pdf", row)).status_code == 302
    assert GazettePrint.objects.filter(paper="a4").count() == 2
    monkeypatch.undo()
    assert draw_print(row).status == JobStatus.DONE


def test_repeated_print_job_changes_nothing():
    job = draw_print(a_closed_round())
    before = GazettePrint.objects.values().get(pk=job.pk)
    print_gazette(job.pk)
    print_gazette(987654)
    assert GazettePrint.objects.values().get(pk=job.pk) == before


# --- feed and calendar ------------------------------------------------------------------------------------------------


def test_feed_is_rss_with_an_item_per_round(client):
    campaign = a_campaign(name="War & <Peace>")
    sides = enrol_companies(campaign, "Axes & Sons", "Bears")
    for _ in range(2):
        row = a_round(campaign)
        confirm_result(a_match(row, *sides), "attacker")
        close_round(row)
    answer = client.get(url("gazette_feed", row))
    assert answer["Content-Type"].startswith("application/rss+xml")
    root = ET.fromstring(answer.content)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    channel = root.find("channel")
    assert channel.findtext("title") == "Gazette of War & <Peace>"
    assert all(channel.findtext(tag) for tag in ("link", "description", "language"))
    items = channel.findall("item")
    assert [item.findtext("title").split(":")[0] for item in items] == ["Round 2", "Round 1"]
    assert "Axes & Sons" in items[0].findtext("title")
    guids = {item.findtext("guid") for item in items}
    assert len(guids) == 2
    for item in items:
        assert item.findtext("link").startswith("http://testserver/campaigns/")
        assert item.findtext("pubDate")
        assert item.find("guid").get("isPermaLink") == "false"


def test_new_edition_is_a_new_feed_item(client):
    row = a_closed_round()
    before = ET.fromstring(client.get(url("gazette_feed", row)).content).findtext(".//item/guid")
    correct_first_match(row)
    gazette_new_edition(round_=row, by=a_player())
    root = ET.fromstring(client.get(url("gazette_feed", row)).content)
    assert [item.findtext("guid") != before for item in root.iter("item")] == [True]
    assert "edition 2" in root.findtext(".//item/title")


def events(client, row, **query):
    answer = client.get(url("campaign_calendar", row), query)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return answer.content, list(Calendar.from_ical(answer.content).walk("VEVENT"))


def test_calendar_has_an_event_per_open_match(client):
    campaign = a_campaign(name="War; of, the \\ Roses")
    sides = enrol_companies(campaign, "Axes, Sons; & Co", "Bears\\Bulls")
    past = a_round(campaign)
    confirm_result(a_match(past, *sides), "attacker")
    close_round(past)
    row = a_round(campaign, deadline=datetime(2031, 3, 30, 17, 30, tzinfo=UTC))
    match = a_match(row, *sides)
    a_match(a_round(campaign, state="planned"), *sides)
    bye = a_match(row)
    type(bye).objects.filter(pk=bye.pk).update(defender=None, state="bye", outcome="attacker")
    raw, (event,) = events(client, row)
    assert str(event["summary"]) == "Axes, Sons; & Co against Bears\\Bulls: deadline of round 2"
    assert str(event["uid"]) == f"match-{match.key}@muster"
    assert event.decoded("dtstart") == datetime(2031, 3, 30, 17, 30, tzinfo=UTC)
    assert b"DTSTART:20310330T173000Z" in raw
    assert str(event["url"]) == f"http://testserver/matches/{match.key}/"
    assert "Zone battle, plain" in str(event["description"])
    assert str(Calendar.from_ical(raw)["x-wr-calname"]) == "War; of, the \\ Roses, Iron Table"
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    assert b"\n" not in raw.replace(b"\r\n", b"")
    row.deadline = datetime(2031, 4, 2, 8, tzinfo=UTC)
    row.save()
    _, (moved,) = events(client, row)
    assert (moved["uid"], moved.decoded("dtstart")) == (event["uid"], row.deadline)


def test_moved_deadline_updates_subscribed_calendars(client):
    opened = timezone.now() - timedelta(hours=1)
    row = a_round(a_campaign(), deadline=datetime(2031, 3, 30, 17, 30, tzinfo=UTC), opens_at=opened)
    a_match(row)
    _, (before,) = events(client, row)
    assert client.get(url("campaign_calendar", row)).content == client.get(url("campaign_calendar", row)).content
    olga = row.campaign.club.memberships.get(role="organiser").player
    round_set_deadline(round_=row, deadline=datetime(2031, 4, 2, 8, tzinfo=UTC), by=olga)
    _, (moved,) = events(client, row)
    assert moved["sequence"] > before["sequence"]
    assert moved.decoded("last-modified") > before.decoded("last-modified")
    assert moved.decoded("dtstamp") == moved.decoded("last-modified")
    round_set_deadline(round_=row, deadline=datetime(2031, 3, 1, 8, tzinfo=UTC), by=olga)
    _, (again,) = events(client, row)
    assert again["sequence"] >= moved["sequence"]


def test_unchanged_calendar_is_not_sent_again(client):
    row = a_round(a_campaign(), deadline=datetime(2031, 3, 30, 17, 30, tzinfo=UTC))
    a_match(row)
    tag = client.get(url("campaign_calendar", row))["ETag"]
    same = client.get(url("campaign_calendar", row), headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    row.deadline = datetime(2031, 4, 2, 8, tzinfo=UTC)
    row.save()
    assert client.get(url("campaign_calendar", row), headers={"If-None-Match": tag}).status_code == 200


def test_calendar_can_be_limited_to_a_company(client):
    row = a_round(a_campaign())
    own, _ = a_match(row), a_match(row)
    company = own.defender.company_id
    assert len(events(client, row)[1]) == 2
    (event,) = events(client, row, company=company)[1]
    assert str(event["uid"]) == f"match-{own.key}@muster"
    for other in (an_enrolment(a_campaign(a_club(name="Else"))).company_id, "x", "9" * 30):
        assert client.get(url("campaign_calendar", row), {"company": other}).status_code == 404


def test_campaign_without_fixtures_has_an_empty_calendar(client):
    assert events(client, a_closed_round())[1] == []


# --- the API ----------------------------------------------------------------------------------------------------------


def test_api_agrees_with_the_pages(client):
    row = a_closed_round()
    (line,) = client.get(reverse("api-gazettes", args=[row.campaign_id])).json()["results"]
    assert (line["round"], line["edition"], line["headline"]) == (1, 1, "Axes leads after round 1")
    body = client.get(reverse("api-gazette", args=[row.campaign_id, 1])).json()
    assert body["content"]["muster"] == "gazette/1"
    assert [side["has_won"] for side in (body["content"]["results"][0][key] for key in ("attacker", "defender"))] == [
        True, False,
    ]  # fmt: skip
    assert body["corrected_since"] == []
    assert client.get(body["pdf"]["letter"]).status_code == 202
    assert client.get(reverse("api-gazette", args=[row.campaign_id, 1]), {"edition": "2"}).status_code == 404


def test_private_gazette_api_is_for_members_only(client):
    row = a_closed_round(is_public=False)
    paths = [reverse("api-gazettes", args=[row.campaign_id]), reverse("api-gazette", args=[row.campaign_id, 1])]
    assert [client.get(path).status_code for path in paths] == [404, 404]
    client.force_login(a_member(row.campaign.club))
    assert [client.get(path).status_code for path in paths] == [200, 200]


def test_api_accepts_a_members_token(client):
    row = a_closed_round(is_public=False)
    token = a_token(a_member(row.campaign.club))
    answer = client.get(reverse("api-gazette", args=[row.campaign_id, 1]), headers={"Authorization": f"Token {token}"})
    assert answer.status_code == 200
