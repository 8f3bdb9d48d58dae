"""A list with precompiled pages shows the same pages as its query set."""

import pytest

from rosters.models import Company
from rosters.site.pagination import Keyset, KeysetList, count_query
from tests.builders import a_company, a_player

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("order", "place"), [(("name", "pk"), (str,)), (("-pk",), ())], ids=["by name", "newest"])
def test_pages_match_the_query_set_in_both_directions(order, place):
    def question(owner):
        return Company.objects.filter(owner=owner)

    owner, keyset = a_player(), Keyset(*order)
    for name in ("Iron", "Iron", "100 %", "a.b", "Ölgötz", "'", "z"):
        a_company(owner, name=name)
    a_company(name="another's")
    keyset_list = KeysetList(question, keyset, 3, place, owner=int)
    queries, seen, lengths = [{}], [], []
    while queries:
        asked = queries.pop()
        ours, theirs = keyset_list.asked(asked, owner=owner.pk), keyset.asked(question(owner.pk), 3, asked)
        assert ours == theirs
        seen.append(asked)
        lengths.append(len(ours))
        for way, at in (("after", ours.after), ("before", ours.before)):
            if at and {way: at} not in seen:
                queries.append({way: at})
    assert (3 in lengths, 1 in lengths, len(lengths) > 4) == (True, True, True)
    for lost in ("x", "0", "9" * 25, "9223372036854775807", "1.\x00", "1.no such name"):
        assert keyset_list.asked({"after": lost}, owner=owner.pk) == keyset.asked(
            question(owner.pk), 3, {"after": lost}
        )
    assert count_query(question(owner.pk)).get() == (7,)
    assert count_query(question(0)).get() == (0,)


def test_only_pages_with_rows_before_them_link_back():
    owner, keyset = a_player(), Keyset("name", "pk")
    for name in "abcdefg":
        a_company(owner, name=name)
    rows = Company.objects.filter(owner=owner)
    pages = [keyset.slice(rows, 3)]
    while pages[-1].after:
        pages.append(keyset.slice(rows, 3, after=pages[-1].after))
    assert ["".join(row.name for row in page) for page in pages] == ["abc", "def", "g"]
    back = [keyset.slice(rows, 3, before=page.before) for page in pages[1:]]
    assert [("".join(row.name for row in page), bool(page.before)) for page in back] == [("abc", False), ("def", True)]
