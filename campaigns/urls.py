"""Routes of the pages of clubs and campaigns, a list for each area.

Campaigns, mustering, autoplay orders.

URLs of clubs, members and invitations.

Provably fair dice.

The gazette, the feed and the calendar.

Matches and the lists for them.

Routes of the notifications and their settings.

Routes of reports, disputes, rulings and corrections.

Rounds, pairings, standings, map.

Routes of the offline pack.

Routes of the table of a match.

Routes of the odds of pairs.

Routes of the phases of a campaign.
"""

from django.urls import URLPattern, path

from campaigns import offline_pack
from campaigns.archive import urls as archive
from campaigns.availability import urls as dates
from campaigns.catalogue_upgrades import urls as releases
from campaigns.club_display import urls as wall
from campaigns.club_nights import views as evenings
from campaigns.clubs import views as clubs
from campaigns.corrections import urls as adjustments
from campaigns.corrections import views as past
from campaigns.cups import urls as cups
from campaigns.gazette import views as gazette_views
from campaigns.guests import urls as guests
from campaigns.hall_of_fame import urls as fame
from campaigns.matches import views as matches
from campaigns.notifications import views as notifications_views
from campaigns.results import entry_views as past_results
from campaigns.results import views as results
from campaigns.seasons import urls as seasons
from campaigns.starting import views as starting
from campaigns.statistics import urls as balance
from campaigns.storylines import urls as arcs
from campaigns.views import army_lists, friendlies, members, sharing
from campaigns.views import campaigns as views
from campaigns.views import rounds as views_rounds
from campaigns.watch_parties import views as premieres
from campaigns.webhooks import urls as webhooks

campaign_patterns: list[URLPattern] = [
    path("clubs/<slug:slug>/campaigns/new/", views.campaign_new, name="campaign_new"),
    path("campaigns/<int:pk>/", views.campaign, name="campaign"),
    path("campaigns/<int:pk>/settings/", views.campaign_settings, name="campaign_settings"),
    path("campaigns/<int:pk>/move/", views.campaign_move, name="campaign_move"),
    path("campaigns/<int:pk>/delete/", views.campaign_delete, name="campaign_delete"),
    path("campaigns/<int:pk>/companies/", views.campaign_companies, name="campaign_companies"),
    path("campaigns/<int:pk>/companies/decide/", starting.enrolments_decide, name="enrolments_decide"),
    path("campaigns/<int:pk>/companies/<int:enrolment_pk>/", views.enrolment, name="enrolment"),
    path("campaigns/<int:pk>/friendlies/", friendlies.friendlies, name="friendlies"),
    path("matches/<uuid:key>/forces/", army_lists.match_forces, name="match_forces"),
    path("matches/<uuid:key>/forces/withdraw/", army_lists.match_forces_withdraw, name="match_forces_withdraw"),
    path("matches/<uuid:key>/forces/orders/", army_lists.match_forces_orders, name="match_forces_orders"),
]


club_patterns: list[URLPattern] = [
    path("clubs/", clubs.clubs, name="clubs"),
    path("clubs/new/", clubs.club_new, name="club_new"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/settings/", clubs.club_settings, name="club_settings"),
    path("clubs/<slug:slug>/diary/", clubs.club_diary, name="club_diary"),
    path("clubs/<slug:slug>/evening/", evenings.evening, name="evening"),
    path("clubs/<slug:slug>/leave/", members.club_leave, name="club_leave"),
    path("clubs/<slug:slug>/ask/", members.club_ask, name="club_ask"),
    path("clubs/<slug:slug>/members/", members.club_members, name="club_members"),
    path("clubs/<slug:slug>/members/<int:member_pk>/role/", members.member_role, name="member_role"),
    path("clubs/<slug:slug>/members/<int:member_pk>/remove/", members.member_remove, name="member_remove"),
    path("clubs/<slug:slug>/members/<int:member_pk>/hand-over/", members.club_hand_over, name="club_hand_over"),
    path("clubs/<slug:slug>/requests/<int:request_pk>/", members.request_answer, name="request_answer"),
    path("clubs/<slug:slug>/invitations/", members.invitations, name="invitations"),
    path("clubs/<slug:slug>/invitations/<uuid:key>/", members.invitation_withdraw, name="invitation_withdraw"),
    path("join/<uuid:key>/", members.join, name="join"),
]


dice_patterns: list[URLPattern] = [
    path("dice/check/", matches.check_dice, name="dice_check"),
    path("dice/<uuid:key>/", matches.dice, name="dice"),
]


gazette_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/gazette/", gazette_views.gazettes, name="gazettes"),
    path("campaigns/<int:pk>/gazette/new-key/", gazette_views.feed_key_new, name="feed_key_new"),
    path("campaigns/<int:pk>/gazette/<int:number>/", gazette_views.gazette, name="gazette"),
    path("campaigns/<int:pk>/gazette/<int:number>/<slug:paper>.pdf", gazette_views.gazette_pdf, name="gazette_pdf"),
    path("campaigns/<int:pk>/feed.xml", sharing.feed, name="feed"),
    path("campaigns/<int:pk>/fixtures.ics", sharing.calendar, name="calendar"),
]


match_patterns: list[URLPattern] = [
    path("matches/<uuid:key>/", matches.match, name="match"),
    path("matches/<uuid:key>/print/", matches.packet, name="print_packet"),
    path("matches/<uuid:key>/dice/", matches.match_dice_replace_view, name="match_dice_anew"),
    path("matches/<uuid:key>/consent/", matches.consent, name="match_consent"),
    path("matches/<uuid:key>/handicap/", matches.handicap, name="match_handicap"),
    path("matches/<uuid:key>/premiere/", premieres.premiere, name="premiere"),
    path("matches/<uuid:key>/premiere/now/", premieres.premiere_now, name="premiere_now"),
    path("matches/<uuid:key>/refuse/", matches.refuse, name="match_refuse"),
]


notification_patterns: list[URLPattern] = [
    path("inbox/", notifications_views.inbox, name="inbox"),
    path("inbox/read/", notifications_views.inbox_read, name="inbox_read"),
    path("inbox/wishes/", notifications_views.wishes, name="wishes"),
    path("inbox/devices/", notifications_views.device_add, name="device_add"),
    path("inbox/devices/key/", notifications_views.device_key, name="device_key"),
    path("inbox/devices/<uuid:key>/drop/", notifications_views.device_drop, name="device_drop"),
    path("inbox/off/<uuid:key>/", notifications_views.mail_off, name="mail_off"),
    path("inbox/<int:pk>/", notifications_views.inbox_open, name="inbox_open"),
    path("inbox/<int:pk>/mark/", notifications_views.inbox_mark, name="inbox_mark"),
]


result_patterns: list[URLPattern] = [
    path("matches/<uuid:key>/report/", results.report, name="report"),
    path("matches/<uuid:key>/report/withdraw/", results.withdraw, name="report_withdraw"),
    path("matches/<uuid:key>/confirm/", results.confirm, name="confirm"),
    path("matches/<uuid:key>/compare/", results.compare, name="compare"),
    path("matches/<uuid:key>/rule/", results.rule, name="rule"),
    path("campaigns/<int:pk>/rulings/", results.rulings, name="rulings"),
    path("campaigns/<int:pk>/rulings/<int:ruling_pk>/", results.ruling, name="ruling"),
    path("campaigns/<int:pk>/rounds/<int:number>/night/", past_results.enter_results, name="night"),
    path("campaigns/<int:pk>/import/", past_results.past_results, name="past_results"),
    path("matches/<uuid:key>/correct/", past.correct, name="correct"),
]


round_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/", views_rounds.rounds, name="rounds"),
    path("campaigns/<int:pk>/rounds/<int:number>/", views_rounds.round_page, name="round"),
    path("campaigns/<int:pk>/rounds/<int:number>/act/", views_rounds.round_act, name="round_act"),
    path("campaigns/<int:pk>/standings/", views_rounds.standings, name="standings"),
    path("campaigns/<int:pk>/standings/picture.png", sharing.standings_picture, name="standings_picture"),
    path("campaigns/<int:pk>/standings/badge.svg", sharing.standings_badge, name="standings_badge"),
    path("campaigns/<int:pk>/standings/embed/", sharing.standings_embed, name="standings_embed"),
    path("campaigns/<int:pk>/gazette/<int:number>/picture.png", sharing.gazette_picture, name="gazette_picture"),
    path("campaigns/<int:pk>/map/", views_rounds.campaign_map, name="campaign_map"),
]


offline_pack_patterns: list[URLPattern] = [path("tonight/", offline_pack.offline_pack_page, name="tonight")]


live_table_patterns: list[URLPattern] = [path("matches/<uuid:key>/table/", matches.live_table, name="match_table")]


pairing_odds_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/rounds/<int:number>/odds/", views_rounds.pairing_odds, name="round_odds"),
]


phase_patterns: list[URLPattern] = [
    path("campaigns/<int:pk>/phases/", views_rounds.phases, name="phases"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/", views_rounds.phase, name="phase"),
    path("campaigns/<int:pk>/phases/<int:phase_pk>/remove/", views_rounds.phase_remove, name="phase_remove"),
]


app_name = "campaigns"

urlpatterns = [
    path("companies/<int:pk>/loan/", results.take_loan_view, name="loan"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/skill/", results.skill, name="skill"),
    *archive.urlpatterns,
    *club_patterns,
    *guests.urlpatterns,
    *fame.urlpatterns,
    *balance.rating_patterns,
    *balance.statistics_patterns,
    *balance.balance_patterns,
    *campaign_patterns,
    *round_patterns,
    *pairing_odds_patterns,
    *arcs.urlpatterns,
    *cups.urlpatterns,
    *seasons.urlpatterns,
    *match_patterns,
    *dates.urlpatterns,
    *live_table_patterns,
    *result_patterns,
    *dice_patterns,
    *gazette_patterns,
    *adjustments.urlpatterns,
    *notification_patterns,
    *webhooks.urlpatterns,
    *wall.urlpatterns,
    *phase_patterns,
    *releases.urlpatterns,
    *offline_pack_patterns,
]
