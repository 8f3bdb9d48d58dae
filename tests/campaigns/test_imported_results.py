"""Import of past results: read line by line, all or nothing, without touching ledgers."""

import html
import importlib
import io
import re
import unicodedata
import zipfile
from datetime import date, timedelta

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from campaigns.archive.reading import ROW_UPGRADES
from campaigns.gazette.content import gazette_content
from campaigns.models import Match
from campaigns.results.imported_table import (
    MAX_LINES,
    Answers,
    CompanyName,
    CompanyNames,
    parse_results,
)
from campaigns.results.imports import company_names, import_results
from campaigns.standings.selectors import standings
from rosters.models import LedgerEntry
from rosters.services import RefusedError
from rosters.site.spreadsheets import decode_text, read_file
from tests.campaigns.builders import a_campaign, a_mustered_company, a_round, an_enrolment

HEAD = "date,round,attacker,defender,winner\n"
COMPANIES = {1: CompanyName(name="Iron Hounds"), 2: CompanyName(name="Red Lances"), 3: CompanyName(name="Die Würfel")}
TWINS = {
    1: CompanyName(name="The Twins", player="Bob B.", username="bob"),
    2: CompanyName(name="the  twins", player="Alice", username="alice"),
    3: CompanyName(name="Others", player="Cy", username="cy"),
}
TODAY = date(2025, 6, 1)


def read_table(text, taken=()):
    return parse_results(text, CompanyNames(COMPANIES), taken, TODAY)


def problems(line, taken=()):
    (read_line,) = read_table(HEAD + line, taken).lines
    return list(read_line.problems)


def test_columns_are_read_in_any_order():
    table = read_table(
        "Winner;Attacker Kills;Round;Defender;Attacker;Date\nred lances;3;2;Red Lances; iron  hounds ;14.3.2025\n"
    )
    (result,) = table.results
    assert table.is_clean
    assert (result.line, result.on, result.round) == (2, date(2025, 3, 14), 2)
    assert (result.attacker, result.defender, result.winner) == (1, 2, "defender")
    assert (result.attacker_kills, result.defender_kills) == (3, None)


@pytest.mark.parametrize("winner", ["draw", "Drawn", "TIE"])
def test_draw_is_read_in_several_words(winner):
    assert read_table(f"{HEAD}2025-03-14,1,Iron Hounds,Die Würfel,{winner}").results[0].winner == "draw"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("soon,1,Iron Hounds,Red Lances,draw", "the date must look like 2025-03-14, 14.3.2025 or 14/3/2025"),
        ("2025-06-02,1,Iron Hounds,Red Lances,draw", "the date is in the future"),
        ("2025-03-14,0,Iron Hounds,Red Lances,draw", "the round is not a number from 1 to 999"),
        ("2025-03-14,²,Iron Hounds,Red Lances,draw", "the round is not a number"),
        ("2025-03-14,7,Iron Hounds,Red Lances,draw", "already has a round 7"),
        ("2025-03-14,1,Nobody,Red Lances,draw", "is called “Nobody” (attacker)"),
        ("2025-03-14,1,Iron Hounds,Iron Hounds,draw", "can't meet itself"),
        (
            "2025-03-14,1,Iron Hounds,Red Lances,Die Würfel",
            "the winner must be attacker, defender, draw or one of the two companies",
        ),
        (
            "2025-03-14,1,Iron Hounds,Red Lances",
            "the winner must be attacker, defender, draw or one of the two companies",
        ),
        ("", ""),
    ],
)
def test_error_names_its_line(line, problem):
    if not line:
        assert "There are no matches below the column names" in read_table(HEAD).problem
        return
    (found,) = problems(line, taken=[7])
    assert problem in found


def test_line_with_several_errors_lists_them_all():
    assert len(problems("soon,x,Nobody,Nobody else,me")) == 5


def test_repeated_match_is_an_error_of_the_second_line():
    table = read_table(f"{HEAD}2025-03-14,1,Iron Hounds,Red Lances,draw\n2025-03-15,1,Red Lances,Iron Hounds,draw")
    assert [line.problems for line in table.lines] == [
        (),
        ("the same companies already meet in round 1, in line 2",),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The table is empty. The first line names the columns, each further line is one match"),
        ("\0", "The table is empty. The first line names the columns, each further line is one match"),
        ("date,round\n1,2", "missing: attacker, defender, winner"),
        (f"{HEAD.strip()},mood\n", "Choose the meaning of this column: “mood”."),
        (f"{HEAD.strip()},winner\n", "column winner appears twice. Remove one"),
        (HEAD + "2025-03-14,1,Iron Hounds,Red Lances,draw\n" * (MAX_LINES + 1), "Import it in parts"),
        (HEAD + "x" * 300_000, "longer than 256 KB"),
        (HEAD + "ä" * 150_000, "longer than 256 KB"),
        (HEAD + '"' + "x" * 140_000, "can't be read as a table"),
    ],
)
def test_text_without_a_table_is_refused(text, problem):
    assert problem in read_table(text).problem


# --- companies with equal names ---------------------------------------------------------------------------------------


def read_twins(line, companies=TWINS):
    (found,) = parse_results(HEAD + line, CompanyNames(companies), (), TODAY).lines
    return found


@pytest.mark.parametrize(
    ("line", "side"),
    [
        ("2025-03-14,1,The Twins,Others,attacker", "attacker"),
        ("2025-03-14,1,Others,THE TWINS,defender", "defender"),
    ],
)
def test_ambiguous_name_is_refused_with_exact_names(line, side):
    (problem,) = read_twins(line).problems
    assert "is the name of 2 companies; write “the  twins (Alice)” or “The Twins (Bob B.)”" in problem
    assert problem.endswith(f"({side})")


@pytest.mark.parametrize(
    ("line", "sides", "winner"),
    [
        ("2025-03-14,1,The Twins (Bob B.),Others,The Twins (bob b.)", (1, 3), "attacker"),
        ("2025-03-14,1,Others,the twins (alice),the twins", (3, 2), "defender"),
        ("2025-03-14,1,The Twins (bob),The Twins (alice),the twins (Alice)", (1, 2), "defender"),
        ("2025-03-14,1,The Twins (alice),The Twins (bob),draw", (2, 1), "draw"),
    ],
)
def test_company_is_named_by_its_player(line, sides, winner):
    found = read_twins(line)
    assert found.problems == ()
    assert (found.result.attacker, found.result.defender, found.result.winner) == (*sides, winner)


def test_ambiguous_winner_is_refused():
    line = read_twins("2025-03-14,1,The Twins (bob),The Twins (alice),The Twins")
    assert line.problems == ("the winner could be either company; write attacker, defender or draw",)


def test_both_ambiguous_sides_are_reported():
    problems = read_twins("2025-03-14,1,The Twins,The Twins,attacker").problems
    assert [problem[-10:] for problem in problems] == ["(attacker)", "(defender)"]


def test_exact_names_are_always_unique():
    names = CompanyNames(
        {
            1: CompanyName(name="Twins", player="Bob", username="bob"),
            2: CompanyName(name="Twins", player="Bob", username="bobby"),
            3: CompanyName(name="Twins", player="Eve", username="eve"),
            4: CompanyName(name="Twins", player="Eve", username="eve"),
            5: CompanyName(name="Twins (bobby)", player="Cy", username="cy"),
        }
    )
    exact = names.exact()
    assert len(set(exact)) == 5
    assert sorted(pk for name in exact for pk in names.find(name)) == [1, 2, 3, 4, 5]
    assert names.exact([3, 4]) == ["Twins (eve #3)", "Twins (eve #4)"]
    assert len(names.find("Twins")) == 4


def test_file_encodings_of_spreadsheets_are_decoded():
    for data in ("\ufeffWürfel".encode(), "Würfel".encode("cp1252"), "Würfel".encode("utf-16")):
        assert decode_text(data) == "Würfel"
    for codec in ("utf-16-le", "utf-16-be"):
        assert decode_text(HEAD.encode(codec)) == HEAD


# --- common file formats ----------------------------------------------------------------------------------------------

ROWS = [
    ("date", "round", "attacker", "defender", "winner"),
    ("2025-03-14", "1", "Iron Hounds", "Die Würfel", "draw"),
]
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def zip_files(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def an_xlsx(cells):
    """Build a spreadsheet from cells: place and text."""
    rows = "".join(
        f'<row r="{"".join(filter(str.isdigit, place))}"><c r="{place}" t="inlineStr"><is><t>{text}</t></is></c></row>'
        for place, text in cells
    )
    return zip_files(
        {
            "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{RELATIONS}/officeDocument" '
            'Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{RELATIONS}"><sheets><sheet name="S" sheetId="1" '
            'r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" '
            f'Type="{RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        }
    )


def xlsx_of(rows, first=1):
    return an_xlsx(
        [(f"{'ABCDEFGH'[at]}{first + n}", cell) for n, row in enumerate(rows) for at, cell in enumerate(row)]
    )


def ods_of(rows):
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    day = '<table:table-cell office:value-type="date" office:date-value="{}"><text:p>x</text:p></table:table-cell>'
    table_rows = "".join(
        f"<table:table-row>{''.join((day if each[:2] == '20' else cell).format(each) for each in row)}</table:table-row>"
        for row in rows
    )
    content = (
        f'<office:document-content xmlns:office="{office}office:1.0" xmlns:table="{office}table:1.0" '
        f'xmlns:text="{office}text:1.0"><office:body><office:spreadsheet><table:table table:name="S">{table_rows}'
        "</table:table></office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        f'<manifest:manifest xmlns:manifest="{office}manifest:1.0"><manifest:file-entry manifest:full-path="/" '
        f'manifest:media-type="{kind}"/></manifest:manifest>'
    )
    return zip_files({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": content})


CSV = "".join(",".join(row) + "\n" for row in ROWS)


@pytest.mark.parametrize(
    "data",
    [
        xlsx_of(ROWS),
        ods_of(ROWS),
        CSV.encode("utf-16"),
        CSV.replace(",", "\t").encode("utf-16-le"),
        f"sep=;\r\n{CSV.replace(',', ';')}".encode(),
        f'"sep=|"\n{CSV.replace(",", "|")}'.encode(),
        CSV.replace("\n", "\r").encode(),
        CSV.replace("\n", "\r\n").encode("cp1252"),
        unicodedata.normalize("NFD", CSV).encode(),
    ],
    ids=["xlsx", "ods", "unicode text", "utf-16 bare", "sep", "quoted sep", "cr", "crlf cp1252", "nfd"],
)
def test_common_file_formats_are_read(data):
    table = read_table(read_file(data))
    assert table.is_clean, (table.problem, [line.problems for line in table.lines])
    (result,) = table.results
    assert (result.on, result.attacker, result.defender) == (date(2025, 3, 14), 1, 3)


def test_line_numbers_match_the_file():
    assert read_table(read_file(xlsx_of(ROWS, first=4))).lines[0].number == 5
    assert read_table(f"sep=,\n\n{CSV}").lines[0].number == 4
    assert read_table("\n" + CSV.replace("2025", '"2025').replace("14,", '14",')).lines[0].number == 3


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04 and no more",
        zip_files({"letter.txt": "Dear club"}),
        an_xlsx([("A1", "date"), ("XFD1048576", "far away")]),
        b"\xd0\xcf\x11\xe0" * 100,
    ],
    ids=["torn", "another zip", "a cell at the far end", "no old excel file"],
)
def test_broken_spreadsheet_is_refused_without_an_error_page(client, campaign, page, data):
    answer = client.post(page, {"file": SimpleUploadedFile("past.xlsx", data), "do": "look"})
    assert answer.status_code == 422
    assert "can&#x27;t be read as a spreadsheet" in answer.content.decode()


# --- questions --------------------------------------------------------------------------------------------------------


def dated(*days, **answers):
    lines = (f"{day},{number},Iron Hounds,Red Lances,draw" for number, day in enumerate(days, start=1))
    return parse_results(HEAD + "\n".join(lines), CompanyNames(COMPANIES), (), TODAY, Answers(**answers))


def days_of(table):
    return [line.cells[0] for line in table.lines]


def test_ambiguous_dates_are_asked_about_once():
    table = dated("3/4/2025", "5/4/2025", "2025-03-14")
    assert (table.is_clean, table.asks_dates, [line.problems for line in table.lines]) == (False, True, [()] * 3)
    assert table.objection == (
        "“3/4/2025” can be Thu 3 Apr 2025 or Tue 4 Mar 2025. Say whether the day or the month comes first."
    )
    assert days_of(dated("3/4/2025", day_first=True)) == ["Thu 3 Apr 2025"]
    assert days_of(dated("3/4/2025", day_first=False)) == ["Tue 4 Mar 2025"]


@pytest.mark.parametrize(
    ("days", "read_as"),
    [
        (("3/4/2025", "3/14/2025"), ["Tue 4 Mar 2025", "Fri 14 Mar 2025"]),
        (("3/4/2025", "14/3/2025"), ["Thu 3 Apr 2025", "Fri 14 Mar 2025"]),
        (("4/4/2025",), ["Fri 4 Apr 2025"]),
        (("14.3.25", "2025-03-14T19:30", "14-03-2025"), ["Fri 14 Mar 2025"] * 3),
    ],
)
def test_date_order_is_derived_from_the_table(days, read_as):
    table = dated(*days)
    assert (table.asks_dates, [line.result.on.isoformat()[:4] for line in table.lines]) == (False, ["2025"] * len(days))
    assert days_of(table) == read_as or days == ("4/4/2025",)


def test_mixed_date_orders_are_asked_about():
    assert dated("14/3/2025", "3/14/2025", "3/4/2025").asks_dates
    table = dated("14/3/2025", "3/14/2025", "3/4/2025", day_first=True)
    assert [bool(line.problems) for line in table.lines] == [False, True, False]


def test_unknown_columns_are_asked_about_with_a_guess():
    text = "Datum;Rd;Home;Away;Who won;Beer\n14.3.2025;1;Iron Hounds;Red Lances;draw;3"
    table = read_table(text)
    assert table.problem.startswith(
        "Choose the meaning of these columns: “Datum”, “Rd”, “Home”, “Away”, “Who won”, “Beer”."
    )
    assert [head.column for head in table.heads] == ["date", "round", "attacker", "defender", "", ""]
    columns = {head.name: head.column for head in table.heads} | {"Who won": "winner"}
    (result,) = parse_results(text, CompanyNames(COMPANIES), (), TODAY, Answers(columns=columns)).results
    assert (result.attacker, result.winner) == (1, "draw")
    twice = columns | {"Beer": "winner"}
    assert (
        "winner appears twice. Remove one"
        in parse_results(text, CompanyNames(COMPANIES), (), TODAY, Answers(columns=twice)).problem
    )
    none = columns | {"Who won": ""}
    assert "missing: winner" in parse_results(text, CompanyNames(COMPANIES), (), TODAY, Answers(columns=none)).problem


def test_misspelt_company_is_asked_about():
    line = "2025-03-14,1,Iron Hound,Red Lances,Iron Hound"
    assert (
        problems(line)[0] == "no company of the campaign is called “Iron Hound” (attacker); did you mean “Iron Hounds”?"
    )
    assert [(each.name, each.guess) for each in read_table(HEAD + line).unknown] == [("Iron Hound", "Iron Hounds")]
    answers = Answers(names={"iron hound": "Iron Hounds"})
    (result,) = parse_results(HEAD + line, CompanyNames(COMPANIES), (), TODAY, answers).results
    assert (result.attacker, result.winner) == (1, "attacker")
    assert "did you mean" not in problems("2025-03-14,1,Zzyzx,Red Lances,draw")[0]
    assert problems("2025-03-14,1,O'Brien,Red Lances,draw")[0].startswith(
        "no company of the campaign is called “O'Brien”"
    )


# --- import -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def campaign(db):
    campaign = a_campaign()
    for each in COMPANIES.values():
        an_enrolment(campaign, a_mustered_company(name=each.name))
    return campaign


GOOD = f"""{HEAD.strip()},attacker kills,defender kills,scenario
2025-03-14,1,Iron Hounds,Red Lances,attacker,3,1,Breach
2025-03-15,1,Die Würfel,Red Lances,draw,,,
2025-04-02,2,Iron Hounds,Die Würfel,defender,0,2,
"""


def organiser(campaign):
    return campaign.club.memberships.get(role="organiser").player


def test_import_makes_closed_rounds_without_ledger_entries(campaign):
    before = LedgerEntry.objects.count()
    rounds = import_results(campaign=campaign, text=GOOD, by=organiser(campaign))
    assert [(each.number, each.state, each.matches.count()) for each in rounds] == [(1, "closed", 2), (2, "closed", 1)]
    first = Match.objects.get(round=rounds[0], number=1)
    assert (first.state, first.outcome, first.decided_by, first.battle) == ("confirmed", "attacker", "import", None)
    assert (first.scenario_name, first.past) == ("Breach", {"attacker_kills": 3, "defender_kills": 1})
    assert timezone.localdate(first.decided_at) == date(2025, 3, 14)
    assert LedgerEntry.objects.count() == before
    assert campaign.activity.get().text == "3 results imported, in 2 rounds"


def test_one_wrong_line_stops_the_import(campaign):
    with pytest.raises(RefusedError, match="Line 5: no company of the campaign is called “Nobody”"):
        import_results(campaign=campaign, text=f"{GOOD}2025-04-02,2,Nobody,Die Würfel,draw,,,", by=organiser(campaign))
    assert not campaign.rounds.exists()


def test_repeated_import_is_refused(campaign):
    import_results(campaign=campaign, text=GOOD, by=organiser(campaign))
    with pytest.raises(RefusedError, match="already has a round 1"):
        import_results(campaign=campaign, text=GOOD, by=organiser(campaign))


@pytest.mark.parametrize("state", ["draft", "finished"])
def test_draft_and_finished_campaigns_refuse_an_import(campaign, state):
    campaign.state = state
    campaign.save()
    with pytest.raises(
        RefusedError, match="You can only import results while sign-ups are open or the campaign is running; it is"
    ):
        import_results(campaign=campaign, text=GOOD, by=organiser(campaign))


def test_withdrawn_companies_are_unknown(campaign):
    campaign.enrolments.filter(company__name="Iron Hounds").update(state="withdrawn")
    with pytest.raises(RefusedError, match="“Iron Hounds”"):
        import_results(campaign=campaign, text=GOOD, by=organiser(campaign))


# --- page -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def page(client, campaign):
    client.force_login(organiser(campaign))
    return reverse("campaigns:past_results", args=[campaign.pk])


@pytest.mark.parametrize("name", ["campaign", "campaign_settings"])
def test_organisers_find_the_import(client, campaign, page, name):
    assert f'href="{page}"' in client.get(reverse(f"campaigns:{name}", args=[campaign.pk])).content.decode()


def test_page_previews_then_imports_a_file(client, campaign, page):
    file = SimpleUploadedFile("past.csv", GOOD.encode("cp1252"))
    looked = client.post(page, {"file": file, "do": "look"})
    assert looked.status_code == 200
    assert "Import 3 results" in looked.content.decode()
    assert not campaign.rounds.exists()
    taken = client.post(page, {"text": looked.context["text"], "do": "import"}, follow=True)
    assert "3 results imported, in 2 closed rounds." in taken.content.decode()
    match = Match.objects.first()
    assert client.get(reverse("campaigns:match", args=[match.key])).status_code == 200


def hidden_of(text):
    """Return what the import button sends."""
    form = text[text.index('class="past__take"') : text.index('value="import"')]
    pairs = re.findall(r'name="(\w+)"\s+value="([^"]*)"', form)
    sent = {name: [html.unescape(value) for other, value in pairs if other == name] for name, _ in pairs}
    return {name: values for name, values in sent.items() if name != "csrfmiddlewaretoken"} | {"do": "import"}


def test_page_asks_about_columns_names_and_dates(client, campaign, page):
    rows = [
        ("Played", "Round", "Home", "Away", "Winner", "Mood"),
        ("3/4/2025", "1", "Iron Hound", "Die Würfel", "iron hound", "good"),
    ]
    asked = client.post(page, {"file": SimpleUploadedFile("League.xlsx", xlsx_of(rows)), "do": "look"})
    assert asked.status_code == 422
    text = asked.content.decode()
    assert "Which column is which?" in text
    assert "such as Iron Hound" in text
    sent = {
        "text": asked.context["text"],
        "do": "look",
        "head": [head.name for head in asked.context["table"].heads],
        "column": [head.column for head in asked.context["table"].heads],
    }
    asked = client.post(page, sent).content.decode()
    assert "Which company is this?" in asked
    assert "Thu 3 Apr 2025" in asked
    sent |= {"called": ["Iron Hound"], "company": ["Iron Hounds"], "dates": "month-first"}
    looked = client.post(page, sent)
    assert looked.status_code == 200
    assert "Tue 4 Mar 2025" in looked.content.decode()
    assert not campaign.rounds.exists()
    taken = client.post(page, hidden_of(looked.content.decode()), follow=True)
    assert "1 result imported, in 1 closed round." in taken.content.decode()
    match = Match.objects.get()
    assert (match.attacker.company.name, match.outcome) == ("Iron Hounds", "attacker")
    assert timezone.localdate(match.decided_at) == date(2025, 3, 4)


def test_page_shows_wrong_lines_and_offers_no_import(client, campaign, page):
    a_round(campaign)
    future = (timezone.now() + timedelta(days=3)).date()
    answer = client.post(page, {"text": f"{GOOD}{future},3,Iron Hounds,Die Würfel,draw,,,", "do": "look"})
    text = answer.content.decode()
    assert answer.status_code == 422
    assert "the campaign already has a round 1" in text
    assert "the date is in the future" in text
    assert 'value="import"' not in text
    assert client.post(page, {"text": GOOD, "do": "import"}).status_code == 422
    assert campaign.rounds.count() == 1


def test_page_offers_names_with_players(client, campaign, page):
    twin = an_enrolment(campaign, a_mustered_company(name="Iron Hounds")).company
    answer = client.post(page, {"text": GOOD, "do": "look"})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert f"Iron Hounds ({twin.owner})" in text
    assert company_names(campaign).exact() == answer.context["companies"]
    exact = GOOD.replace("Iron Hounds", f"Iron Hounds ({twin.owner})")
    assert client.post(page, {"text": exact, "do": "import"}).status_code == 302
    assert {match.attacker.company for match in Match.objects.exclude(attacker__company__name="Die Würfel")} == {twin}


# --- kills ------------------------------------------------------------------------------------------------------------

KILLS = f"""{HEAD.strip()},attacker kills,defender kills
2025-03-14,1,T Alpha,T Beta,attacker,1,0
2025-03-14,1,T Zeta,T Yota,attacker,6,0
2025-03-14,1,T Mu,T Nu,attacker,,2
2025-03-14,1,T Rho,T Sigma,attacker,,
"""


@pytest.fixture
def killers(db):
    campaign = a_campaign(tie_breakers=["destroyed"])
    for name in ("T Alpha", "T Beta", "T Zeta", "T Yota", "T Mu", "T Nu", "T Rho", "T Sigma"):
        an_enrolment(campaign, a_mustered_company(name=name))
    import_results(campaign=campaign, text=KILLS, by=organiser(campaign))
    return campaign


def table_of(campaign):
    return [(each.row.name, each.row.destroyed, each.row.units_lost) for each in standings(campaign)]


BY_KILLS = [
    ("T Zeta", 6, 0),
    ("T Alpha", 1, 0),
    ("T Rho", 0, 0),
    ("T Mu", 0, 2),
    ("T Nu", 2, 0),
    ("T Sigma", 0, 0),
    ("T Beta", 0, 1),
    ("T Yota", 0, 6),
]


def test_imported_kills_break_ties(killers):
    assert table_of(killers) == BY_KILLS


def test_migration_counts_kills_of_older_imports(killers):
    migration = importlib.import_module("campaigns.migrations.0211_kills_of_imported_results")
    Match.objects.update(figures={})
    assert table_of(killers) != BY_KILLS
    migration.count_kills(apps, None)
    assert table_of(killers) == BY_KILLS


def test_older_archive_counts_imported_kills():
    (change,) = (each.change for each in ROW_UPGRADES if each.since == "campaigns.0211_kills_of_imported_results")
    row = {"decided_by": "import", "figures": {}, "past": {"attacker_kills": 3, "defender_kills": None}}
    assert change("campaigns.Match", row)["figures"] == {"destroyed": [3, 0], "lost": [0, 3]}
    for other in (row | {"decided_by": "ruling", "past": None}, row | {"figures": {"margin": [1]}}):
        assert change("campaigns.Match", other) == other
    assert change("campaigns.Round", row) == row


def test_gazette_shows_kills_known_for_both_sides(killers):
    results = gazette_content(killers.rounds.get()).results
    assert [line.destroyed for line in results] == [(1, 0), (6, 0), None, None]
