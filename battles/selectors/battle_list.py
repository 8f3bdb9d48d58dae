"""Lists of battles, public ones and the reader's own, and the public rows of the home page."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django.db.models import Case, JSONField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.fields.json import KeyTextTransform, KeyTransform
from django.db.models.functions import JSONObject, Upper

from battles.models import Battle, BattleSide
from rosters.database.queries import PreparedQuery, Small
from rosters.jobs import JobStatus
from rosters.models import Player, Visibility
from rosters.site.pagination import Keyset, KeysetList, Slice, count_query
from systems import BATTLES, roster_rules

PAGE_LENGTH = 30
FILTERS = ("whose", "status", "kind", "text", "system", "sort")
ORDERS = {  # by the word in the URL: the order, the types of a position in it, and the order in words
    "newest": (Keyset("-pk"), (), "newest first"),
    "rounds": (Keyset("-rounds", "-pk"), (Small,), "longest first"),
    "kills": (Keyset("-kills", "-pk"), (Small,), "most kills first"),
}
RESULT_COLUMNS = ("winner", "draw", "rounds", "reason")  # keys of a result that a list shows
ENDED_AS = Case(
    When(result__isnull=False, then=JSONObject(**{name: KeyTransform(name, "result") for name in RESULT_COLUMNS})),
    output_field=JSONField(),
)
SIDES = [KeyTransform(at, KeyTransform("sides", "setup")) for at in (0, 1)]
LED_BY = Case(  # of a finished battle: each side's name, and the design of its first unit
    When(
        result__isnull=False,
        then=JSONObject(
            **{f"name_{at}": KeyTransform("name", side) for at, side in enumerate(SIDES)},
            **{
                f"design_{at}": KeyTransform("design", KeyTransform(0, KeyTransform("units", side)))
                for at, side in enumerate(SIDES)
            },
        ),
    ),
    output_field=JSONField(),
)
WON_BY = Subquery(  # the winning company, if it is public
    BattleSide.objects.filter(
        battle=OuterRef("pk"),
        company__visibility=Visibility.PUBLIC,
        name=KeyTextTransform("winner", OuterRef("result")),
    ).values(winner_data=JSONObject(name="company__name", emblem="company__emblem"))[:1]
)
API_COLUMNS = (
    "key", "title", "system", "status", "seed", "setup_hash", "rules_version", "visibility", "fought_by_hand",
    "asked_by", "asked_from", "ended_at", "rounds", "kills", "record__digest", "dice__commitment",
)  # fmt: skip


def battles_visible_to(player: Player | None) -> QuerySet[Battle]:
    """Return the battles that lists may show this reader: public ones and their own."""
    return _visible_to(player.pk if player else None)


def _visible_to(player: int | None) -> QuerySet[Battle]:
    public = Q(visibility=Visibility.PUBLIC)
    return Battle.objects.filter(public if player is None else public | Q(asked_by=player))


def list_battles(player: Player | None) -> QuerySet[Battle]:
    """Return the list of battles, newest first, with only the columns that the API shows."""
    rows = battles_visible_to(player).select_related("record", "dice").annotate(ended_as=ENDED_AS)
    return rows.only(*API_COLUMNS).order_by("-pk")


def order_of(sort: str) -> str:
    """Return the word for the order; "newest" for an unknown one."""
    return sort if sort in ORDERS else "newest"


def _filtered(
    rows: QuerySet[Battle], player: int | None, *, whose: str, status: str, kind: str, text: str, system: str
) -> QuerySet[Battle]:
    if whose == "mine":
        rows = rows.filter(asked_by=player) if player else rows.none()
    if status in JobStatus.values:
        rows = rows.filter(status=status)
    if kind in ("table", "resolved"):
        rows = rows.filter(fought_by_hand=kind == "table")
    if system:
        rows = rows.filter(system=system)
    if text:
        rows = rows.filter(title_upper__contains=Upper(Value(text)))
    return rows


def battles_page(player: Player | None, filters: Mapping[str, str], asked: Mapping[str, str]) -> Slice[Battle]:
    """Return the requested page of the list, with the total number."""
    whose, status, kind, text, system, sort = (filters.get(name, "") for name in FILTERS)
    page, number = _list_rows(
        player is not None,
        whose if whose == "mine" else "",
        status if status in JobStatus.values else "",
        kind if kind in ("table", "resolved") else "",
        bool(text),
        system if system in BATTLES else "",
        order_of(sort),
    )
    if whose == "mine" and not player:
        return Slice([], count=0)
    given: dict[str, Any] = {"player": player.pk} if player else {}
    text_filter = {"text": text} if text else {}
    return page.asked(asked, count=number(**given, **text_filter), **given, **text_filter)


def count_battles(player: Player | None) -> int:
    """Return the number of battles that lists may show this reader."""
    return _list_rows(player is not None, "", "", "", False, "", "newest")[1](
        **({"player": player.pk} if player else {})
    )


@cache
def _list_rows(
    is_player: bool, whose: str, status: str, kind: str, has_text: bool, system: str, sort: str
) -> tuple[KeysetList[Battle], Callable[..., int]]:
    """Return the list with these filters in that order, and its count function; each is compiled on first use."""

    def kept(rows: QuerySet[Battle], player: int | None, text: str) -> QuerySet[Battle]:
        return _filtered(rows, player, whose=whose, status=status, kind=kind, text=text, system=system)

    def rows(player: int | None = None, text: str = "") -> QuerySet[Battle]:
        return with_list_columns(kept(_visible_to(player), player, text))

    def own(player: int, text: str = "") -> QuerySet[Any, Any]:
        return count_query(kept(Battle.objects.filter(NOT_PUBLIC, asked_by=player), player, text))

    def public(text: str = "", player: int | None = None) -> QuerySet[Any, Any]:
        return count_query(kept(Battle.objects.filter(visibility=Visibility.PUBLIC), player, text))

    text_kinds: dict[str, Any] = {"text": str} if has_text else {}
    player_kinds: dict[str, Any] = {"player": int} if is_player else {}
    of_public = PreparedQuery(public, **text_kinds, **(player_kinds if whose == "mine" else {}))
    of_own = PreparedQuery(own, **text_kinds, **player_kinds)

    def number(player: int | None = None, **given: Any) -> int:
        """Return public battles plus the reader's others: an index counts each of them, but not both together."""
        mine = {"player": player} if player is not None else {}
        ((count,),) = of_public.rows(**given, **(mine if whose == "mine" else {}))
        return int(count + sum(further for (further,) in (of_own.rows(**given, **mine) if mine else ())))

    order, place, _words = ORDERS[sort]
    return KeysetList(rows, order, PAGE_LENGTH, place, **player_kinds, **text_kinds), number


NOT_PUBLIC = ~Q(visibility=Visibility.PUBLIC)


def with_list_columns(rows: QuerySet[Battle]) -> QuerySet[Battle]:
    """Return the rows without set-ups and results, but with the values that a list shows.

    These are the house rules, how the battle ended, and the winner's picture.
    """
    rows = rows.select_related("asked_by").defer("setup", "result")
    return rows.annotate(options=KeyTransform("options", "setup"), ended_as=ENDED_AS, led_by=LED_BY, won_by=WON_BY)


def battle_end(battle: Battle) -> Mapping[str, object]:
    """Return the end of a battle from a list; empty before it. SQLite writes true, false and null as words."""
    end = dict(battle.ended_as or {})  # type: ignore[attr-defined]  # annotated above
    if end:
        end["draw"] = end.get("draw") in (True, "true")
        if end["draw"]:
            end["winner"] = None
    return end


def first_unit_spec(battle: Battle, winner: object) -> Mapping[str, object] | None:
    """Return the spec of the winner's first unit, for a battle from a list; None without such a side or design."""
    led = dict(getattr(battle, "led_by", None) or {})
    at = next((at for at in (0, 1) if winner and led.get(f"name_{at}") == winner), None)
    design = None if at is None else led[f"design_{at}"]
    if isinstance(design, str) and design.startswith("{"):  # SQLite's form
        design = json.loads(design)
    if isinstance(design, Mapping):
        return design
    rules = roster_rules(battle.system)
    published = rules.published.get(str(design))
    return rules.spec_json(published.spec) if published else None


LATEST_SHOWN = 6


def _latest() -> QuerySet[Battle]:
    rows = Battle.objects.filter(visibility=Visibility.PUBLIC, status=JobStatus.DONE)
    return with_list_columns(rows).order_by("-pk")[:LATEST_SHOWN]


LATEST = PreparedQuery(_latest)


def latest_public() -> list[Battle]:
    """Return the newest finished public battles."""
    return LATEST.rows()
