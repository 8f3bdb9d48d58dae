"""Routes of the pages of clubs and campaigns."""

from django.urls import include, path

from campaigns.army_lists import views as army_lists
from campaigns.campaign import standings_views as standings
from campaigns.campaign import views as campaigns
from campaigns.clubs import views as clubs
from campaigns.corrections import views as corrections
from campaigns.gazette import views as gazette
from campaigns.guests import member_views as members
from campaigns.matches import friendly_views as friendlies
from campaigns.matches import views as matches
from campaigns.notifications import views as notifications
from campaigns.results import entry_views as entry
from campaigns.results import views as results
from campaigns.rounds import views as rounds
from campaigns.standings import views as pictures
from campaigns.starting import views as starting
from campaigns.watch_parties import views as watch_parties

app_name = "campaigns"

urlpatterns = [
    # packages: first, as clubs/restore/ would be a club
    path("", include("campaigns.archive.urls")),
    path("", include("campaigns.guests.urls")),
    path("", include("campaigns.hall_of_fame.urls")),
    path("", include("campaigns.statistics.urls")),
    path("", include("campaigns.seasons.urls")),
    path("", include("campaigns.availability.urls")),
    path("", include("campaigns.corrections.urls")),
    path("", include("campaigns.webhooks.urls")),
    path("", include("campaigns.club_display.urls")),
    path("", include("campaigns.club_nights.urls")),
    path("", include("campaigns.catalogue_upgrades.urls")),
    path("", include("campaigns.offline_pack.urls")),
    # the rest
    path("companies/<int:pk>/loan/", results.take_loan_view, name="company_loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", results.skill, name="pilot_skill"),
    # clubs and their members
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.club_new, name="club_new"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/diary/", clubs.club_activity_log, name="club_activity_log"),
    path("clubs/<slug:slug>/leave/", members.club_leave, name="club_leave"),
    path("clubs/<slug:slug>/ask/", members.club_join_request, name="club_join_request"),
    path("clubs/<slug:slug>/members/", members.club_members, name="club_members"),
    path("clubs/<slug:slug>/members/<int:member_pk>/role/", members.member_role, name="member_role"),
    path("clubs/<slug:slug>/members/<int:member_pk>/remove/", members.member_remove, name="member_remove"),
    path("clubs/<slug:slug>/members/<int:member_pk>/hand-over/", members.club_hand_over, name="club_hand_over"),
    path("clubs/<slug:slug>/requests/<int:request_pk>/", members.join_request_answer, name="join_request_answer"),
    path("clubs/<slug:slug>/invitations/", members.invitations, name="invitations"),
    path("clubs/<slug:slug>/invitations/<uuid:key>/", members.invitation_withdraw, name="invitation_withdraw"),
    path("join/<uuid:key>/", members.join, name="join"),
    # campaigns and army lists
    path("clubs/<slug:slug>/campaigns/new/", starting.campaign_new, name="campaign_new"),
    path("clubs/<slug:slug>/seasons/new/", starting.season_new, name="season_new"),
    path("campaigns/<int:pk>/", campaigns.campaign, name="campaign"),
    path("campaigns/<int:pk>/settings/", campaigns.campaign_settings, name="campaign_settings"),
    path("campaigns/<int:pk>/move/", starting.campaign_move, name="campaign_move"),
    path("campaigns/<int:pk>/delete/", campaigns.campaign_delete, name="campaign_delete"),
    path("campaigns/<int:pk>/companies/", campaigns.campaign_companies, name="campaign_companies"),
    path("campaigns/<int:pk>/companies/decide/", starting.enrolments_decide, name="enrolments_decide"),
    path("campaigns/<int:pk>/companies/<int:enrolment_pk>/", campaigns.enrolment, name="enrolment"),
    path("campaigns/<int:pk>/friendlies/", friendlies.friendlies, name="friendlies"),
    path("matches/<uuid:key>/forces/", army_lists.match_forces, name="match_forces"),
    path("matches/<uuid:key>/forces/withdraw/", army_lists.match_forces_withdraw, name="match_forces_withdraw"),
    path("matches/<uuid:key>/forces/orders/", army_lists.match_forces_orders, name="match_forces_orders"),
    # rounds, standings with map, cup and story
    path("campaigns/<int:pk>/rounds/", campaigns.rounds, name="rounds"),
    path("campaigns/<int:pk>/rounds/<int:number>/", rounds.round_page, name="round"),
    path("campaigns/<int:pk>/rounds/<int:number>/act/", rounds.round_act, name="round_act"),
    path("campaigns/<int:pk>/standings/", standings.standings, name="standings"),
    path("campaigns/<int:pk>/standings/picture.png", pictures.standings_picture, name="standings_picture"),
    path("campaigns/<int:pk>/standings/badge.svg", pictures.standings_badge, name="standings_badge"),
    path("campaigns/<int:pk>/standings/embed/", pictures.standings_embed, name="standings_embed"),
    path("campaigns/<int:pk>/gazette/<int:number>/picture.png", gazette.gazette_picture, name="gazette_picture"),
    path("campaigns/<int:pk>/map/", standings.campaign_map, name="campaign_map"),
    path("campaigns/<int:pk>/cup/", standings.cup, name="cup"),
    path("campaigns/<int:pk>/war/", standings.storyline, name="storyline"),
    # odds of pairings
    path("campaigns/<int:pk>/rounds/<int:number>/odds/", rounds.pairing_odds, name="round_odds"),
    # matches
    path("matches/<uuid:key>/", matches.match, name="match"),
    path("matches/<uuid:key>/print/", matches.packet, name="print_packet"),
    path("matches/<uuid:key>/dice/", matches.match_dice_replace_view, name="match_dice_replace"),
    path("matches/<uuid:key>/consent/", matches.consent, name="match_consent"),
    path("matches/<uuid:key>/handicap/", matches.handicap, name="match_handicap"),
    path("matches/<uuid:key>/premiere/", watch_parties.watch_party, name="watch_party"),
    path("matches/<uuid:key>/premiere/now/", watch_parties.watch_party_part, name="watch_party_part"),
    path("matches/<uuid:key>/refuse/", matches.refuse, name="match_refuse"),
    # live tables
    path("matches/<uuid:key>/table/", matches.live_table, name="match_table"),
    # reports and rulings
    path("matches/<uuid:key>/report/", results.report, name="match_report"),
    path("matches/<uuid:key>/report/withdraw/", results.withdraw, name="report_withdraw"),
    path("matches/<uuid:key>/confirm/", results.confirm, name="report_confirm"),
    path("matches/<uuid:key>/compare/", results.compare, name="report_compare"),
    path("matches/<uuid:key>/rule/", results.rule, name="match_ruling"),
    path("campaigns/<int:pk>/rulings/", results.rulings, name="rulings"),
    path("campaigns/<int:pk>/rounds/<int:number>/night/", entry.enter_results, name="results_entry"),
    path("campaigns/<int:pk>/import/", entry.past_results, name="past_results"),
    path("matches/<uuid:key>/correct/", corrections.correct, name="match_correct"),
    # provably fair dice
    path("dice/check/", matches.check_dice, name="dice_check"),
    path("dice/<uuid:key>/", matches.dice, name="dice"),
    # gazette, feed, calendar
    path("campaigns/<int:pk>/gazette/", gazette.gazettes, name="gazettes"),
    path("campaigns/<int:pk>/gazette/new-key/", gazette.feed_key_new, name="feed_key_new"),
    path("campaigns/<int:pk>/gazette/<int:number>/", gazette.gazette, name="gazette"),
    path("campaigns/<int:pk>/gazette/<int:number>/<slug:paper>.pdf", gazette.gazette_pdf, name="gazette_pdf"),
    path("campaigns/<int:pk>/feed.xml", gazette.feed, name="gazette_feed"),
    path("campaigns/<int:pk>/fixtures.ics", gazette.calendar, name="campaign_calendar"),
    # notifications
    path("inbox/", notifications.inbox, name="inbox"),
    path("inbox/read/", notifications.inbox_read, name="inbox_read"),
    path("inbox/wishes/", notifications.notification_settings, name="notification_settings"),
    path("inbox/devices/", notifications.device_add, name="device_add"),
    path("inbox/devices/key/", notifications.device_key, name="device_key"),
    path("inbox/devices/<uuid:key>/drop/", notifications.device_remove, name="device_remove"),
    path("inbox/off/<uuid:key>/", notifications.mail_unsubscribe, name="mail_unsubscribe"),
    path("inbox/<int:pk>/", notifications.inbox_open, name="inbox_open"),
    path("inbox/<int:pk>/mark/", notifications.inbox_mark, name="inbox_mark"),
    # phases of a campaign
    path("campaigns/<int:pk>/phases/", campaigns.phases, name="phases"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/", campaigns.phase, name="phase"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/remove/", campaigns.phase_remove, name="phase_remove"),
]
