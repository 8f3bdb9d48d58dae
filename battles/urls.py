"""Routes of the pages of battles and odds."""

from django.urls import path

from battles.views import battle, by_hand, forecast, home, listing, quick

app_name = "battles"

urlpatterns = [
    path("try/", home.try_battle, name="try"),
    path("battles/", listing.battles, name="battles"),
    path("battles/new/", quick.quick, name="quick"),
    path("battles/log/", by_hand.log, name="log"),
    path("battles/<uuid:key>/", battle.battle, name="battle"),
    path("battles/<uuid:key>/progress/", battle.progress, name="battle-progress"),
    path("battles/<uuid:key>/record.jsonl", battle.record, name="record"),
    path("battles/<uuid:key>/report.txt", battle.report, name="report"),
    path("battles/<uuid:key>/again/", battle.again, name="again"),
    path("battles/<uuid:key>/odds/", battle.odds, name="battle-odds"),
    path("battles/<uuid:key>/call-off/", battle.call_off, name="battle-call-off"),
    path("battles/<uuid:key>/effects/", battle.effects, name="effects"),
    path("odds/<uuid:key>/", forecast.forecast, name="forecast"),
    path("odds/<uuid:key>/progress/", forecast.progress, name="forecast-progress"),
    path("odds/<uuid:key>/fight/", forecast.fight, name="forecast-fight"),
    path("odds/<uuid:key>/call-off/", forecast.call_off, name="forecast-call-off"),
]
