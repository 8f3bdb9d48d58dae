"""Routes of the API of battles and odds."""

from django.urls import path

from battles.api import battles, best_answers, curves, odds, tables
from battles.builds import api as builds
from battles.forks import api as forks

urlpatterns = [
    path("battles/", battles.Battles.as_view(), name="api-battles"),
    path("battles/<uuid:key>/", battles.BattleByKey.as_view(), name="api-battle"),
    path("battles/<uuid:key>/record/", battles.BattleRecord.as_view(), name="api-battle-record"),
    path("battles/<uuid:key>/curve/", curves.BattleCurve.as_view(), name="api-battle-curve"),
    path("battles/<uuid:key>/forks/", forks.BattleForks.as_view(), name="api-battle-forks"),
    path("forks/<uuid:key>/", forks.ForkByKey.as_view(), name="api-fork"),
    path("forecasts/", odds.Forecasts.as_view(), name="api-forecasts"),
    path("forecasts/<uuid:key>/", odds.ForecastByKey.as_view(), name="api-forecast"),
    path("forecasts/<uuid:key>/what-if/", odds.WhatIfs.as_view(), name="api-what-ifs"),
    path("what-ifs/<uuid:key>/", odds.WhatIfByKey.as_view(), name="api-what-if"),
    path("forecasts/<uuid:key>/best-answers/", best_answers.BestAnswers.as_view(), name="api-best-answers"),
    path("best-answers/<uuid:key>/", best_answers.BestAnswerByKey.as_view(), name="api-best-answer"),
    path("forecasts/<uuid:key>/best-builds/", builds.UnitBestBuilds.as_view(), name="api-unit-best-builds"),
    path("best-builds/", builds.BestBuilds.as_view(), name="api-best-builds"),
    path("best-builds/<uuid:key>/", builds.BestBuildByKey.as_view(), name="api-best-build"),
    path("tables/<uuid:key>/", tables.TableByKey.as_view(), name="api-table"),
    path("matrices/", odds.Matrices.as_view(), name="api-matrices"),
    path("matrices/<uuid:key>/", odds.MatrixByKey.as_view(), name="api-matrix"),
]
