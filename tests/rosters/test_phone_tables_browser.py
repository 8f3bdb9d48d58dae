"""A company's tables on a phone: a row is two lines, with a loadout three, and its buttons are as large as a finger."""

import pytest

from tests.builders import a_company, a_crewed_unit, a_player, a_unit

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROWS = """(caption) => [...document.querySelectorAll("table")].filter((each) => each.caption?.innerText === caption)
  .flatMap((table) => [...table.tBodies[0].rows]).map((row) => {
    const name = row.querySelector("th a").getBoundingClientRect();
    const lead = row.querySelector(".table__lead").getBoundingClientRect();
    const button = row.querySelector(".table__act .button")?.getBoundingClientRect();
    return {
      height: row.getBoundingClientRect().height,
      beside: lead.top < name.bottom && lead.bottom > name.top,
      presses: button ? button.height : row.getBoundingClientRect().height,
      free: button ? lead.right <= button.left : true,
    };
  })"""


def test_phone_shows_table_rows_in_few_lines(phone, client, live_server):
    owner = a_player("at-the-table")
    company = a_company(owner, name="Walkers")
    a_crewed_unit(company, pilot="Ada")
    a_unit(company, "viper", name="Owl of the Northern Ridge")
    client.force_login(owner)
    phone.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )
    phone.goto(f"/companies/{company.pk}/")
    for caption, at_least, highest in (("Units", 2, 112), ("Pilots", 1, 92), ("Designs for sale", 9, 130)):
        rows = phone.evaluate(ROWS, caption)
        assert len(rows) >= at_least, caption
        for row in rows:
            assert (row["beside"], row["free"]) == (True, True), (caption, row)
            assert row["presses"] >= 44, (caption, row)
            assert row["height"] <= highest, (caption, row)
    assert phone.evaluate("document.documentElement.scrollWidth") == 360
