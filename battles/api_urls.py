"""Routes of the API of battles and odds."""

from django.urls import path

from battles import api

urlpatterns = [
    path("battles/", api.Battles.as_view(), name="api-battles"),
    path("battles/<uuid:key>/", api.BattleByKey.as_view(), name="api-battle"),
    path("battles/<uuid:key>/record/", api.BattleRecord.as_view(), name="api-battle-record"),
    path("forecasts/", api.Forecasts.as_view(), name="api-forecasts"),
    path("forecasts/<uuid:key>/", api.ForecastByKey.as_view(), name="api-forecast"),
    path("forecasts/<uuid:key>/what-if/", api.WhatIfs.as_view(), name="api-what-ifs"),
    path("what-ifs/<uuid:key>/", api.WhatIfByKey.as_view(), name="api-what-if"),
    path("matrices/", api.Matrices.as_view(), name="api-matrices"),
    path("matrices/<uuid:key>/", api.MatrixByKey.as_view(), name="api-matrix"),
]
