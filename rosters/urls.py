"""URLs of companies, designs, the lab, the player's page and the rules."""

from django.urls import include, path

from rosters.designs import views as designs
from rosters.gallery import views as gallery
from rosters.livery import portrait_views as portraits
from rosters.livery import views as livery
from rosters.paper.views import cards as printed_cards
from rosters.releases import views as releases
from rosters.views import companies, doors, leaving, members, my_data, plates, printing, profile, rules

app_name = "rosters"

urlpatterns = [
    path("companies/", companies.companies, name="companies"),
    path("companies/found/", companies.company_found, name="company_found"),
    path("companies/import/", companies.company_import, name="company_import"),
    path("companies/<int:pk>/", companies.company, name="company"),
    path("companies/<int:pk>/picture.png", plates.company_picture, name="company_picture"),
    path("companies/<int:pk>/badge.svg", plates.company_badge, name="company_badge"),
    path("companies/<int:pk>/settings/", companies.company_settings, name="company_settings"),
    path("companies/<int:pk>/release/", releases.company_release, name="company_release"),
    path("companies/<int:pk>/emblem/", livery.company_emblem, name="company_emblem"),
    path("companies/<int:pk>/words/", livery.company_words, name="company_words"),
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
    path("companies/<int:pk>/units/<int:unit_pk>/", members.unit, name="unit"),
    path("companies/<int:pk>/units/<int:unit_pk>/words/", livery.unit_words, name="unit_words"),
    path("companies/<int:pk>/units/<int:unit_pk>/portrait/", portraits.unit_portrait, name="unit_portrait"),
    path("companies/<int:pk>/units/<int:unit_pk>/rename/", members.unit_rename, name="unit_rename"),
    path("companies/<int:pk>/units/<int:unit_pk>/assign/", members.unit_assign, name="unit_assign"),
    path("companies/<int:pk>/units/<int:unit_pk>/sell/", members.unit_sell, name="unit_sell"),
    path("companies/<int:pk>/units/<int:unit_pk>/repair/", members.unit_repair, name="unit_repair"),
    path("companies/<int:pk>/units/<int:unit_pk>/refit/", members.unit_refit, name="unit_refit"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/", members.pilot, name="pilot"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/words/", livery.pilot_words, name="pilot_words"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/portrait/", portraits.pilot_portrait, name="pilot_portrait"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/rename/", members.pilot_rename, name="pilot_rename"),
    path("companies/<int:pk>/pilots/<int:pilot_pk>/retire/", members.pilot_retire, name="pilot_retire"),
    path("units/", gallery.unit_gallery, name="units"),
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
    path("profile/", profile.profile, name="profile"),
    path("profile/tokens/", profile.token_create, name="token_create"),
    path("profile/tokens/<str:token_key>/revoke/", profile.token_revoke, name="token_revoke"),
    path("profile/sign-ins/", doors.sign_ins, name="sign_ins"),
    path("profile/sessions/<int:pk>/end/", doors.session_end, name="session_end"),
    path("profile/data/", my_data.my_data, name="my_data"),
    path("profile/data/ask/", my_data.my_data_ask, name="my_data_ask"),
    path("profile/data/<uuid:key>/", my_data.my_data_file, name="my_data_file"),
    path("profile/leave/", leaving.leave, name="leave"),
    path("profile/leave/begin/", leaving.leave_begin, name="leave_begin"),
    path("profile/leave/undo/", leaving.leave_undo, name="leave_undo"),
    path("print/lab/", printing.lab, name="print-lab"),
    path("print/design/<int:pk>/", printing.design, name="print-design"),
    path("print/design/<slug:system>/<slug:slug>/", printing.design_published, name="print-published"),
    path("print/scenario/<int:pk>/", printing.scenario, name="print-scenario"),
    path("print/scenario/<slug:system>/<slug:slug>/", printing.scenario_published, name="print-scenario-published"),
    path("print/", include("rosters.paper.urls")),
    path("scenarios/", include("rosters.scenarios.urls")),
    path("rules/", rules.rules, name="rules"),
    path("rules/<slug:system>/", rules.rules, name="rules"),
    path("rules/<slug:system>/releases/", releases.releases, name="releases"),
]
