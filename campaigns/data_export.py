"""A player's clubs and campaigns, and what they wrote and decided there, for their personal export."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Q

from campaigns.availability.selectors import calendar_entries
from campaigns.models import (
    ActivityLogEntry,
    ArbiterConsent,
    Availability,
    Correction,
    Enrolment,
    Friendly,
    Guest,
    Invitation,
    Match,
    MatchPreparation,
    NotificationPreferences,
    Report,
    Ruling,
    SavedList,
    SubmittedList,
)
from campaigns.notifications.selectors import describe_notification, notifications_of
from rosters.models import Player
from rosters.site.player_data import ExportFile, ExportPart, file_path, isoformat, to_json_text
from systems.scenarios import SIDES


def _clubs(player: Player) -> Iterator[ExportFile]:
    memberships = player.memberships.select_related("club").order_by("joined_at", "pk")
    invited = Invitation.objects.filter(Q(player=player) | Q(created_by=player)).select_related("club").order_by("pk")
    yield (
        "clubs.json",
        to_json_text(
            {
                "memberships": [
                    {
                        "club": row.club.name,
                        "role": row.role,
                        "joined_at": isoformat(row.joined_at),
                        "calendar": "your feed and calendar of the club; their links are on its pages",
                    }
                    for row in memberships
                ],
                "asked_to_join": [
                    {"club": row.club.name, "message": row.message, "at": isoformat(row.asked_at), "state": row.state}
                    for row in player.join_requests.select_related("club").order_by("pk")
                ],
                "guests_you_added": [
                    {"club": row.club.name, "name": row.name, "at": isoformat(row.created_at)}
                    for row in Guest.objects.filter(created_by=player).select_related("club").order_by("pk")
                ],
                "invitations": [
                    {
                        "club": row.club.name,
                        "made_by_you": row.created_by_id == player.pk,
                        "role": row.role,
                        "at": isoformat(row.created_at),
                        "until": isoformat(row.expires_at),
                    }
                    for row in invited
                ],
            }
        ),
    )


def _campaigns(player: Player) -> Iterator[ExportFile]:
    enrolments = Enrolment.objects.filter(company__owner=player).select_related("campaign__club", "company")
    own = Q(attacker__company__owner=player) | Q(defender__company__owner=player)
    matches = Match.objects.filter(own).exclude(round__state="planned")
    matches = matches.select_related("round__campaign", "attacker__company__owner", "defender__company__owner")
    yield (
        "campaigns.json",
        to_json_text(
            {
                "enrolled": [
                    {
                        "campaign": row.campaign.name,
                        "club": row.campaign.club.name,
                        "company": row.company.name,
                        "state": row.state,
                        "standing_orders": row.orders,
                        "asked_at": isoformat(row.asked_at),
                        "decision": row.decision,
                    }
                    for row in enrolments.order_by("pk")
                ],
                "seasons": [
                    {
                        "season": row.season.name,
                        "club": row.season.club.name,
                        "team": row.team.name if row.team else None,
                        "takes_part": row.is_in,
                        "at": isoformat(row.joined_at),
                    }
                    for row in player.season_entries.select_related("season__club", "team").order_by("pk")
                ],
                "matches": [_match(row) for row in matches.order_by("pk")],
                "friendly_games": [
                    {"campaign": row.round.campaign.name, "opponent": row.opponent, "at": isoformat(row.created_at)}
                    for row in Friendly.objects.filter(enrolment__company__owner=player)
                    .select_related("round__campaign")
                    .order_by("pk")
                ],
            }
        ),
    )


def _match(row: Match) -> dict[str, object]:
    return {
        "campaign": row.round.campaign.name,
        "round": row.round.number,
        "table": row.number,
        "scenario": row.scenario_name,
        "attacker": row.attacker.company.name,
        "defender": row.defender.company.name if row.defender else None,
        "state": row.state,
        "outcome": row.outcome,
        "decided_at": isoformat(row.decided_at),
    }


def _reports(player: Player) -> Iterator[ExportFile]:
    for row in Report.objects.filter(submitted_by=player).select_related("match__round__campaign").order_by("pk"):
        name = f"{row.match.round.campaign.name} {row.match.round} {row.match.number}"
        yield file_path("reports", row.pk, name), to_json_text(row.content)


def _written(player: Player) -> Iterator[ExportFile]:
    matches = "match__round__campaign"
    refused = Match.objects.filter(
        Q(refusing_side=0, attacker__company__owner=player) | Q(refusing_side=1, defender__company__owner=player)
    )
    excused = Enrolment.objects.filter(exception_by=player).select_related("company", "campaign")
    yield (
        "written.json",
        to_json_text(
            {
                "diary": [
                    {"club": row.club.name, "text": row.text, "at": isoformat(row.created_at)}
                    for row in ActivityLogEntry.objects.filter(created_by=player).select_related("club").order_by("pk")
                ],
                "rulings": [
                    {
                        "campaign": row.campaign.name,
                        "title": row.title,
                        "reason": row.reason,
                        "at": isoformat(row.decided_at),
                    }
                    for row in Ruling.objects.filter(decided_by=player).select_related("campaign").order_by("pk")
                ],
                "corrections": [
                    {
                        "campaign": row.match.round.campaign.name,
                        "mode": row.mode,
                        "at": isoformat(row.ruling.decided_at),
                    }
                    for row in Correction.objects.filter(ruling__decided_by=player)
                    .select_related("ruling", matches)
                    .order_by("pk")
                ],
                **_submitted_lists(player),
                "saved_forces": [
                    {"system": row.system, "name": row.name, "designs": row.designs}
                    for row in SavedList.objects.filter(player=player).order_by("pk")
                ],
                "consents": [
                    {
                        "campaign": row.match.round.campaign.name,
                        "side": SIDES[row.side],
                        "at": isoformat(row.created_at),
                    }
                    for row in ArbiterConsent.objects.filter(created_by=player).select_related(matches).order_by("pk")
                ],
                "refusals_to_play": [{"match": str(row.key), "reason": row.refusal} for row in refused.order_by("pk")],
                "exceptions": [
                    {"company": row.company.name, "campaign": row.campaign.name, "reason": row.exception_reason}
                    for row in excused.order_by("pk")
                ],
            }
        ),
    )


def _submitted_lists(player: Player) -> dict[str, object]:
    """Return the lists that the player has submitted, and their preparations for matches."""
    matches = "match__round__campaign"
    return {
        "sealed_forces": [
            {
                "campaign": row.match.round.campaign.name,
                "round": row.match.round.number,
                "side": SIDES[row.side],
                "force": row.sealed_as or row.document,
                "salt": row.salt,
                "hash": row.hash,
                "words_for_the_dice": row.words,
                "at": isoformat(row.submitted_at),
            }
            for row in SubmittedList.objects.filter(submitted_by=player).select_related(matches).order_by("pk")
        ],
        "musters": [
            {
                "campaign": row.match.round.campaign.name,
                "round": row.match.round.number,
                "side": SIDES[row.side],
                "pilots": row.pilots,
                "rolls": row.rolls,
                "at": isoformat(row.rolled_at),
            }
            for row in MatchPreparation.objects.filter(rolled_by=player).select_related(matches).order_by("pk")
        ],
    }


def _inbox(player: Player) -> Iterator[ExportFile]:
    preferences = NotificationPreferences.objects.filter(player=player).first()
    described = [(describe_notification(row), row) for row in notifications_of(player).order_by("pk")]
    yield (
        "inbox.json",
        to_json_text(
            {
                "letters": [
                    {
                        "occasion": letter.occasion,
                        "title": letter.title,
                        "text": letter.text,
                        "where": letter.where,
                        "at": isoformat(letter.at),
                        "read_at": isoformat(row.read_at),
                    }
                    for letter, row in described
                ],
                "devices": [
                    {"name": row.name, "service": row.host, "since": isoformat(row.created_at)}
                    for row in player.push_devices.all()
                ],
                "wishes": preferences
                and {
                    "ways": preferences.channels,
                    "shown_on_devices": preferences.pushes,
                    "digest": preferences.digest_frequency,
                    "hour": preferences.hour,
                    "weekday": preferences.weekday,
                    "reminded_hours_before": preferences.remind_hours,
                },
            }
        ),
    )


def _calendar(player: Player) -> Iterator[ExportFile]:
    rows = Availability.objects.filter(player=player).select_related("club").order_by("pk")
    yield (
        "calendar.json",
        to_json_text(
            {
                "evenings": [
                    {"club": row.club and row.club.name, "weekdays": row.weekdays, "days": row.days, "away": row.away}
                    for row in rows
                ],
                "entries": [
                    {
                        "kind": each.kind,
                        "at": isoformat(each.at),
                        "until": isoformat(each.until),
                        "title": each.title,
                        "where": each.where,
                    }
                    for each in calendar_entries(player)
                ],
                "feed": "the secret address of your calendar; see the page My calendar",
            }
        ),
    )


PARTS = (
    ExportPart(
        path="clubs.json",
        about="Your clubs and roles, requests to join, invitations and guests.",
        files=_clubs,
    ),
    ExportPart(
        path="campaigns.json",
        about="Your companies in campaigns, seasons you take part in, your matches and friendly games.",
        files=_campaigns,
    ),
    ExportPart(path="inbox.json", about="Your notifications and notification settings.", files=_inbox),
    ExportPart(path="calendar.json", about="Your availability and calendar.", files=_calendar),
    ExportPart(path="reports/", about="Your reports on matches, as report/1.", files=_reports),
    ExportPart(
        path="written.json",
        about="What you wrote and decided: activity log, rulings, corrections, submitted lists with your dice contributions, sign-ups, saved lists, consents.",
        files=_written,
    ),
)
