"""Routes of reports, disputes, rulings and corrections."""

from django.urls import URLPattern, path

from campaigns.corrections import views as past
from campaigns.results import import_views as past_results
from campaigns.results import night_views as evening
from campaigns.results import ruling_views as rulings
from campaigns.results import views as results

result_patterns: list[URLPattern] = [
    path("matches/<uuid:key>/report/", results.report, name="report"),
    path("matches/<uuid:key>/report/withdraw/", results.withdraw, name="report_withdraw"),
    path("matches/<uuid:key>/confirm/", results.confirm, name="confirm"),
    path("matches/<uuid:key>/compare/", results.compare, name="compare"),
    path("matches/<uuid:key>/rule/", rulings.rule, name="rule"),
    path("campaigns/<int:pk>/rulings/", rulings.rulings, name="rulings"),
    path("campaigns/<int:pk>/rulings/<int:ruling_pk>/", rulings.ruling, name="ruling"),
    path("campaigns/<int:pk>/rounds/<int:number>/night/", evening.enter_results, name="night"),
    path("campaigns/<int:pk>/import/", past_results.past_results, name="past_results"),
    path("matches/<uuid:key>/correct/", past.correct, name="correct"),
]
