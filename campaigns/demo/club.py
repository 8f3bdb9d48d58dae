"""The demo club: the demo player organises it, three more play in it. `manage.py demo` loads it through the services.

Everything a first visitor sees of a club is made here. Loading it again changes nothing.
"""

from __future__ import annotations

from django.urls import reverse

from campaigns.clubs.services import club_found, member_add, member_set_role
from campaigns.demo.campaign import demo_campaign, load_demo_campaigns
from campaigns.models import Club, Membership, Role
from rosters.hooks import DemoPart
from rosters.models import Player

CLUB = "The Bone Table"
PLACE = "Back room of the Anvil, Thursdays from seven"
ABOUT = (
    "We play Meks & Mercs on a kitchen table with a very good lamp.\n\n"
    "New players are welcome: bring nothing, borrow three Meks, lose two of them and come back next week."
)
PLAYERS = (  # username, display name, role
    ("demo-orla", "Orla Quist", Role.ARBITER),
    ("demo-teodor", "Teodor Vance", Role.PLAYER),
    ("demo-mina", "Mina Aldous", Role.PLAYER),
)


def demo_load(organiser: Player) -> list[DemoPart]:
    """Create the demo club and what is in it; anything that exists already stays as it is."""
    runs = Membership.objects.filter(player=organiser, role=Role.ORGANISER)
    found = Club.objects.filter(name__startswith=CLUB, memberships__in=runs).first()
    club = found or demo_club(organiser)
    parts = [DemoPart(club.name, reverse("campaigns:club", args=[club.slug]), is_new=found is None)]
    for wanted in load_demo_campaigns():
        campaign, is_new = demo_campaign(club, organiser, demo_players(club), wanted)
        if campaign is not None:
            parts.append(DemoPart(campaign.name, reverse("campaigns:campaign", args=[campaign.pk]), is_new=is_new))
    return parts


def demo_club(organiser: Player) -> Club:
    """Found the club with its members."""
    club = club_found(by=organiser, name=_free_name(), place=PLACE, about=ABOUT)
    for username, name_shown, role in PLAYERS:
        player = demo_player(username, name_shown)
        if player:
            member_add(club=club, player=player, role=Role.PLAYER)
            if role != Role.PLAYER:
                member_set_role(club=club, by=organiser, player=player, role=role)
    return club


def demo_player(username: str, name_shown: str) -> Player | None:
    """Return a player nobody can sign in as; None if somebody else has that username."""
    found = Player.objects.filter(username=username).first()
    if found:
        return None if found.has_usable_password() else found
    return Player.objects.create_user(username=username, name_shown=name_shown)


def demo_players(club: Club) -> list[Player]:
    """Return the club's members that the demo made, oldest first."""
    names = [username for username, _, _ in PLAYERS]
    rows = Membership.objects.filter(club=club, player__username__in=names).select_related("player")
    return [row.player for row in rows if not row.player.has_usable_password()]


def _free_name() -> str:
    """Return the club's name, numbered if it is taken."""
    name, number = CLUB, 1
    while Club.objects.filter(name__iexact=name).exists():
        number += 1
        name = f"{CLUB} {number}"
    return name
