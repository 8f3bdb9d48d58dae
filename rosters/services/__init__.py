"""Every change to rosters. A service locks the company, refuses with RefusedError, writes rows and ledger together."""

from rosters.ledger.bookings import Aftermath, UnitResult

from ._base import (
    OvertakenError,
    RefusedError,
    company_balance,
    company_facts,
    company_record,
    company_records,
    copy_name,
    money_of,
)
from .careers import company_apply_aftermath, pilot_learn
from .companies import company_change, company_clone, company_disband, company_found, company_rename
from .designs import design_clone, design_delete, design_rename, design_save
from .pilots import pilot_hire, pilot_rename, pilot_retire
from .players import player_change, token_create, token_revoke, tokens_end
from .results import company_apply_result, company_correct, company_reverse_result
from .scenarios import scenario_clone, scenario_delete, scenario_rename, scenario_save
from .undo import last_act, undo_last_act, undo_refusal
from .units import pilot_assign, sale_price, unit_buy, unit_price, unit_rename, unit_repair, unit_sell

__all__ = [
    "Aftermath",
    "OvertakenError",
    "RefusedError",
    "UnitResult",
    "company_apply_aftermath",
    "company_apply_result",
    "company_balance",
    "company_change",
    "company_clone",
    "company_correct",
    "company_disband",
    "company_facts",
    "company_found",
    "company_record",
    "company_records",
    "company_rename",
    "copy_name",
    "company_reverse_result",
    "design_clone",
    "design_delete",
    "design_rename",
    "design_save",
    "last_act",
    "money_of",
    "pilot_assign",
    "pilot_hire",
    "pilot_learn",
    "pilot_rename",
    "pilot_retire",
    "player_change",
    "sale_price",
    "scenario_clone",
    "scenario_delete",
    "scenario_rename",
    "scenario_save",
    "token_create",
    "token_revoke",
    "tokens_end",
    "undo_last_act",
    "undo_refusal",
    "unit_buy",
    "unit_price",
    "unit_rename",
    "unit_repair",
    "unit_sell",
]
