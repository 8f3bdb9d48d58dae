"""All changes to rosters. Services lock the company, raise RefusedError, and write rows and ledger together."""

from rosters.ledger.drafts import Aftermath, UnitResult
from rosters.services.base import copy_name, money_of
from rosters.services.designs_and_scenarios import (
    design_clone,
    design_delete,
    design_save,
    scenario_clone,
    scenario_delete,
    scenario_save,
)
from rosters.services.results import company_apply_aftermath, pilot_learn
from rosters.site.exceptions import RateLimitedError, RefusedError, StaleEditError

from .companies import (
    company_change,
    company_clone,
    company_create,
    company_disband,
    pilot_edit,
    pilot_hire,
    pilot_retire,
)
from .players import player_change, token_create, token_revoke, tokens_end
from .results import company_apply_result, company_correct, company_reverse_result, undo_last_act
from .units import (
    pilot_assign,
    pilots_assign,
    unit_buy,
    unit_price,
    unit_refit,
    unit_rename,
    unit_repair,
    unit_sell,
    units_buy_list,
)

__all__ = [
    "Aftermath",
    "StaleEditError",
    "RefusedError",
    "RateLimitedError",
    "UnitResult",
    "company_apply_aftermath",
    "company_apply_result",
    "company_change",
    "company_clone",
    "company_correct",
    "company_disband",
    "company_create",
    "copy_name",
    "company_reverse_result",
    "design_clone",
    "design_delete",
    "design_save",
    "money_of",
    "pilot_assign",
    "pilot_hire",
    "pilot_learn",
    "pilot_edit",
    "pilot_retire",
    "pilots_assign",
    "player_change",
    "scenario_clone",
    "scenario_delete",
    "scenario_save",
    "token_create",
    "token_revoke",
    "tokens_end",
    "undo_last_act",
    "unit_buy",
    "unit_price",
    "unit_rename",
    "unit_refit",
    "unit_repair",
    "unit_sell",
    "units_buy_list",
]
