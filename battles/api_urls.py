"""Routes of the API of battles and odds."""

from django.urls import path

from battles import api
from battles.odds import api as curves
from battles.searches import api as best_answers

urlpatterns = [
    path("battles/", api.Battles.as_view(), name="api-battles"),
    path("battles/<uuid:key>/", api.BattleByKey.as_view(), name="api-battle"),
    path("battles/<uuid:key>/record/", api.BattleRecord.as_view(), name="api-battle-record"),
    path("battles/<uuid:key>/curve/", curves.BattleCurve.as_view(), name="api-battle-curve"),
    path("battles/<uuid:key>/forks/", curves.BattleForks.as_view(), name="api-battle-forks"),
    path("forks/<uuid:key>/", curves.ForkByKey.as_view(), name="api-fork"),
    path("forecasts/", curves.Forecasts.as_view(), name="api-forecasts"),
    path("forecasts/<uuid:key>/", curves.ForecastByKey.as_view(), name="api-forecast"),
    path("forecasts/<uuid:key>/what-if/", curves.WhatIfs.as_view(), name="api-what-ifs"),
    path("what-ifs/<uuid:key>/", curves.WhatIfByKey.as_view(), name="api-what-if"),
    path("forecasts/<uuid:key>/best-answers/", best_answers.BestAnswers.as_view(), name="api-best-answers"),
    path("best-answers/<uuid:key>/", best_answers.BestAnswerByKey.as_view(), name="api-best-answer"),
    path("forecasts/<uuid:key>/best-builds/", best_answers.UnitBestBuilds.as_view(), name="api-unit-best-builds"),
    path("best-builds/", best_answers.BestBuilds.as_view(), name="api-best-builds"),
    path("best-builds/<uuid:key>/", best_answers.BestBuildByKey.as_view(), name="api-best-build"),
    path("tables/<uuid:key>/", api.TableByKey.as_view(), name="api-table"),
    path("matrices/", curves.Matrices.as_view(), name="api-matrices"),
    path("matrices/<uuid:key>/", curves.MatrixByKey.as_view(), name="api-matrix"),
]
