from django.apps import AppConfig


class CampaignsConfig(AppConfig):
    name = "campaigns"

    def ready(self) -> None:
        from battles import hooks as battle_hooks
        from campaigns import hooks as campaign_hooks
        from campaigns.account_deletion import PART
        from campaigns.archive.services import clear_archives, clear_restores, known_archive_files
        from campaigns.army_lists.holds import holds_of
        from campaigns.army_lists.legality import reserves_of
        from campaigns.catalogue_upgrades.selectors import release_lock_reason
        from campaigns.clubs.selectors import companies_without_pictures
        from campaigns.clubs.services import clubmates
        from campaigns.corrections.plan import undo_refusal
        from campaigns.data_export import PARTS
        from campaigns.demo import demo_load, demo_rows_to_delete
        from campaigns.enrolments.services import closed_ledger_reason
        from campaigns.gazette.services import gazette_files_among, late_results_add, new_fixtures_add, round_report
        from campaigns.guests.services import clear_guest_links, guest_merge_unique_rows, is_invited
        from campaigns.house_rules import company_house_rules
        from campaigns.live_tables import table_end
        from campaigns.matches.friendlies import friendly_settle
        from campaigns.middleware import second_factor_refusal
        from campaigns.models import (
            Campaign,
            Club,
            ClubArchive,
            ClubRestore,
            FairDraw,
            GazettePrint,
            Handicap,
            Mail,
            PairOdds,
            PushNotification,
            RoundClose,
            Season,
            SeasonTeam,
            WatchParty,
            WebhookDelivery,
        )
        from campaigns.notifications.services import clear_mails, clear_news
        from campaigns.notifications.web_push import clear_pushes
        from campaigns.policy import shares_company
        from campaigns.results.aftermath import aftermath_write
        from campaigns.results.decisions import income_differences, match_differences, proof_differences
        from campaigns.results.selectors import support_results_of
        from campaigns.scopes import REQUIRED_SCOPES
        from campaigns.webhooks.services import clear_deliveries
        from rosters import hooks
        from rosters.models import Pilot

        battle_hooks.aftermath_steps.connect(aftermath_write)
        battle_hooks.ledger_claims.connect(undo_refusal)
        battle_hooks.ledger_keepers.connect(closed_ledger_reason)
        battle_hooks.battle_finished.connect(friendly_settle)
        battle_hooks.table_endings.connect(table_end)
        hooks.holds.connect(holds_of)
        hooks.reserves.connect(reserves_of)
        hooks.release_keepers.connect(release_lock_reason)
        hooks.barred_portraits.connect(companies_without_pictures)
        hooks.clubmates.connect(clubmates)
        hooks.sign_up_links.connect(is_invited)
        hooks.sharings.connect(shares_company)
        hooks.guards.connect(second_factor_refusal)
        hooks.demands.connect(REQUIRED_SCOPES)
        hooks.rolled_support.connect(support_results_of)
        hooks.house_rules.connect(company_house_rules)
        hooks.differences.connect(match_differences, proof_differences, income_differences)
        hooks.demos.connect(demo_load)
        hooks.demo_remains.connect(demo_rows_to_delete)
        hooks.clearings.connect(
            ("old news", clear_news),
            ("old mails", clear_mails),
            ("old sendings", clear_deliveries),
            ("old guest links", clear_guest_links),
            ("old notices", clear_pushes),
            ("archives of clubs", clear_archives),
            ("archives that were brought", clear_restores),
        )
        hooks.files.connect(gazette_files_among, known_archive_files)
        hooks.jobs.connect(
            (ClubArchive, "campaigns.tasks.archive_pack"),
            (ClubRestore, "campaigns.tasks.archive_restore"),
            (FairDraw, "campaigns.tasks.fair_draw"),
            (GazettePrint, "campaigns.tasks.print_gazette"),
            (Handicap, "campaigns.tasks.handicap_count"),
            (Mail, "campaigns.tasks.word_mail"),
            (WebhookDelivery, "campaigns.tasks.word_deliver"),
            (PushNotification, "campaigns.tasks.word_push"),
            (RoundClose, "campaigns.tasks.round_close_run"),
            (PairOdds, "campaigns.tasks.pair_odds"),
            (WatchParty, "campaigns.tasks.premiere_run"),
        )
        campaign_hooks.new_fixtures.connect(new_fixtures_add)
        campaign_hooks.round_reports.connect(round_report)
        campaign_hooks.late_results.connect(late_results_add)
        hooks.takeout_parts.connect(*PARTS)
        hooks.leaving_parts.connect(PART)
        hooks.successions.connect(guest_merge_unique_rows)
        hooks.names.connect((Club, "name"), (Campaign, "name"), (Season, "name"), (SeasonTeam, "name"), (Pilot, "name"))
