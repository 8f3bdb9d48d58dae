"""URLs of companies, designs, the lab, the player's page and the rules."""

from django.urls import include, path

from rosters.designs import views as designs
from rosters.views import companies
from rosters.appearance import views as portraits
from rosters.appearance import views as portraits
from rosters.printing import views as printed_cards
from rosters.releases import views as releases
from rosters.views import companies
from rosters.views import printing
from rosters.accounts import views
from rosters.views import units_and_pilots
from rosters.views import reference

app_name = "rosters"

urlpatterns = [
    path("companies/", companies.companies, name="companies"),
    path("companies/found/", companies.company_found, name="company_found"),
    path("companies/import/", companies.company_import, name="company_import"),
    path("companies/<int:pk>/", companies.company, name="company"),
    path("companies/<int:pk>/picture.png", companies.company_picture, name="company_picture"),
    path("companies/<int:pk>/badge.svg", companies.company_badge, name="company_badge"),
    path("companies/<int:pk>/settings/", companies.company_settings, name="company_settings"),
    path("companies/<int:pk>/release/", releases.company_release, name="company_release"),
    path("companies/<int:pk>/emblem/", portraits.company_emblem, name="company_emblem"),
    path("companies/<int:pk>/words/", portraits.company_words, name="company_words"),
    path("companies/<int:pk>/portrait/", portraits.company_portrait, name="company_portrait"),
    path("companies/<int:pk>/portraits/<str:digest>.webp", portraits.portrait, name="portrait"),
    path("companies/<int:pk>/ledger/", companies.company_ledger, name="company_ledger"),
    path("companies/<int:pk>/cards/", printed_cards.company_cards, name="company_cards"),
    path("companies/<int:pk>/undo/", companies.company_undo, name="company_undo"),
    path("companies/<int:pk>/clone/", companies.company_clone, name="company_clone"),
    path("companies/<int:pk>/disband/", companies.company_disband, name="company_disband"),
    path("companies/<int:pk>/export/", companies.company_export, name="company_export"),
    path("companies/<int:pk>/buy/", companies.unit_buy, name="unit_buy"),
    path("companies/<int:pk>/hire/", companies.pilot_hire, name="pilot_hire"),
    path("companies/<int:pk>/seat/", companies.pilots_seat, name="pilots_seat"),
    path("companies/<int:pk>/units/<int:unit_pk>/", units_and_pilots.unit, name="unit"),
    path("companies/<int:pk>/units/<int:unit_pk>/words/", portraits.unit_words, name="unit_words"),
    path("companies/<int:pk>/units/<int:unit_pk>/portrait/", portraits.unit_portrait, name="unit_portrait"),
    path("companies/<int:pk>/units/<int:unit_pk>/rename/", units_and_pilots.unit_rename, name="unit_rename"),
    path("companies/<int:pk>/units/<int:unit_pk>/assign/", units_and_pilots.unit_assign, name="unit_assign"),
    path("companies/<int:pk>/units/<int:unit_pk>/sell/", units_and_pilots.unit_sell, name="unit_sell"),
    path("companies/<int:pk>/units/<int:unit_pk>/repair/", units_and_pilots.unit_repair, name="unit_repair"),
    path("companies/<int:pk>/units/<int:unit_pk>/refit/", units_and_pilots.unit_refit, name="unit_refit"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/", units_and_pilots.pilot, name="pilot"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/words/", portraits.pilot_words, name="pilot_words"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/portrait/", portraits.pilot_portrait, name="pilot_portrait"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/rename/", units_and_pilots.pilot_rename, name="pilot_rename"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/retire/", units_and_pilots.pilot_retire, name="pilot_retire"),
    path("units/", companies.unit_gallery, name="units"),
    path("designs/", designs.designs, name="designs"),
    path("designs/lab/", designs.lab, name="lab"),
    path("designs/lab/preview/", designs.lab_preview, name="lab_preview"),
    path("designs/lab/advice/", designs.lab_advice, name="lab_advice"),
    path("designs/lab/compare/", designs.lab_compare, name="lab_compare"),
    path("designs/lab/fill/", designs.lab_fill, name="lab_fill"),
    path("designs/save/", designs.design_save, name="design_save"),
    path("designs/<int:pk>/", designs.design, name="design"),
    path("designs/<int:pk>/share/", designs.design_share, name="design_share"),
    path("designs/<int:pk>/clone/", designs.design_clone, name="design_clone"),
    path("designs/<int:pk>/delete/", designs.design_delete, name="design_delete"),
    path("designs/<slug:system>/<slug:slug>/", designs.design_published, name="design_published"),
    path("profile/", views.profile, name="profile"),
    path("profile/tokens/", views.token_create, name="token_create"),
    path("profile/tokens/<str:token_key>/revoke/", views.token_revoke, name="token_revoke"),
    path("profile/sign-ins/", views.sign_ins, name="sign_ins"),
    path("profile/sessions/<int:pk>/end/", views.session_end, name="session_end"),
    path("profile/data/", views.my_data, name="my_data"),
    path("profile/data/ask/", views.my_data_ask, name="my_data_ask"),
    path("profile/data/<uuid:key>/", views.my_data_file, name="my_data_file"),
    path("profile/leave/", views.leave, name="leave"),
    path("profile/leave/begin/", views.leave_begin, name="leave_begin"),
    path("profile/leave/undo/", views.leave_undo, name="leave_undo"),
    path("print/lab/", printing.lab, name="print-lab"),
    path("print/design/<int:pk>/", printing.design, name="print-design"),
    path("print/design/<slug:system>/<slug:slug>/", printing.design_published, name="print-published"),
    path("print/scenario/<int:pk>/", printing.scenario, name="print-scenario"),
    path("print/scenario/<slug:system>/<slug:slug>/", printing.scenario_published, name="print-scenario-published"),
    path("print/", include("rosters.printing.urls")),
    path("scenarios/", include("rosters.scenarios.urls")),
    path("rules/", reference.rules, name="rules"),
    path("rules/<slug:system>/", reference.rules, name="rules"),
    path("rules/<slug:system>/releases/", releases.releases, name="releases"),
]
