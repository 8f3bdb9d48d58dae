"""Routes of the API of battles and odds."""

from django.urls import path

from battles import api
from battles.odds import api as odds_api
from battles.searches import api as searches_api

urlpatterns = [
    path("battles/", api.Battles.as_view(), name="api-battles"),
    path("battles/<uuid:key>/", api.BattleByKey.as_view(), name="api-battle"),
    path("battles/<uuid:key>/record/", api.BattleRecord.as_view(), name="api-battle-record"),
    path("battles/<uuid:key>/curve/", odds_api.BattleCurve.as_view(), name="api-battle-curve"),
    path("battles/<uuid:key>/forks/", odds_api.BattleForks.as_view(), name="api-battle-forks"),
    path("forks/<uuid:key>/", odds_api.ForkByKey.as_view(), name="api-fork"),
    path("forecasts/", odds_api.Forecasts.as_view(), name="api-forecasts"),
    path("forecasts/<uuid:key>/", odds_api.ForecastByKey.as_view(), name="api-forecast"),
    path("forecasts/<uuid:key>/what-if/", odds_api.WhatIfs.as_view(), name="api-what-ifs"),
    path("what-ifs/<uuid:key>/", odds_api.WhatIfByKey.as_view(), name="api-what-if"),
    path("forecasts/<uuid:key>/best-answers/", searches_api.BestAnswers.as_view(), name="api-best-answers"),
    path("best-answers/<uuid:key>/", searches_api.BestAnswerByKey.as_view(), name="api-best-answer"),
    path("forecasts/<uuid:key>/best-builds/", searches_api.UnitBestBuilds.as_view(), name="api-unit-best-builds"),
    path("best-builds/", searches_api.BestBuilds.as_view(), name="api-best-builds"),
    path("best-builds/<uuid:key>/", searches_api.BestBuildByKey.as_view(), name="api-best-build"),
    path("tables/<uuid:key>/", api.TableByKey.as_view(), name="api-live-table"),
    path("matrices/", odds_api.Matrices.as_view(), name="api-matrices"),
    path("matrices/<uuid:key>/", odds_api.MatrixByKey.as_view(), name="api-matrix"),
]
