"""Routes of the pages of battles and odds."""

from django.urls import path

from battles.views import (
    battle,
    by_hand,
    check,
    curve,
    forecast,
    home,
    listing,
    matrix,
    plates,
    printing,
    quick,
    what_if,
)

app_name = "battles"

urlpatterns = [
    path("try/", home.try_battle, name="try"),
    path("battles/", listing.battles, name="battles"),
    path("battles/new/", quick.quick, name="quick"),
    path("battles/new/part/", quick.part, name="quick-part"),
    path("battles/new/ready/", quick.ready, name="ready"),
    path("battles/log/", by_hand.log, name="log"),
    path("battles/check/", check.ask, name="check"),
    path("battles/check/<uuid:key>/", check.answer, name="check-answer"),
    path("battles/check/<uuid:key>/progress/", check.progress, name="check-progress"),
    path("battles/<uuid:key>/check/", check.of_battle, name="check-battle"),
    path("battles/<uuid:key>/", battle.battle, name="battle"),
    path("battles/<uuid:key>/progress/", battle.progress, name="battle-progress"),
    path("battles/<uuid:key>/record.jsonl", battle.record, name="record"),
    path("battles/<uuid:key>/frames.json", battle.frames, name="frames"),
    path("battles/<uuid:key>/picture.png", plates.battle_picture, name="battle_picture"),
    path("battles/<uuid:key>/report.txt", battle.report, name="report"),
    path("battles/<uuid:key>/again/", battle.again, name="again"),
    path("battles/<uuid:key>/odds/", battle.odds, name="battle-odds"),
    path("battles/<uuid:key>/call-off/", battle.call_off, name="battle-call-off"),
    path("battles/<uuid:key>/curve/", curve.curve, name="curve"),
    path("battles/<uuid:key>/curve/progress/", curve.progress, name="curve-progress"),
    path("battles/<uuid:key>/print/", printing.packet, name="print-packet"),
    path("battles/<uuid:key>/effects/", battle.effects, name="effects"),
    path("odds/<uuid:key>/", forecast.forecast, name="forecast"),
    path("odds/<uuid:key>/progress/", forecast.progress, name="forecast-progress"),
    path("odds/<uuid:key>/fight/", forecast.fight, name="forecast-fight"),
    path("odds/<uuid:key>/again/", forecast.again, name="forecast-again"),
    path("odds/<uuid:key>/call-off/", forecast.call_off, name="forecast-call-off"),
    path("odds/<uuid:key>/what-if/", what_if.ask, name="what-if"),
    path("odds/what-if/<uuid:key>/", what_if.answer, name="what-if-answer"),
    path("odds/what-if/<uuid:key>/again/", what_if.again, name="what-if-again"),
    path("odds/what-if/<uuid:key>/progress/", what_if.progress, name="what-if-progress"),
    path("odds/matrix/", matrix.ask, name="matrices"),
    path("odds/matrix/<uuid:key>/", matrix.matrix, name="matrix"),
    path("odds/matrix/<uuid:key>/again/", matrix.again, name="matrix-again"),
    path("odds/matrix/<uuid:key>/progress/", matrix.progress, name="matrix-progress"),
]
