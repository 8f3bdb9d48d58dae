"""Create players with tokens and companies for the load, and rounds with staggered deadlines. Runs on the site.

python -m tests.kills.world PLAYERS ROUNDS SECONDS   prints the players as JSON; a round is due every SECONDS
"""

from __future__ import annotations

import json
import os
import sys
from datetime import timedelta

import django

MATCHES = 3  # per round


def main(players: int, rounds: int, seconds: float) -> None:
    from django.utils import timezone

    from campaigns.army_lists.services import orders_publish
    from campaigns.models import AbsentRule
    from rosters.models import Player
    from rosters.services import company_create
    from tests.builders import SYSTEM, a_token
    from tests.campaigns.builders import a_campaign, a_club, a_match, a_mustered_company, a_round, an_enrolment

    result = []
    for number in range(players):
        player = Player.objects.create(username=f"load{number}")
        company = company_create(owner=player, system=SYSTEM, name=f"Load {number}", points=1_000)
        result.append({"token": a_token(player), "company": company.pk})
    club = a_club(Player.objects.create(username="organiser"))
    for number in range(rounds):
        campaign = a_campaign(club, name=f"War {number}", absent_rule=AbsentRule.ORDERS)
        row = a_round(campaign, deadline=timezone.now() + timedelta(seconds=30 + number * seconds))
        owners = [Player.objects.create(username=f"player{number}-{at}") for at in range(2 * MATCHES)]
        enrolled = [an_enrolment(campaign, a_mustered_company(owner, "viper", "wasp")) for owner in owners]
        for at in range(0, 2 * MATCHES, 2):
            orders_publish(a_match(row, enrolled[at], enrolled[at + 1]))
    print(json.dumps(result))


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))
