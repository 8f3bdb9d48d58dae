"""Addresses of pages that became a part of another page: each redirects there."""

from __future__ import annotations

import pytest

from .routes import address, client_of

# By area: route, case of its arguments (world.py), role, query: where it leads
ROSTERS = {
    ("rosters:company_emblem", "company", "attacker", "?roll=ab"): "/companies/{pk}/settings/?roll=ab#emblem",
    ("rosters:company_notes", "company", "attacker", ""): "/companies/{pk}/settings/#texts",
    ("rosters:company_portrait", "company", "attacker", ""): "/companies/{pk}/settings/#photo",
    ("rosters:company_release", "company", "attacker", ""): "/companies/{pk}/settings/#release",
    ("rosters:company_undo", "company", "attacker", ""): "/companies/{pk}/#undo",
    ("rosters:company_ledger", "company", "attacker", "?after=9"): "/companies/{pk}/?after=9&show=ledger",
    ("rosters:company_cards", "company", "attacker", ""): "/companies/{pk}/?show=cards",
    ("rosters:company_clone", "company", "attacker", ""): "/companies/{pk}/#clone",
    ("rosters:unit_notes", "company", "attacker", ""): "/companies/{pk}/units/{unit_pk}/#texts",
    ("rosters:unit_portrait", "company", "attacker", ""): "/companies/{pk}/units/{unit_pk}/#photo",
    ("rosters:pilot_notes", "company", "attacker", ""): "/companies/{pk}/pilots/{pilot_pk}/#texts",
    ("rosters:pilot_portrait", "company", "attacker", ""): "/companies/{pk}/pilots/{pilot_pk}/#photo",
    ("rosters:print-printers", "", "attacker", ""): "/print/presets/#printers",
    ("rosters:print-printer", "printer", "attacker", ""): "/print/presets/?printer={pk}#printer",
    ("rosters:units", "", "anonymous", "?sort=kills"): "/designs/?sort=kills&show=units",
    ("rosters:lab_compare", "", "anonymous", "?chassis=light"): "/designs/lab/?chassis=light&with=#compare",
    ("rosters:lab_fill", "", "anonymous", "?chassis=light"): "/designs/lab/?chassis=light&fill=#fill",
    ("rosters:releases", "system", "anonymous", ""): "/rules/{system}/#releases",
    ("rosters:company_import", "", "attacker", ""): "/companies/#import",
    ("rosters:scenario_upload", "", "attacker", ""): "/scenarios/#upload",
    ("rosters:sign_ins", "", "attacker", ""): "/accounts/sessions/#sign-ins",
    ("rosters:account_deletion", "", "attacker", ""): "/profile/data/#delete",
}
BATTLES = {
    ("battles:join", "", "anonymous", ""): "/table/#join",
    ("battles:join", "", "anonymous", "?code=ABC+DEF"): "/table/?code=ABC+DEF#join",
    ("battles:random-forces", "", "anonymous", "?system=hex-core&f-seed=3"): (
        "/battles/new/?system=hex-core&f-seed=3#random"
    ),
    ("battles:solo-games", "", "attacker", ""): "/battles/#in-progress",
    ("battles:what-if", "what-if", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-change", "best-change", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-answer", "best-answer", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:best-build", "best-build", "anonymous", ""): "/odds/explore/{key}/",
    ("battles:curve", "private-fought", "attacker", ""): "/battles/{key}/#win-chance",
    ("battles:fork", "private-fork", "attacker", ""): "/odds/explore/{key}/",
}
MATCHES = {
    ("campaigns:report_compare", "public-reported", "attacker", ""): "/matches/{key}/report/#reports",
    ("campaigns:report_compare", "public-decided", "anonymous", ""): "/matches/{key}/report/#reports",
    (
        "campaigns:report_confirm",
        "public-reported",
        "defender",
        "",
    ): "/matches/{key}/report/?side=defender#their-report",
    ("campaigns:adjustment_undo", "public-adjustment", "arbiter", ""): "/campaigns/{pk}/rulings/{ruling_pk}/#undo",
    ("campaigns:match_refuse", "public-match", "attacker", ""): "/matches/{key}/#refuse",
    ("campaigns:phases", "public-campaign", "organiser", ""): "/campaigns/{pk}/settings/#phases",
    ("campaigns:phase", "public-phase", "organiser", ""): "/campaigns/{pk}/settings/#phase-{phase_pk}",
    ("campaigns:rounds", "public-campaign", "anonymous", ""): "/campaigns/{pk}/#rounds",
    ("campaigns:rulings", "public-campaign", "anonymous", ""): "/campaigns/{pk}/gazette/#rulings",
    ("campaigns:season_settings", "public-season", "organiser", ""): "/seasons/{pk}/run/#settings",
}
CLUBS = {
    ("campaigns:club_medals", "public-club", "anonymous", "?medal=ace"): "/clubs/{slug}/fame/?medal=ace#medals",
    ("campaigns:club_fallen", "public-club", "anonymous", ""): "/clubs/{slug}/fame/#fallen",
    ("campaigns:club_ratings", "public-club", "anonymous", "?system=hex-core"): (
        "/clubs/{slug}/insights/?system=hex-core#ratings"
    ),
    ("campaigns:club_display_link", "public-club", "organiser", ""): "/clubs/{slug}/settings/#club-display",
    ("campaigns:club_places", "public-club", "organiser", ""): "/clubs/{slug}/archive/#places",
    ("campaigns:club_restore_job", "restore", "attacker", ""): "/clubs/restore/#job",
    ("campaigns:webhook_delete", "public-webhook", "organiser", ""): "/clubs/{slug}/webhooks/{webhook}/",
    ("campaigns:guests", "public-club", "organiser", ""): "/clubs/{slug}/members/#guests",
    ("campaigns:guest_remove", "public-guest", "organiser", ""): "/clubs/{slug}/guests/{guest_pk}/#more",
    ("campaigns:member_remove", "public-member", "organiser", ""): "/clubs/{slug}/members/#member-{member_pk}",
    ("campaigns:club_hand_over", "public-member", "organiser", ""): "/clubs/{slug}/members/#member-{member_pk}",
    ("campaigns:club_leave", "public-club", "member", ""): "/clubs/{slug}/#join",
    ("campaigns:availability", "-", "attacker", ""): "/calendar/?club=#when",
}


@pytest.mark.parametrize(
    ("old", "new"),
    [*ROSTERS.items(), *BATTLES.items(), *MATCHES.items(), *CLUBS.items()],
    ids=lambda each: each[0] if isinstance(each, tuple) else "",
)
def test_old_address_redirects(world, old, new):
    route, case, role, query = old
    arguments = world.cases[case] if case else {}
    answer = client_of(world, role).get(address(route, arguments) + query)
    assert answer.status_code == 302
    assert answer["Location"] == new.format(**arguments)
