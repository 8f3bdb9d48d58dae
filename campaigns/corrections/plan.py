"""Plan the correction of a match from the present ledgers. Reads rows and writes none.

Decision 10 says what each mode changes and what it leaves.
"""

from __future__ import annotations

import hashlib
import heapq
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from django.db.models import Max
from django.utils.crypto import salted_hmac

from battles.models import Battle, BattleSide
from battles.services.battles import battle_title, unit_results
from battles.services.dice import dice_secret
from campaigns.army_lists.documents import side_forces
from campaigns.corrections.effects import (
    CompanyEffects,
    CorrectionPreview,
    CupChanges,
    LaterMatch,
    SeasonChanges,
    StorylineChanges,
    Verdict,
    cup_changes,
    decided_matches,
    record_changes,
    season_changes,
    standings_with,
    storyline_changes,
    table_changes,
    territory_holder,
    verdict_of,
)
from campaigns.corrections.history import CorrectionReference, HistoryWalk, LedgerLine, books_game
from campaigns.enrolments.services import matches_of
from campaigns.models import CampaignState, CorrectionMode, Match, MatchState, Outcome
from campaigns.results.aftermath import CompanyPart, aftermath_of
from campaigns.results.decisions import battle_figures, result_of_report
from campaigns.results.reports import MatchReport
from campaigns.territories.income import IncomeChange, income_changes
from campaigns.territories.selectors import bonus_changes, income_draft, income_note
from rosters.database.queries import columns
from rosters.ledger.drafts import Draft
from rosters.ledger.records import RULING, posted_entry
from rosters.models import Company, LedgerEntry
from rosters.services import RefusedError
from systems import SEASONS, battle_rules, roster_rules
from systems.engine.dice import sealed_seed
from systems.ledger import CompanyRecord, PostedEntry
from systems.reading import read_setup
from systems.scenarios import SIDES
from systems.setups import canonical

BATTLE_CAUSES = ("battle", "result")


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictWithoutBattle:
    """A verdict without a battle, for example a forfeit by one side or a refused match."""

    state: MatchState
    outcome: Outcome


CorrectedResult = MatchReport | VerdictWithoutBattle | None  # the corrected result; None: the match is undone


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectionPlan:
    """A correction that is ready to be written."""

    preview: CorrectionPreview
    verdict: Verdict
    acts: Mapping[int, list[list[Draft]]]  # by company
    records: Mapping[int, CompanyRecord]  # each company afterwards
    flags: Mapping[int, str]  # by match
    campaigns: frozenset[int]
    rebooked: tuple[Match, ...]  # later matches that are booked again
    incomes: tuple[IncomeChange, ...]  # changes to territory income that was paid


@dataclass(slots=True)
class _AffectedGame:
    """A later game that the correction affects, and the reasons to check it."""

    is_rebooked: bool = False
    unfit: list[str] = field(default_factory=list)


def correction_plan(match: Match, after: CorrectedResult, mode: CorrectionMode) -> CorrectionPlan:
    """Return the plan. Raise RefusedError if the correction isn't possible."""
    return _Planner(match, after, mode).plan()


def check_correctable(match: Match) -> None:
    """Raise RefusedError if the match can't be corrected because it isn't decided."""
    if match.state not in MatchState.decided():
        reason = f"This match is {match.get_state_display().lower()}; only a decided one can be corrected."
        if match.state == MatchState.DISPUTED:
            reason = "This match is disputed. Rule on the dispute first."
        raise RefusedError("match", reason)


class _Planner:
    def __init__(self, match: Match, after: CorrectedResult, mode: CorrectionMode) -> None:
        check_correctable(match)
        self.match, self.after, self.mode = match, after, mode
        self.campaign = match.round.campaign
        if mode == CorrectionMode.CASCADE:
            self._open(self.campaign.name, self.campaign.state)
        if after is None and match.state == MatchState.VOID:
            raise RefusedError("match", "This match is already void.")
        self.why = CorrectionReference(match=str(match.key), title=f"{match.round}, {match}"[:160])
        self.corrections = list(match.corrections.order_by("pk"))
        self.walks: dict[int, HistoryWalk] = {}
        self.battles: dict[str, Battle] = {}
        self.matches: dict[str, Match] = {}
        self.reached: dict[str, _AffectedGame] = {}
        self.places: dict[int, int | None] = {}
        self.old = ""  # key of the match's battle that is in the ledgers
        self.cup, self.storyline, self.season = CupChanges(), StorylineChanges(), SeasonChanges()
        self.incomes: tuple[IncomeChange, ...] = ()
        self.bonuses: Mapping[int, str] = {}  # by match: the reason to check it

    def plan(self) -> CorrectionPlan:
        verdict = self._verdict()
        sides = [each.company for each in (self.match.attacker, self.match.defender) if each is not None]
        for company in sides:
            self._load(company)
        old = self.old = self._standing_game([company.pk for company in sides])
        self.places = {company.pk: self._place(company.pk) for company in sides}
        if self.mode != CorrectionMode.FLAG:
            self._change_incomes(verdict)
            self._replace(sides, old, verdict)
        if self.mode == CorrectionMode.CASCADE:
            self._cascade([company.pk for company in sides])
        else:
            self._review_later_games([company.pk for company in sides])
        records = {pk: walk.finish() for pk, walk in self.walks.items()}
        self.cup = self._cup(verdict)
        self.storyline = storyline_changes(self.campaign, self.match.pk, verdict.state, verdict.outcome)
        self.bonuses = bonus_changes(self.match, verdict.state, verdict.outcome)
        self.season = season_changes(self.match.pk, verdict.state, verdict.outcome)
        flags = self._flags()
        preview = self._preview(verdict, records, flags)
        acts = {pk: walk.acts() for pk, walk in self.walks.items() if walk.acts()}
        return CorrectionPlan(
            preview=replace(preview, token=self._token(verdict, acts, flags)),
            verdict=verdict,
            acts=acts,
            records=records,
            flags=flags,
            campaigns=frozenset(each.round.campaign_id for each in self.matches.values()),
            rebooked=tuple(self._rebooked_matches()),
            incomes=self.incomes,
        )

    # --- the match itself

    def _verdict(self) -> Verdict:
        if self.after is None:
            return Verdict(state=MatchState.VOID, outcome=Outcome.NONE, battle=None)
        is_bye = isinstance(self.after, VerdictWithoutBattle) and self.after.state == MatchState.BYE
        if is_bye != (self.match.defender is None):
            reason = (
                "This is a bye: you can undo it, not change its result." if not is_bye else "This match isn’t a bye."
            )
            raise RefusedError("state", reason)
        if is_bye and self.match.state == MatchState.BYE:
            raise RefusedError("match", "This match is already a bye.")
        if isinstance(self.after, VerdictWithoutBattle):
            if self.after.state in MatchState.fought() or self.after.state not in MatchState.decided():
                raise RefusedError("state", "A match that was played needs a result.")
            return Verdict(state=self.after.state, outcome=self.after.outcome, battle=None)
        if self.match.setup is None:
            raise RefusedError("match", "No lists were revealed for this match, so it can't have a result.")
        result = result_of_report(self.match, self.after)
        setup = read_setup(self.match.setup)
        battle = Battle(
            key=uuid.uuid5(self.match.key, f"correction {len(self.corrections) + 1}"),
            system=setup.system,
            title=battle_title(setup),
            setup=self.match.setup,
            rules_version=battle_rules(setup.system).rules_version,
            result=result,
            dice=self.match.dice,
            fought_by_hand=True,
        )
        won = Outcome.DRAW if self.after.winner == "draw" else Outcome(SIDES[SIDES.index(self.after.winner)])
        return Verdict(state=MatchState.RULED, outcome=won, battle=battle)

    def _standing_game(self, companies: Sequence[int]) -> str:
        """Return the key of the match's battle that is in the ledgers; empty if none is."""
        for key in reversed(self._keys()):
            if any(self.walks[pk].standing(key) for pk in companies):
                return key
        return ""

    def _keys(self) -> list[str]:
        """Return the keys of all battles that decide the match or have decided it, oldest first."""
        keys = [each.before.get("battle", "") for each in self.corrections]
        keys.append(str(self.match.battle.key) if self.match.battle else "")
        return [key for key in keys if key]

    def _place(self, company: int) -> int | None:
        """Return the match's position in the company's history, even if it was undone; None if it never had one."""
        walk = self.walks[company]
        return walk.place_of(self.old) if self.old else walk.former_place(self._keys())

    def _replace(self, sides: Sequence[Company], old: str, verdict: Verdict) -> None:
        games = [old] if old else list(reversed(self._keys()))
        seeds = [self.walks[company.pk].seed_of(game) for game in games for company in sides]
        seed = next((each for each in seeds if each is not None), None)
        for company in sides:
            walk = self.walks[company.pk]
            walk.until(self.places[company.pk])
            if old:
                walk.drop(old)
            walk.changed, walk.rechecks = True, self.mode == CorrectionMode.CASCADE
        if verdict.battle is None:
            return
        rows = [
            BattleSide(battle=verdict.battle, position=at, name=name, company=force.company, force=dict(force.units))
            for at, (name, force) in enumerate(
                zip(
                    [side.name for side in read_setup(self.match.setup or {}).sides],
                    side_forces(self.match),
                    strict=True,
                )
            )
        ]
        drafts = self._drafts(verdict.battle, rows, self._seed() if seed is None else seed)
        for company in sides:
            self.walks[company.pk].book(drafts[company.pk], self.places[company.pk], str(verdict.battle.key))

    def _change_incomes(self, verdict: Verdict) -> None:
        """Pay the income of closed rounds to the companies that would have held the territories then."""
        self.incomes = income_changes(self.campaign, {self.match.pk: (verdict.state, verdict.outcome)})
        for change in self.incomes:
            self._load(change.company)
            walk = self.walks[change.company.pk]
            walk.pays[str(change.row.key)] = income_draft(change)
            walk.notes.append(income_note(change))

    def _seed(self) -> int:
        """Return the seed for the aftermath of a match that had none yet."""
        if self.match.dice is not None:
            words = [text for _, text in self.match.dice.words]
            return sealed_seed(dice_secret(self.match.dice), "aftermath", words)
        digest = salted_hmac("campaigns.aftermath", str(self.match.key), algorithm="sha256").hexdigest()
        return int(digest[:16], 16)

    # --- later games

    def _cascade(self, companies: Sequence[int]) -> None:
        """Recalculate every later game of the companies, and of those opponents whose own entries change."""
        waiting: list[tuple[int, str]] = []
        done: set[str] = set()
        for pk in companies:
            if self.places[pk] is not None:
                waiting += self.walks[pk].games_after(self.places[pk] or 0)
        heapq.heapify(waiting)
        while waiting:
            _, game = heapq.heappop(waiting)
            if game in done:
                continue
            done.add(game)
            for company, place in self._again(game):
                for each in self.walks[company].games_after(place):
                    heapq.heappush(waiting, each)

    def _again(self, game: str) -> list[tuple[int, int]]:
        """Book the game again if its entries come out differently.

        Return the companies that the correction reaches for the first time here, with the game's position in each
        history.
        """
        battle = self.battles.get(game)
        if battle is None:
            return []
        rows = [row for row in battle.sides.all() if row.company is not None]
        for row in rows:
            assert row.company is not None
            self._load(row.company)
        rows = [row for row in rows if self.walks[row.company_id or 0].standing(game)]
        walks = {row.company_id or 0: self.walks[row.company_id or 0] for row in rows}
        places = {pk: walk.place_of(game) for pk, walk in walks.items()}
        for pk, walk in walks.items():
            walk.until(places[pk])
        seeds = [walk.seed_of(game) for walk in walks.values()]
        seed = next((each for each in seeds if each is not None), 0)
        self.reached.setdefault(game, _AffectedGame())
        self._note_unfit(game, battle, rows)
        reached = []
        for pk, drafts in self._drafts(battle, rows, seed).items():
            walk = walks[pk]
            if walk.has_same_entries(game, drafts):
                continue
            if not walk.changed:
                reached.append((pk, places[pk] or 0))
            match = self.matches.get(game)
            if match is not None:
                self._open(match.round.campaign.name, match.round.campaign.state)
            self.reached[game].is_rebooked = True
            walk.drop(game)
            walk.rechecks = True
            walk.book(drafts, places[pk], game)
        return reached

    def _review_later_games(self, companies: Sequence[int]) -> None:
        """Go through the later games without booking any of them again."""
        for pk in companies:
            walk, place = self.walks[pk], self.places[pk]
            for at, game in walk.games_after(place) if place is not None else ():
                walk.until(at)
                battle = self.battles.get(game)
                if battle is None or game == self.old:
                    continue
                self.reached.setdefault(game, _AffectedGame())
                self._note_unfit(game, battle, [row for row in battle.sides.all() if row.company_id == pk])

    def _note_unfit(self, game: str, battle: Battle, rows: Sequence[BattleSide]) -> None:
        for row in rows:
            walk = self.walks[row.company_id or 0]
            found = walk.unfit(unit_results(battle, row)) if walk.changed else []
            if found:
                self.reached[game].unfit += found

    def _drafts(self, battle: Battle, rows: Sequence[BattleSide], seed: int) -> dict[int, list[Draft]]:
        """Return the battle's entries for each company, based on the company's state in the walk."""
        keeps = roster_rules(battle.system).is_standing(battle.setup["options"])
        drafts: dict[int, list[Draft]] = {}
        parts = []
        for row in rows:
            pk = row.company_id or 0
            units = tuple(unit_results(battle, row))
            drafts[pk] = self.walks[pk].drafts_of_game(battle.title, units, keeps)
            record = self.walks[pk].record_with(drafts[pk])
            parts.append(CompanyPart(side=row, units=units, record=record))
        if battle.system not in SEASONS:
            return drafts
        for part, aftermath in zip(parts, aftermath_of(battle, seed, parts), strict=True):
            pk = part.side.company_id or 0
            drafts[pk] = [*drafts[pk], *self.walks[pk].drafts_of_aftermath(battle.title, part.record, aftermath)]
        return drafts

    # --- rows

    def _load(self, company: Company) -> None:
        if company.pk in self.walks:
            return
        rows = company.ledger.order_by("pk").values_list("cause", "cause_ref", *columns(posted_entry))
        lines = [_ledger_line(posted_entry(*row), cause, ref) for cause, ref, *row in rows]
        self.walks[company.pk] = HistoryWalk(
            company.name, lines, roster_rules(company.system, company.catalogue_release), self.why
        )
        keys = {line.game for line in lines if line.game} - set(self.battles)
        for battle in Battle.objects.filter(key__in=keys).prefetch_related("sides__company"):
            self.battles[str(battle.key)] = battle
        self.matches.update(matches_of(keys))

    def _open(self, name: str, state: str) -> None:
        if state == CampaignState.FINISHED:
            reason = f"{name} is finished, so its games can't be recalculated. Compensate or flag instead."
            raise RefusedError("mode", reason)

    def _rebooked_matches(self) -> list[Match]:
        booked = [game for game, reached in self.reached.items() if reached.is_rebooked]
        return [self.matches[game] for game in booked if game in self.matches]

    # --- preview

    def _flags(self) -> dict[int, str]:
        about = f"{self.why.title} was corrected afterwards"
        flags = {}
        for game, reached in self.reached.items():
            match = self.matches.get(game)
            if match is None:
                continue
            if self.mode == CorrectionMode.FLAG:
                flags[match.pk] = f"{about}; the effects here were not applied."
            elif reached.unfit:
                flags[match.pk] = f"{about}: {'; '.join(reached.unfit)}."
        found = (self.cup.flags, self.storyline.flags, self.season.flags, self.bonuses)
        for pk, text in chain(*(each.items() for each in found)):
            flags[pk] = f"{flags[pk]} {text}" if pk in flags else f"{about}. {text}"
        return {pk: text[:300] for pk, text in flags.items()}

    def _cup(self, verdict: Verdict) -> CupChanges:
        """Return how the corrected result changes the cup: who advances, and which later matches that puts in doubt."""
        figures = battle_figures(verdict.battle) if verdict.battle is not None else {}
        return cup_changes(self.campaign, self.match.pk, verdict.state, verdict.outcome, figures)

    def _preview(
        self, verdict: Verdict, records: Mapping[int, CompanyRecord], flags: Mapping[int, str]
    ) -> CorrectionPreview:
        matches = decided_matches(self.campaign)
        instead = {self.match.pk: verdict}
        changes = table_changes(
            standings_with(self.campaign, matches, {}), standings_with(self.campaign, matches, instead)
        )
        territory = None
        if self.match.territory is not None:
            held = [territory_holder(matches, self.match.territory, each) for each in ({}, instead)]
            if held[0] != held[1]:
                territory = (self.match.territory.name, held[0] or "nobody", held[1] or "nobody")
        return CorrectionPreview(
            match=str(self.match.key),
            mode=self.mode,
            outcome_before=_describe(verdict_of(self.match)),
            outcome_after=_describe(verdict),
            companies=tuple(self._effects(pk, records[pk]) for pk in self.walks if self._is_reached(pk)),
            later=tuple(self._later(game, reached, flags) for game, reached in self.reached.items()),
            standings=changes,
            territory=territory,
            advances=self.cup.sentences,
            war=self.storyline.sentences,
            season=self.season.sentences,
        )

    def _is_reached(self, pk: int) -> bool:
        return pk in self.places or self.walks[pk].changed

    def _effects(self, pk: int, after: CompanyRecord) -> CompanyEffects:
        walk = self.walks[pk]
        place = self.places.get(pk)
        return CompanyEffects(
            id=pk,
            name=walk.name,
            balance_before=walk.before.balance,
            balance_after=after.balance,
            entries=sum(len(act) for act in walk.acts()),
            changes=record_changes(walk.name, pk, walk.before, after, walk.rules),
            spent=tuple(walk.describe_spending(place)) if place is not None else (),
            notes=tuple(walk.notes),
        )

    def _later(self, game: str, reached: _AffectedGame, flags: Mapping[int, str]) -> LaterMatch:
        match = self.matches.get(game)
        is_flagged = match is not None and match.pk in flags
        if reached.is_rebooked:
            text = "recalculated with the same result and dice"
        elif self.mode == CorrectionMode.CASCADE:
            text = "no change"
        else:
            text = "not recalculated"
        if reached.unfit:
            text = f"{text}; {'; '.join(reached.unfit)}"
        title = f"{match.round}, {match}" if match is not None else self.battles[game].title
        return LaterMatch(key=str(match.key) if match else "", title=title, text=text, is_flagged=is_flagged)

    def _token(self, verdict: Verdict, acts: Mapping[int, list[list[Draft]]], flags: Mapping[int, str]) -> str:
        """Return a hash of the state the plan was made from. A new entry, correction or result changes it."""
        newest = LedgerEntry.objects.filter(company__in=list(self.walks)).aggregate(newest=Max("pk"))["newest"]
        state = [
            str(self.match.key), self.mode, self.match.state, len(self.corrections), newest, verdict.state,
            verdict.outcome, verdict.battle.result if verdict.battle else None, sorted(acts), sorted(flags.items()),
        ]  # fmt: skip
        return hashlib.sha256(canonical(state).encode()).hexdigest()


def _ledger_line(entry: PostedEntry, cause: str, ref: str) -> LedgerLine:
    books = cause in BATTLE_CAUSES or (cause == RULING and books_game(entry.kind, entry.facts))
    return LedgerLine(entry=entry, cause=cause, game=ref if books else "", ref=ref)


def undo_refusal(battle: Battle) -> str:
    """Return why players can't log or undo a battle themselves, or an empty string if they can.

    They can't if it decides a match, or did before a ruling.
    """
    match = matches_of([str(battle.key)]).get(str(battle.key))
    if match is None:
        return ""
    return f"This battle belongs to {match.round} of {match.round.campaign}. Ask an arbiter of the club to correct it."


def describe_verdict(state: str, outcome: str) -> str:
    """Describe the result and state of a match."""
    state_label, known = MatchState(state).label.lower(), outcome not in (Outcome.NONE, Outcome.UNKNOWN)
    return f"{Outcome(outcome).label.lower()} ({state_label})" if known else state_label


def _describe(verdict: Verdict) -> str:
    return describe_verdict(verdict.state, verdict.outcome)
