"""The one list of occasions: when each comes about, who is told, and its words for every way that word goes. Pure.

Words stand in braces for facts: `{campaign}`; a fact whose name ends in `_at` is a time, told in the reader's zone.
docs/occasions.md is written from this list.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """Occasions that one would hear of in the same way."""

    slug: str
    name: str
    about: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Something that comes about in clubs and campaigns."""

    slug: str
    category: str
    title: str  # of a mail, and on the list
    when: str  # for who reads the docs
    to: str  # who is told, likewise
    says: str  # the sentence for a reader
    aloud: str = ""  # the sentence for the club's webhooks; empty: these are not told
    aloud_title: str = ""  # where the title is for the reader alone
    do: str = "Look at it"  # what its link says
    route: str  # the page that it leads to
    place: tuple[str, ...] = ()  # the facts that make the page's address
    to_strangers: bool = False  # also who is no member of the club is told


CATEGORIES = (
    Category(slug="matches", name="Your matches", about="who you meet, and what waits for you: force, report, answer"),
    Category(slug="results", name="Results", about="how your matches ended, rounds that closed, gazettes"),
    Category(slug="campaigns", name="Campaigns", about="rounds that open, deadlines, beginnings and ends"),
    Category(slug="companies", name="Your companies", about="pilots who rose, changes made by others, enrolments"),
    Category(slug="clubs", name="Clubs", about="seats offered to you, answers to your requests, your role"),
    Category(slug="organising", name="Organising", about="what organisers and arbiters have to decide"),
)

MATCH, ROUND, CAMPAIGN = "campaigns:match", "campaigns:round", "campaigns:campaign"
FORCES = "campaigns:match_forces"

_LIST = (
    # --- your matches
    Occasion(
        slug="paired",
        category="matches",
        title="You have a match",
        when="a round opens",
        to="both sides of each match in it",
        says="{round} of {campaign}: {company} meet {other} as the {side}, table {table}, {scenario}. "
        "Until {deadline_at}.",
        do="Seal your force",
        route=FORCES,
        place=("match",),
    ),
    Occasion(
        slug="bye",
        category="matches",
        title="You have a bye",
        when="a round opens in which a company has no opponent",
        to="its player",
        says="{round} of {campaign}: {company} have no opponent, which counts as a victory.",
        route=ROUND,
        place=("campaign_id", "round_number"),
    ),
    Occasion(
        slug="forces-due",
        category="matches",
        title="Your force is due",
        when="a deadline comes near, and a force is not sealed; how near, each player chooses",
        to="the side that has still to seal",
        says="Seal your force for {about}: {where} closes on {deadline_at}.",
        do="Seal your force",
        route=FORCES,
        place=("match",),
    ),
    Occasion(
        slug="report-due",
        category="matches",
        title="Your report is due",
        when="a deadline comes near, and a match is not reported or a report not answered",
        to="the side that has still to speak",
        says="Report {about}, or confirm what the other side reported: {where} closes on {deadline_at}.",
        do="Report",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="force-sealed",
        category="matches",
        title="The other side has sealed",
        when="one side seals what it brings, before the other",
        to="the other side",
        says="{other} have sealed their force for {round} of {campaign}. It is your turn.",
        do="Seal your force",
        route=FORCES,
        place=("match",),
    ),
    Occasion(
        slug="forces-open",
        category="matches",
        title="The forces are open",
        when="both forces of a match are in, or the deadline opens them",
        to="both sides",
        says="Both forces for {name} are open. Look at the odds, then play.",
        do="See the forces",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="seal-fell",
        category="matches",
        title="Your seal fell",
        when="what a side had sealed can't be fielded any more",
        to="its player",
        says="What you had sealed for {name} counts no more: {why}",
        do="Seal anew",
        route=FORCES,
        place=("match",),
    ),
    Occasion(
        slug="report-waiting",
        category="matches",
        title="A report waits for you",
        when="one side reports a match, and the other has not",
        to="the other side",
        says="{other} have reported {name}. Confirm it, or report what you saw.",
        do="Read the report",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="reports-differ",
        category="matches",
        title="The reports differ",
        when="two reports of a match don't agree",
        to="both sides",
        says="The reports of {name} differ in {differences}. An arbiter rules, unless one of you reports anew.",
        aloud="{round}: the reports of {name} differ; an arbiter rules.",
        do="Compare them",
        route="campaigns:compare",
        place=("match",),
    ),
    Occasion(
        slug="match-refused",
        category="matches",
        title="The other side will not play",
        when="a side says that it will not play a match",
        to="the other side",
        says="{other} will not play {name}: {why}",
        route=MATCH,
        place=("match",),
    ),
    # --- results
    Occasion(
        slug="match-decided",
        category="results",
        title="A match is decided",
        when="reports agree, a report is confirmed or stands at the deadline, or a match is fought by orders or forfeited",
        to="both sides",
        says="{name}: {verdict} ({how}).",
        aloud="{round}, {name}: {outcome} ({how}).",
        do="See the match",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="premiere-announced",
        category="results",
        title="A premiere is announced",
        when="an organiser announces the premiere of a match, or gives it another hour",
        to="all members of the club",
        says="{round} of {campaign}: {name} is fought by orders, and told step by step from {begins_at} on.",
        aloud="{round} of {campaign}: {name} is fought by orders, and told step by step from {begins_at} on.",
        do="See the premiere",
        route="campaigns:premiere",
        place=("match",),
    ),
    Occasion(
        slug="premiere-off",
        category="results",
        title="A premiere is off",
        when="an organiser calls a premiere off",
        to="all members of the club",
        says="The premiere of {name} ({round} of {campaign}) on {begins_at} is called off.",
        aloud="The premiere of {name} ({round} of {campaign}) on {begins_at} is called off.",
        do="See the match",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="match-ruled",
        category="results",
        title="An arbiter has ruled",
        when="an arbiter decides a match",
        to="both sides",
        says="{by} ruled on {ruling}: {why}",
        aloud="Ruling on {ruling}: {why}",
        do="Read the ruling",
        route="campaigns:ruling",
        place=("campaign_id", "ruling_id"),
    ),
    Occasion(
        slug="match-corrected",
        category="results",
        title="A result was corrected",
        when="an arbiter undoes or changes a match that was decided",
        to="both sides",
        says="{by} corrected {name}, {done}: {why}",
        aloud="{round}, {name} was corrected, {done}: {why}",
        do="See the match",
        route=MATCH,
        place=("match",),
    ),
    Occasion(
        slug="round-closed",
        category="results",
        title="A round is closed",
        when="a round closes",
        to="everybody who takes part in the campaign",
        says="{round} of {campaign} is closed.",
        aloud="{round} of {campaign} is closed.",
        do="See the round",
        route=ROUND,
        place=("campaign_id", "round_number"),
    ),
    Occasion(
        slug="gazette-out",
        category="results",
        title="The gazette is out",
        when="the first edition of a round's gazette is written",
        to="all members of the club",
        says="The gazette of {round} of {campaign} is out: {headline}",
        aloud="The gazette of {round} of {campaign} is out: {headline}",
        do="Read it",
        route="campaigns:gazette",
        place=("campaign_id", "round_number"),
    ),
    # --- campaigns
    Occasion(
        slug="round-opened",
        category="campaigns",
        title="A round is open",
        when="an organiser opens a round",
        to="who takes part in the campaign and has no match in it",
        says="{round} of {campaign} is open until {deadline_at}.",
        aloud="{round} of {campaign} is open until {deadline_at}: {pairings}.",
        do="See the pairings",
        route=ROUND,
        place=("campaign_id", "round_number"),
    ),
    Occasion(
        slug="deadline-moved",
        category="campaigns",
        title="Another deadline",
        when="an organiser sets another deadline for an open round",
        to="who has a match in it that is not decided",
        says="{round} of {campaign} now closes on {deadline_at}.",
        aloud="{round} of {campaign} now closes on {deadline_at}.",
        do="See the round",
        route=ROUND,
        place=("campaign_id", "round_number"),
    ),
    Occasion(
        slug="campaign-musters",
        category="campaigns",
        title="A campaign musters",
        when="a campaign begins to take companies",
        to="all members of the club",
        says="{campaign} takes companies: {points} points, {system}.",
        aloud="{campaign} takes companies: {points} points, {system}.",
        do="Enrol a company",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    Occasion(
        slug="campaign-begun",
        category="campaigns",
        title="A campaign has begun",
        when="a campaign starts to run",
        to="everybody who takes part in it",
        says="{campaign} has begun, with {companies}.",
        aloud="{campaign} has begun, with {companies}.",
        do="See the campaign",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    Occasion(
        slug="campaign-finished",
        category="campaigns",
        title="A campaign is over",
        when="an organiser finishes a campaign",
        to="all members of the club",
        says="{campaign} is over. {podium}",
        aloud="{campaign} is over. {podium}",
        do="See how it ended",
        route="campaigns:standings",
        place=("campaign_id",),
    ),
    # --- your companies
    Occasion(
        slug="level-up",
        category="companies",
        title="Pilots rose",
        when="a battle promotes pilots of a company or brings them skills",
        to="its player",
        says="{company}: {pilots}.",
        do="See the company",
        route="rosters:company",
        place=("company_id",),
    ),
    Occasion(
        slug="company-changed",
        category="companies",
        title="Your company was changed",
        when="a correction writes to the ledger of a company",
        to="its player",
        says="{by} corrected {name}, and with it the books of {company}: {why}",
        do="See the ledger",
        route="rosters:company_ledger",
        place=("company_id",),
    ),
    Occasion(
        slug="company-accepted",
        category="companies",
        title="Your company is in",
        when="an organiser accepts a company that asked to take part",
        to="its player",
        says="{company} take part in {campaign}.",
        aloud="{company} take part in {campaign}.",
        aloud_title="A company is in",
        do="See the campaign",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    Occasion(
        slug="company-declined",
        category="companies",
        title="Your company was declined",
        when="an organiser declines a company that asked to take part",
        to="its player",
        says="{company} don't take part in {campaign}{why}.",
        do="See the campaign",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    Occasion(
        slug="company-withdrawn",
        category="companies",
        title="Your company was taken out",
        when="an organiser takes a company of another out of a campaign",
        to="its player",
        says="{by} took {company} out of {campaign}. Matches that are open stay to be decided.",
        do="See the campaign",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    Occasion(
        slug="company-excused",
        category="companies",
        title="Your company may muster as it is",
        when="an organiser excuses a company's problems",
        to="its player",
        says="{by} excused {company} in {campaign}, as it stands now: {why}",
        do="See the campaign",
        route=CAMPAIGN,
        place=("campaign_id",),
    ),
    # --- clubs
    Occasion(
        slug="seat-offered",
        category="clubs",
        title="A seat is offered to you",
        when="a club invites a player by name",
        to="the player",
        says="{by} invites you to join {club} as {role}, until {expires_at}.",
        do="Say yes or no",
        route="campaigns:join",
        place=("invitation",),
        to_strangers=True,
    ),
    Occasion(
        slug="member-accepted",
        category="clubs",
        title="You are in",
        when="a club lets somebody in who asked to join",
        to="the player",
        says="{club} has let you in.",
        aloud="{player} has joined.",
        aloud_title="Somebody was let in",
        do="See the club",
        route="campaigns:club",
        place=("slug",),
    ),
    Occasion(
        slug="member-declined",
        category="clubs",
        title="A club has declined",
        when="a club does not let somebody in who asked to join",
        to="the player",
        says="{club} has not let you in. You can ask again in {days} days.",
        do="See the clubs",
        route="campaigns:clubs",
        to_strangers=True,
    ),
    Occasion(
        slug="role-given",
        category="clubs",
        title="You have another role",
        when="an organiser gives a member another role, or hands the club over",
        to="the member",
        says="{by} made you {role} of {club}.",
        do="See the club",
        route="campaigns:club",
        place=("slug",),
    ),
    # --- organising
    Occasion(
        slug="ruling-due",
        category="organising",
        title="A ruling is due",
        when="reports differ, or a side will not play",
        to="arbiters and organisers who don't play the match",
        says="{name} waits for a ruling: {why}",
        do="Rule on it",
        route="campaigns:rule",
        place=("match",),
    ),
    Occasion(
        slug="company-asks",
        category="organising",
        title="A company asks to take part",
        when="a company asks to be enrolled",
        to="the organisers",
        says="{company} of {player} ask to take part in {campaign}.",
        do="Decide",
        route="campaigns:campaign_companies",
        place=("campaign_id",),
    ),
    Occasion(
        slug="member-asks",
        category="organising",
        title="Somebody asks to join",
        when="a player asks to join a club",
        to="the organisers",
        says="{player} asks to join {club}.",
        do="Decide",
        route="campaigns:club_members",
        place=("slug",),
    ),
    Occasion(
        slug="member-joined",
        category="organising",
        title="Somebody has joined",
        when="an invitation is accepted",
        to="who invited",
        says="{player} has joined {club}.",
        aloud="{player} has joined.",
        do="See the members",
        route="campaigns:club_members",
        place=("slug",),
    ),
    Occasion(
        slug="webhook-off",
        category="organising",
        title="A webhook was switched off",
        when="an address elsewhere has taken nothing for three days, or says that it is gone",
        to="the organisers",
        says="The webhook of {club} to {host} was switched off: {why}.",
        do="See what it answered",
        route="campaigns:webhook",
        place=("slug", "webhook"),
    ),
)


def heading(occasion: Occasion) -> str:
    """The title for who is not addressed."""
    return occasion.aloud_title or occasion.title


OCCASIONS: dict[str, Occasion] = {each.slug: each for each in _LIST}
CATEGORY: dict[str, Category] = {each.slug: each for each in CATEGORIES}
ALOUD = tuple(each.slug for each in _LIST if each.aloud)  # what a webhook can be told of
