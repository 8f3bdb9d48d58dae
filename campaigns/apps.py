from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles import hooks as battle_hooks
        from campaigns.api.scopes import DEMANDS
        from campaigns.clubs.portraits import barred_from_portraits
        from campaigns.corrections.check import match_differences
        from campaigns.corrections.plan import match_claim
        from campaigns.demo.club import demo_load
        from campaigns.gazette.services import gazette_files_named
        from campaigns.house_rules import company_house_rules
        from campaigns.live.selectors import match_ending
        from campaigns.matches.support import rolled_support
        from campaigns.middleware import why_not_without_factor
        from campaigns.models import (
            Campaign,
            Club,
            Delivery,
            FairDraw,
            GazettePrint,
            Handicap,
            Mail,
            RoundClose,
            Season,
            SeasonTeam,
        )
        from campaigns.occasions.services import clear_mails, clear_news
        from campaigns.policy import shares_company
        from campaigns.selectors.allowance import reserves_of
        from campaigns.services import aftermath_write
        from campaigns.services.books import books_kept
        from campaigns.services.friendlies import friendly_settle
        from campaigns.services.holds import holds_of
        from campaigns.services.leaving import PART
        from campaigns.services.proofs import proof_differences
        from campaigns.takeout import PARTS
        from campaigns.webhooks.services import clear_deliveries
        from rosters import hooks
        from rosters.models import Pilot

        battle_hooks.steps.connect(aftermath_write)
        battle_hooks.claims.connect(match_claim)
        battle_hooks.keepers.connect(books_kept)
        battle_hooks.finishes.connect(friendly_settle)
        battle_hooks.endings.connect(match_ending)
        hooks.holds.connect(holds_of)
        hooks.reserves.connect(reserves_of)
        hooks.barred_portraits.connect(barred_from_portraits)
        hooks.sharings.connect(shares_company)
        hooks.guards.connect(why_not_without_factor)
        hooks.demands.connect(DEMANDS)
        hooks.rolled_support.connect(rolled_support)
        hooks.house_rules.connect(company_house_rules)
        hooks.differences.connect(match_differences, proof_differences)
        hooks.demos.connect(demo_load)
        hooks.clearings.connect(
            ("old news", clear_news), ("old mails", clear_mails), ("old sendings", clear_deliveries)
        )
        hooks.files.connect(gazette_files_named)
        hooks.jobs.connect(
            (FairDraw, "campaigns.tasks.fair_draw"),
            (GazettePrint, "campaigns.tasks.print_gazette"),
            (Handicap, "campaigns.tasks.handicap_count"),
            (Mail, "campaigns.tasks.word_mail"),
            (Delivery, "campaigns.tasks.word_deliver"),
            (RoundClose, "campaigns.tasks.round_close_run"),
        )
        hooks.takeout_parts.connect(*PARTS)
        hooks.leaving_parts.connect(PART)
        hooks.names.connect((Club, "name"), (Campaign, "name"), (Season, "name"), (SeasonTeam, "name"), (Pilot, "name"))
